//! Starts `plan` again in its own session, because an agent's shell ends a long command together with its whole process
//! group.

use std::ffi::OsString;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};

use super::launched::own_program;
use super::own;
use crate::error::{Error, Kind, Result};

/// Starts this program with `mark` and `arguments`, with its streams closed. It must call [`settle`] first. Drops the words that
/// made this process a child of another `plan` ([`own`]), because the new process has no parent that answers.
///
/// Errors: [`Kind::Unknown`] if it cannot be started.
pub fn start(mark: &str, arguments: impl IntoIterator<Item = OsString>) -> Result<Child> {
    let failed = |error: std::io::Error| Error::new(Kind::Unknown, format!("cannot start the check: {error}"));
    let mut arguments = arguments.into_iter().peekable();
    if arguments.next_if(|word| word == own::VERB).is_some() {
        let _asks = arguments.next();
    }
    Command::new(own_program(None).map_err(failed)?)
        .arg0("plan")
        .arg(mark)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(failed)
}

/// Moves this process to a session of its own.
pub fn settle() {
    // Fails only for the leader of a process group, which already has a group of its own.
    let _ = rustix::process::setsid();
}
