//! The lexer of languages with braces: comments, strings, raw strings, templates, regular expressions, lifetimes.

use crate::mutate::language::Language::{self, C, Cpp, Go, Java, JavaScript, Php, Python, Ruby, Rust, Shell};
use crate::mutate::token::{Cursor, TokenKind, is_word};

pub(super) fn read(cursor: &mut Cursor<'_>, language: Language) {
    let is_first = |cursor: &Cursor<'_>| cursor.tokens.last().is_none_or(|last| last.kind == TokenKind::Newline);
    // The number of open braces in each `${…}` that encloses this place in templates.
    let mut holes: Vec<usize> = Vec::new();
    while !cursor.is_done() {
        let byte = cursor.peek(0);
        match byte {
            b' ' | b'\t' | b'\r' | 0x0c => cursor.step(),
            b'\\' if cursor.peek(1) == b'\n' => cursor.skip(2),
            b'/' if cursor.peek(1) == b'/' => cursor.skip_line(),
            b'/' if cursor.peek(1) == b'*' => comment(cursor, language == Rust),
            b'#' if language == Php && cursor.peek(1) != b'[' => cursor.skip_line(),
            b'#' if matches!(language, C | Cpp) && is_first(cursor) => directive(cursor),
            b'{' if !holes.is_empty() => {
                holes.iter_mut().last().into_iter().for_each(|depth| *depth += 1);
                cursor.operator();
            }
            b'}' if holes.last() == Some(&0) => {
                holes.pop();
                template(cursor, &mut holes);
            }
            b'}' if !holes.is_empty() => {
                holes.iter_mut().last().into_iter().for_each(|depth| *depth -= 1);
                cursor.operator();
            }
            b'`' if language == JavaScript => template(cursor, &mut holes),
            b'/' if language == JavaScript && is_start(cursor) => regex(cursor),
            // Each of these returns true if it read a token.
            _ if cursor.newline() || special(cursor, language) => {}
            b'"' | b'\'' => string(cursor, language, cursor.at, cursor.line),
            _ if cursor.number() || cursor.word() => {}
            _ => cursor.operator(),
        }
    }
}

/// Skips `/* … */`. If comments nest, each one must be closed.
fn comment(cursor: &mut Cursor<'_>, nests: bool) {
    let mut depth = 0usize;
    while !cursor.is_done() {
        if cursor.starts_with("/*") && (nests || depth == 0) {
            depth += 1;
            cursor.skip(2);
        } else if cursor.starts_with("*/") {
            depth -= 1;
            cursor.skip(2);
            if depth == 0 {
                return;
            }
        } else {
            cursor.step();
        }
    }
}

/// Skips a preprocessor line, including its continuation lines.
fn directive(cursor: &mut Cursor<'_>) {
    while !cursor.is_done() && cursor.peek(0) != b'\n' {
        cursor.skip(if cursor.peek(0) == b'\\' { 2 } else { 1 });
    }
}

/// Reads a template, or its rest after the `}` of a hole, up to its end or to the next `${`.
fn template(cursor: &mut Cursor<'_>, holes: &mut Vec<usize>) {
    let (start, line, whole) = (cursor.at, cursor.line, cursor.peek(0) == b'`');
    cursor.step();
    let body = cursor.at;
    while !cursor.is_done() {
        if cursor.peek(0) == b'\\' {
            cursor.skip(2);
        } else if cursor.peek(0) == b'`' {
            let end = cursor.at;
            cursor.step();
            cursor.push_text(TokenKind::Text, start, body..end, line, whole, false);
            return;
        } else if cursor.starts_with("${") {
            cursor.skip(2);
            holes.push(0);
            break;
        } else {
            cursor.step();
        }
    }
    cursor.push_text(TokenKind::Text, start, body..cursor.at, line, false, false);
}

/// True if `/` begins a regular expression: it does after an operator or a keyword.
fn is_start(cursor: &Cursor<'_>) -> bool {
    let Some(last) = cursor.last() else { return true };
    let text = &cursor.text[last.range.clone()];
    match last.kind {
        TokenKind::Op => !matches!(text, ")" | "]" | "}" | "++" | "--"),
        TokenKind::Word => {
            matches!(text, "return" | "typeof" | "case" | "in" | "of" | "delete" | "void" | "throw" | "else")
        }
        _ => false,
    }
}

