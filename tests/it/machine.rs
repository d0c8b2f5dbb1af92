//! Output for programs: `--json` prints exactly one document with `"version": 1` on stdout, for every call.

use crate::support::World;

const PLAN: &str = "\
# Plan: Faster search

## Goal: Implement cache layer
<!-- id: cache-1 -->
status: open
verify: sh check.sh
failure_modes:
- cache bypassed (check: sh check.sh)
- [ ] 1. eviction
- [ ] 2. load test
";

/// The call, split at spaces, and its exit code.
type Row = (&'static str, i32);

fn answers(world: &World, rows: &[Row]) {
    for (call, code) in rows {
        let args: Vec<&str> = call.split_whitespace().chain(["--json"]).collect();
        let document = world.plan(&args).json(*code);
        assert_eq!(document["version"], 1, "{call}");
        assert_eq!(document.get("error").is_some(), *code == 2, "{call}: {document}");
    }
}

#[test]
fn every_command_answers_with_one_document() {
    let world = World::new().file("plan.md", PLAN).file("check.sh", "exit 1\n");
    answers(
        &world,
        &[
            ("", 0),
            ("--all", 0),
            ("show", 0),
            ("show cache-1", 0),
            ("show --line", 0),
            ("show --format mermaid", 0),
            ("next", 0),
            ("next --all", 0),
            ("init again", 2),
            ("goal add New --step one", 0),
            ("goal list --all", 0),
            ("goal set new-1 --priority 1", 0),
            ("goal start cache-1", 0),
            ("goal cancel new-1 because", 0),
            ("step add cache-1 three", 0),
            ("step set 1 uno", 0),
            ("step move 1 cache-1 --at 2", 0),
            ("step start 1", 0),
            ("step done 1 ok", 0),
            ("step retry 1", 0),
            ("step run 1 --yes", 2),
            ("step remove 1", 0),
            ("log hello", 0),
            ("verify cache-1", 1),
            ("complete cache-1 --judge checks", 1),
            ("complete cache-1 --judge checks --dry-run", 0),
            ("judge", 0),
            ("judge set checks", 0),
            ("judge test checks", 0),
            ("complete cache-1 --judge checks --gate full", 1),
            ("audit", 0),
            ("audit --rerun", 0),
            ("install git --print", 0),
            ("install git", 0),
            ("uninstall git --print", 0),
            ("uninstall git", 0),
            ("install claude --print", 0),
            ("install claude", 0),
            ("install qwen", 0),
            ("uninstall qwen", 0),
            ("uninstall claude --print", 0),
            ("uninstall claude", 0),
            ("install ci --print", 0),
            ("install ci", 0),
            ("uninstall ci", 0),
            ("install nothing", 2),
            ("inject", 0),
            ("remind --iteration 3", 0),
            ("loop status", 0),
            ("loop start --budget 3", 0),
            ("loop pause", 0),
            ("loop resume", 0),
            ("loop run --with codex", 2),
            ("loop clear", 0),
            ("events", 0),
            ("undo", 0),
            ("undo --list", 0),
            ("archive", 0),
            ("goal cancel cache-1 anew", 0),
            ("goal remove cache-1", 0),
            ("lint", 0),
            ("completions bash", 0),
            ("man", 0),
            ("man goal add", 0),
            ("--version", 0),
            ("--help", 0),
            ("complete --help", 0),
        ],
    );
}

#[test]
fn a_call_that_cannot_be_read_is_answered_too() {
    let world = World::new().file("plan.md", PLAN);
    answers(
        &world,
        &[
            ("frobnicate", 2),
            ("goal", 2),
            ("goal add", 2),
            ("log", 2),
            ("next a b", 2),
            ("next --json", 2),
            ("step done 1 --colour", 2),
            ("--color maybe", 2),
            ("remind", 2),
            ("remind --iteration x", 2),
            ("complete cache-1 --repeat 0", 2),
            ("show nobody", 2),
            ("--file nowhere.md", 2),
        ],
    );
    let document = world.plan(["goal", "add", "--json"]).json(2);
    assert_eq!(document["error"]["kind"], "input");
    let message = document["error"]["message"].as_str().unwrap();
    assert_eq!(message, "`plan goal add` needs <SUBJECT>");
    assert!(
        document["error"]["hints"]
            .as_array()
            .unwrap()
            .iter()
            .any(|hint| hint.as_str().unwrap().starts_with("for example: plan goal add "))
    );
}

#[test]
fn nothing_to_say_is_a_document_too() {
    let world = World::new();
    answers(&world, &[("", 0), ("inject", 0), ("remind --iteration 3", 0), ("show --line", 0), ("judge", 0)]);
    let off = world.call(["remind", "--iteration", "3", "--json"]).env("PLAN_DISABLED", "1").run().json(0);
    assert!(off["reminder"].is_null());
}

#[test]
fn what_follows_two_dashes_is_text() {
    let world = World::new().file("plan.md", PLAN);
    let output = world.plan(["log", "--", "--json"]);
    assert!(output.code == 0 && output.stdout.ends_with("  --json\n"), "{}", output.stdout);
    let output = world.plan(["log", "a", "--", "--json"]);
    assert!(output.code == 0 && output.stdout.ends_with("  a --json\n"), "{}", output.stdout);
}
