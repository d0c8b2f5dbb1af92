//! Decides the outcome of an answer: `plan` decides, the judge only answers.

use super::form::hedges;
use super::{Id, JudgeAnswer, Questions, Word};

/// A citation that was looked up: `Err` says why it does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CitationCheck {
    /// The question whose answer contains it.
    pub id: Id,
    /// Whether it holds.
    pub result: Result<(), String>,
}

/// The outcome of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Every question is answered with proof, and nothing is missing.
    Accept,
    /// The judge says no, or says yes although something is missing or does not hold.
    Reject {
        /// The missing things; never empty.
        missing: Vec<String>,
    },
    /// There is no verdict.
    Inconclusive {
        /// The reason, in one line.
        why: String,
        /// Whether a second run may help.
        retry: bool,
    },
}

impl Outcome {
    /// `accept`, `reject` or `inconclusive`.
    pub const fn word(&self) -> &'static str {
        match self {
            Outcome::Accept => "accept",
            Outcome::Reject { .. } => "reject",
            Outcome::Inconclusive { .. } => "inconclusive",
        }
    }

    /// Returns what is missing, or why there is no verdict; empty for an accept.
    pub fn reasons(&self) -> Vec<String> {
        match self {
            Outcome::Accept => Vec::new(),
            Outcome::Reject { missing } => missing.clone(),
            Outcome::Inconclusive { why, .. } => vec![why.clone()],
        }
    }
}

/// Returns the outcome of an answer, given the probe's content and the looked-up citations of its met and ruled-out lines.
///
/// An answer with the wrong probe proves nothing, whatever it says, because its judge could not read.
pub fn outcome(answer: &JudgeAnswer, asked: Questions, probe: &str, checked: &[CitationCheck]) -> Outcome {
    if answer.probe != probe {
        let why = "the probe is wrong: the judge's tools read no file".to_owned();
        return Outcome::Inconclusive { why, retry: false };
    }
    let missing = shortfalls(answer);
    if !missing.is_empty() {
        return Outcome::Reject { missing };
    }
    let mut problems: Vec<String> = answer.missing.iter().map(|text| unclear(text)).collect();
    match answer.verdict {
        Word::Accept => problems.extend(unproven(answer, asked, checked)),
        // A `reject` without a reason is no rejection, because nobody could act on it.
        Word::Reject => problems.push(REJECTS_NOTHING.to_owned()),
    }
    match problems.is_empty() {
        true => Outcome::Accept,
        false => Outcome::Inconclusive { why: problems.join("; "), retry: true },
    }
}

const REJECTS_NOTHING: &str = "the verdict is reject, and the answers name nothing that is not met, not ruled out or missing: \
     say what is missing, or accept";

fn unclear(text: &str) -> String {
    let text: String = text.chars().take(120).collect();
    format!("`missing: {text}` is not clear; expected `missing: none`, or one thing that is missing")
}

/// Returns what the judge found missing: its own list, or else the questions that are not met or not ruled out.
fn shortfalls(answer: &JudgeAnswer) -> Vec<String> {
    let missing: Vec<String> = answer.missing.iter().filter(|text| !hedges(text)).cloned().collect();
    if !missing.is_empty() {
        return missing;
    }
    let failed = answer.lines.iter().filter(|line| !line.holds);
    failed.map(|line| format!("{} not {}: {}", line.id, line.id.yes(), line.text)).collect()
}

/// Returns what an accept leaves unanswered or unproven.
fn unproven(answer: &JudgeAnswer, asked: Questions, checked: &[CitationCheck]) -> Vec<String> {
    let mut problems = Vec::new();
    for id in asked.ids() {
        if !answer.lines.iter().any(|line| line.id == id) {
            problems.push(format!("{id} is not answered"));
            continue;
        }
        let mut results = checked.iter().filter(|checked| checked.id == id).peekable();
        if results.peek().is_none() {
            problems.push(format!("{id} cites nothing"));
        }
        problems.extend(
            results.filter_map(|checked| checked.result.as_ref().err().map(|why| format!("{id} does not hold: {why}"))),
        );
    }
    problems
}
