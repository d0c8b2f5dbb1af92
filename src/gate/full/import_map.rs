//! The `imports` of `package.json`: names such as `#engine` for files of the package. If only tests load a file by such a
//! name, its entry belongs to the tests.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use super::candidate::Candidate;
use crate::gate::harness::below;
use crate::gate::imports_tests;
use crate::repo::export::Layout;

/// The maximum number of source files that are searched for a name.
const SEARCHED: usize = 1000;

/// Returns the `package.json` of `now` with entries restored from `then`. An entry is restored if only the tests use it, it
/// changed, and its old file still exists in `into`. `None` if there is no such entry.
pub(super) fn restored(
    candidate: &Candidate<'_>,
    path: &Path,
    [then, now]: [&[u8]; 2],
    into: &Layout,
) -> Option<Vec<u8>> {
    let folder = path.file_name().filter(|name| *name == "package.json").and(path.parent())?;
    let (old, mut new): (Value, Value) = (serde_json::from_slice(then).ok()?, serde_json::from_slice(now).ok()?);
    let old = old.get("imports")?.as_object()?;
    let imports = new.as_object_mut()?.entry("imports").or_insert_with(|| serde_json::json!({})).as_object_mut()?;
    let names: BTreeSet<String> = old.keys().chain(imports.keys()).cloned().collect();
    let mut is_changed = false;
    for name in &names {
        if old.get(name) == imports.get(name) {
            continue;
        }
        // An exact name takes precedence over a pattern.
        let Some(was) = old.get(name).or_else(|| old.iter().find_map(|(key, was)| fits(key, name).then_some(was)))
        else {
            continue;
        };
        let (was, mut is) = (targets(was), imports.get(name).map(targets).unwrap_or_default());
        is.retain(|target| !was.contains(target));
        let stands = into.paths().any(|file| leads(folder, &was, file));
        if !stands || serves_product(candidate, folder, name, &is) {
            continue;
        }
        is_changed = true;
        match old.get(name) {
            Some(value) => drop(imports.insert(name.clone(), value.clone())),
            None => drop(imports.remove(name)),
        }
    }
    if is_changed { serde_json::to_vec_pretty(&new).ok() } else { None }
}

/// Whether product code loads something by this name, or one of these files, or is too much to search.
fn serves_product(candidate: &Candidate<'_>, folder: &Path, name: &str, targets: &[String]) -> bool {
    let files: BTreeSet<&Path> = candidate.last.paths().collect();
    let stem = name.split('*').next().unwrap_or(name);
    let end = |quote: &str| if stem == name { quote.to_owned() } else { String::new() };
    let quoted = ["'", "\"", "`"].map(|quote| format!("{quote}{stem}{}", end(quote)));
    let source: Vec<&Path> = files.iter().copied().filter(|path| candidate.is_source(path)).collect();
    source.len() > SEARCHED
        || source.iter().any(|path| {
            let bytes = candidate.now(path).ok().flatten().unwrap_or_default();
            let text = String::from_utf8_lossy(&bytes);
            quoted.iter().any(|quoted| text.contains(quoted))
                || imports_tests::imported_by(path, &text, &files).any(|file| leads(folder, targets, &file))
        })
}

/// The targets of an entry under all of its conditions.
fn targets(entry: &Value) -> Vec<String> {
    match entry {
        Value::String(text) => vec![text.clone()],
        Value::Array(all) => all.iter().flat_map(targets).collect(),
        Value::Object(all) => all.values().flat_map(targets).collect(),
        _ => Vec::new(),
    }
}

/// Whether one of the targets, relative to the folder, is this file or a pattern that matches it.
fn leads(folder: &Path, targets: &[String], file: &Path) -> bool {
    let fits = |target: &String| {
        below(folder, target).is_some_and(|whole| fits(&whole.to_string_lossy(), &file.to_string_lossy()))
    };
    targets.iter().any(fits)
}

/// Whether a text matches a pattern. A `*` matches any text.
fn fits(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        Some((start, end)) => text.strip_prefix(start).is_some_and(|rest| rest.ends_with(end)),
        None => pattern == text,
    }
}
