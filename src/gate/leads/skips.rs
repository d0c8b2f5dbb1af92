//! `skip-added`: tests and examples that are newly marked as skipped or expected to fail.

mod examples;

use super::{AddedLine, MOST, at, changed, lines, shown, sources};
use crate::gate::GateFinding;
use crate::gate::facts::GateFacts;

const MARKS: [&str; 27] = [
    "@unittest.skip", "@skip", "self.skipTest(", "expectedFailure", "pytest.mark.skip", "pytest.mark.xfail",
    "pytest.skip(", "pytest.importorskip(", "#[ignore", "#[should_panic", "t.Skip(", "t.Skipf(", "t.SkipNow(",
    "it.skip(", "test.skip(", "describe.skip(", "it.only(", "test.only(", "describe.only(", "xit(", "xdescribe(",
    "test.todo(", "@Disabled", "@Ignore", "markTestSkipped", "[Fact(Skip", "XCTSkip",
];

pub(super) fn find(facts: &GateFacts<'_>) -> Vec<GateFinding> {
    let marked = lines(sources(facts, true)).filter(|line| MARKS.iter().any(|mark| has_mark(line.text, mark)));
    let examples = changed(facts).flat_map(examples::skipped);
    let lead = |AddedLine { file, number, text }: AddedLine<'_>| {
        let declare = facts.harness.declare(facts.goal.name(), std::iter::once(file.path.as_path()));
        let resolve = format!("let the test run; if it cannot, as on another platform: {declare}");
        let seen = format!("added since the goal's start: `{}`", shown(text));
        at(file, number, "skip-added", "tests that run", seen, &resolve)
    };
    marked.chain(examples).take(MOST).map(lead).collect()
}

/// Whether the mark is a word of its own: `xit(` is not part of `exit(`.
fn has_mark(line: &str, mark: &str) -> bool {
    let goes_on = |c: char| c.is_alphanumeric() || c == '_';
    let begins = |at: usize| !mark.starts_with(goes_on) || !line[..at].ends_with(goes_on);
    line.match_indices(mark).any(|(at, _)| begins(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    // P-5
    #[test]
    fn a_mark_is_a_word_of_its_own() {
        let marked = |line: &str| MARKS.iter().any(|mark| has_mark(line, mark));
        for line in ["sys.exit(main())", "os.Exit(m.Run())", "submit.only(form)", "context.Skip(1)"] {
            assert!(!marked(line), "{line}");
        }
        for line in [
            "xit('adds', f)", "  @unittest.skip('later')", "@unittest.expectedFailure", "\tt.Skip()",
            "x = a; it.only(f)",
        ] {
            assert!(marked(line), "{line}");
        }
    }
}
