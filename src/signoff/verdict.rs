//! Reads a judge's answer and decides the outcome. Pure: bytes in, outcome out (`SIGNOFF.md` §5, the verdict).
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

/// The maximum number of bytes of an answer.
pub const MAX_ANSWER: usize = 4 << 20;

/// The questions to a judge: how many criteria (`C1`…) and failure modes (`F1`…).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Questions {
    /// Number of criteria.
    pub criteria: usize,
    /// Number of failure modes.
    pub failure_modes: usize,
}

impl Questions {
    fn has(self, id: Id) -> bool {
        match id {
            Id::Criterion(number) => (1..=self.criteria).contains(&number),
            Id::FailureMode(number) => (1..=self.failure_modes).contains(&number),
        }
    }

    /// Returns the id of every question that was asked, criteria first.
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
    /// Reads `C1` or `F12`, with the letter in any case; no leading zero, no sign.
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

    /// Returns the words for an answer that holds.
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
    /// The question.
    pub id: Id,
    /// Whether it is met or ruled out.
    pub holds: bool,
    /// The citation if it holds, or else what is missing. One line.
    pub text: String,
}

/// The last word of a judge's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// `accept`
    Accept,
    /// `reject`
    Reject,
}

/// A complete answer: its frame is correct. Its content may still be nothing to accept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgeAnswer {
    /// The content of the probe file, as the judge read it.
    pub probe: String,
    /// Answers to the questions, each id at most once, in the order given.
    pub lines: Vec<VerdictLine>,
    /// The things that the judge found missing; empty for `none`.
    pub missing: Vec<String>,
    /// Remarks. They never decide.
    pub notes: Vec<String>,
    /// The judge's own word.
    pub verdict: Word,
}

/// The form in which a judge was asked to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Lines from `SIGNOFF[nonce]` to `VERDICT[nonce]: …`, or only the object.
    Text,
    /// One JSON object as [`SCHEMA`] describes it.
    Json,
}

/// Reads an answer. `nonce` is the nonce of this run.
///
/// # Errors
/// The bytes are no complete answer of this run, and nothing in them counts. The error is one line with the reason. The run is
/// inconclusive, and worth one more try.
pub fn parse(bytes: &[u8], form: Form, nonce: &str, asked: Questions) -> Result<JudgeAnswer, String> {
    let text = text::clean(bytes)?;
    match (form, text::object(&text)) {
        (Form::Text, None) => text::parse(&text, nonce, asked),
        // A local model that follows the schema answers with the object on a program's standard output, too.
        (Form::Text, Some(object)) => json::parse(&object, nonce, asked),
        (Form::Json, _) => json::parse(&text, nonce, asked),
    }
}

/// Adds an answer, unless its id was not asked.
///
/// # Errors
/// The id is already answered.
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

/// Returns the beginning of a text, as one line.
fn excerpt(text: &str) -> String {
    one_line(text).chars().take(60).collect()
}
