//! One file for each verb: its arguments and one function, which reads, asks the rules, changes, writes and prints.

pub mod approve;
pub mod archive;
pub mod ask;
pub mod audit;
mod check_progress;
pub mod clear;
pub mod complete;
pub mod completions;
mod confirmed;
mod context;
mod decision;
pub mod demo;
pub mod doctor;
pub mod draft;
pub mod events;
pub mod export;
pub mod goal;
mod happened;
pub mod hook;
pub mod import;
pub mod init;
pub mod inject;
pub mod install;
pub mod judge;
pub mod lint;
pub mod list;
pub mod log;
pub mod loop_driver;
pub mod man;
#[cfg(feature = "mcp")]
pub mod mcp;
pub mod merge;
pub mod next;
pub mod pause;
pub mod progress;
pub mod remind;
pub mod report;
pub mod review;
pub mod rewind;
pub mod show;
pub mod stats;
pub mod step;
pub mod undo;
pub mod usage;
pub mod verify;
pub mod watch;

use std::ffi::OsString;
use std::process::ExitCode;

use crate::error::{Error, Result};
use crate::ui::{Color, Ui};

pub use context::Context;

/// The end of a command that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The command is done, or the answer is yes.
    Yes,
    /// The answer is no, and it has been printed.
    No,
    /// The answer cannot be known, and the reason has been printed.
    Unknown,
    /// The exit code of the run that is reported.
    Code(u8),
}

impl Exit {
    fn code(self) -> u8 {
        match self {
            Exit::Yes => 0,
            Exit::No => 1,
            Exit::Unknown => 3,
            Exit::Code(code) => code,
        }
    }
}

/// Runs the calls that come on every turn of a session, before any set-up: `--version`, plain `inject`, `hook HOST`.
pub fn quick(arguments: &[OsString]) -> Option<ExitCode> {
    let [_, first, rest @ ..] = arguments else { return None };
    match (first.to_str()?, rest) {
        ("--version" | "-V", []) => {
            let context = plain();
            context.ui.raw(concat!("plan ", env!("CARGO_PKG_VERSION"), "\n"));
            Some(end(&context, Ok(Exit::Yes)))
        }
        ("inject", []) => {
            let context = plain();
            let result = inject::run(&context, &inject::Args::default());
            Some(end(&context, result))
        }
        ("hook", [host]) if host != "--help" && host != "-h" => {
            let context = plain();
            let result = hook::run(&context, &hook::Args::of(host.to_str()?));
            Some(end(&context, result))
        }
        _ => None,
    }
}

/// Returns the context of a call without options.
fn plain() -> Context {
    Context::new(Ui::new(false, Color::Auto), None, None)
}

/// Prints the rest of the output, and returns the exit status.
pub fn end(context: &Context, result: Result<Exit>) -> ExitCode {
    let code = match result {
        Ok(exit) => exit.code(),
        Err(mut error) => {
            error.hints.iter_mut().for_each(|hint| *hint = context.in_place(hint));
            context.ui.error(&error);
            error.kind.code()
        }
    };
    // Output that could not be written must not look like success.
    ExitCode::from(if context.ui.finish() || code != 0 { code } else { 1 })
}

/// Turns an error that came after plan.md was written into one that says so.
fn after_writing(error: Error) -> Error {
    let message = error.message;
    Error {
        message: format!("plan.md was written, but the pause of guard and loop was not: {message}"),
        is_harmless: false,
        ..error
    }
}
