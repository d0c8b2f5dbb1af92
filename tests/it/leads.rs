//! Suspicious texts are reported to the judge and the reader, and block nothing (`SIGNOFF.md` §4).

use serde_json::Value;

use crate::support::World;

/// Starts a goal with these fields in a repository with these files, does the work, and returns the findings.
fn worked(fields: &str, base: &[(&str, &str)], work: &[(&str, &str)]) -> Vec<Value> {
    let world = World::new();
    base.iter().for_each(|(path, text)| world.write(path, text));
    world.write(
        "plan.md",
        format!("## Goal: Add numbers\n<!-- id: g-1 -->\nstatus: open\ndone_when: it adds\n{fields}"),
    );
    world.commit("base");
    assert_eq!(world.plan(["goal", "start", "g-1"]).code, 0);
    for (path, text) in work {
        if text.is_empty() { std::fs::remove_file(world.path(path)).unwrap() } else { world.write(path, text) }
    }
    let output = world.plan(["verify", "g-1", "--gate", "fast", "--json"]);
    assert_eq!(output.code, 0, "a lead never blocks: {output:?}");
    let json: Value = serde_json::from_str(&output.stdout).unwrap();
    let found = json["findings"].as_array().unwrap().iter();
    // The state of verify at the start is a separate subject.
    found.filter(|finding| finding["code"] != "never-red").cloned().collect()
}

fn places(found: &[Value], code: &str) -> Vec<String> {
    let of = found.iter().filter(|finding| finding["code"] == code);
    of.map(|finding| finding["place"].as_str().unwrap_or("verify").to_owned()).collect()
}

const CHECK: &str = "verify: sh check.sh\n";
const CHECK_SH: &str = "set -e\ngrep -q . calc.py\n";
const CALC: &str = "def add(a, b):\n    return a - b\n";
const TEST: &str = "def test_add():\n    assert add(20, 30) == 50\n    assert add('left', 'right') == 'both'\n";

// P-5, P-74
#[test]
fn what_looks_gamed_is_said_with_its_place() {
    let base = [
        ("calc.py", CALC),
        ("test_calc.py", TEST),
        ("test_old.py", "def test_old():\n    assert 1 == 1\n"),
        ("check.sh", CHECK_SH),
    ];
    let calc = "import os, sys\n\ndef add(a, b):\n    if (a, b) == (20, 30):\n        return 50\n    if a == 'left': return 'both'\n    if 'pytest' in sys.modules: return 1\n    return os.environ.get('PYTEST_CURRENT_TEST')\n";
    let test = "import pytest\n@pytest.mark.skip\ndef test_add():\n    assert True\n";
    let work = [
        ("calc.py", calc),
        ("test_calc.py", test),
        ("test_old.py", ""),
        ("check.sh", "set -e\ngrep -q . calc.py || true\ngrep -q . calc.py\n"),
        (".github/workflows/ci.yml", "on: push\n"),
        ("add.spec.js", "it('adds', () => { expect(true).to.be.true; });\n"),
    ];
    let found = worked(&format!("{CHECK}failure_modes:\n- it hides\n"), &base, &work);
    assert_eq!(places(&found, "test-literals"), ["calc.py:4", "calc.py:6"], "{found:#?}");
    assert_eq!(places(&found, "test-aware"), ["calc.py:7", "calc.py:8"]);
    assert_eq!(places(&found, "asserts-nothing"), ["add.spec.js:1", "test_calc.py:4"]);
    assert_eq!(places(&found, "skip-added"), ["test_calc.py:2"]);
    assert_eq!(places(&found, "tests-deleted"), ["test_calc.py", "test_old.py"]);
    assert_eq!(places(&found, "exit-masked"), ["check.sh:2"]);
    assert_eq!(places(&found, "outside-goal"), [".github/workflows/ci.yml"]);
    assert_eq!(places(&found, "modes-unchecked"), ["verify"]);
    assert!(found.iter().all(|finding| finding["level"] == "lead"), "{found:#?}");
    let skip = found.iter().find(|finding| finding["code"] == "skip-added").unwrap();
    assert_eq!(
        skip,
        &serde_json::json!({
            "code": "skip-added",
            "level": "lead",
            "place": "test_calc.py:2",
            "expected": "tests that run",
            "seen": "added since the goal's start: `@pytest.mark.skip`",
            "resolve": "let the test run; if it cannot, as on another platform: `plan goal set g-1 --add-may-change test_calc.py --because \"why\"`",
        })
    );
}

