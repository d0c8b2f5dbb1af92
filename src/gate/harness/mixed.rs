//! Files that hold both work and harness: separates the part that steers `verify` from the rest.

use std::collections::BTreeSet;
use std::path::Path;

use super::packages::scripts_key;
use super::{Harness, makefile, manifest};
use crate::lang;

/// Keys of `package.json` that test runners read.
const RUNNER_KEYS: [&str; 8] = ["jest", "vitest", "mocha", "ava", "tap", "nyc", "c8", "babel"];
/// The script that `npm init` writes in place of a test. No work can make it pass.
const NO_TEST: &str = r#"echo "Error: no test specified" && exit 1"#;

impl Harness {
    /// Whether one file holds both work and harness (`package.json`, `pyproject.toml`, `Cargo.toml`, a makefile that
    /// `verify` runs); see [`Harness::blended`].
    pub fn is_mixed(&self, path: &Path) -> bool {
        let named = &self.named;
        match path.file_name().and_then(|name| name.to_str()) {
            Some("package.json") => named.package_scripts.contains_key(path) || named.runs(lang::NODE),
            Some("composer.json" | "deno.json") => named.package_scripts.contains_key(path),
            Some("pyproject.toml") => named.runs(lang::PYTHON),
            Some("Cargo.toml") => named.runs(lang::RUST),
            Some(_) => named.makefiles.contains_key(path) || named.included.contains_key(path),
            None => false,
        }
    }

    /// Returns a mixed file as in `now`, but with the parts that steer `verify` as in `then`. `None` if these parts are the
    /// same or cannot be determined. `stands` says whether a file existed then and exists now.
    pub fn blended(&self, path: &Path, then: &[u8], now: &[u8], stands: &dyn Fn(&Path) -> bool) -> Option<Vec<u8>> {
        if !self.is_mixed(path) {
            return None;
        }
        let (then, now) = (std::str::from_utf8(then).ok()?, std::str::from_utf8(now).ok()?);
        let blend = match path.file_name()?.to_str()? {
            "package.json" | "composer.json" | "deno.json" => {
                package(then, now, scripts_key(path), self.named.package_scripts.get(path))?
            }
            "Cargo.toml" => manifest::blended(then, now, path.parent()?, stands),
            "pyproject.toml" => sections(then, now, "tool.pytest"),
            _ => match self.named.included.get(path) {
                Some(targets) => makefile::included(then, now, targets),
                None => makefile::blended(then, now, self.named.makefiles.get(path)?),
            },
        };
        (blend != now).then(|| blend.into_bytes())
    }
}

/// Returns the `package.json` of `now`, or a file like it, with the scripts that run, which stand below `key`, and the runners'
/// own settings as in `then`.
fn package(then: &str, now: &str, key: &str, scripts: Option<&BTreeSet<String>>) -> Option<String> {
    let old: serde_json::Value = serde_json::from_str(then).ok()?;
    let mut new: serde_json::Value = serde_json::from_str(now).ok()?;
    let mut changed = false;
    let mut restore = |new: &mut serde_json::Value, old: &serde_json::Value, key: &str| {
        let Some(new) = new.as_object_mut() else { return };
        if new.get(key) != old.get(key) {
            changed = true;
            match old.get(key) {
                Some(value) => drop(new.insert(key.to_owned(), value.clone())),
                None => drop(new.remove(key)),
            }
        }
    };
    RUNNER_KEYS.iter().for_each(|key| restore(&mut new, &old, key));
    if let (Some(object), Some(names)) = (new.as_object_mut(), scripts) {
        let own = object.entry(key).or_insert_with(|| serde_json::json!({}));
        let is_written = |name: &&String| old[key][name.as_str()].as_str().is_none_or(|old| old.trim() != NO_TEST);
        names.iter().filter(is_written).for_each(|name| restore(own, &old[key], name));
    }
    if changed { serde_json::to_string_pretty(&new).ok() } else { Some(now.to_owned()) }
}

/// Returns `now` with the tables below `prefix` as in `then`. It works on lines, so everything else stays as written.
fn sections(then: &str, now: &str, prefix: &str) -> String {
    let (mine, _) = split_sections(then, prefix);
    let (theirs, rest) = split_sections(now, prefix);
    if mine == theirs { now.to_owned() } else { format!("{rest}\n{mine}") }
}

/// The lines of the tables below `prefix`, and all other lines.
fn split_sections(text: &str, prefix: &str) -> (String, String) {
    let (mut within, mut inside, mut outside) = (false, String::new(), String::new());
    for line in text.split_inclusive('\n') {
        if let Some(name) = line.trim().strip_prefix('[') {
            let name = name.trim_start_matches('[').split(']').next().unwrap_or_default().trim();
            within = name == prefix || name.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('.'));
        }
        if within { inside.push_str(line) } else { outside.push_str(line) }
    }
    (inside, outside)
}
