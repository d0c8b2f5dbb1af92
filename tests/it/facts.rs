//! The gate's findings without a further run of verify, in real repositories: each cheat is named, and the honest alternative gives no
//! finding.

mod hides;
mod runner;
mod start;

use plan::gate::GateLevel;
use serde_json::Value;

use crate::support::World;

/// A started goal whose verify is `line`, in a repository with these files.
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

/// The findings of the fast gate: code, level, place, expected, seen, resolve.
fn look(world: &World) -> Vec<Value> {
    let output = world.plan(["verify", "g-1", "--gate", "fast", "--json"]);
    let json: Value = serde_json::from_str(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
    assert_eq!(json["verify"]["end"], "green", "{output:?}");
    json["findings"].as_array().unwrap().clone()
}

/// Returns the finding of a row.
fn finding(found: &[Value], code: &str) -> Option<Value> {
    found.iter().find(|finding| finding["code"] == code).cloned()
}

/// The level of a row in the full gate. Only a lead of the fast gate can have another level there.
fn full(world: &World, code: &str, fast: Option<GateLevel>) -> Option<GateLevel> {
    if fast != Some(GateLevel::Lead) {
        return fast;
    }
    let output = world.plan(["complete", "g-1", "--gate", "full", "--judge", "checks", "--json"]);
    let json: Value = serde_json::from_str(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
    assert_ne!(json["outcome"], "accepted", "{output:?}");
    level(json["findings"].as_array().unwrap(), code)
}

fn level(found: &[Value], code: &str) -> Option<GateLevel> {
    let finding = finding(found, code)?;
    Some(match finding["level"].as_str().unwrap() {
        "block" => GateLevel::Block,
        "lead" => GateLevel::Lead,
        _ => GateLevel::Note,
    })
}

/// The levels of a row in the fast and in the full gate.
fn levels(world: &World, code: &str) -> [Option<GateLevel>; 2] {
    let fast = level(&look(world), code);
    [fast, full(world, code, fast)]
}

const LEAD_THEN_BLOCK: [Option<GateLevel>; 2] = [Some(GateLevel::Lead), Some(GateLevel::Block)];
const LEAD_THEN_NOTE: [Option<GateLevel>; 2] = [Some(GateLevel::Lead), Some(GateLevel::Note)];
const LEAD: [Option<GateLevel>; 2] = [Some(GateLevel::Lead); 2];
const NOTE: [Option<GateLevel>; 2] = [Some(GateLevel::Note); 2];
const BLOCK: [Option<GateLevel>; 2] = [Some(GateLevel::Block); 2];
const QUIET: [Option<GateLevel>; 2] = [None; 2];

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
    let output = world.plan(["verify", "g-1", "--gate", "fast", "--json"]);
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
    assert_eq!(finding["seen"], "verify has 1 test; at the goal's start it had 2");
    world.write("test_calc.py", TEST.to_owned() + "    def test_more(self): self.assertEqual(add(0, 0), 0)\n");
    assert_eq!(levels(&world, "fewer-tests"), QUIET);
    // A goal that allows it may remove tests.
    for named in ["test_calc.py", "test_{calc,sums}.py"] {
        let world = calc(&format!("may_change: {named}\n"));
        world.write("test_calc.py", fewer);
        assert_eq!(levels(&world, "fewer-tests"), NOTE, "{named}");
    }
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
    // A goal that allows it may skip tests: nothing could resolve such a lead.
    let world = calc("may_change: test_calc.py\n");
    world.write("calc.py", "def add(a, b):\n    return abs(a) + abs(b)\n");
    world.write("test_calc.py", TEST.replace("    def test_neg", "    @unittest.skip('later')\n    def test_neg"));
    assert_eq!(levels(&world, "more-skips"), NOTE);
    // A different file in `may_change` excuses no test.
    let files = [("calc.py", CALC), ("test_calc.py", TEST), ("README.md", "sums\n")];
    let world = started(UNITTEST, "may_change: README.md\n", &files);
    world.write("README.md", "more sums\n");
    world.write("calc.py", "def add(a, b):\n    return abs(a) + abs(b)\n");
    world.write("test_calc.py", TEST.replace("    def test_neg", "    @unittest.skip('later')\n    def test_neg"));
    assert_ne!(levels(&world, "more-skips"), NOTE);
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
        // A file that shadows unittest would end verify itself.
        world.write("test_calc.py", TEST);
        world.write(path, text);
        if path == "unittest/__init__.py" {
            world.write("plan.md", world.plan_md().replace(UNITTEST, "python3 -B -P -m unittest -q test_calc"));
            world.write("unittest/__init__.py", "raise SystemExit(0)\n");
            world.write("plan.md", world.plan_md().replace("python3 -B -P -m", "python3 -B -m"));
        }
        assert_eq!(levels(&world, "autoload-added"), LEAD_THEN_NOTE, "{path}");
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
        assert_eq!(levels(&world, "autoload-added"), LEAD_THEN_NOTE, "a script may run pytest: {path}");
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

/// Counts the git calls of `plan verify` in a repository.
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
