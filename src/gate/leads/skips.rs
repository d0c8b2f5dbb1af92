//! `skip-added`: tests that are newly marked as skipped or expected to fail, and examples in comments that newly do not run: in Rust by
//! a word after the backticks, in Python by `# doctest: +SKIP`.

use std::collections::HashSet;

use super::{AddedLine, MOST, added, at, changed, lines, shown, sources};
use crate::gate::GateFinding;
use crate::gate::facts::{ChangedFile, GateFacts};
use crate::gate::source_text::is_of_name;

const MARKS: [&str; 27] = [
    "@unittest.skip", "@skip", "self.skipTest(", "expectedFailure", "pytest.mark.skip", "pytest.mark.xfail",
    "pytest.skip(", "pytest.importorskip(", "#[ignore", "#[should_panic", "t.Skip(", "t.Skipf(", "t.SkipNow(",
    "it.skip(", "test.skip(", "describe.skip(", "it.only(", "test.only(", "describe.only(", "xit(", "xdescribe(",
    "test.todo(", "@Disabled", "@Ignore", "markTestSkipped", "[Fact(Skip", "XCTSkip",
];
/// Words after the backticks with which Rust runs an example; also each edition.
const RUN: [&str; 4] = ["rust", "should_panic", "standalone_crate", "standalone"];

pub(super) fn find(facts: &GateFacts<'_>) -> Vec<GateFinding> {
    let marked = lines(sources(facts, true)).filter(|line| MARKS.iter().any(|mark| has_mark(line.text, mark)));
    let examples = changed(facts).flat_map(skipped_examples);
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
    let begins = |at: usize| !mark.starts_with(is_of_name) || !line[..at].ends_with(is_of_name);
    line.match_indices(mark).any(|(at, _)| begins(at))
}

/// Returns the lines that the file gained and that keep an example from running.
fn skipped_examples(file: &ChangedFile) -> Vec<AddedLine<'_>> {
    let is_rust = file.path.extension().is_some_and(|extension| extension == "rs");
    let is_mark = |text: &str| if is_rust { fence(text).is_some_and(|words| !runs(words)) } else { is_skip(text) };
    let mut marked: Vec<(usize, &str)> = added(file).into_iter().filter(|(_, text)| is_mark(text)).collect();
    if is_rust && !marked.is_empty() {
        let stopped = stopped(file.then.as_deref().unwrap_or_default(), file.now.as_deref().unwrap_or_default());
        marked.retain(|(number, _)| stopped.contains(number));
    }
    marked.into_iter().map(|(number, text)| AddedLine { file, number, text }).collect()
}

/// Returns the first lines of the examples that do not run, with a line of one that ran: others may be drawings.
fn stopped(then: &str, now: &str) -> HashSet<usize> {
    let (then, now) = (examples(then), examples(now));
    let still = run_lines(&now);
    let gone: HashSet<&str> = run_lines(&then).difference(&still).copied().collect();
    let is_stopped = |example: &&Example<'_>| !example.runs && example.lines.iter().any(|line| gone.contains(line));
    now.iter().filter(is_stopped).map(|example| example.number).collect()
}

fn run_lines<'t>(examples: &[Example<'t>]) -> HashSet<&'t str> {
    let run = examples.iter().filter(|example| example.runs).flat_map(|example| &example.lines);
    run.copied().filter(|line| line.contains(char::is_alphanumeric)).collect()
}

struct Example<'t> {
    /// The number of the line with the backticks.
    number: usize,
    runs: bool,
    lines: Vec<&'t str>,
}

fn examples(text: &str) -> Vec<Example<'_>> {
    let (mut found, mut open): (Vec<Example<'_>>, _) = (Vec::new(), None);
    for (at, line) in text.lines().enumerate() {
        open = match (comment(line), fence(line), open.take()) {
            (Some(_), Some(words), None) => Some(Example { number: at + 1, runs: runs(words), lines: Vec::new() }),
            (Some(line), None, Some(mut example)) => {
                example.lines.push(line);
                Some(example)
            }
            (_, _, ended) => {
                found.extend(ended);
                None
            }
        };
    }
    found
}

/// Returns the text of a line of documentation.
fn comment(line: &str) -> Option<&str> {
    let line = line.trim();
    line.strip_prefix("///").or_else(|| line.strip_prefix("//!")).map(str::trim)
}

/// Returns the words after the backticks that begin or end an example.
fn fence(line: &str) -> Option<&str> {
    comment(line)?.strip_prefix("```").map(|words| words.trim_start_matches('`'))
}

fn runs(words: &str) -> bool {
    let words = words.split([',', ' ']).filter(|word| !word.is_empty());
    words.into_iter().all(|word| RUN.contains(&word) || word.starts_with("edition"))
}

/// Whether this line of a Python example is not run.
fn is_skip(line: &str) -> bool {
    let line = line.trim_start();
    (line.starts_with(">>>") || line.starts_with("..."))
        && line.split_once("doctest:").is_some_and(|(_, options)| options.contains("+SKIP"))
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

    const RAN: &str = "/// Adds.\n/// ```\n/// use calc::add;\n/// assert_eq!(add(1, 2), 3);\n/// ```\nfn add() {}\n";

    // P-5
    #[test]
    fn an_example_that_ran_is_stopped_by_a_word() {
        for word in ["no_run", "text", "ignore", "rust,ignore", "compile_fail", "ignore-wasm"] {
            let now = RAN.replacen("```", &format!("```{word}"), 1);
            assert_eq!(stopped(RAN, &now), HashSet::from([2]), "{word}");
            // It did not run before.
            assert_eq!(stopped(&now, &now), HashSet::new(), "{word}");
        }
        for word in ["rust", "should_panic", "edition2021", ""] {
            assert_eq!(stopped(RAN, &RAN.replacen("```", &format!("```{word}"), 1)), HashSet::new(), "{word}");
        }
        // An example of its own, which begins as the other does.
        let more = format!("{RAN}//! ```no_run\n//! use calc::add;\n//! add(listen(), 1);\n//! ```\n");
        assert_eq!(stopped(RAN, &more), HashSet::new());
    }

    // P-5
    #[test]
    fn a_line_of_a_python_example_is_skipped_by_its_comment() {
        assert!(is_skip("    >>> add(1, 2)  # doctest: +SKIP"));
        assert!(is_skip("... # doctest: +ELLIPSIS, +SKIP"));
        for line in [">>> add(1, 2)  # doctest: +ELLIPSIS", "Write `# doctest: +SKIP` behind it.", ">>> SKIP"] {
            assert!(!is_skip(line), "{line}");
        }
    }
}
