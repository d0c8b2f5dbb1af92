//! Reads the different forms in which models say the same: list markers, emphasis, case, quotation marks (`SIGNOFF.md` §5, the verdict).
//!
//! Nothing here decides. An answer is read as *met* only if it says so in these very words. A hedged answer is not read at all,
//! and a question without an answer is asked once more.

use super::{Id, Word};

/// Whether a character is emphasis in Markdown.
pub(super) fn is_decoration(c: char) -> bool {
    matches!(c, '*' | '_' | '`')
}

/// Returns a line without white space and emphasis around it.
pub(super) fn bare(line: &str) -> &str {
    line.trim_matches(|c: char| c.is_whitespace() || is_decoration(c))
}

/// Removes the marks of a list item or a heading. A quotation stays a quotation, because its text is what others said.
pub(super) fn unlisted(line: &str) -> &str {
    let mut line = line.trim();
    loop {
        let heading = line.trim_start_matches('#');
        let rest = match line.split_once(char::is_whitespace) {
            Some(("-" | "+" | "*" | "•" | "[x]", rest)) => rest,
            Some((number, rest)) if is_numbered(number) => rest,
            _ if heading.len() < line.len() => heading,
            _ => return line,
        };
        line = rest.trim_start();
    }
}

/// `1.`, `2)`
fn is_numbered(word: &str) -> bool {
    let digits = word.strip_suffix(['.', ')']).unwrap_or_default();
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the text after `WORD[nonce]` at the start of a line. The word may be in any case; the nonce must be exact.
pub(super) fn framed<'t>(line: &'t str, word: &str, nonce: &str) -> Option<&'t str> {
    let line = bare(unlisted(bare(line)));
    let (head, rest) = line.split_at_checked(word.len())?;
    let rest = rest.trim_start_matches(is_decoration).trim_start().strip_prefix('[')?;
    let rest = rest.strip_prefix(nonce)?.strip_prefix(']')?;
    head.eq_ignore_ascii_case(word).then_some(rest)
}

/// Removes emphasis, quotation marks or brackets around a value, and a full stop after it.
pub(super) fn value(text: &str) -> &str {
    text.trim_matches(|c: char| {
        c.is_whitespace() || is_decoration(c) || matches!(c, '"' | '\'' | '“' | '”' | '‘' | '’' | '<' | '>' | '.' | '!')
    })
}

/// Reads `accept` or `reject`, alone.
pub(super) fn word(text: &str) -> Option<Word> {
    let text = value(text);
    match () {
        () if text.eq_ignore_ascii_case("accept") => Some(Word::Accept),
        () if text.eq_ignore_ascii_case("reject") => Some(Word::Reject),
        () => None,
    }
}

/// Whether an entry of `missing` says that nothing is missing.
pub(super) fn says_none(text: &str) -> bool {
    const NONE: [&str; 9] =
        ["", "n/a", "na", "nil", "none", "none missing", "nothing", "nothing is missing", "nothing missing"];
    let inner = text.trim_matches(|c: char| !c.is_alphanumeric());
    NONE.iter().any(|none| inner.eq_ignore_ascii_case(none))
}

/// Whether an entry of `missing` begins as if nothing were missing, and goes on: `none, all is there`, `none - but no load test`.
pub(super) fn hedges(text: &str) -> bool {
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '/').unwrap_or(text.len());
    let (first, rest) = text.split_at(end);
    let rest = rest.trim_start();
    let begins = ["none", "nothing", "n/a"].iter().any(|none| first.eq_ignore_ascii_case(none));
    begins && !rest.starts_with(char::is_alphanumeric) && !says_none(text)
}

/// Reads the answer to a question at the start of a line: `C1 met: …`, `C1: met …`, `F1 is ruled out - …`. Returns its id,
/// whether it holds, and the text after it; `None` for any other words.
pub(super) fn answer(line: &str) -> Option<(Id, bool, &str)> {
    let emphasis = &line[..line.len() - line.trim_start_matches(is_decoration).len()];
    let line = line.trim_start_matches(|c: char| is_decoration(c) || matches!(c, '[' | '('));
    let end = line.char_indices().skip(1).find(|(_, c)| !c.is_ascii_digit()).map_or(line.len(), |(at, _)| at);
    let (id, rest) = line.split_at(end);
    let id = Id::read(id)?;
    // Characters between the id and its answer. A letter right after the number makes it another word.
    let joint = |c: char| {
        c.is_whitespace()
            || is_decoration(c)
            || matches!(c, ':' | '.' | ')' | ']' | '(' | '-' | '–' | '—' | '=' | '✓' | '✔' | '✅')
    };
    let words = rest.trim_start_matches(joint);
    if words.len() == rest.len() {
        return None;
    }
    let (holds, behind) = status(id, words)?;
    let text = behind.trim_start_matches(|c: char| is_decoration(c) || c == ')');
    let separated = text.trim_start().trim_start_matches([':', ',', '-', '–', '—', '=']);
    let is_apart = separated.len() < text.trim_start().len();
    // Without a separator, the text must begin like a citation: `C1 met partly …` is not an answer.
    let follows = text.is_empty() || is_apart || !holds || text.starts_with(char::is_whitespace) && is_place(text);
    // The mark that opened before the id may close after the colon.
    let separated = separated.strip_prefix(emphasis).unwrap_or(separated);
    follows.then(|| (id, holds, unwrapped(separated.trim())))
}

