//! Reads plain makefiles: finds the recipes that `verify` runs and restores the changed ones.

mod variables;

use std::collections::BTreeSet;
use std::path::Path;

use crate::lang::loaders;
use crate::shell::is_shell;

/// The names of makefiles, in the order in which make looks for them.
pub(super) const NAMES: [&str; 3] = ["GNUmakefile", "makefile", "Makefile"];

/// Whether the name of a file says that it is a makefile, or a part of one.
pub fn is_makefile(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    NAMES.contains(&name) || name.ends_with(".mk")
}

struct Rule<'t> {
    targets: Vec<&'t str>,
    needs: Vec<&'t str>,
    header: std::ops::Range<usize>,
    recipe: std::ops::Range<usize>,
}

impl Rule<'_> {
    /// The header and the recipe, as in the text from which they were read.
    fn whole<'t>(&self, text: &'t str) -> &'t str {
        text[self.header.start..self.recipe.end].trim_end()
    }

    /// The header, then the recipe.
    fn parts<'t>(&self, text: &'t str) -> [&'t str; 2] {
        [self.header.clone(), self.recipe.clone()].map(|range| &text[range])
    }
}

/// Reads the plain rules of a makefile. Other lines between the rules belong to no rule.
fn rules(text: &str) -> Vec<Rule<'_>> {
    let mut rules: Vec<Rule<'_>> = Vec::new();
    let (mut at, mut open) = (0, false);
    for line in text.split_inclusive('\n') {
        let range = at..at + line.len();
        at = range.end;
        if line.starts_with('\t') {
            if let Some(rule) = rules.last_mut().filter(|_| open) {
                rule.recipe.end = range.end;
            }
            continue;
        }
        let head = line.split_once(':').filter(|(names, rest)| {
            open = !names.trim().is_empty()
                && !names.starts_with([' ', '#', '.'])
                && !names.contains('=')
                && !rest.starts_with('=');
            open
        });
        let Some((names, needs)) = head else {
            open = open && line.trim().is_empty();
            continue;
        };
        rules.push(Rule {
            targets: names.split_whitespace().collect(),
            needs: needs.trim_start_matches(':').split(';').next().unwrap_or_default().split_whitespace().collect(),
            header: range.clone(),
            recipe: range.end..range.end,
        });
    }
    rules
}

/// Returns the rules of the requested targets; without targets, the first rule.
fn asked<'r, 't>(rules: &'r [Rule<'t>], targets: &BTreeSet<String>) -> Vec<&'r Rule<'t>> {
    match targets.is_empty() {
        true => rules.iter().take(1).collect(),
        false => rules.iter().filter(|rule| rule.targets.iter().any(|name| targets.contains(*name))).collect(),
    }
}

/// The files that a makefile includes by a plain name.
pub(super) fn includes(text: &str) -> impl Iterator<Item = &str> {
    let words = text.lines().filter_map(|line| line.trim_start().split_once(char::is_whitespace));
    let files = words.filter(|(word, _)| matches!(*word, "include" | "-include" | "sinclude"));
    files.flat_map(|(_, names)| names.split_whitespace()).filter(|name| !name.contains(['$', '*', '?', '[']))
}

/// Returns an included file without its new rules for the requested targets.
fn without_asked(then: &str, now: &str, targets: &BTreeSet<String>) -> String {
    let mut text = now.to_owned();
    let is_asked = |rule: &&Rule<'_>| rule.targets.iter().any(|name| targets.contains(*name));
    let had = |rule: &Rule<'_>| then.contains(rule.whole(now));
    for rule in rules(now).iter().filter(is_asked).filter(|rule| !had(rule)).rev() {
        text.replace_range(rule.header.start..rule.recipe.end, "");
    }
    text
}

