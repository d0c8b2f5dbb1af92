//! The difference of two texts line by line, and the command that rewrites an expectation.

use similar::TextDiff;

/// The lines that differ, `-` expected and `+` found, each with three lines around it.
pub fn diff(expected: &str, found: &str) -> String {
    TextDiff::from_lines(expected, found).unified_diff().missing_newline_hint(false).to_string()
}

/// The command that runs the present test alone and rewrites what it expects.
pub fn rewriting() -> String {
    // The harness gives each test a thread with the name of the test.
    let thread = std::thread::current();
    format!("UPDATE=1 cargo test --test it {}", thread.name().filter(|name| *name != "main").unwrap_or_default())
}

/// True if expectations are to be rewritten.
pub fn is_update() -> bool {
    std::env::var_os("UPDATE").is_some_and(|value| value == "1")
}