/// Returns the question of a line that mentions an answer but is none: `C1 is met except …`. Nobody can tell what it means.
pub(super) fn unclear(line: &str) -> Option<Id> {
    let line = unlisted(line).trim_start_matches(|c: char| is_decoration(c) || matches!(c, '[' | '('));
    let end = line.char_indices().skip(1).find(|(_, c)| !c.is_ascii_digit()).map_or(line.len(), |(at, _)| at);
    let rest = line[end..].to_ascii_lowercase();
    let speaks = ["met", "ruled out", "ruled-out"].iter().any(|word| rest.contains(word))
        || rest.trim_start_matches(|c: char| !c.is_alphanumeric()).starts_with("not");
    Id::read(&line[..end]).filter(|_| speaks && !rest.starts_with(char::is_alphanumeric) && answer(line).is_none())
}

/// Reads `met`, `is not ruled out`, … at the start of `text`, and returns the rest too.
fn status(id: Id, text: &str) -> Option<(bool, &str)> {
    let text = skip(text, &["is", "was", "has been"]);
    let (no, text) = match skip(text, &["not"]) {
        same if same.len() == text.len() => (false, text),
        rest => (true, rest),
    };
    let words: &[&str] = match id {
        Id::Criterion(_) => &["met"],
        Id::FailureMode(_) => &["ruled out", "ruled-out"],
    };
    let rest = skip(text, words);
    if rest.len() < text.len() {
        return Some((!no, rest));
    }
    let rest = skip(text, &["unmet"]);
    (rest.len() < text.len() && !no && matches!(id, Id::Criterion(_))).then_some((false, rest))
}

/// Removes the first of `words` that `text` begins with, in any case, as a whole word. Otherwise returns `text` unchanged.
fn skip<'t>(text: &'t str, words: &[&str]) -> &'t str {
    let start = text.trim_start_matches(|c: char| c.is_whitespace() || is_decoration(c));
    let rest = words.iter().find_map(|word| {
        let (head, rest) = start.split_at_checked(word.len())?;
        (head.eq_ignore_ascii_case(word) && !rest.starts_with(|c: char| c.is_alphanumeric() || c == '\''))
            .then_some(rest)
    });
    rest.unwrap_or(text)
}

/// Whether the first word could begin a citation.
fn is_place(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default().trim_start_matches(['(', '`', '*']);
    let digits = first.split_once([':', '#']).map(|(_, line)| line.trim_start_matches('L'));
    let is_line = digits.is_some_and(|digits| digits.starts_with(|c: char| c.is_ascii_digit()));
    is_line || matches!(first.to_ascii_lowercase().as_str(), "check" | "gone" | "absent")
}

/// Removes the brackets around a citation.
fn unwrapped(text: &str) -> &str {
    text.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')).unwrap_or(text).trim()
}

/// Whether a line of a file reads as part of a verdict. Evidence contains measurements, and never a verdict.
pub(crate) fn reads_as_verdict(line: &str) -> bool {
    answer(unlisted(line)).is_some() || ["VERDICT", "SIGNOFF"].iter().any(|word| line.contains(word))
}

/// Whether a line claims that the work is good.
pub(crate) fn claims_verdict(line: &str) -> bool {
    const WORDS: [&str; 5] = ["verdict", "all criteria", "criteria are met", "criteria met", "approved by"];
    let lower = line.to_lowercase();
    reads_as_verdict(line) || WORDS.iter().any(|word| lower.contains(word))
}

/// Reads the state of an answer in an object. The text must contain nothing else.
pub(super) fn state(id: Id, text: &str) -> Option<bool> {
    let (holds, rest) = status(id, value(text))?;
    rest.trim().is_empty().then_some(holds)
}
