//! Makes an assertion that failed at the start expect the wrong text that it got then. The comparison must still refuse
//! that text; otherwise an assertion helper or a library beside the tests may have become lenient.

use std::ops::Range;

use super::expectations::{Expectation, ROW};
use crate::gate::GateFinding;
use crate::gate::full::row::Probe;
use crate::replay::Stop;
use crate::repo::export::Layout;

/// Characters that end a literal or put a value into it.
const SPECIAL: [char; 9] = ['"', '\'', '`', '\\', '$', '#', '{', '%', '\n'];

/// A wrong value, and a test file with other expectations.
struct WrongValue {
    /// The wrong text that was printed at the start.
    got: String,
    /// The file that expects the wrong text.
    expected: Vec<u8>,
    /// The file with a part of the right text. A test that is green with it only searches for a part and does not compare.
    parts: [Vec<u8>; 2],
}

/// Blocks if verify is green although this assertion expects the value that it refused at the start.
pub(super) fn find(probe: &mut Probe<'_, '_>, tried: &Layout, one: &Expectation) -> Result<Option<GateFinding>, Stop> {
    let Some(wrong) = of(&one.bytes, &one.mutation.range, &one.values) else { return Ok(None) };
    let with = |bytes: &[u8]| tried.with(&one.path, bytes.to_vec());
    let place = format!("{}:{}", one.path.display(), one.mutation.line);
    let what = format!("`{place}` with \"{}\", which was wrong at the start", wrong.got);
    let layout = with(&wrong.expected);
    if probe.replay.notices(&layout, &what)? {
        return Ok(None);
    }
    for part in &wrong.parts {
        if !probe.replay.notices(&with(part), &format!("`{place}` with a part of the expected text"))? {
            return Ok(None);
        }
    }
    probe.replay.forget_builds(&layout)?;
    if probe.replay.notices(&layout, &what)? {
        return Ok(None);
    }
    let expected = "a verify that still refuses the value that was wrong at the goal's start";
    let seen = format!(
        "verify is green although the assertion that failed at the goal's start expects \"{}\", which was wrong there",
        wrong.got
    );
    let declare = probe.candidate.harness.declare(probe.candidate.request.goal, std::iter::once(one.path.as_path()));
    let resolve = format!(
        "fix the work, and make the comparison as strict as at the start; if both values are right now: {declare}"
    );
    Ok(Some(GateFinding::block(ROW, expected, seen, &resolve).at(place)))
}

/// Returns the wrong value of an assertion that compared these two printed texts, `values`. `changed` is the range of the
/// bytes that a change of its expected literal replaces.
fn of(source: &[u8], changed: &Range<usize>, values: &[String]) -> Option<WrongValue> {
    let mut texts = values.iter().map(|value| inner(value)).collect::<Option<Vec<&str>>>()?;
    texts.sort_unstable();
    texts.dedup();
    let [one, other] = texts[..] else { return None };
    let (place, wanted, got) = [(one, other), (other, one)]
        .into_iter()
        .find_map(|(wanted, got)| Some((place(source, changed, wanted)?, wanted, got)))?;
    // A result that begins with the right text may begin with the wrong text too.
    if wanted.contains(got) || got.contains(wanted) {
        return None;
    }
    let with = |text: &str| [&source[..place.start], text.as_bytes(), &source[place.end..]].concat();
    let (first, last) = (wanted.chars().next()?, wanted.chars().next_back()?);
    let parts = [with(wanted.strip_prefix(first)?), with(wanted.strip_suffix(last)?)];
    Some(WrongValue { got: got.to_owned(), expected: with(got), parts })
}

/// Returns a printed text without its quotes, if a literal of any language could hold it unchanged.
fn inner(value: &str) -> Option<&str> {
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'))?;
    let text = value.strip_prefix(quote)?.strip_suffix(quote)?;
    (!text.is_empty() && !text.contains(SPECIAL)).then_some(text)
}

/// Returns the range of the literal, without quotes, that consists of this text and holds the changed bytes.
fn place(source: &[u8], changed: &Range<usize>, text: &str) -> Option<Range<usize>> {
    let quote = |at: Option<usize>| at.and_then(|at| source.get(at)).filter(|c| matches!(c, b'"' | b'\'' | b'`'));
    let places = memchr::memmem::find_iter(source, text.as_bytes()).map(|at| at..at + text.len());
    let is_whole = |place: &Range<usize>| {
        let before = quote(place.start.checked_sub(1));
        before.is_some()
            && before == quote(Some(place.end))
            && place.start <= changed.start + 1
            && changed.end <= place.end + 1
    };
    places.into_iter().find(is_whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(source: &str, changed: &str, values: [&str; 2]) -> Option<[String; 3]> {
        let start = source.find(changed).unwrap();
        let found = of(source.as_bytes(), &(start..start + changed.len()), &values.map(str::to_owned))?;
        let [behind, before] = found.parts;
        Some([found.expected, behind, before].map(|bytes| String::from_utf8(bytes).unwrap()))
    }

    // P-5
    #[test]
    fn the_text_that_an_assertion_got_stands_for_the_expected_one() {
        let told = Some(["f(4, 'IIII')", "f(4, 'V')", "f(4, 'I')"].map(str::to_owned));
        for (changed, values) in
            [("'IV'", ["'IIII'", "\"IV\""]), ("IV", ["\"IV\"", "'IIII'"]), ("V", ["'IV'", "'IIII'"])]
        {
            assert_eq!(wrong("f(4, 'IV')", changed, values), told, "{changed}");
        }
        assert_eq!(wrong("f(\"IV\", \"VI\")", "VI", ["\"IV\"", "\"VII\""]), None, "the other literal");
        assert_eq!(wrong("f('IV')", "IV", ["'IVI'", "'IV'"]), None, "one is a part of the other");
        assert_eq!(wrong("f('IV')", "IV", ["4", "'IV'"]), None, "one is no text");
        assert_eq!(wrong("f('IV')", "IV", ["'{4}'", "'IV'"]), None, "the language may replace a part of it");
    }
}
