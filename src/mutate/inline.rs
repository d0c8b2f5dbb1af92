//! Rust tests inside source files: `#[cfg(test)] mod tests { … }` and `#[test] fn` beside the code.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Range;

use super::language::Language;
use super::source::TokenizedSource;

/// A test module or test function at the top level of a source.
struct Inline<'a> {
    name: &'a str,
    /// Its tokens, including attributes.
    pieces: Range<usize>,
    /// Its bytes, including attributes.
    bytes: Range<usize>,
}

/// The bytes of every `#[cfg(test)] mod x { … }` and of every `#[test] fn` outside of these, including attributes, in
/// order. Empty if the source cannot be read.
pub fn inline_tests(source: &[u8]) -> Vec<Range<usize>> {
    let source = TokenizedSource::of(Language::Rust, source);
    source.map(|source| all(&source, false).into_iter().map(|test| test.bytes).collect()).unwrap_or_default()
}

/// The tokens of the tests in a Rust source, if it has any.
pub(super) fn pieces_of_tests(source: &TokenizedSource<'_>) -> Option<Vec<Range<usize>>> {
    if source.language != Language::Rust {
        return None;
    }
    // A test file holds helpers beside its tests; a source file has a test module.
    let has_module = |pieces: &Range<usize>| source.top(pieces.clone()).any(|at| source.is(at, "mod"));
    let modules = all(source, false).into_iter().map(|test| test.pieces).filter(has_module);
    Some(modules.collect()).filter(|modules: &Vec<_>| !modules.is_empty())
}

/// Returns `final_source` with its tests as in `base`. It replaces a module or function of the same name, appends a deleted one, and keeps
/// a new one. `None` if that is uncertain: the source is unreadable, a name occurs twice, a module moved to its own file, or nested tests
/// differ.
pub fn with_inline_tests_of(final_source: &[u8], base: &[u8]) -> Option<Vec<u8>> {
    let (new, old) = (TokenizedSource::of(Language::Rust, final_source)?, TokenizedSource::of(Language::Rust, base)?);
    let (now, then) = (all(&new, true), all(&old, true));
    if inline_tests(final_source).len() != now.len() || inline_tests(base).len() != then.len() {
        return None;
    }
    let has_twice =
        |tests: &[Inline<'_>]| tests.iter().map(|test| test.name).collect::<BTreeSet<_>>().len() < tests.len();
    if has_twice(&now) || has_twice(&then) {
        return None;
    }
    let mut edits: Vec<(Range<usize>, &str)> = Vec::new();
    let mut gone = String::new();
    for test in &then {
        let text = &old.text[test.bytes.clone()];
        if let Some(same) = now.iter().find(|now| now.name == test.name) {
            edits.push((same.bytes.clone(), text));
        } else if new.top(0..new.len()).any(|at| matches!(new.word(at), "mod" | "fn") && new.word(at + 1) == test.name)
        {
            // Another item has that name and would conflict with an appended one.
            return None;
        } else {
            gone += &format!("\n{text}\n");
        }
    }
    // From the end on, so that the places of the earlier edits stay right.
    edits.sort_by_key(|(range, _)| Reverse(range.start));
    let mut result = new.text.to_owned();
    edits.into_iter().for_each(|(range, text)| result.replace_range(range, text));
    Some((result + &gone).into_bytes())
}

/// The tests of a source; with `top`, only those outside other modules.
fn all<'a>(source: &TokenizedSource<'a>, top: bool) -> Vec<Inline<'a>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < source.len() {
        if let Some(test) = one(source, at) {
            at = test.pieces.end;
            found.push(test);
        } else if top {
            at = source.close(at).map_or(at, |close| close) + 1;
        } else {
            at += 1;
        }
    }
    found
}

/// The words of each attribute of a Rust item that begins at `at`, and the place behind the last one. `None` if a bracket is not closed.
pub(super) fn attributes<'a>(source: &TokenizedSource<'a>, at: usize) -> Option<(Vec<Vec<&'a str>>, usize)> {
    let (mut found, mut here) = (Vec::new(), at);
    while source.is(here, "#") && source.is(source.after(here + 1), "[") {
        let open = source.after(here + 1);
        let close = source.close(open)?;
        found.push((open..close).filter(|at| source.is_word(*at)).map(|at| source.word(at)).collect());
        here = source.after(close + 1);
    }
    Some((found, here))
}

/// The test whose attributes begin at `at`.
fn one<'a>(source: &TokenizedSource<'a>, at: usize) -> Option<Inline<'a>> {
    let (attributes, here) = attributes(source, at)?;
    let (mut configured, mut test) = (false, false);
    for words in &attributes {
        configured |= words.first() == Some(&"cfg") && words.contains(&"test") && !words.contains(&"not");
        let path: Vec<&str> = words.iter().copied().take_while(|word| *word != "flavor").collect();
        test |= matches!(path.as_slice(), ["test" | "rstest" | "test_case" | "quickcheck", ..] | [_, "test", ..])
            && words[0] != "cfg"
            && words[0] != "cfg_attr";
    }
    if here == at || !configured && !test {
        return None;
    }
    let head =
        (here..(here + 12).min(source.len())).find(|at| matches!(source.word(*at), "mod" | "fn" | ";" | "{" | "="))?;
    if !(source.is(head, "mod") && configured || source.is(head, "fn") && test) {
        return None;
    }
    let open = (head..(head + 400).min(source.len())).find(|at| matches!(source.word(*at), "{" | ";"))?;
    let close = source.close(open)?;
    let pieces = at..close + 1;
    Some(Inline { name: source.word(head + 1), bytes: source.bytes(pieces.clone())?, pieces })
}
