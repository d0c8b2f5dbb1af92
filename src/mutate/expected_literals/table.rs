//! Expected values outside their assertion: in a table of cases or behind a name.

use std::ops::Range;

use super::pure::{is_constant, literal};
use super::{ExpectedLiteral, LIKELY, TABLE, call, is_python, sounds_expected};
use crate::mutate::language::Language;
use crate::mutate::literal::Distance;
use crate::mutate::source::{TokenizedSource, is_keyword};
use crate::mutate::token::TokenKind;
use crate::mutate::units::Units;

/// Returns such values, from at most `most` rows of each table.
pub(super) fn sites(source: &TokenizedSource<'_>, units: &Units, most: usize) -> Vec<ExpectedLiteral> {
    let mut found = passed(source);
    for at in 0..source.len() {
        found.extend(named(source, at));
        if !source.is_word(at) {
            continue;
        }
        match source.word(at) {
            "for" => found.extend(looped(source, units, at, most)),
            "parametrize" if is_python(source) => found.extend(parametrized(source, units, at, most)),
            "each" if source.language == Language::JavaScript => found.extend(each(source, at, most)),
            "struct" if source.language == Language::Go => found.extend(structs(source, at, most)),
            "case" if source.language == Language::Rust => found.extend(case(source, at)),
            _ => {}
        }
    }
    found
}

fn site(source: &TokenizedSource<'_>, range: Range<usize>, rank: u32) -> Option<ExpectedLiteral> {
    let (literal, _) = literal(source, range, Distance::Next)?;
    Some(ExpectedLiteral { literal, far: Distance::Next, rank })
}

/// Returns the value of `want := 5`, `let expected = "x";`, `{ expected: 5 }` or `"expected": 5`.
fn named(source: &TokenizedSource<'_>, at: usize) -> Option<ExpectedLiteral> {
    let name = match source.kind(at) {
        TokenKind::Word => source.word(at),
        TokenKind::Text => &source.text[source.tokens[at].body.clone()],
        _ => return None,
    };
    let behind = matches!(source.word(at + 1), "=" | ":=" | ":") && source.kind(at + 1) == TokenKind::Op;
    if !behind || name.len() > 60 || !sounds_expected(name) {
        return None;
    }
    let from = source.after(at + 2);
    let end = source.stop(from, |here| {
        source.kind(here) == TokenKind::Newline
            || source.kind(here) == TokenKind::Op && matches!(source.word(here), "," | ";" | ")" | "]" | "}")
    });
    site(source, from..end, TABLE)
}

/// Returns the values in `check("x", f())`, if this file has `function check(string $expected, string $actual) {`: the tests' own assertion.
fn passed(source: &TokenizedSource<'_>) -> Vec<ExpectedLiteral> {
    let calls = || (0..source.len()).filter(|at| source.is_word(*at) && source.is(*at + 1, "("));
    let is_defined = |at: usize| {
        let before = at.checked_sub(1).map_or("", |before| source.word(before));
        matches!(before, "def" | "function" | "func" | "fn")
            || !is_keyword(source.word(at))
                && source.close(at + 1).is_some_and(|close| source.is(source.after(close + 1), "{"))
    };
    let sounds = |parameter: &Range<usize>| {
        parameter.clone().any(|at| source.is_word(at) && sounds_expected(source.word(at).trim_start_matches('$')))
    };
    let expecting = |at: usize| Some((source.word(at), source.arguments(at + 1).iter().position(sounds)?));
    let helpers: Vec<(&str, usize)> = calls().filter(|at| is_defined(*at)).filter_map(expecting).collect();
    let value = |at: usize| {
        let (_, place) = helpers.iter().find(|(name, _)| *name == source.word(at))?;
        let arguments = source.arguments(at + 1);
        let has_more = arguments.iter().any(|other| !is_constant(source, other.clone()));
        has_more.then(|| site(source, arguments.get(*place)?.clone(), TABLE))?
    };
    if helpers.is_empty() { Vec::new() } else { calls().filter(|at| !is_defined(*at)).filter_map(value).collect() }
}