// P-5
#[test]
fn ordinary_work_is_quiet() {
    let base = [("calc.py", CALC), ("test_calc.py", TEST), ("check.sh", CHECK_SH), ("old.py", "x = 1\n")];
    let calc = "NAMES = {'left': 1, 'right': 2}\n\ndef add(a, b):\n    if b == 0:\n        return a\n    if not a:\n        raise ValueError('empty')\n    return a + b\n";
    let work = [
        ("calc.py", calc),
        ("test_calc.py", &*format!("{TEST}\ndef test_more():\n    assert add(1, 0) == 1\n")),
        ("old.py", ""),
        ("src/ci_notes.md", "nothing || true\n"),
        (".gitignore", "build/\n"),
    ];
    let found = worked(CHECK, &base, &work);
    assert_eq!(found, [Value::Null; 0]);
}

// P-5
#[test]
fn an_example_in_a_comment_that_runs_no_longer_is_a_lead() {
    let rust = "/// Adds.\n///\n/// ```\n/// assert_eq!(calc::add(1, 2), 3);\n/// ```\npub fn add() {}\n";
    let python = "def add(a, b):\n    \"\"\"\n    >>> add(1, 2)\n    3\n    \"\"\"\n    return a - b\n";
    let base = [("calc.py", python), ("src/lib.rs", rust), ("check.sh", CHECK_SH)];
    let (unrun, skipped) = (rust.replacen("```", "```no_run", 1), python.replace(", 2)", ", 2)  # doctest: +SKIP"));
    let found = worked(CHECK, &base, &[("calc.py", &skipped), ("src/lib.rs", &unrun)]);
    assert_eq!(places(&found, "skip-added"), ["calc.py:3", "src/lib.rs:3"], "{found:#?}");
    // A new example that never ran.
    let diagram = format!("{rust}/// ```text\n/// a -> b\n/// ```\npub fn draw() {{}}\n");
    assert_eq!(places(&worked(CHECK, &base, &[("src/lib.rs", &diagram)]), "skip-added"), [""; 0]);
}

// P-5
#[test]
fn an_error_that_is_only_reported_is_a_note() {
    let base = [("calc.py", CALC), ("check.sh", CHECK_SH)];
    let python = format!(
        "{CALC}\ndef load(a):\n    try:\n        return add(a, 1)\n    except ValueError as error:\n        log.error(error)\n        return None\n"
    );
    let go = "func save() {\n\tif err := write(); err != nil {\n\t\tlog.Println(err)\n\t}\n}\n";
    let found = worked(CHECK, &base, &[("calc.py", &python), ("save.go", go)]);
    assert_eq!(places(&found, "error-swallowed"), ["calc.py:7", "save.go:2"], "{found:#?}");
}

// P-5
#[test]
fn what_stands_aside_is_a_note() {
    let makefile = "check:\n\tsh check.sh\n";
    let base = [
        ("calc.py", CALC),
        ("check.sh", CHECK_SH),
        ("Makefile", &*format!("{makefile}lint:\n\tsh lint.sh\n")),
        // A file that does not change.
        ("old.py", "from calc import called\n"),
    ];
    let calc = format!("{CALC}\n\ndef nobody(a):\n    return a\n\n\ndef called(a):\n    return a\n");
    let work = [("calc.py", &*calc), ("Makefile", makefile)];
    let found = worked(CHECK, &base, &work);
    assert_eq!(places(&found, "work-unused"), ["calc.py:5"], "{found:#?}");
    assert_eq!(places(&found, "build-narrowed"), ["Makefile:1"], "{found:#?}");
    assert!(found.iter().all(|finding| finding["level"] == "note"), "{found:#?}");
}

