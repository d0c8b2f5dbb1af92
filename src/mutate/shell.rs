//! Literals and mutants of shell scripts. The shell has its own reader of words and commands, because it resembles no other language.

pub(super) mod expected_literals;
pub(super) mod mutant;
mod read;

use super::Mutation;
use super::literal::{Distance, number, other};
pub(super) use read::Script;

/// Gives a literal word another value.
fn bump(script: &Script<'_>, at: usize, far: Distance) -> Option<Mutation> {
    let (body, line) = (script.literal(at)?, script.pieces[at].line);
    let text = &script.text[body.clone()];
    let digits = text.strip_prefix('-').unwrap_or(text);
    if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) {
        let from = body.end - digits.len();
        return Some(Mutation::new(script.text, from..body.end, line, number(digits, Distance::Next)?));
    }
    let (from, new) = match (free_letter(text.as_bytes()), far) {
        (Some(at), Distance::Next) => (body.start + at..body.start + at + 1, other(text.as_bytes()[at]).to_string()),
        (Some(at), Distance::Out) => (body.start + at..body.start + at, "zq7".to_string()),
        (None, _) => (body.start..body.start, "z".to_string()),
    };
    Some(Mutation::new(script.text, from, line, new))
}

/// The first letter or digit outside escapes, placeholders and expansions.
fn free_letter(body: &[u8]) -> Option<usize> {
    let mut at = 0;
    while at < body.len() {
        match body[at] {
            b'\\' | b'%' => at += 2,
            b'$' | b'`' => return None,
            byte if byte.is_ascii_alphanumeric() => return Some(at),
            _ => at += 1,
        }
    }
    None
}
