//! Compares the code of two sources without what only tests and readers use.

use super::inline;
use super::language::Language;
use super::source::TokenizedSource;
use super::token::TokenKind;

/// Whether two versions of a source have the same code: without comments, documentation, and what a Rust source has under
/// `#[cfg(test)]` and `#[test]`. False if a version cannot be read.
pub fn same_code(path: &str, then: &[u8], now: &[u8]) -> bool {
    let language = [then, now].map(|source| Language::of(path, source));
    let [Some(old), Some(new)] = language else { return false };
    let (then, now) = (TokenizedSource::of(old, then), TokenizedSource::of(new, now));
    then.zip(now).is_some_and(|(then, now)| code(&then) == code(&now))
}

fn code<'a>(source: &TokenizedSource<'a>) -> Vec<&'a str> {
    let mut words = Vec::new();
    let (mut at, mut depth) = (0, 0_usize);
    while at < source.len() {
        if let Some(end) = test_item(source, at) {
            at = end;
            continue;
        }
        let is_first = at == 0 || source.kind(at - 1) == TokenKind::Newline;
        if source.language == Language::Python && is_first && depth == 0 {
            words.extend(indentation(source, at));
        }
        match source.word(at) {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if source.kind(at) != TokenKind::Newline && !(depth == 0 && is_docstring(source, at)) {
            words.push(source.word(at));
        }
        at += 1;
    }
    words
}

/// The white space in front of a line of code.
fn indentation<'a>(source: &TokenizedSource<'a>, at: usize) -> Option<&'a str> {
    let is_code = source.kind(at) != TokenKind::Newline && !is_docstring(source, at);
    let start = source.tokens.get(at).filter(|_| is_code)?.range.start;
    let line = source.text[..start].rfind('\n').map_or(0, |end| end + 1);
    source.text.get(line..start)
}

/// Whether a text is the documentation of a module, a class or a function: the first statement in it.
fn is_docstring(source: &TokenizedSource<'_>, at: usize) -> bool {
    let is_first = source.before(at).is_none_or(|before| source.is(before, ":"));
    let is_whole = source.kind(at + 1) == TokenKind::Newline;
    source.language == Language::Python && source.kind(at) == TokenKind::Text && is_first && is_whole
}

/// The end of the item whose attributes begin at `at`, if it is only for tests.
fn test_item(source: &TokenizedSource<'_>, at: usize) -> Option<usize> {
    if source.language != Language::Rust {
        return None;
    }
    let (attributes, here) = inline::attributes(source, at)?;
    let is_test =
        attributes.iter().any(|words| matches!(words[..], ["test"] | ["cfg", "test"] | ["cfg", "all", "test", ..]));
    // A field or a branch under such an attribute is code.
    let is_item =
        matches!(source.word(here), "mod" | "fn" | "use" | "impl" | "pub" | "async" | "const" | "static" | "struct");
    if !is_test || !is_item {
        return None;
    }
    let mut ends = source.top(here..source.len()).take_while(|at| !matches!(source.word(*at), "}" | ")" | "]" | ","));
    let end = ends.find(|at| source.is(*at, ";") || source.is(*at, "{"))?;
    let end = source.close(end).unwrap_or(end) + 1;
    // `use a::{b, c};` goes on behind its bracket.
    Some(if source.is(end, ";") { end + 1 } else { end })
}

#[cfg(test)]
mod tests {
    use super::same_code;

    // P-5
    #[test]
    fn tests_and_documentation_are_no_code() {
        let rust = "//! A.\nfn f() -> u8 {\n    1\n}\n";
        let tests = "#[cfg(test)]\nuse std::{fs, io};\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn a() { f(); }\n}\n#[cfg(all(test, not(miri)))]\nmod more;\n";
        let python = "\"\"\"A.\"\"\"\ndef f(a):\n    return a\n";
        let example = "\"\"\"A.\"\"\"\ndef f(a):\n    \"\"\"Text.\n\n    >>> f(1)\n    1\n    \"\"\"\n    # as it is\n    return a\n";
        for (path, then, now) in [
            ("a.rs", rust.to_owned(), format!("{rust}\n{tests}")),
            ("a.rs", rust.to_owned(), rust.replace("fn f", "/// ```\n/// f();\n/// ```\nfn f")),
            ("a.py", python.to_owned(), example.to_owned()),
        ] {
            assert!(same_code(path, then.as_bytes(), now.as_bytes()), "{now}");
        }
        for (path, then, now) in [
            ("a.rs", rust, rust.replace('1', "2")),
            ("a.rs", rust, format!("#[cfg(not(test))]\n{rust}")),
            (
                "a.rs",
                "struct A { a: u8 }\nfn f() -> u8 { 1 }\n",
                "struct A { a: u8, #[cfg(test)] b: u8 }\nfn f() -> u8 { 2 }\n".to_owned(),
            ),
            ("a.py", "A = (\n    \"a > 1\"\n)\n", "A = (\n    \"a > 2\"\n)\n".to_owned()),
            ("a.py", "for a in b:\n    c()\n    d()\n", "for a in b:\n    c()\nd()\n".to_owned()),
            ("a.rs", rust, format!("{rust}#[cfg(feature = \"a\")]\nmod a {{}}\n")),
            ("a.py", python, python.replace("return a", "return \"\"\"a\"\"\"")),
            ("a.txt", "a\n", "a\n".to_owned()),
        ] {
            assert!(!same_code(path, then.as_bytes(), now.as_bytes()), "{now}");
        }
    }
}
