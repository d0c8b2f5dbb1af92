//! Assertions that are comparisons: `assert x == 5`, `assert!(x == 5)`, `REQUIRE(x == 5)`, `if got != 5 { t.Errorf(…) }`.

use std::ops::Range;

use super::pure::{is_constant, literal};
use super::{ExpectedLiteral, LIKELY, SURE, is_python};
use crate::mutate::language::Language::{C, Cpp, Go, Java, JavaScript, Php, Python, Ruby, Rust, Shell};
use crate::mutate::literal::Distance;
use crate::mutate::source::TokenizedSource;
use crate::mutate::token::TokenKind;

/// Returns the literal of an `assert` statement or of a failing `if` at `at`.
pub(super) fn statement(source: &TokenizedSource<'_>, at: usize) -> Option<ExpectedLiteral> {
    match source.word(at) {
        "assert" if is_python(source) || source.language == Java && !source.is(at + 1, "(") => {
            let line = at + 1..source.line_end(at);
            truth(source, source.split(line, &[",", ";", ":"]).first()?.clone())
        }
        "if" | "unless" if source.language == Ruby => failing_modifier(source, at).or_else(|| failing_if(source, at)),
        "if" => failing_if(source, at),
        "return" if is_c(source) => exit_status(source, at),
        _ => None,
    }
}

/// Returns the literal in the exit status of a C program: `return sum(2, 3) == 5 ? 0 : 1;`, `return sum(2, 3) != 5;`.
fn exit_status(source: &TokenizedSource<'_>, at: usize) -> Option<ExpectedLiteral> {
    let end = source.top(at + 1..(at + NEAR).min(source.len())).find(|at| source.is(*at, ";"))?;
    let value = at + 1..end;
    let site = match source.top(value.clone()).find(|at| source.is(*at, "?")) {
        Some(question) if source.word(question + 1) == "0" => truth(source, value.start..question),
        Some(_) => None,
        None => different(source, value),
    };
    // `return f() != 0;` passes a status on and compares nothing.
    let site = site.filter(|site| source.word(site.literal) != "0")?;
    source.main_brackets().filter(|(open, close)| (*open..*close).contains(&at)).map(|_| site)
}

pub(super) fn truth(source: &TokenizedSource<'_>, range: Range<usize>) -> Option<ExpectedLiteral> {
    let range = unwrapped(source, range);
    if has(source, &range, &["||", "or", "if", "?", "else"]) {
        return None;
    }
    let parts = source.split(range, &["&&", "and"]);
    parts
        .into_iter()
        .find_map(|part| equality(source, part.clone(), &["==", "===", "is"]).or_else(|| contained(source, part)))
}

/// True if one of these operators or words is at the own level of the range.
fn has(source: &TokenizedSource<'_>, range: &Range<usize>, words: &[&str]) -> bool {
    source.top(range.clone()).any(|at| words.iter().any(|word| source.is(at, word)))
}

/// Removes the brackets of `(x == 5)`.
fn unwrapped(source: &TokenizedSource<'_>, range: Range<usize>) -> Range<usize> {
    let mut range = source.trimmed(range);
    for _ in 0..4 {
        if source.is(range.start, "(") && source.close(range.start) == range.end.checked_sub(1) {
            range = source.trimmed(range.start + 1..range.end - 1);
        }
    }
    range
}

/// Returns the literal if one side of an operator is a literal and the other is not.
fn equality(source: &TokenizedSource<'_>, range: Range<usize>, operators: &[&str]) -> Option<ExpectedLiteral> {
    let range = unwrapped(source, range);
    let compares = |at: usize| {
        source.kind(at) == TokenKind::Op
            && matches!(source.word(at), "==" | "!=" | "===" | "!==" | "<" | ">" | "<=" | ">=" | "=~" | "<=>")
            || source.kind(at) == TokenKind::Word
                && matches!(source.word(at), "is" | "in" | "not" | "instanceof" | "as")
    };
    let found: Vec<usize> = source.top(range.clone()).filter(|at| compares(*at)).collect();
    let [operator] = found[..] else { return None };
    if !operators.contains(&source.word(operator)) || source.is(range.start, "!") {
        return None;
    }
    sides(source, range.start..operator, operator + 1..range.end, Distance::Next)
}

