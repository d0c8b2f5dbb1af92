//! Finds expected literals in a script: `[ "$out" = 'Hello' ]`, `test "$n" -eq 3`, `check "$(f)" 5`, `f | grep -q Hello`.

use std::collections::HashMap;

use super::bump;
use super::read::{Script, is_keyword};
use crate::mutate::Mutation;
use crate::mutate::literal::Distance;
use crate::mutate::spread::evenly;
use crate::shell::lex::ShellTokenKind;

/// Returns at most `most` literals, equalities first, from all over the script.
pub(in crate::mutate) fn find(script: &Script<'_>, most: usize) -> Vec<Mutation> {
    let exits = exits_on_error(script);
    let helpers = helpers(script);
    let (mut equal, mut contained) = (Vec::new(), Vec::new());
    for at in (0..script.pieces.len()).filter(|at| script.begins(*at)) {
        let found = test(script, at, exits).or_else(|| call(script, at, &helpers));
        equal.extend(found.and_then(|at| bump(script, at, Distance::Next)));
        contained.extend(grep(script, at, exits).and_then(|at| bump(script, at, Distance::Out)));
    }
    let mut chosen = evenly(equal, most);
    let rest = most - chosen.len();
    chosen.extend(evenly(contained, rest));
    chosen
}

fn exits_on_error(script: &Script<'_>) -> bool {
    let head = script.text.lines().next().unwrap_or_default();
    let by_head = head.starts_with("#!")
        && (head.split_whitespace().skip(1).any(|word| word.starts_with("-e")) || head.contains("bats"));
    let set = |at: usize| {
        let option = script.word(at + 1);
        script.is(at, "set") && (option.starts_with('-') && option.contains('e') || script.is(at + 2, "errexit"))
    };
    by_head || script.text.contains("@test ") || (0..script.pieces.len()).any(set)
}

/// Returns the literal of a comparison, if the script fails unless it holds (or, with `!=`, if it holds).
fn test(script: &Script<'_>, at: usize, exits: bool) -> Option<usize> {
    let (left, sign, right, end) = comparison(script, at)?;
    let equal = match script.word(sign) {
        "=" | "==" | "-eq" => true,
        "!=" | "-ne" => false,
        _ => return None,
    };
    let negated = at > 0 && script.is(at - 1, "!");
    if matters(script, at, end, equal != negated, exits) { one_literal(script, left, right) } else { None }
}

/// Returns the left side, operator and right side of the test that begins at `at`, and the token after it.
pub(super) fn comparison(script: &Script<'_>, at: usize) -> Option<(usize, usize, usize, usize)> {
    let (is_closed, end) = match script.word(at) {
        "[" => (script.is(at + 4, "]"), at + 5),
        "[[" => (script.is(at + 4, "]]"), at + 5),
        "test" => (script.ends(at + 4), at + 4),
        _ => return None,
    };
    let words =
        (at + 1..at + 4).all(|at| script.pieces.get(at).is_some_and(|piece| piece.kind == ShellTokenKind::Word));
    (words && is_closed).then_some((at + 1, at + 2, at + 3, end))
}

fn one_literal(script: &Script<'_>, left: usize, right: usize) -> Option<usize> {
    let literal = |at: usize| script.literal(at).is_some();
    match (literal(left), literal(right)) {
        (true, false) => Some(left),
        (false, true) => Some(right),
        _ => None,
    }
}

/// True if the script fails when the command from `at` to `end` does not give `holds`.
fn matters(script: &Script<'_>, at: usize, end: usize, holds: bool, exits: bool) -> bool {
    let before = (0..at).rev().find(|at| !script.is(*at, "!"));
    let keyword = before.map_or("", |at| script.word(at));
    if is_alternative(script, before, end, holds) || matches!(keyword, "while" | "until") {
        return false;
    }
    if matches!(keyword, "if" | "elif") {
        return branch_fails(script, end, !holds);
    }
    match script.word(end) {
        "||" => {
            let excused =
                matches!(script.word(end + 1), "true" | ":") || script.is(end + 1, "exit") && script.is(end + 2, "0");
            holds && !excused
        }
        "&&" if !holds => (end + 1..end + 4).any(|at| is_failure(script, at)),
        "&&" => joined_by_or(script, end),
        _ if !script.ends(end) && !script.is(end, "}") => false,
        _ => holds && (exits || is_last(script, end)),
    }
}

