//! Decides which files determine the result of `verify`: tests by the convention of their language, files that `verify`
//! runs, and files that its runner loads automatically (`SIGNOFF.md` §3). It reads no files itself.
//!
//! Paths are relative to the top of the work tree. `may_change` and `verify` are relative to the plan's root.

mod carried;
mod convention;
mod interpreters;
mod make_call;
mod makefile;
mod manifest;
mod mixed;
mod named;
mod packages;
mod script_calls;
mod tasks;

use std::collections::BTreeSet;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path, PathBuf};

pub use convention::{is_code, is_test};
pub(super) use interpreters::unversioned;
pub use makefile::is_makefile;
pub(super) use named::is_check_file;

use super::remedy;
use crate::lang::python::modules;
use crate::lang::toolchain::NamedFile;
use crate::lang::{self, loaders};
use crate::plan::glob::Glob;
use crate::shell::strict::Sequence;

/// The harness of one goal: the files that decide the result of its `verify`.
#[derive(Clone, Debug, Default)]
pub struct Harness {
    root: PathBuf,
    named: named::NamedFiles,
    globs: Vec<Glob>,
    /// Files of the product that only look like tests.
    product: BTreeSet<PathBuf>,
}

impl Harness {
    /// Returns the harness of a goal's `verify`. `root` is the plan's root, relative to the top and empty for the top itself.
    /// `read` returns a file as it was at the goal's start, or `None`; it is called for scripts, `package.json`,
    /// makefiles and files of other task runners that `verify` uses.
    pub fn of(
        verify: Option<&Sequence>,
        root: &Path,
        may_change: &[String],
        read: &dyn Fn(&Path) -> Option<Vec<u8>>,
    ) -> Self {
        let named = verify.map(|sequence| named::of(sequence, root, read)).unwrap_or_default();
        // A pattern that cannot be parsed is skipped; lint reports it.
        let globs = may_change.iter().filter_map(|glob| Glob::parse(glob).ok()).collect();
        Harness { root: root.to_owned(), named, globs, product: BTreeSet::new() }
    }

    /// Treats these files as product files from now on, even if their names look like tests.
    pub fn leave_out(&mut self, product: Vec<PathBuf>) {
        self.product.extend(product);
    }

    /// Whether this is a test or harness file: by convention, because `verify` runs it, or because the runner loads it
    /// by name. The gate reads these files from the base, except those under [`Harness::may_change`].
    /// [`Harness::is_mixed`] is separate.
    pub fn is_harness(&self, path: &Path) -> bool {
        // An existing build script is part of the work.
        let build_script = path.file_name().is_some_and(|name| name == "build.rs");
        is_test(path) && !self.product.contains(path)
            || (self.is_named(path) && !self.is_aside(path))
            || (self.is_autoload(path, None) && !build_script)
    }

    /// Whether `verify` runs this file, and does not only read it: a script, a module, or a test file given to a runner.
    pub fn is_named(&self, path: &Path) -> bool {
        self.named.files.contains(path)
    }

    /// Whether the file is a settings file that only steers how verify, a script or a recipe runs, judging by its name.
    pub fn is_run_setting(&self, path: &Path) -> bool {
        self.named.settings.contains(path) && !is_test(path)
    }

    /// Whether the file is harness only because verify names it. It may be the work with its check inside.
    pub fn is_only_named(&self, path: &Path) -> bool {
        self.is_named(path) && !is_test(path) && !self.is_autoload(path, None)
    }

    /// Whether the file runs inside a script or a recipe in which a later command decides the result. It may be the work
    /// (a program whose output is checked, a build) or a test.
    pub fn is_aside(&self, path: &Path) -> bool {
        self.named.aside.contains(path) && !is_test(path)
    }

