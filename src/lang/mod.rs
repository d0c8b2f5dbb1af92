//! Facts about each ecosystem and its tools, for the code that runs or reads a verify. Each ecosystem has one file and one
//! row of `TOOLCHAINS`. This module contains no checks.

mod c;
mod closing;
pub mod closing_lines;
mod dotnet;
pub mod failed_assertions;
mod go;
mod jvm;
pub(crate) mod loaders;
mod node;
mod others;
mod perl;
mod php;
mod printed;
pub(crate) mod python;
mod ruby;
mod rust;
mod swift;
pub(crate) mod toolchain;
pub(crate) mod uncompiled;
pub(crate) mod wrapper;

use std::path::Path;

use toolchain::{TestRunner, Toolchain};

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

pub(crate) const PYTHON: &[&str] = python::TOOLCHAIN.programs;
pub(crate) const NODE: &[&str] = node::TOOLCHAIN.programs;
pub(crate) const RUST: &[&str] = rust::TOOLCHAIN.programs;

/// Returns the folders of package managers. A verify needs them, and no tree contains them.
pub(crate) fn dependency_folders() -> impl Iterator<Item = &'static str> {
    TOOLCHAINS.iter().flat_map(|toolchain| toolchain.dependencies).copied()
}

/// Whether the path has the name of a folder in which compilers keep their output. Build tools decide by time or content
/// what to rebuild. Caches of interpreters do not count, because they are cheap.
pub(crate) fn is_build_folder(path: &Path) -> bool {
    path.file_name()
        .is_some_and(|name| TOOLCHAINS.iter().any(|toolchain| toolchain.builds.iter().any(|own| name == *own)))
}

/// Whether the path is below a folder of installed dependencies or of build output.
pub(crate) fn is_made(path: &Path) -> bool {
    let is_output = |name: &str| dependency_folders().chain(["build", "dist", "out"]).any(|own| name == own);
    path.ancestors()
        .any(|above| is_build_folder(above) || above.file_name().and_then(|name| name.to_str()).is_some_and(is_output))
}

fn runners() -> impl Iterator<Item = &'static TestRunner> {
    TOOLCHAINS.iter().flat_map(|toolchain| toolchain.runners)
}

/// Returns the runner that a command calls, also behind programs that only start it.
pub(crate) fn runner_of(argv: &[&str]) -> Option<&'static TestRunner> {
    let (program, args) = wrapper::started(argv)?.split_first()?;
    let program = program.rsplit('/').next()?;
    runners().find(|runner| (runner.is_called)(program, args))
}

/// Whether a command is a known runner that lists tests and runs none. `cargo test --no-run` is none: it can fail.
pub(crate) fn runs_none(argv: &[&str]) -> bool {
    match argv.first() {
        Some(&("make" | "gmake")) => {
            argv.iter().any(|arg| matches!(*arg, "-n" | "--just-print" | "--dry-run" | "--recon"))
        }
        _ => runner_of(argv).is_some_and(|runner| runner.runs_none(argv)),
    }
}

/// Returns the runners that may have printed something, each with the number of its calls if it is known. An unknown command
/// (a script, `make`, a test binary) may have called any runner, any number of times.
fn called_runners(commands: &[Vec<&str>]) -> Vec<(&'static TestRunner, Option<usize>)> {
    let named: Option<Vec<_>> = commands.iter().map(|argv| runner_of(argv)).collect();
    let Some(named) = named else { return runners().map(|runner| (runner, None)).collect() };
    runners()
        .map(|runner| (runner, named.iter().filter(|other| other.name == runner.name).count()))
        .filter(|(_, calls)| *calls > 0)
        .map(|(runner, calls)| (runner, Some(calls)))
        .collect()
}
