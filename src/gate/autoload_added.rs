//! `autoload-added`: the work added a file that the test runner, the build or the interpreter loads automatically. Other rows
//! find out whether it decides anything: they run the tests of the start without it, and change whatever it could excuse. Only
//! the fast gate, which runs nothing, has to suspect it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::facts::{ChangedFile, GateFacts};
use super::{Depth, GateFinding, GateLevel};
use crate::repo::PathChange;

/// How many findings are shown; more would say nothing new.
const MOST: usize = 5;

/// Returns a finding for each added file, or for each new package.
pub(super) fn find(facts: &GateFacts<'_>) -> Vec<GateFinding> {
    facts.verify.map_or_else(Vec::new, |_| {
        let changed = facts.base.iter().flat_map(|base| &base.changed);
        let added = changed.filter(|file| is_added(file, facts) && !facts.harness.may_change(&file.path));
        let (mut found, mut packages) = (Vec::new(), BTreeSet::new());
        for file in added {
            match package(&file.path) {
                Some(folder) if !packages.insert(folder.clone()) => {}
                folder => found.push(finding(facts, file, folder.as_deref())),
            }
        }
        found.truncate(MOST);
        found
    })
}

/// The finding about a file, or about the new package that it belongs to.
fn finding(facts: &GateFacts<'_>, file: &ChangedFile, package: Option<&Path>) -> GateFinding {
    let (shown, glob) = match package {
        Some(folder) => (folder, folder.join("**")),
        None => (file.path.as_path(), file.path.clone()),
    };
    let is = if file.change == PathChange::Added { "is new since the goal's start" } else { "has new settings" };
    let loads = match package {
        Some(_) => "anything that asks for it by name loads it".to_owned(),
        None => format!("{} loads it automatically", loader(&file.path)),
    };
    let seen = format!("`{}` {is}, and {loads}", shown.display());
    let declare = facts.harness.declare(facts.goal.name(), std::iter::once(glob.as_path()));
    let resolve = format!("remove it; if the goal requires it: {declare}");
    let expected = "no new file that changes how tests are found or run";
    let level = if facts.depth == Depth::Fast { GateLevel::Lead } else { GateLevel::Note };
    GateFinding::note("autoload-added", expected, seen, &resolve).level(level).at(file.path.to_string_lossy())
}

/// The folder of a package that Node finds by its name: `node_modules/left-pad`, `node_modules/@types/node`.
fn package(path: &Path) -> Option<PathBuf> {
    let mut folder = PathBuf::new();
    let mut parts = path.iter();
    loop {
        let part = parts.next()?;
        folder.push(part);
        if part == "node_modules" {
            break;
        }
    }
    let name = parts.next()?;
    folder.push(name);
    if name.to_string_lossy().starts_with('@') {
        folder.push(parts.next()?);
    }
    parts.next().is_some().then_some(folder)
}

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
fn is_added(file: &ChangedFile, facts: &GateFacts<'_>) -> bool {
    let autoload = |text: &Option<String>| facts.harness.is_autoload(&file.path, text.as_ref().map(String::as_bytes));
    match file.change {
        PathChange::Added => autoload(&file.now),
        PathChange::Modified => file.then.is_some() && autoload(&file.now) && !autoload(&file.then),
        PathChange::Removed | PathChange::Permission => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // P-5
    #[test]
    fn a_package_is_one_finding() {
        let of = |path: &str| package(Path::new(path)).map(|folder| folder.display().to_string());
        assert_eq!(of("web/node_modules/pad/lib/a.js").as_deref(), Some("web/node_modules/pad"));
        assert_eq!(of("node_modules/@types/node/a.d.ts").as_deref(), Some("node_modules/@types/node"));
        assert_eq!(of("node_modules/one.js"), None);
        assert_eq!(of("src/a.js"), None);
    }

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
