//! Finds the file of a program by its name, and explains why a program cannot be started.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::io::Errno;

use super::environment::Environment;
use crate::shell::strict::is_shell_word;

/// The `PATH` if none is set.
const DEFAULT_PATH: &str = "/usr/bin:/bin";

/// Returns the file of `program`: looked up on `PATH`, or relative to `cwd` if the name contains a `/`.
///
/// Relative entries of `PATH` are skipped: with them, a repository could choose which program runs. The error is one
/// line in lower case that names the program.
pub fn resolve(program: &OsStr, cwd: &Path, environment: &Environment) -> Result<PathBuf, String> {
    if program.is_empty() {
        return Err("the name of the program is empty".to_owned());
    }
    if program.as_bytes().contains(&b'/') {
        let file = cwd.join(program);
        return check(&file).map(|()| file).map_err(|why| unstartable(program, &why));
    }
    if program.to_str().is_some_and(is_shell_word) {
        let why = "it works only in a shell and is not a program; put the line in a script and name the script";
        return Err(unstartable(program, why));
    }
    let path = environment.get("PATH").unwrap_or_else(|| DEFAULT_PATH.into());
    let mut found = None;
    for folder in std::env::split_paths(&path).filter(|folder| folder.is_absolute()) {
        let file = folder.join(program);
        match check(&file) {
            Ok(()) => return Ok(file),
            Err(why) if found.is_none() && file.is_file() => found = Some(format!("`{}`: {why}", file.display())),
            Err(_) => {}
        }
    }
    Err(unstartable(program, &found.unwrap_or_else(|| "not found on `PATH`".to_owned())))
}

/// Explains why the system refused to start `file`, which [`resolve`] had found.
pub(super) fn refusal(program: &OsStr, file: &Path, cwd: &Path, error: &io::Error) -> String {
    if !cwd.is_dir() {
        return unstartable(program, &format!("its folder `{}` does not exist", cwd.display()));
    }
    let why = match error.raw_os_error().map(Errno::from_raw_os_error) {
        Some(Errno::NOEXEC) => {
            "neither a program for this system nor a script that begins with `#!`; name its interpreter, as in `sh FILE`"
                .to_owned()
        }
        Some(Errno::NOENT | Errno::NOTDIR) if file.exists() => missing_interpreter(file, "does not exist"),
        Some(Errno::ACCESS) if check(file).is_ok() => missing_interpreter(file, "may not be run"),
        Some(Errno::TOOBIG) => "its arguments and environment are longer than the system allows".to_owned(),
        _ => error.to_string().to_lowercase(),
    };
    unstartable(program, &why)
}

fn unstartable(program: &OsStr, why: &str) -> String {
    format!("`{}` cannot be started: {why}", program.to_string_lossy())
}

fn check(file: &Path) -> Result<(), String> {
    let metadata = fs::metadata(file).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => "no such file".to_owned(),
        _ => error.to_string().to_lowercase(),
    })?;
    if metadata.is_dir() {
        return Err("it is a folder".to_owned());
    }
    if !metadata.is_file() {
        return Err("it is not a regular file".to_owned());
    }
    rustix::fs::access(file, rustix::fs::Access::EXEC_OK)
        .map_err(|_| "it is not executable; `chmod +x` makes it so".to_owned())
}

fn missing_interpreter(file: &Path, what: &str) -> String {
    let mut start = Vec::new();
    let read = fs::File::open(file).and_then(|file| file.take(256).read_to_end(&mut start));
    let line = start.split(|&byte| byte == b'\n').next().unwrap_or_default();
    match (read, line.strip_prefix(b"#!")) {
        (Ok(_), Some(interpreter)) if interpreter.ends_with(b"\r") => {
            "its first line ends with a carriage return, which becomes part of the interpreter's name".to_owned()
        }
        (Ok(_), Some(interpreter)) => {
            let interpreter = String::from_utf8_lossy(interpreter);
            format!("its interpreter `{}` {what}", interpreter.split_whitespace().next().unwrap_or_default())
        }
        _ => format!("the loader that it names {what}"),
    }
}