/// Returns the literal of two sides that must be equal. Two literals do not test the work, and two values give no literal to change.
pub(super) fn sides(
    source: &TokenizedSource<'_>,
    left: Range<usize>,
    right: Range<usize>,
    far: Distance,
) -> Option<ExpectedLiteral> {
    let (constant, value) = match (is_constant(source, left.clone()), is_constant(source, right.clone())) {
        (true, false) => (left, right),
        (false, true) => (right, left),
        _ => return None,
    };
    // `len(x) == 5` and `x.count("a") == 5` are as good as any other; `type(x) == …` has no literal.
    let is_near = source.top(value).any(|at| source.is(at, "approx"))
        || constant.clone().any(|at| matches!(source.word(at), "approx" | "closeTo"));
    let far = if is_near { Distance::Out } else { far };
    let (literal, is_whole) = literal(source, constant, far)?;
    Some(ExpectedLiteral { literal, far, rank: SURE + u32::from(!is_whole) })
}

/// Returns the text of `"text" in out`, `out.contains("text")`, `out.equals("text")`, if it is too long to occur by chance.
fn contained(source: &TokenizedSource<'_>, range: Range<usize>) -> Option<ExpectedLiteral> {
    if has(source, &range, &["!", "not", "==", "!=", "<", ">"]) {
        return None;
    }
    let (first, last) = (range.start, range.end.checked_sub(1)?);
    if source.is(first + 1, "in") {
        return if is_constant(source, first + 2..range.end) { None } else { text(source, first) };
    }
    let open = source.partner(last).filter(|open| *open > first && source.is(last, ")"))?;
    let named = [
        "equals", "contains", "includes", "include", "starts_with", "ends_with", "startsWith", "endsWith",
        "startswith", "endswith",
    ];
    let method = open.checked_sub(1).filter(|at| named.contains(&source.word(*at)))?;
    let receiver = first..method.saturating_sub(1);
    (open + 2 == last && !is_constant(source, receiver)).then(|| text(source, open + 1)).flatten()
}

/// Returns a text that is too long to occur in another one by chance.
pub(super) fn text(source: &TokenizedSource<'_>, at: usize) -> Option<ExpectedLiteral> {
    let token = source.tokens.get(at).filter(|token| token.kind == TokenKind::Text && token.plain)?;
    (token.body.len() >= 4).then_some(ExpectedLiteral { literal: at, far: Distance::Out, rank: LIKELY })
}

/// Returns the literal in the condition of `if got != 5 { t.Errorf(…) }`, if the block after it fails.
fn failing_if(source: &TokenizedSource<'_>, at: usize) -> Option<ExpectedLiteral> {
    let (condition, body) = match source.language {
        Python => {
            let end = source.line_end(at);
            let colon = source.top(at..end).find(|at| source.is(*at, ":"))?;
            (at + 1..colon, colon + 1..(colon + 1 + NEAR).min(source.len()))
        }
        Rust | Go => {
            let open = source.top(at + 1..(at + NEAR).min(source.len())).find(|at| source.is(*at, "{"))?;
            (at + 1..open, open + 1..source.close(open)?.min(open + NEAR))
        }
        Ruby => {
            let end = source.line_end(at);
            (at + 1..end, end..(end + NEAR).min(source.len()))
        }
        JavaScript | Java | C | Cpp | Php if source.is(at + 1, "(") => {
            let close = source.close(at + 1)?;
            let block = source.is(close + 1, "{").then(|| source.close(close + 1)).flatten();
            let line = close + 1..source.line_end(close + 1);
            let statement = source.top(line.clone()).find(|at| source.is(*at, ";")).unwrap_or(line.end);
            let end = block.unwrap_or(statement).min(close + NEAR);
            (at + 2..close, close + 1..end)
        }
        JavaScript | Java | C | Cpp | Php | Shell => return None,
    };
    if !fails(source, body) {
        return None;
    }
    if source.is(at, "unless") {
        return truth(source, condition);
    }
    // `if got := f(); got != 5 {`
    let condition = source.split(condition, &[";"]).pop()?;
    if has(source, &condition, &["&&", "and"]) {
        return None;
    }
    let site = different(source, condition)?;
    Some(ExpectedLiteral { rank: site.rank + 1, ..site })
}

