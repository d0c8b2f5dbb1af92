//! Assertions that are calls: of a function with two sides, or of a matcher, with or without brackets.

use std::ops::Range;

use super::compare::{sides, text, truth};
use super::names::{Asserts, GENERAL_MATCHERS, MATCHERS, asserts};
use super::pure::{is_constant, literal};
use super::{ExpectedLiteral, LIKELY, SURE};
use crate::mutate::language::Language;
use crate::mutate::literal::Distance;
use crate::mutate::source::TokenizedSource;
use crate::mutate::token::TokenKind;

/// Returns the literal that the assertion named at `at` expects.
pub(super) fn expected(source: &TokenizedSource<'_>, at: usize) -> Option<ExpectedLiteral> {
    if !source.is_word(at) {
        return None;
    }
    let name: String = plain_name(source.word(at));
    let open = if source.is(at + 1, "!") { at + 2 } else { at + 1 };
    let bracketed = matches!(source.word(open), "(" | "[" | "{")
        && source.kind(open) == TokenKind::Op
        && source.close(open).is_some();
    let mut arguments = match () {
        () if bracketed && matches!(source.word(open), "(" | "[") => source.arguments(open),
        () if source.language == Language::Ruby => source.split(at + 1..source.line_end(at), &[","]),
        () => return None,
    };
    let receiver = at.checked_sub(2).filter(|_| matches!(source.word(at - 1), "." | "->" | "::"));
    let receiver = receiver.map(|at| imported(source, at).unwrap_or_else(|| source.word(at)));
    if arguments.len() == 1 && is_matcher(source, &name, at) {
        return matched(source, &name, at, arguments.pop()?);
    }
    if arguments.len() > 2 && first_is_handle(source, &arguments[0]) {
        arguments.remove(0);
    }
    let Some(asserts) = asserts(&name, receiver) else {
        return if is_check(&name) || receiver.is_some_and(is_check) { helper(source, &arguments) } else { None };
    };
    // `XCTAssertEqual(a, b, accuracy: 0.1)`, `assertEquals(1.0, x, 0.01)`.
    let tolerance = |argument: &Range<usize>| argument.clone().any(|at| source.kind(at) == TokenKind::Number);
    match asserts {
        Asserts::True => truth(source, arguments.first()?.clone()),
        Asserts::Equal | Asserts::Near => {
            let near = asserts == Asserts::Near || arguments.get(2).is_some_and(tolerance);
            let [left, right] = [arguments.first()?.clone(), arguments.get(1)?.clone()];
            sides(source, left, right, if near { Distance::Out } else { Distance::Next })
        }
        Asserts::In => {
            let [first, second] = [arguments.first()?.clone(), arguments.get(1)?.clone()];
            let [needle, hay] = if first.len() == 1 && source.kind(first.start) == TokenKind::Text {
                [first, second]
            } else {
                [second, first]
            };
            (needle.len() == 1 && !is_constant(source, hay)).then(|| text(source, needle.start)).flatten()
        }
    }
}

/// True if a helper of this name, or on a receiver of this name, checks a result.
fn is_check(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["check", "assert", "expect", "verify", "should"].iter().any(|begin| name.starts_with(begin))
}

/// The last argument of a helper whose other arguments are all constants: `check("1 + 2", 3)`.
fn helper(source: &TokenizedSource<'_>, arguments: &[Range<usize>]) -> Option<ExpectedLiteral> {
    let (last, inputs) = arguments.split_last().filter(|(_, inputs)| !inputs.is_empty())?;
    let (literal, is_whole) = literal(source, last.clone(), Distance::Next)?;
    let is_sure = is_whole && inputs.iter().all(|argument| is_constant(source, argument.clone()));
    is_sure.then_some(ExpectedLiteral { literal, far: Distance::Next, rank: LIKELY })
}

/// Returns `require` if the bracket at `at` ends `require("assert")`.
fn imported<'a>(source: &TokenizedSource<'a>, at: usize) -> Option<&'a str> {
    let open = source.partner(at).filter(|_| source.is(at, ")"))?;
    open.checked_sub(1).map(|at| source.word(at)).filter(|word| *word == "require")
}

