//! What the gate finds without a further run of verify, in real repositories: each cheat is named, and the honest way past
//! it is quiet.

use plan::signoff::gate::Level;
use serde_json::Value;

use crate::support::World;

/// A goal whose verify is `line`, in a repository with these files.
fn started(line: &str, fields: &str, files: &[(&str, &str)]) -> World {
    let world = with(line, fields, files);
    let output = world.plan(["goal", "start", "g-1"]);
    assert_eq!(output.code, 0, "{output:?}");
    world
}

fn with(line: &str, fields: &str, files: &[(&str, &str)]) -> World {
    let world = World::new();
    for (path, text) in files {
        if text.starts_with("#!") { world.script(path, text) } else { world.write(path, text) }
    }
    world.write(
        "plan.md",
        format!("## Goal: G\n<!-- id: g-1 -->\nstatus: open\ndone_when: it works\nverify: {line}\n{fields}"),
    );
    world.commit("base");
    world
}

/// What the fast gate finds: code, level, place, expected, seen, resolve.
fn look(world: &World) -> Vec<Value> {
    let output = world.plan(["verify", "g-1", "--json"]);
    let json: Value = serde_json::from_str(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
    assert_eq!(json["verify"]["end"], "green", "{output:?}");
    json["findings"].as_array().unwrap().clone()
}

/// The finding of a row.
fn finding(found: &[Value], code: &str) -> Option<Value> {
    found.iter().find(|finding| finding["code"] == code).cloned()
}

/// The level of a row in the full gate: only what is a lead in the fast one can be something else there.
fn full(world: &World, code: &str, fast: Option<Level>) -> Option<Level> {
    if fast != Some(Level::Lead) {
        return fast;
    }
    let output = world.plan(["complete", "g-1", "--gate", "full", "--judge", "checks", "--json"]);
    let json: Value = serde_json::from_str(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
    assert_ne!(json["outcome"], "accepted", "{output:?}");
    level(json["findings"].as_array().unwrap(), code)
}

fn level(found: &[Value], code: &str) -> Option<Level> {
    let finding = finding(found, code)?;
    Some(if finding["level"] == "block" { Level::Block } else { Level::Lead })
}

/// The level of a row at fast and at full.
fn levels(world: &World, code: &str) -> [Option<Level>; 2] {
    let fast = level(&look(world), code);
    [fast, full(world, code, fast)]
}

const LEAD_THEN_BLOCK: [Option<Level>; 2] = [Some(Level::Lead), Some(Level::Block)];
const LEAD: [Option<Level>; 2] = [Some(Level::Lead); 2];
const BLOCK: [Option<Level>; 2] = [Some(Level::Block); 2];
const QUIET: [Option<Level>; 2] = [None; 2];

const CALC: &str = "def add(a, b):\n    return a - b\n";
const FIXED: &str = "def add(a, b):\n    return a + b\n";
const TEST: &str = "import unittest\nfrom calc import add\nclass T(unittest.TestCase):\n    def test_pos(self): self.assertEqual(add(2, 3), 5)\n    def test_neg(self): self.assertEqual(add(-2, -3), -5)\n";
const UNITTEST: &str = "python3 -B -m unittest -q test_calc";

fn calc(fields: &str) -> World {
    let world = started(UNITTEST, fields, &[("calc.py", CALC), ("test_calc.py", TEST)]);
    world.write("calc.py", FIXED);
    world
}

// P-5
#[test]
fn honest_work_is_quiet() {
    let world = calc("kind: bugfix\n");
    let output = world.plan(["verify", "g-1", "--json"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert_eq!(look(&world), [Value::Null; 0]);
}

// P-5
#[test]
fn fewer_tests_are_counted_by_the_runners_own_line() {
    let world = calc("");
    let fewer = TEST.rsplit_once("    def").unwrap().0;
    world.write("test_calc.py", fewer);
    assert_eq!(levels(&world, "fewer-tests"), LEAD_THEN_BLOCK);
    let finding = finding(&look(&world), "fewer-tests").unwrap();
    assert_eq!(finding["expected"], "2 tests, as at the goal's start");
    assert_eq!(finding["seen"], "verify has 1 tests, 2 at the goal's start");
    world.write("test_calc.py", TEST.to_owned() + "    def test_more(self): self.assertEqual(add(0, 0), 0)\n");
    assert_eq!(levels(&world, "fewer-tests"), QUIET);
    // A goal that says so may take tests away.
    let world = calc("may_change: test_calc.py\n");
    world.write("test_calc.py", fewer);
    assert_eq!(levels(&world, "fewer-tests"), LEAD);
}

// P-5
#[test]
fn more_skips_are_counted_and_a_new_skipped_test_takes_nothing_away() {
    for mark in ["skip('later')", "expectedFailure"] {
        let world = calc("");
        world.write("calc.py", "def add(a, b):\n    return abs(a) + abs(b)\n");
        world.write(
            "test_calc.py",
            TEST.replace("    def test_neg", &format!("    @unittest.{mark}\n    def test_neg")),
        );
        assert_eq!(levels(&world, "more-skips"), LEAD_THEN_BLOCK, "{mark}");
        assert_eq!(levels(&world, "fewer-tests"), QUIET, "{mark}");
    }
    let world = calc("");
    world.write("test_calc.py", TEST.to_owned() + "    @unittest.skip('no network')\n    def test_net(self): pass\n");
    assert_eq!(levels(&world, "more-skips"), LEAD);
    let skipped = TEST.replace("    def test_neg", "    @unittest.skip('x')\n    def test_neg");
    let world = started(UNITTEST, "", &[("calc.py", CALC), ("test_calc.py", &skipped)]);
    world.write("calc.py", FIXED);
    assert_eq!(levels(&world, "more-skips"), QUIET, "it was skipped before");
}

// P-5
#[test]
fn a_file_that_the_runner_loads_by_itself_is_found_where_it_is_new() {
    for (path, text) in [("sitecustomize.py", "import os\n"), ("unittest/__init__.py", "\n"), ("x.pth", "import os\n")]
    {
        let world = calc("");
        // What shadows unittest would end verify itself.
        world.write("test_calc.py", TEST);
        world.write(path, text);
        if path == "unittest/__init__.py" {
            world.write("plan.md", world.plan_md().replace(UNITTEST, "python3 -B -P -m unittest -q test_calc"));
            world.write("unittest/__init__.py", "raise SystemExit(0)\n");
            world.write("plan.md", world.plan_md().replace("python3 -B -P -m", "python3 -B -m"));
        }
        assert_eq!(levels(&world, "autoload-added"), LEAD_THEN_BLOCK, "{path}");
        assert_eq!(finding(&look(&world), "autoload-added").unwrap()["place"], path);
    }
    for (path, text) in [("conftest.py", "\n"), ("setup.cfg", "[tool:pytest]\naddopts = --co\n")] {
        let world = calc("");
        world.write(path, text);
        assert_eq!(levels(&world, "autoload-added"), QUIET, "unittest does not read {path}");
        let check = ("check.sh", "set -e\npython3 -B -m unittest -q test_calc\n");
        let world = started("sh ./check.sh", "", &[("calc.py", CALC), ("test_calc.py", TEST), check]);
        world.write("calc.py", FIXED);
        world.write(path, text);
        assert_eq!(levels(&world, "autoload-added"), LEAD_THEN_BLOCK, "a script may run pytest: {path}");
    }
    let named = calc("may_change: conftest.py setup.cfg\n");
    named.write("conftest.py", "");
    named.write("setup.cfg", "[tool:pytest]\n");
    assert_eq!(levels(&named, "autoload-added"), QUIET);
    let there = started(UNITTEST, "", &[("calc.py", CALC), ("test_calc.py", TEST), ("conftest.py", "")]);
    there.write("calc.py", FIXED);
    there.write("setup.cfg", "[metadata]\nname = calc\n");
    there.write("pyproject.toml", "[project]\nname = \"calc\"\n");
    assert_eq!(levels(&there, "autoload-added"), QUIET);
}

// P-5
#[test]
fn what_git_was_told_to_hide_blocks() {
    let world = calc("");
    world.git(["update-index", "--assume-unchanged", "test_calc.py"]);
    assert_eq!(levels(&world, "git-hides"), BLOCK);
    assert_eq!(
        look(&world).remove(0),
        serde_json::json!({
            "code": "git-hides",
            "level": "block",
            "place": "test_calc.py",
            "expected": "a repository that git shows as it is",
            "seen": "`test_calc.py` is marked assume-unchanged: git shows no change of it",
            "resolve": "`git update-index --no-assume-unchanged test_calc.py`",
        })
    );
    let skipped = calc("");
    skipped.git(["update-index", "--skip-worktree", "test_calc.py"]);
    assert_eq!(levels(&skipped, "git-hides"), BLOCK);
    let replaced = calc("");
    let (one, other) = (replaced.git(["rev-parse", "HEAD:calc.py"]), replaced.git(["rev-parse", "HEAD:test_calc.py"]));
    replaced.git(["replace", one.trim(), other.trim()]);
    assert_eq!(levels(&replaced, "git-hides"), BLOCK);
    for (key, value, levels_of) in [
        ("core.checkStat", "minimal", BLOCK),
        ("core.ignoreStat", "true", BLOCK),
        ("core.trustctime", "false", LEAD),
        ("core.fsmonitor", "true", QUIET),
    ] {
        let world = calc("");
        world.git(["config", key, value]);
        assert_eq!(levels(&world, "git-hides"), levels_of, "{key}");
    }
}

// P-5
#[test]
fn a_persons_own_settings_may_be_kept_from_git() {
    let files = [("calc.py", CALC), ("test_calc.py", TEST), ("local.ini", "host = a\n")];
    let world = with(UNITTEST, "", &files);
    world.git(["update-index", "--skip-worktree", "local.ini"]);
    world.write("local.ini", "host = b\n");
    assert_eq!(world.plan(["goal", "start", "g-1"]).code, 0);
    world.write("calc.py", FIXED);
    assert_eq!(levels(&world, "git-hides"), LEAD);
    world.write("local.ini", "host = c\n");
    assert_eq!(levels(&world, "git-hides"), BLOCK, "it changed with the work");
}

// P-5
#[test]
fn attributes_of_this_clone_alone_may_not_convert_tests() {
    for (file, expected) in [("test_calc.py", BLOCK), ("calc.py", QUIET), ("tests/look.ipynb", LEAD)] {
        let files = [("calc.py", CALC), ("test_calc.py", TEST), ("tests/look.ipynb", "{}\n")];
        let world = started(UNITTEST, "", &files);
        world.write("calc.py", FIXED);
        world.git(["config", "filter.keep.clean", "cat"]);
        world.write(".git/info/attributes", format!("{file} filter=keep\n"));
        assert_eq!(levels(&world, "git-hides"), expected, "{file}");
    }
}

// P-5
#[test]
fn a_rule_of_this_clone_alone_may_hide_notes_but_no_tests() {
    for (file, expected) in [
        ("sitecustomize.py", BLOCK),
        ("test_more.py", BLOCK),
        ("notes.txt", QUIET),
        (".venv/lib/site-packages/numpy/conftest.py", QUIET),
    ] {
        let world = calc("");
        world.write(file, "");
        world.write(".git/info/exclude", format!("/{}\n", file.split('/').next().unwrap()));
        assert_eq!(levels(&world, "git-hides"), expected, "{file}");
    }
    let world = calc("");
    world.write("playground/test_try.py", "import calc\n");
    world.write(".git/info/exclude", "playground/\n");
    assert_eq!(levels(&world, "git-hides"), LEAD);
    world.write("playground/kept.py", "");
    world.git(["add", "-f", "playground/kept.py"]);
    assert_eq!(levels(&world, "git-hides"), BLOCK, "beside what is the repository's");
    let world = calc("");
    world.write("test_more.py", "");
    world.write("rules", "test_more.py\n");
    world.git(["config", "core.excludesFile", "rules"]);
    assert_eq!(levels(&world, "git-hides"), BLOCK);
}

// P-5
#[test]
fn another_program_of_that_name_is_noticed() {
    let world = with("check-it calc.py", "", &[("calc.py", CALC)]);
    let world = world.program("check-it", "#!/bin/sh\ngrep -q 'a + b' \"$1\"\n");
    assert_eq!(world.plan(["goal", "start", "g-1"]).code, 0);
    world.write("calc.py", FIXED);
    let seen = |path: &std::ffi::OsStr| {
        let output = world.call(["verify", "g-1", "--json"]).env("PATH", path).run();
        assert_eq!(output.code, 0, "{output:?}");
        let json: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
        let found = json["findings"].as_array().unwrap().clone();
        found
            .iter()
            .find(|found| found["code"] == "runner-moved")
            .map(|found| found["seen"].as_str().unwrap().to_owned())
    };
    let path = |first: &str| {
        std::env::join_paths([world.path(first), world.base().join("bin"), "/usr/bin".into(), "/bin".into()]).unwrap()
    };
    assert_eq!(seen(&path("none")), None);
    world.script("tools/check-it", "#!/bin/sh\nexit 0\n");
    assert!(seen(&path("tools")).unwrap().starts_with("`check-it` is `"), "{:?}", seen(&path("tools")));
    let world = world.program("check-it", "#!/bin/sh\nexit 0\n");
    let output = world.plan(["verify", "g-1"]);
    assert!(output.stdout.contains("with other bytes than at the start"), "{output:?}");
}

// P-5
#[test]
fn a_loader_variable_that_was_not_set_is_noticed_by_its_name_alone() {
    let world = calc("");
    let moved = |name: &str, value: &str| {
        let output = world.call(["verify", "g-1", "--json"]).env(name, value).run();
        assert!(!output.stdout.contains("s3cret"), "{output:?}");
        output.stdout.contains("runner-moved")
    };
    assert!(!moved("EDITOR", "s3cret"));
    assert!(moved("PYTHONPATH", "s3cret"));
    assert!(moved("LD_LIBRARY_PATH", "/s3cret"));
    assert!(!moved("RUSTC_WRAPPER", "s3cret"), "python does not heed it");
}

// P-72, P-7
#[test]
fn a_start_is_recorded_once_with_everything_but_values() {
    let world = with(UNITTEST, "", &[("calc.py", CALC), ("test_calc.py", TEST)]).env("PYTHONPATH", "/s3cret");
    assert_eq!(world.plan(["goal", "start", "g-1"]).code, 0);
    let refs = world.git(["for-each-ref", "--format=%(refname)", "refs/plan/starts"]);
    let name = refs.trim();
    let text = world.git(["cat-file", "blob", name]);
    assert!(!text.contains("s3cret"), "{text}");
    let record: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(record["version"], 1);
    assert_eq!(record["goal"], "g-1");
    assert_eq!(record["contract"][0], serde_json::json!(["id", "g-1"]));
    assert_eq!(record["seen"], "red exit 1");
    assert_eq!(record["tests"], serde_json::json!({"ran": 2, "skipped": 0, "left_out": 0, "excused": 0}));
    assert_eq!(record["runner"]["programs"][0]["name"], "python3");
    assert_eq!(record["runner"]["programs"][0]["sha256"].as_str().unwrap().len(), 64);
    assert_eq!(record["runner"]["loaders"]["PYTHONPATH"].as_str().unwrap().len(), 64);
    let (contract, tree) = name.rsplit_once('/').unwrap().1.split_once('-').unwrap();
    assert!(record["contract_digest"].as_str().unwrap().starts_with(contract));
    assert!(record["tree"].as_str().unwrap().starts_with(tree));
    // Started again with the same contract and files: the first record stays.
    assert_eq!(world.plan(["goal", "cancel", "g-1", "x"]).code, 0);
    assert_eq!(world.plan(["goal", "start", "g-1"]).code, 0);
    assert_eq!(world.git(["for-each-ref", "--format=%(refname)", "refs/plan/starts"]), refs);
    assert_eq!(world.git(["cat-file", "blob", name]), text);
}

// P-5, P-7
#[test]
fn a_record_that_is_gone_or_no_record_is_said() {
    let world = calc("");
    let name = world.git(["for-each-ref", "--format=%(refname)", "refs/plan/starts"]).trim().to_owned();
    world.write("junk", "{\"version\":1}");
    let junk = world.git(["hash-object", "-w", "junk"]);
    std::fs::remove_file(world.path("junk")).unwrap();
    world.git(["update-ref", &name, junk.trim()]);
    assert_eq!(levels(&world, "start-missing"), LEAD);
    world.git(["update-ref", "-d", &name]);
    assert_eq!(levels(&world, "start-missing"), LEAD);
    let tree = world.git(["rev-parse", "HEAD^{tree}"]);
    world.git(["update-ref", &name, tree.trim()]);
    assert_eq!(levels(&world, "start-missing"), LEAD, "a tree is no record");
}

// P-12, P-42
#[test]
fn a_contract_that_was_loosened_blocks_in_the_full_gate() {
    let changed = |fields: &str, from: &str, to: &str| {
        let world = calc(fields);
        world.write("plan.md", world.plan_md().replacen(from, to, 1));
        world
    };
    let modes = "failure_modes:\n- one\n- two\n";
    for (fields, from, to) in [
        (modes, "- two\n", ""),
        ("kind: feature\n", "kind: feature", "kind: refactor"),
        ("", "done_when:", "may_change: test_calc.py\ndone_when:"),
        ("", UNITTEST, "python3 -B -m unittest -q test_calc.T.test_pos"),
    ] {
        assert_eq!(levels(&changed(fields, from, to), "contract-changed"), LEAD_THEN_BLOCK, "{from:?} to {to:?}");
    }
    for (fields, from, to) in [
        (modes, "- two\n", "- two\n- three\n"),
        ("", "it works", "it works well"),
        ("", UNITTEST, &*format!("{UNITTEST} && python3 -B -c 'import calc'")),
    ] {
        assert_eq!(levels(&changed(fields, from, to), "contract-changed"), LEAD, "{from:?} to {to:?}");
    }
    let world = calc("");
    assert_eq!(world.plan(["goal", "set", "g-1", "--kind", "refactor"]).code, 0);
    assert_eq!(levels(&world, "contract-changed"), LEAD_THEN_BLOCK, "logged, and not started with");
    assert_eq!(world.plan(["goal", "cancel", "g-1", "x"]).code, 0);
    assert_eq!(world.plan(["goal", "start", "g-1"]).code, 0);
    assert_eq!(levels(&world, "contract-changed"), QUIET, "started with");
}

// P-12
#[test]
fn an_old_contract_is_found_in_the_history_of_the_plan() {
    let world = started(UNITTEST, "failure_modes:\n- one\n- two\n", &[("calc.py", CALC), ("test_calc.py", TEST)]);
    world.write("calc.py", FIXED);
    world.commit("started");
    let name = world.git(["for-each-ref", "--format=%(refname)", "refs/plan/starts"]).trim().to_owned();
    world.git(["update-ref", "-d", &name]);
    world.write("plan.md", world.plan_md().replace("- two\n", ""));
    assert_eq!(levels(&world, "contract-changed"), LEAD_THEN_BLOCK);
    // Nor there: it is said that it cannot be told.
    let world = calc("failure_modes:\n- one\n- two\n");
    let name = world.git(["for-each-ref", "--format=%(refname)", "refs/plan/starts"]).trim().to_owned();
    world.git(["update-ref", "-d", &name]);
    world.write("plan.md", world.plan_md().replace("- two\n", ""));
    world.git(["update-ref", "-d", "HEAD"]);
    assert_eq!(levels(&world, "contract-changed"), LEAD);
    let seen = finding(&look(&world), "contract-changed").unwrap()["seen"].to_string();
    assert!(seen.contains("is unresolved"), "{seen}");
}

/// The look of `plan verify` at a repository: how often git is called.
#[test]
fn a_look_asks_git_few_times() {
    let world = started("sh check.sh", "", &[("check.sh", "grep -q 5 sum.txt\n"), ("sum.txt", "4\n")]);
    world.write("sum.txt", "5\n");
    let log = world.base().join("calls");
    let git = world.call_program("sh", ["-c", "command -v git"]).run().stdout;
    let world =
        world.program("git", &format!("#!/bin/sh\necho call >> '{}'\nexec {} \"$@\"\n", log.display(), git.trim()));
    assert_eq!(finding(&look(&world), "start-missing"), None);
    let calls = std::fs::read_to_string(&log).unwrap().lines().count();
    assert!(calls <= 11, "{calls}");
}
