//! Several people and several plans in one repository: nobody's work is lost, or counted as that of another goal.

use crate::support::World;

const PLAN: &str = "# Plan: p\n\n## Goal: A\n<!-- id: a-1 -->\nstatus: open\ndone_when: it works\nverify: sh t.sh\nkind: chore\n\
                    failure_modes:\n- it breaks (check: sh t.sh)\n";

fn world() -> World {
    let world = World::new();
    world.write("t.sh", "sh work.sh | grep -q 1\n");
    world.write("work.sh", "echo 1\n");
    world.write("plan.md", PLAN);
    world.commit("base");
    world
}

// FORMAT.md §3: `plan undo` takes back a write of `plan`, not what a pull, a merge or another branch brought.
#[test]
fn undo_takes_back_no_version_of_git() {
    let world = world();
    assert_eq!(world.plan(["log", "mine"]).code, 0);
    world.commit("mine");
    world.git(["switch", "-q", "-c", "theirs", "HEAD~1"]);
    let switched = world.plan(["undo"]);
    assert_eq!(switched.code, 1, "{switched:?}");
    assert!(switched.stderr.contains("is as HEAD has it"), "{switched:?}");
    assert_eq!(world.plan_md(), PLAN);
    // Whoever names a version means it.
    assert_eq!(world.plan(["undo", "1"]).code, 0);
    assert!(world.plan_md().contains("mine"));
    world.git(["checkout", "-q", "plan.md"]);
    // A merge that is not finished: undo would keep one side.
    world.write("plan.md", PLAN.replace("it works", "it flies"));
    world.commit("theirs");
    world.git(["switch", "-q", "main"]);
    world.write("plan.md", world.plan_md().replace("it works", "it swims"));
    world.commit("ours");
    assert_ne!(world.call_program("git", ["merge", "-q", "theirs"]).run().code, 0);
    let text = world.plan_md();
    assert!(text.contains("<<<<<<< "), "{text}");
    for words in [&["undo"][..], &["undo", "1"]] {
        let refused = world.plan(words);
        assert_eq!(refused.code, 2, "{refused:?}");
        assert!(refused.stderr.contains("found a git conflict marker"), "{refused:?}");
        assert_eq!(world.plan_md(), text);
    }
}

// Another merge by git would drop the places that are resolved by now.
#[test]
fn a_conflict_that_plan_left_is_resolved_by_hand() {
    let world = world();
    assert_eq!(world.plan(["install", "git"]).code, 0);
    world.commit("driver");
    world.write("plan.md", format!("{PLAN}<<<<<<< ours\n- a\n=======\n- b\n>>>>>>> theirs\n"));
    let doctor = world.plan(["doctor"]);
    assert!(
        doctor.stdout.contains("keep one text of each marked place in an editor, then: git add plan.md"),
        "{doctor:?}"
    );
}

#[test]
fn a_text_that_begins_with_a_dash_is_shown_behind_two() {
    let world = world();
    let refused = world.plan(["log", "-O2", "helps"]);
    assert!(refused.code == 2 && refused.stderr.contains("`plan log -- '-O2 helps'`"), "{refused:?}");
    assert_eq!(world.plan(["log", "--", "-O2 helps"]).code, 0);
    let wrong = world.plan(["list", "--colour", "never"]);
    assert!(!wrong.stderr.contains("behind `--`"), "a misspelled option: {wrong:?}");
    let two = world.plan(["complete", "1", "2"]);
    assert!(two.stderr.contains("one goal at a time: `plan complete 2`"), "{two:?}");
    let number = world.plan(["1"]);
    assert!(number.stderr.contains("help: `plan show 1`"), "{number:?}");
}

// FORMAT.md §3
#[test]
fn undo_brings_back_a_write_that_was_written_over() {
    let world = world();
    assert_eq!(world.plan(["log", "mine"]).code, 0);
    let text = world.plan_md();
    world.write("plan.md", "# nothing\n");
    assert_eq!(world.plan(["undo"]).code, 0);
    assert_eq!(world.plan_md(), text);
}