/// True for one side of `[ a = b ] || [ a = c ]` or of `[ a != b ] && [ a != c ]`: the other side may hold. `before` is the token before
/// the command, and `end` the one after it.
fn is_alternative(script: &Script<'_>, before: Option<usize>, end: usize, holds: bool) -> bool {
    let or = if holds { "||" } else { "&&" };
    let next = || (end + 1..end + 40).take_while(|at| script.is(*at, "|") || !script.ends(*at) && !script.is(*at, "{"));
    let is_test =
        |at: usize| script.begins(at) && matches!(script.word(at), "[" | "[[" | "test" | "grep" | "egrep" | "fgrep");
    let follows = script.is(end, or) && next().any(is_test);
    follows || before.is_some_and(|at| script.is(at, or) && follows_comparison(script, at))
}

/// Whether the command in front of an operator compares two values or searches for a text.
fn follows_comparison(script: &Script<'_>, operator: usize) -> bool {
    let start = pipeline(script, operator);
    let is_equality = |at: usize| {
        let sign = comparison(script, at).map(|(_, sign, ..)| script.word(sign));
        sign.is_some_and(|sign| matches!(sign, "=" | "==" | "-eq" | "!=" | "-ne"))
    };
    (start..operator).any(|at| is_equality(at) || matches!(script.word(at), "grep" | "egrep" | "fgrep"))
}

/// True for `[ a = b ] && [ c = d ] || exit 1`.
fn joined_by_or(script: &Script<'_>, from: usize) -> bool {
    let line = (from..(from + 60).min(script.pieces.len()))
        .take_while(|at| script.pieces[*at].kind != ShellTokenKind::Newline);
    let mut or = line.filter(|at| script.is(*at, "||"));
    or.next().is_some_and(|at| is_failure(script, at + 1) || is_failure(script, at + 2))
}

fn is_last(script: &Script<'_>, end: usize) -> bool {
    let rest = &script.pieces[end.min(script.pieces.len())..];
    rest.iter().take(20).all(|piece| piece.kind == ShellTokenKind::Newline || &script.text[piece.range.clone()] == "}")
        && rest.len() < 20
}

/// True if the branch after `then` (with `then`), or after `else`, reports a failure.
fn branch_fails(script: &Script<'_>, from: usize, then: bool) -> bool {
    let stop = (from + 80).min(script.pieces.len());
    let mut depth = 0usize;
    let mut start = if then { (from..stop).find(|at| script.is(*at, "then")) } else { None };
    let mut end = stop;
    for at in from..stop {
        match script.word(at) {
            "if" => depth += 1,
            word @ ("fi" | "else" | "elif") if depth == 0 && (then || word == "fi") => {
                end = at;
                break;
            }
            "fi" => depth -= 1,
            "else" if depth == 0 => start = Some(at),
            _ => {}
        }
    }
    start.is_some_and(|start| (start..end).any(|at| is_failure(script, at)))
}

/// True for `exit 1`, `fail "…"`, `return 1`, `status=1`, `echo FAIL`.
fn is_failure(script: &Script<'_>, at: usize) -> bool {
    let word = script.word(at);
    if script.pieces.get(at).is_none_or(|piece| piece.kind != ShellTokenKind::Word) {
        return false;
    }
    match word {
        "exit" | "return" => script.word(at + 1) != "0",
        "false" | "die" | "abort" | "bad" | "ko" => true,
        word => {
            let lower = word.to_ascii_lowercase();
            lower.contains("fail")
                || lower.starts_with("err")
                || lower.contains("not ok")
                || matches!(lower.as_str(), "status=1" | "rc=1" | "ret=1" | "result=1")
        }
    }
}

