//! Tests that were marked as expected to fail because of a known bug. After the fix, the mark makes verify red and must
//! be removed, but the test itself stays. So the gate runs the original test without its mark.

use std::path::Path;

use crate::gate::full::candidate::Candidate;
use crate::gate::harness::is_test;
use crate::replay::Stop;
use crate::repo::export::Layout;

/// Marks on their own line that turn a success into a failure. `#[should_panic]` is none: the test may expect the panic.
const MARKS: [&str; 3] = ["@unittest.expectedFailure", "@expectedFailure", "@pytest.mark.xfail"];

/// Returns the layout without the marks that today's tests no longer have, or `None` if no mark is gone.
pub(super) fn unmarked(candidate: &Candidate<'_>, layout: &Layout) -> Result<Option<Layout>, Stop> {
    let mut other = layout.clone();
    let is_python = |path: &&Path| is_test(path) && path.extension().is_some_and(|extension| extension == "py");
    for path in candidate.changed().filter(is_python) {
        let (Some(then), Some(now)) = (candidate.bytes(layout, path)?, candidate.now(path)?) else {
            continue;
        };
        if let Some(bytes) = less_marks(&then, &now) {
            other.put(path, bytes);
        }
    }
    Ok((other != *layout).then_some(other))
}

fn less_marks(then: &[u8], now: &[u8]) -> Option<Vec<u8>> {
    let (then, now) = (std::str::from_utf8(then).ok()?, std::str::from_utf8(now).ok()?);
    let (had, has) = (marked(then), marked(now));
    let goes = |at: usize| had.iter().any(|(mark, test)| *mark == at && !has.iter().any(|(_, other)| other == test));
    let kept: String =
        then.split_inclusive('\n').enumerate().filter(|(at, _)| !goes(*at)).map(|(_, line)| line).collect();
    (kept != then).then(|| kept.into_bytes())
}

/// The lines of the marks, each with the first line of its test.
fn marked(text: &str) -> Vec<(usize, &str)> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    // A mark whose parentheses do not close on this line is not on a line of its own.
    let is_whole = |line: &str| line.matches('(').count() == line.matches(')').count();
    let is_mark = |line: &str| MARKS.iter().any(|mark| line.starts_with(mark)) && is_whole(line);
    let test = |at: usize| lines[at..].iter().find(|line| line.contains("def ") || line.starts_with("class ")).copied();
    let marks = lines.iter().enumerate().filter(|(_, line)| is_mark(line));
    marks.filter_map(|(at, _)| Some((at, test(at)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    // P-5
    #[test]
    fn marks_go_where_today_has_none() {
        let then = "@unittest.expectedFailure  # 12\ndef test_a(self):\n    a()\n@pytest.mark.xfail(reason='x')\ndef test_b(self):\n    b()\n@pytest.mark.xfail(\n    strict=True)\ndef test_c(): c()\n";
        let now = "def test_a(self):\n    pass\n@pytest.mark.xfail(reason='x')\ndef test_b(self):\n    b()\n";
        let less = less_marks(then.as_bytes(), now.as_bytes()).unwrap();
        assert_eq!(String::from_utf8(less).unwrap(), then.replace("@unittest.expectedFailure  # 12\n", ""));
        assert_eq!(less_marks(then.as_bytes(), then.as_bytes()), None);
    }
}
