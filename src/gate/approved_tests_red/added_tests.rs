//! Goals of kind `test` whose work only adds tests: with the tests of the start, nothing of the work is left to measure.

use crate::gate::canary_survived::start::StartFailures;
use crate::gate::full::row::Probe;
use crate::gate::harness::is_test;
use crate::plan::model::GoalKind;
use crate::replay::Stop;
use crate::repo::export::Layout;

/// Whether the goal asks for tests, no test failed at its start, and the work only adds test files and parts of test files. A line that
/// was changed, removed or added to an old part could have been what a test demanded.
pub(super) fn are_all(probe: &mut Probe<'_, '_>, base: &Layout) -> Result<bool, Stop> {
    let candidate = probe.candidate;
    if candidate.request.kind != GoalKind::Test {
        return Ok(false);
    }
    for path in candidate.changed() {
        let is_added = match (is_test(path), base.get(path).is_none()) {
            (false, _) => false,
            (true, true) => true,
            (true, false) => candidate.texts(path)?.is_some_and(|[then, now]| only_adds_parts(&then, &now)),
        };
        if !is_added {
            return Ok(false);
        }
    }
    // A part that is added at the end could take the place of the test that failed.
    Ok(!StartFailures::of(probe)?.is_named())
}

/// Whether each part of the old text, between blank lines, is still there in its order. An import may name more than before.
fn only_adds_parts(then: &str, now: &str) -> bool {
    let mut new = parts(now).into_iter();
    let is_same = |old: &[&str], part: &[&str]| {
        old.len() == part.len() && old.iter().zip(part).all(|(old, line)| old == line || imports_more(old, line))
    };
    parts(then).iter().all(|old| new.any(|part| is_same(old, &part)))
}

/// The lines between blank lines.
fn parts(text: &str) -> Vec<Vec<&str>> {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.split(|line| line.is_empty()).filter(|part| !part.is_empty()).map(<[&str]>::to_vec).collect()
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
    use super::only_adds_parts;

    // P-5
    #[test]
    fn each_old_part_is_still_there_in_its_order() {
        let then = "import { tax } from \"../src/tax.js\";\n\ntest(\"a\", () => {\n  tax();\n});\n";
        let adds = |from: &str, to: &str| only_adds_parts(then, &then.replace(from, to));
        assert!(adds("test(\"a\"", "test(\"b\", b);\n\ntest(\"a\"") && adds("});\n", "});\n\ntest(\"b\", b);\n"));
        assert!(adds("{ tax }", "{ fee, tax }"));
        for (from, to) in
            [("  tax();\n", "  return;\n  tax();\n"), ("tax();", "fee();"), ("src", "fake"), ("  tax();\n", "")]
        {
            assert!(!adds(from, to), "{from} to {to}");
        }
        assert!(!only_adds_parts("a\n\nb\n", "b\n\na\n"));
        assert!(!only_adds_parts("const want = 4;\n", "const want = 5;\n"));
    }
}
