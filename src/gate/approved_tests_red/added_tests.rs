//! Goals of kind `test` whose work only adds tests: with the tests of the start, nothing of the work is left to measure.

use super::takes_the_place;
use crate::gate::canary_survived::start::StartFailures;
use crate::gate::full::row::Probe;
use crate::gate::harness::is_test;
use crate::plan::model::GoalKind;
use crate::replay::Stop;
use crate::repo::export::Layout;

/// Whether the goal asks for tests, no test failed at its start, and the work only adds test files, and lines at the end of test files.
/// Any other line could change what the old tests demand.
pub(super) fn are_all(probe: &mut Probe<'_, '_>, base: &Layout) -> Result<bool, Stop> {
    let candidate = probe.candidate;
    if candidate.request.kind != GoalKind::Test {
        return Ok(false);
    }
    for path in candidate.changed() {
        let is_added = match (is_test(path), base.get(path).is_none()) {
            (false, _) => false,
            // Such a file changes what the other tests do.
            (true, true) => {
                let content = candidate.now(path)?;
                !candidate.harness.is_autoload(path, content.as_deref()) && !takes_the_place(candidate, base, path)?
            }
            (true, false) => candidate.texts(path)?.is_some_and(|[then, now]| only_goes_on(&then, &now)),
        };
        if !is_added {
            return Ok(false);
        }
    }
    // Lines at the end could take the place of a test that failed.
    Ok(!StartFailures::of(probe)?.is_named())
}

/// Whether the new text begins with the old one. An import may name more than before.
fn only_goes_on(then: &str, now: &str) -> bool {
    let mut lines = now.lines();
    then.trim_end().lines().all(|old| lines.next().is_some_and(|line| old == line || imports_more(old, line)))
}

/// Whether a line imports what the old one did from the same module, and perhaps more.
fn imports_more(old: &str, line: &str) -> bool {
    let (old, new) = (words(old), words(line));
    let is_same_module = match old.first() {
        Some(&"from") => old.get(1) == new.get(1),
        Some(&"import") => old.last() == new.last(),
        _ => false,
    };
    let mut rest = new.iter();
    is_same_module && old.first() == new.first() && old.iter().all(|word| rest.any(|other| other == word))
}

fn words(line: &str) -> Vec<&str> {
    let words = line.split(|c: char| c.is_whitespace() || matches!(c, ',' | '{' | '}' | '(' | ')' | ';'));
    words.filter(|word| !word.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::only_goes_on;

    // P-5
    #[test]
    fn the_old_lines_are_still_there_and_come_first() {
        let then = "import { tax } from \"../src/tax.js\";\n\ntest(\"a\", () => {\n  tax();\n});\n";
        let goes_on = |from: &str, to: &str| only_goes_on(then, &then.replace(from, to));
        assert!(goes_on("});\n", "});\n\ntest(\"b\", b);\n") && goes_on("{ tax }", "{ fee, tax }"));
        for (from, to) in [
            ("  tax();\n", "  return;\n  tax();\n"),
            ("tax();", "fee();"),
            ("src", "fake"),
            ("  tax();\n", ""),
            ("test(\"a\"", "test(\"b\", b);\n\ntest(\"a\""),
        ] {
            assert!(!goes_on(from, to), "{from} to {to}");
        }
        let python = "from tax import tax\n";
        assert!(only_goes_on(python, "from tax import fee, tax\n\n\ndef test_fee():\n    pass\n"));
        for other in ["from fake import tax\n", "from fake import tax, from\n", "import fake as tax\n"] {
            assert!(!only_goes_on(python, other), "{other}");
        }
        assert!(!only_goes_on("const want = 4;\n", "const want = 5 + 4;\n"));
    }
}
