//! `autoload-added`: the work added a file that the test runner, the build or the interpreter loads automatically.

use std::path::Path;

use super::Finding;
use super::facts::{ChangedFile, Facts};
use crate::repo::Change;

/// How many findings are shown; more say nothing new.
const MOST: usize = 5;

/// Returns a finding for each such file.
pub(super) fn find(facts: &Facts<'_>) -> Vec<Finding> {
    facts.verify.map_or_else(Vec::new, |_| {
        let changed = facts.base.iter().flat_map(|base| &base.changed);
        let added = changed.filter(|file| is_added(file, facts) && !facts.harness.may_change(&file.path));
        let finding = |file: &ChangedFile| {
            let seen = format!(
                "`{}` is new since the goal's start, and {} loads it automatically",
                file.path.display(),
                loader(&file.path)
            );
            let declare = facts.harness.declare(facts.goal.name(), std::iter::once(file.path.as_path()));
            let resolve = format!("remove the file; if the goal requires it: {declare}");
            let expected = "no new file that changes how tests are found or run";
            Finding::of(facts.depth, "autoload-added", expected, seen, &resolve).at(file.path.to_string_lossy())
        };
        added.map(finding).take(MOST).collect()
    })
}

/// What loads a file of this name.
fn loader(path: &Path) -> &'static str {
    let is_cargos = path.parent().is_some_and(|folder| folder.ends_with(".cargo"));
    match path.file_name().and_then(|name| name.to_str()) {
        Some("GNUmakefile" | "makefile") => "make",
        Some("build.rs") => "Cargo",
        _ if is_cargos => "Cargo",
        Some("sitecustomize.py" | "usercustomize.py") => "Python",
        _ => "the test runner",
    }
}

/// Whether the file is new, or an old file that now holds settings of a runner for the first time.
fn is_added(file: &ChangedFile, facts: &Facts<'_>) -> bool {
    let autoload = |text: &Option<String>| facts.harness.is_autoload(&file.path, text.as_ref().map(String::as_bytes));
    match file.change {
        Change::Added => autoload(&file.now),
        Change::Modified => file.then.is_some() && autoload(&file.now) && !autoload(&file.then),
        Change::Removed | Change::Permission => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // P-5
    #[test]
    fn what_loads_a_file_is_told_by_its_name() {
        for (path, name) in [
            ("build.rs", "Cargo"),
            ("a/.cargo/config.toml", "Cargo"),
            ("GNUmakefile", "make"),
            ("lib/sitecustomize.py", "Python"),
            ("tests/conftest.py", "the test runner"),
        ] {
            assert_eq!(loader(Path::new(path)), name, "{path}");
        }
    }
}
