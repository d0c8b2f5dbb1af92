//! One call of the git program, with arguments and an environment in which nothing that the repository configures can
//! run.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::Repo;
use super::error::RepoError;
use crate::process::capture::{Captured, SILENCE, capture_within};
use crate::process::environment::Environment;
use crate::process::outside::{is_outside, search_path};

/// Settings that name a program which some git command may start. Each is emptied or points to nothing. Most cannot
/// apply to the commands used here; this is a second line of defence.
const SETTINGS: [&str; 17] = [
    "core.alternateRefsCommand=", "core.askPass=", "core.attributesFile=/dev/null", "core.editor=false",
    "core.fsmonitor=", "core.gitProxy=", "core.hooksPath=/dev/null", "core.pager=cat", "core.sshCommand=false",
    "core.untrackedCache=false", "credential.helper=", "diff.external=", "gc.auto=0", "gpg.program=false",
    "maintenance.auto=false", "protocol.allow=never", "submodule.recurse=false",
];

/// Variables that name the user's own settings (git(1)). git sets none of these for a hook.
const OWN: [&str; 3] = ["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"];

/// Finds the git program on `PATH`, absolute. Skips relative entries and programs beneath `top`, so that a repository cannot
/// bring its own git. Skips programs beneath the folder that [`crate::process::outside`] excludes, too.
pub(super) fn program(top: &Path) -> Option<PathBuf> {
    let path = search_path()?;
    let is_own = |real: &Path| real.starts_with(top) || !is_outside(real);
    std::env::split_paths(&path)
        .filter(|folder| folder.is_absolute() && !folder.starts_with(top))
        .map(|folder| folder.join("git"))
        .find(|program| is_executable(program) && program.canonicalize().is_ok_and(|real| !is_own(&real)))
}

