//! The lexer of Ruby: strings, symbols, `%w[…]`, here documents, and regular expressions by their position.

use crate::mutate::token::{Cursor, TokenKind, is_word};

pub(super) fn read(cursor: &mut Cursor<'_>) {
    let mut documents: Vec<String> = Vec::new();
    while !cursor.is_done() {
        match cursor.peek(0) {
            b'\n' => {
                cursor.newline();
                for end in std::mem::take(&mut documents) {
                    skip_document(cursor, &end);
                }
                if cursor.starts_with("=begin") {
                    cursor.skip_past("\n=end");
                } else if cursor.starts_with("__END__") {
                    return;
                }
            }
            b'#' => cursor.skip_line(),
            b' ' | b'\t' | b'\r' => cursor.step(),
            b'"' | b'`' | b'\'' => quoted(cursor),
            b'%' if is_start(cursor) && is_percent(cursor) => percent(cursor),
            b'/' if is_start(cursor) => regex(cursor),
            b':' if cursor.peek(1) != b':' && is_word(cursor.peek(1)) && !follows_value(cursor) => symbol(cursor),
            b'<' if cursor.starts_with("<<~") || cursor.starts_with("<<-") => documents.extend(document(cursor)),
            _ if cursor.number() || cursor.word() => {}
            _ => cursor.operator(),
        }
    }
}

/// Reads a string. `"…"` may contain `#{…}`, whose own quotes do not end the string.
fn quoted(cursor: &mut Cursor<'_>) {
    let (start, line, quote) = (cursor.at, cursor.line, cursor.peek(0));
    cursor.step();
    let (mut plain, mut depth) = (quote != b'`', 0usize);
    let body = cursor.at;
    while !cursor.is_done() {
        match cursor.peek(0) {
            b'\\' => cursor.step(),
            b'#' if quote != b'\'' && cursor.peek(1) == b'{' => {
                plain = false;
                depth += 1;
                cursor.step();
            }
            b'{' if depth > 0 => depth += 1,
            b'}' if depth > 0 => depth -= 1,
            byte if byte == quote && depth == 0 => break,
            _ => {}
        }
        cursor.step();
    }
    let end = cursor.at;
    plain &= !cursor.is_done();
    cursor.step();
    cursor.push_text(TokenKind::Text, start, body..end, line, plain, false);
}

/// True if an operand may begin here: after an operator, a comma or a keyword, but not after a name, a number or a closing bracket.
fn is_start(cursor: &Cursor<'_>) -> bool {
    let Some(last) = cursor.tokens.last() else { return true };
    match last.kind {
        TokenKind::Newline => true,
        TokenKind::Op => !matches!(&cursor.text[last.range.clone()], ")" | "]" | "}"),
        TokenKind::Word => {
            let word = &cursor.text[last.range.clone()];
            let keyword = matches!(word, "if" | "unless" | "when" | "and" | "or" | "not" | "return" | "puts" | "split");
            keyword || last.range.end < cursor.at && cursor.peek(1) != b' ' && cursor.peek(0) == b'/'
        }
        _ => false,
    }
}

fn follows_value(cursor: &Cursor<'_>) -> bool {
    cursor.tokens.last().is_some_and(|last| last.range.end == cursor.at && last.kind == TokenKind::Word)
}

fn is_percent(cursor: &Cursor<'_>) -> bool {
    let letter = b"wWiIqQr".contains(&cursor.peek(1));
    let open = cursor.peek(if letter { 2 } else { 1 });
    b"([{<|!/".contains(&open)
}

fn percent(cursor: &mut Cursor<'_>) {
    let (start, line) = (cursor.at, cursor.line);
    cursor.skip(if b"wWiIqQr".contains(&cursor.peek(1)) { 2 } else { 1 });
    let open = cursor.peek(0);
    let close = match open {
        b'(' => b')',
        b'[' => b']',
        b'{' => b'}',
        b'<' => b'>',
        other => other,
    };
    cursor.step();
    let mut depth = 1usize;
    while !cursor.is_done() && depth > 0 {
        match cursor.peek(0) {
            b'\\' => cursor.step(),
            byte if byte == close => depth -= 1,
            byte if byte == open => depth += 1,
            _ => {}
        }
        cursor.step();
    }
    cursor.push(TokenKind::Other, start, line);
}

fn regex(cursor: &mut Cursor<'_>) {
    let (start, line) = (cursor.at, cursor.line);
    cursor.step();
    while !cursor.is_done() && !matches!(cursor.peek(0), b'/' | b'\n') {
        cursor.skip(if cursor.peek(0) == b'\\' { 2 } else { 1 });
    }
    if cursor.peek(0) == b'/' {
        cursor.step();
    }
    cursor.push(TokenKind::Other, start, line);
}

fn symbol(cursor: &mut Cursor<'_>) {
    let (start, line) = (cursor.at, cursor.line);
    cursor.step();
    cursor.skip_while(is_word);
    cursor.push(TokenKind::Other, start, line);
}

/// Reads `<<~EOS` and returns the word that ends the here document.
fn document(cursor: &mut Cursor<'_>) -> Option<String> {
    let (start, line) = (cursor.at, cursor.line);
    cursor.skip(3);
    cursor.skip_while(|b| matches!(b, b'"' | b'\'' | b'`'));
    let from = cursor.at;
    cursor.skip_while(is_word);
    let word = cursor.text[from..cursor.at].to_string();
    cursor.skip_while(|b| matches!(b, b'"' | b'\'' | b'`'));
    cursor.push(TokenKind::Other, start, line);
    (!word.is_empty()).then_some(word)
}

fn skip_document(cursor: &mut Cursor<'_>, end: &str) {
    while !cursor.is_done() {
        let from = cursor.at;
        cursor.skip_line();
        let last = cursor.text[from..cursor.at].trim() == end;
        cursor.step();
        if last {
            return;
        }
    }
}
