//! Reads log lines: the inverse of [`LogLine`]'s `Display`.

use super::proposal::is_step_name;
use super::{Amended, Approval, GoalEvent, LogLine, ProposedEdit, Rejecter, SignOff, StartLine, StepEnd};
use crate::plan::parse::is_id;

impl<'t> LogLine<'t> {
    /// Reads a log text that has exactly the form that `plan` writes.
    pub fn parse(text: &'t str) -> Option<Self> {
        let (first, rest) = text.split_once(' ')?;
        let own = match first {
            "step" => step(rest),
            "plan" => {
                approval(rest).or_else(|| Some(LogLine::Cleared { why: after_colon(rest.strip_prefix("cleared")?)? }))
            }
            "edit" => edit(rest),
            "rewound" => rewound(rest),
            "imported" => imported(rest),
            "paused:" => return Some(LogLine::Paused { reason: rest }),
            _ => None,
        };
        // A goal's id may be `step`, too.
        own.or_else(|| Some(LogLine::Goal { id: first, event: GoalEvent::parse(rest)? })).filter(|line| match line {
            LogLine::Goal { id, .. } => is_id(id.as_bytes()),
            _ => true,
        })
    }
}

impl<'t> GoalEvent<'t> {
    /// Reads the text after the id.
    fn parse(text: &'t str) -> Option<Self> {
        match text.as_bytes().first()? {
            b'a' => match text.strip_prefix("added (contract ") {
                Some(rest) => Some(GoalEvent::Added { contract: digest(rest.strip_suffix(')')?)? }),
                None => amended(text).map(GoalEvent::Amended),
            },
            b's' => match text.strip_prefix("started (contract ") {
                Some(rest) => started(rest).map(GoalEvent::Started),
                None => signed_off(text).map(GoalEvent::SignedOff),
            },
            b'r' => match text.strip_prefix("reopened (") {
                Some(rest) => Some(GoalEvent::Reopened { why: rest.strip_suffix(')')? }),
                None => rejected(text.strip_prefix("rejected (")?),
            },
            b'i' => {
                let (judge, why) = named(text.strip_prefix("inconclusive (oracle ")?)?;
                Some(GoalEvent::Inconclusive { judge, why })
            }
            b'c' => Some(GoalEvent::Cancelled { reason: after_colon(text.strip_prefix("cancelled")?)? }),
            _ => None,
        }
    }
}

/// Returns the text if it is 12 lower-case hex digits.
fn digest(text: &str) -> Option<&str> {
    let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    (text.len() == 12 && text.bytes().all(is_hex)).then_some(text)
}

/// Reads `: text`; without a text, the space is missing too.
fn after_colon(text: &str) -> Option<&str> {
    let rest = text.strip_prefix(':')?;
    if rest.is_empty() { Some("") } else { rest.strip_prefix(' ') }
}

/// Reads `name): text`. A judge's name can contain parentheses.
fn named(text: &str) -> Option<(&str, &str)> {
    text.split_once("): ").or_else(|| Some((text.strip_suffix("):")?, "")))
}

fn amended(text: &str) -> Option<Amended<'_>> {
    let (what, rest) = text.strip_prefix("amended (")?.split_once("; contract ")?;
    let (old, rest) = rest.split_once(" -> ")?;
    let (new, rest) = rest.split_once(')')?;
    let because = if rest.is_empty() { None } else { Some(rest.strip_prefix(" because ")?) };
    Some(Amended { what, old: digest(old)?, new: digest(new)?, because })
}

fn started(text: &str) -> Option<StartLine<'_>> {
    let (contract, rest) = text.strip_suffix(')')?.split_once(", at ")?;
    let (at, rest) = rest.split_once(", tree ")?;
    let (tree, verify) = rest.split_once(", verify ")?;
    Some(StartLine { contract: digest(contract)?, at, tree, verify })
}

/// Reads from both ends: the middle (a judge's name) is free text.
fn signed_off(text: &str) -> Option<SignOff<'_>> {
    let inner = text.strip_prefix("signed off (verify ")?.strip_suffix(')')?;
    let (before, at) = inner.rsplit_once(", at ")?;
    let (before, tree) = before.rsplit_once(", tree ")?;
    let (before, contract) = before.rsplit_once(", contract ")?;
    let (verify, before) = before.split_once(", gate ")?;
    let (gate, judges) = before.split_once(", oracle accept by ")?;
    Some(SignOff { verify, gate, judges, contract: digest(contract)?, tree, at })
}

fn rejected(text: &str) -> Option<GoalEvent<'_>> {
    let (kind, rest) = text.split_once(' ')?;
    let (name, why) = named(rest)?;
    let by = match kind {
        "verify" => Rejecter::Verify(name),
        "gate" => Rejecter::Gate(name),
        "oracle" => Rejecter::Oracle(name),
        _ => return None,
    };
    Some(GoalEvent::Rejected { by, why })
}

fn step(text: &str) -> Option<LogLine<'_>> {
    let (name, rest) = text.split_once(' ')?;
    let (word, _) = rest.split_once(':')?;
    let ends = [StepEnd::Complete, StepEnd::Failed, StepEnd::Skipped, StepEnd::Retried];
    let end = ends.into_iter().find(|end| end.word() == word)?;
    is_step_name(name).then_some(LogLine::Step { name, end, text: after_colon(&rest[word.len()..])? })
}

/// Reads a number in the exact form in which it is written.
fn number(text: &str) -> Option<u32> {
    text.parse().ok().filter(|number: &u32| number.to_string() == text)
}

fn edit(text: &str) -> Option<LogLine<'_>> {
    if let Some(rest) = text.strip_prefix("proposed: ") {
        return ProposedEdit::read(rest).map(|(edit, because)| LogLine::Proposed { edit, because });
    }
    let (why, contract) = text.strip_prefix("rejected: ")?.strip_suffix(')')?.rsplit_once(" (contract ")?;
    Some(LogLine::EditRejected { why, contract: digest(contract)? })
}

fn rewound(text: &str) -> Option<LogLine<'_>> {
    let (step, rest) = text.strip_prefix("to step ")?.split_once(" (checkpoint ")?;
    let (checkpoint, rest) = rest.split_once(", ")?;
    let (files, rest) = rest.split_once(' ')?;
    let files = number(files)?;
    let end = if files == 1 { "file: read it again)" } else { "files: read them again)" };
    let is_whole = is_step_name(step) && !step.contains(' ') && rest == end;
    is_whole.then_some(LogLine::Rewound { step, checkpoint: number(checkpoint)?, files })
}

fn imported(text: &str) -> Option<LogLine<'_>> {
    let (goals, rest) = text.split_once(' ')?;
    let goals = number(goals)?;
    let tool = rest.strip_prefix(if goals == 1 { "goal from " } else { "goals from " })?;
    Some(LogLine::Imported { goals, tool })
}

fn approval(text: &str) -> Option<LogLine<'_>> {
    let (name, rest) = text.strip_prefix("approved by ")?.split_once(" (contract ")?;
    let (name, way) = name.rsplit_once(" via ")?;
    let (inside, rest) = rest.split_once(')')?;
    let (contract, steps) = match inside.split_once(", steps to ") {
        Some((contract, steps)) => (contract, Some(number(steps)?)),
        None => (inside, None),
    };
    let note = if rest.is_empty() { None } else { Some(after_colon(rest)?) };
    Some(LogLine::Approved(Approval { name, way, contract: digest(contract)?, steps, note }))
}
