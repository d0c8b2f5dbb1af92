//! Text from a repository is hostile to a terminal: control characters never reach it.

use std::borrow::Cow;

use crate::plan::text::is_hidden;

/// `text` with line breaks and tabs kept and every other control or direction-changing character replaced by `·`.
pub fn clean(text: &str) -> Cow<'_, str> {
    replace(text, |character| is_hostile(character) && !matches!(character, '\n' | '\t'))
}

/// The same for text that must stay on one line: line breaks are replaced too.
pub fn clean_line(text: &str) -> Cow<'_, str> {
    replace(text, is_hostile)
}

/// Escapes a JSON document so that it means the same and cannot drive a terminal: JSON itself leaves DEL, C1 and
/// characters that change the direction as they are.
pub(super) fn escape_json(document: &str) -> Cow<'_, str> {
    let hostile = |character: char| is_hostile(character) && character != '\n';
    if !contains(document, hostile) {
        return Cow::Borrowed(document);
    }
    let mut escaped = String::with_capacity(document.len());
    for character in document.chars() {
        if hostile(character) {
            // The character is in a string: outside of strings there is only ASCII.
            escaped.extend(character.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")));
        } else {
            escaped.push(character);
        }
    }
    Cow::Owned(escaped)
}

/// The maximum number of characters of a line in a message.
const WIDEST: usize = 1000;

/// Cuts each line of `text` that is far too long: a name in a message may be as long as its author liked.
pub(super) fn shorten(text: &str) -> Cow<'_, str> {
    if text.len() <= WIDEST {
        return Cow::Borrowed(text);
    }
    let cut = |line: &str| match line.char_indices().nth(WIDEST) {
        Some((at, _)) => format!("{}… ({} more bytes)", &line[..at], line.len() - at),
        None => line.to_owned(),
    };
    Cow::Owned(text.split('\n').map(cut).collect::<Vec<_>>().join("\n"))
}

fn replace(text: &str, hostile: impl Fn(char) -> bool) -> Cow<'_, str> {
    if is_plain(text) || !contains(text, &hostile) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(|character| if hostile(character) { '·' } else { character }).collect())
}

/// Returns whether the text is only printable ASCII. The loop has no early end, so that it looks at many bytes at a time.
fn is_plain(text: &str) -> bool {
    text.bytes().fold(0, |other, byte| other | u8::from(byte.wrapping_sub(b' ') > b'~' - b' ')) == 0
}

/// As `str::contains`, but decodes only the characters that are not printable ASCII.
fn contains(text: &str, hostile: impl Fn(char) -> bool) -> bool {
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| !matches!(byte, b' '..=b'~')) {
        let mut others = rest[at..].chars();
        if others.next().is_some_and(&hostile) {
            return true;
        }
        rest = others.as_str();
    }
    false
}

/// Returns true for control characters, and for characters that reorder or hide what a reader sees.
fn is_hostile(character: char) -> bool {
    character.is_control() || is_hidden(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_far_too_long_is_cut_at_a_character() {
        let long = format!("error: `{}`\n  help: short", "é".repeat(5000));
        let short = shorten(&long);
        assert_eq!(short.lines().next().unwrap().chars().filter(|c| *c == 'é').count(), WIDEST - 8);
        assert!(short.ends_with("… (8017 more bytes)\n  help: short"), "{short}");
        assert!(matches!(shorten("short"), Cow::Borrowed(_)));
    }

    #[test]
    fn escapes_do_not_survive() {
        assert_eq!(clean("a\u{1b}[31mb\r\nc\td\u{202e}"), "a·[31mb·\nc\td·");
        assert_eq!(clean_line("a\nb"), "a·b");
        let hostile = "a\u{7f}b\u{9b}c\u{202e}d\u{feff}é\u{e0041}";
        let document = serde_json::to_string_pretty(&[hostile]).unwrap();
        assert_eq!(escape_json(&document), "[\n  \"a\\u007fb\\u009bc\\u202ed\\ufeffé\\udb40\\udc41\"\n]");
        assert_eq!(serde_json::from_str::<[String; 1]>(&escape_json(&document)).unwrap(), [hostile]);
        assert!(matches!(clean("plain — text"), Cow::Borrowed(_)));
        for character in (0..=0xffff).chain(0xe0000..=0xe01ff).filter_map(char::from_u32) {
            let text = format!("a○{character} z");
            assert_eq!(clean_line(&text) != text, is_hostile(character), "{character:?}");
        }
    }
}
