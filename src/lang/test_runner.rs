//! Test runners: what one is, when its closing line comes, how to read that line, and how it runs single tests again.

use super::closing::Tally;
use crate::shell::quote;

/// A test runner with a known closing line, as of 2026.
#[derive(Debug)]
pub(crate) struct TestRunner {
    /// For people.
    pub(crate) name: &'static str,
    /// Whether this program, without its folder, with these arguments is the runner.
    pub(super) is_called: fn(&str, &[&str]) -> bool,
    /// Options with which it runs no test. `a b`: the word `b` right after `a`; later in the line it may be the name of
    /// a test. `-- a`: the option `a` anywhere behind `--`.
    pub(super) lists: &'static [&'static str],
    /// When its closing line comes.
    pub(super) closes: Closes,
    pub(super) read: Read,
    /// None if it cannot run single tests, or if its way is not known here.
    pub(super) selection: Option<Selection>,
}

/// When a closing line comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Closes {
    /// Last, once for each call.
    Once,
    /// For each binary, package, project or module.
    Often,
    /// On another stream than the output of the tests, which the runner holds back: the order of lines says nothing.
    Aside,
}

#[derive(Debug)]
pub(super) enum Read {
    EachLine(fn(&str) -> Option<Tally>),
    AllLines(fn(&[String]) -> Vec<Tally>),
}

impl TestRunner {
    /// Its closing lines, in order.
    pub(super) fn closings(&self, lines: &[String]) -> Vec<Tally> {
        match self.read {
            Read::EachLine(read) => lines.iter().filter_map(|line| read(line)).collect(),
            Read::AllLines(read) => read(lines),
        }
    }

    /// The test that a line of its output says has failed.
    pub(crate) fn failed_test(&self, line: &str) -> Option<String> {
        let name = (self.selection.as_ref()?.failed)(line)?;
        (!name.is_empty()).then_some(name)
    }

    /// The line `text`, which is one call of this runner with these words, with options that select these tests.
    pub(crate) fn selecting(&self, argv: &[&str], text: &str, tests: &[String]) -> Option<String> {
        (self.selection.as_ref()?.line)(&Verify { argv, text }, tests)
    }

    /// Whether one of the words lists tests and runs none.
    pub(super) fn runs_none(&self, argv: &[&str]) -> bool {
        let behind_dashes = |flag: &str| argv.iter().skip_while(|arg| **arg != "--").skip(1).any(|arg| *arg == flag);
        let follows = |program: &str, word: &str| {
            argv.windows(2).any(|pair| pair[0].rsplit('/').next() == Some(program) && pair[1] == word)
        };
        // The value of a property decides: `-DskipTests=false` skips nothing.
        let has = |flag: &str| {
            let plain = |arg: &&&str| **arg == flag || !flag.starts_with("-D") && arg.split('=').next() == Some(flag);
            argv.iter().skip(1).any(|arg| plain(&arg))
        };
        self.lists.iter().any(|words| match words.split_once(' ') {
            Some(("--", flag)) => behind_dashes(flag),
            Some((program, word)) => follows(program, word),
            None => has(words),
        })
    }
}

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
