use super::verify_trivial;

fn told(commands: &[&[&str]]) -> Option<&'static str> {
    verify_trivial(&commands.iter().map(|argv| argv.to_vec()).collect::<Vec<_>>(), &|_| None)
}

fn sh(script: &str) -> bool {
    let answers = ["sh", "bash", "/bin/sh"].map(|shell| told(&[&[shell, "-c", script]]).is_some());
    assert_eq!(answers, [answers[0]; 3], "{script}");
    answers[0]
}

#[test]
fn what_cannot_fail_or_looks_at_nothing_is_trivial() {
    for argv in [
        &["true"][..],
        &[":"],
        &["/bin/true"],
        &["echo", "all tests passed"],
        &["printf", "ok"],
        &["exit", "0"],
        &["test", "-f", ".done"],
        &["[", "-f", "x", "]"],
        &["ls", "dist"],
        &["cat", "report.txt"],
        &["git", "status"],
        &["git", "-C", "sub", "--no-pager", "log", "-1"],
        &["find", ".", "-name", "x"],
        &["sh"],
        &["bash", "-s"],
        &["python3"],
        &["python3", "/dev/null"],
        &["sleep", "1"],
    ] {
        assert!(told(&[argv]).is_some(), "{argv:?}");
    }
}

#[test]
fn wrappers_are_taken_off() {
    for argv in [
        &["env", "true"][..],
        &["env", "-i", "A=b", "-u", "C", "true"],
        &["env", "--", "A=b", "true"],
        &["timeout", "5", "true"],
        &["timeout", "-k", "1", "--signal=KILL", "5", "echo", "x"],
        &["nice", "-n", "5", "nohup", "stdbuf", "-oL", "true"],
        &["sudo", "-u", "me", "true"],
        &["timeout", "10", "sh", "-c", "echo ok"],
        &["busybox", "true"],
        &["/usr/bin/env", "bash", "-lc", "true"],
        &["time", "true"],
    ] {
        assert!(told(&[argv]).is_some(), "{argv:?}");
    }
    for argv in [
        &["env", "-S", "true"][..],
        &["timeout", "5", "pytest"],
        &["command", "-v", "rg"],
        &["env", "A=b", "make", "test"],
    ] {
        assert_eq!(told(&[argv]), None, "{argv:?}");
    }
}

#[test]
fn a_sequence_is_trivial_when_every_part_is() {
    assert!(told(&[&["true"], &["true"]]).is_some());
    assert!(told(&[&["cd", "sub"], &["test", "-f", "x"]]).is_some());
    assert_eq!(told(&[&["test", "-f", "x"], &["pytest"]]), None);
    assert_eq!(told(&[&["cargo", "test"], &["echo", "done"]]), None);
    assert_eq!(told(&[]), None);
}

#[test]
fn a_script_given_to_a_shell_is_taken_apart() {
    for script in [
        "echo ok", "true; true", "", "  ", "exit 0", "test -f a && [ -f b ]", "echo a | cat", "echo '$(x)'", "! false",
        "false || true", "if true; then echo yes; fi", "{ true; }", "(true)", "echo \"x; y\" > out.log 2>&1",
        "# nothing\ntrue", "eval 'true'", "sh -c 'echo x'", "[ -f x ] && exit 0", "echo $HOME", "[[ -e x ]]",
    ] {
        assert!(sh(script), "{script}");
    }
    for script in [
        "pytest", "pytest && echo ok", "pytest || exit 1", "set -e; pytest; echo done",
        "set -o pipefail; pytest | tail -1", "pytest | grep -q passed", "make test | tail -1 && ./check",
        "out=$(pytest)", "pytest; exit $?", "exec pytest; true", "f() { pytest; }; f || true",
        "if pytest; then echo ok; else exit 1; fi", "pytest & wait $!", "(set -e; pytest) ", "exit 1",
        "echo no; exit 3", "false", "true && false", "! true", "for f in *.sh; do sh $f; done", "./echo",
        "grep -q x y", "cat <<E\nx\nE", "$RUN", "cmp a b", "echo 'unfinished",
    ] {
        assert!(!sh(script), "{script}");
    }
    assert!(told(&[&["bash", "-euo", "pipefail", "-c", "echo ok"]]).is_some());
    assert!(told(&[&["bash", "-o", "pipefail", "-ec", "echo ok"]]).is_some());
    assert!(told(&[&["bash", "--norc", "-c", "echo ok"]]).is_some());
}