/// The name in `names` that is a whole side of an equality asserted at `at`, if the other side does not use it.
pub(super) fn compared_name<'a>(source: &TokenizedSource<'a>, at: usize, names: &[&'a str]) -> Option<&'a str> {
    let sides: Vec<Range<usize>> = if source.is(at, "assert") && !source.is(at + 1, "!") && !source.is(at + 1, "(") {
        source.split(at + 1..source.line_end(at), &["=="])
    } else {
        let name = plain_name(source.word(at));
        let open = if source.is(at + 1, "!") { at + 2 } else { at + 1 };
        let equal =
            matches!(asserts(&name, None), Some(Asserts::Equal | Asserts::Near)) || is_matcher(source, &name, at);
        if !equal || !source.is(open, "(") {
            return None;
        }
        source.arguments(open)
    };
    let is_name = |side: &Range<usize>| side.len() == 1 && names.contains(&source.word(side.start));
    let side = sides.iter().take(2).find(|side| is_name(side))?;
    let name = source.word(side.start);
    let elsewhere = sides.iter().any(|other| other != side && other.clone().any(|at| source.is(at, name)));
    (!elsewhere).then_some(name)
}

fn plain_name(word: &str) -> String {
    word.chars().filter(|c| *c != '_').take(60).collect::<String>().to_ascii_lowercase()
}

/// True if the first argument is a handle such as `t`, `self` or `tc`, which assertions in Go take.
fn first_is_handle(source: &TokenizedSource<'_>, argument: &Range<usize>) -> bool {
    argument.len() == 1
        && matches!(source.word(argument.start), "t" | "tt" | "tc" | "c" | "b" | "s" | "self")
        && source.language == Language::Go
}

/// True for a word in a chain that states a requirement: `.toBe(5)`, `.to.equal(5)`, `.isEqualTo(5)`, `to eq(5)`.
fn is_matcher(source: &TokenizedSource<'_>, name: &str, at: usize) -> bool {
    let general = GENERAL_MATCHERS.contains(&name);
    (general || MATCHERS.contains(&name)) && chain(source, at, general).is_some()
}

/// Words that name the subject of a chain, or require something of it.
const SUBJECTS: [&str; 9] =
    ["expect", "assertthat", "should", "must", "verify", "is_expected", "assert_that", "that", "assert"];

/// The start of the chain that ends at `at`: `expect(`, `assertThat(`, `should`. `None` if the chain negates.
fn chain(source: &TokenizedSource<'_>, at: usize, strict: bool) -> Option<usize> {
    let mut here = at;
    let mut known = !strict;
    for _ in 0..24 {
        let Some(before) = source.before(here) else { break };
        match source.word(before) {
            "." | "?." | "->" | "::" => here = before,
            ")" => here = source.partner(before)?,
            // `Expect(got).To(Equal(5))`
            "(" if before > 0 && matches!(source.word(before - 1), "To" | "Should") => here = before - 1,
            "not" | "not_to" | "to_not" | "isNot" | "doesNot" | "never" | "Not" => return None,
            word if source.is_word(before) && is_link(source, before, here) => {
                known |= SUBJECTS.contains(&word.to_ascii_lowercase().as_str());
                here = before;
            }
            _ => break,
        }
    }
    known.then_some(here)
}

/// True if the word belongs to the chain: a dot, a bracket or, in Ruby, the next matcher follows.
fn is_link(source: &TokenizedSource<'_>, before: usize, here: usize) -> bool {
    matches!(source.word(here), "." | "?." | "->" | "::" | "(")
        || matches!(source.word(before), "to" | "should" | "be" | "must")
}

/// The argument of a matcher, if the subject is not a literal itself.
fn matched(source: &TokenizedSource<'_>, name: &str, at: usize, argument: Range<usize>) -> Option<ExpectedLiteral> {
    let start = chain(source, at, false)?;
    let is_subject = source.is_word(start) && SUBJECTS.contains(&source.word(start).to_ascii_lowercase().as_str());
    if is_subject && source.is(start + 1, "(") {
        let subject = source.close(start + 1).map(|close| start + 2..close)?;
        if !subject.is_empty() && is_constant(source, subject) {
            return None;
        }
    }
    if matches!(name, "tocontain" | "contain" | "include" | "hasmessage" | "tohavetextcontent" | "assertsee") {
        return (argument.len() == 1).then(|| text(source, argument.start)).flatten();
    }
    let far = if name == "tobecloseto" { Distance::Out } else { Distance::Next };
    let (literal, is_whole) = literal(source, argument, far)?;
    let loose = if name == "tomatchobject" || name == "is" { LIKELY } else { SURE };
    Some(ExpectedLiteral { literal, far, rank: loose + u32::from(!is_whole) })
}
