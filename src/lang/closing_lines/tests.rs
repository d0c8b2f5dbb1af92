use super::{TestTally, nothing_ran, tally};

fn told(argv: &[&str], output: &str) -> Option<String> {
    nothing_ran(&[argv.to_vec()], output, true)
}

/// Reads the output of a script, so that the command reveals no runner.
fn any(output: &str) -> Option<String> {
    told(&["make", "test"], output)
}

#[test]
fn an_empty_run_is_told_by_the_closing_line_of_each_runner() {
    for (runner, output) in [
        ("pytest", "collected 0 items\n\n======= no tests ran in 0.01s =======\n"),
        ("pytest", "sss  [100%]\n3 skipped in 0.02s\n"),
        ("pytest", "= 2 skipped, 3 deselected, 1 warning in 1.20s (0:00:01) =\n"),
        ("unittest", "\n----\nRan 0 tests in 0.000s\n\nOK\n"),
        ("unittest", "\n----\nRan 0 tests in 0.000s\n\nNO TESTS RAN\n"),
        ("unittest", "Ran 2 tests in 0.000s\n\nOK (skipped=2)\n"),
        (
            "cargo test",
            "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n",
        ),
        (
            "cargo test",
            "test result: ok. 0 passed; 0 failed; 3 ignored; 0 measured; 2 filtered out; finished in 0.00s\n",
        ),
        ("nextest", "     Summary [   0.005s] 0 tests run: 0 passed, 3 skipped\n"),
        ("go test", "?   \texample.com/x\t[no test files]\n"),
        ("go test", "ok  \texample.com/x\t0.002s [no tests to run]\n?   \texample.com/y\t[no test files]\n"),
        ("go test", "=== RUN   TestA\n    a_test.go:5: later\n--- SKIP: TestA (0.00s)\nPASS\nok  \tx\t0.001s\n"),
        ("jest", "No tests found, exiting with code 0\n"),
        ("jest", "Test Suites: 1 skipped, 0 of 1 total\nTests:       3 skipped, 3 total\n"),
        ("jest", "Tests:       0 total\n"),
        ("vitest", "No test files found, exiting with code 0\n"),
        ("vitest", " Test Files  1 skipped (1)\n      Tests  3 skipped (3)\n"),
        ("vitest", "\u{1b}[2m      Tests \u{1b}[22m \u{1b}[33m2 skipped\u{1b}[39m\u{1b}[90m (2)\u{1b}[39m\n"),
        ("mocha", "\n  0 passing (1ms)\n"),
        ("mocha", "\n  0 passing (1ms)\n  2 pending\n"),
        (
            "node --test",
            "1..0\n# tests 0\n# suites 0\n# pass 0\n# fail 0\n# cancelled 0\n# skipped 0\n# todo 0\n# duration_ms 5\n",
        ),
        ("node --test", "ℹ tests 2\nℹ suites 0\nℹ pass 0\nℹ fail 0\nℹ cancelled 0\nℹ skipped 2\nℹ todo 0\n"),
        (
            "dotnet test",
            "Skipped! - Failed:     0, Passed:     0, Skipped:     3, Total:     3, Duration: 5 ms - x.dll (net8.0)\n",
        ),
        ("dotnet test", "No test is available in /x/x.dll. Make sure that test discoverer\n"),
        ("dotnet test", "Test summary: total: 0, failed: 0, succeeded: 0, skipped: 0, duration: 1.2s\n"),
        ("gradle", "> Task :compileTestJava NO-SOURCE\n> Task :test NO-SOURCE\n\nBUILD SUCCESSFUL in 1s\n"),
        ("maven", "[INFO] No tests to run.\n[INFO] BUILD SUCCESS\n"),
        ("maven", "[WARNING] Tests run: 2, Failures: 0, Errors: 0, Skipped: 2\n"),
        ("ctest", "Test project /x\nNo tests were found!!!\n"),
        (
            "ctest",
            "100% tests passed, 0 tests failed out of 1\n\nThe following tests did not run:\n\t  1 - gpu (Skipped)\n",
        ),
        ("rspec", "Finished in 0.001 seconds\n0 examples, 0 failures\n"),
        ("rspec", "2 examples, 0 failures, 2 pending\n"),
        ("minitest", "0 runs, 0 assertions, 0 failures, 0 errors, 0 skips\n"),
        ("minitest", "2 runs, 0 assertions, 0 failures, 0 errors, 2 skips\n"),
        ("test-unit", "2 tests, 0 assertions, 0 failures, 0 errors, 1 pendings, 1 omissions, 0 notifications\n"),
        ("prove", "Files=1, Tests=0,  0 wallclock secs ( 0.01 usr  0.00 sys +  0.02 cusr  0.00 csys =  0.03 CPU)\n"),
        ("GoogleTest", "[==========] 0 tests from 0 test suites ran. (0 ms total)\n[  PASSED  ] 0 tests.\n"),
        (
            "GoogleTest",
            "[==========] 1 test from 1 test suite ran. (0 ms total)\n[  PASSED  ] 0 tests.\n[  SKIPPED ] 1 test, listed below:\n",
        ),
        ("Catch2 or doctest", "No tests ran\n"),
        ("Catch2 or doctest", "[doctest] test cases:  0 |  0 passed | 0 failed | 2 skipped\n"),
        ("bun test", " 0 pass\n 3 skip\n 0 fail\nRan 3 tests across 1 file. [8.00ms]\n"),
        ("deno test", "ok | 0 passed | 0 failed | 1 ignored (1ms)\n"),
        ("playwright", "Running 2 tests using 1 worker\n\n  2 skipped\n"),
        ("phpunit", "No tests executed!\n"),
        ("phpunit", "OK, but incomplete, skipped, or risky tests!\nTests: 3, Assertions: 0, Skipped: 3.\n"),
        ("swift test", "\t Executed 0 tests, with 0 failures (0 unexpected) in 0.000 (0.000) seconds\n"),
        (
            "swift test",
            "\t Executed 2 tests, with 2 tests skipped and 0 failures (0 unexpected) in 0.0 (0.0) seconds\n",
        ),
    ] {
        let told = any(output).unwrap_or_else(|| panic!("{runner}: {output}"));
        assert!(told.starts_with(&format!("no test ran: {runner} ")), "{told}");
    }
}

