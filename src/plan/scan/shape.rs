//! Classifies the bytes of one line, without its context.

/// Skips spaces and tabs from `at`, which is in column `column`; returns the place and the column of the text.
#[inline]
pub fn columns(line: &[u8], mut at: usize, mut column: usize) -> (usize, usize) {
    loop {
        match line.get(at) {
            Some(b' ') => column += 1,
            Some(b'\t') => column += 4 - column % 4,
            _ => return (at, column),
        }
        at += 1;
    }
}

/// The text without trailing spaces, tabs and carriage returns.
pub fn trim_end(text: &[u8]) -> &[u8] {
    let length = text.iter().rposition(|byte| !matches!(byte, b' ' | b'\t' | b'\r')).map_or(0, |last| last + 1);
    &text[..length]
}

/// True if the line contains `-->`.
pub(super) fn ends_comment(text: &[u8]) -> bool {
    memchr::memchr_iter(b'>', text).any(|at| text[..at].ends_with(b"--"))
}

/// The length of the list marker at the start of `text`.
pub(super) fn marker(text: &[u8]) -> Option<usize> {
    let length = match text[0] {
        b'-' | b'*' | b'+' => 1,
        b'0'..=b'9' => {
            let digits = text.iter().take(10).take_while(|byte| byte.is_ascii_digit()).count();
            (digits < 10 && matches!(text.get(digits), Some(b'.' | b')'))).then_some(digits + 1)?
        }
        _ => return None,
    };
    matches!(text.get(length), None | Some(b' ' | b'\t')).then_some(length)
}

/// `[m]` with a mark that `plan` knows, then white space or nothing.
pub(super) fn checkbox(text: &[u8]) -> bool {
    matches!(
        text,
        [b'[', b' ' | b'/' | b'x' | b'X' | b'!' | b'-', b']']
            | [b'[', b' ' | b'/' | b'x' | b'X' | b'!' | b'-', b']', b' ' | b'\t', ..]
    )
}

/// The fence that `text` opens: its character and length.
pub(super) fn fence(text: &[u8]) -> Option<(u8, usize)> {
    let mark = text[0];
    let length = text.iter().take_while(|&&byte| byte == mark).count();
    let info = &text[length..];
    (length >= 3 && (mark == b'~' || memchr::memchr(b'`', info).is_none())).then_some((mark, length))
}

/// Three or more of the same `-`, `*` or `_`, and otherwise only white space.
pub(super) fn is_break(text: &[u8]) -> bool {
    let mark = text[0];
    if !matches!(mark, b'-' | b'*' | b'_') {
        return false;
    }
    let mut count = 0;
    for &byte in text {
        match byte {
            b' ' | b'\t' | b'\r' => {}
            _ if byte == mark => count += 1,
            _ => return false,
        }
    }
    count >= 3
}

pub(super) fn is_heading(text: &[u8]) -> bool {
    let level = text.iter().take_while(|&&byte| byte == b'#').count();
    level <= 6 && matches!(text.get(level), None | Some(b' ' | b'\t'))
}