// P-5
#[test]
fn a_line_in_the_log_of_another_plan_is_no_work() {
    let world = world();
    world.write("web/plan.md", PLAN.replace("a-1", "w-1"));
    world.write("notes/plan.md", "# A plan for the garden\n");
    world.commit("web");
    assert_eq!(world.plan(["goal", "start", "a-1"]).code, 0);
    assert_eq!(world.plan(["-C", "web", "log", "hello"]).code, 0);
    let nothing = world.plan(["complete", "a-1", "--judge", "checks"]);
    assert!(nothing.code == 1 && nothing.stdout.contains("nothing has changed since"), "{nothing:?}");
    // Another contract, the expected file of a test, and a text of this name without goals are work.
    world.write("web/plan.md", world.read("web/plan.md").replace("it works", "it flies"));
    let changed = world.plan(["verify", "a-1"]);
    assert!(!changed.stdout.contains("nothing has changed since"), "{changed:?}");
    world.git(["checkout", "-q", "web/plan.md"]);
    world.write("notes/plan.md", "# A plan for the garden: beans\n");
    let done = world.plan(["complete", "a-1", "--judge", "checks"]);
    assert!(done.code == 0, "{done:?}");
}

// P-5
#[test]
fn a_start_beside_an_uncommitted_line_of_another_plan_is_a_clean_one() {
    let world = world();
    world.write("web/plan.md", PLAN.replace("a-1", "w-1"));
    world.commit("web");
    assert_eq!(world.plan(["-C", "web", "log", "hello"]).code, 0);
    assert_eq!(world.plan(["goal", "start", "a-1"]).code, 0);
    world.write("work.sh", "# prints one\necho 1\n");
    let done = world.plan(["complete", "a-1", "--judge", "checks"]);
    assert!(done.code == 0 && !done.stdout.contains("start-uncommitted"), "{done:?}");
}

#[test]
fn an_audit_names_a_plan_that_is_gone() {
    let world = world();
    world.git(["rm", "-q", "plan.md"]);
    world.commit("gone");
    let audit = world.plan(["audit", "--base", "HEAD~1", "--format", "github"]);
    assert_eq!(audit.code, 1, "{audit:?}");
    assert!(audit.stdout.contains("::error file=plan.md::plan.md is gone, and HEAD~1 has it"), "{audit:?}");
    assert!(audit.stderr.contains("help: git checkout 'HEAD~1' -- plan.md"), "{audit:?}");
    let none = world.plan(["audit", "--base", "HEAD"]);
    assert!(none.code == 2 && none.stderr.contains("there is no `plan.md`"), "{none:?}");
}

#[test]
fn where_there_is_no_plan_the_plans_below_are_named() {
    let world = World::new();
    world.write("web/plan.md", PLAN);
    world.write("garden/plan.md", "# beans\n");
    let told = world.plan([""; 0]);
    assert!(told.stdout.contains("No plan.md here, but below: `plan -C web`"), "{told:?}");
    let folder = world.plan(["--file", "web", "list"]);
    assert!(folder.code == 2 && folder.stderr.contains("`--file web/plan.md`"), "{folder:?}");
}

// P-12
#[test]
fn an_empty_value_takes_nothing_out_of_a_contract() {
    let world = world();
    for option in ["--verify", "--failure-mode", "--done-when", "--may-change", "--needs"] {
        let before = world.plan_md();
        let empty = world.plan(["goal", "set", "a-1", option, ""]);
        assert_eq!(empty.code, 2, "{empty:?}");
        assert!(empty.stderr.contains(&format!("`{option}` is empty\n  help: `{option} none` removes")), "{empty:?}");
        assert_eq!(world.plan_md(), before);
        assert_eq!(world.plan(["goal", "set", "a-1", option, "none"]).code, 0);
    }
    for field in ["verify:", "failure_modes:", "done_when:"] {
        assert!(!world.plan_md().contains(field), "{}", world.plan_md());
    }
}
