//! Stage 1: runs a goal's `verify` (`SIGNOFF.md` §2).

mod limits;
mod output;
mod report;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::time::Duration;

pub use limits::TimeLimits;
pub use report::{Ended, Report};

use super::running;
use super::watch::{Progress, Watch};
use crate::error::{Error, Kind, Result};
use crate::process::environment::Environment;
use crate::process::run::{End, Output, RunResult, Spec, Tail, run_with};
use crate::process::sandbox::Sandbox;
use crate::shell::strict::{self, Sequence, StrictCommand};

/// A command line that can be run without a shell.
#[derive(Clone, Debug)]
pub struct CommandLine {
    /// The line as in plan.md.
    pub text: String,
    /// Its programs.
    pub sequence: Sequence,
}

impl CommandLine {
    /// Reads a line.
    ///
    /// # Errors
    /// [`Kind::Input`], naming the character and its column.
    pub fn read(text: &str) -> Result<Self> {
        // The reason comes after the line, and a long line must not push it out of sight.
        let shown = crate::plan::text::cut(text, 200);
        let sequence = strict::split(text).map_err(|error| Error::input(format!("`{shown}`: {error}")))?;
        Ok(CommandLine { text: text.to_owned(), sequence })
    }
}

/// Where and how a line is run.
#[derive(Clone, Debug)]
pub struct RunContext<'p> {
    /// The plan's root.
    pub root: &'p Path,
    /// The path of the run logs, in an existing folder; the number of each program is added to it.
    pub log: Option<PathBuf>,
    /// The time limit of the whole line.
    pub limit: Duration,
}

/// Runs a line's programs in order, up to the first that fails.
///
/// # Errors
/// [`Kind::Interrupted`] on Ctrl-C, [`Kind::Refused`] inside itself. Everything else that a program does is in the report.
pub fn run(line: &CommandLine, context: &RunContext<'_>, watch: &dyn Watch) -> Result<Report> {
    run_in(line, context, Environment::without_git(), None, watch)
}

/// [`run`], but in the given environment, and in a sandbox if one is given.
///
/// # Errors
/// As [`run`].
pub fn run_in(
    line: &CommandLine,
    context: &RunContext<'_>,
    environment: Environment,
    sandbox: Option<&Sandbox>,
    watch: &dyn Watch,
) -> Result<Report> {
    if running::is_repeated() {
        return Err(Error::new(Kind::Refused, format!("refused: `{}` would start itself again and again", line.text))
            .hint("a line that `plan` runs must not call the same command of `plan`"));
    }
    watch.starting(&line.text);
    let mut report = Report::of(&line.text);
    for (index, command) in line.sequence.commands.iter().enumerate() {
        let log = context.log.as_ref().map(|log| log.with_extension(format!("{}.log", index + 1)));
        let limit = context.limit.saturating_sub(Duration::from_secs_f64(report.seconds));
        let (output, sandbox) = (Output::Together { log: log.clone() }, sandbox.cloned());
        let spec = Spec { output, limit, sandbox, ..spec(command, context.root, &environment) };
        let before = report.seconds as u64;
        let (what, all) = (line.text.as_str(), Some(context.limit.as_secs()));
        let ran = run_with(&spec, &mut |passed| {
            watch.tick(&Progress { what, seconds: before + passed.as_secs(), limit: all, next: None });
        });
        let ended = ended(&ran, context.limit)?;
        report.argv = argv(command, &ran);
        report.seconds += ran.seconds;
        report.left_processes |= ran.left_processes;
        match &ran.log_error {
            Some(error) => watch.note(&format!("the run log could not be written: {error}")),
            None => report.logs.extend(log),
        }
        report.tail = joined(&report.tail, ran.tail);
        report.ended = ended;
        if !report.is_green() {
            break;
        }
    }
    Ok(report)
}

fn spec(command: &StrictCommand, root: &Path, environment: &Environment) -> Spec {
    Spec {
        env: environment.clone().set_all(command.env.clone()),
        ..Spec::new(command.words.iter().map(|word| &word.text), root)
    }
}

fn ended(ran: &RunResult, limit: Duration) -> Result<Ended> {
    Ok(match &ran.end {
        End::Exited(0) => Ended::Green,
        End::Exited(code) => Ended::Exit { code: *code },
        End::Signalled(signal) => Ended::Signal { signal: *signal },
        End::TimedOut => Ended::TimedOut { seconds: limit.as_secs() },
        End::NotStarted(why) => Ended::Unstartable { why: why.clone() },
        End::Lost => Ended::Unstartable { why: "its launcher was killed; how it ended is not known".to_owned() },
        End::Interrupted => return Err(Error::new(Kind::Interrupted, "interrupted; nothing was written")),
    })
}

fn argv(command: &StrictCommand, ran: &RunResult) -> Vec<String> {
    let mut argv: Vec<String> = command.words.iter().map(|word| word.text.clone()).collect();
    if let (Some(first), Some(program)) = (argv.first_mut(), &ran.program) {
        *first = program.to_string_lossy().into_owned();
    }
    argv
}

/// Returns the tail of two outputs one after the other, as if one program had printed both.
fn joined(first: &Tail, second: Tail) -> Tail {
    let total_bytes = first.total_bytes + second.total_bytes;
    let total_lines = first.total_lines + second.total_lines;
    if second.is_cut() || first.bytes.is_empty() {
        return Tail { bytes: second.bytes, total_bytes, total_lines };
    }
    let mut bytes = first.bytes.clone();
    if !bytes.ends_with(b"\n") {
        bytes.push(b'\n');
    }
    bytes.extend_from_slice(&second.bytes);
    Tail { bytes: Tail::of(&bytes).bytes, total_bytes, total_lines }
}