    /// Returns the command that adds these files to the goal's `may_change`, in backticks.
    pub fn declare<'p>(&self, goal: &str, files: impl Iterator<Item = &'p Path>) -> String {
        remedy::declare(goal, files.map(|path| path.strip_prefix(&self.root).unwrap_or(path)))
    }

    /// Whether the goal allows this file to change.
    pub fn may_change(&self, path: &Path) -> bool {
        let bytes = path.as_os_str().as_bytes();
        let within = path.strip_prefix(&self.root).unwrap_or(path).as_os_str().as_bytes();
        self.globs.iter().any(|glob| glob.covers(within) || (glob.is_path() && glob.covers(bytes)))
    }

    /// Whether the runner of this `verify` loads the file automatically. For files of which only some content is loaded
    /// (`setup.cfg`, `pyproject.toml`, `package.json`), `content` decides. Without content the answer is no, except for files
    /// that are loaded unless their content shows otherwise (`.npmrc`).
    pub fn is_autoload(&self, path: &Path, content: Option<&[u8]>) -> bool {
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return false };
        let text = || content.map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        // Make reads these files instead of `Makefile`.
        let is_first_makefile = matches!(name, "GNUmakefile" | "makefile") && self.named.makefiles.contains_key(path);
        is_first_makefile
            || (self.named.runs(lang::PYTHON) && self.shadows(path))
            || loaders::is_loaded(&NamedFile { name, path, text: &text }, |programs| self.named.runs(programs))
    }

    /// Whether Python imports this module or package of the repository instead of a module of the runner.
    fn shadows(&self, path: &Path) -> bool {
        let is_own = |module: &&str| modules::OF_RUNNERS.contains(module) || modules::LOADED.contains(module);
        self.imported(path).iter().any(is_own)
    }

    /// The names by which Python can import this file from its first import folders.
    fn imported<'p>(&self, path: &'p Path) -> Vec<&'p str> {
        let folders = self.named.imports.iter().chain([&self.root]);
        let inner = folders.filter_map(|folder| path.strip_prefix(folder).ok());
        let name = |rest: &'p Path| {
            let mut parts = rest.iter().filter_map(|part| part.to_str());
            match (parts.next(), parts.next(), parts.next()) {
                (Some(file), None, _) => module(file),
                (Some(package), Some(file), None) => file.ends_with(".py").then_some(package),
                _ => None,
            }
        };
        inner.filter_map(name).collect()
    }

    /// The module file that Python ignores in favour of this file if both exist: a package or a compiled module takes
    /// precedence over the source file with the same name.
    pub fn stands_before(&self, path: &Path) -> Option<PathBuf> {
        let name = path.file_name()?.to_str().filter(|_| self.named.runs(lang::PYTHON))?;
        let (folder, own) = (path.parent()?, module(name)?);
        match own {
            "__init__" => Some(folder.with_file_name(format!("{}.py", folder.file_name()?.to_str()?))),
            own => (!name.ends_with(".py")).then(|| folder.join(format!("{own}.py"))),
        }
    }

    /// The module of Python's standard library that this file shadows.
    pub fn standard_module<'p>(&self, path: &'p Path) -> Option<&'p str> {
        let is_its = |module: &&str| modules::STANDARD.contains(module) || modules::LOADED.contains(module);
        self.imported(path).into_iter().find(is_its).filter(|_| self.named.runs(lang::PYTHON))
    }

    /// Whether this is a Go module whose tests this `verify` may run.
    pub fn is_go_module(&self, path: &Path) -> bool {
        path.ends_with("go.mod") && self.named.runs(&["go"])
    }

    /// Whether this is a Go workspace, which may replace one module with another.
    pub fn is_go_workspace(&self, path: &Path) -> bool {
        path.ends_with("go.work") && self.named.runs(&["go"])
    }

    /// Whether this variable can make the programs of this `verify` load something else.
    pub fn heeds(&self, variable: &str) -> bool {
        loaders::heeding(variable).is_none_or(|programs| self.named.runs(programs))
    }
}

/// The name by which Python imports a file.
fn module(file: &str) -> Option<&str> {
    let (module, extension) = file.split_once('.')?;
    (matches!(extension, "py" | "pyc" | "so") || extension.ends_with(".so")).then_some(module)
}

/// Returns the path below the top, without `.` and `..`, or `None` if it leaves the top.
pub(in crate::gate) fn below(folder: &Path, path: &str) -> Option<PathBuf> {
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
