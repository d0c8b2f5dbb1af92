//! Writes canonical JSON into one buffer: the same bytes as [`serde_json`], without building the arrays.

/// A JSON text that is being written; it adds the commas itself.
#[derive(Default)]
pub(super) struct Canonical {
    out: Vec<u8>,
}

impl Canonical {
    pub(super) fn bytes(&self) -> &[u8] {
        &self.out
    }

    pub(super) fn into_string(self) -> String {
        String::from_utf8(self.out).unwrap_or_default()
    }

    pub(super) fn clear(&mut self) {
        self.out.clear();
    }

    pub(super) fn open(&mut self) {
        self.comma();
        self.out.push(b'[');
    }

    /// Opens an array whose first part is one of our own words, which needs no folding and no escaping.
    pub(super) fn begin(&mut self, key: &'static str) {
        self.open();
        self.out.push(b'"');
        self.out.extend_from_slice(key.as_bytes());
        self.out.push(b'"');
    }

    pub(super) fn close(&mut self) {
        self.out.push(b']');
    }

    /// Writes `[key, value…]`, or nothing if there is no value. White space in the values is folded.
    pub(super) fn entry(&mut self, key: &'static str, values: impl IntoIterator<Item = impl AsRef<str>>) {
        self.values(key, values, |out, value| out.text(value));
    }

    /// Writes `[key, value…]` with values that are folded already.
    pub(super) fn exact(&mut self, key: &'static str, values: impl IntoIterator<Item = impl AsRef<str>>) {
        self.values(key, values, |out, value| {
            out.comma();
            out.out.push(b'"');
            out.word(value);
            out.out.push(b'"');
        });
    }

    fn values(
        &mut self,
        key: &'static str,
        values: impl IntoIterator<Item = impl AsRef<str>>,
        mut put: impl FnMut(&mut Self, &str),
    ) {
        let mut values = values.into_iter().peekable();
        if values.peek().is_none() {
            return;
        }
        self.begin(key);
        values.for_each(|value| put(self, value.as_ref()));
        self.close();
    }

    /// Writes `[key, number…]`, or nothing if there is no number.
    pub(super) fn numbers(&mut self, key: &'static str, numbers: impl IntoIterator<Item = u32>) {
        let mut numbers = numbers.into_iter().peekable();
        if numbers.peek().is_none() {
            return;
        }
        self.begin(key);
        for number in numbers {
            self.comma();
            self.out.extend_from_slice(number.to_string().as_bytes());
        }
        self.close();
    }

    /// Writes a string with each run of white space folded to one space and the ends trimmed.
    pub(super) fn text(&mut self, text: &str) {
        self.comma();
        self.out.push(b'"');
        if is_written_as_it_is(text.as_bytes()) {
            self.out.extend_from_slice(text.as_bytes());
            self.out.push(b'"');
            return;
        }
        for (index, word) in text.split_whitespace().enumerate() {
            if index > 0 {
                self.out.push(b' ');
            }
            self.word(word);
        }
        self.out.push(b'"');
    }

    fn comma(&mut self) {
        if !matches!(self.out.last(), None | Some(b'[')) {
            self.out.push(b',');
        }
    }

    fn word(&mut self, word: &str) {
        if classes(word.as_bytes()) & ESCAPED == 0 {
            self.out.extend_from_slice(word.as_bytes());
            return;
        }
        let mut copied = 0;
        for (at, byte) in word.bytes().enumerate() {
            if CLASSES[usize::from(byte)] & ESCAPED == 0 {
                continue;
            }
            self.out.extend_from_slice(&word.as_bytes()[copied..at]);
            copied = at + 1;
            match byte {
                b'"' => self.out.extend_from_slice(b"\\\""),
                b'\\' => self.out.extend_from_slice(b"\\\\"),
                0x08 => self.out.extend_from_slice(b"\\b"),
                b'\t' => self.out.extend_from_slice(b"\\t"),
                0x0c => self.out.extend_from_slice(b"\\f"),
                b'\r' => self.out.extend_from_slice(b"\\r"),
                // A line contains no line feed, so there is no short escape for it.
                _ => self.out.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
            }
        }
        self.out.extend_from_slice(&word.as_bytes()[copied..]);
    }
}

/// The class of each byte. Most texts need no folding or escaping, and a hook scans all texts of a plan: one look-up per byte.
const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b' ' => SPACE,
            ..0x20 | b'"' | b'\\' => ESCAPED,
            0x7f.. => WIDE,
            _ => 0,
        };
        byte += 1;
    }
    classes
};
const SPACE: u8 = 1;
/// A byte that must be escaped.
const ESCAPED: u8 = 2;
/// A byte that may be part of white space outside ASCII.
const WIDE: u8 = 4;
/// A space at either end, or after another space.
const GAP: u8 = 8;

/// Returns all classes in a text, and [`GAP`] if it applies.
fn classes(text: &[u8]) -> u8 {
    let (all, last) = text.iter().fold((0, SPACE), |(all, last), byte| {
        let class = CLASSES[usize::from(*byte)];
        (all | class | ((class & last & SPACE) * GAP), class)
    });
    all | ((last & SPACE) * GAP)
}

/// Whether a text is ASCII with nothing to fold and nothing to escape.
fn is_written_as_it_is(text: &[u8]) -> bool {
    text.is_empty() || classes(text) & (ESCAPED | WIDE | GAP) == 0
}

#[cfg(test)]
mod tests {
    use super::Canonical;

    #[test]
    fn a_text_is_written_as_serde_json_writes_it() {
        for text in
            ["", "a", "a b", "~ p95 < 50ms", "\"q\" \\ ü\u{1f600}", "\u{8}\u{0}\u{1f}\u{7f}\u{9f}x", "</plan>", "a/b"]
        {
            let mut out = Canonical::default();
            out.text(text);
            assert_eq!(out.into_string(), serde_json::to_string(text).unwrap());
        }
    }

    #[test]
    fn what_is_exact_is_written_as_serde_json_writes_it() {
        for text in ["a  b\t\r\u{c}", "\u{b}\u{85}\u{a0} "] {
            let mut out = Canonical::default();
            out.exact("k", [text]);
            assert_eq!(out.into_string(), serde_json::to_string(&["k", text]).unwrap());
        }
    }

    #[test]
    fn white_space_is_folded() {
        let mut out = Canonical::default();
        out.text(" a \t b\u{a0}\u{2003}c\r\n");
        assert_eq!(out.into_string(), "\"a b c\"");
        for (text, folded) in [("", ""), (" ", ""), (" a", "a"), ("a ", "a"), ("a  b", "a b"), ("a b  ", "a b")] {
            let mut out = Canonical::default();
            out.text(text);
            assert_eq!(out.into_string(), format!("\"{folded}\""));
        }
    }

    #[test]
    fn commas_stand_between_parts_only() {
        let mut out = Canonical::default();
        out.open();
        out.entry("a", ["x", "y"]);
        out.entry("none", None::<&str>);
        out.numbers("n", [1, 2]);
        out.open();
        out.close();
        out.close();
        assert_eq!(out.into_string(), r#"[["a","x","y"],["n",1,2],[]]"#);
    }
}
