//! Decides whether an expression consists of literals alone, and which of them to change.

use std::ops::Range;

use crate::mutate::literal::{Distance, bump};
use crate::mutate::source::TokenizedSource;
use crate::mutate::token::TokenKind;

/// Returns the first literal of an expression that contains only literals, and whether it is the whole value (`5`, `-5`, `"x"`) or a part
/// of one (`[1, 2]`, `{"a": 1}`, `Some(5)`, `vec![1]`, `"x".to_string()`). `None` if a value comes from elsewhere.
pub(super) fn literal(source: &TokenizedSource<'_>, range: Range<usize>, far: Distance) -> Option<(usize, bool)> {
    let range = source.trimmed(range);
    if range.is_empty() || range.len() > LONGEST || !range.clone().all(|at| is_pure(source, at)) {
        return None;
    }
    let signs = range.clone().take_while(|at| matches!(source.word(*at), "-" | "&" | "+" | "*")).count();
    let first = range.clone().find(|at| bumps(source, &range, *at, far))?;
    Some((first, range.len() == signs + 1))
}

/// The longest expected value, in tokens.
const LONGEST: usize = 400;

pub(super) fn is_constant(source: &TokenizedSource<'_>, range: Range<usize>) -> bool {
    let range = source.trimmed(range);
    let constant = |at: usize| {
        is_pure(source, at) || matches!(source.word(at), "==" | "!=" | "<" | ">" | "!" | "not" | "and" | "or")
    };
    range.len() <= LONGEST && range.clone().all(constant)
}

fn bumps(source: &TokenizedSource<'_>, range: &Range<usize>, at: usize, far: Distance) -> bool {
    // The number in `vec![0; 3]` is a length, and that in `x.0` an index.
    let before = if at > range.start { source.word(at - 1) } else { "" };
    let is_literal =
        !matches!(source.kind(at), TokenKind::Word) || super::super::literal::flipped(source.word(at)).is_some();
    is_literal && !matches!(before, ";" | "." | "**") && bump(source, at, far).is_some()
}

fn is_pure(source: &TokenizedSource<'_>, at: usize) -> bool {
    let word = source.word(at);
    match source.kind(at) {
        TokenKind::Number | TokenKind::Text | TokenKind::Char | TokenKind::Newline => true,
        TokenKind::Other => false,
        TokenKind::Op => OPERATORS.contains(&word),
        TokenKind::Word => is_maker(source, at, word),
    }
}

/// Operators that may be between the literals of a value.
const OPERATORS: [&str; 21] =
    ["(", ")", "[", "]", "{", "}", ",", ":", "-", "+", "&", "!", "=>", ".", "::", ";", "*", "<<", "/", "->", "="];

/// Named values and types, and functions that turn a literal into a value.
const MAKERS: [&str; 48] = [
    "true", "false", "True", "False", "TRUE", "FALSE", "None", "null", "nil", "nullptr", "undefined", "NULL", "vec",
    "to_string", "to_owned", "into", "from", "as_str", "as_ref", "new", "frozenset", "bytearray", "timedelta", "float",
    "int", "str", "string", "byte", "rune", "int64", "int32", "uint", "uint64", "uint32", "float64", "asList",
    "approx", "pytest", "is", "equalTo", "equal_to", "bool", "long", "double", "char", "to_vec", "as_bytes", "encode",
];
/// Types that make a value only where something opens after them. Alone, each is also a name for a value of the work.
const TYPES: [&str; 9] = ["set", "dict", "list", "tuple", "bytes", "date", "datetime", "map", "array"];

/// True if the name turns a literal into a value, or is a key of one.
fn is_maker(source: &TokenizedSource<'_>, at: usize, word: &str) -> bool {
    // `Roman.of(4)` calls the work, `List.of(4)` does not.
    let known = match word {
        "of" => at.checked_sub(2).is_some_and(|at| matches!(source.word(at), "List" | "Set" | "Map" | "Optional")),
        _ => {
            let opens = matches!(source.word(at + 1), "(" | "[" | "{" | "." | "::" | "<");
            MAKERS.contains(&word) || opens && TYPES.contains(&word)
        }
    };
    let key = matches!(source.word(at + 1), ":" | "=") && source.kind(at + 1) == TokenKind::Op;
    // A type or a variant. In languages that also write functions this way, braces must follow.
    let functions = source.language.names_functions_like_types();
    let made = match source.word(at + 1) {
        "{" => true,
        "(" | "::" | "." | "!" | "[" => !functions,
        _ => false,
    };
    let capital =
        word.starts_with(|c: char| c.is_ascii_uppercase()) && word.chars().any(|c| c.is_ascii_lowercase()) && made;
    known || key || capital
}
