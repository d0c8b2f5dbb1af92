//! What the log says about goals (`CLI.md`, log lines that `plan` writes; `SIGNOFF.md` §8).

mod look;

use std::collections::HashMap;

use super::signed::SignOff;
use crate::plan::contract::Digests;
use crate::plan::model::{GoalRef, Plan, Status};
use crate::plan::text::is_hidden;

/// A log line about a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Said<'t> {
    /// The goal's id.
    pub id: &'t str,
    /// What happened to it.
    pub what: What<'t>,
}

/// What a log line says. A contract is the first 12 hex digits of its digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What<'t> {
    /// `added (contract …)`
    Added(&'t str),
    /// `started (contract …, …)`
    Started(&'t str),
    /// `amended (…; contract … -> …)`: the new one.
    Amended(&'t str),
    /// `signed off (…, contract …, …)`
    SignedOff(&'t str),
    /// `rejected (…): …`
    Rejected,
    /// `inconclusive (…): …`
    Inconclusive,
    /// `reopened (…)`
    Reopened,
    /// `cancelled: …`
    Cancelled,
}

impl<'t> What<'t> {
    /// The contract that the line names.
    pub fn contract(self) -> Option<&'t str> {
        match self {
            What::Added(contract) | What::Started(contract) | What::Amended(contract) | What::SignedOff(contract) => {
                Some(contract)
            }
            What::Rejected | What::Inconclusive | What::Reopened | What::Cancelled => None,
        }
    }

    /// Whether the line has a say in whether the goal is signed off.
    const fn counts(self) -> bool {
        !matches!(self, What::Inconclusive | What::Cancelled)
    }
}

/// How a goal stands with the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The last line that counts is a sign-off for the contract that stands.
    SignedOff,
    /// The last line that counts is a sign-off, but for another contract.
    OtherContract,
    /// Something else.
    NotSignedOff,
}

/// The last line about each goal, read once so that many goals can be asked about.
pub struct Record<'a> {
    last: HashMap<&'a str, Last<'a>>,
}

#[derive(Clone, Copy, Default)]
struct Last<'a> {
    what: Option<What<'a>>,
    contract: Option<&'a str>,
    callers: bool,
    own_prompt: bool,
}

/// How a judge is marked in the log that the caller chose and the user did not (`SIGNOFF.md` §6).
pub(super) const CALLERS: &str = " (named by caller)";
/// How one is marked that was asked with another prompt than the built-in one.
pub(super) const OWN_PROMPT: &str = " (own prompt)";

impl<'a> Record<'a> {
    /// Reads the log above the archive.
    pub fn new(plan: &Plan<'a>) -> Self {
        let mut last: HashMap<&'a str, Last<'a>> = HashMap::new();
        for (text, said) in plan.log_lines().filter_map(|(_, text)| Some((text, read_line(text)?))) {
            let entry = last.entry(said.id).or_default();
            if said.what.counts() {
                entry.what = Some(said.what);
                entry.callers = matches!(said.what, What::SignedOff(_)) && text.contains(CALLERS);
                entry.own_prompt = matches!(said.what, What::SignedOff(_)) && text.contains(OWN_PROMPT);
            }
            entry.contract = said.what.contract().or(entry.contract);
        }
        Record { last }
    }

    /// How a goal stands, whatever its status. `digests` is only a buffer, shared by many calls.
    pub fn standing(&self, goal: GoalRef<'_, '_>, digests: &mut Digests) -> Standing {
        match self.last(goal).what {
            Some(What::SignedOff(contract)) if digests.of(goal).is_short(contract) => Standing::SignedOff,
            Some(What::SignedOff(_)) => Standing::OtherContract,
            _ => Standing::NotSignedOff,
        }
    }

    /// Whether the last line that counts is a sign-off by a judge that its caller had named.
    pub fn is_callers(&self, goal: GoalRef<'_, '_>) -> bool {
        self.last(goal).callers
    }

    /// Whether the last line that counts is a sign-off by a judge that was asked with another prompt.
    pub fn is_own_prompt(&self, goal: GoalRef<'_, '_>) -> bool {
        self.last(goal).own_prompt
    }

    /// The contract that was logged last for a goal, whatever was said.
    pub fn contract(&self, goal: GoalRef<'_, '_>) -> Option<&'a str> {
        self.last(goal).contract
    }

    /// The done goals above the archive that are not signed off, in file order, with how they stand (P-52).
    pub fn unsigned<'p>(&self, plan: &'p Plan<'a>) -> Vec<(GoalRef<'p, 'a>, Standing)> {
        let mut digests = Digests::default();
        plan.live_goals()
            .filter(|goal| goal.status() == Status::Done)
            .map(|goal| (goal, self.standing(goal, &mut digests)))
            .filter(|(_, standing)| *standing != Standing::SignedOff)
            .collect()
    }

    fn last(&self, goal: GoalRef<'_, '_>) -> Last<'a> {
        goal.id().and_then(|id| self.last.get(id)).copied().unwrap_or_default()
    }
}

