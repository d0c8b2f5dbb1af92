//! git with the driver: seven cases, each compared with git without it, and every git command that merges.

use plan::plan::parse;

use super::support::{END, PLAN, branch, on_main, repository, signed_off, with};
use crate::support::World;

/// Merges `theirs` into `ours`, and returns the exit code and plan.md.
fn merge(driver: bool, ours: &str, theirs: &str) -> (i32, String) {
    let world = repository(PLAN, driver);
    branch(&world, "topic", theirs);
    on_main(&world, ours);
    let output = world.call_program("git", ["merge", "--quiet", "--no-edit", "topic"]).run();
    (output.code, world.plan_md())
}

/// Merges both ways, cleanly, to the same plan; plain git conflicts.
#[track_caller]
fn clean_where_git_conflicts(ours: &str, theirs: &str) -> String {
    let (code, text) = merge(true, ours, theirs);
    assert_eq!((code, merge(true, theirs, ours)), (0, (0, text.clone())), "{text}");
    let (code, plain) = merge(false, ours, theirs);
    assert!(code == 1 && plain.contains("<<<<<<<"), "the control: {code}\n{plain}");
    parse(text.as_bytes()).unwrap();
    text
}

#[test]
fn both_append_a_log_line() {
    let ours = with(PLAN, &[(END, &format!("{END}- 2026-06-15 14:09  ours\n"))]);
    let theirs = with(PLAN, &[(END, &format!("{END}- 2026-06-15 14:04  theirs\n"))]);
    let text = clean_where_git_conflicts(&ours, &theirs);
    assert!(text.ends_with("begun\n- 2026-06-15 14:04  theirs\n- 2026-06-15 14:09  ours\n"), "{text}");
}

#[test]
fn adjacent_ticks() {
    let ours = with(PLAN, &[("[ ] 1.", "[x] 1.")]);
    let theirs = with(PLAN, &[("[ ] 2.", "[x] 2.")]);
    let text = clean_where_git_conflicts(&ours, &theirs);
    assert_eq!(text, with(PLAN, &[("[ ] 1.", "[x] 1."), ("[ ] 2.", "[x] 2.")]));
}

#[test]
fn one_completes_while_one_cancels() {
    let ours = signed_off(PLAN, "cache-1", "2026-06-15 14:10");
    let theirs = with(
        PLAN,
        &[
            ("status: active", "status: cancelled"),
            (END, &format!("{END}- 2026-06-15 14:08  cache-1 cancelled: dear\n")),
        ],
    );
    let (code, text) = merge(true, &ours, &theirs);
    let expected = "<<<<<<< HEAD\nstatus: done\n=======\nstatus: cancelled\n>>>>>>> topic\ndone_when";
    let older = expected.replace("HEAD", "ours").replace("topic", "theirs");
    assert!(code == 1 && (text.contains(expected) || text.contains(&older)), "{text}");
    assert_eq!(text.matches("<<<<<<<").count(), 1, "the log is united: {text}");
    // Plain git also conflicts in the log.
    let (code, plain) = merge(false, &ours, &theirs);
    assert!(code == 1 && plain.matches("<<<<<<<").count() == 2, "{plain}");
}

#[track_caller]
fn is_reopened(text: &str) {
    let plan = parse(text.as_bytes()).unwrap();
    assert_eq!(plan.find_goal("cache-1").unwrap().status().word(), "active", "{text}");
    let last = plan.log_lines().next_back().unwrap().1;
    assert!(last.starts_with("cache-1 reopened (merge: signed off for contract "), "{text}");
}

// P-7, P-12
#[test]
fn one_completes_and_the_other_edits_done_when() {
    let ours = signed_off(PLAN, "cache-1", "2026-06-15 14:10");
    let theirs = with(PLAN, &[("p95 < 50ms", "p95 < 500ms")]);
    is_reopened(&clean_where_git_conflicts(&ours, &theirs));
}

// P-7, P-12
#[test]
fn one_completes_and_the_other_edits_verify_two_lines_down() {
    let ours = signed_off(PLAN, "cache-1", "2026-06-15 14:10");
    let theirs = with(PLAN, &[("verify: pytest -q", "verify: true")]);
    for (ours, theirs) in [(&ours, &theirs), (&theirs, &ours)] {
        let (code, text) = merge(true, ours, theirs);
        assert_eq!(code, 0, "{text}");
        is_reopened(&text);
        let (code, plain) = merge(false, ours, theirs);
        let silent = plain.contains("status: done") && plain.contains("verify: true");
        assert!(code == 0 && silent, "the control: git merges that silently: {plain}");
    }
}

#[test]
fn both_add_a_goal() {
    let goal = |name: &str| format!("## Goal: {name}\n<!-- id: {name}-1 -->\nstatus: open\n- [ ] 5. begin\n\n## Log");
    let ours = with(PLAN, &[("## Log", &goal("x"))]);
    let theirs = with(PLAN, &[("## Log", &goal("a"))]);
    let text = clean_where_git_conflicts(&ours, &theirs);
    let ids: Vec<String> = parse(text.as_bytes()).unwrap().all_goals().map(|goal| goal.name().to_owned()).collect();
    assert_eq!(ids, ["cache-1", "docs-1", "a-1", "x-1"]);
}

#[test]
fn both_tick_the_same_step() {
    let ours = with(PLAN, &[("[ ] 2. evict", "[x] 2. evict — LRU")]);
    let theirs = with(PLAN, &[("[ ] 2. evict", "[x] 2. evict")]);
    assert_eq!(clean_where_git_conflicts(&ours, &theirs), ours);
}

