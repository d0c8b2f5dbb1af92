//! Files that a runner, an interpreter or a build loads automatically, by their names.

use std::path::{Path, PathBuf};

use super::named::NamedFiles;
use crate::lang::autoload::{self, NamedFile};
use crate::lang::python::modules;
use crate::lang::{self, loaders};

/// See [`Harness::is_autoload`](super::Harness::is_autoload).
pub(super) fn is_autoload(path: &Path, content: Option<&[u8]>, root: &Path, named: &NamedFiles) -> bool {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return false };
    let text = || content.map(|bytes| String::from_utf8_lossy(bytes).into_owned()).unwrap_or_default();
    // Make reads it instead of `Makefile`.
    let is_first_makefile = matches!(name, "GNUmakefile" | "makefile") && named.makefiles.contains_key(path);
    is_first_makefile
        || (named.runs_python() && shadows(path, root, named))
        || autoload::is_loaded(&NamedFile { name, path, text: &text }, |programs| named.runs(programs))
}

/// Whether Python imports this module or package of the repository instead of one of the runner's.
fn shadows(path: &Path, root: &Path, named: &NamedFiles) -> bool {
    imported(path, root, named)
        .into_iter()
        .any(|module| modules::OF_RUNNERS.contains(&module) || modules::LOADED.contains(&module))
}

/// The names by which Python can import this file from its first import folders.
fn imported<'p>(path: &'p Path, root: &Path, named: &NamedFiles) -> Vec<&'p str> {
    let folders = named.imports.iter().map(PathBuf::as_path).chain([root]);
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

/// The name by which Python imports a file.
fn module(file: &str) -> Option<&str> {
    let (module, extension) = file.split_once('.')?;
    (matches!(extension, "py" | "pyc" | "so") || extension.ends_with(".so")).then_some(module)
}

/// See [`Harness::stands_before`](super::Harness::stands_before).
pub(super) fn stands_before(path: &Path, named: &NamedFiles) -> Option<PathBuf> {
    let name = path.file_name()?.to_str().filter(|_| named.runs_python())?;
    let (folder, own) = (path.parent()?, module(name)?);
    match own {
        "__init__" => Some(folder.with_file_name(format!("{}.py", folder.file_name()?.to_str()?))),
        own => (!name.ends_with(".py")).then(|| folder.join(format!("{own}.py"))),
    }
}

/// See [`Harness::standard_module`](super::Harness::standard_module).
pub(super) fn standard_module<'p>(path: &'p Path, root: &Path, named: &NamedFiles) -> Option<&'p str> {
    let found = imported(path, root, named)
        .into_iter()
        .find(|module| modules::STANDARD.contains(module) || modules::LOADED.contains(module));
    found.filter(|_| named.runs_python())
}

/// See [`Harness::is_go_module`](super::Harness::is_go_module).
pub(super) fn is_of_go(path: &Path, name: &str, named: &NamedFiles) -> bool {
    path.file_name().is_some_and(|own| own == name) && named.runs(&["go"])
}

impl NamedFiles {
    pub(super) fn runs_python(&self) -> bool {
        self.runs(lang::PYTHON)
    }

    pub(super) fn runs_node(&self) -> bool {
        self.runs(lang::NODE)
    }

    pub(super) fn runs_cargo(&self) -> bool {
        self.runs(lang::RUST)
    }

    fn runs(&self, programs: &[&str]) -> bool {
        self.opaque || programs.iter().any(|program| self.programs.contains(*program))
    }
}

/// See [`Harness::heeds`](super::Harness::heeds).
pub(super) fn heeds(variable: &str, named: &NamedFiles) -> bool {
    loaders::heeding(variable).is_none_or(|programs| named.runs(programs))
}
