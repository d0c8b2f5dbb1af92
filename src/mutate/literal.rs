//! Changes a literal into another one of the same kind.

use super::Mutation;
use super::source::TokenizedSource;
use super::token::{Token, TokenKind};

/// How much the new value must differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Distance {
    /// Any other value.
    Next,
    /// Beyond any tolerance, and not contained in a text by chance.
    Out,
}

/// Returns another letter or digit.
pub(super) fn other(byte: u8) -> char {
    match byte {
        b'z' => 'q',
        b'Z' => 'Q',
        b'9' => '8',
        b'0'..=b'8' => (byte + 1) as char,
        b'A'..=b'Y' => 'Z',
        _ => 'z',
    }
}

/// Gives token `at` another value; `None` if it is not a literal whose other value is certain.
pub(super) fn bump(source: &TokenizedSource<'_>, at: usize, far: Distance) -> Option<Mutation> {
    let token = source.tokens.get(at)?;
    let word = source.word(at);
    let whole = |new: String| Some(Mutation::new(source.text, token.range.clone(), token.line, new));
    match token.kind {
        TokenKind::Number => whole(number(word, far)?),
        TokenKind::Word => whole(flipped(word)?.to_string()),
        TokenKind::Text => text(source, token, far),
        TokenKind::Char => character(source, token),
        _ => None,
    }
}

/// Returns `true` for `false` and the reverse, as the language writes it.
pub(super) fn flipped(word: &str) -> Option<&'static str> {
    opposite(&["true false", "True False", "TRUE FALSE", "YES NO"], word)
}

pub(super) fn opposite(pairs: &[&'static str], word: &str) -> Option<&'static str> {
    pairs.iter().filter_map(|pair| pair.split_once(' ')).find_map(|(one, other)| match word {
        word if word == one => Some(other),
        word if word == other => Some(one),
        _ => None,
    })
}

/// The largest and smallest values of integer types: the new value is one less, which still fits.
const BORDERS: [&str; 15] = [
    "127", "128", "255", "32767", "32768", "65535", "2147483647", "2147483648", "4294967295", "9223372036854775807",
    "9223372036854775808", "18446744073709551615", "170141183460469231731687303715884105727", "9007199254740991",
    "340282366920938463463374607431768211455",
];

/// Returns another value in the same form.
pub(super) fn number(text: &str, far: Distance) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let prefix = ["0x", "0b", "0o"].into_iter().find(|prefix| lower.starts_with(prefix));
    let (start, digits): (usize, fn(&u8) -> bool) = match prefix {
        Some("0x") => (2, u8::is_ascii_hexdigit),
        Some(_) => (2, u8::is_ascii_digit),
        None => (0, u8::is_ascii_digit),
    };
    let bytes = text.as_bytes();
    let hex = prefix == Some("0x");
    // Up to the fraction, the exponent or the suffix: `1_000u32`, `1.5`, `2e9`. A hexadecimal number may end in a
    // suffix too.
    let suffix = lower.find(['u', 'i', 'n', 'l']).filter(|_| hex).unwrap_or(bytes.len());
    let is_digit = |at: &usize| digits(&bytes[*at]) || matches!(bytes[*at], b'_' | b'\'');
    let end = (start..suffix).take_while(is_digit).last().map(|last| last + 1)?;
    let is_float = prefix.is_none() && (bytes.get(end) == Some(&b'.') || lower[end..].starts_with('e'));
    if (far == Distance::Out || is_float) && prefix.is_none() {
        let octal = start + 1 < end && bytes[start] == b'0';
        // `0.5` to `90.5`: no tolerance is that large.
        return (!octal).then(|| format!("9{text}"));
    }
    let at = (start..end).rev().find(|at| digits(&bytes[*at]))?;
    let plain: String = text[start..end].chars().filter(char::is_ascii_digit).collect();
    let down = prefix.is_none() && BORDERS.contains(&plain.as_str());
    let new = match bytes[at] {
        b'9' if down => b'8',
        digit if down => digit - 1,
        b'0' => b'1',
        b'1' if prefix == Some("0b") => b'0',
        b'7' if prefix == Some("0o") => b'6',
        b'9' => b'8',
        b'f' => b'e',
        b'F' => b'E',
        digit => digit + 1,
    };
    Some([&text[..at], &(new as char).to_string(), &text[at + 1..]].concat())
}

/// Changes a letter or digit of the text; for `Distance::Out` it inserts some. Escapes and placeholders stay.
fn text(source: &TokenizedSource<'_>, token: &Token, far: Distance) -> Option<Mutation> {
    let body = &source.text.as_bytes()[token.body.clone()];
    if !token.plain {
        return None;
    }
    let one = |at: usize, len: usize, new: String| {
        let from = token.body.start + at;
        let line = token.line + source.text[token.range.start..from].matches('\n').count();
        let mut mutation = Mutation::new(source.text, from..from + len, line, new);
        let whole = &source.text[token.range.clone()];
        mutation.what = super::short(whole) + " to " + &super::short(&changed(whole, &mutation, token.range.start));
        Some(mutation)
    };
    match free(body, token.raw) {
        Some(at) if far == Distance::Out => one(at, 0, "zq7".into()),
        Some(at) => one(at, 1, other(body[at]).to_string()),
        None if body.is_empty() || !body.contains(&b'{') => one(0, 0, "z".into()),
        None => None,
    }
}

fn changed(whole: &str, mutation: &Mutation, offset: usize) -> String {
    let (start, end) = (mutation.range.start - offset, mutation.range.end - offset);
    [&whole[..start], &mutation.replacement, &whole[end..]].concat()
}

/// The first plain letter or digit: not in an escape, `%d`, `{name}` or `$name`.
fn free(body: &[u8], raw: bool) -> Option<usize> {
    let mut at = 0;
    while at < body.len() {
        match body[at] {
            b'\\' if !raw => {
                at += 2;
                let braced = body.get(at) == Some(&b'{');
                at += body[at.min(body.len())..]
                    .iter()
                    .take_while(|b| if braced { **b != b'}' } else { b.is_ascii_alphanumeric() })
                    .count();
            }
            b'%' | b'$' | b'&' => {
                at += 1;
                at +=
                    body[at.min(body.len())..].iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'.').count();
            }
            b'{' => at += body[at..].iter().take_while(|b| **b != b'}').count().max(1),
            byte if byte.is_ascii_alphanumeric() => return Some(at),
            _ => at += 1,
        }
    }
    None
}

fn character(source: &TokenizedSource<'_>, token: &Token) -> Option<Mutation> {
    let body = &source.text[token.body.clone()];
    let mut chars = body.chars();
    let (first, rest) = (chars.next()?, chars.next());
    if rest.is_some() || first == '\\' {
        return None;
    }
    let new = u8::try_from(first).ok().filter(u8::is_ascii_alphanumeric).map_or('z', other);
    Some(Mutation::new(source.text, token.body.clone(), token.line, new.to_string()))
}
