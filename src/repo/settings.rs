//! Reads and writes the few git settings of `plan` with `git config`.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::git::{call, environment, failed, keep, program};
use super::open::common_dir;
use crate::error::{Error, Kind, Result};
use crate::process::capture::Captured;

/// The argument of `plan` when git calls it as a merge driver.
pub const MERGE_VERB: &str = "__merge";

/// One of git's configuration files.
#[derive(Clone, Debug)]
pub enum Settings {
    /// The file of a repository, which its linked work trees share.
    Project(PathBuf),
    /// The user's own file.
    User,
}

impl Settings {
    /// The configuration of the repository with this git folder.
    pub fn of_project(git_dir: &Path) -> Self {
        Settings::Project(common_dir(git_dir).join("config"))
    }

    /// Returns the value of a setting; `None` if it is not set in this file.
    ///
    /// # Errors
    /// [`Kind::Unknown`] if git cannot run or the file cannot be read.
    pub fn get(&self, top: &Path, key: &str) -> Result<Option<String>> {
        if self.odd_file().is_some() {
            return Ok(None);
        }
        let captured = self.config(top, &["--get", key])?;
        match captured.status.code() {
            Some(0) => Ok(Some(String::from_utf8_lossy(&captured.stdout).trim_end_matches('\n').to_owned())),
            Some(1) => Ok(None),
            _ => Err(failed(&["config"], &captured).into()),
        }
    }

    /// Sets a setting.
    ///
    /// # Errors
    /// [`Kind::Unknown`] if git cannot write the file; [`Kind::Input`] if it is not a regular file.
    pub fn set(&self, top: &Path, key: &str, value: &str) -> Result<()> {
        if let Some(file) = self.odd_file() {
            return Err(Error::input(format!(
                "`{}` is not a regular file, and git would replace it with one",
                file.display()
            ))
            .hint("`GIT_CONFIG_GLOBAL` and the links in your home folder decide which file this is"));
        }
        let captured = self.config(top, &["--replace-all", key, value])?;
        if captured.status.success() { Ok(()) } else { Err(failed(&["config"], &captured).into()) }
    }

    /// Removes a setting, and its section if that becomes empty.
    ///
    /// # Errors
    /// As [`Settings::set`].
    pub fn unset(&self, top: &Path, key: &str) -> Result<()> {
        if self.odd_file().is_some() {
            return Ok(());
        }
        let captured = self.config(top, &["--unset-all", key])?;
        match captured.status.code() {
            Some(0 | 5) => Ok(()), // 5: it was not set.
            _ => Err(failed(&["config"], &captured).into()),
        }
    }

    /// The file, if it is not a regular file, so that git would destroy it by replacing it: as root even `/dev/null`, which
    /// `GIT_CONFIG_GLOBAL` often names.
    fn odd_file(&self) -> Option<PathBuf> {
        let is_odd = |file: &PathBuf| file.metadata().is_ok_and(|meta| !meta.is_file());
        self.files().into_iter().find(is_odd)
    }

    /// The paths where git may look for the file (git-config(1), FILES).
    pub(super) fn files(&self) -> Vec<PathBuf> {
        match (self, path_in("GIT_CONFIG_GLOBAL")) {
            (Settings::Project(file), _) => vec![file.clone()],
            (Settings::User, Some(file)) => vec![file],
            (Settings::User, None) => {
                let in_home = path_in("HOME").map(|home| home.join(".gitconfig"));
                in_home.into_iter().chain(own_folder().map(|own| own.join("config"))).collect()
            }
        }
    }

    fn config(&self, top: &Path, args: &[&str]) -> Result<Captured> {
        let environment = environment(top).remove("GIT_WORK_TREE");
        let mut words: Vec<OsString> = vec!["config".into()];
        match self {
            Settings::Project(file) => words.extend(["--file".into(), file.into()]),
            Settings::User => words.push("--global".into()),
        }
        words.extend(args.iter().map(OsString::from));
        let words: Vec<&OsStr> = words.iter().map(OsString::as_os_str).collect();
        Ok(call(&git(top)?, top, &environment, &words, b"")?)
    }
}

/// Returns `merge.conflictStyle` in `top`, including options on the command line of the git that called `plan`; `None` if it
/// is not set.
pub fn conflict_style(top: &Path) -> Option<String> {
    value(top, "merge.conflictStyle", &["GIT_CONFIG_PARAMETERS"])
}

/// Returns the author name of commits in `top`; `None` if it is not set.
pub fn user_name(top: &Path) -> Option<String> {
    value(top, "user.name", &[])
}

/// Reads a setting, with these variables taken from our own environment.
fn value(top: &Path, key: &str, variables: &[&str]) -> Option<String> {
    let environment = keep(environment(top).remove("GIT_WORK_TREE"), variables);
    let words = ["config", "--get", key].map(OsStr::new);
    let captured = call(&git(top).ok()?, top, &environment, &words, b"").ok()?;
    let found = captured.status.success().then(|| String::from_utf8_lossy(&captured.stdout).trim().to_owned());
    found.filter(|value| !value.is_empty())
}

/// Checks that there is a git program for the repository at `top`.
///
/// # Errors
/// [`Kind::Unknown`] if there is none on `PATH`.
pub fn check_git(top: &Path) -> Result<()> {
    git(top).map(drop)
}

fn git(top: &Path) -> Result<PathBuf> {
    program(top).ok_or_else(|| Error::new(Kind::Unknown, "no git program was found on `PATH`").hint("install git"))
}

/// The folder of the user's own files for git; it may not exist.
pub(super) fn own_folder() -> Option<PathBuf> {
    let folder = path_in("XDG_CONFIG_HOME").or_else(|| Some(path_in("HOME")?.join(".config")));
    folder.map(|folder| folder.join("git"))
}

/// The path in an environment variable; `None` if it is empty.
pub(super) fn path_in(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from)
}
