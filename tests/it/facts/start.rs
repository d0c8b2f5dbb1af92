//! The record of a start, and the findings that depend on it: `start-missing`, `contract-changed`.

use super::{CALC, FIXED, LEAD, LEAD_THEN_BLOCK, QUIET, TEST, UNITTEST, calc, finding, levels, look, started, with};
use crate::support::World;

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
    assert_eq!(record["root"], "");
    assert_eq!(record["seen"], "red exit 1");
    assert_eq!(record["tests"], serde_json::json!({"ran": 2, "skipped": 0, "left_out": 0, "excused": 0}));
    assert_eq!(record["runner"]["programs"][0]["name"], "python3");
    assert_eq!(record["runner"]["programs"][0]["sha256"].as_str().unwrap().len(), 64);
    assert_eq!(record["runner"]["loaders"]["PYTHONPATH"].as_str().unwrap().len(), 64);
    let mut parts = name.rsplit_once('/').unwrap().1.split('-');
    let (contract, tree) = (parts.next().unwrap(), parts.next().unwrap());
    assert!(record["contract_digest"].as_str().unwrap().starts_with(contract));
    assert!(record["tree"].as_str().unwrap().starts_with(tree));
    // A second start with the same contract and files keeps the first record.
    assert_eq!(world.plan(["goal", "cancel", "g-1", "x"]).code, 0);
    assert_eq!(world.plan(["goal", "start", "g-1"]).code, 0);
    assert_eq!(world.git(["for-each-ref", "--format=%(refname)", "refs/plan/starts"]), refs);
    assert_eq!(world.git(["cat-file", "blob", name]), text);
}

// P-5, P-12: a start that was thrown away with its log line leaves a record. It does not count against the next start.
#[test]
fn a_start_may_be_thrown_away_and_made_again() {
    let world = with(UNITTEST, "", &[("calc.py", CALC), ("test_calc.py", TEST)]);
    let before = world.plan_md();
    assert_eq!(world.plan(["goal", "start", "g-1"]).code, 0);
    let line = |plan: &str| plan.lines().find(|line| line.contains("g-1 started")).unwrap().to_owned();
    let first = line(&world.plan_md());
    world.write("plan.md", &before);
    world.git(["commit", "-q", "--allow-empty", "-m", "another commit"]);
    assert_eq!(world.plan(["goal", "start", "g-1"]).code, 0);
    assert_ne!(line(&world.plan_md()), first);
    world.write("calc.py", FIXED);
    assert_eq!(levels(&world, "start-differs"), QUIET);
    assert_eq!(levels(&world, "start-missing"), QUIET);
    // The line is no longer the recorded one.
    let forged = world.plan_md().replace("verify red exit 1", "verify red exit 2");
    world.write("plan.md", &forged);
    assert_eq!(levels(&world, "start-differs"), LEAD_THEN_BLOCK);
    // The first start saw verify green, and its line is gone.
    let world = with("sh check.sh", "", &[("check.sh", "grep -q up service\n"), (".gitignore", "service\n")]);
    let before = world.plan_md();
    world.write("service", "up\n");
    assert_eq!(world.plan(["goal", "start", "g-1"]).code, 0);
    world.write("plan.md", before);
    std::fs::remove_file(world.path("service")).unwrap();
    assert_eq!(world.plan(["goal", "start", "g-1"]).code, 0);
    world.write("service", "up\n");
    assert_eq!(levels(&world, "start-differs"), LEAD);
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
    assert_eq!(levels(&changed("", "it works", "it works well"), "contract-changed"), LEAD);
    // A change that requires more needs no reason.
    for (fields, from, to) in [
        (modes, "- two\n", "- two\n- three\n"),
        (modes, "- two\n", "- two (check: sh two.sh)\n"),
        ("", UNITTEST, &*format!("{UNITTEST} && python3 -B -c 'import calc'")),
        ("", UNITTEST, &*format!("python3 -B -c 'import calc' && {UNITTEST}")),
    ] {
        assert_eq!(levels(&changed(fields, from, to), "contract-changed"), QUIET, "{from:?} to {to:?}");
    }
    let world = calc("");
    assert_eq!(world.plan(["goal", "set", "g-1", "--kind", "refactor"]).code, 0);
    assert_eq!(levels(&world, "contract-changed"), LEAD_THEN_BLOCK, "logged, and not started with");
    assert_eq!(world.plan(["goal", "set", "g-1", "--because", "it only moves code"]).code, 0);
    assert_eq!(levels(&world, "contract-changed"), QUIET, "explained");
}

// P-5, P-12
#[test]
fn a_plan_that_was_moved_since_the_start_runs_verify_elsewhere() {
    let world = calc("");
    world.commit("start");
    world.write("work/calc.py", FIXED);
    world.write("work/test_calc.py", TEST);
    world.write("calc.py", CALC);
    world.git(["mv", "plan.md", "work/plan.md"]);
    std::os::unix::fs::symlink("work/plan.md", world.path("plan.md")).unwrap();
    assert_eq!(levels(&world, "contract-changed"), LEAD_THEN_BLOCK);
    let found = finding(&look(&world), "contract-changed").unwrap();
    assert_eq!(found["seen"], "plan.md is in `work`; at the goal's start it was in the top of the repository");
    assert!(found["resolve"].as_str().unwrap().starts_with("move it back: `mv -f work/plan.md plan.md`; "), "{found}");
    // A reason for a changed contract does not excuse another folder.
    assert_eq!(world.plan(["goal", "set", "g-1", "--kind", "bugfix", "--because", "it is one"]).code, 0);
    assert_eq!(levels(&world, "contract-changed"), LEAD_THEN_BLOCK);
    // This repairs it.
    std::fs::rename(world.path("work/plan.md"), world.path("plan.md")).unwrap();
    std::fs::remove_dir_all(world.path("work")).unwrap();
    world.write("calc.py", FIXED);
    assert_eq!(levels(&world, "contract-changed"), QUIET);
}

