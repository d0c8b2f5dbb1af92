//! Asks an agent that must answer without changing anything. An answer with faults is sent back to the agent, and the repository is
//! compared after each answer. The caller decides what to ask and how to read the answer: a draft of a plan, a planner's reply.

use std::path::Path;
use std::time::Duration;

use super::containment::Before;
use crate::error::{Error, Kind, Result};
use crate::plan::text::is_hidden;
use crate::signoff::judge::{JudgeQuestion, QuestionReply, Reference};
use crate::store::Place;
use crate::verify::watch::Watch;

/// The agent, and how to call it.
pub struct AgentCall<'a> {
    /// A host or a program.
    pub agent: &'a Reference,
    /// Where plan.md is, or will be.
    pub place: &'a Place,
    /// The folder that a program's relative path starts at.
    pub caller: &'a Path,
    /// The user's own text in place of the built-in prompt.
    pub template: Option<&'a str>,
    /// The time limit of each try.
    pub limit: Duration,
    /// Receives a note about each failed try, and about once a second how long the try has taken.
    pub watch: &'a dyn Watch,
}

impl<'a> AgentCall<'a> {
    /// Returns the plan's folder as the prompt shows it, because not every client works in that folder. If the path could end
    /// the line or the quotes around it, returns `.`.
    pub(super) fn shown_folder(&self) -> &'a str {
        let is_odd = |c: char| c.is_control() || is_hidden(c) || c == '`';
        self.place.root.to_str().filter(|path| !path.contains(is_odd)).unwrap_or(".")
    }

    /// Returns the question to the agent, which reads the plan's folder.
    pub(super) fn question<'q>(
        &'q self,
        role: &'q str,
        schema: &'q str,
        prompt: &'q dyn Fn(&str) -> Result<String>,
    ) -> JudgeQuestion<'q> {
        let AgentCall { agent: judge, place, caller, limit, watch, .. } = *self;
        let (top, root) = (place.top.as_deref().unwrap_or(&place.root), Some(place.root.as_path()));
        JudgeQuestion { judge, role, top, root, caller, schema, prompt, limit, watch }
    }
}

/// The maximum number of times to ask an agent.
pub(super) const TRIES: usize = 3;
/// The maximum number of findings about one answer in the next prompt.
const MOST_FINDINGS: usize = 40;

pub(super) struct ParsedAnswer<T> {
    /// Its text, for the next prompt; empty if the text must not be repeated.
    pub(super) text: String,
    /// Its content; `None` if it cannot be parsed, and then an error says why.
    pub(super) value: Option<T>,
    /// Faults that make the answer unusable.
    pub(super) errors: Vec<String>,
    /// Faults of an answer that can still be used.
    pub(super) warnings: Vec<String>,
}

/// An answer without errors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AcceptedAnswer<T> {
    /// Its content.
    pub value: T,
    /// How many times the agent was asked.
    pub tries: usize,
    /// The warnings that remain.
    pub warnings: Vec<String>,
    /// False without a repository; then it is unknown whether a file changed.
    pub is_compared: bool,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentFailure {
    /// No answer could be used.
    Bad {
        /// How many times the agent was asked.
        tries: usize,
        /// The errors in the last answer.
        errors: Vec<String>,
    },
    /// The agent gave no answer.
    Silent(String),
    /// The agent changed something.
    Changed(Vec<String>),
}

/// The result of asking an agent.
pub type AgentEnd<T> = std::result::Result<AcceptedAnswer<T>, AgentFailure>;

