//! Test runners in a mode that lists tests and runs none.

use crate::lang::closing_lines::kinds::{RunnerKind, kind_of};

/// Whether a command is a known test runner in such a mode. Compiling tests (`cargo test --no-run`) can fail and does
/// not count.
pub(super) fn runs_none(argv: &[&str]) -> bool {
    let has = |flags: &[&str]| argv.iter().skip(1).any(|arg| flags.contains(&arg.split('=').next().unwrap_or(arg)));
    let behind_dashes = |flags: &[&str]| {
        let own = argv.iter().skip_while(|arg| **arg != "--");
        own.skip(1).any(|arg| flags.contains(arg))
    };
    if matches!(argv.first(), Some(&("make" | "gmake"))) {
        return has(&["-n", "--just-print", "--dry-run", "--recon"]);
    }
    match kind_of(argv) {
        Some(RunnerKind::Pytest) => {
            has(&["--collect-only", "--co", "--fixtures", "--markers", "--help", "-h", "--version", "-V"])
        }
        Some(RunnerKind::Cargo) => behind_dashes(&["--list", "--help"]) || argv.contains(&"--help"),
        Some(RunnerKind::Nextest) => follows(argv, "nextest", "list"),
        Some(RunnerKind::Go) => has(&["-list", "--list", "-n"]),
        Some(RunnerKind::Jest) => has(&["--listTests", "--showConfig", "--version", "--help"]),
        Some(RunnerKind::Vitest) => follows(argv, "vitest", "list") || has(&["--version", "--help"]),
        Some(RunnerKind::Mocha) => has(&["--dry-run", "--version", "--help", "--list-files"]),
        Some(RunnerKind::Dotnet) => has(&["--list-tests", "-t", "--help"]),
        Some(RunnerKind::Gradle) => has(&["--dry-run", "-m", "--help", "--version"]),
        Some(RunnerKind::Maven) => {
            let skips = ["-DskipTests", "-DskipTests=true", "-Dmaven.test.skip", "-Dmaven.test.skip=true"];
            argv.iter().any(|arg| skips.contains(arg)) || has(&["--help", "--version"])
        }
        Some(RunnerKind::Ctest) => has(&["-N", "--show-only", "--print-labels", "--help", "--version"]),
        Some(RunnerKind::Rspec) => has(&["--dry-run", "--version", "--help"]),
        Some(RunnerKind::Phpunit) => has(&["--list-tests", "--list-suites", "--list-groups", "--version", "--help"]),
        Some(RunnerKind::Swift) => follows(argv, "test", "list") || has(&["--list-tests", "-l"]),
        Some(RunnerKind::Unittest) => has(&["--help", "-h"]),
        Some(RunnerKind::Node) | None => false,
    }
}

/// Whether `word` comes right after `program`; later in the line it may be the name of a test.
fn follows(argv: &[&str], program: &str, word: &str) -> bool {
    argv.windows(2).any(|pair| pair[0].rsplit('/').next() == Some(program) && pair[1] == word)
}
