//! Runs the verifies that were signed off again, on the merge result.

use super::support::{Audit, ID, audit, edit, honest, merge_result, project};
use crate::support::{World, two_at_once};

/// Signs off any state, with a judge that accepts.
fn waved_through(world: World) -> World {
    let judge = "C1 met: greet.sh:1 \"Hello\"\nF1 ruled out: old.sh:1 \"Hello\"\nmissing: none\n";
    let world = world.judge("yes", judge, "accept");
    assert_eq!(world.plan(["judge", "set", "cmd:yes"]).code, 0);
    let done = world.plan(["complete", ID, "--gate", "fast"]);
    assert_eq!(done.code, 0, "{done:?}");
    merge_result(&world);
    world
}

fn rerun(world: &World) -> Audit {
    audit(world, &["--base", "origin/main", "--rerun"])
}

// P-5, P-7
#[test]
fn honest_work_is_run_again_and_passes() {
    let world = project();
    honest(&world);
    merge_result(&world);
    let output = world.plan(["audit", "--base", "origin/main", "--rerun"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(output.stdout.contains(&format!("✓ {ID} run again (gate full): sh test.sh")), "{output:?}");
    assert!(output.stderr.contains("$ sh test.sh"), "each argv is printed: {output:?}");
    assert_eq!(world.git(["status", "--porcelain"]), "");
    let nothing = audit(&world, &["--base", "HEAD", "--rerun"]);
    assert_eq!(nothing.json["rerun"].as_array().map(Vec::len), Some(0), "done before the base");
    let all = audit(&world, &["--rerun"]);
    assert_eq!(all.json["rerun"].as_array().map(Vec::len), Some(1), "{:#}", all.json);
}

// P-5
#[test]
fn a_test_that_was_emptied_is_red_as_it_was() {
    let world = project();
    world.write("test.sh", "sh greet.sh && echo ok: all tests pass\n");
    let world = waved_through(world);
    assert_eq!(audit(&world, &["--base", "origin/main"]).findings, [""; 0], "the record alone looks well");
    let found = rerun(&world);
    assert_eq!(found.findings, ["approved-tests-red"], "{:#}", found.json);
    assert_eq!(found.json["rerun"][0]["passed"], false);
}

// P-12
#[test]
fn the_verify_of_the_base_is_the_one_that_is_run() {
    let world = project();
    assert_eq!(world.plan(["goal", "set", ID, "--verify", "sh old.sh"]).code, 0);
    world.write("notes.txt", "done\n");
    let world = waved_through(world);
    let found = rerun(&world);
    assert_eq!(found.json["rerun"][0]["verify"], "sh test.sh", "{:#}", found.json);
    assert!(found.findings.contains(&"contract-changed".to_owned()), "{:#}", found.json);
    assert!(found.findings.contains(&"clean-replay-red".to_owned()), "{:#}", found.json);
}

// P-74
#[test]
fn files_that_are_in_no_commit_are_noted() {
    let world = project();
    honest(&world);
    let found = audit(&world, &["--rerun"]);
    assert_eq!((&found.findings, &found.notes), (&vec![], &vec!["not-committed".to_owned()]), "{:#}", found.json);
    merge_result(&world);
    assert_eq!(audit(&world, &["--rerun"]).notes, [""; 0]);
}

// P-74
#[test]
fn a_verify_that_needs_a_shell_is_not_run() {
    let world = project();
    edit(&world, "verify: sh test.sh\n", "verify: sh test.sh | tee log\n");
    edit(&world, "status: active", "status: done");
    let found = audit(&world, &["--rerun"]);
    assert!(found.findings.contains(&"verify-unreadable".to_owned()), "{:#}", found.json);
    assert_eq!(found.json["rerun"][0]["not_run"], "its verify cannot be read", "{:#}", found.json);
}

// P-5
#[test]
fn tests_are_counted_where_they_are_run_again() {
    const HALF: &str = "import unittest\nfrom calc import add\nclass T(unittest.TestCase):\n    def test_pos(self): self.assertEqual(add(2, 3), 5)\n";
    let tests = |fields: &str| {
        let world = World::new()
            .file("calc.py", "def add(a, b):\n    return a - b\n")
            .file("cases.py", format!("{HALF}    def test_neg(self): self.assertEqual(add(-2, -3), -5)\n"))
            .file("run.py", "import unittest\nimport cases\nunittest.main(cases, argv=['x'])\n")
            .file("plan.md", format!("# Plan: p\n\n## Goal: G\n<!-- id: {ID} -->\nstatus: open\ndone_when: it adds\nverify: python3 -B -c 'import run'\n{fields}"))
            .committed();
        assert_eq!(world.plan(["goal", "start", ID]).code, 0);
        world.commit("start");
        world.git(["branch", "before"]);
        world.write("calc.py", "def add(a, b):\n    return a + b\n");
        world
    };
    let again = |world: &World| {
        edit(world, "status: active", "status: done");
        world.commit("work");
        audit(world, &["--base", "before", "--rerun"])
    };
    let honest = tests("");
    assert_eq!(again(&honest).findings, ["hand-ticked"]);
    let fewer = tests("");
    fewer.write("cases.py", HALF);
    assert_eq!(again(&fewer).findings, ["fewer-tests", "hand-ticked"]);
    let empty = tests("");
    empty.write("cases.py", "");
    assert_eq!(again(&empty).findings, ["hand-ticked", "nothing-ran"]);
    let excused = tests("may_change: cases.py\n");
    excused.write("cases.py", HALF);
    assert_eq!(again(&excused).findings, ["hand-ticked"]);
}

/// Signs the goal off honestly, then breaks it on the way to the merge.
fn broken(greet: &str) -> World {
    let world = project();
    honest(&world);
    world.write("greet.sh", greet);
    merge_result(&world);
    world
}

// P-5, P-7
#[test]
fn the_checks_of_failure_modes_are_run_again() {
    let world = broken("printf 'Hel%s, %s\\n' lo \"$1\"\n");
    let found = rerun(&world);
    assert_eq!(found.findings, ["check-red"], "{:#}", found.json);
    assert_eq!(found.json["rerun"][0]["blocked"], true);
}

// P-5, SIGNOFF.md §8: the rerun is the proof. At sign-off a red export is excused if verify was green in place.
#[test]
fn what_is_not_green_when_it_is_run_again_is_no_proof() {
    let missing = broken("echo 'sh: tool: command not found' >&2\nexit 1\n");
    let ignored = broken("echo 'cat: local.env: No such file' >&2\nexit 1\n");
    ignored.write("../work/.git/info/exclude", "local.env\n");
    ignored.write("local.env", "LEVEL=1\n");
    let slow = broken("sleep 3\necho Hello, nobody\n");
    slow.write("plan.md", format!("---\nverify_timeout: 1\n---\n{}", slow.plan_md()));
    slow.commit("a limit");
    // The output claims success, but the run fails.
    let says_ok = broken("echo OK >&2\n");
    let cases = [
        (missing, "it cannot start"),
        (ignored, "lacks `local.env`"),
        (slow, "exit 1"),
        (says_ok, "verify is red in a clean export: exit 1; its last line: `OK`"),
    ];
    two_at_once(&cases, |(world, says)| {
        for base in [&["--base", "origin/main"][..], &[]] {
            let found = audit(world, &[base, &["--rerun"]].concat());
            assert_eq!(found.findings, ["clean-replay-red"], "{:#}", found.json);
            let seen = found.seen("clean-replay-red");
            assert!(seen.contains(says) && !seen.contains("green in place"), "{seen}");
            assert_eq!(found.json["rerun"][0]["passed"], false);
        }
    });
}

// P-5
#[test]
fn what_could_not_be_run_again_is_no_proof() {
    let world = project();
    honest(&world);
    merge_result(&world);
    let output = world.call(["audit", "--rerun"]).env("TMPDIR", world.path("greet.sh")).run();
    assert_eq!(output.code, 1, "{output:?}");
    assert!(
        output.stdout.contains("clean-replay-red")
            && output.stdout.contains("cannot create a folder for the clean export"),
        "{output:?}"
    );
}

// P-5: a verify that was never red stays so, even if the line of its start is edited.
#[test]
fn the_log_is_not_asked_how_verify_was_at_the_start() {
    let world = project();
    let add = ["goal", "add", "Say hello", "--verify", "sh old.sh", "--start"];
    assert_eq!(world.plan(add).code, 0);
    world.commit("another goal");
    world.git(["branch", "before"]);
    world.write("greet.sh", "echo Hello; echo\n");
    let judge = "C1 met: greet.sh:1 \"Hello\"\nmissing: none\n";
    let world = world.judge("yes", judge, "accept");
    assert_eq!(world.plan(["judge", "set", "cmd:yes"]).code, 0);
    let done = world.plan(["complete", "say-hello-1", "--gate", "fast"]);
    assert_eq!(done.code, 0, "{done:?}");
    world.commit("work");
    let again = |world: &World| audit(world, &["--base", "before", "--rerun", "say-hello-1"]);
    assert_eq!(again(&world).findings, ["never-red"]);
    edit(&world, "verify green)", "verify red exit 1)");
    let found = again(&world);
    assert!(found.findings.contains(&"never-red".to_owned()), "{:#}", found.json);
    assert!(found.findings.contains(&"start-differs".to_owned()), "{:#}", found.json);
    assert!(found.seen("start-differs").contains("`red exit 1`"), "{:#}", found.json);
}

// P-5
#[test]
fn what_the_budget_did_not_reach_counts() {
    let world = project();
    honest(&world);
    merge_result(&world);
    let config = world.base().join("home/.config/plan/config.yaml");
    std::fs::create_dir_all(config.parent().unwrap()).unwrap();
    std::fs::write(&config, "gate_budget: 0\n").unwrap();
    let found = rerun(&world);
    assert_eq!(found.findings, ["not-reached"], "{:#}", found.json);
}

// P-52
#[test]
fn a_hand_ticked_goal_is_run_again_too() {
    let world = project();
    edit(&world, "status: active", "status: done");
    merge_result(&world);
    let found = rerun(&world);
    assert_eq!(found.findings, ["hand-ticked", "no-change"], "{:#}", found.json);
    assert_eq!(found.json["rerun"][0]["not_run"], "only the plan differs from origin/main");
    let world = project();
    edit(&world, "status: active", "status: done");
    world.write("notes.txt", "done\n");
    merge_result(&world);
    let found = rerun(&world);
    assert_eq!(found.findings, ["clean-replay-red", "hand-ticked"], "{:#}", found.json);
}

// P-64
#[test]
fn nothing_runs_inside_a_judge_or_without_a_repository() {
    let world = project();
    let inside = world.call(["audit", "--rerun"]).env("PLAN_JUDGE_SESSION", "1").run();
    assert_eq!(inside.code, 4, "{inside:?}");
    let world = World::without_git().file("plan.md", "# Plan: x\n");
    assert_eq!(world.plan(["audit", "--rerun"]).code, 2);
}

// P-5, P-68
#[test]
fn a_plan_from_the_template_for_a_bugfix_is_run_again_and_passes() {
    let world = World::new().file("greet.sh", "echo Hello\n").committed();
    let shown = "test.sh:1 \"(sh greet.sh Ada)\"";
    let modes: String = (1..=3).map(|mode| format!("F{mode} ruled out: {shown}\n")).collect();
    let answers = format!("C1 met: {shown}\n{modes}missing: none\n");
    let world = world.judge("yes", &answers, "accept");
    let plan = |words: &str| {
        let output = world.plan(words.split(' '));
        assert_eq!(output.code, 0, "{words}: {output:?}");
    };
    plan("judge set cmd:yes");
    plan("init Bugs --template bugfix");
    let goals = world.plan_md().matches("## Goal: ").count();
    let set = |goal: usize| world.plan(["goal", "set", &goal.to_string(), "--verify", "sh test.sh"]);
    (1..=goals).for_each(|goal| assert_eq!(set(goal).code, 0));
    world.commit("plan");
    world.git(["checkout", "--quiet", "-b", "work"]);
    plan("goal start 1");
    world.write("test.sh", "[ \"$(sh greet.sh Ada)\" = \"Hello, Ada\" ]\n");
    ["1", "2"].iter().for_each(|step| plan(&format!("step done {step} ok")));
    world.commit("a test that fails");
    world.write("greet.sh", "echo \"Hello, $1\"\n");
    ["3", "4", "5"].iter().for_each(|step| plan(&format!("step done {step} ok")));
    world.commit("mended");
    plan("complete 1");
    world.commit("signed off");
    let found = audit(&world, &["--base", "main", "--rerun"]);
    assert_eq!((goals, found.findings), (1, Vec::new()), "{:#}", found.json);
}