/// A topic branch whose commits each tick a step and log, and a main that has moved on.
fn two_histories() -> (World, String) {
    let world = repository(PLAN, true);
    let one = with(PLAN, &[("[ ] 1.", "[x] 1."), (END, &format!("{END}- 2026-06-15 14:01  one\n"))]);
    branch(&world, "topic", &one);
    world.git(["checkout", "--quiet", "topic"]);
    let two = with(&one, &[("[ ] 2.", "[x] 2."), ("14:01  one\n", "14:01  one\n- 2026-06-15 14:03  two\n")]);
    on_main(&world, &two);
    world.git(["checkout", "--quiet", "main"]);
    on_main(&world, &with(PLAN, &[("[ ] 3.", "[x] 3."), (END, &format!("{END}- 2026-06-15 14:02  three\n"))]));
    let log = format!("{END}- 2026-06-15 14:01  one\n- 2026-06-15 14:02  three\n- 2026-06-15 14:03  two\n");
    let expected = with(PLAN, &[("[ ] 1.", "[x] 1."), ("[ ] 2.", "[x] 2."), ("[ ] 3.", "[x] 3."), (END, &log)]);
    (world, expected)
}

#[test]
fn rebase() {
    for backend in ["--merge", "--interactive"] {
        let (world, expected) = two_histories();
        world.git(["checkout", "--quiet", "topic"]);
        world.git(["-c", "sequence.editor=true", "rebase", "--quiet", backend, "main"]);
        assert_eq!(world.plan_md(), expected, "{backend}");
    }
}

#[test]
fn cherry_pick_and_merge_tree() {
    let (world, expected) = two_histories();
    world.git(["cherry-pick", "topic~1", "topic"]);
    assert_eq!(world.plan_md(), expected);
    let (world, expected) = two_histories();
    world.git(["merge", "--quiet", "--no-edit", "topic"]);
    assert_eq!(world.plan_md(), expected);
}

#[test]
fn stash_pop() {
    let world = repository(PLAN, true);
    world.write("plan.md", with(PLAN, &[("[ ] 1.", "[x] 1.")]));
    world.git(["stash", "--quiet"]);
    on_main(&world, &with(PLAN, &[("[ ] 2.", "[x] 2.")]));
    world.git(["stash", "pop", "--quiet"]);
    assert_eq!(world.plan_md(), with(PLAN, &[("[ ] 1.", "[x] 1."), ("[ ] 2.", "[x] 2.")]));
}

#[test]
fn a_linked_worktree_shares_the_driver() {
    let (world, expected) = two_histories();
    let linked = world.base().join("tmp/linked");
    world.git(["worktree", "add", "--quiet", linked.to_str().unwrap(), "topic"]);
    let output =
        world.call_program("git", ["-C", linked.to_str().unwrap(), "merge", "--quiet", "--no-edit", "main"]).run();
    assert_eq!((output.code, std::fs::read_to_string(linked.join("plan.md")).unwrap()), (0, expected), "{output:?}");
    // Installed from there, it goes to the place where it is already.
    let again = world.call(["-C", linked.to_str().unwrap(), "install", "git"]).run();
    assert!(again.code == 0 && again.stdout.starts_with("nothing to do"), "{again:?}");
    world.git(["worktree", "remove", "--force", linked.to_str().unwrap()]);
}

/// Two branches that merged each other: git merges their two bases first, with conflicts in them.
#[test]
fn criss_cross() {
    let world = repository(PLAN, true);
    let a = with(PLAN, &[("p95 < 50ms", "p95 < 40ms")]);
    let b = with(PLAN, &[("p95 < 50ms", "p95 < 60ms")]);
    branch(&world, "a", &a);
    branch(&world, "b", &b);
    for (here, there, plan) in [("a", "b~0", &a), ("b", "a~1", &b)] {
        world.git(["checkout", "--quiet", here]);
        let code = world.call_program("git", ["merge", "--quiet", there]).run().code;
        assert_eq!(code, 1, "{here}");
        on_main(&world, plan);
    }
    world.write("plan.md", with(&b, &[("[ ] 1.", "[x] 1.")]));
    world.commit("tick");
    let output = world.call_program("git", ["merge", "--quiet", "--no-edit", "a"]).run();
    let text = world.plan_md();
    assert!(output.code <= 1, "{output:?}");
    assert!(text.contains("p95 < 40ms") && text.contains("p95 < 60ms") && text.contains("[x] 1."), "{text}");
}

#[test]
fn the_conflict_style_and_both_added() {
    let world = World::new().file(".gitattributes", "plan.md merge=plan\n").committed();
    assert_eq!(world.plan(["install", "git"]).code, 0);
    branch(&world, "topic", &with(PLAN, &[("status: open", "status: done"), ("[ ] 1.", "[x] 1.")]));
    on_main(&world, &with(PLAN, &[("status: open", "status: cancelled"), ("[ ] 2.", "[x] 2.")]));
    let output = world.call_program("git", ["-c", "merge.conflictStyle=diff3", "merge", "--quiet", "topic"]).run();
    let text = world.plan_md();
    assert!(output.code == 1 && text.contains("|||||||"), "{text}");
    assert!(text.contains("[x] 1.") && text.contains("[x] 2."), "added on both sides: ticks are joined: {text}");
}
