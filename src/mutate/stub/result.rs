//! The value that a stub returns in a language with declared types.

use std::ops::Range;

use super::Function;
use crate::mutate::language::Language;
use crate::mutate::source::TokenizedSource;

/// An error in Go without an import.
const GO_ERROR: &str =
    "func() (err error) { defer func() { err, _ = recover().(error) }(); *(*int)(nil) = 1; return }()";

/// Returns the statement with which a function returns the default of its type, or another value, if one is known.
pub(super) fn returned(source: &TokenizedSource<'_>, function: &Function, is_other: bool) -> Option<String> {
    let parameters = (function.name + 1..function.open).find(|at| source.is(*at, "("))?;
    let result = source.close(parameters)? + 1..function.open;
    match source.language {
        Language::Go => of_go(source, result, is_other),
        Language::Php => of_php(source, result, is_other),
        _ => of_rust(source, result, is_other),
    }
}

fn of_rust(source: &TokenizedSource<'_>, result: Range<usize>, is_other: bool) -> Option<String> {
    let end = source.top(result.clone()).find(|at| source.is(*at, "where")).unwrap_or(result.end);
    if !source.is(result.start, "->") {
        return Some("return".to_owned());
    } else if !is_other {
        return Some("return Default::default()".to_owned());
    }
    let name = text(source, result.start + 1..end)?;
    let number = |name: &str| {
        let width = name.strip_prefix(['u', 'i', 'f']);
        width.is_some_and(|width| matches!(width, "8" | "16" | "32" | "64" | "128" | "size"))
    };
    Some(match name {
        "bool" => "return true".to_owned(),
        "String" => "return \"stub\".into()".to_owned(),
        name if number(name) => format!("return 77 as {name}"),
        name if name.starts_with('&') && name.ends_with("str") => "return \"stub\"".to_owned(),
        name if name.starts_with("Option<") => "return Some(Default::default())".to_owned(),
        name if name.starts_with("Vec<") => "return vec![Default::default()]".to_owned(),
        _ => return None,
    })
}

fn of_php(source: &TokenizedSource<'_>, result: Range<usize>, is_other: bool) -> Option<String> {
    let declared = if source.is(result.start, ":") { text(source, result.start + 1..result.end)? } else { "mixed" };
    let name = declared.trim_start_matches('?');
    let [nothing, other] = match name {
        "void" => return Some("return".to_owned()),
        "int" | "float" => ["0", "77"],
        "string" => ["''", "'stub'"],
        "bool" => ["false", "true"],
        "array" | "iterable" => ["[]", "['stub']"],
        "mixed" => ["null", "new \\stdClass"],
        _ => return None,
    };
    let nothing = if name == declared { nothing } else { "null" };
    Some(format!("return {}", if is_other { other } else { nothing }))
}

fn of_go(source: &TokenizedSource<'_>, result: Range<usize>, is_other: bool) -> Option<String> {
    if result.is_empty() {
        return Some("return".to_owned());
    }
    let (types, is_named) = if source.is(result.start, "(") {
        go_types(source, result.start + 1..source.close(result.start)?)?
    } else {
        (vec![text(source, result)?], false)
    };
    if is_named && !is_other {
        return Some("return".to_owned());
    }
    let value = |name: &&str| if is_other { go_other(name) } else { Some(format!("*new({name})")) };
    let values: Option<Vec<String>> = types.iter().map(value).collect();
    Some(format!("return {}", values?.join(", ")))
}

/// The types in the brackets of a result, and whether they have names.
fn go_types<'a>(source: &TokenizedSource<'a>, inner: Range<usize>) -> Option<(Vec<&'a str>, bool)> {
    let commas: Vec<usize> = source.top(inner.clone()).filter(|at| source.is(*at, ",")).collect();
    let starts = std::iter::once(inner.start).chain(commas.iter().map(|at| at + 1));
    let ends = commas.iter().copied().chain([inner.end]);
    let pieces: Vec<Range<usize>> = starts.zip(ends).map(|(start, end)| start..end).collect();
    let has_name = |piece: &Range<usize>| {
        let begins_type = matches!(source.word(piece.start), "map" | "chan" | "func" | "struct" | "interface");
        source.is_word(piece.start) && !begins_type && piece.len() > 1 && !source.is(piece.start + 1, ".")
    };
    let is_named = pieces.iter().any(has_name);
    let mut types = Vec::new();
    // In `a, b int`, the type comes last.
    let mut last = None;
    for piece in pieces.into_iter().rev() {
        if !is_named || has_name(&piece) {
            last = Some(text(source, piece.start + usize::from(is_named)..piece.end)?);
        }
        types.push(last?);
    }
    types.reverse();
    Some((types, is_named))
}

fn go_other(name: &str) -> Option<String> {
    Some(match name {
        "bool" => "true".to_owned(),
        "string" => "\"stub\"".to_owned(),
        "error" => GO_ERROR.to_owned(),
        "byte" | "rune" | "float32" | "float64" => "77".to_owned(),
        name if name.trim_start_matches('u').starts_with("int") && !name.starts_with("interface") => "77".to_owned(),
        name if name.starts_with("[]") => format!("{name}{{*new({})}}", &name[2..]),
        name if name.starts_with("map[") => {
            let (key, value) = name["map[".len()..].split_once(']')?;
            format!("{name}{{*new({key}): *new({value})}}")
        }
        name => format!("new({})", name.strip_prefix('*')?),
    })
}

fn text<'a>(source: &TokenizedSource<'a>, tokens: Range<usize>) -> Option<&'a str> {
    source.bytes(tokens).map(|bytes| &source.text[bytes])
}
