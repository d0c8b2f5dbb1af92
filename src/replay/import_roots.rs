//! Editable installs: Python finds the packages of the work tree from anywhere (`pip install -e .`, `uv sync`), so a run in the
//! export would import them from the work tree. To prevent that, their folders in the export come first in `PYTHONPATH`.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::{Replay, RunOutcome, Stop};
use crate::process::environment::Environment;
use crate::repo::export::Layout;

impl Replay<'_> {
    /// Makes later runs import from the export if verify imports from the work tree on every run on `layout`, on which it is
    /// green. Nothing changes if verify is not green then, or still reads the work tree.
    pub(crate) fn import_from_export(&mut self, layout: &Layout) -> Result<(), Stop> {
        // Another program may have opened the files by chance: only a second run shows that verify imports them.
        if import_roots(&self.opened, layout).is_empty() || self.reads(layout)?.is_none() {
            return Ok(());
        }
        self.import_roots = import_roots(&self.opened, layout);
        let opened = std::mem::take(&mut self.opened);
        self.forget_builds(layout)?;
        let outcome = self.again(layout, "the tree, with its own packages first")?;
        self.is_reading = outcome != RunOutcome::Green || !self.opened.is_empty();
        if self.is_reading {
            self.import_roots.clear();
            self.opened = opened;
        }
        Ok(())
    }

    /// Returns the environment in which Python imports from the export first, if that is needed.
    pub(super) fn importing(&self, environment: Environment) -> Environment {
        if self.import_roots.is_empty() {
            return environment;
        }
        let own = environment.get("PYTHONPATH").unwrap_or_default();
        let roots = self.import_roots.iter().map(|root| self.export.folder().join(root));
        let paths = roots.chain(std::env::split_paths(&own).filter(|path| !path.as_os_str().is_empty()));
        match std::env::join_paths(paths) {
            Ok(joined) => environment.set("PYTHONPATH", joined),
            Err(_) => environment,
        }
    }
}

/// Returns the folders that contain the packages and modules among the opened paths.
fn import_roots(opened: &BTreeSet<PathBuf>, layout: &Layout) -> BTreeSet<PathBuf> {
    let is_python = |path: &Path| path.extension() == Some(OsStr::new("py"));
    let python: BTreeSet<&Path> = layout.paths().filter(|path| is_python(path)).filter_map(Path::parent).collect();
    let folders = opened.iter().filter_map(|path| match layout.get(path) {
        Some(_) => path.parent().filter(|_| is_python(path)),
        // For a module that is already compiled, Python opens only its folder.
        None => Some(path.as_path()).filter(|folder| python.contains(folder)),
    });
    let is_package = |folder: &&Path| layout.get(&folder.join("__init__.py")).is_some();
    folders.filter_map(|folder| folder.ancestors().find(|above| !is_package(above))).map(Path::to_owned).collect()
}
