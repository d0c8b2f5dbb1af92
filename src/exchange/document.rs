//! A JSON document with its value and the facts that only its text shows: the place of each part, and the keys that occur twice in one
//! object, which a parser drops silently.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use serde_json::Value;

use super::walk::Violation;
use crate::plan::parse::BOM;
use crate::plan::snippet;

/// A valid JSON document.
#[derive(Debug)]
pub struct JsonDocument {
    /// The value; if a key occurs twice, the last value counts.
    pub value: Value,
    /// The keys that occur twice in one object, each with line and column.
    pub repeated: Vec<Violation>,
    /// The first byte of each part, by the part's JSON pointer, down to [`DEPTH`].
    places: HashMap<String, usize>,
}

/// Deeper parts have no recorded place: `/user_stories/0/acceptance_criteria/1` has four words.
const DEPTH: usize = 4;

impl JsonDocument {
    /// Reads JSON. `noun` names the items of a list by the list's key, for the error about a document that ends inside the list.
    ///
    /// # Errors
    /// Line, column and the reason, if it is not JSON.
    pub fn read(source: &[u8], noun: fn(&str) -> &'static str) -> Result<Self, Violation> {
        let skipped = if source.starts_with(BOM) { BOM.len() } else { 0 };
        let text = std::str::from_utf8(&source[skipped..]).map_err(|error| {
            let at = skipped + error.valid_up_to();
            Violation::new(place(source, at), "a byte that is not UTF-8")
        })?;
        let value = serde_json::from_str(text);
        let mut outline = Outline::default();
        outline.read(text);
        let found = |at: &usize| place(source, skipped + at);
        match value {
            Ok(value) => {
                let twice =
                    |(key, at): &(String, usize)| Violation::new(found(at), format!("`{key}` twice in one object"));
                let repeated = outline.repeated.iter().map(twice).collect();
                let places = outline.places.into_iter().map(|(pointer, at)| (pointer, skipped + at)).collect();
                Ok(JsonDocument { value, repeated, places })
            }
            Err(error) if error.is_eof() => {
                let what = format!("end of file where {} is expected", outline.expected(noun));
                Err(Violation::new(found(&text.len()), what))
            }
            Err(error) => Err(Violation::syntax("", &error)),
        }
    }

    /// Returns the first byte of the part that a JSON pointer names.
    pub fn offset(&self, pointer: &str) -> Option<usize> {
        self.places.get(pointer).copied()
    }
}

fn place(source: &[u8], at: usize) -> String {
    let (line, column) = snippet::place(source, at);
    format!("{line}:{column}")
}

/// An object or list that is open.
#[derive(Debug)]
struct Container {
    /// Its keys so far; `None` for a list.
    keys: Option<HashSet<String>>,
    /// The key of the next or of the last value.
    key: String,
    /// The number of its values that have ended.
    items: usize,
    /// True directly after a value: a comma or the end comes next.
    is_after_value: bool,
}

/// The structure of a document without its values, as far as the text goes. It reports no syntax errors: the parser has done that.
#[derive(Debug, Default)]
struct Outline {
    open: Vec<Container>,
    repeated: Vec<(String, usize)>,
    places: HashMap<String, usize>,
    is_in_text: bool,
}