/// Asks at most [`TRIES`] times. `ask` receives the findings about the previous answer, or an empty text the first time.
///
/// # Errors
/// The errors of `ask` and `read`. Also if the repository cannot be read.
pub(super) fn rounds<T: Clone>(
    before: &Before<'_>,
    watch: &dyn Watch,
    ask: &dyn Fn(&str) -> Result<QuestionReply>,
    read: &dyn Fn(&[u8]) -> Result<ParsedAnswer<T>>,
) -> Result<AgentEnd<T>> {
    let (mut found_before, mut usable) = (String::new(), None);
    let (mut last_errors, mut tries) = (Vec::new(), 0);
    while tries < TRIES {
        tries += 1;
        let reply = ask(&found_before)?;
        let changed = before.changed()?;
        if !changed.is_empty() {
            return Ok(Err(AgentFailure::Changed(changed)));
        }
        let ParsedAnswer { text, value, errors, warnings } = match reply.said {
            Err(why) if !reply.may_retry || tries == TRIES => match usable {
                Some(_) => break,
                None => return Ok(Err(AgentFailure::Silent(why))),
            },
            Err(why) => {
                watch.note(&format!("try {tries} of {TRIES}: {why}; asking once more"));
                continue;
            }
            Ok(bytes) => read(&bytes)?,
        };
        let found = [errors.as_slice(), warnings.as_slice()].concat();
        last_errors = errors;
        if let Some(value) = value.filter(|_| last_errors.is_empty()) {
            usable = Some((value, warnings));
        }
        if found.is_empty() {
            break;
        }
        if tries < TRIES {
            watch.note(&format!("try {tries} of {TRIES}: {}; asking once more", summary(&found)));
            found_before = findings_prompt(&text, &found);
        }
    }
    Ok(match usable {
        Some((value, warnings)) => Ok(AcceptedAnswer { value, tries, warnings, is_compared: before.is_compared() }),
        None => Err(AgentFailure::Bad { tries, errors: last_errors }),
    })
}

/// Returns an answer and the findings about it, as text for the next prompt.
fn findings_prompt(answer: &str, found: &[String]) -> String {
    let mut text = String::new();
    if !answer.is_empty() {
        text += &format!("Your answer:\n\n{}\n\n", answer.trim_end());
    }
    text += "Found in your answer:\n";
    for finding in found.iter().take(MOST_FINDINGS) {
        text += &format!("- {finding}\n");
    }
    text
}

/// Returns the only finding, or `3 findings, the first: …`.
fn summary(findings: &[String]) -> String {
    let first = findings.first().map_or("", String::as_str).trim_end_matches([';', ' ']);
    match findings.len() {
        1 => first.to_owned(),
        count => format!("{count} findings, the first: {first}"),
    }
}

impl AgentFailure {
    /// Describes the failure in one line.
    pub fn brief(&self, agent: &Reference) -> String {
        match self {
            AgentFailure::Bad { tries, errors } => format!("{} ({tries} tries)", summary(errors)),
            AgentFailure::Silent(why) => why.clone(),
            AgentFailure::Changed(violations) => {
                let first = violations.first().map(String::as_str).unwrap_or_default();
                format!("`{agent}` changed something that it may only read: {first}")
            }
        }
    }

    /// Converts the failure into an error. `what` names the missing answer: `draft` or `reply`.
    pub fn error(&self, agent: &Reference, what: &str) -> Error {
        let lines = |all: &[String]| -> String { all.iter().map(|line| format!("\n  {line}")).collect() };
        match self {
            AgentFailure::Bad { tries, errors } => {
                let all = lines(errors);
                let message = format!(
                    "no {what}: {tries} answers of `{agent}` could not be used, and nothing was changed; the last one:{all}"
                );
                Error::new(Kind::No, message)
            }
            AgentFailure::Silent(why) => Error::new(Kind::Unknown, format!("no {what}: {why}"))
                .harmless()
                .hint("try again, or name another agent with `--with HOST[:MODEL]`"),
            AgentFailure::Changed(violations) => {
                let all = lines(violations);
                let message = format!(
                    "no {what}: while `{agent}` worked on it, what it may only read was changed, and `plan` wrote nothing:{all}"
                );
                Error::new(Kind::No, message).hint(
                    "`git status` and `git diff` show it; nothing was put back. If you made the changes, try again",
                )
            }
        }
    }
}