/// Returns the pattern of `… | grep -q Hello`, if `grep` must find it.
fn grep(script: &Script<'_>, at: usize, exits: bool) -> Option<usize> {
    if !matches!(script.word(at), "grep" | "egrep" | "fgrep") {
        return None;
    }
    let start = pipeline(script, at);
    if start > 0 && script.is(start - 1, "!") {
        return None;
    }
    let options = (at + 1..at + 8).take_while(|at| script.word(*at).starts_with('-')).collect::<Vec<_>>();
    let odd = |at: &usize| {
        script.word(*at).starts_with("--") && !script.is(*at, "--")
            || script.word(*at)[1..].contains(['v', 'c', 'L', 'f', 'm'])
    };
    let pattern = options.last().map_or(at + 1, |last| last + 1);
    let end = (pattern..pattern + 12).find(|at| script.ends(*at) || script.is(*at, ">"))?;
    // Another `-e` is an alternative.
    if (pattern..end).any(|at| script.is(at, "-e")) {
        return None;
    }
    let literal = script.literal(pattern)?;
    let long = literal.len() >= 4 && !script.text[literal].contains(['|', '[', '\\', '*', '?']);
    (!options.iter().any(odd) && long && matters(script, start, end, true, exits)).then_some(pattern)
}

/// The first word of the pipeline around `at`.
fn pipeline(script: &Script<'_>, at: usize) -> usize {
    let mut start = at;
    while start > 0 && at - start < 40 {
        let ends = script.pieces[start - 1].kind == ShellTokenKind::Newline
            || matches!(script.word(start - 1), ";" | "&&" | "||" | "&" | "(" | ")" | ";;")
            || is_keyword(script.word(start - 1));
        if ends {
            break;
        }
        start -= 1;
    }
    start
}

/// Functions that compare arguments, with the numbers of these arguments.
fn helpers<'a>(script: &Script<'a>) -> HashMap<&'a str, Vec<usize>> {
    let mut found = HashMap::new();
    for function in &script.functions {
        let body = function.open..function.close.min(function.open + 120);
        let mut names: HashMap<&str, usize> = HashMap::new();
        let mut compared = Vec::new();
        for at in body.clone() {
            if let Some((name, value)) = script.word(at).split_once('=')
                && let Some(number) = argument(value, &names)
            {
                names.insert(name, number);
            }
            let sides = comparison(script, at)
                .filter(|(_, sign, _, _)| matches!(script.word(*sign), "=" | "==" | "!=" | "-eq" | "-ne"));
            if let Some((left, _, right, _)) = sides.filter(|_| script.begins(at)) {
                compared.extend([left, right].into_iter().filter_map(|at| argument(script.word(at), &names)));
            }
        }
        if !body.into_iter().any(|at| script.is(at, "shift")) && !compared.is_empty() {
            found.insert(&script.text[function.name.clone()], compared);
        }
    }
    found
}

/// Returns the number of the argument in `$2`, `"${2}"`, `"$want"`.
fn argument(word: &str, names: &HashMap<&str, usize>) -> Option<usize> {
    let word = word.trim_matches('"').strip_prefix('$')?;
    let word = word.strip_prefix('{').and_then(|word| word.strip_suffix('}')).unwrap_or(word);
    word.parse().ok().filter(|number| (1..10).contains(number)).or_else(|| names.get(word).copied())
}

/// Returns the literal among the arguments that a helper compares. The helper is a function of the script or of a test framework.
fn call(script: &Script<'_>, at: usize, helpers: &HashMap<&str, Vec<usize>>) -> Option<usize> {
    let name = script.word(at);
    let end = (at + 1..at + 12).find(|at| script.ends(*at))?;
    let count = end - at - 1;
    let numbers: Vec<usize> = match (helpers.get(name), name) {
        (Some(numbers), _) => numbers.clone(),
        (None, "assertEquals" | "assertSame") if count == 3 => vec![2, 3],
        (None, "assertEquals" | "assertSame" | "assert_equal" | "assert_equals" | "assert_eq" | "assert_same") => {
            vec![1, 2]
        }
        (None, "assert_output" | "assert_line") if count == 1 => vec![1],
        _ => return None,
    };
    let is_literal = |place: &usize| *place < end && script.literal(*place).is_some();
    let mut literals: Vec<usize> = numbers.into_iter().map(|number| at + number).filter(is_literal).collect();
    literals.dedup();
    (literals.len() == 1).then(|| literals[0])
}
