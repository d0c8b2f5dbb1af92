//! Files that a runner, an interpreter or a build loads automatically, by their names.

use std::path::{Path, PathBuf};

use super::Harness;
use super::named::NamedFiles;
use crate::lang::python::modules;
use crate::lang::toolchain::NamedFile;
use crate::lang::{self, loaders};

impl Harness {
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

impl NamedFiles {
    pub(super) fn runs(&self, programs: &[&str]) -> bool {
        self.opaque || programs.iter().any(|program| self.programs.contains(*program))
    }
}

/// The name by which Python imports a file.
fn module(file: &str) -> Option<&str> {
    let (module, extension) = file.split_once('.')?;
    (matches!(extension, "py" | "pyc" | "so") || extension.ends_with(".so")).then_some(module)
}