#[test]
fn an_honest_run_is_left_alone() {
    for output in [
        "======= 3 passed in 0.01s =======\n",
        "1 passed, 5 skipped in 0.02s\n",
        "2 failed, 1 xfailed in 0.02s\n",
        "1 xfailed in 0.02s\n",
        "Ran 3 tests in 0.001s\n\nOK (skipped=2)\n",
        "Ran 1 test in 0.001s\n\nOK\n",
        "test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n   Doc-tests x\n\nrunning 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n",
        "Summary [   0.005s] 5 tests run: 5 passed, 0 skipped\n",
        "?   \tx/cmd\t[no test files]\nok  \tx/lib\t0.005s\n",
        "ok  \tx/lib\t(cached)\n",
        "=== RUN   TestA\n--- PASS: TestA (0.00s)\n=== RUN   TestB\n--- SKIP: TestB (0.00s)\nPASS\nok  \tx\t0.001s\n",
        "Tests:       1 skipped, 3 passed, 4 total\n",
        "      Tests  3 passed | 1 skipped (4)\n",
        "  3 passing (5ms)\n  1 pending\n",
        "# tests 3\n# suites 0\n# pass 2\n# fail 0\n# cancelled 0\n# skipped 1\n# todo 0\n",
        "Passed!  - Failed:     0, Passed:    12, Skipped:     0, Total:    12, Duration: 5 ms - x.dll (net8.0)\nNo test is available in /y.dll.\n",
        "> Task :app:test\n> Task :lib:test NO-SOURCE\n",
        "> Task :test UP-TO-DATE\n",
        "[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1\n[INFO] No tests to run.\n",
        "100% tests passed, 0 tests failed out of 5\n",
        "5 examples, 0 failures, 1 pending\n",
        "2 runs, 1 assertions, 0 failures, 0 errors, 1 skips\n",
        "3 tests, 1 assertions, 0 failures, 0 errors, 1 pendings, 1 omissions, 0 notifications\n",
        "0 tests and no assertions, as the page says\n",
        "Files=2, Tests=2,  0 wallclock secs ( 0.01 usr  0.01 sys +  0.06 cusr  0.00 csys =  0.08 CPU)\n",
        "[==========] 3 tests from 1 test suite ran. (0 ms total)\n[  PASSED  ] 2 tests.\n[  SKIPPED ] 1 test, listed below:\n",
        "All tests passed (5 assertions in 2 test cases)\n",
        "test cases: 3 | 2 passed | 1 skipped\n",
        " 2 pass\n 1 skip\n 0 fail\n 2 expect() calls\nRan 3 tests across 1 file. [8.00ms]\n",
        "ok | 3 passed (2 steps) | 0 failed | 1 ignored (1ms)\n",
        "Running 3 tests using 1 worker\n\n  1 skipped\n  2 passed (1.2s)\n",
        "2 skipped\n",
        "OK (3 tests, 5 assertions)\n",
        "Tests: 3, Assertions: 2, Skipped: 1.\n",
        "\t Executed 3 tests, with 0 failures (0 unexpected) in 0.0 (0.0) seconds\n✔ Test run with 0 tests passed after 0.001 seconds.\n",
        "0 tests failed\nall good\n",
        "no tests ran in the old suite, see below\nok\n",
        "",
    ] {
        assert_eq!(any(output), None, "{output}");
    }
}

#[test]
fn a_line_that_a_test_prints_is_not_the_runners_own() {
    let output = "===== 12 passed in 0.10s =====\nsss\n3 skipped in 0.02s\n";
    assert_eq!(told(&["pytest", "-q"], output).unwrap(), "no test ran: pytest skipped all 3 tests");
    let output = "Ran 12 tests in 0.1s\n\nOK\ntest result: ok. 9 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n----\nRan 0 tests in 0.000s\n\nOK\n";
    assert_eq!(told(&["python3", "-m", "unittest", "-q"], output).unwrap(), "no test ran: unittest reported 0 tests");
}