/// What a log text says about a goal, where it has exactly the shape that `plan` writes.
pub fn read_line(text: &str) -> Option<Said<'_>> {
    let (id, rest) = text.split_once(' ')?;
    if !id.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-')) {
        return None;
    }
    let what = match rest.as_bytes().first()? {
        b'a' => match rest.strip_prefix("added (contract ") {
            Some(rest) => What::Added(digest(rest.strip_suffix(')')?)?),
            None => amended(rest)?,
        },
        b's' => match rest.strip_prefix("started (contract ") {
            Some(rest) => What::Started(digest(rest.split_once(',')?.0)?),
            None => What::SignedOff(digest(SignOff::read(text)?.1.contract)?),
        },
        b'r' if REJECTED.iter().any(|start| rest.starts_with(start)) => What::Rejected,
        b'r' if rest.starts_with("reopened (") => What::Reopened,
        b'i' if rest.starts_with("inconclusive (") => What::Inconclusive,
        b'c' if rest.starts_with("cancelled:") => What::Cancelled,
        _ => return None,
    };
    Some(Said { id, what })
}

fn amended(rest: &str) -> Option<What<'_>> {
    let (_, digests) = rest.strip_prefix("amended (")?.strip_suffix(')')?.rsplit_once("; contract ")?;
    let (_, new) = digests.split_once(" -> ")?;
    Some(What::Amended(digest(new)?))
}

fn digest(text: &str) -> Option<&str> {
    let hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    (text.len() == 12 && text.bytes().all(hex)).then_some(text)
}

/// True for a text that reads, to a person or to [`read_line`], as a line that `plan` itself writes: `plan log` refuses it
/// (`SIGNOFF.md` §8). Wider than what is read: case, white space, invisible characters, emphasis, letters that look like
/// others and a stamp in front make no difference.
pub fn is_plan_line(text: &str) -> bool {
    looks(text, reads_as_plan_line) || read_line(text).is_some()
}

/// True for a text that a person takes for a sign-off, and that [`read_line`] does not read as one: nothing of `plan` wrote
/// it, or it was changed since.
pub fn looks_signed_off(text: &str) -> bool {
    let reads = |words: &[&str]| words.split_first().is_some_and(|(_, rest)| ends_as_signed_off(&rest.join(" ")));
    looks(text, reads) && !matches!(read_line(text), Some(Said { what: What::SignedOff(_), .. }))
}

/// Asks `reads` about the words of a text as a person sees them, with and without a stamp in front.
fn looks(text: &str, reads: impl Fn(&[&str]) -> bool) -> bool {
    let plain: String = text.chars().filter(|c| !is_decoration(*c)).map(look::plain).collect();
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
        "plan" if begins(&["approved by "]) => true,
        "edit" if begins(&["proposed:", "rejected:"]) => true,
        "paused:" => true,
        "rewound" if begins(&["to step "]) => true,
        _ => begins(&GOAL_LINES) || ends_as_signed_off(&rest),
    }
}

/// `2026-06-15` or `14:33`
fn is_stamp(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b':' | b'.' | b't' | b'z'))
}

/// What follows the id where a goal was rejected.
const REJECTED: [&str; 3] = ["rejected (verify", "rejected (gate", "rejected (oracle"];

/// What follows the id in the lines about goals.
const GOAL_LINES: [&str; 11] = [
    "added (contract",
    "started (contract",
    "amended (loosened",
    "amended (tightened",
    "amended (reworded",
    REJECTED[0],
    REJECTED[1],
    REJECTED[2],
    "inconclusive (",
    "reopened (",
    "cancelled:",
];

fn ends_as_signed_off(rest: &str) -> bool {
    rest.strip_prefix("signed off").is_some_and(|after| !after.trim_start().starts_with(|c: char| c.is_alphanumeric()))
}

fn is_step_line(rest: &str) -> bool {
    let Some((name, said)) = rest.split_once(' ') else { return false };
    let named = name.contains('.') || name.bytes().all(|byte| byte.is_ascii_digit());
    named && ["complete:", "failed:", "skipped:", "retried:"].iter().any(|word| said.starts_with(word))
}

/// Emphasis, escapes, accents and characters that nobody sees. Separators of lines are white space here.
fn is_decoration(c: char) -> bool {
    matches!(c, '*' | '`' | '\\' | '~' | '\u{300}'..='\u{36f}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
        || is_hidden(c) && !c.is_whitespace()
}