/// Returns the literal of `raise "no" unless got == 5` and `abort "no" if got != 5`.
fn failing_modifier(source: &TokenizedSource<'_>, at: usize) -> Option<ExpectedLiteral> {
    let is_end = |at: &usize| source.kind(*at) == TokenKind::Newline || source.is(*at, ";");
    let begin = (0..at).rev().take(NEAR).find(is_end).map_or(0, |end| end + 1);
    if !fails(source, begin..at) {
        return None;
    }
    let condition = at + 1..source.line_end(at);
    if source.is(at, "unless") { truth(source, condition) } else { different(source, condition) }
}

/// Returns the literal of a condition that is true for a wrong result: `got != 5`, `strcmp(got, "five")`.
fn different(source: &TokenizedSource<'_>, condition: Range<usize>) -> Option<ExpectedLiteral> {
    let unequal =
        |part: Range<usize>| strings_differ(source, part.clone()).or_else(|| equality(source, part, &["!=", "!=="]));
    source.split(condition, &["||", "or"]).into_iter().find_map(unequal)
}

/// Returns the literal of `strcmp(got, "five")`, with or without `!= 0` after it.
fn strings_differ(source: &TokenizedSource<'_>, range: Range<usize>) -> Option<ExpectedLiteral> {
    let range = unwrapped(source, range);
    let is_call = is_c(source) && ["strcmp", "strncmp", "memcmp"].contains(&source.word(range.start));
    let close = source.close(range.start + 1).filter(|_| is_call && source.is(range.start + 1, "("))?;
    let is_whole = close + 1 == range.end || source.is(close + 1, "!=") && source.word(close + 2) == "0";
    let arguments = source.arguments(range.start + 1);
    let [left, right, ..] = arguments.get(..)? else { return None };
    is_whole.then(|| sides(source, left.clone(), right.clone(), Distance::Next)).flatten()
}

/// The most tokens of a block that are searched for a failure.
const NEAR: usize = 80;

const FAILURES: [&str; 11] =
    ["Error", "Errorf", "Fatal", "Fatalf", "panic", "throw", "raise", "abort", "die", "exit", "AssertionError"];

/// True if the first statements of a block report a failure.
fn fails(source: &TokenizedSource<'_>, body: Range<usize>) -> bool {
    // A variable that counts failures.
    let is_counter = |word: &str| ["bad", "err", "wrong"].iter().any(|begin| word.starts_with(begin));
    // `System.err.println(…); System.exit(1);`
    body.filter(|at| source.is_word(*at)).take(6).any(|at| {
        let word = source.word(at);
        FAILURES.contains(&word)
            || word.to_ascii_lowercase().starts_with("fail")
            || word.eq_ignore_ascii_case("exit")
            || is_c(source) && is_counter(word) && (source.is(at + 1, "++") || source.is(at + 1, "+="))
            || word == "return" && is_c(source) && is_status(source, at + 1)
    })
}

fn is_c(source: &TokenizedSource<'_>) -> bool {
    matches!(source.language, C | Cpp)
}

/// True for an exit status that reports a failure: `1`, `-1`, `EXIT_FAILURE`.
fn is_status(source: &TokenizedSource<'_>, at: usize) -> bool {
    let at = at + usize::from(source.is(at, "-"));
    source.kind(at) == TokenKind::Number && source.word(at) != "0" || source.is(at, "EXIT_FAILURE")
}