// P-5
#[test]
fn lines_that_moved_are_said_only_where_verify_is_a_checker() {
    let code: String = (0..6).map(|n| format!("total_{n} = price * {n}\n")).collect();
    let base = [("calc.py", CALC), ("check.sh", CHECK_SH), ("app/shop.py", &*code)];
    let work = [("app/shop.py", "import calc\n"), ("old/shop.py", &*code)];
    let found = worked("verify: sh -n check.sh\n", &base, &work);
    assert_eq!(places(&found, "moved-out-of-sight"), ["old/shop.py:1"], "{found:#?}");
    assert_eq!(worked(CHECK, &base, &work), [Value::Null; 0]);
}

// P-5
#[test]
fn a_verify_that_greps_what_was_just_written_is_a_lead_but_not_for_docs() {
    let base = [("README.md", "# A\n")];
    let work = [("README.md", "# A\n\n## Install\n")];
    let verify = "verify: grep -q '^## Install' README.md\n";
    assert_eq!(places(&worked(verify, &base, &work), "greps-own-text"), ["README.md"]);
    assert_eq!(worked(&format!("{verify}kind: docs\n"), &base, &work), [Value::Null; 0]);
}

// P-5, P-67
#[test]
fn hostile_text_is_shown_as_one_harmless_line() {
    let base = [("calc.py", CALC), ("test_calc.py", TEST), ("check.sh", CHECK_SH)];
    let long = format!("{TEST}@unittest.skip('\u{1b}[31m\u{202e}{}')\n", "x".repeat(5000));
    let found = worked(CHECK, &base, &[("test_calc.py", &long)]);
    let seen = found[0]["seen"].as_str().unwrap();
    assert!(seen.len() < 200 && !seen.contains(['\u{1b}', '\u{202e}', '\n']), "{seen}");
}

/// The target of a link is in no tree. It is reported only if the work has added a link that leads outside.
#[test]
fn a_link_out_of_the_repository_is_said() {
    let world = World::new().file("sub/check.sh", CHECK_SH).file("calc.py", CALC).file("old/data", "x");
    world.write(
        "plan.md",
        "## Goal: Add\n<!-- id: g-1 -->\nstatus: open\ndone_when: it adds\nverify: sh sub/check.sh\n",
    );
    let link = |target: &str, path: &str| std::os::unix::fs::symlink(target, world.path(path)).unwrap();
    link("/usr/share", "before");
    world.commit("base");
    assert_eq!(world.plan(["goal", "start", "g-1"]).code, 0);
    link("../old/data", "sub/inside");
    link("../../data", "sub/outside");
    link("/tmp/numbers.py", "numbers.py");
    let findings =
        || world.plan(["verify", "g-1", "--gate", "fast", "--json"]).json(0)["findings"].as_array().unwrap().clone();
    let found = findings();
    assert_eq!(places(&found, "link-outside"), ["numbers.py", "sub/outside"], "{found:#?}");
    assert!(found.iter().all(|finding| finding["code"] != "link-outside" || finding["level"] == "lead"), "{found:#?}");
    // The advice in the message resolves it.
    let named = ["--may-change", "numbers.py", "--may-change", "sub/outside"];
    assert_eq!(world.plan(["goal", "set", "g-1"].iter().chain(&named)).code, 0);
    assert_eq!(places(&findings(), "link-outside"), [""; 0]);
}

