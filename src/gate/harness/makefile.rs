//! Reads plain makefiles: finds the recipes that `verify` runs and restores the changed ones.

use std::collections::BTreeSet;

use crate::lang::loaders;
use crate::shell::is_shell;

/// The names of makefiles, in the order in which make looks for them.
pub(super) const NAMES: [&str; 3] = ["GNUmakefile", "makefile", "Makefile"];

/// A rule of a makefile: its lines and its targets.
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

/// Whether a line makes make run something other than its recipes, or ignore errors: `.IGNORE`, another shell,
/// `MAKEFLAGS += -i`.
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
    let now = &*with_programs(then, now, targets);
    let (old, new) = (rules(then), rules(now));
    let mut blend = now.to_owned();
    // The value of a variable may insert more than a name.
    let is_plain = now.lines().filter(|line| !then.contains(line.trim())).all(|line| {
        let says = !line.starts_with('\t') && !line.trim_start().starts_with('#');
        !(says && (line.contains(['|', ';', '&', '`']) || line.contains("define ") || line.contains("include ")))
    });
    for rule in asked(&new, targets).into_iter().rev() {
        let Some(was) = asked(&old, targets).into_iter().find(|was| was.targets == rule.targets) else { continue };
        let whole = was.whole(then);
        if whole != rule.whole(now) && !(is_plain && is_renamed((was, then), (rule, now))) {
            blend.replace_range(rule.header.start..rule.recipe.end, &format!("{whole}\n"));
        }
    }
    blend
}

/// Restores the variables from `then` whose value a requested recipe of `then` runs as its program (`$(RUN) tests/run.sh`), and
/// those that list the tests (`check: $(TESTS)`), unless the list only grew: more tests ask for more.
fn with_programs(then: &str, now: &str, targets: &BTreeSet<String>) -> String {
    let rules = rules(then);
    let asked = asked(&rules, targets);
    let recipes = asked.iter().flat_map(|rule| then[rule.recipe.clone()].lines());
    let mut programs: BTreeSet<&str> = recipes.filter_map(program).collect();
    let lists: BTreeSet<&str> = asked
        .iter()
        .flat_map(|rule| rule.whole(then).split('$').skip(1))
        .filter_map(variable)
        .filter(|name| is_test_list(name) && !programs.contains(name))
        .collect();
    let mut text = now.to_owned();
    for name in &lists {
        if !only_grew(then, now, name) {
            text = with_variable(then, &text, name);
        }
    }
    let mut seen = BTreeSet::new();
    // The value may name its program by another variable.
    while let Some(name) = programs.pop_first() {
        if !seen.insert(name) {
            continue;
        }
        programs.extend(assignments(then, name).iter().filter_map(|at| program(then[at.clone()].split_once('=')?.1)));
        text = with_variable(then, &text, name);
    }
    text
}

/// Returns `now` with the assignments to a variable as in `then`, in the place of its first one; unchanged if `then` has none.
fn with_variable(then: &str, now: &str, name: &str) -> String {
    let old: String = assignments(then, name).into_iter().map(|at| &then[at]).collect();
    let new = assignments(now, name);
    if old.is_empty() || old == new.iter().map(|at| &now[at.clone()]).collect::<String>() {
        return now.to_owned();
    }
    let mut text = now.to_owned();
    for at in new.iter().skip(1).rev() {
        text.replace_range(at.clone(), "");
    }
    text.replace_range(new.first().cloned().unwrap_or(0..0), &old);
    text
}

/// Whether a variable of this name lists tests: `TESTS`, `UNIT_TEST_FILES`, `SPECS`.
fn is_test_list(name: &str) -> bool {
    let words = name.split(['_', '-', '.']).map(str::to_ascii_lowercase);
    words.into_iter().any(|word| matches!(word.as_str(), "test" | "tests" | "spec" | "specs"))
}

/// Whether each word of the old list is in the new one, and each new word is a plain name.
fn only_grew(then: &str, now: &str, name: &str) -> bool {
    let words = |text: &str| -> BTreeSet<String> {
        let values = assignments(text, name)
            .into_iter()
            .filter_map(|at| text[at].split_once('=').map(|(_, value)| value.to_owned()));
        values
            .flat_map(|value| value.replace('\\', " ").split_whitespace().map(str::to_owned).collect::<Vec<_>>())
            .collect()
    };
    let (old, new) = (words(then), words(now));
    let is_plain = |word: &String| {
        word.chars().all(|c| c.is_alphanumeric() || "_./%*".contains(c)) || word.contains('-') && !word.starts_with('-')
    };
    old.is_subset(&new) && new.difference(&old).all(is_plain)
}

