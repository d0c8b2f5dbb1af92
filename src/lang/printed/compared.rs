//! Finds the values that the message of a failed assertion shows.

/// The maximum size of a value, in bytes. Longer values are left out.
const LONGEST: usize = 200;
/// Words before a value: `got 100, want 90`.
const WORDS: [&str; 4] = ["got", "want", "wanted", "expected"];
/// Words that also occur in sentences, so that a sign must follow: `expected: 90`, ` right: 90`.
const SIGNED: [&str; 4] = ["expected", "actual", "left", "right"];

/// Returns both sides of an equality, or the values after words such as `got`, without saying which one was expected.
pub(super) fn values(message: &str) -> Vec<String> {
    let text = message.trim();
    let text = text.strip_prefix("AssertionError:").unwrap_or(text).trim();
    let text = text.strip_prefix("assert ").unwrap_or(text);
    let sides = [" !== ", " != ", " == "].iter().find_map(|sign| text.split_once(sign));
    let found: Vec<&str> = match sides {
        Some((left, right)) => vec![left, right.split(" : ").next().unwrap_or(right)],
        None => named(text),
    };
    let found = found.into_iter().map(|value| value.trim().trim_end_matches([',', ';']));
    found.filter(|value| !value.is_empty() && value.len() <= LONGEST).map(str::to_owned).collect()
}

/// Returns the value after each such word, up to a comma.
fn named(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices(|c: char| c.is_alphabetic()) {
        if text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_') {
            continue;
        }
        let rest = &text[at..];
        let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
        let value = rest[end..].trim_start_matches([':', '=', ' ']);
        let is = |names: &[&str]| names.iter().any(|name| rest[..end].eq_ignore_ascii_case(name));
        let is_literal = value.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '"' | '\'' | '`'));
        let is_signed = rest[end..].trim_start().starts_with([':', '=']);
        if is(&SIGNED) && is_signed || is(&WORDS) && (is_signed || is_literal) {
            found.push(until_comma(value));
        }
    }
    found
}

/// Returns a quoted text, or everything up to a comma, a semicolon or a bracket.
fn until_comma(value: &str) -> &str {
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'));
    if let Some(end) = quote.and_then(|quote| value[1..].find(quote)) {
        return &value[..end + 2];
    }
    value.split([',', ';', ')']).next().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    // P-5
    #[test]
    fn a_message_shows_what_was_compared() {
        for (message, shown) in [
            ("AssertionError: 'IIII' != 'IV'", vec!["'IIII'", "'IV'"]),
            ("AssertionError: 100 != 90 : of 100", vec!["100", "90"]),
            ("       assert 100 == 90", vec!["100", "90"]),
            ("AssertionError: assert 'a b' == 'A B'", vec!["'a b'", "'A B'"]),
            ("Off(1) = 100, want 90", vec!["90"]),
            ("got \"a, b\", want \"A, B\"", vec!["\"a, b\"", "\"A, B\""]),
            ("  left: \"IIII\"", vec!["\"IIII\""]),
            (" right: 90", vec!["90"]),
            ("expected: 90", vec!["90"]),
            ("100 !== 90", vec!["100", "90"]),
        ] {
            assert_eq!(values(message), shown, "{message}");
        }
        for message in [
            "AssertionError", "AssertionError: unwanted 5", "wants", "+ actual - expected",
            "Expected values to be equal", "",
        ] {
            assert!(values(message).is_empty(), "{message}");
        }
    }
}