#[test]
fn what_tests_print_may_follow_the_closing_line() {
    let unittest = &["python3", "-m", "unittest"];
    let own = "----\nRan 2 tests in 0.001s\n\nOK\n";
    let printed = "Ran 0 tests in 0.000s\n\nOK\n";
    assert_eq!(told(unittest, &format!("{own}{printed}")), None);
    assert_eq!(tally(&[unittest.to_vec()], &format!("{own}{printed}"), true).map(|tally| tally.ran), Some(2));
    let ruled = format!("{own}----\n{printed}");
    assert_eq!(
        (told(unittest, &ruled), tally(&[unittest.to_vec()], &ruled, true)),
        (None, None),
        "either may be the runner's"
    );
    assert!(told(unittest, &format!("----\n{printed}----\n{printed}")).is_some());
}

#[test]
fn of_two_calls_one_with_tests_is_enough() {
    let output = "===== 12 passed in 0.10s =====\n===== 3 skipped in 0.02s =====\n";
    assert_eq!(nothing_ran(&[vec!["pytest", "a"], vec!["pytest", "gpu"]], output, true), None);
    assert!(nothing_ran(&[vec!["pytest", "gpu"]], output, true).is_some());
}

#[test]
fn a_cut_output_accuses_nobody_whose_earlier_lines_are_missing() {
    let empty = "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n";
    assert_eq!(nothing_ran(&[vec!["cargo", "test"]], empty, false), None);
    assert!(nothing_ran(&[vec!["cargo", "test"]], empty, true).is_some());
    assert!(nothing_ran(&[vec!["pytest"]], "1 skipped in 0.02s\n", false).is_some());
}

#[test]
fn crlf_and_progress_lines_make_no_difference() {
    assert!(any("Ran 0 tests in 0.000s\r\n\r\nOK\r\n").is_some());
    assert!(any("running\r 50%\rRan 0 tests in 0.000s\n\nOK\n").is_some());
}

// P-5
#[test]
fn tests_are_counted_over_all_calls() {
    let of = |argv: &[&str], output: &str| tally(&[argv.to_vec()], output, true);
    let counted = |ran, skipped, left_out, excused| Some(TestTally { ran, skipped, left_out, excused });
    assert_eq!(of(&["pytest"], "== 3 passed, 1 skipped, 2 deselected, 1 xfailed in 0.1s =="), counted(4, 1, 2, 1));
    let unittest = &["python3", "-m", "unittest"];
    assert_eq!(of(unittest, "Ran 5 tests in 0.1s\n\nOK (skipped=2, expected failures=1)"), counted(3, 2, 0, 1));
    assert_eq!(of(unittest, "Ran 2 tests in 0.1s\n\nFAILED (failures=1)"), counted(2, 0, 0, 0));
    let cargo = "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 2 filtered out; finished in 0.00s\n";
    assert_eq!(of(&["cargo", "test"], &cargo.repeat(2)), counted(6, 2, 4, 0));
    let go = "ok  \tx/a\t0.1s\nFAIL\tx/b\t0.2s\nFAIL\tx/c [build failed]\nFAIL\n";
    assert_eq!(of(&["go", "test", "./..."], go), counted(2, 0, 0, 0), "red ones count too");
    assert_eq!(of(&["sh", "test.sh"], "ok 2 tests"), None);
    for (call, output, ran, skipped) in [
        (&["ruby", "t.rb"][..], "2 runs, 1 assertions, 0 failures, 0 errors, 1 skips", 1, 1),
        (&["prove"], "Files=2, Tests=5,  0 wallclock secs ( 0.01 usr)", 5, 0),
        (
            &["./unit"],
            "[==========] 3 tests from 1 test suite ran. (0 ms total)\n[  SKIPPED ] 1 test, listed below:",
            2,
            1,
        ),
        (&["./unit"], "test cases: 3 | 1 passed | 1 failed | 1 skipped", 2, 1),
        (&["./unit"], "All tests passed (5 assertions in 2 test cases)", 2, 0),
        (&["bun", "test"], "Running 5 tests\n 2 pass\n 1 skip\n 1 fail\nRan 4 tests across 2 files. [1ms]", 3, 1),
        (&["deno", "test"], "FAILED | 2 passed | 1 failed | 1 ignored (1ms)", 3, 1),
        (
            &["npx", "playwright", "test"],
            "Running 4 tests using 2 workers\n 1 flaky\n 1 skipped\n 2 passed (1.2s)",
            3,
            1,
        ),
    ] {
        assert_eq!(of(call, output), counted(ran, skipped, 0, 0), "{output}");
    }
    assert_eq!(tally(&[vec!["cargo", "test"]], cargo, false), None, "lines may be missing");
    let endless = format!("{0} passed, {0} failed in 1s", u64::MAX);
    assert!(of(&["pytest"], &endless).is_some(), "no number is too large to be added");
}
