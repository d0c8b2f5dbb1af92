//! A folder with a repository and a plan, and this test binary as another process.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use plan::error::Result;
use plan::plan::edit::Edit;
use plan::store::{self, Place, Updated};
use tempfile::TempDir;

pub(crate) const START: &str = "# Plan: Test\n\n## Goal: One\nstatus: open\n\n## Log\n";

/// A temporary folder with `.git` (made by hand, since no git is needed here) and a plan.md.
pub(crate) struct World {
    pub(crate) dir: TempDir,
}

impl World {
    pub(crate) fn new() -> Self {
        let world = World::without_git();
        make_git_dir(&world.path(".git"));
        world
    }

    pub(crate) fn without_git() -> Self {
        let dir = crate::support::tempdir();
        fs::write(dir.path().join("plan.md"), START).unwrap();
        World { dir }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn place(&self) -> Place {
        store::find(self.dir.path(), None).unwrap()
    }

    pub(crate) fn text(&self) -> String {
        fs::read_to_string(self.path("plan.md")).unwrap()
    }

    /// Every version on disk: plan.md and the kept versions.
    pub(crate) fn versions(&self) -> Vec<String> {
        let kept = fs::read_dir(self.path(".git/plan/undo")).into_iter().flatten();
        let mut all: Vec<String> = kept.map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap()).collect();
        all.push(self.text());
        all
    }

    /// The names in the folder of plan.md.
    pub(crate) fn names(&self) -> Vec<String> {
        names(self.dir.path())
    }
}

pub(crate) fn make_git_dir(path: &Path) {
    fs::create_dir_all(path.join("objects")).unwrap();
    fs::write(path.join("HEAD"), "ref: refs/heads/main\n").unwrap();
}

pub(crate) fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// The edit that adds a line at the end.
pub(crate) fn at_end(source: &[u8], line: &str) -> Result<Vec<Edit>> {
    Ok(vec![Edit { range: source.len()..source.len(), text: format!("{line}\n").into() }])
}

pub(crate) fn append(place: &Place, line: &str) -> Result<Updated> {
    store::update(place, |source| at_end(source, line))
}

/// Starts this test binary as another process that does `job` in `folder` (`child.rs`).
pub(crate) fn child(job: &str, folder: &Path) -> Command {
    child_of(std::env::current_exe().unwrap().as_os_str(), &[], job, folder)
}

/// The same, started by another program.
pub(crate) fn child_of(program: &OsStr, before: &[&OsStr], job: &str, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.args(before).args(["store::child::child", "--exact", "--test-threads=1", "--nocapture"]);
    command.env("PLAN_TEST_JOB", job).env("PLAN_TEST_FOLDER", folder);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    command
}

pub(crate) fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Prints on the test's output why something was not tested here.
pub(crate) fn skip(why: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "skipped: {why}");
}