/// True if the literal is this value in the form that a runner prints.
pub(super) fn is_value(source: &TokenizedSource<'_>, at: usize, printed: &str) -> bool {
    let token = &source.tokens[at];
    match token.kind {
        TokenKind::Text | TokenKind::Char => {
            let quoted = printed.strip_prefix(['"', '\'']).and_then(|rest| rest.strip_suffix(['"', '\'']));
            let body = &source.text[token.body.clone()];
            quoted.unwrap_or(printed) == body && !body.is_empty()
        }
        _ => {
            source.word(at) == printed
                || at > 0 && source.is(at - 1, "-") && printed.strip_prefix('-') == Some(source.word(at))
        }
    }
}

/// Returns the table behind a name: the one in `ROWS = [...]` or `const ROWS: [(u8, &str); 2] = [...]` for `ROWS`. Any other table is at
/// the place of its use.
fn named_table(source: &TokenizedSource<'_>, table: Range<usize>) -> Range<usize> {
    let table = source.trimmed(table);
    let first = table.clone().find(|at| source.is_word(*at) || source.close(*at).is_some());
    let Some(name) = first.filter(|at| source.is_word(*at)).map(|at| source.word(at)) else { return table };
    let is_defined =
        |at: &usize| source.is_word(*at) && source.word(*at) == name && matches!(source.word(at + 1), "=" | ":" | ":=");
    let Some(at) = (0..source.len()).find(is_defined) else { return table };
    let end = source.stop(at + 1, |here| source.is(here, "=") || source.is(here, ":=") || source.is(here, ";"));
    let open = source.after(end + 1);
    let close = (open..open + 3).find_map(|open| source.close(open)).unwrap_or(open);
    open..close + 1
}

fn rows(source: &TokenizedSource<'_>, table: Range<usize>) -> Vec<Vec<Range<usize>>> {
    let table = named_table(source, table);
    let open = (table.start..(table.start + 4).min(table.end)).find(|at| matches!(source.word(*at), "[" | "(" | "{"));
    let Some((open, close)) = open.and_then(|open| source.close(open).map(|close| (open, close))) else {
        return Vec::new();
    };
    let inside = |row: Range<usize>| {
        let open =
            row.clone().find(|at| matches!(source.word(*at), "[" | "(" | "{") && source.kind(*at) == TokenKind::Op)?;
        Some(source.arguments(open))
    };
    source.split(open + 1..close, &[","]).into_iter().filter_map(inside).collect()
}

/// Returns the values of a column, from `most` rows spread over the table.
fn column(
    source: &TokenizedSource<'_>,
    rows: &[Vec<Range<usize>>],
    place: impl Fn(usize) -> Option<usize>,
    most: usize,
    rank: u32,
) -> Vec<ExpectedLiteral> {
    let last = rows.len().saturating_sub(1);
    let mut places: Vec<usize> = (0..most).map(|nth| (nth * rows.len() / (most - 1)).min(last)).collect();
    places.dedup();
    let value = |row: &Vec<Range<usize>>| site(source, row.get(place(row.len())?)?.clone(), rank);
    places.into_iter().filter_map(|at| rows.get(at)).filter_map(value).collect()
}

/// Reads `for n, want in [(1, "I"), …]:`, `for (n, want) in [(1, "I")] {`, `for (const [n, want] of [[1, "I"]]) {`.
fn looped(source: &TokenizedSource<'_>, units: &Units, at: usize, most: usize) -> Vec<ExpectedLiteral> {
    let Some(sign) = (at..(at + 24).min(source.len())).find(|at| source.is(*at, "in") || source.is(*at, "of")) else {
        return Vec::new();
    };
    let names: Vec<&str> = (at + 1..sign)
        .filter(|at| source.is_word(*at))
        .map(|at| source.word(at))
        .filter(|word| !matches!(*word, "const" | "let" | "var"))
        .collect();
    if names.len() < 2 {
        return Vec::new();
    }
    let scope = units.around(at).map_or(at..source.len().min(at + 2000), |unit| at..units.all[unit].end.min(at + 2000));
    let Some(place) = expected_of(source, &names, scope) else { return Vec::new() };
    let end =
        source.stop(sign + 1, |here| matches!(source.word(here), ":" | ")") || source.kind(here) == TokenKind::Newline);
    let count = names.len();
    column(source, &rows(source, sign + 1..end), |len| (len == count).then_some(place), most, TABLE)
}