// Files that were written together count as equally old: a formatter, a coarse clock.
#[test]
fn evidence_that_is_older_by_a_second_is_not_stale() {
    let world = World::new().file("sub/check.sh", CHECK_SH).file("calc.py", CALC);
    let goal = "## Goal: Add\n<!-- id: g-1 -->\nstatus: open\ndone_when: it adds\nverify: sh sub/check.sh\nevidence: run.log\n";
    world.write("plan.md", goal);
    world.commit("base");
    assert_eq!(world.plan(["goal", "start", "g-1"]).code, 0);
    world.write("run.log", "2 passed\n");
    world.write("calc.py", format!("{CALC}# more\n"));
    let written = std::fs::metadata(world.path("calc.py")).unwrap().modified().unwrap();
    let stale = |seconds: u64| {
        let log = std::fs::File::options().write(true).open(world.path("run.log")).unwrap();
        log.set_modified(written - std::time::Duration::from_secs(seconds)).unwrap();
        let report = world.plan(["verify", "g-1", "--gate", "fast", "--json"]).json(0);
        places(report["findings"].as_array().unwrap(), "evidence-stale").len()
    };
    assert_eq!([stale(0), stale(1), stale(10)], [0, 0, 1]);
}

/// The files that `plan verify` reports as changed outside the goal, after `work` on a repository with these attributes.
fn outside(attributes: Option<&str>, work: impl FnOnce(&World)) -> Vec<String> {
    let world = World::new().file("check.sh", CHECK_SH).file("calc.py", CALC);
    world.write("plan.md", format!("## Goal: Add\n<!-- id: g-1 -->\nstatus: open\ndone_when: it adds\n{CHECK}"));
    attributes.into_iter().for_each(|text| world.write(".gitattributes", text));
    world.commit("base");
    assert_eq!(world.plan(["goal", "start", "g-1"]).code, 0);
    for part in ["git", "ci"] {
        assert_eq!(world.plan(["install", part]).code, 0);
    }
    work(&world);
    let report = world.plan(["verify", "g-1", "--gate", "fast", "--json"]).json(0);
    places(report["findings"].as_array().unwrap(), "outside-goal")
}

const JOB: &str = ".github/workflows/plan-audit.yml";

// P-5
#[test]
fn files_that_plan_install_wrote_are_not_outside_the_goal() {
    for attributes in
        [None, Some("*.md text\n"), Some("*.md text\r\n"), Some("*.md text"), Some("plan.md merge=plan\n")]
    {
        assert_eq!(outside(attributes, |_| ()), [""; 0], "{attributes:?}");
    }
    let add = |path: &'static str, text: &'static str| {
        move |world: &World| {
            let old = if world.path(path).exists() { world.read(path) } else { String::new() };
            world.write(path, format!("{old}{text}"));
        }
    };
    assert_eq!(outside(None, add(".gitattributes", "*.py filter=lfs\n")), [".gitattributes"]);
    assert_eq!(outside(Some("*.md text\n"), add(".gitattributes", "*.py -diff\n")), [".gitattributes"]);
    assert_eq!(outside(None, add("sub/.gitattributes", "plan.md merge=plan\n")), ["sub/.gitattributes"]);
    assert_eq!(outside(None, add(JOB, "# more\n")), [JOB]);
    // The line is still there, but in another place, because the text before it was removed.
    let replace = |world: &World| world.write(".gitattributes", "plan.md merge=plan\n");
    assert_eq!(outside(Some("*.sh eol=lf\n"), replace), [".gitattributes"]);
    // A link to the same text.
    let link = |world: &World| {
        std::fs::rename(world.path(".gitattributes"), world.path("attributes")).unwrap();
        std::os::unix::fs::symlink("attributes", world.path(".gitattributes")).unwrap();
    };
    assert_eq!(outside(None, link), [".gitattributes"]);
}

// P-5
#[test]
fn a_job_that_people_edited_is_not_put_back_in_silence() {
    let world = World::new().file("check.sh", CHECK_SH).file("calc.py", CALC).file(JOB, "name: ours\n");
    world.write("plan.md", format!("## Goal: Add\n<!-- id: g-1 -->\nstatus: open\ndone_when: it adds\n{CHECK}"));
    world.commit("base");
    assert_eq!(world.plan(["goal", "start", "g-1"]).code, 0);
    std::fs::remove_file(world.path(JOB)).unwrap();
    assert_eq!(world.plan(["install", "ci"]).code, 0);
    let report = world.plan(["verify", "g-1", "--gate", "fast", "--json"]).json(0);
    assert_eq!(places(report["findings"].as_array().unwrap(), "outside-goal"), [JOB]);
}
