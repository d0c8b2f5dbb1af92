use std::time::Duration;

use super::{CommandLine, Ended, Report, TimeLimits, joined};
use crate::config::Config;
use crate::error::Kind;
use crate::plan::parse;
use crate::process::run::Tail;

fn limits(front: &str, config: &Config, caller: Option<u64>) -> (u64, u64) {
    let text = format!("---\n{front}---\n# Plan: x\n");
    let limits = TimeLimits::of(Some(&parse(text.as_bytes()).unwrap()), config, caller.map(Duration::from_secs));
    (limits.verify.as_secs(), limits.judge.as_secs())
}

// SIGNOFF.md §2: the plan, the user and the caller can only lower the cap.
#[test]
fn limits_are_lowered_and_never_raised() {
    let own = Config { verify_timeout: Some(60), judge_timeout: Some(90), ..Config::default() };
    let generous = Config { verify_timeout: Some(6000), judge_timeout: Some(6000), ..Config::default() };
    assert_eq!(limits("", &Config::default(), None), (600, 600));
    assert_eq!(limits("", &own, None), (60, 90));
    assert_eq!(limits("verify_timeout: 30\njudge_timeout: 300\n", &own, None), (30, 90));
    assert_eq!(limits("verify_timeout: 6000\n", &generous, Some(6000)), (600, 600));
    assert_eq!(limits("judge_timeout: 40\n", &own, Some(50)), (50, 40));
}

#[test]
fn a_limit_that_is_none_is_passed_over() {
    let zero = Config { verify_timeout: Some(0), judge_timeout: Some(0), ..Config::default() };
    assert_eq!(limits("verify_timeout: 0\njudge_timeout: soon\n", &zero, None), (600, 600));
    assert_eq!(limits("verify_timeout: -5\n", &zero, None), (600, 600));
}

fn ended(ended: Ended, printed: &str) -> Report {
    Report { ended, tail: Tail::of(printed.as_bytes()), ..Report::of("make test") }
}

// SIGNOFF.md §3, "At the start of a goal": a verify that cannot be loaded was not tried.
#[test]
fn a_start_is_red_green_or_unstartable() {
    let why = "`nothing` is not on PATH".to_owned();
    let script = |output: &str| {
        let argv = ["sh", "check.sh"].map(str::to_owned).to_vec();
        Report { argv, ..ended(Ended::Exit { code: 2 }, output) }
    };
    for (report, said) in [
        (ended(Ended::Green, "ok\n"), "green"),
        (ended(Ended::Exit { code: 1 }, "1 failed\n"), "red exit 1"),
        (ended(Ended::Signal { signal: 11 }, ""), "red signal 11"),
        (ended(Ended::TimedOut { seconds: 600 }, ""), "red killed after 600 s"),
        (ended(Ended::Unstartable { why }, ""), "unstartable"),
        (ended(Ended::Exit { code: 127 }, "sh: 1: pytest: not found\n"), "unstartable"),
        (ended(Ended::Exit { code: 126 }, ""), "unstartable"),
        (ended(Ended::Exit { code: 1 }, "ModuleNotFoundError: No module named 'yaml'\n"), "unstartable"),
        (ended(Ended::Exit { code: 1 }, "Error: Cannot find module './x'\n"), "unstartable"),
        (ended(Ended::Exit { code: 2 }, "make: cargo: command not found\n"), "unstartable"),
        (
            ended(
                Ended::Exit { code: 2 },
                "make: pytest: No such file or directory\nmake: *** [Makefile:2: test] Error 127\n",
            ),
            "unstartable",
        ),
        (ended(Ended::Exit { code: 2 }, "/bin/sh: 1: pytest: not found\nmake: *** [test] Error 127\n"), "unstartable"),
        (
            ended(Ended::Exit { code: 2 }, "make: ./greet.sh: No such file or directory\nmake: *** [test] Error 127\n"),
            "red exit 2",
        ),
        (ended(Ended::Exit { code: 1 }, "GET /a: not found\n"), "red exit 1"),
        (
            ended(
                Ended::Exit { code: 1 },
                "npm error npx canceled due to missing packages and no YES option: [\"x@1.0.0\"]\n",
            ),
            "unstartable",
        ),
        (ended(Ended::Exit { code: 101 }, "error: no such command: `nextest`\n"), "unstartable"),
        (ended(Ended::Exit { code: 4 }, "ERROR: file or directory not found: tests/a.py\n"), "unstartable"),
        (ended(Ended::Exit { code: 2 }, "sh: 0: cannot open lib/work.sh: No such file\n"), "red exit 2"),
        (script("sh: 0: cannot open check.sh: No such file\n"), "unstartable"),
        (script("python3: can't open file '/w/check.sh': [Errno 2] No such file or directory\n"), "unstartable"),
        (ended(Ended::Green, "ImportError: was caught\n"), "green"),
    ] {
        assert_eq!(report.at_start(), said, "{report:?}");
    }
}

#[test]
fn the_last_line_is_the_last_one_that_says_something() {
    assert_eq!(ended(Ended::Exit { code: 1 }, "a\n2 failed, 3 passed\n  \n\n").last_line(), "2 failed, 3 passed");
    let node = "# pass 3\n# fail 1\n# cancelled 0\n# skipped 0\n# todo 0\n# duration_ms 52.1\n";
    assert_eq!(ended(Ended::Exit { code: 1 }, node).last_line(), "# fail 1");
    let vitest =
        "AssertionError: expected 1 to be 2\n\n   Duration  636ms (transform 98ms)\n\nnpm error code 1\n----|---\n";
    assert_eq!(ended(Ended::Exit { code: 1 }, vitest).last_line(), "AssertionError: expected 1 to be 2");
    assert_eq!(ended(Ended::Exit { code: 1 }, "npm error code 1\n").last_line(), "npm error code 1");
    assert_eq!(ended(Ended::Exit { code: 1 }, "\n\n").summary(), "exit 1: no output");
    let why = "`nothing` is not on PATH".to_owned();
    assert_eq!(ended(Ended::Unstartable { why }, "before\n").last_line(), "`nothing` is not on PATH");
}

#[test]
fn tails_are_joined_as_if_one_program_had_printed_both() {
    let join = |first: &str, second: &str| joined(&Tail::of(first.as_bytes()), Tail::of(second.as_bytes()));
    assert_eq!(join("a\n", "b\n"), Tail::of(b"a\nb\n"));
    assert_eq!(join("", "b\n"), Tail::of(b"b\n"));
    assert_eq!(join("a\n", ""), Tail::of(b"a\n"));
    assert_eq!(join("no line end", "b\n").text(), "no line end\nb\n");
    let many = |word: &str| (0..30).map(|at| format!("{word} {at}\n")).collect::<String>();
    let joined = join(&many("first"), &many("second"));
    assert_eq!(joined.label().unwrap(), "the last 40 of 60 lines");
    assert!(joined.text().starts_with("first 20\n") && joined.text().ends_with("second 29\n"));
    let long = (0..50).map(|at| format!("long {at}\n")).collect::<String>();
    assert_eq!(join(&long, "b\n").label().unwrap(), "the last 40 of 51 lines");
    assert_eq!(join("a\n", &long).label().unwrap(), "the last 40 of 51 lines");
}

#[test]
fn a_line_that_needs_a_shell_is_not_read() {
    let error = CommandLine::read("make test | tee log").unwrap_err();
    assert_eq!(error.kind, Kind::Input);
    assert!(error.message.starts_with("`make test | tee log`: "), "{}", error.message);
}