/// Whether a line makes make run something else, or ignore errors: `.IGNORE`, another shell, `MAKEFLAGS += -i`.
fn steers(line: &str) -> bool {
    let line = line.trim().trim_start_matches("export ").trim_start_matches("override ").trim_start();
    if line.strip_prefix(".IGNORE").is_some_and(|rest| rest.trim_start().starts_with(':')) {
        return true;
    }
    let Some((name, value)) = line.split_once('=') else { return false };
    let value = value.split('#').next().unwrap_or_default();
    let letters = |word: &str, bad: &[char]| !word.starts_with("--") && !word.contains('=') && word.contains(bad);
    match name.trim_end_matches([':', '?', '+', '!']).trim() {
        "SHELL" => {
            let path = value.split_whitespace().next().unwrap_or_default();
            let program = path.rsplit('/').next();
            // A program of the repository may have the name of a shell. The output of `$(shell …)` is unknown.
            let is_own = path.contains('/') && !path.starts_with('/') && !path.starts_with("$(shell");
            let is_no_shell = program.is_some_and(|name| !is_shell(name) && !matches!(name, "env" | "pwsh"));
            !value.trim().is_empty() && (is_own || !value.contains('$') && is_no_shell)
        }
        "PATH" => {
            let is_own = |folder: &str| ["$(CURDIR)", "$(PWD)", "./"].iter().any(|own| folder.trim().starts_with(own));
            let is_installed = |folder: &str| {
                let folder = folder.trim().trim_end_matches('/');
                ["node_modules/.bin", "venv/bin", "vendor/bin"].iter().any(|end| folder.ends_with(end))
            };
            value.split(':').any(|folder| is_own(folder) && !is_installed(folder))
        }
        // A path to sources is ordinary; the other variables put code into the runner.
        name if loaders::is_loader(name)
            && name != "ENV"
            && !name.ends_with("PATH")
            && !name.ends_with("MAKEFLAGS") =>
        {
            true
        }
        ".SHELLFLAGS" => value.split_whitespace().any(|word| word.starts_with('-') && letters(word, &['n'])),
        "MAKEFLAGS" | "GNUMAKEFLAGS" => value.split_whitespace().any(|word| {
            const LONG: [&str; 6] =
                ["--ignore-errors", "--dry-run", "--just-print", "--recon", "--touch", "--question"];
            LONG.contains(&word) || !word.contains('$') && letters(word, &['i', 'n', 't', 'q'])
        }),
        _ => false,
    }
}

/// Returns `now` without the steering lines that `then` lacks.
fn unsteered(then: &str, now: &str) -> String {
    let is_new = |line: &&str| steers(line) && !then.lines().any(|old| old.trim() == line.trim());
    now.split_inclusive('\n').filter(|line| line.starts_with('\t') || !is_new(line)).collect()
}

/// Returns the lines that make runs for these targets and their prerequisites, as a shell gets them.
pub(super) fn recipes(text: &str, targets: &BTreeSet<String>) -> Vec<String> {
    let rules = rules(text);
    let mut wanted: BTreeSet<String> = asked(&rules, targets)
        .iter()
        .flat_map(|rule| rule.targets.iter().chain(&rule.needs))
        .map(|name| (*name).to_owned())
        .collect();
    wanted.extend(targets.iter().cloned());
    let mut lines: Vec<&Rule<'_>> =
        rules.iter().filter(|rule| rule.targets.iter().any(|name| wanted.contains(*name))).collect();
    // Make finishes the requested target last.
    let asked: Vec<usize> = asked(&rules, targets).iter().map(|rule| rule.header.start).collect();
    lines.sort_by_key(|rule| asked.contains(&rule.header.start));
    let lines = lines.into_iter().flat_map(|rule| text[rule.recipe.clone()].lines());
    lines
        .map(|line| line.trim_start().trim_start_matches(['@', '-', '+']).to_owned())
        .filter(|line| !line.is_empty())
        .collect()
}

/// Returns `now` with the recipes and prerequisites of the requested targets as in `then`.
pub(super) fn blended(then: &str, now: &str, targets: &BTreeSet<String>) -> String {
    let now = &*unsteered(then, now);
    let old = rules(then);
    let asked_then = asked(&old, targets);
    let now = &*variables::restored(then, now, asked_then.iter().map(|rule| rule.parts(then)));
    let new = rules(now);
    let mut blend = now.to_owned();
    let mut missing: Vec<&str> = Vec::new();
    // The value of a variable may insert more than a name.
    let is_plain = now.lines().filter(|line| !then.contains(line.trim())).all(|line| {
        let says = !line.starts_with('\t') && !line.trim_start().starts_with('#');
        !(says && (line.contains(['|', ';', '&', '`']) || line.contains("define ") || line.contains("include ")))
    });
    for rule in asked(&new, targets).into_iter().rev() {
        let Some(was) = asked_then.iter().find(|was| was.targets == rule.targets) else { continue };
        let whole = was.whole(then);
        if whole != rule.whole(now) && !(is_plain && is_renamed((was, then), (rule, now))) {
            blend.replace_range(rule.header.start..rule.recipe.end, &format!("{whole}\n"));
            missing.extend(was.needs.iter().copied());
        }
    }
    // The original prerequisites may need rules that the work removed or renamed.
    let has_rule = |blend: &str, name: &str| rules(blend).iter().any(|rule| rule.targets.contains(&name));
    while let Some(name) = missing.pop() {
        let Some(was) = old.iter().find(|was| was.targets.contains(&name)) else { continue };
        if !has_rule(&blend, name) {
            blend = format!("{}\n{}\n", blend.trim_end_matches('\n'), was.whole(then));
            missing.extend(was.needs.iter().copied());
        }
    }
    blend
}

