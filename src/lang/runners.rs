//! The test runners that commands call.

use super::test_runner::TestRunner;
use super::{TOOLCHAINS, wrapper};

pub(super) fn runners() -> impl Iterator<Item = &'static TestRunner> {
    TOOLCHAINS.iter().flat_map(|toolchain| toolchain.runners)
}

/// Returns the runner that a command calls, also behind programs that only start it.
pub(crate) fn of(argv: &[&str]) -> Option<&'static TestRunner> {
    let (program, args) = wrapper::started(argv)?.split_first()?;
    let program = program.rsplit('/').next()?;
    runners().find(|runner| (runner.is_called)(program, args))
}

/// Whether a command is a known runner that lists tests and runs none. A command that compiles tests (`cargo test --no-run`)
/// does not count, because it can fail.
pub(crate) fn runs_none(argv: &[&str]) -> bool {
    match argv.first() {
        Some(&("make" | "gmake")) => {
            argv.iter().any(|arg| matches!(*arg, "-n" | "--just-print" | "--dry-run" | "--recon"))
        }
        _ => of(argv).is_some_and(|runner| runner.runs_none(argv)),
    }
}

/// Returns the runners that may have printed something, each with the number of its calls if it is known. An unknown command
/// (a script, `make`, a test binary) may have called any runner, any number of times.
pub(super) fn called(commands: &[Vec<&str>]) -> Vec<(&'static TestRunner, Option<usize>)> {
    let named: Option<Vec<_>> = commands.iter().map(|argv| of(argv)).collect();
    let Some(named) = named else { return runners().map(|runner| (runner, None)).collect() };
    runners()
        .map(|runner| (runner, named.iter().filter(|other| other.name == runner.name).count()))
        .filter(|(_, calls)| *calls > 0)
        .map(|(runner, calls)| (runner, Some(calls)))
        .collect()
}
