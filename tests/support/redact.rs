//! Takes out of a text what differs from run to run, and nothing else: digests and commits are fixed in a world.

use std::path::Path;

/// The world's folder becomes `[TMP]`, a running time `[SECONDS]`, 32 hex digits `[NONCE]`, our own version `[VERSION]`.
pub fn redact(base: &Path, text: &str) -> String {
    let text = text.replace(&*base.to_string_lossy(), "[TMP]");
    let text = text.replace(concat!("plan ", env!("CARGO_PKG_VERSION")), "plan [VERSION]");
    words(&text)
}

/// Replaces whole runs of letters, digits and dots.
fn words(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
        let end = if end == 0 { rest.chars().next().map_or(1, char::len_utf8) } else { end };
        let (word, tail) = rest.split_at(end);
        out.push_str(replacement(word, &out).unwrap_or(word));
        rest = tail;
    }
    out
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '.'
}

fn replacement(word: &str, before: &str) -> Option<&'static str> {
    if word.len() == 32 && word.bytes().all(|b| b.is_ascii_hexdigit() && !b.is_ascii_uppercase()) {
        return Some("[NONCE]");
    }
    let number = word.starts_with(|c: char| c.is_ascii_digit());
    if number && (before.ends_with("\"seconds\": ") || before.ends_with("\"seconds\":")) {
        return Some("\"[SECONDS]\"");
    }
    let (whole, tenths) = word.strip_suffix('s')?.split_once('.')?;
    let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    (digits(whole) && digits(tenths)).then_some("[SECONDS]")
}
