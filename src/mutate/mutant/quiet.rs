//! Tokens that mutants leave alone, because nobody tests them or because a change would not compile.

use std::ops::Range;

use crate::mutate::inline;
use crate::mutate::language::Language::{C, Cpp, Go, Java, JavaScript, Php, Python, Ruby, Rust, Shell};
use crate::mutate::source::TokenizedSource;
use crate::mutate::token::TokenKind;
use crate::mutate::units::Units;

/// True for each token that is left alone.
pub(super) fn pieces(source: &TokenizedSource<'_>) -> Vec<bool> {
    let mut quiet = vec![false; source.len()];
    let mut silence = |range: Range<usize>| {
        let end = range.end.min(quiet.len());
        // A line is checked once, so that a long line with many reasons still takes linear time.
        if quiet.get(range.start) != Some(&true) || range.len() < 400 {
            quiet[range.start.min(end)..end].fill(true);
        }
    };
    inline::pieces_of_tests(source).into_iter().flatten().for_each(&mut silence);
    for unit in Units::of(source).all {
        // The head with its types and default values; for a test, everything.
        silence(unit.start..if unit.is_test { unit.end } else { unit.open + 1 });
    }
    for at in 0..source.len() {
        if is_start(source, at)
            && let Some(end) = silent_statement(source, at)
        {
            silence(at..end);
        }
        if source.language == Rust && source.is(at, "#") {
            let open = if source.is(at + 1, "!") { at + 2 } else { at + 1 };
            silence(at..source.close(open).unwrap_or(at) + 1);
        }
        if source.is_word(at) && PLACES.contains(&source.word(at)) {
            silence(line(source, at));
        }
    }
    quiet
}

/// True for the first token of a statement.
pub(super) fn is_start(source: &TokenizedSource<'_>, at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else { return true };
    match source.kind(before) {
        TokenKind::Newline => true,
        TokenKind::Op => {
            matches!(source.word(before), ";" | "{" | "}") || source.language == Python && source.is(before, ":")
        }
        _ => false,
    }
}

/// The end of the statement that begins at `at`: `;`, or the end of the line if that ends it.
pub(super) fn end(source: &TokenizedSource<'_>, at: usize) -> usize {
    let lines = source.language.ends_statements_with_lines();
    source.stop(at, |here| {
        let closes = source.kind(here) == TokenKind::Op && matches!(source.word(here), ";" | "}" | ")" | "]");
        closes || lines && source.kind(here) == TokenKind::Newline
    })
}

/// The tokens in the line of a token, including the content of brackets.
fn line(source: &TokenizedSource<'_>, at: usize) -> Range<usize> {
    let number = source.tokens[at].line;
    let start = source.tokens.partition_point(|token| token.line < number);
    start..source.tokens.partition_point(|token| token.line <= number)
}

/// Words that may precede a declaration.
const MODIFIERS: [&str; 13] = [
    "pub", "export", "public", "private", "protected", "abstract", "declare", "final", "static", "default", "sealed",
    "unsafe", "async",
];

/// Statements that import names or declare a package.
const IMPORTS: [&str; 16] = [
    "import", "use", "package", "using", "extern", "namespace", "require", "require_relative", "include",
    "include_once", "require_once", "typedef", "template", "goto", "global", "nonlocal",
];

/// Declarations whose bodies are searched.
const BLOCKS: [&str; 8] = ["class", "struct", "enum", "union", "trait", "impl", "record", "module"];

/// Statements that raise an error, or check a condition.
const FAILURES: [&str; 13] = [
    "raise", "throw", "assert", "debug_assert", "debug_assert_eq", "debug_assert_ne", "panic", "unreachable", "todo",
    "unimplemented", "static_assert", "bail", "anyhow",
];

/// Functions that write to a log.
const LOGS: [&str; 21] = [
    "log", "logger", "logging", "LOG", "Log", "LOGGER", "_logger", "_log", "console", "eprintln", "eprint", "dbg",
    "debug", "trace", "warn", "warnings", "tracing", "info", "slog", "Logger", "error",
];

