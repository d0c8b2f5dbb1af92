//! The tests that a run named as failed, and the same run with these tests alone.

use crate::shell::quote;

/// How a runner names a test that failed, and how it is told to run only such tests.
#[derive(Debug)]
pub(super) struct Selection {
    /// The test that a line of the output says has failed.
    pub(super) failed: fn(&str) -> Option<String>,
    /// Verify with options that select tests; none if it selects some already, or if there is no place for them.
    pub(super) line: fn(&Verify<'_>, &[String]) -> Option<String>,
}

/// A verify that is one call of the runner.
pub(super) struct Verify<'v> {
    pub(super) argv: &'v [&'v str],
    pub(super) text: &'v str,
}

impl Verify<'_> {
    /// Whether a word begins with one of these options.
    pub(super) fn has(&self, options: &[&str]) -> bool {
        self.argv.iter().any(|word| options.iter().any(|option| word.starts_with(option)))
    }
}

/// Each name as a word of its own.
pub(super) fn words(names: &[String]) -> String {
    names.iter().map(|name| format!(" {}", quote(name))).collect()
}

/// A pattern that matches any of the names.
pub(super) fn any_of(names: &[String]) -> String {
    quote(&format!("^({})$", names.join("|")))
}