#[test]
fn code_given_to_an_interpreter_is_taken_apart() {
    for argv in [
        &["python3", "-c", "pass"][..],
        &["python3", "-c", "print(\"OK\")"],
        &["python3.12", "-Ic", "import sys; sys.exit(0)"],
        &["python", "-c", "assert True"],
        &["python", "-c", "assert 1 == 1"],
        &["python", "-c", "raise SystemExit(0)"],
        &["python", "-c", ""],
        &["node", "-e", ""],
        &["node", "-e", "process.exit(0)"],
        &["node", "--eval=console.log('ok')"],
        &["ruby", "-e", "exit 0"],
        &["perl", "-e", "exit"],
        &["php", "-r", "echo 'ok';"],
        &["awk", "BEGIN{exit 0}"],
        &["awk", "BEGIN { print \"ok\" }"],
    ] {
        assert!(told(&[argv]).is_some(), "{argv:?}");
    }
    for argv in [
        &["python3", "-c", "import mypackage"][..],
        &["python3", "-c", "assert open('x').read()"],
        &["python3", "-c", "print(run())"],
        &["python3", "-c", "import sys; sys.exit(1)"],
        &["python3", "-m", "pytest"],
        &["python3", "test.py"],
        &["node", "-e", "require('./x')"],
        &["node", "--test"],
        &["awk", "/x/{f=1} END{exit !f}", "file"],
        &["perl", "-e", "exit 1"],
    ] {
        assert_eq!(told(&[argv]), None, "{argv:?}");
    }
}

#[test]
fn what_can_be_red_for_a_reason_is_not_trivial() {
    for argv in [
        &["false"][..],
        &["exit", "1"],
        &["grep", "-q", "OK", "result.log"],
        &["./echo", "x"],
        &["bin/true"],
        &["sh", "./test.sh"],
        &["sh", "-n", "greet.sh"],
        &["git", "diff", "--exit-code"],
        &["git", "grep", "x"],
        &["find", ".", "-name", "x", "-exec", "false", "{}", "+"],
        &["make", "check"],
        &["cmp", "a", "b"],
        &["diff", "a", "b"],
        &["rg", "--version"],
    ] {
        assert_eq!(told(&[argv]), None, "{argv:?}");
    }
}

#[test]
fn the_finding_says_why() {
    assert_eq!(told(&[&["true"]]).unwrap(), "cannot fail, whatever the state of the work");
    let looks = "only checks that something exists; it runs nothing";
    assert_eq!(told(&[&["echo"], &["ls", "x"]]).unwrap(), looks);
    assert_eq!(told(&[&["sh"]]).unwrap(), "has nothing to run: its input is empty");
}

// P-5
#[test]
fn a_script_that_throws_an_exit_status_away_cannot_fail() {
    for script in [
        "pytest || true", "pytest || :", "pytest || echo failed", "pytest; exit 0", "pytest; echo done",
        "pytest\ntrue", "pytest 2>&1 | tail -1", "pytest | tee out.log", "pytest |& cat", "make test | sed 's/^/  /'",
        "pytest &", "(pytest; true)", "{ pytest || true; } && echo ok", "echo $(pytest)", "echo `pytest`",
        "echo \"$(cat x)\"", "pytest > log 2>&1 || true", "cd sub; pytest; true",
    ] {
        assert!(sh(script), "{script}");
    }
    let says = told(&[&["sh", "-c", "pytest || true"]]).unwrap();
    assert_eq!(says, "cannot fail: it discards the exit status of what it runs");
    assert!(told(&[&["bash", "-ec", "pytest; true"]]).is_none());
    assert!(told(&[&["bash", "-eo", "pipefail", "-c", "pytest | tail -1; true"]]).is_none());
    assert!(told(&[&["bash", "-c", "pytest || true"], &["pytest"]]).is_none(), "one part of it tells something");
    // A script that no shell accepts must neither crash the reader nor take long.
    for deep in ["(", "{ ", "$(", "a | ", "'", "a && ", "\"$("] {
        sh(&deep.repeat(5000));
    }
}