impl Outline {
    fn read(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some(byte) = bytes.get(at) {
            let start = at;
            at += 1;
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' | b':' => {}
                b',' => self.open.last_mut().into_iter().for_each(|container| container.is_after_value = false),
                b'{' | b'[' => {
                    self.begin(start);
                    let keys = (*byte == b'{').then(HashSet::new);
                    self.open.push(Container { keys, key: String::new(), items: 0, is_after_value: false });
                }
                b'}' | b']' => {
                    self.open.pop();
                    self.end();
                }
                b'"' => {
                    let Some(length) = text_length(&bytes[at..]) else {
                        self.is_in_text = true;
                        return;
                    };
                    at += length;
                    self.text(text, start..at);
                }
                _ => {
                    self.begin(start);
                    let is_over = |byte: &u8| matches!(byte, b',' | b']' | b'}' | b' ' | b'\t' | b'\r' | b'\n');
                    at += bytes[at..].iter().position(is_over).unwrap_or(bytes.len() - at);
                    self.end();
                }
            }
        }
    }

    /// Handles a text: a key if one is expected, else a value.
    fn text(&mut self, text: &str, range: Range<usize>) {
        if let Some(Container { keys: Some(keys), key, is_after_value: false, .. }) = self.open.last_mut()
            && text[range.end..].trim_start().starts_with(':')
        {
            let name: String = serde_json::from_str(&text[range.clone()]).unwrap_or_default();
            if !keys.insert(name.clone()) {
                self.repeated.push((name.clone(), range.start));
            }
            *key = name;
            return;
        }
        self.begin(range.start);
        self.end();
    }

    /// Records the place of a value that begins.
    fn begin(&mut self, at: usize) {
        if self.open.len() <= DEPTH {
            let words = self.open.iter().map(|container| match container.keys {
                Some(_) => format!("/{}", container.key),
                None => format!("/{}", container.items),
            });
            self.places.insert(words.collect(), at);
        }
    }

    fn end(&mut self) {
        if let Some(container) = self.open.last_mut() {
            container.is_after_value = true;
            container.items += 1;
        }
    }

    /// Names the token that would come next.
    fn expected(&self, noun: fn(&str) -> &'static str) -> String {
        if self.is_in_text {
            return "the rest of a text".to_owned();
        }
        match self.open.last() {
            None => "a value".to_owned(),
            Some(Container { keys: Some(_), is_after_value: true, .. }) => "`,` or `}`".to_owned(),
            Some(Container { keys: Some(_), .. }) => "a key, a value or `}`".to_owned(),
            Some(Container { is_after_value: true, .. }) => "`,` or `]`".to_owned(),
            Some(_) => {
                let list = self.open.len().checked_sub(2).and_then(|at| self.open.get(at));
                format!("{} or `]`", list.map_or("a value", |parent| noun(&parent.key)))
            }
        }
    }
}

/// The length of a text behind its opening quote, with the closing quote; `None` if the text is cut off.
fn text_length(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        match bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::JsonDocument;

    fn read(text: &str) -> Vec<String> {
        let noun = |key: &str| if key == "stories" { "a story" } else { "a value" };
        match JsonDocument::read(text.as_bytes(), noun) {
            Ok(document) => document.repeated.iter().map(ToString::to_string).collect(),
            Err(violation) => vec![violation.to_string()],
        }
    }

    #[test]
    fn a_key_twice_in_one_object_is_found_wherever_it_stands() {
        for (text, found) in [
            (r#"{"a": 1, "a": 2}"#, &["1:10 `a` twice in one object"][..]),
            (
                "{\"a\": {\"b\": 1,\n \"c\": [{}, {\"b\": 1, \"\\u0062\": 2}]}, \"b\": 3}",
                &["2:21 `b` twice in one object"],
            ),
            (r#"{"a": "a", "b": ["a", "a"], "c": {"a": "\",\"a\":"}}"#, &[]),
            (r#"[{"a": 1}, {"a": 1}]"#, &[]),
            ("{\"é\": 1, \"é\": 2, \"é\": 3}", &["1:10 `é` twice in one object", "1:18 `é` twice in one object"]),
            ("\u{feff}{\"a\": 1, \"a\": 2}", &["1:10 `a` twice in one object"]),
        ] {
            assert_eq!(read(text), found, "{text}");
        }
    }

    #[test]
    fn a_document_that_is_cut_off_says_what_would_come() {
        for (text, expected) in [
            ("", "1:1 end of file where a value is expected"),
            ("{\"stories\": [\n", "2:1 end of file where a story or `]` is expected"),
            ("{\"other\": [", "1:12 end of file where a value or `]` is expected"),
            ("{\"stories\": [{}", "1:16 end of file where `,` or `]` is expected"),
            ("{\"a\": 1", "1:8 end of file where `,` or `}` is expected"),
            ("{", "1:2 end of file where a key, a value or `}` is expected"),
            ("{\"a\": \"é", "1:9 end of file where the rest of a text is expected"),
        ] {
            assert_eq!(read(text), [expected], "{text}");
        }
        assert_eq!(read("{\"a\": 1,}"), ["1:9 trailing comma"]);
        assert_eq!(read("{\"a\": 1} x"), ["1:10 trailing characters"]);
        assert_eq!(read("{\"a\": \0}"), ["1:7 expected value"]);
        assert!(read(&"[".repeat(1000))[0].contains("recursion limit"), "{:?}", read(&"[".repeat(1000)));
    }

    #[test]
    fn parts_have_a_place() {
        let document = JsonDocument::read(b"\xef\xbb\xbf{\"l\": [1, {\"x\": [2]},\n \"t\"]}", |_| "").unwrap();
        let places = ["", "/l", "/l/0", "/l/1", "/l/1/x", "/l/1/x/0", "/l/2", "/x"].map(|at| document.offset(at));
        assert_eq!(places, [Some(3), Some(9), Some(10), Some(13), Some(19), Some(20), Some(26), None]);
    }
}
