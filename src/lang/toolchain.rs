//! The types of a row of `TOOLCHAINS`.

use std::path::Path;

use super::printed::FailedAssertion;
use super::test_runner::TestRunner;

/// The known facts about one ecosystem.
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

/// An ecosystem without known facts.
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
