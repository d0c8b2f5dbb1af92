//! The questions that a key asks before its command runs. The command is on the screen while the user types.

use super::line_edit::LineEdit;
use crate::shell::quote;
use crate::shell::strict::split;

/// A question and the text typed so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Prompt {
    pub(super) kind: PromptKind,
    pub(super) line: LineEdit,
    /// The problem with the answer.
    pub(super) trouble: Option<String>,
}

/// A command to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Job {
    /// The words after `plan`.
    pub(super) words: Vec<String>,
    /// The goal that the command signs off.
    pub(super) signs_off: Option<String>,
}

impl Job {
    pub(super) fn new<'w>(words: impl IntoIterator<Item = &'w str>) -> Self {
        Job { words: words.into_iter().map(str::to_owned).collect(), signs_off: None }
    }

    /// The command line as a user would type it.
    pub(super) fn shown(&self) -> String {
        self.words.iter().fold("plan".to_owned(), |line, word| format!("{line} {}", quote(word)))
    }
}

/// The kind of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PromptKind {
    /// The text to find in a subject or id.
    Find,
    /// A line of the log.
    Log,
    /// The outcome of a step.
    Outcome {
        /// Its name on the command line.
        step: String,
    },
    /// The evidence for a goal.
    Evidence {
        /// Its name on the command line.
        goal: String,
    },
    /// The paths of the evidence.
    Paths {
        /// Its name on the command line.
        goal: String,
        /// The evidence.
        evidence: String,
    },
    /// The confirmation of a command that needs no text.
    Confirm(Job),
}

/// The action after an answer.
#[derive(Debug)]
pub(super) enum PromptAnswer {
    /// Asks the next question.
    Next(Prompt),
    /// Searches for this text.
    Find(String),
    /// Runs this command.
    Run(Job),
}

impl Prompt {
    pub(super) fn new(kind: PromptKind) -> Self {
        Prompt { kind, line: LineEdit::default(), trouble: None }
    }

    /// The label before the answer.
    pub(super) fn label(&self) -> String {
        match &self.kind {
            PromptKind::Find => "find".to_owned(),
            PromptKind::Log => "log line".to_owned(),
            PromptKind::Outcome { step } => format!("outcome of step {step}"),
            PromptKind::Evidence { .. } => "evidence, in one line".to_owned(),
            PromptKind::Paths { .. } => "paths to look at, may be empty".to_owned(),
            PromptKind::Confirm(_) => "enter runs it, esc leaves".to_owned(),
        }
    }

    /// Whether the question takes text.
    pub(super) fn takes_text(&self) -> bool {
        !matches!(self.kind, PromptKind::Confirm(_))
    }

    /// The command line with the text typed so far; `…` for missing words.
    pub(super) fn command(&self) -> Option<String> {
        let typed = self.line.text();
        let shown = |text: &str| if text.trim().is_empty() { "\"…\"".to_owned() } else { quote(text.trim()) };
        let text = |words: &str| Some(format!("{words} {}", shown(typed)));
        match &self.kind {
            PromptKind::Find => None,
            PromptKind::Log => text("plan log"),
            PromptKind::Outcome { step } => text(&format!("plan step done {}", quote(step))),
            PromptKind::Evidence { goal } => text(&format!("plan complete {} --evidence", quote(goal))),
            PromptKind::Paths { goal, evidence } => {
                let paths = if typed.trim().is_empty() { String::new() } else { format!(" --path {}", typed.trim()) };
                Some(format!("{}{paths}", complete(goal, evidence, &[]).shown()))
            }
            PromptKind::Confirm(job) => Some(job.shown()),
        }
    }

    /// The action after the answer. If the answer is not accepted, `None`, and the prompt shows why.
    pub(super) fn answer(&mut self) -> Option<PromptAnswer> {
        let typed = self.line.text().trim().to_owned();
        let needed = |typed: String| Some(typed).filter(|typed| !typed.is_empty());
        let found = match &self.kind {
            PromptKind::Find => return Some(PromptAnswer::Find(typed)),
            PromptKind::Log => needed(typed).map(|text| job(&["log"], &[&text])),
            PromptKind::Outcome { step } => needed(typed).map(|text| job(&["step", "done", step], &[&text])),
            PromptKind::Evidence { goal } => {
                return Some(PromptAnswer::Next(Prompt::new(PromptKind::Paths {
                    goal: goal.clone(),
                    evidence: typed,
                })));
            }
            PromptKind::Paths { goal, evidence } => match paths(&typed) {
                Ok(paths) => Some(complete(goal, evidence, &paths)),
                Err(why) => {
                    self.trouble = Some(why);
                    return None;
                }
            },
            PromptKind::Confirm(job) => Some(job.clone()),
        };
        if found.is_none() {
            self.trouble = Some("a few words are needed; esc leaves".to_owned());
        }
        found.map(PromptAnswer::Run)
    }
}

/// A command followed by text that may begin with `-`.
fn job(words: &[&str], text: &[&str]) -> Job {
    let dashes = text.iter().any(|text| text.starts_with('-')).then_some("--");
    Job::new(words.iter().copied().chain(dashes).chain(text.iter().copied()))
}

/// The command for a sign-off.
fn complete(goal: &str, evidence: &str, paths: &[String]) -> Job {
    let mut words = vec!["complete", goal];
    if !evidence.is_empty() {
        words.extend(["--evidence", evidence]);
    }
    paths.iter().for_each(|path| words.extend(["--path", path]));
    Job { signs_off: Some(goal.to_owned()), ..Job::new(words) }
}

/// Splits paths as a shell would.
fn paths(typed: &str) -> Result<Vec<String>, String> {
    if typed.is_empty() {
        return Ok(Vec::new());
    }
    // A program's name goes first, so that shell keywords are plain words.
    let sequence = split(&format!("look {typed}")).map_err(|error| error.to_string())?;
    Ok(sequence.argvs().concat().into_iter().skip(1).map(str::to_owned).collect())
}
