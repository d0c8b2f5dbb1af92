//! Runs a program on the terminal of `plan` itself: it prints there, and Ctrl-C reaches both.

use std::ffi::OsStr;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitStatus};

use super::environment::Environment;
use super::resolve::{refusal, resolve};
use crate::error::{Error, Kind, Result};

/// Runs `program` to its end with our stdin, stdout and stderr, and returns its exit status.
///
/// For programs that we chose and that a user watches. `program` is looked up on `PATH`, where relative entries are
/// skipped.
///
/// Errors: [`Kind::Unknown`] if it cannot be started.
pub fn attached(
    program: &OsStr,
    args: &[impl AsRef<OsStr>],
    cwd: &Path,
    environment: &Environment,
) -> Result<ExitStatus> {
    let file = resolve(program, cwd, environment).map_err(|why| Error::new(Kind::Unknown, why))?;
    let mut command = Command::new(&file);
    command.arg0(program).args(args).current_dir(cwd).env_clear().envs(environment.vars());
    command.status().map_err(|error| Error::new(Kind::Unknown, refusal(program, &file, cwd, &error)))
}
