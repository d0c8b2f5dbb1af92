//! Recognises texts that a user, or a judge, would take for a line written by `plan`.

use super::letters;
use super::{LogLine, SignOff};
use crate::plan::text::is_hidden;

/// True for a text that a user, or [`LogLine::parse`], reads as a line written by `plan`: `plan log` refuses it (`SIGNOFF.md` §8).
/// This covers more than the parser: case, white space, invisible characters, emphasis, look-alike letters and a leading stamp make
/// no difference.
pub fn is_plan_line(text: &str) -> bool {
    looks(text, reads_as_plan_line) || LogLine::parse(text).is_some()
}

/// True for a text that a user takes for a sign-off, but that [`LogLine::parse`] does not read as one: `plan` did not write it, or
/// it was changed since.
pub fn looks_signed_off(text: &str) -> bool {
    let reads = |words: &[&str]| words.split_first().is_some_and(|(_, rest)| ends_as_signed_off(&rest.join(" ")));
    looks(text, reads) && SignOff::read(text).is_none()
}

/// Calls `reads` with the words of a text as a user sees them, with and without a leading stamp.
fn looks(text: &str, reads: impl Fn(&[&str]) -> bool) -> bool {
    let plain: String = text.chars().filter(|c| !is_decoration(*c)).map(letters::plain).collect();
    let plain = plain.to_lowercase();
    let words: Vec<&str> = plain.split_whitespace().collect();
    let stamp = words.iter().take(2).take_while(|word| is_stamp(word)).count();
    (0..=stamp).any(|start| reads(&words[start..]))
}

fn reads_as_plan_line(words: &[&str]) -> bool {
    let Some((first, rest)) = words.split_first() else { return false };
    let rest = rest.join(" ");
    let begins = |starts: &[&str]| starts.iter().any(|start| rest.starts_with(start));
    match *first {
        "step" if is_step_line(&rest) => true,
        "plan" if begins(&["approved by ", "cleared:"]) => true,
        "edit" if begins(&["proposed:", "rejected:"]) => true,
        "paused:" => true,
        "rewound" if begins(&["to step "]) => true,
        "imported" if is_import(&rest) => true,
        _ => begins(&GOAL_LINES) || ends_as_signed_off(&rest),
    }
}

/// `2026-06-15` or `14:33`
fn is_stamp(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b':' | b'.' | b't' | b'z'))
}

/// The text after the id of a rejected goal.
const REJECTED: [&str; 3] = ["rejected (verify", "rejected (gate", "rejected (oracle"];

/// The text after the id in the lines about goals.
const GOAL_LINES: [&str; 12] = [
    "added (contract", "started (contract", "amended (loosened", "amended (tightened", "amended (reworded",
    "amended (rejected", REJECTED[0], REJECTED[1], REJECTED[2], "inconclusive (", "reopened (", "cancelled:",
];

fn ends_as_signed_off(rest: &str) -> bool {
    rest.strip_prefix("signed off").is_some_and(|after| !after.trim_start().starts_with(|c: char| c.is_alphanumeric()))
}

/// `3 goals from …`
fn is_import(rest: &str) -> bool {
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.starts_with(" goals from ") || rest.starts_with(" goal from ")
}

fn is_step_line(rest: &str) -> bool {
    let Some((name, said)) = rest.split_once(' ') else { return false };
    let named = name.contains('.') || name.bytes().all(|byte| byte.is_ascii_digit());
    named && ["complete:", "failed:", "skipped:", "retried:"].iter().any(|word| said.starts_with(word))
}

/// True for emphasis, escapes, accents and invisible characters. Line separators count as white space.
fn is_decoration(c: char) -> bool {
    matches!(c, '*' | '`' | '\\' | '~' | '\u{300}'..='\u{36f}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
        || is_hidden(c) && !c.is_whitespace()
}
