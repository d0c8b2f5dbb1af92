//! The throwaway repository of `plan demo`. Commands run in it as a person would run them.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::disk::Temporary;
use crate::error::{Error, Kind, Result};
use crate::plan::view::Row;
use crate::process::attached::attached;
use crate::process::capture::{Captured, capture};
use crate::process::environment::Environment;
use crate::process::outside::path_outside;
use crate::shell::quote;
use crate::store;
use crate::ui::Ui;

/// The scripted judge's program, found on `PATH`.
pub(super) const JUDGE: &str = "scripted-judge";

/// The time that a heading stays alone on a terminal.
const PAUSE: Duration = Duration::from_millis(800);

/// A folder with a repository, its own configuration and the scripted judge.
pub(super) struct Stage<'u> {
    ui: &'u Ui,
    folder: Folder,
    program: PathBuf,
    environment: Environment,
}

enum Folder {
    Kept(PathBuf),
    Removed(Temporary),
}

/// A command that was run.
#[derive(Clone, Debug, serde::Serialize)]
pub(super) struct Ran {
    pub(super) command: String,
    pub(super) exit: i32,
    /// Empty if the output went to the terminal.
    pub(super) output: String,
}

impl<'u> Stage<'u> {
    /// Makes the folder. It is removed on drop unless `keep` is set.
    pub(super) fn new(ui: &'u Ui, caller: &Path, keep: bool) -> Result<Self> {
        let failed = |error: std::io::Error| Error::new(Kind::Unknown, format!("cannot make a folder: {error}"));
        let home = Folder::make(keep).map_err(failed)?;
        let folder = home.path();
        for name in ["repo", "config", "state", "bin"] {
            fs::create_dir(folder.join(name)).map_err(failed)?;
        }
        let program = std::env::current_exe().map_err(failed)?;
        let environment = environment(folder, caller, ui.is_attached() && ui.is_styled());
        let stage = Stage { ui, folder: home, program, environment };
        let exec = format!("#!/bin/sh\nexec {} {}\n", quote(&stage.program.to_string_lossy()), super::judge::VERB);
        let judge = format!("bin/{JUDGE}");
        stage.write(&judge, &exec)?;
        let executable = fs::Permissions::from_mode(0o755);
        fs::set_permissions(stage.folder().join(judge), executable).map_err(failed)?;
        Ok(stage)
    }

    /// The folder of the whole demo.
    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The folder of the repository.
    pub(super) fn repo(&self) -> PathBuf {
        self.folder().join("repo")
    }

    /// Writes a file below the folder.
    pub(super) fn write(&self, name: &str, text: &str) -> Result<()> {
        let path = self.folder().join(name);
        fs::write(&path, text)
            .map_err(|error| Error::new(Kind::Unknown, format!("cannot write `{}`: {error}", path.display())))
    }

    /// Reads a file below the folder.
    pub(super) fn read(&self, name: &str) -> Result<String> {
        let path = self.folder().join(name);
        fs::read_to_string(&path)
            .map_err(|error| Error::new(Kind::Unknown, format!("cannot read `{}`: {error}", path.display())))
    }

    /// Replaces a text in a file by another.
    pub(super) fn replace(&self, name: &str, from: &str, to: &str) -> Result<()> {
        let text = self.read(name)?;
        self.write(name, &text.replace(from, to))
    }