/// Returns the variable whose value is the program of a line.
fn program(line: &str) -> Option<&str> {
    variable(line.trim_start().trim_start_matches(['@', '-', '+']).trim_start().strip_prefix('$')?)
}

/// Returns the variable that a text after a `$` begins with: `(NAME)`, `{NAME}`.
fn variable(text: &str) -> Option<&str> {
    let (inner, close) =
        text.strip_prefix('(').map(|rest| (rest, ')')).or(text.strip_prefix('{').map(|rest| (rest, '}')))?;
    let (name, _) = inner.split_once(close)?;
    // `$(TESTS:.c=)` is made of the same list.
    let name = name.split(':').next().unwrap_or(name);
    // Make itself sets `MAKE`, and a call of a function is no variable.
    let is_name = name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
    (is_name && name != "MAKE").then_some(name)
}

/// Returns the places of the assignments to a variable, each with the lines that continue it.
fn assignments(text: &str, name: &str) -> Vec<std::ops::Range<usize>> {
    let is_one = |line: &str| {
        let line = line.trim_start_matches("export ").trim_start_matches("override ");
        let Some(rest) = line.strip_prefix(name) else { return false };
        rest.trim_start().trim_start_matches([':', '?', '+', '!']).starts_with('=')
    };
    let mut found: Vec<std::ops::Range<usize>> = Vec::new();
    let (mut at, mut goes_on) = (0, false);
    for line in text.split_inclusive('\n') {
        let range = at..at + line.len();
        at = range.end;
        match goes_on {
            true => found.iter_mut().next_back().into_iter().for_each(|last| last.end = range.end),
            false if is_one(line) => found.push(range),
            false => continue,
        }
        goes_on = line.trim_end_matches(['\n', '\r']).ends_with('\\');
    }
    found
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
    let lines = |text: &'_ str| text.lines().map(str::trim).filter(|line| !line.is_empty()).count();
    let (old, new) = (then.lines().map(str::trim), now.lines().map(str::trim));
    let full = |line: &&str| !line.is_empty();
    lines(then) > 0
        && lines(then) == lines(now)
        && old.filter(full).zip(new.filter(full)).all(|(old, new)| old == new || same_call(old, new))
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

    fn blend(then: &str, now: &str) -> String {
        blended(then, now, &BTreeSet::from(["check".to_owned()]))
    }

    // P-5
    #[test]
    fn the_program_of_a_recipe_is_that_of_the_start() {
        let then = "SH = sh\nRUN = $(SH)\nN = 1\ncheck:\n\t@$(RUN) tests/run.sh $(N)\n";
        for (old, new) in [("RUN = $(SH)", "RUN = sh -c 'sed 5 | sh'"), ("SH = sh\n", "SH = sh tools/run\n")] {
            let blend = blend(then, &then.replace(old, new));
            assert!(blend.contains(old) && !blend.contains(new), "{blend}");
        }
        let circle = then.replace("SH = sh", "SH = $(RUN)");
        assert!(blend(&circle, then).contains("SH = $(RUN)\n"), "a circle ends");
        let honest = then.replace("N = 1", "N = 2\nOUT = x");
        assert_eq!(blend(then, &honest), honest, "an argument, a new variable");
    }

    // P-5
    #[test]
    fn the_list_of_tests_is_that_of_the_start() {
        for rule in [
            "check: $(TESTS)\n\tset -e; for t in $(TESTS); do ./$$t; done\n",
            "check:\n\tpython3 -m unittest ${TESTS}\n",
        ] {
            let (then, now) =
                (format!("OBJ = a\nTESTS = a b\n{rule}"), format!("OBJ = a c\nMY_TESTS = a\nTESTS = a\n{rule}"));
            assert_eq!(blend(&then, &now), format!("OBJ = a c\nMY_TESTS = a\nTESTS = a b\n{rule}"));
            let lines = format!("TESTS = a \\\n  b\n{rule}");
            assert_eq!(blend(&lines, &lines.replace("  b", "  c")), lines, "a line that continues");
            let more = lines.replace("  b", "  b \\\n  c.x");
            assert_eq!(blend(&lines, &more), more, "one more test");
            assert_eq!(blend(&lines, &lines.replace("  b", "  b -k")), lines, "an option is no test");
        }
        let rule = "check: $(LATEST)\n\t./t\n";
        let now = format!("LATEST = b\n{rule}");
        assert_eq!(blend(&format!("LATEST = a\n{rule}"), &now), now, "no list of tests");
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
