//! The facts about each ecosystem and its tools, for the code that runs or reads a verify: one file and one row of
//! `TOOLCHAINS` for each. No check is here.

pub(crate) mod autoload;
mod c;
mod closing;
pub mod closing_lines;
mod dotnet;
pub mod failed_assertions;
pub(crate) mod folders;
mod go;
mod jvm;
pub(crate) mod loaders;
mod node;
mod others;
mod perl;
mod php;
pub(crate) mod python;
mod ruby;
mod rust;
mod selection;
mod swift;
pub(crate) mod test_runner;
pub(crate) mod uncompiled;
pub(crate) mod wrapper;

use std::path::Path;

use autoload::Autoload;
use closing_lines::Tally;
use failed_assertions::FailedAssertion;
use selection::Selection;
use test_runner::{Closes, Read, TestRunner};

/// Every ecosystem.
const TOOLCHAINS: [Toolchain; 12] = [
    python::TOOLCHAIN,
    rust::TOOLCHAIN,
    go::TOOLCHAIN,
    node::TOOLCHAIN,
    dotnet::TOOLCHAIN,
    jvm::TOOLCHAIN,
    c::TOOLCHAIN,
    ruby::TOOLCHAIN,
    php::TOOLCHAIN,
    perl::TOOLCHAIN,
    others::TOOLCHAIN,
    swift::TOOLCHAIN,
];

/// What is known of one ecosystem.
struct Toolchain {
    /// Programs that run its code, without digits at the end.
    programs: &'static [&'static str],
    runners: &'static [TestRunner],
    /// Folders of its package managers.
    dependencies: &'static [&'static str],
    /// Folders in which its compilers keep their output, and which they read again.
    builds: &'static [&'static str],
    /// Variables that tell its programs what to load or run. A final `*` matches any ending.
    loaders: &'static [&'static str],
    /// The failed assertions in what a run printed.
    failures: fn(&[&str]) -> Vec<FailedAssertion>,
    /// Files that its programs load by their names.
    autoloads: &'static [Autoload],
    /// Whether these lines of an output say that this file, or what was built with it, does not parse or compile.
    uncompiled: fn(&[&str], &Path) -> bool,
}

const NOTHING: Toolchain = Toolchain {
    programs: &[],
    runners: &[],
    dependencies: &[],
    builds: &[],
    loaders: &[],
    failures: |_| Vec::new(),
    autoloads: &[],
    uncompiled: |_, _| false,
};

/// The programs of Python.
pub(crate) const PYTHON: &[&str] = python::TOOLCHAIN.programs;
/// The programs of Node.
pub(crate) const NODE: &[&str] = node::TOOLCHAIN.programs;
/// The programs of Rust.
pub(crate) const RUST: &[&str] = rust::TOOLCHAIN.programs;
