//! A file that holds what a program is expected to print.

use super::Mutation;
use super::literal::other;
use super::source::readable;

/// One letter or digit of a golden file changed, near its middle: away from a head that a comparison may leave out. None
/// where the file is no text or has none.
pub fn bump_golden(bytes: &[u8]) -> Option<Mutation> {
    let text = readable(bytes)?;
    let middle = text.len() / 2;
    let near = bytes[middle..].iter().position(u8::is_ascii_alphanumeric).map(|at| middle + at);
    let at = near.or_else(|| bytes[..middle].iter().rposition(u8::is_ascii_alphanumeric))?;
    let line = 1 + memchr::memchr_iter(b'\n', &bytes[..at]).count();
    Some(Mutation::new(text, at..at + 1, line, other(bytes[at]).to_string()))
}