/// The same as [`blended`] for a file that the makefile with these targets includes.
pub(super) fn included(then: &str, now: &str, targets: &BTreeSet<String>) -> String {
    blended(then, &without_asked(then, now, targets), &BTreeSet::new())
}

/// Whether two rules differ only in names from variables: in prerequisites, or in arguments of their commands.
fn is_renamed((was, then): (&Rule<'_>, &str), (is, now): (&Rule<'_>, &str)) -> bool {
    let same_need = |(old, new): (&&str, &&str)| old == new || old.starts_with("$(") && new.starts_with("$(");
    !now[is.header.clone()].contains(';')
        && was.needs.len() == is.needs.len()
        && was.needs.iter().zip(&is.needs).all(same_need)
        && only_renamed(&then[was.recipe.clone()], &now[is.recipe.clone()])
}

/// Whether two recipes run the same programs and scripts, and differ only in arguments from variables (`$(BIN)`), such as
/// the build path of the tested program. The original recipe may name files that are gone.
fn only_renamed(then: &str, now: &str) -> bool {
    let [old, new] =
        [then, now].map(|text| text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>());
    let is_same = |(old, new): (&&str, &&str)| old == new || same_call(old, new);
    !old.is_empty() && old.len() == new.len() && old.iter().zip(&new).all(is_same)
}

fn same_call(old: &str, new: &str) -> bool {
    // Nothing may discard the exit status, and no name may stand for such an operator.
    let plain =
        |line: &str| !line.starts_with('-') && !line.contains(['|', ';', '&', '>', '<', '`', '#', '\'', '"', '\\']);
    let is_given = |word: &str| word.starts_with("$(") && word.ends_with(')') || word.starts_with("./$(");
    let (old, new): (Vec<&str>, Vec<&str>) = (old.split(' ').collect(), new.split(' ').collect());
    let named = old.first().zip(new.first()).is_some_and(|(old, new)| old == new && !old.contains('$'));
    // A variable must not supply the script or the program itself.
    let script = old.iter().skip(1).position(|word| !word.starts_with('-')).map_or(0, |at| at + 1);
    named
        && plain(&old.join(" "))
        && plain(&new.join(" "))
        && old.len() == new.len()
        && script > 0
        && old.iter().zip(&new).enumerate().all(|(at, (old, new))| {
            old == new || at > script && !new.starts_with('-') && is_given(old) && is_given(new)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    // P-5
    #[test]
    fn a_rule_that_an_original_prerequisite_needs_comes_back() {
        let then = "all: out/a\nsetup: tools\n\tmkdir -p out\ntools:\n\ttouch tools\ntest: setup all\n\tgrep a out/a\n";
        let now = "all: out/a\nout:\n\tmkdir -p $@\ntest: all\n\tgrep a out/a\n";
        let blend = blended(then, now, &BTreeSet::from(["test".to_owned()]));
        let expected = "all: out/a\nout:\n\tmkdir -p $@\ntest: setup all\n\tgrep a out/a\nsetup: tools\n\tmkdir -p out\ntools:\n\ttouch tools\n";
        assert_eq!(blend, expected);
    }

    // P-5
    #[test]
    fn a_shell_or_a_path_of_the_repository_steers() {
        for line in [
            "SHELL = ./tools/sh", "SHELL := $(CURDIR)/tools/bash", "export PATH := $(CURDIR)/tools:$(PATH)",
            "export NODE_OPTIONS = --require ./a.js", "export BASH_ENV=tools/env",
        ] {
            assert!(steers(line), "{line}");
        }
        for line in [
            "export PYTHONPATH := src",
            "export PATH := $(CURDIR)/node_modules/.bin:$(PATH)",
            "SHELL = $(shell which bash)",
            "SHELL := /usr/bin/env bash",
            "ENV = test",
            "PATH := $(HOME)/bin:$(PATH)",
        ] {
            assert!(!steers(line), "{line}");
        }
    }
}
