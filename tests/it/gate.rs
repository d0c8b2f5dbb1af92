//! The full gate in real repositories: the cheats that each row catches, and the honest work that it lets through.

mod base;
mod checks;
mod clean;
mod excused;
mod named;
mod probes;
mod reading;
mod red;
mod replay;
mod restart;
mod rows;
mod write_sandbox;

use serde_json::Value;

use crate::support::World;

/// A wrong greeting, and its test.
const GREET: &[(&str, &str)] = &[
    ("greet.sh", "echo hi\n"),
    (
        "test.sh",
        "set -eu\nout=$(sh ./greet.sh World)\n[ \"$out\" = 'Hello, World' ]\nout=$(sh ./greet.sh '')\n[ \"$out\" = 'Hello, nobody' ]\n",
    ),
];
const GREETS: &str = "n=${1:-}\nif [ -z \"$n\" ]; then n=nobody; fi\necho \"Hello, $n\"\n";

/// A wrong sum, and its test.
const CALC: &[(&str, &str)] = &[
    (".gitignore", "__pycache__/\n"),
    ("calc.py", "def add(a, b):\n    return a - b\n"),
    (
        "test_calc.py",
        "import unittest\nfrom calc import add\nclass T(unittest.TestCase):\n    def test_pos(self):\n        self.assertEqual(add(2, 3), 5)\n    def test_neg(self):\n        self.assertEqual(add(-2, -3), -5)\n",
    ),
];
/// It has another length, because Python's cache in the work tree identifies a file by its second and its length.
const ADDS: &str = "def add(a, b):\n    total = a + b\n    return total\n";
const UNITTEST: &str = "python3 -m unittest -q test_calc";

/// A started goal with this verify; `fields` are more lines of the goal.
fn started(verify: &str, fields: &str, files: &[(&str, &str)]) -> World {
    started_in("", verify, fields, files)
}

fn started_in(root: &str, verify: &str, fields: &str, files: &[(&str, &str)]) -> World {
    begun(World::new(), root, verify, fields, files)
}

fn begun(world: World, root: &str, verify: &str, fields: &str, files: &[(&str, &str)]) -> World {
    // Work that passes the gate meets a judge that rejects, so that the work stays and can be tried again.
    // Python's cache identifies a file by its second and its length: a file that is written twice in a second would run in its old form.
    let world = world.env("PYTHONDONTWRITEBYTECODE", "1").judge(
        "judge",
        "C1 unmet: nothing is good enough\nmissing: more\n",
        "reject",
    );
    for (path, text) in files {
        if text.starts_with("#!") { world.script(path, text) } else { world.write(path, text) }
    }
    let verify = if verify.is_empty() { String::new() } else { format!("verify: {verify}\n") };
    let plan =
        format!("# Plan: p\n\n## Goal: G\n<!-- id: g-1 -->\nstatus: open\ndone_when: it works\n{verify}{fields}");
    world.write(&format!("{root}plan.md"), plan);
    world.commit("base");
    let output = world.call(["goal", "start", "g-1"]).dir(root).run();
    assert_eq!(output.code, 0, "{output:?}");
    world
}

/// Returns the report of `complete --gate full`.
fn complete(world: &World) -> Value {
    complete_in(world, "")
}

fn complete_in(world: &World, root: &str) -> Value {
    let output = world.call(["complete", "g-1", "--gate", "full", "--judge", "cmd:judge", "--json"]).dir(root).run();
    serde_json::from_str(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"))
}

/// The codes of the blocks, then `seen` of the findings that are `unresolved` or `not-reached`.
fn found(report: &Value) -> (Vec<String>, Vec<String>) {
    let findings = report["findings"].as_array().unwrap();
    let text = |finding: &Value, key: &str| finding[key].as_str().unwrap().to_owned();
    let blocks = findings.iter().filter(|finding| finding["level"] == "block").map(|finding| text(finding, "code"));
    let open = findings.iter().filter(|finding| matches!(finding["code"].as_str(), Some("unresolved" | "not-reached")));
    (blocks.collect(), open.map(|finding| text(finding, "seen")).collect())
}

/// Asserts that the gate lets the work through to the judge, with every row decided.
#[track_caller]
fn assert_clear(world: &World) {
    let report = complete(world);
    assert_eq!(found(&report), (vec![], vec![]), "{report:#}");
    assert_eq!(report["gate"], "full");
    assert_eq!(report["reason"], "oracle cmd:judge (named by caller)", "{report:#}");
}

/// Asserts that the gate blocks with exactly this code.
#[track_caller]
fn assert_blocked(world: &World, code: &str) -> Value {
    let report = complete(world);
    assert_eq!(found(&report).0, [code], "{report:#}");
    assert_eq!(report["outcome"], "rejected");
    report["findings"].as_array().unwrap().iter().find(|finding| finding["level"] == "block").unwrap().clone()
}

/// Asserts that nothing blocks, and that one lead has this text.
#[track_caller]
fn assert_open(world: &World, says: &str) {
    let report = complete(world);
    let (blocks, open) = found(&report);
    assert_eq!(blocks, [""; 0], "{report:#}");
    assert!(open.iter().any(|seen| seen.contains(says)), "no lead says {says:?}: {open:#?}");
}

/// Asserts that nothing blocks, and that a row has nothing to check for this reason.
#[track_caller]
fn assert_not_applicable(world: &World, says: &str) {
    let report = complete(world);
    assert_eq!(found(&report), (vec![], vec![]), "{report:#}");
    let notes = report["findings"].as_array().unwrap().iter().filter(|finding| finding["level"] == "note");
    let notes: Vec<&str> = notes.map(|finding| finding["seen"].as_str().unwrap()).collect();
    assert!(notes.iter().any(|seen| seen.contains(says)), "no note says {says:?}: {notes:#?}");
}
