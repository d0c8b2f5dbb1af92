//! Which files decide what `verify` says: tests by the convention of their language, what `verify` runs, and what its runner
//! loads by itself (`SIGNOFF.md` §3). Pure: paths and bytes in, answers out.
//!
//! Paths are relative to the top of the work tree, `may_change` and `verify` to the plan's root.

mod autoload;
mod convention;
mod make_call;
mod makefile;
mod manifest;
mod mixed;
mod named;

use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path, PathBuf};

pub use convention::{is_code, is_test};

use super::remedy;
use crate::plan::glob::Glob;
use crate::process::words::Sequence;

/// What stands between the work and its verdict, for one goal.
#[derive(Clone, Debug, Default)]
pub struct Harness {
    root: PathBuf,
    named: named::NamedFiles,
    globs: Vec<Glob>,
}

impl Harness {
    /// For the `verify` of a goal whose plan stands in `root` (relative to the top, empty for the top itself). `read` gives a
    /// file as it was at the goal's start, none where there was none: it is asked for `package.json` and makefiles, and only
    /// where `verify` runs them.
    pub fn of(
        verify: Option<&Sequence>,
        root: &Path,
        may_change: &[String],
        read: &dyn Fn(&Path) -> Option<Vec<u8>>,
    ) -> Self {
        let named = verify.map(|sequence| named::of(sequence, root, read)).unwrap_or_default();
        // One that cannot be read names nothing; lint says so.
        let globs = may_change.iter().filter_map(|glob| Glob::parse(glob).ok()).collect();
        Harness { root: root.to_owned(), named, globs }
    }

    /// A test or harness file: by convention, because `verify` runs it, or because the runner loads it by its name. To be read
    /// from the base, less [`Harness::may_change`]; [`Harness::is_mixed`] is another matter.
    pub fn is_harness(&self, path: &Path) -> bool {
        // A build script is part of the work as soon as there is one.
        let build_script = path.file_name().is_some_and(|name| name == "build.rs");
        is_test(path)
            || (self.is_named(path) && !self.is_aside(path))
            || (self.is_autoload(path, None) && !build_script)
    }

    /// `verify` runs this file: a script, a module, a test file given to a runner. Not what it only looks at.
    pub fn is_named(&self, path: &Path) -> bool {
        self.named.files.contains(path)
    }

    /// It decides what verify says for no other reason than that verify names it: it may be the work, with its check in it.
    pub fn is_only_named(&self, path: &Path) -> bool {
        self.is_named(path) && !is_test(path) && !self.is_autoload(path, None)
    }

    /// A file that is run inside of a script or a recipe, with another one behind it that has the last word: whether it is the
    /// work (a program whose output is looked at, a build) or tests it cannot be told.
    pub fn is_aside(&self, path: &Path) -> bool {
        self.named.aside.contains(path) && !is_test(path)
    }

    /// The test module in whose place Python would import this file, were both there: a package or a compiled module
    /// comes before the source of that name.
    pub fn stands_before(&self, path: &Path) -> Option<PathBuf> {
        autoload::stands_before(path, &self.named)
    }

    /// The module of Python's own library whose name this file has, where Python would find the file first.
    pub fn standard_module<'p>(&self, path: &'p Path) -> Option<&'p str> {
        autoload::standard_module(path, &self.root, &self.named)
    }

    /// A module of Go, of which this `verify` may run the tests.
    pub fn is_go_module(&self, path: &Path) -> bool {
        autoload::is_of_go(path, "go.mod", &self.named)
    }

    /// A workspace of Go, which may put one module in the place of another.
    pub fn is_go_workspace(&self, path: &Path) -> bool {
        autoload::is_of_go(path, "go.work", &self.named)
    }

    /// The runner of this `verify` loads such a file without being told. A file that only counts for some of what may stand in
    /// it (`setup.cfg`, `pyproject.toml`, `package.json`) is judged by `content`, and not loaded where that is none.
    pub fn is_autoload(&self, path: &Path, content: Option<&[u8]>) -> bool {
        autoload::is_autoload(path, content, &self.root, &self.named)
    }

    /// What this `verify` runs may load something else because of this variable.
    pub fn heeds(&self, variable: &str) -> bool {
        autoload::heeds(variable, &self.named)
    }

    /// Work and harness in one file (`package.json`, `pyproject.toml`, `Cargo.toml`, a makefile that `verify` runs): see
    /// [`Harness::blended`].
    pub fn is_mixed(&self, path: &Path) -> bool {
        mixed::is_mixed(path, &self.named)
    }

    /// A mixed file as it is `now`, but with the parts that steer `verify` as they stood `then`. None where they are the same,
    /// or where it cannot be told. `stands` says whether a file stood there then and does so now.
    pub fn blended(&self, path: &Path, then: &[u8], now: &[u8], stands: &dyn Fn(&Path) -> bool) -> Option<Vec<u8>> {
        self.is_mixed(path).then(|| mixed::blended(path, then, now, &self.named, stands)).flatten()
    }

    /// How the goal comes to change these files too: a command line, in backticks.
    pub fn declare<'p>(&self, goal: &str, files: impl Iterator<Item = &'p Path>) -> String {
        remedy::declare(goal, files.map(|path| path.strip_prefix(&self.root).unwrap_or(path)))
    }

    /// The goal says that this file may be changed.
    pub fn may_change(&self, path: &Path) -> bool {
        let bytes = path.as_os_str().as_bytes();
        let within = path.strip_prefix(&self.root).unwrap_or(path).as_os_str().as_bytes();
        self.globs.iter().any(|glob| glob.covers(within) || (glob.is_path() && glob.covers(bytes)))
    }
}

/// A path below the top, without `.` and `..`; none where it leaves it.
pub(super) fn below(folder: &Path, path: &str) -> Option<PathBuf> {
    let mut whole = PathBuf::new();
    for part in folder.join(path).components() {
        match part {
            Component::Normal(name) => whole.push(name),
            Component::CurDir => {}
            Component::ParentDir => {
                if !whole.pop() {
                    return None;
                }
            }
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(whole).filter(|path| !path.as_os_str().is_empty())
}

#[cfg(test)]
mod tests;
