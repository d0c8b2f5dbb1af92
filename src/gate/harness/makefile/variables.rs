//! Restores the variables of a makefile on which the result of verify depends.

use std::collections::BTreeSet;
use std::ops::Range;

/// Restores the variables from `then` whose value a requested recipe of `then` runs as its program (`$(RUN) tests/run.sh`), and
/// those that list the tests (`check: $(TESTS)`), unless the list only grew: more tests ask for more. `asked` has the header and the
/// recipe of each requested rule.
pub(super) fn restored<'t>(then: &'t str, now: &str, asked: impl Iterator<Item = [&'t str; 2]>) -> String {
    let (mut programs, mut lists) = (BTreeSet::new(), BTreeSet::new());
    for [header, recipe] in asked {
        programs.extend(recipe.lines().filter_map(program));
        let named = [header, recipe].into_iter().flat_map(|part| part.split('$').skip(1)).filter_map(variable);
        lists.extend(named.filter(|name| is_test_list(name)));
    }
    let mut text = now.to_owned();
    for name in lists.difference(&programs).filter(|name| !only_grew(then, now, name)) {
        text = with_variable(then, &text, name);
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
    let mut old: String = assignments(then, name).into_iter().map(|at| &then[at]).collect();
    let new = assignments(now, name);
    if old.is_empty() || old == new.iter().map(|at| &now[at.clone()]).collect::<String>() {
        return now.to_owned();
    }
    if !old.ends_with('\n') {
        old.push('\n');
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

/// Whether each assignment to a list still has its words, and what the work added are plain names, in it or in a `+=` after it.
fn only_grew(then: &str, now: &str, name: &str) -> bool {
    let (old, new) = (assigned_words(then, name), assigned_words(now, name));
    let known: BTreeSet<&str> = old.iter().flat_map(|(_, words)| words).copied().collect();
    let is_plain =
        |word: &str| !word.starts_with('-') && word.chars().all(|c| c.is_alphanumeric() || "-_./%*".contains(c));
    let mut words = new.iter().flat_map(|(_, words)| words);
    old.len() <= new.len()
        && old.iter().zip(&new).all(|((head, was), (other, is))| head == other && was.is_subset(is))
        && new[old.len()..].iter().all(|(assigned, _)| assigned.ends_with('+'))
        && words.all(|word| known.contains(word) || is_plain(word))
}

/// The assignments to a variable: the text in front of `=`, and the words behind it.
fn assigned_words<'t>(text: &'t str, name: &str) -> Vec<(&'t str, BTreeSet<&'t str>)> {
    let assigned = assignments(text, name).into_iter().filter_map(|at| text[at].split_once('='));
    let words = |value: &'t str| value.split(|c: char| c.is_whitespace() || c == '\\').filter(|word| !word.is_empty());
    assigned.map(|(head, value)| (head.trim(), words(value).collect())).collect()
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
fn assignments(text: &str, name: &str) -> Vec<Range<usize>> {
    let is_one = |line: &str| {
        let line = line.trim_start_matches("export ").trim_start_matches("override ");
        let Some(rest) = line.strip_prefix(name) else { return false };
        rest.trim_start().trim_start_matches([':', '?', '+', '!']).starts_with('=')
    };
    let mut found: Vec<Range<usize>> = Vec::new();
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use crate::gate::harness::makefile::blended;

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
            let appended = lines.replace("  b\n", "  b\nTESTS += c-d\n");
            assert_eq!(blend(&lines, &appended), appended, "one more test, in a line of its own");
            for other in ["  b -k", "  b c-d||true", "  b $(X)", "  b # c", "  b\nTESTS = a", "  b\nTESTS ="] {
                assert_eq!(blend(&lines, &lines.replace("  b", other)), lines, "{other}");
            }
        }
        let (then, now) = ("check: $(TESTS)\n\t./t\nTESTS = a b", "TESTS = a\ncheck: $(TESTS)\n\t./t\n");
        assert_eq!(blend(then, now), "TESTS = a b\ncheck: $(TESTS)\n\t./t\n", "no newline at the end");
        let rule = "check: $(LATEST)\n\t./t\n";
        let now = format!("LATEST = b\n{rule}");
        assert_eq!(blend(&format!("LATEST = a\n{rule}"), &now), now, "no list of tests");
    }
}