/// Reads `@pytest.mark.parametrize("n, want", [(1, "I"), …])`.
fn parametrized(source: &TokenizedSource<'_>, units: &Units, at: usize, most: usize) -> Vec<ExpectedLiteral> {
    let arguments = source.arguments(at + 1);
    let [names, table, ..] = arguments.as_slice() else { return Vec::new() };
    let texts = names
        .clone()
        .filter(|at| source.kind(*at) == TokenKind::Text)
        .map(|at| &source.text[source.tokens[at].body.clone()]);
    let names: Vec<&str> =
        texts.flat_map(|text| text.split(',')).map(str::trim).filter(|name| !name.is_empty()).collect();
    let next = units.all.partition_point(|unit| unit.end <= at);
    let scope = units.all.get(next).map_or(at..at, |unit| at..unit.end.min(at + 4000));
    let Some(place) = expected_of(source, &names, scope) else { return Vec::new() };
    let count = names.len();
    column(source, &rows(source, table.clone()), |len| (len == count).then_some(place), most, TABLE)
}

/// Returns the index of the name of the expected value: by its sound, or because it is a whole side of an equality.
fn expected_of(source: &TokenizedSource<'_>, names: &[&str], scope: Range<usize>) -> Option<usize> {
    if let Some(at) = names.iter().rposition(|name| sounds_expected(name)) {
        return Some(at);
    }
    let compared = scope.filter(|at| source.is_word(*at)).find_map(|at| call::compared_name(source, at, names))?;
    names.iter().position(|name| *name == compared)
}

/// Reads `test.each([[1, 2, 3]])`: the last value of each row.
fn each(source: &TokenizedSource<'_>, at: usize, most: usize) -> Vec<ExpectedLiteral> {
    let Some(table) = source.arguments(at + 1).first().cloned() else { return Vec::new() };
    column(source, &rows(source, table), |len| len.checked_sub(1).filter(|last| *last > 0), most, LIKELY)
}

/// Reads `#[case(1, 2)]`: the last value.
fn case(source: &TokenizedSource<'_>, at: usize) -> Option<ExpectedLiteral> {
    let attribute = at >= 2 && source.is(at - 1, "[") && source.is(at - 2, "#");
    let last = source.arguments(at + 1).pop().filter(|_| attribute)?;
    site(source, last, LIKELY)
}

/// Reads `[]struct{ in int; want string }{ {1, "I"}, … }`.
fn structs(source: &TokenizedSource<'_>, at: usize, most: usize) -> Vec<ExpectedLiteral> {
    let Some(close) = source.close(at + 1).filter(|_| source.is(at + 1, "{")) else { return Vec::new() };
    if !source.is(close + 1, "{") || !source.is(at.wrapping_sub(1), "]") {
        return Vec::new();
    }
    let mut fields: Vec<&str> = Vec::new();
    let mut first = true;
    for piece in source.top(at + 2..close) {
        first |=
            piece > 0 && (source.kind(piece - 1) == TokenKind::Newline || matches!(source.word(piece - 1), ";" | ","));
        if std::mem::take(&mut first) && source.is_word(piece) {
            fields.push(source.word(piece));
        }
    }
    let sounds = |name: &str| sounds_expected(name) || matches!(name, "out" | "output" | "result" | "res" | "ret");
    let Some(place) = fields.iter().rposition(|name| sounds(name)) else { return Vec::new() };
    let count = fields.len();
    let rows = rows(source, close + 1..source.len());
    let rows: Vec<_> = rows.into_iter().filter(|row| row.iter().all(|cell| !source.is(cell.start + 1, ":"))).collect();
    column(source, &rows, |len| (len == count).then_some(place), most, TABLE)
}
