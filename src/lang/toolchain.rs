//! The types of a row of `TOOLCHAINS`. A test runner has its calls, its closing line, and how it runs single tests.

use std::path::Path;

use super::closing::TestTally;
use super::printed::FailedAssertion;
use crate::shell::quote;

pub(super) struct Toolchain {
    /// Programs that run its code, without digits at the end.
    pub(super) programs: &'static [&'static str],
    pub(super) runners: &'static [TestRunner],
    /// Folders of its package managers.
    pub(super) dependencies: &'static [&'static str],
    /// Folders in which its compilers keep output that they read again.
    pub(super) builds: &'static [&'static str],
    /// Environment variables that make its programs load or run something. A final `*` matches any ending.
    pub(super) loaders: &'static [&'static str],
    /// Finds the failed assertions in the output of a run.
    pub(super) failures: fn(&[&str]) -> Vec<FailedAssertion>,
    /// Files that its programs load by their names.
    pub(super) autoloads: &'static [Autoload],
    /// Whether these lines of output report that this file, or code that was built with it, does not parse or compile.
    pub(super) uncompiled: fn(&[&str], &Path) -> bool,
}

pub(super) const NOTHING: Toolchain = Toolchain {
    programs: &[],
    runners: &[],
    dependencies: &[],
    builds: &[],
    loaders: &[],
    failures: |_| Vec::new(),
    autoloads: &[],
    uncompiled: |_, _| false,
};

pub(crate) struct NamedFile<'f> {
    pub(crate) name: &'f str,
    pub(crate) path: &'f Path,
    /// Its content, for files of which only some content is loaded; `None` if it is unknown.
    pub(crate) text: &'f dyn Fn() -> Option<String>,
}

impl NamedFile<'_> {
    /// Whether the content is known and contains one of these texts.
    pub(super) fn holds(&self, texts: &[&str]) -> bool {
        (self.text)().is_some_and(|text| texts.iter().any(|part| text.contains(part)))
    }
}

/// Programs and the files that they load.
pub(super) type Autoload = (&'static [&'static str], fn(&NamedFile<'_>) -> bool);

/// A test runner with a known closing line, as of 2026.
#[derive(Debug)]
pub(crate) struct TestRunner {
    pub(crate) name: &'static str,
    /// Whether this program, without its folder, with these arguments is the runner.
    pub(super) is_called: fn(&str, &[&str]) -> bool,
    /// Options with which it runs no test. `a b` means the word `b` right after `a`, because later in the line it may be the
    /// name of a test. `-- a` means the option `a` anywhere after `--`.
    pub(super) lists: &'static [&'static str],
    pub(super) closes: Closes,
    pub(super) read: Read,
    /// How it runs single tests; `None` if it cannot, or if the way is not known here.
    pub(super) selection: Option<Selection>,
}

/// When a runner prints its closing line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Closes {
    /// At the end, once for each call.
    Once,
    /// Once for each binary, package, project or module.
    Often,
    /// On a different stream than the output of the tests. That output is buffered, so the order of lines says nothing.
    Aside,
}

#[derive(Debug)]
pub(super) enum Read {
    EachLine(fn(&str) -> Option<TestTally>),
    AllLines(fn(&[String]) -> Vec<TestTally>),
}

impl TestRunner {
    pub(super) fn closings(&self, lines: &[String]) -> Vec<TestTally> {
        match self.read {
            Read::EachLine(read) => lines.iter().filter_map(|line| read(line)).collect(),
            Read::AllLines(read) => read(lines),
        }
    }

    pub(crate) fn failed_test(&self, line: &str) -> Option<String> {
        let name = (self.selection.as_ref()?.failed)(line)?;
        (!name.is_empty()).then_some(name)
    }

    /// Returns `text`, which is one call of this runner with the words `argv`, with added options that select these tests.
    pub(crate) fn selecting(&self, argv: &[&str], text: &str, tests: &[String]) -> Option<String> {
        (self.selection.as_ref()?.line)(&Verify { argv, text }, tests)
    }

    /// Whether one of the words makes the runner list tests and run none.
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

/// How a runner reports a failed test, and how to make it run only selected tests.
#[derive(Debug)]
pub(super) struct Selection {
    /// Returns the test that a line of the output reports as failed.
    pub(super) failed: fn(&str) -> Option<String>,
    /// Returns verify with options that select tests; `None` if it already selects tests, or if options cannot be added.
    pub(super) line: fn(&Verify<'_>, &[String]) -> Option<String>,
}

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

/// Returns each name as a separate shell word.
pub(super) fn words(names: &[String]) -> String {
    names.iter().map(|name| format!(" {}", quote(name))).collect()
}

/// Returns a pattern that matches any of the names.
pub(super) fn any_of(names: &[String]) -> String {
    quote(&format!("^({})$", names.join("|")))
}
