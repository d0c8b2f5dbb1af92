//! What a row of `TOOLCHAINS` is made of.

use std::path::Path;

use super::printed::FailedAssertion;
use super::test_runner::TestRunner;

/// What is known of one ecosystem.
pub(super) struct Toolchain {
    /// Programs that run its code, without digits at the end.
    pub(super) programs: &'static [&'static str],
    pub(super) runners: &'static [TestRunner],
    /// Folders of its package managers.
    pub(super) dependencies: &'static [&'static str],
    /// Folders in which its compilers keep their output, and which they read again.
    pub(super) builds: &'static [&'static str],
    /// Variables that tell its programs what to load or run. A final `*` matches any ending.
    pub(super) loaders: &'static [&'static str],
    /// The failed assertions in what a run printed.
    pub(super) failures: fn(&[&str]) -> Vec<FailedAssertion>,
    /// Files that its programs load by their names.
    pub(super) autoloads: &'static [Autoload],
    /// Whether these lines of an output say that this file, or what was built with it, does not parse or compile.
    pub(super) uncompiled: fn(&[&str], &Path) -> bool,
}

/// An ecosystem of which nothing is known.
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

/// A file that may be loaded.
pub(crate) struct NamedFile<'f> {
    pub(crate) name: &'f str,
    pub(crate) path: &'f Path,
    /// Its content, for files of which only some content is loaded; none if it is unknown.
    pub(crate) text: &'f dyn Fn() -> Option<String>,
}

impl NamedFile<'_> {
    /// Whether the content is known and holds one of these texts.
    pub(super) fn holds(&self, texts: &[&str]) -> bool {
        (self.text)().is_some_and(|text| texts.iter().any(|part| text.contains(part)))
    }
}

/// Programs and the files that they load.
pub(super) type Autoload = (&'static [&'static str], fn(&NamedFile<'_>) -> bool);
