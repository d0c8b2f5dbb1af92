//! `build-narrowed`: a target, script, feature, package or job that the work removed from a build file. `approved-tests-red`
//! restores the parts that verify runs itself; other removals may be right, so this is a note for the judge.

use std::collections::BTreeSet;

use super::{at, changed};
use crate::gate::facts::{ChangedFile, GateFacts};
use crate::gate::harness::is_makefile;
use crate::gate::source_text::indent;
use crate::gate::{GateFinding, GateLevel, goal_text};
use crate::repo::PathChange;

const TARGET: &str = "target";

/// An entry in a build file: its kind and its name.
type Part = (&'static str, String);

pub(super) fn find(facts: &GateFacts<'_>) -> Vec<GateFinding> {
    let said = goal_text::of(facts.goal).join("\n");
    let all: Vec<&ChangedFile> = facts.base.iter().flat_map(|base| &base.changed).collect();
    // A part that another file lists now was moved.
    let now: BTreeSet<Part> = all.iter().flat_map(|file| parts(file, file.now.as_deref())).collect();
    let patterns: Vec<&str> = all.iter().flat_map(|file| made_by_pattern(file)).collect();
    let is_gone = |name: &str| {
        let mut removed = all.iter().filter(|file| file.change == PathChange::Removed);
        removed.any(|file| {
            file.path.ends_with(name) || file.path.iter().any(|part| part == name.rsplit('/').next().unwrap_or(name))
        })
    };
    let mut found = Vec::new();
    for file in changed(facts).filter(|file| file.now.is_some()) {
        let (had, has) = (parts(file, file.then.as_deref()), parts(file, file.now.as_deref()));
        let count = |parts: &BTreeSet<Part>, kind: &str| parts.iter().filter(|(other, _)| *other == kind).count();
        let left_out = had.iter().filter(|part| !now.contains(part));
        // If there are as many as before, the part was renamed.
        let fewer = left_out.filter(|(kind, name)| count(&has, kind) < count(&had, kind) && !is_gone(name));
        let unnamed = fewer.filter(|(_, name)| !names(&said, name));
        let lost = unnamed.filter(|(kind, name)| *kind != TARGET || !patterns.iter().any(|one| fits(one, name)));
        found.extend(lost.map(|part| note(file, part)));
    }
    found
}

fn note(file: &ChangedFile, (kind, name): &Part) -> GateFinding {
    let seen = format!("the {kind} `{name}` is no longer part of the build");
    let resolve = "put it back, or say in the goal why it goes";
    at(file, 1, "build-narrowed", "a build of everything that was built", seen, resolve).level(GateLevel::Note)
}

fn names(said: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '/' | '*');
    let last = name.rsplit('/').next().unwrap_or(name);
    said.split(|c| !is_part(c)).any(|word| word == name || word == last)
}

/// Returns the parts that a build file lists; none if it is no build file or cannot be parsed.
fn parts(file: &ChangedFile, text: Option<&str>) -> BTreeSet<Part> {
    let name = file.path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let text = text.unwrap_or_default();
    let is_yaml = file.path.extension().is_some_and(|ending| ending == "yml" || ending == "yaml");
    match name {
        _ if is_makefile(&file.path) => targets(text),
        "package.json" => of_package(text),
        "Cargo.toml" => of_toml(
            text,
            &[
                ("feature", &["features"]),
                ("member", &["workspace", "members"]),
                ("program", &["bin"]),
                ("example", &["example"]),
                ("benchmark", &["bench"]),
            ],
        ),
        "pyproject.toml" => of_toml(
            text,
            &[
                ("program", &["project", "scripts"]),
                ("extra", &["project", "optional-dependencies"]),
                ("package", &["tool", "setuptools", "packages"]),
            ],
        ),
        _ if file.path.starts_with(".github/workflows") && is_yaml => jobs(text),
        _ => BTreeSet::new(),
    }
}

/// Returns the targets of a makefile, without patterns, variables and names that begin with a dot.
fn targets(text: &str) -> BTreeSet<Part> {
    let rules = text.lines().filter(|line| !line.starts_with(['\t', ' ', '#', '.'])).filter_map(|line| {
        let (targets, rest) = line.split_once(':')?;
        (!rest.starts_with(['=', ':']) && !targets.contains(['=', '$', '%'])).then_some(targets)
    });
    rules.flat_map(str::split_whitespace).map(|target| (TARGET, target.to_owned())).collect()
}

/// Returns the current pattern targets of a makefile: `%.o` in `%.o: %.c` and in `$(OBJECTS): %.o: %.c`.
fn made_by_pattern(file: &ChangedFile) -> Vec<&str> {
    let text = file.now.as_deref().filter(|_| is_makefile(&file.path)).unwrap_or_default();
    let rules = text.lines().filter(|line| !line.starts_with(['\t', ' ', '#']));
    let targets = rules.filter_map(|line| Some(line.rsplit_once(':')?.0));
    targets.flat_map(|targets| targets.split([' ', ':'])).filter(|word| word.contains('%')).collect()
}