// P-5, P-12
#[test]
fn a_plan_that_was_moved_before_a_start_is_quiet() {
    // Only the plan's place differs: the start has the contract and the tree of the one before.
    let test = "grep -q 1 a.txt\n";
    let files = [("t.sh", test), ("a.txt", "1\n"), ("docs/t.sh", test), ("docs/a.txt", "1\n")];
    let world = started("sh t.sh", "", &files);
    let moved = |world: &World| {
        let output = world.plan(["--file", "docs/plan.md", "verify", "g-1", "--gate", "fast", "--json"]);
        output.stdout.contains("plan.md is in `docs`")
    };
    world.git(["mv", "plan.md", "docs/plan.md"]);
    assert!(moved(&world));
    let at = |args: &[&str]| world.plan([&["--file", "docs/plan.md", "goal"], args].concat());
    assert_eq!(at(&["cancel", "g-1", "the plan moves"]).code, 0);
    assert_eq!(at(&["start", "g-1"]).code, 0);
    assert!(!moved(&world));
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
    // The old contract is not in the history either: the report says that the change cannot be judged.
    let world = calc("failure_modes:\n- one\n- two\n");
    let name = world.git(["for-each-ref", "--format=%(refname)", "refs/plan/starts"]).trim().to_owned();
    world.git(["update-ref", "-d", &name]);
    world.write("plan.md", world.plan_md().replace("- two\n", ""));
    world.git(["update-ref", "-d", "HEAD"]);
    assert_eq!(levels(&world, "contract-changed"), LEAD);
    let seen = finding(&look(&world), "contract-changed").unwrap()["seen"].to_string();
    assert!(seen.contains("is unresolved"), "{seen}");
}

// P-5, P-50
#[test]
fn an_id_that_another_goal_had_brings_nothing_of_it_along() {
    let world = World::new().file("t1.sh", "exit 1\n").file("t2.sh", "grep -q 4 sum.txt\n").file("sum.txt", "4\n");
    world.write("plan.md", "# Plan: p\n");
    world.commit("base");
    let add = |verify: &str| world.plan(["goal", "add", "Add", "--id", "add-1", "--verify", verify]);
    assert_eq!(add("sh t1.sh").code, 0);
    assert_eq!(world.plan(["goal", "start", "add-1"]).code, 0);
    assert_eq!(world.plan(["goal", "cancel", "add-1", "no"]).code, 0);
    let text = world.plan_md();
    let (head, log) = (text.split("## Goal").next().unwrap(), text.split("## Log").nth(1).unwrap());
    world.write("plan.md", format!("{head}## Log{log}"));
    assert_eq!(add("sh t2.sh").code, 0);
    let done = world.plan(["complete", "add-1", "--gate", "fast", "--judge", "checks"]);
    assert_eq!(done.code, 1, "{done:?}");
    assert!(done.stdout.contains("`verify` was never seen red"), "{done:?}");
    assert!(done.stdout.contains("no-change: nothing has changed since an earlier commit"), "{done:?}");
    // Its own start has its own base; an `active` that somebody typed is not a start.
    world.write("sum.txt", "5\n");
    world.write("plan.md", world.plan_md().replace("status: open", "status: active"));
    assert_eq!(world.plan(["goal", "start", "add-1"]).code, 0);
    world.write("sum.txt", "4\n");
    world.write("more.txt", "4\n");
    let done = world.plan(["complete", "add-1", "--judge", "checks", "--gate", "full"]);
    assert!(!done.stdout.contains("base-missing") && !done.stdout.contains("no-change"), "{done:?}");
}

// P-5
#[test]
fn a_start_that_was_not_written_keeps_nothing() {
    // Its verify changes the contract, so the start is not written.
    let files = [("t.sh", "sed -i 's/it works/it works well/' plan.md\nexit 1\n"), ("a.txt", "1\n")];
    let world = with("sh t.sh", "", &files);
    let output = world.plan(["goal", "start", "g-1"]);
    assert_eq!(output.code, 5, "{output:?}");
    assert_eq!(world.git(["for-each-ref", "refs/plan"]), "");
    // The start is interrupted while verify runs.
    world.write("t.sh", ": > ../started\nsleep 50\n");
    let mut child = world.interruptible(["goal", "start", "g-1"]);
    let mut child = child.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).spawn().unwrap();
    await_file(&world, "started");
    let child_id = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(child_id, rustix::process::Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(world.git(["for-each-ref", "refs/plan"]), "");
    assert_eq!(kept(&world), 0);
}

/// The number of kept trees.
fn kept(world: &World) -> usize {
    let folder = world.path(".git/plan/checkpoints/kept");
    std::fs::read_dir(folder).map(Iterator::count).unwrap_or_default()
}

fn await_file(world: &World, name: &str) {
    let begin = std::time::Instant::now();
    while !world.base().join(name).exists() {
        assert!(begin.elapsed() < std::time::Duration::from_secs(30), "verify does not run");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}
