//! The lexer of Python: strings with prefixes and three quotes, comments, line continuations.

use crate::mutate::token::{Cursor, TokenKind};

pub(super) fn read(cursor: &mut Cursor<'_>) {
    while !cursor.is_done() {
        match cursor.peek(0) {
            b'#' => cursor.skip_line(),
            b'\\' if cursor.peek(1) == b'\n' => cursor.skip(2),
            b' ' | b'\t' | b'\r' | 0x0c => cursor.step(),
            // Each of these returns true if it read a token.
            _ if cursor.newline() || string(cursor) || cursor.number() || cursor.word() => {}
            _ => cursor.operator(),
        }
    }
}

/// Reads a string with its prefix, if there is one here.
fn string(cursor: &mut Cursor<'_>) -> bool {
    let prefix = (0..3).take_while(|ahead| b"rRbBuUfFtT".contains(&cursor.peek(*ahead))).count();
    let quote = cursor.peek(prefix);
    if !matches!(quote, b'"' | b'\'') || prefix > 2 {
        return false;
    }
    let (start, line) = (cursor.at, cursor.line);
    let letters = cursor.text[start..start + prefix].to_ascii_lowercase();
    let (raw, formatted) = (letters.contains('r'), letters.contains(['f', 't']));
    cursor.skip(prefix);
    let three = cursor.peek(1) == quote && cursor.peek(2) == quote;
    let width = if three { 3 } else { 1 };
    cursor.skip(width);
    let body = cursor.at;
    let mut plain = true;
    let mut end = None;
    while !cursor.is_done() {
        let byte = cursor.peek(0);
        if byte == b'\\' {
            cursor.skip(2);
        } else if byte == quote && (!three || cursor.peek(1) == quote && cursor.peek(2) == quote) {
            end = Some(cursor.at);
            cursor.skip(width);
            break;
        } else if byte == b'\n' && !three {
            break;
        } else {
            plain &= !(formatted && byte == b'{');
            cursor.step();
        }
    }
    let finish = end.unwrap_or(cursor.at);
    cursor.push_text(TokenKind::Text, start, body..finish, line, plain && end.is_some(), raw);
    true
}