    /// Runs git quietly; a failure is an error.
    pub(super) fn git(&self, arguments: &[&str]) -> Result<()> {
        let captured = capture("git", arguments, &self.repo(), &self.environment, b"")?;
        if captured.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&captured.stderr).trim().to_owned();
        Err(Error::new(Kind::Unknown, format!("`git {}` failed: {said}", arguments.join(" "))))
    }

    /// Runs `plan` in the repository. Shows the command as a person would type it, and all its output.
    pub(super) fn plan(&self, arguments: &[&str]) -> Result<Ran> {
        self.shown("plan", self.program.as_os_str(), arguments)
    }

    /// Does the same with git.
    pub(super) fn shown_git(&self, arguments: &[&str]) -> Result<Ran> {
        self.shown("git", OsStr::new("git"), arguments)
    }

    fn shown(&self, name: &str, program: &OsStr, arguments: &[&str]) -> Result<Ran> {
        let typed: Vec<String> = arguments.iter().map(|word| quote(word)).collect();
        let command = format!("{name} {}", typed.join(" "));
        self.ui.rows(&[Row::command(0, &format!("$ {command}"))]);
        self.ui.flush();
        let (exit, output) = if self.ui.is_attached() {
            (attached(program, arguments, &self.repo(), &self.environment)?, String::new())
        } else {
            let captured = capture(program, arguments.iter().map(OsStr::new), &self.repo(), &self.environment, b"")?;
            (captured.status, printed(&captured))
        };
        for line in output.lines() {
            self.ui.line(format!("  {line}").trim_end());
        }
        self.refuse_interrupted()?;
        Ok(Ran { command, exit: exit.code().unwrap_or(-1), output })
    }

    /// Gives a person at a terminal time to read a heading.
    pub(super) fn pause(&self) -> Result<()> {
        let until = Instant::now() + PAUSE;
        while self.ui.is_attached() && Instant::now() < until {
            self.refuse_interrupted()?;
            std::thread::sleep(PAUSE / 20);
        }
        Ok(())
    }

    /// Returns an error after Ctrl-C. Ctrl-C does not end `plan` while the folder exists, so that the folder is removed.
    fn refuse_interrupted(&self) -> Result<()> {
        match &self.folder {
            Folder::Removed(folder) if folder.is_interrupted() => Err(Error::new(Kind::Interrupted, "interrupted")),
            _ => Ok(()),
        }
    }
}

impl Folder {
    fn make(keep: bool) -> std::io::Result<Self> {
        if !keep {
            return Temporary::make("plan-demo-").map(Folder::Removed);
        }
        let kept = tempfile::Builder::new().prefix("plan-demo-kept-").tempdir()?.keep();
        kept.canonicalize().map(Folder::Kept)
    }

    fn path(&self) -> &Path {
        match self {
            Folder::Kept(folder) => folder,
            Folder::Removed(folder) => folder.folder(),
        }
    }
}

/// Puts the notes first, as on a terminal: there, a command is named before its result is on stdout.
fn printed(captured: &Captured) -> String {
    let (notes, text) = (String::from_utf8_lossy(&captured.stderr), String::from_utf8_lossy(&captured.stdout));
    format!("{notes}{text}")
}

/// Returns the demo's environment. The person's settings must not change the demo, and the demo must not change the settings.
fn environment(folder: &Path, caller: &Path, styled: bool) -> Environment {
    // Inside an agent's session, too, the demo shows how it looks outside of one.
    let outside = Environment::without_git().remove_if(crate::host::is_session_variable);
    let outside = crate::config::VARIABLES.into_iter().fold(outside, Environment::remove);
    let path = std::env::var_os("PATH").unwrap_or_default();
    // The demo runs the machine's own programs, none from the caller's repository.
    let path = store::repository_top(caller).map_or(path.clone(), |top| path_outside(&path, &top));
    let path = std::iter::once(folder.join("bin")).chain(std::env::split_paths(&path));
    let outside = std::env::join_paths(path).map_or(outside.clone(), |path| outside.set("PATH", path));
    let outside = if styled { outside.remove("NO_COLOR") } else { outside.set("NO_COLOR", "1") };
    outside
        .set("XDG_CONFIG_HOME", folder.join("config"))
        .set("XDG_STATE_HOME", folder.join("state"))
        .set("GIT_CONFIG_GLOBAL", "/dev/null")
        .set("GIT_CONFIG_NOSYSTEM", "1")
        .set("GIT_AUTHOR_NAME", "plan demo")
        .set("GIT_AUTHOR_EMAIL", "demo@localhost")
        .set("GIT_COMMITTER_NAME", "plan demo")
        .set("GIT_COMMITTER_EMAIL", "demo@localhost")
}
