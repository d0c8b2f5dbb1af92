//! The environment of a run in an export.

use std::path::{Path, PathBuf};

use crate::process::environment::Environment;

/// The environment that verify has in place. Paths below the work tree `top` in lists (`PYTHONPATH`, `CARGO_TARGET_DIR`) lead
/// into the export at `folder`.
pub(super) fn relocated(top: &Path, folder: &Path) -> Environment {
    let mut environment = Environment::without_git();
    for (name, value) in environment.vars() {
        let paths: Vec<PathBuf> = std::env::split_paths(&value).collect();
        if name != "PWD" && name != "OLDPWD" && paths.iter().any(|path| path.starts_with(top)) {
            let inside = |path: PathBuf| path.strip_prefix(top).map(|inner| folder.join(inner)).unwrap_or(path);
            if let Ok(joined) = std::env::join_paths(paths.into_iter().map(inside)) {
                environment = environment.set(name, joined);
            }
        }
    }
    environment
}