fn regex(cursor: &mut Cursor<'_>) {
    let (start, line, mut class) = (cursor.at, cursor.line, false);
    cursor.step();
    while !cursor.is_done() {
        match cursor.peek(0) {
            b'\n' => break,
            b'\\' if cursor.peek(1) != b'\n' => cursor.step(),
            b'[' => class = true,
            b']' => class = false,
            b'/' if !class => {
                cursor.step();
                cursor.skip_while(|b| b.is_ascii_alphabetic());
                break;
            }
            _ => {}
        }
        cursor.step();
    }
    cursor.push(TokenKind::Other, start, line);
}

/// Reads a string with a prefix or special quotes: `R"x(…)x"`, `"""…"""`, Go's backticks, and all of Rust's.
fn special(cursor: &mut Cursor<'_>, language: Language) -> bool {
    match language {
        Rust => return rust(cursor),
        Go if cursor.peek(0) == b'`' => cursor.text(1, "`", true),
        Java if cursor.starts_with("\"\"\"") => cursor.text(3, "\"\"\"", false),
        Cpp if cursor.starts_with("R\"") => {
            let (start, line) = (cursor.at, cursor.line);
            cursor.skip(2);
            let from = cursor.at;
            cursor.skip_while(|b| !matches!(b, b'(' | b'\n' | b'"'));
            let end = format!("){}\"", &cursor.text[from..cursor.at]);
            cursor.skip_past(&end);
            cursor.push(TokenKind::Other, start, line);
        }
        // Their other strings have plain quotes, or are read above; the last three have lexers of their own.
        Go | Java | Cpp | C | JavaScript | Php | Python | Ruby | Shell => return false,
    }
    true
}

/// Reads `r"…"`, `r#"…"#`, `br"…"`, `c"…"`, `b"…"`, `b'x'`, `'a` or `'x'`.
fn rust(cursor: &mut Cursor<'_>) -> bool {
    let (start, line) = (cursor.at, cursor.line);
    let prefix = ["br", "cr", "b", "c", "r"].into_iter().find(|p| cursor.starts_with(p)).unwrap_or_default();
    if prefix.ends_with('r') {
        let hashes = (prefix.len()..).take_while(|ahead| cursor.peek(*ahead) == b'#').count();
        let is_text = cursor.peek(prefix.len() + hashes) == b'"';
        if is_text {
            cursor.text(prefix.len() + hashes + 1, &format!("\"{}", "#".repeat(hashes)), true);
        }
        return is_text;
    }
    let is_char = cursor.peek(prefix.len()) == b'\'' && matches!(prefix, "" | "b");
    if !is_char && cursor.peek(prefix.len()) != b'"' {
        return false;
    }
    cursor.skip(prefix.len());
    if is_char {
        rust_quote(cursor, start, line)
    } else {
        string(cursor, Rust, start, line)
    }
    true
}

/// Reads a character, or a lifetime: `'a` without a closing quote.
fn rust_quote(cursor: &mut Cursor<'_>, start: usize, line: usize) {
    cursor.step();
    let body = cursor.at;
    if cursor.peek(0) == b'\\' {
        cursor.skip(2);
        cursor.skip_while(|b| !matches!(b, b'\'' | b'\n'));
    } else {
        let width = cursor.text[body..].chars().next().map_or(0, char::len_utf8);
        if cursor.peek(width) != b'\'' {
            cursor.skip_while(is_word);
            cursor.push(TokenKind::Other, start, line);
            return;
        }
        cursor.skip(width);
    }
    let end = cursor.at;
    if cursor.peek(0) == b'\'' {
        cursor.step();
    }
    cursor.push_text(TokenKind::Char, start, body..end, line, true, false);
}

/// Reads a string from its quote on. An unclosed string ends with its line if the language requires that.
fn string(cursor: &mut Cursor<'_>, language: Language, start: usize, line: usize) {
    let quote = cursor.peek(0);
    let lines = match language {
        Rust | Php => true,
        C | Cpp | Go | Java | JavaScript | Python | Ruby | Shell => false,
    };
    cursor.step();
    let body = cursor.at;
    while !cursor.is_done() && cursor.peek(0) != quote && (lines || cursor.peek(0) != b'\n') {
        cursor.skip(if cursor.peek(0) == b'\\' { 2 } else { 1 });
    }
    let (end, closed) = (cursor.at, cursor.peek(0) == quote);
    if closed {
        cursor.step();
    }
    // Else single quotes hold a character.
    let texts = match language {
        JavaScript | Php => true,
        C | Cpp | Go | Java | Rust | Python | Ruby | Shell => quote == b'"',
    };
    let kind = if texts { TokenKind::Text } else { TokenKind::Char };
    let filled = quote == b'"' && language == Php && cursor.bytes[body..end.max(body)].contains(&b'$');
    cursor.push_text(kind, start, body..end, line, closed && !filled, false);
}
