//! What a judge's answer says, and what follows from it. Pure: bytes in, outcome out (`SIGNOFF.md` §5, the verdict).
//!
//! A judge does not decide. It answers for each criterion and each failure mode, with citations; [`outcome()`] decides.

pub(crate) mod form;
mod json;
mod outcome;
mod text;

#[cfg(test)]
mod tests;

use std::fmt;

use super::sanitize::one_line;
pub use json::SCHEMA;
pub use outcome::{CitationCheck, Outcome, outcome};

/// The most bytes an answer may have.
pub const MAX_ANSWER: usize = 4 << 20;

/// What a judge was asked: how many criteria (`C1`…) and failure modes (`F1`…).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Questions {
    /// Number of criteria.
    pub criteria: usize,
    /// Number of failure modes.
    pub failure_modes: usize,
}

impl Questions {
    /// Whether an id was asked.
    fn has(self, id: Id) -> bool {
        match id {
            Id::Criterion(number) => (1..=self.criteria).contains(&number),
            Id::FailureMode(number) => (1..=self.failure_modes).contains(&number),
        }
    }

    /// Every id that was asked, criteria first.
    pub fn ids(self) -> impl Iterator<Item = Id> {
        let criteria = (1..=self.criteria).map(Id::Criterion);
        criteria.chain((1..=self.failure_modes).map(Id::FailureMode))
    }
}

/// The name of one question, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Id {
    /// `C1`
    Criterion(usize),
    /// `F1`
    FailureMode(usize),
}

impl Id {
    /// Reads `C1` or `F12`, the letter in any case; no leading zero, no sign.
    fn read(word: &str) -> Option<Self> {
        let (letter, digits) = word.split_at_checked(1)?;
        if digits.starts_with('0') || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let number = digits.parse().ok()?;
        match letter {
            "C" | "c" => Some(Id::Criterion(number)),
            "F" | "f" => Some(Id::FailureMode(number)),
            _ => None,
        }
    }
}

impl Id {
    /// What says that it holds.
    const fn yes(self) -> &'static str {
        match self {
            Id::Criterion(_) => "met",
            Id::FailureMode(_) => "ruled out",
        }
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Id::Criterion(number) => write!(f, "C{number}"),
            Id::FailureMode(number) => write!(f, "F{number}"),
        }
    }
}

/// The judge's answer to one question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerdictLine {
    /// Which question.
    pub id: Id,
    /// Met, or ruled out.
    pub holds: bool,
    /// The citation where it holds, else what is missing. One line.
    pub text: String,
}

/// The word a judge ends with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// `accept`
    Accept,
    /// `reject`
    Reject,
}

/// A whole answer: its frame is as it must be. What it says may still be nothing to accept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgeAnswer {
    /// What the judge read in the probe file.
    pub probe: String,
    /// Answers to what was asked, each id at most once, in the order given.
    pub lines: Vec<VerdictLine>,
    /// What the judge misses; empty for `none`.
    pub missing: Vec<String>,
    /// Remarks. They never decide.
    pub notes: Vec<String>,
    /// The judge's own word.
    pub verdict: Word,
}

/// The form in which a judge was asked to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Lines from `SIGNOFF[nonce]` to `VERDICT[nonce]: …`, or the object and nothing else.
    Text,
    /// One JSON object as [`SCHEMA`] describes it.
    Json,
}

/// Reads an answer. `nonce` is that of this run.
///
/// # Errors
/// The bytes are no whole answer of this run, and nothing in them counts: one line that says why. It is inconclusive, and worth one more
/// try.
pub fn parse(bytes: &[u8], form: Form, nonce: &str, asked: Questions) -> Result<JudgeAnswer, String> {
    let text = text::clean(bytes)?;
    match (form, text::object(&text)) {
        (Form::Text, None) => text::parse(&text, nonce, asked),
        // A local model that is held to the schema answers so on a program's standard output, too.
        (Form::Text, Some(object)) => json::parse(&object, nonce, asked),
        (Form::Json, _) => json::parse(&text, nonce, asked),
    }
}

/// One answer more, unless its id was not asked.
///
/// # Errors
/// The id is answered already.
fn add(lines: &mut Vec<VerdictLine>, asked: Questions, line: VerdictLine) -> Result<(), String> {
    if !asked.has(line.id) {
        return Ok(());
    }
    if lines.iter().any(|earlier| earlier.id == line.id) {
        return Err(twice(&line.id.to_string()));
    }
    lines.push(line);
    Ok(())
}

const NO_BLOCK: &str = "no `SIGNOFF[…]` line with the nonce of this run";
const NO_PROBE: &str = "no `probe:` line in the answer";

fn twice(what: &str) -> String {
    format!("`{what}` is answered twice")
}

fn not_a_word(found: &str) -> String {
    format!("the verdict is `{}`; expected `accept` or `reject`", excerpt(found))
}

/// The first words of what stands there.
fn excerpt(text: &str) -> String {
    one_line(text).chars().take(60).collect()
}
