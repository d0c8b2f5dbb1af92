//! `answers-by-count`: a condition in the source that compares a counter of calls with a number. The answer may only fit
//! the order of the tests, so it is a note for the judge.

use super::{at_each, lines, sources};
use crate::gate::facts::GateFacts;
use crate::gate::{GateFinding, GateLevel};

/// Words in the names of such counters.
const COUNTERS: [&str; 8] = ["call", "calls", "called", "invocation", "invocations", "counter", "ncalls", "times"];
/// Operators that compare for equality.
const EQUALS: [&str; 3] = ["===", "==", " -eq "];

pub(super) fn find(facts: &GateFacts<'_>) -> Vec<GateFinding> {
    let counted = lines(sources(facts, false)).filter(|line| asks_count(line.text));
    let (says, resolve) =
        ("the answer depends on how often this was called", "make the answer depend on the input alone");
    let found = at_each(counted, "answers-by-count", "answers that follow from the input", says, resolve);
    found.into_iter().map(|finding| finding.level(GateLevel::Note)).collect()
}

fn asks_count(line: &str) -> bool {
    let code = line.trim();
    let is_condition =
        ["if ", "if(", "elif ", "} else if", "when ", "case ", "return "].iter().any(|word| code.starts_with(word));
    is_condition
        && EQUALS
            .iter()
            .any(|sign| code.split(sign).zip(code.split(sign).skip(1)).any(|(left, right)| is_count(left, right)))
}

/// Whether a counter, or the remainder of dividing it, is compared with a number on its right.
fn is_count(left: &str, right: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let left = left.trim_end().trim_end_matches(['=', ')']);
    let left = left.rsplit_once('%').map_or(left, |(counter, _)| counter).trim_end();
    let name = left.rsplit(|c: char| !is_part(c)).next().unwrap_or_default();
    let last = name.rsplit('.').next().unwrap_or_default().to_lowercase();
    let has = last.split('_').any(|word| COUNTERS.contains(&word));
    has && right.trim_start().starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    // P-5
    #[test]
    fn a_condition_on_the_number_of_calls_is_seen() {
        for line in [
            "if self._calls == 2:", "elif calls % 2 == 0:", "if (fetch.calls === 1) return 7;",
            "if [ $calls -eq 3 ]; then",
        ] {
            assert!(asks_count(line), "{line}");
        }
        for line in ["if count == 2:", "calls = 2", "if calls > 3:", "if name == 'calls':", "if recall == 1:"] {
            assert!(!asks_count(line), "{line}");
        }
    }
}