/// Returns the end of a statement that is left alone.
fn silent_statement(source: &TokenizedSource<'_>, at: usize) -> Option<usize> {
    let mut head = at;
    while MODIFIERS.contains(&source.word(head)) {
        head += 1;
        if source.is(head, "(") && source.language == Rust {
            head = source.close(head)? + 1;
        }
    }
    let word = source.word(head);
    if !source.is_word(head) {
        return source.is(at, "@").then(|| source.line_end(at));
    }
    let called = matches!(source.word(head + 1), "." | "!" | "(" | "::" | "?.");
    match word {
        word if IMPORTS.contains(&word) => Some(end(source, head) + 1),
        "from" if source.language == Python => Some(source.line_end(head)),
        "struct" | "enum" | "union" if matches!(source.language, Rust | C) && source.is_word(head + 1) => {
            Some(whole(source, head))
        }
        "type" if source.is_word(head + 1) || source.is(head + 1, "(") => Some(whole(source, head)),
        "interface" if source.is_word(head + 1) => Some(whole(source, head)),
        "macro_rules" => Some(whole(source, head)),
        word if BLOCKS.contains(&word) && source.language != Python => Some(header(source, head)),
        "class" => Some(source.line_end(head)),
        word if FAILURES.contains(&word) => Some(end(source, head)),
        "assert_eq" | "assert_ne" if source.language == Rust => Some(end(source, head)),
        word if LOGS.contains(&word) && called => Some(end(source, head)),
        "self" | "this" if matches!(source.word(head + 2), "log" | "logger" | "_log" | "_logger") => {
            Some(end(source, head))
        }
        "const" | "static" | "let" | "var" => annotation(source, head),
        _ if source.is(head + 1, ":") && source.language == Python => annotation(source, head),
        _ => None,
    }
}

/// The end of a declaration with everything in it.
fn whole(source: &TokenizedSource<'_>, at: usize) -> usize {
    let mut here = at;
    while here < source.len() && !source.is(here, ";") {
        if source.is(here, "{") || here > at && source.is(here, "(") && source.word(at) != "struct" {
            return source.close(here).unwrap_or(here) + 1;
        }
        if source.kind(here) == TokenKind::Newline && source.tokens[here].line > source.tokens[at].line + 20 {
            break;
        }
        here = source.close(here).unwrap_or(here) + 1;
    }
    here
}

/// The brace, or else the end of the statement.
fn header(source: &TokenizedSource<'_>, at: usize) -> usize {
    (at..source.len()).find(|at| matches!(source.word(*at), "{" | ";")).unwrap_or(at)
}

/// Returns the `=` of `let x: Vec<[u8; 4]> = …`, if there is a type before it.
fn annotation(source: &TokenizedSource<'_>, at: usize) -> Option<usize> {
    let stop = (at + 200).min(source.len());
    let sign =
        source.top(at..stop).find(|at| matches!(source.word(*at), "=" | ";") && source.kind(*at) == TokenKind::Op)?;
    source.top(at..sign).any(|at| source.is(at, ":")).then_some(sign)
}

/// Values that depend on the machine or name the program: no test on one machine can check them.
const PLACES: [&str; 13] = [
    "__name__", "__version__", "__all__", "__author__", "TYPE_CHECKING", "version_info", "platform", "GOOS", "GOARCH",
    "debug_assertions", "target_os", "NODE_ENV", "VERSION",
];

/// True for each token that is in the head of a loop, or changes the counter in the body of a `while`.
pub(super) fn loops(source: &TokenizedSource<'_>) -> Vec<bool> {
    let mut loops = vec![false; source.len()];
    for at in (0..source.len()).filter(|at| source.is_word(*at)) {
        if !matches!(source.word(at), "while" | "for" | "until" | "loop") {
            continue;
        }
        let end = match source.language {
            Python => source.top(at..source.line_end(at)).find(|at| source.is(*at, ":")).unwrap_or(at),
            C | Cpp | JavaScript | Php | Java if source.is(at + 1, "(") => source.close(at + 1).unwrap_or(at),
            C | Cpp | JavaScript | Php | Java | Rust | Go | Ruby | Shell => source.line_end(at),
        };
        let end = (at..end).find(|at| source.is(*at, "{") && matches!(source.language, Rust | Go)).unwrap_or(end);
        let end = end.min(at + 200);
        loops[at..end.max(at)].fill(true);
        if source.word(at) != "for" {
            let body = end..(end + 300).min(source.len());
            let counts = |at: &usize| matches!(source.word(*at), "+=" | "-=" | "++" | "--");
            body.filter(counts).for_each(|at| loops[at] = true);
        }
    }
    loops
}
