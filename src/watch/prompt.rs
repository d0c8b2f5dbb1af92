//! What a key asks before its command runs. The command stands on the screen while it is typed.

use super::line_edit::LineEdit;
use crate::shell::quote;
use crate::shell::strict::split;

/// A question with what was typed so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Prompt {
    pub(super) kind: PromptKind,
    pub(super) line: LineEdit,
    /// What is wrong with the answer.
    pub(super) trouble: Option<String>,
}

/// A command to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Job {
    /// Behind `plan`.
    pub(super) words: Vec<String>,
    /// The goal that it signs off.
    pub(super) signs_off: Option<String>,
}

impl Job {
    pub(super) fn new<'w>(words: impl IntoIterator<Item = &'w str>) -> Self {
        Job { words: words.into_iter().map(str::to_owned).collect(), signs_off: None }
    }

    /// As a person would type it.
    pub(super) fn shown(&self) -> String {
        self.words.iter().fold("plan".to_owned(), |line, word| format!("{line} {}", quote(word)))
    }
}

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PromptKind {
    /// Text of a subject or an id.
    Find,
    /// A line of the log.
    Log,
    /// The outcome of a step.
    Outcome {
        /// As a command takes it.
        step: String,
    },
    /// What is claimed of a goal.
    Evidence {
        /// As a command takes it.
        goal: String,
    },
    /// Where to look.
    Paths {
        /// As a command takes it.
        goal: String,
        /// What is claimed.
        evidence: String,
    },
    /// Whether to run a command that needs no words.
    Confirm(Job),
}

/// What becomes of an answer.
#[derive(Debug)]
pub(super) enum PromptAnswer {
    /// The next question.
    Next(Prompt),
    /// This text is searched for.
    Find(String),
    /// This command is run.
    Run(Job),
}

impl Prompt {
    pub(super) fn new(kind: PromptKind) -> Self {
        Prompt { kind, line: LineEdit::default(), trouble: None }
    }

    /// What stands in front of the answer.
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

    /// Whether something can be typed.
    pub(super) fn takes_text(&self) -> bool {
        !matches!(self.kind, PromptKind::Confirm(_))
    }

    /// The command line with what was typed so far; `…` where words are still to come.
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

    /// What an answer leads to; none where it cannot be taken, and why stands in the prompt.
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

/// A command with text behind it, which may begin with `-`.
fn job(words: &[&str], text: &[&str]) -> Job {
    let dashes = text.iter().any(|text| text.starts_with('-')).then_some("--");
    Job::new(words.iter().copied().chain(dashes).chain(text.iter().copied()))
}

/// A sign-off.
fn complete(goal: &str, evidence: &str, paths: &[String]) -> Job {
    let mut words = vec!["complete", goal];
    if !evidence.is_empty() {
        words.extend(["--evidence", evidence]);
    }
    paths.iter().for_each(|path| words.extend(["--path", path]));
    Job { signs_off: Some(goal.to_owned()), ..Job::new(words) }
}

/// Paths as a shell would read them.
fn paths(typed: &str) -> Result<Vec<String>, String> {
    if typed.is_empty() {
        return Ok(Vec::new());
    }
    // Behind a program, where a shell's own words are plain.
    let sequence = split(&format!("look {typed}")).map_err(|error| error.to_string())?;
    Ok(sequence.argvs().concat().into_iter().skip(1).map(str::to_owned).collect())
}
