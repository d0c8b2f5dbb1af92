//! Findings about the log: it is one section, and its lines begin with a stamp (`FORMAT.md`, log).

use super::Findings;
use crate::plan::model::{LogSection, Plan, Span};

pub(super) fn check(plan: &Plan<'_>, found: &mut Findings) {
    let live: Vec<&LogSection> = plan.logs.iter().filter(|log| !log.archived).collect();
    if let Some((last, others)) = live.split_last() {
        let line = plan.line_of(last.heading.start as usize);
        for other in others {
            found.note(
                "several-logs",
                other.heading,
                format!("there is another log in line {line}, and new lines go there"),
                "bring them together in one section",
            );
        }
    }
    for log in live {
        lines(plan, log, found);
    }
}

fn lines(plan: &Plan<'_>, log: &LogSection, found: &mut Findings) {
    let mut known =
        plan.log[log.lines.start as usize..log.lines.end as usize].iter().map(|line| line.line.start).peekable();
    let mut at = log.body.start as usize;
    for line in plan.source[log.body.range()].split_inclusive(|byte| *byte == b'\n') {
        let start = at;
        at += line.len();
        if known.next_if_eq(&(start as u32)).is_some() {
            continue;
        }
        let text = line.trim_ascii();
        let bare = text.strip_prefix(b"- ").or_else(|| text.strip_prefix(b"* ")).unwrap_or(text).trim_ascii_start();
        if is_nearly_stamped(bare) {
            let from = start + (line.len() - line.trim_ascii_start().len());
            found.warning(
                "log-stamp",
                Span::new(from..from + text.len()),
                "this does not read as a log line: expected `- YYYY-MM-DD HH:MM  text`",
                "write the stamp with two digits each, or use `plan log`",
            );
        }
    }
}

/// Whether a text begins with something like a date: four digits, a separator and a digit.
fn is_nearly_stamped(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"[").or_else(|| text.strip_prefix(b"**")).unwrap_or(text);
    match text {
        [a, b, c, d, b'-' | b'/' | b'.', e, ..] => [a, b, c, d, e].iter().all(|byte| byte.is_ascii_digit()),
        _ => false,
    }
}
