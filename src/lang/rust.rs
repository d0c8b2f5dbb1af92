//! Rust: cargo and nextest.

use std::path::Path;

use super::closing::{TestTally, before};
use super::printed::{FailedAssertion, position};
use super::toolchain::{Closes, NOTHING, NamedFile, Read, Selection, TestRunner, Toolchain, words};

const PROGRAMS: &[&str] = &["cargo", "cargo-nextest", "rustc"];

pub(super) const TOOLCHAIN: Toolchain = Toolchain {
    programs: PROGRAMS,
    runners: &[CARGO, NEXTEST],
    builds: &["target"],
    loaders: &[
        "CARGO_ALIAS_*", "CARGO_BUILD_*", "CARGO_ENCODED_RUSTFLAGS", "CARGO_HOME", "CARGO_TARGET_*", "RUSTC",
        "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "RUSTDOC", "RUSTFLAGS", "RUSTUP_TOOLCHAIN",
    ],
    failures,
    autoloads: &[(PROGRAMS, is_loaded)],
    uncompiled: |lines, _| lines.iter().any(|line| is_uncompiled(line)),
    ..NOTHING
};

const CARGO: TestRunner = TestRunner {
    name: "cargo test",
    is_called: |program, args| {
        program == "cargo" && !args.contains(&"nextest") && args.iter().any(|arg| matches!(*arg, "test" | "t"))
    },
    lists: &["-- --list", "-- --help", "--help"],
    closes: Closes::Often,
    read: Read::EachLine(cargo),
    selection: Some(Selection {
        failed: |line| Some(line.strip_prefix("---- ")?.strip_suffix(" stdout ----")?.to_owned()),
        line: |verify, tests| {
            let is_free = verify.argv.iter().skip_while(|word| **word != "test").skip(1).all(|word| is_flag(word));
            is_free.then(|| format!("{}{} -- --exact", verify.text, words(tests)))
        },
    }),
};

/// An option of cargo without a value of its own.
fn is_flag(word: &str) -> bool {
    matches!(
        word,
        "-q" | "--quiet" | "--offline" | "--locked" | "--workspace" | "--all" | "--no-fail-fast" | "--release"
    )
}

const NEXTEST: TestRunner = TestRunner {
    name: "nextest",
    is_called: |program, args| program == "cargo-nextest" || program == "cargo" && args.contains(&"nextest"),
    lists: &["nextest list"],
    closes: Closes::Once,
    read: Read::EachLine(nextest),
    selection: None,
};

/// `test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s`
fn cargo(line: &str) -> Option<TestTally> {
    let (_, counts) = line.strip_prefix("test result: ")?.split_once(". ")?;
    if !counts.contains(" passed; ") || !counts.contains(" ignored; ") {
        return None;
    }
    let ran = before(counts, "passed") + before(counts, "failed") + before(counts, "measured");
    let left_out = before(counts, "filtered");
    Some(TestTally { ran, skipped: before(counts, "ignored"), left_out, excused: 0 })
}

/// `Summary [   0.005s] 5 tests run: 5 passed, 2 skipped`
fn nextest(line: &str) -> Option<TestTally> {
    let (time, counts) = line.strip_prefix("Summary [")?.split_once(']')?;
    let (ran, rest) = counts.split_once(" run:")?;
    let ran = ran.trim().split(['/', ' ']).next()?.parse().ok()?;
    time.trim().ends_with('s').then_some(())?;
    // The runner counts ignored tests and filtered tests together.
    Some(TestTally { ran, left_out: before(rest, "skipped"), ..TestTally::default() })
}

fn failures(lines: &[&str]) -> Vec<FailedAssertion> {
    let found = lines.windows(2).enumerate().filter_map(|(at, pair)| {
        let below = lines[at + 2..].iter().take(2);
        panic(pair[0], pair[1]).map(|failed| below.fold(failed, |failed, line| failed.comparing(line)))
    });
    found.collect()
}

/// `thread 'a' panicked at tests/a.rs:3:5:` above ``assertion `left == right` failed``.
fn panic(line: &str, next: &str) -> Option<FailedAssertion> {
    let (_, place) = line.split_once(" panicked at ")?;
    let (path, line, _) = position(place.trim_end_matches(':'))?;
    next.trim_start().starts_with("assertion ").then(|| FailedAssertion::at(path, line)).flatten()
}

/// Whether this is the last line of cargo or rustc after a failed compilation.
pub(super) fn is_uncompiled(line: &str) -> bool {
    line.starts_with("error: could not compile") || line.starts_with("error: aborting due to")
}

/// Whether the settings of cargo only define aliases. An alias cannot replace a command of cargo itself.
fn has_only_aliases(file: &NamedFile<'_>) -> bool {
    let tables = (file.text)().and_then(|text| text.parse::<toml::Table>().ok());
    tables.is_some_and(|tables| tables.keys().all(|key| key == "alias"))
}

fn is_loaded(file: &NamedFile<'_>) -> bool {
    let folder = file.path.parent().and_then(Path::file_name);
    match file.name {
        "config" | "config.toml" => folder.is_some_and(|folder| folder == ".cargo") && !has_only_aliases(file),
        // In `src`, a module of the crate may have this name.
        "build.rs" => folder.is_none_or(|folder| folder != "src"),
        _ => false,
    }
}
