//! What a row of `TOOLCHAINS` is made of.

use std::path::Path;

use super::autoload::Autoload;
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
