//! The input of a reader: texts with their paths, and the errors that name a place in them.

use crate::error::Error;
use crate::shell::quote;

/// A file of the other program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// The path that messages print.
    pub path: String,
    /// The text.
    pub text: String,
}

impl SourceFile {
    /// Creates a file.
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        SourceFile { path: path.into(), text: text.into() }
    }

    /// The last part of its path.
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }

    /// The folder of the file, without a slash at its end; empty if the path has no folder.
    pub fn folder(&self) -> &str {
        self.path.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// Returns an error about `place`: a line, a line and column, or a JSON pointer.
    pub fn error(&self, place: impl std::fmt::Display, what: impl std::fmt::Display) -> Error {
        Error::input(format!("{}:{place}: {what}", self.path)).harmless()
    }

    /// Returns the error for a file that is not in the expected format. It names the format that the file looks like.
    pub fn wrong_format_error(&self, expected: &str) -> Error {
        let error = Error::input(format!("{}: expected {expected}", self.path)).harmless();
        let Some((what, _)) = looks_like(&self.text) else {
            return error.hint("`plan import --help` names the formats");
        };
        let error = Error { message: format!("{}; it looks like {what}", error.message), ..error };
        let command = import_command(&self.path, &self.text);
        error.hint(command.unwrap_or_else(|| "copy plan.md itself: it has everything".to_owned()))
    }

    /// True if the text looks like the format of another reader, or like an export of `plan` itself.
    pub fn is_other_than(&self, name: &str) -> bool {
        looks_like(&self.text).is_some_and(|(_, other)| other != name)
    }
}

/// Returns the command that imports a file, or `None` if its text does not show which program wrote it.
pub fn import_command(path: &str, text: &str) -> Option<String> {
    let (_, name) = looks_like(text).filter(|(_, name)| *name != OWN_EXPORT)?;
    Some(format!("plan import {name} {}", quote(path)))
}

/// The caller's options for a reader.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// The tag of Task Master; `None` means the current tag.
    pub tag: Option<String>,
    /// Today's date, such as `2026-06-15`: the name of a plan that has no other.
    pub date: String,
}

/// Stands in for a reader's name: no reader takes an export of `plan` itself.
const OWN_EXPORT: &str = "";

/// Guesses the format of a text: returns its description and the name of its reader.
fn looks_like(text: &str) -> Option<(&'static str, &'static str)> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let has = |words: &[&str]| words.iter().all(|word| text.contains(word));
    if text.starts_with(['{', '[']) {
        return Some(match () {
            () if has(&["\"goals\"", "\"contract\"", "\"archived\""]) => ("what `plan export json` writes", OWN_EXPORT),
            () if has(&["\"user_stories\""]) => ("a prd.json of user stories", "prd"),
            () if has(&["\"issue_type\""]) || has(&["\"_type\""]) => ("an export of beads", "beads"),
            () if has(&["\"uuid\"", "\"entry\""]) => ("an export of Taskwarrior", "taskwarrior"),
            () if has(&["\"tasks\"", "\"title\""]) => ("the tasks.json of Task Master", "taskmaster"),
            () if has(&["\"number\"", "\"title\""]) => ("a list of GitHub issues", "github"),
            () if has(&["\"tasks\"", "\"subject\""]) => ("the JSON of `plan import json`", "json"),
            () if has(&["\"steps\""]) || has(&["\"mode\""]) => ("a planner's JSON", "planner"),
            () => return None,
        });
    }
    let line = |begin: &str| text.lines().any(|line| line.starts_with(begin));
    Some(match () {
        () if line("# Task Plan:") => ("a plan of planning-with-files", "planning-with-files"),
        () if line("# Tasks:") && has(&["## Phase"]) => ("a tasks.md of spec-kit", "speckit"),
        () if text.starts_with("---") && line("id:") && line("status:") => ("a task of Backlog.md", "backlog"),
        () if has(&["- [ ]"]) || has(&["- [x]"]) => ("a checklist", "markdown"),
        () => return None,
    })
}