/// Whether a pattern such as `build/%.o` makes this target.
fn fits(pattern: &str, name: &str) -> bool {
    pattern.split_once('%').is_some_and(|(before, after)| {
        name.len() > before.len() + after.len() && name.starts_with(before) && name.ends_with(after)
    })
}

/// Returns the jobs of a workflow: the keys directly below `jobs:`.
fn jobs(text: &str) -> BTreeSet<Part> {
    let below = text.lines().skip_while(|line| line.trim_end() != "jobs:").skip(1);
    let below = below.filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
    let lines: Vec<&str> = below.take_while(|line| line.starts_with(' ')).collect();
    let first = lines.first().map(|line| indent(line));
    let keys = lines.iter().filter(|line| Some(indent(line)) == first).filter_map(|line| line.split_once(':'));
    keys.map(|(key, _)| ("job", key.trim().to_owned())).collect()
}

fn of_package(text: &str) -> BTreeSet<Part> {
    let Ok(package) = serde_json::from_str::<serde_json::Value>(text) else { return BTreeSet::new() };
    let scripts = package["scripts"].as_object().into_iter().flat_map(|scripts| scripts.keys());
    let workspaces = package["workspaces"].as_array().or_else(|| package["workspaces"]["packages"].as_array());
    let workspaces = workspaces.into_iter().flatten().filter_map(serde_json::Value::as_str);
    let scripts = scripts.map(|name| ("script", name.clone()));
    scripts.chain(workspaces.map(|name| ("workspace", name.to_owned()))).collect()
}

/// Returns the names at these keys: the keys of a table, the strings of a list, or the `name` values of a list of tables.
fn of_toml(text: &str, keys: &[(&'static str, &[&str])]) -> BTreeSet<Part> {
    let Ok(table) = text.parse::<toml::Table>() else { return BTreeSet::new() };
    let whole = toml::Value::Table(table);
    let mut found = BTreeSet::new();
    for (kind, path) in keys {
        let value = path.iter().try_fold(&whole, |value, key| value.get(key));
        let names: Vec<&str> = match value {
            Some(toml::Value::Table(table)) => table.keys().map(String::as_str).collect(),
            Some(toml::Value::Array(list)) => {
                list.iter().filter_map(|one| one.as_str().or_else(|| one.get("name")?.as_str())).collect()
            }
            _ => Vec::new(),
        };
        found.extend(names.into_iter().map(|name| (*kind, name.to_owned())));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(path: &str, text: &str) -> Vec<String> {
        let file = ChangedFile { path: path.into(), change: PathChange::Modified, then: None, now: None, link: None };
        parts(&file, Some(text)).into_iter().map(|(kind, name)| format!("{kind} {name}")).collect()
    }

    // P-5
    #[test]
    fn a_build_file_lists_its_parts() {
        let make = "CC := gcc\nall: app\n\napp lib.a: a.o\n\tcc -o $@ a.o: b\n.PHONY: all\n%.o: %.c\nX = a:b\n";
        assert_eq!(listed("Makefile", make), ["target all", "target app", "target lib.a"]);
        let workflow =
            "on: push\njobs:\n  # all\n  test:\n    steps:\n      - run: make\n  lint:\n    steps: []\nx: 1\n";
        assert_eq!(listed(".github/workflows/ci.yml", workflow), ["job lint", "job test"]);
        assert_eq!(listed("ci.yml", workflow), [""; 0]);
        let package = "{\"scripts\": {\"lint\": \"eslint .\"}, \"workspaces\": [\"packages/*\"]}";
        assert_eq!(listed("web/package.json", package), ["script lint", "workspace packages/*"]);
        let cargo = "[features]\ntls = []\n[workspace]\nmembers = [\"core\"]\n[[bin]]\nname = \"shop\"\n";
        assert_eq!(listed("Cargo.toml", cargo), ["feature tls", "member core", "program shop"]);
        assert_eq!(listed("pyproject.toml", "[project.scripts]\nshop = \"shop:main\"\n"), ["program shop"]);
        assert_eq!(listed("Cargo.toml", "[features"), [""; 0]);
    }

    // P-5
    #[test]
    fn a_pattern_rule_makes_what_single_rules_made() {
        let now = "OBJECTS := $(SOURCES:%.c=%.o)\n$(OBJECTS): out/%.o: %.c\n\tcc -c $<\n%.html: %.md style.css\n";
        let file = |path: &str| ChangedFile {
            path: path.into(),
            change: PathChange::Modified,
            then: None,
            now: Some(now.to_owned()),
            link: None,
        };
        assert_eq!(made_by_pattern(&file("web/Makefile")), ["out/%.o", "%.html"]);
        assert!(made_by_pattern(&file("notes.txt")).is_empty());
        assert!(fits("out/%.o", "out/a.o") && !fits("out/%.o", "a.o") && !fits("%.o", ".o") && !fits("%.o", "a.html"));
    }

    // P-5
    #[test]
    fn a_goal_names_a_part_by_its_name() {
        assert!(names("The feature `tls-old` goes", "tls-old") && names("Drop legacy", "crates/legacy"));
        assert!(!names("Mend tls", "tls-old") && !names("The test is green", "tests"));
    }
}
