//! Starts `plan` again in its own session, because an agent's shell ends a long command together with its whole process
//! group.

use std::ffi::OsString;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};

use super::launched::own_program;
use super::own;
use crate::error::{Error, Kind, Result};

/// Starts this program with `mark` and `arguments`, its streams closed. It is to call [`settle`] first thing. Words that made this
/// process a call of another ([`own`]) are left out: the one left behind is nobody's.
///
/// Errors: [`Kind::Unknown`] where it cannot be started.
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

/// Leaves the session of whoever started this process.
pub fn settle() {
    // Fails only for the leader of a group, which has its own already.
    let _ = rustix::process::setsid();
}
