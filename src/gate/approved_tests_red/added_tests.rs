//! Goals of kind `test` whose work only adds tests: with the tests of the start, nothing of the work is left to measure.

use crate::gate::full::candidate::Candidate;
use crate::gate::harness::is_test;
use crate::plan::model::GoalKind;
use crate::replay::Stop;
use crate::repo::export::Layout;

/// Whether the goal asks for tests, and the work only adds test files and lines of test files. A line that was changed or removed
/// could have been what a test demanded.
pub(super) fn are_all(candidate: &Candidate<'_>, base: &Layout) -> Result<bool, Stop> {
    if candidate.request.kind != GoalKind::Test {
        return Ok(false);
    }
    for path in candidate.changed() {
        let is_added = match (is_test(path), base.get(path).is_none()) {
            (false, _) => false,
            (true, true) => true,
            (true, false) => candidate.texts(path)?.is_some_and(|[then, now]| only_adds_lines(&then, &now)),
        };
        if !is_added {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether each old line is still there, in its order. An import may name more than before.
fn only_adds_lines(then: &str, now: &str) -> bool {
    let mut now = now.lines();
    then.lines().all(|old| now.any(|line| line == old || imports_more(old, line)))
}

fn imports_more(old: &str, line: &str) -> bool {
    let words = |text: &'_ str| -> Vec<String> {
        let words = text.split(|c: char| c.is_whitespace() || matches!(c, ',' | '{' | '}' | '(' | ')' | ';'));
        words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let first = |word: &String| matches!(word.as_str(), "import" | "from" | "use" | "const");
    let (old, new) = (words(old), words(line));
    old.first() == new.first() && old.first().is_some_and(first) && old.iter().all(|word| new.contains(word))
}

#[cfg(test)]
mod tests {
    use super::only_adds_lines;

    // P-5
    #[test]
    fn each_old_line_is_still_there_in_its_order() {
        assert!(only_adds_lines("a\nb\n", "x\na\ny\nb\nz\n"));
        assert!(!only_adds_lines("a\nb\n", "b\na\n"));
        assert!(!only_adds_lines("a\nb\n", "a\nB\n"));
        assert!(!only_adds_lines("a\na\n", "a\n"));
        let then = "import { tax } from \"../src/tax.js\";\ntax();\n";
        assert!(only_adds_lines(then, &then.replace("{ tax }", "{ fee, tax }")));
        assert!(!only_adds_lines(then, &then.replace("src", "fake")));
        assert!(!only_adds_lines("const want = 4;\n", "const want = 5;\n"));
    }
}