fn is_executable(program: &Path) -> bool {
    program.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

/// The environment of every call: `GIT_*` removed except [`OWN`], then the variables that keep git quiet, local and
/// literal.
pub(super) fn environment(top: &Path) -> Environment {
    keep(Environment::without_git(), &OWN)
        .remove("SSH_ASKPASS")
        .remove("LANGUAGE")
        .set("LC_ALL", "C")
        .set("GIT_WORK_TREE", top)
        .set("GIT_OPTIONAL_LOCKS", "0")
        .set("GIT_TERMINAL_PROMPT", "0")
        .set("GIT_NO_REPLACE_OBJECTS", "1")
        .set("GIT_NO_LAZY_FETCH", "1")
        .set("GIT_ALLOW_PROTOCOL", "none")
        .set("GIT_GRAFT_FILE", "/dev/null")
        .set("GIT_ATTR_NOSYSTEM", "1")
        .set("GIT_LITERAL_PATHSPECS", "1")
}

/// `environment` with these variables as `plan` itself got them.
pub(super) fn keep(environment: Environment, names: &[&str]) -> Environment {
    environment.set_all(names.iter().filter_map(|name| Some((name, std::env::var_os(name)?))))
}

/// Runs git once and returns its output and status, even if it fails.
pub(super) fn call(
    program: &Path,
    top: &Path,
    environment: &Environment,
    args: &[&OsStr],
    stdin: &[u8],
) -> Result<Captured, RepoError> {
    call_within(Some(SILENCE), program, top, environment, args, stdin)
}

/// Like [`call`], with another limit for silence; `None` for calls that wait for another machine.
pub(super) fn call_within(
    silence: Option<Duration>,
    program: &Path,
    top: &Path,
    environment: &Environment,
    args: &[&OsStr],
    stdin: &[u8],
) -> Result<Captured, RepoError> {
    capture_within(silence, program, argv(args), top, environment, stdin).map_err(RepoError::Process)
}

/// The arguments of a call: options that keep git quiet, then `args`.
pub(super) fn argv<S: AsRef<OsStr>>(args: &[S]) -> Vec<OsString> {
    let settings = SETTINGS.iter().flat_map(|setting| ["-c".into(), OsString::from(setting)]);
    let words = args.iter().map(|word| word.as_ref().to_owned());
    std::iter::once("--no-pager".into()).chain(settings).chain(words).collect()
}

impl Repo {
    /// Runs git in this repository; it sees the kept trees as well ([`Repo::keep`]). The caller checks its status.
    pub(super) fn ask<S: AsRef<OsStr>>(&self, args: &[S], stdin: &[u8]) -> Result<Captured, RepoError> {
        let environment = self.reading();
        self.ask_with(environment, args, stdin)
    }

    /// The environment of a call that reads objects, including the kept trees.
    pub(super) fn reading(&self) -> Environment {
        let (environment, kept_objects) = (environment(&self.top).set("GIT_DIR", &self.git_dir), self.kept_objects());
        match kept_objects.symlink_metadata().is_ok_and(|meta| meta.is_dir()) {
            true => environment.set("GIT_ALTERNATE_OBJECT_DIRECTORIES", listed(&kept_objects)),
            false => environment,
        }
    }

    /// Runs git with additional variables. It sees only git's own objects, because a ref, a record or a transfer must
    /// never depend on an object that is only kept.
    pub(super) fn ask_with<S: AsRef<OsStr>>(
        &self,
        environment: Environment,
        args: &[S],
        stdin: &[u8],
    ) -> Result<Captured, RepoError> {
        self.ask_within(Some(SILENCE), environment, args, stdin)
    }

    /// Like [`Repo::ask_with`], with another limit for silence; `None` for calls that wait for another machine.
    pub(super) fn ask_within<S: AsRef<OsStr>>(
        &self,
        silence: Option<Duration>,
        environment: Environment,
        args: &[S],
        stdin: &[u8],
    ) -> Result<Captured, RepoError> {
        let args: Vec<&OsStr> = args.iter().map(AsRef::as_ref).collect();
        let environment = environment.set("GIT_DIR", &self.git_dir);
        call_within(silence, &self.program, &self.top, &environment, &args, stdin)
    }

    /// Runs git and returns its output; every status except 0 is an error.
    pub(super) fn git<S: AsRef<OsStr>>(&self, args: &[S], stdin: &[u8]) -> Result<Vec<u8>, RepoError> {
        let captured = self.ask(args, stdin)?;
        if captured.status.success() { Ok(captured.stdout) } else { Err(failed(args, &captured)) }
    }
}

/// A path for git's colon-separated lists: quoted, so that any name works.
fn listed(path: &Path) -> OsString {
    let mut quoted = Vec::new();
    quote(path.as_os_str().as_bytes(), &mut quoted);
    quoted.pop();
    OsString::from_vec(quoted)
}

/// Appends a line for `--stdin-paths`, quoted as git quotes, so that any name works.
pub(super) fn quote(path: &[u8], line: &mut Vec<u8>) {
    line.push(b'"');
    for byte in path {
        match byte {
            b'"' | b'\\' => line.extend([b'\\', *byte]),
            0..=0x1f | 0x7f.. => line.extend(format!("\\{byte:03o}").into_bytes()),
            _ => line.push(*byte),
        }
    }
    line.extend(b"\"\n");
}

/// The error of a call that failed.
pub(super) fn failed<S: AsRef<OsStr>>(args: &[S], captured: &Captured) -> RepoError {
    let what = args.first().map_or_else(String::new, |arg| arg.as_ref().to_string_lossy().into_owned());
    let said = said(captured);
    // git before 2.45 ignores GIT_NO_LAZY_FETCH: it tries to fetch, but no protocol is allowed.
    match ["lazy fetching disabled", "from promisor remote"].iter().any(|words| said.contains(words)) {
        true => RepoError::Unfetched { what },
        false => RepoError::Git { what, ended: captured.status.to_string(), said },
    }
}

/// git's own message on one line, without its hints, which are about the way `plan` calls it.
pub(super) fn said(captured: &Captured) -> String {
    let text = String::from_utf8_lossy(&captured.stderr);
    let is_said = |line: &&str| !line.is_empty() && !line.starts_with("hint:");
    let lines: Vec<&str> = text.lines().map(str::trim).filter(is_said).take(4).collect();
    lines.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_name_fits_on_a_line() {
        let mut line = Vec::new();
        quote(b"a\"b\\c\nd \xff", &mut line);
        assert_eq!(line, b"\"a\\\"b\\\\c\\012d \\377\"\n");
    }
}
