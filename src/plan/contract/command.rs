//! Command lines in a contract: `verify`, `(check: …)`, `(run: …)`. White space inside quotes is significant there.

use std::borrow::Cow;

use crate::plan::model::check_of;

/// The quoting state of a character in a command line, by the POSIX rules.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Plain,
    /// After a backslash, which was inside this quote.
    Escaped(Quote),
    In(Quote),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Quote {
    None,
    Single,
    Double,
}

/// Returns each character of a line, and whether it is quoted or escaped; quotes and backslashes count as quoted.
fn characters(line: &str) -> impl Iterator<Item = (usize, char, bool)> + '_ {
    let mut state = State::Plain;
    line.char_indices().map(move |(at, c)| {
        let before = state;
        state = match (state, c) {
            (State::Escaped(Quote::Double), _) => State::In(Quote::Double),
            (State::Escaped(_), _) => State::Plain,
            (State::Plain, '\'') => State::In(Quote::Single),
            (State::Plain, '"') => State::In(Quote::Double),
            (State::Plain, '\\') => State::Escaped(Quote::None),
            (State::In(Quote::Single), '\'') | (State::In(Quote::Double), '"') => State::Plain,
            (State::In(Quote::Double), '\\') => State::Escaped(Quote::Double),
            (other, _) => other,
        };
        (at, c, before != State::Plain || state != State::Plain)
    })
}

/// Folds each run of blanks outside quotes to one space and trims the ends. The line still runs the same command; quoted and
/// escaped text stays as it is.
pub(in crate::plan) fn folded_command(line: &str) -> Cow<'_, str> {
    let line = line.trim_matches([' ', '\t']);
    if !has_run(line) && !line.contains('\t') {
        return Cow::Borrowed(line);
    }
    let mut out = String::with_capacity(line.len());
    let mut is_blank = false;
    for (_, c, quoted) in characters(line) {
        if !quoted && matches!(c, ' ' | '\t') {
            is_blank = true;
            continue;
        }
        if std::mem::take(&mut is_blank) {
            out.push(' ');
        }
        out.push(c);
    }
    Cow::Owned(out)
}

/// Whether the text contains two spaces in a row. For two bytes, setting up a substring search would take longer than this loop.
fn has_run(text: &str) -> bool {
    text.as_bytes().windows(2).any(|pair| pair == b"  ")
}

/// Folds each run of white space to one space and trims the ends.
pub(in crate::plan) fn folded(text: &str) -> Cow<'_, str> {
    let is_folded = text.bytes().all(|byte| matches!(byte, b' '..=b'~')) && !has_run(text) && text.trim() == text;
    if is_folded { Cow::Borrowed(text) } else { Cow::Owned(text.split_whitespace().collect::<Vec<_>>().join(" ")) }
}

/// Folds a failure mode: its text as a text, its check as a command.
pub(in crate::plan) fn folded_mode(text: &str) -> Cow<'_, str> {
    let Some(command) = check_of(text) else { return folded(text) };
    let (front, check, end) = (&text[..command.start], &text[command.clone()], &text[command.end..]);
    let space = |is_there: bool| if is_there { " " } else { "" };
    let before = space(front.ends_with(char::is_whitespace));
    let after = space(end.starts_with(char::is_whitespace));
    Cow::Owned([&*folded(front), before, &folded_command(check), after, end.trim()].concat())
}

/// Returns the folded commands of a line, split at each `&&` outside quotes.
pub(super) fn commands(line: &str) -> Vec<Cow<'_, str>> {
    let mut parts = Vec::new();
    let (mut from, mut last) = (0, None);
    for (at, c, quoted) in characters(line) {
        let is_and = c == '&' && !quoted;
        if is_and && last == Some(at) {
            parts.push(folded_command(&line[from..at - 1]));
            (from, last) = (at + 1, None);
        } else {
            last = is_and.then_some(at + 1);
        }
    }
    parts.push(folded_command(&line[from..]));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    // P-12
    #[test]
    fn blanks_are_folded_outside_quotes_alone() {
        for (line, expected) in [
            ("  make\t  test  ", "make test"),
            ("grep -q 'a  b'   f", "grep -q 'a  b' f"),
            ("grep -q \"a\t b\"  f", "grep -q \"a\t b\" f"),
            (r#"echo "a \"  b"   c"#, r#"echo "a \"  b" c"#),
            (r"echo a\  b   c", r"echo a\  b c"),
            (r"echo '\'  b", r"echo '\' b"),
            ("echo \"it's  so\"  it's  so", "echo \"it's  so\" it's  so"),
            ("echo a\u{a0}b  c", "echo a\u{a0}b c"),
        ] {
            assert_eq!(folded_command(line), expected);
            assert_eq!(folded_command(expected), expected, "folded again");
        }
    }

    #[test]
    fn a_check_in_a_failure_mode_is_a_command_and_the_rest_is_text() {
        for (text, expected) in [
            ("it's  slow\u{a0} (check:  grep  -q 'a  b'  f )", "it's slow (check: grep -q 'a  b' f )"),
            ("it's  slow  (check:make)", "it's slow (check:make)"),
            ("it's  slow", "it's slow"),
            ("a  (check: )", "a (check: )"),
        ] {
            assert_eq!(folded_mode(text), expected);
        }
    }

    #[test]
    fn a_line_is_cut_at_the_ands_that_are_not_quoted() {
        assert_eq!(commands("make  a&&  make b && sh -c 'x && y'"), ["make a", "make b", "sh -c 'x && y'"]);
        assert_eq!(commands(r"echo a\&& b"), [r"echo a\&& b"]);
        assert_eq!(commands("make"), ["make"]);
    }
}