// P-5
#[test]
fn runners_that_are_told_to_run_nothing_look_at_nothing() {
    for argv in [
        &["pytest", "--collect-only"][..],
        &["python3", "-m", "pytest", "-q", "--co"],
        &["env", "A=b", "pytest", "--version"],
        &["cargo", "test", "--", "--list"],
        &["cargo", "nextest", "list"],
        &["go", "test", "-list", ".", "./..."],
        &["npx", "jest", "--listTests"],
        &["uv", "run", "--with", "pytest", "pytest", "--collect-only"],
        &["env", "CI=1", "npx", "--yes", "jest", "--listTests"],
        &["npx", "vitest", "list"],
        &["ctest", "-N"],
        &["rspec", "--dry-run"],
        &["mvn", "test", "-DskipTests"],
        &["make", "-n", "test"],
    ] {
        assert_eq!(told(&[argv]), Some("lists tests and runs none"), "{argv:?}");
    }
    for argv in [
        &["pytest", "-k", "list"][..],
        &["cargo", "test", "--no-run"],
        &["cargo", "test", "list"],
        &["npx", "vitest", "run", "list"],
        &["swift", "test", "--filter", "list"],
        &["mvn", "test", "-DskipTests=false"],
        &["go", "test", "./..."],
        &["make", "test"],
    ] {
        assert_eq!(told(&[argv]), None, "{argv:?}");
    }
}

// P-5
#[test]
fn programs_that_copy_sort_or_compare_a_file_with_itself_tell_nothing() {
    for argv in [
        &["cp", "a", "b"][..],
        &["sort", "a"],
        &["which", "rg"],
        &["cmp", "a", "./a"],
        &["diff", "-u", "a", "a"],
        &["sha256sum", "a"],
    ] {
        assert!(told(&[argv]).is_some(), "{argv:?}");
    }
    for argv in [&["sort", "-c", "a"][..], &["sort", "--check", "a"], &["sha256sum", "-c", "sums"], &["diff", "a", "b"]]
    {
        assert_eq!(told(&[argv]), None, "{argv:?}");
    }
}

// P-5
#[test]
fn a_tiny_script_of_the_repository_is_looked_into() {
    let with = |argv: &[&str], text: &str| {
        let read = |path: &str| {
            matches!(path.trim_start_matches("./"), "check.sh" | "check.py" | "package.json").then(|| text.to_owned())
        };
        verify_trivial(&[argv.to_vec()], &read)
    };
    for text in [
        "", ":", "#!/bin/sh\nexit 0\n", "#!/bin/sh\n# checks everything\necho checked\n",
        "#!/usr/bin/env bash\npytest -q\necho done\n", "pytest || true", "test -f .done",
    ] {
        assert!(with(&["sh", "./check.sh"], text).is_some(), "{text}");
    }
    assert!(with(&["./check.sh"], "#!/bin/sh\nexit 0\n").is_some());
    assert!(with(&["./check.sh"], "#!/usr/bin/env -S python3\nprint('ok')\n").is_some());
    assert!(with(&["python3", "check.py"], "import sys\nprint('all good')\nsys.exit(0)\n").is_some());
    assert!(with(&["npm", "test"], r#"{"scripts":{"test":"echo ok"}}"#).is_some());
    for text in [
        "set -eu\nout=$(sh ./greet.sh)\n[ \"$out\" = hello ]\necho ok 2 tests\n",
        "#!/bin/sh\nfail=0\n./a || fail=1\nexit $fail\n",
        "if ! ./a; then\n  exit 1\nfi\necho ok\n",
        "for t in tests/*; do sh $t || exit 1; done\necho ok\n",
        "./a | diff - expected.txt\n",
        "[ \"$(./a)\" = x ]",
        ". ./lib.sh\nrun_all\necho ok",
        "check() { ./a; }\ncheck\n",
        "cat <<EOF | ./a\nx\nEOF\n",
    ] {
        assert_eq!(with(&["sh", "./check.sh"], text), None, "{text}");
    }
    assert_eq!(with(&["./check.sh"], "#!/bin/sh -e\n./a\necho ok\n"), None);
    assert_eq!(with(&["sh", "-e", "check.sh"], "./a\necho ok\n"), None);
    assert_eq!(with(&["sh", "-n", "check.sh"], ":\n"), None, "only the syntax is tried, which can be wrong");
    assert_eq!(with(&["python3", "check.py"], "import calc\nprint('ok')\n"), None);
    assert_eq!(with(&["npm", "test"], r#"{"scripts":{"test":"node --test"}}"#), None);
    assert_eq!(with(&["sh", "none.sh"], ":"), None, "not there");
    assert_eq!(with(&["sh", "check.sh"], &":\n".repeat(10_000)), None, "not tiny");
}
