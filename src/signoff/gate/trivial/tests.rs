use super::verify_trivial;

fn told(commands: &[&[&str]]) -> Option<&'static str> {
    verify_trivial(commands)
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
        "echo ok",
        "true; true",
        "",
        "  ",
        "exit 0",
        "test -f a && [ -f b ]",
        "echo a | cat",
        "echo '$(x)'",
        "! false",
        "false || true",
        "if true; then echo yes; fi",
        "{ true; }",
        "(true)",
        "echo \"x; y\" > out.log 2>&1",
        "# nothing\ntrue",
        "eval 'true'",
        "sh -c 'echo x'",
        "[ -f x ] && exit 0",
        "echo $HOME",
        "[[ -e x ]]",
    ] {
        assert!(sh(script), "{script}");
    }
    for script in [
        "pytest",
        "pytest || true",
        "pytest; exit 0",
        "echo $(pytest)",
        "echo `pytest`",
        "exit 1",
        "echo no; exit 3",
        "false",
        "true && false",
        "! true",
        "make test | tail -1",
        "for f in *.sh; do sh $f; done",
        "./echo",
        "echo \"$(cat x)\"",
        "grep -q x y",
        "cat <<E\nx\nE",
        "$RUN",
        "cmp a b",
        "echo 'unfinished",
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
    let looks = "only looks whether something is there, it does not try it";
    assert_eq!(told(&[&["echo"], &["ls", "x"]]).unwrap(), looks);
    assert_eq!(told(&[&["sh"]]).unwrap(), "has nothing to run: its input is empty");
}
