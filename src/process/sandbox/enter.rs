//! The wrapper, `plan __sandbox [--level LEVEL] [--program FILE] [--rw PATH]… -- ARGV…`: restricts itself and becomes ARGV.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::process::{Resource, Rlimit};

use super::{MARK, SandboxLevel};
use crate::process::environment::Environment;
use crate::process::resolve::{refusal, resolve};

/// The arguments of the wrapper.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct EnterArguments {
    pub(super) level: Option<SandboxLevel>,
    pub(super) program: Option<PathBuf>,
    pub(super) writable: Vec<PathBuf>,
    pub(super) argv: Vec<OsString>,
}

/// Replaces this process with the program that `arguments` name, restricted. Returns only on failure: one line for stderr
/// with the reason, after which the caller exits with [`REFUSED`](super::REFUSED).
pub fn enter(arguments: &[OsString]) -> String {
    let why = match EnterArguments::parse(arguments) {
        Ok(call) => become_program(&call),
        Err(why) => why,
    };
    format!("{MARK}{}", why.replace('\n', " "))
}

impl EnterArguments {
    pub(super) fn parse(arguments: &[OsString]) -> Result<EnterArguments, String> {
        let mut call = EnterArguments::default();
        let mut words = arguments.iter();
        while let Some(word) = words.next().filter(|word| *word != "--") {
            let value = words.next().ok_or_else(|| format!("`{}` needs a value", word.to_string_lossy()))?;
            match word.to_str() {
                Some("--level") => {
                    let level = value.to_str().and_then(SandboxLevel::parse);
                    call.level = Some(level.ok_or_else(|| format!("`{}` is not a level", value.to_string_lossy()))?);
                }
                Some("--program") => call.program = Some(value.into()),
                Some("--rw") => call.writable.push(value.into()),
                _ => return Err(format!("unknown argument `{}`", word.to_string_lossy())),
            }
        }
        call.argv = words.cloned().collect();
        match call.argv.is_empty() {
            true => Err("expected `-- PROGRAM ARGUMENT…`, found no program".to_owned()),
            false => Ok(call),
        }
    }
}

/// Returns only on failure.
fn become_program(call: &EnterArguments) -> String {
    let Some((name, arguments)) = call.argv.split_first() else { return "no program".to_owned() };
    let cwd = Path::new(".");
    let program = match &call.program {
        Some(program) => program.clone(),
        None => match resolve(name, cwd, &Environment::inherited()) {
            Ok(program) => program,
            Err(why) => return why,
        },
    };
    let restricted = call.level.map_or_else(SandboxLevel::best, Ok).and_then(|level| {
        enclose().map_err(|error| error.to_string())?;
        command(level, call, name, &program)
    });
    match restricted {
        Ok(mut command) => refusal(name, &program, cwd, &command.args(arguments).exec()),
        Err(why) => format!("cannot start `{}` in a sandbox: {why}", name.to_string_lossy()),
    }
}

/// The restrictions besides writing: an own session, so no terminal to type into; no core files; only the first three descriptors open.
fn enclose() -> io::Result<()> {
    let _ = rustix::process::setsid(); // fails if this leads a process group: then it is already in the launcher's session
    rustix::process::setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?;
    close_fds::set_fds_cloexec(3, &[]);
    #[cfg(target_os = "linux")]
    {
        rustix::thread::set_no_new_privs(true)?;
        super::privileges::give_up()?;
    }
    Ok(())
}

/// The command that becomes the program, restricted to `level`. On Linux the restrictions already apply to this process.
#[cfg(target_os = "linux")]
fn command(level: SandboxLevel, call: &EnterArguments, name: &OsStr, program: &Path) -> Result<Command, String> {
    let SandboxLevel::Landlock(abi) = level else { return Err(format!("this system has no {level}")) };
    super::landlock::restrict(abi, &call.writable)?;
    let mut command = Command::new(program);
    command.arg0(name);
    Ok(command)
}

#[cfg(target_os = "macos")]
fn command(level: SandboxLevel, call: &EnterArguments, _: &OsStr, program: &Path) -> Result<Command, String> {
    let SandboxLevel::Seatbelt = level else { return Err(format!("this system has no {level}")) };
    let mut command = Command::new(super::seatbelt::PROGRAM);
    command.args(super::seatbelt::arguments(&call.writable)).arg(program);
    Ok(command)
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn command(level: SandboxLevel, _: &EnterArguments, _: &OsStr, _: &Path) -> Result<Command, String> {
    Err(format!("this system has no {level}"))
}
