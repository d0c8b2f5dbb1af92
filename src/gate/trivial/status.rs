//! Decides whether a script discards the exit status of its commands: `… || true`, `…; echo done`, `… | tail`.

use super::{TrivialReason, reason};
use crate::shell::list::{AndOr, CommandList, Join, Pipeline, PipelineCommand, read};

/// How the shell treats failures.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::gate) struct ShellOptions {
    /// `-e`: a failure ends the script.
    pub(super) errexit: bool,
    /// `pipefail`: a pipeline fails if any part of it does.
    pub(super) pipefail: bool,
}

impl ShellOptions {
    /// Reads the letters of an option word, and the name that follows `-o`.
    pub(super) fn take(&mut self, word: &str, next: Option<&str>) {
        if word.starts_with("--") || !word.starts_with('-') {
            return;
        }
        self.errexit |= word.contains('e');
        if word.contains('o') {
            self.errexit |= next == Some("errexit");
            self.pipefail |= next == Some("pipefail");
        }
    }
}

/// Whether the script always exits 0, whatever its commands return. False if it is not understood.
pub(super) fn is_thrown_away(script: &str, options: ShellOptions) -> bool {
    let Some(list) = read(script) else { return false };
    let mut reading = StatusReader { options, stops: false };
    let can_fail = reading.list(&list);
    !can_fail && !reading.stops
}

struct StatusReader {
    options: ShellOptions,
    /// Whether a command may end the script with its own status.
    stops: bool,
}

impl StatusReader {
    /// Whether the last command may have a status other than 0.
    fn list(&mut self, list: &CommandList) -> bool {
        let mut last = false;
        for and_or in &list.0 {
            last = self.and_or(and_or);
            // With `-e`, an earlier failure ends the script.
            self.stops |= last && self.options.errexit;
        }
        last
    }

    fn and_or(&mut self, and_or: &AndOr) -> bool {
        let mut can_fail = self.pipeline(&and_or.first);
        for (join, next) in &and_or.rest {
            let next = self.pipeline(next);
            can_fail = match join {
                Join::And => can_fail || next,
                Join::Or => can_fail && next,
            };
        }
        can_fail && !and_or.background
    }

    fn pipeline(&mut self, pipeline: &Pipeline) -> bool {
        let piped = pipeline.parts.len() > 1;
        let mut any = false;
        let mut last = false;
        for (index, part) in pipeline.parts.iter().enumerate() {
            last = match part {
                PipelineCommand::Simple(words) => self.simple(words, index > 0),
                PipelineCommand::Group(list) => self.list(list),
            };
            any |= last;
        }
        let can_fail = if piped && self.options.pipefail { any } else { last };
        can_fail || pipeline.negated
    }

    fn simple(&mut self, words: &[String], fed: bool) -> bool {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words.as_slice() {
            ["exit" | "return", "0"] => return false,
            ["exit" | "return" | "exec" | "eval" | "." | "source" | "trap" | "kill", ..] => {
                self.stops = true;
                return true;
            }
            ["set", options @ ..] => {
                for (index, option) in options.iter().enumerate() {
                    self.options.take(option, options.get(index + 1).copied());
                }
                return false;
            }
            _ => {}
        }
        if fed && is_filter(&words) {
            return false;
        }
        // A command that only looks may fail, and an assignment has the status of its substitution.
        !matches!(reason(&words), Some(TrivialReason::CannotFail | TrivialReason::NothingToRun))
    }
}

/// Whether the program only passes its input on and reads no file that could be missing.
fn is_filter(words: &[&str]) -> bool {
    let Some((program, args)) = words.split_first() else { return false };
    let options_only = args.iter().all(|arg| arg.starts_with('-') || arg.parse::<u64>().is_ok());
    match *program {
        "tee" => true,
        "cat" | "head" | "tail" | "sort" | "uniq" | "wc" | "nl" | "tac" | "rev" | "less" | "more" | "column"
        | "fold" | "ts" => options_only,
        "tr" | "cut" => true,
        "sed" => !args.iter().any(|arg| arg.contains(['q', 'Q'])) && args.len() <= 2,
        _ => false,
    }
}
