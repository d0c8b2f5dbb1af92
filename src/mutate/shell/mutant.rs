//! Finds changes of a script's behaviour.

use std::ops::Range;

use super::expected_literals::comparison;
use super::read::Script;
use super::{bump, free_letter};
use crate::mutate::Mutation;
use crate::mutate::lines::within;
use crate::mutate::literal::{Distance, opposite, other};
use crate::mutate::mutant::{FAIR, GOOD, LOOP, Rank, SURE, WEAK, choose};
use crate::shell::lex::{ShellToken, ShellTokenKind};

pub(in crate::mutate) fn find(script: &Script<'_>, changed: &[Range<usize>], most: usize) -> Vec<Mutation> {
    let mut found = Vec::new();
    let is_changed = within(changed);
    let mut looping = 0;
    for at in 0..script.pieces.len() {
        let piece = &script.pieces[at];
        if script.begins(at) && matches!(script.word(at), "while" | "until" | "for") {
            looping = piece.line;
        }
        if !is_changed(piece.line) {
            continue;
        }
        let penalty = if looping == piece.line { LOOP } else { 0 };
        let all = [test(script, at), word(script, at), inside(script, at), said(script, at)];
        found.extend(all.into_iter().flatten().map(|(rank, mutation)| (rank + penalty, mutation)));
    }
    choose(found, most)
}

fn whole(script: &Script<'_>, piece: &ShellToken, rank: Rank, new: &str) -> Option<(Rank, Mutation)> {
    Some((rank, Mutation::new(script.text, piece.range.clone(), piece.line, new)))
}

/// Changes the operator of a test.
fn test(script: &Script<'_>, at: usize) -> Option<(Rank, Mutation)> {
    if !script.begins(at) {
        return None;
    }
    let (operator, new) = if let Some((_, sign, _, _)) = comparison(script, at) {
        let new = match script.word(sign) {
            "==" => "!=",
            word => opposite(&["= !=", "-eq -ne", "-lt -ge", "-gt -le"], word)?,
        };
        (sign, new)
    } else if matches!(script.word(at), "[" | "[[" | "test") {
        (at + 1, opposite(&["-z -n"], script.word(at + 1))?)
    } else {
        return None;
    };
    whole(script, script.pieces.get(operator)?, SURE, new)
}

/// Changes `&&`, `||`, `exit 1`, `if command`, `name=value`.
fn word(script: &Script<'_>, at: usize) -> Option<(Rank, Mutation)> {
    let piece = &script.pieces[at];
    match (piece.kind, script.word(at)) {
        (ShellTokenKind::Op, "&&") => whole(script, piece, SURE, "||"),
        (ShellTokenKind::Op, "||") => whole(script, piece, SURE, "&&"),
        (ShellTokenKind::Word, "exit" | "return") if script.begins(at) => {
            let status = script.pieces.get(at + 1).filter(|status| status.line == piece.line)?;
            whole(script, status, GOOD, if script.word(at + 1) == "0" { "1" } else { "0" })
                .filter(|_| script.word(at + 1).bytes().all(|b| b.is_ascii_digit()))
        }
        (ShellTokenKind::Word, "if" | "elif")
            if script.begins(at) && !matches!(script.word(at + 1), "!" | "[" | "[[" | "test") =>
        {
            let next = script.pieces.get(at + 1)?.range.start;
            Some((GOOD, Mutation::new(script.text, next..next, piece.line, "! ")))
        }
        (ShellTokenKind::Word, name) => {
            // `name=value`, `local name=value`.
            let (key, value) = name.split_once('=')?;
            let is_name = !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
            let sets = script.begins(at)
                || matches!(script.word(at.checked_sub(1)?), "local" | "readonly" | "declare" | "export");
            let from = piece.range.start + key.len() + 1;
            let quote = usize::from(value.starts_with(['"', '\'']));
            let at = free_letter(value.as_bytes()).filter(|_| is_name && sets && key != "PATH" && key != "IFS")?;
            let spot = from + at.max(quote);
            let new = other(script.text.as_bytes()[spot]).to_string();
            Some((FAIR, Mutation::new(script.text, spot..spot + 1, piece.line, new)))
        }
        _ => None,
    }
}

/// Changes `$((a + b))` and `${1:-default}` within a word.
fn inside(script: &Script<'_>, at: usize) -> Option<(Rank, Mutation)> {
    let piece = script.pieces.get(at).filter(|piece| piece.kind == ShellTokenKind::Word)?;
    let text = script.word(at);
    let edit = |from: usize, width: usize, new: &str, rank: Rank| {
        let start = piece.range.start + from;
        Some((rank, Mutation::new(script.text, start..start + width, piece.line, new)))
    };
    if let Some(start) = text.find("$((") {
        let end = text[start..].find("))").map_or(text.len(), |end| start + end);
        let found = text[start + 3..end].find(['+', '-', '*', '%']).map(|at| start + 3 + at)?;
        let new = match text.as_bytes()[found] {
            b'+' => "-",
            b'-' => "+",
            b'*' => "+",
            _ => "*",
        };
        return edit(found, 1, new, GOOD);
    }
    let start = text.find("${").and_then(|at| text[at..].find(":-").map(|sign| at + sign + 2))?;
    match text[start..].chars().next()? {
        '}' => edit(start, 0, "z", FAIR),
        letter if letter.is_ascii_alphanumeric() => edit(start, 1, &other(letter as u8).to_string(), FAIR),
        _ => None,
    }
}

/// Changes the text that `echo` or `printf` writes to standard output.
fn said(script: &Script<'_>, at: usize) -> Option<(Rank, Mutation)> {
    if !script.begins(at) || !matches!(script.word(at), "echo" | "printf") {
        return None;
    }
    let end = (at + 1..at + 40).find(|at| script.ends(*at))?;
    if (at..end).any(|at| matches!(script.word(at), ">&" | "&>")) {
        return None;
    }
    let said = (at + 1..end).filter(|at| !script.word(*at).starts_with('-')).find_map(|at| {
        let piece = &script.pieces[at];
        if script.literal(at).is_some() {
            return bump(script, at, Distance::Next);
        }
        // `"Hello, $name"`: the part before the expansion.
        let text = script.word(at).strip_prefix('"')?;
        let spot = piece.range.start + 1 + free_letter(text.as_bytes())?;
        let new = other(script.text.as_bytes()[spot]).to_string();
        Some(Mutation::new(script.text, spot..spot + 1, piece.line, new))
    });
    let said = said.map(|mutation| (FAIR, mutation));
    said.or_else(|| {
        let range = script.pieces[at].range.start..script.pieces[end - 1].range.end;
        Some((WEAK, Mutation::new(script.text, range, script.pieces[at].line, ":")))
    })
}
