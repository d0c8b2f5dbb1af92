//! The things that commands restore, keep and report if silence would mislead.

use crate::support::World;
use crate::support::judge::{HONEST, PLAN, world};
use crate::support::plans::TO_DO;

fn complete(world: &World) -> crate::support::output::Output {
    world.plan(["complete", "fast-1", "--judge", "cmd:judge", "--path", "result.txt"])
}

// CLI.md, `plan undo`: it also works if the whole file is gone.
#[test]
fn undo_brings_back_a_plan_that_was_removed() {
    let world = world();
    assert_eq!(world.plan(["log", "one"]).code, 0);
    let text = world.plan_md();
    std::fs::remove_file(world.path("plan.md")).unwrap();
    let list = world.plan(["undo", "--list"]);
    assert!(list.code == 0 && list.stdout.lines().count() == 3, "{list:?}");
    assert_eq!(world.plan(["undo", "--file", "other.md"]).code, 2);
    let undone = world.plan(["undo"]);
    assert_eq!(undone.code, 0, "{undone:?}");
    assert_eq!(world.plan_md(), text);
}

// SIGNOFF.md §1: if a goal is reopened and the same work is signed off again, the second sign-off has its own record.
#[test]
fn each_sign_off_has_its_record() {
    let world = world().judge("judge", HONEST, "accept");
    assert_eq!(complete(&world).code, 0);
    assert_eq!(world.plan(["judge", "set", "cmd:judge"]).code, 0);
    assert_eq!(world.plan(["goal", "start", "fast-1"]).code, 0);
    let again = world.plan(["complete", "fast-1", "--gate", "fast", "--path", "result.txt"]);
    assert_eq!(again.code, 0, "{again:?}");
    let refs = world.git(["for-each-ref", "--format=%(refname)", "refs/plan/signoffs/"]);
    assert_eq!(refs.lines().count(), 2, "{refs}");
    let audit = world.plan(["audit"]);
    assert_eq!(audit.code, 0, "the advice of `judge-named-by-caller` is a way out: {audit:?}");
    assert!(!audit.stdout.contains("attestation-differs"), "{audit:?}");
}

// A write that leaves an error in the plan reports the error.
#[test]
fn a_write_that_leaves_an_error_says_so() {
    let world = world();
    assert_eq!(world.plan(["goal", "set", "docs-1", "--needs", "fast-1"]).stderr, "");
    let ring = world.plan(["goal", "set", "fast-1", "--needs", "docs-1"]);
    assert!(ring.code == 0 && ring.stderr.contains("need each other"), "{ring:?}");
    let other = world.plan(["log", "nothing new"]);
    assert_eq!(other.stderr, "", "what was there before is not said again");
    let gone = world.plan(["goal", "remove", "fast-1"]);
    assert!(gone.stderr.contains("no goal has the id or subject `fast-1`"), "{gone:?}");
    let twice = world.call(["goal", "add", "-"]).stdin("## Goal: B\n- [ ] 7. a\n- [ ] 7. b\n").run();
    assert!(twice.code == 2 && twice.stderr.contains("the number 7 is given to two steps"), "{twice:?}");
}

#[test]
fn a_glob_with_a_space_is_not_taken_for_two() {
    let world = world();
    let set = world.plan(["goal", "set", "fast-1", "--may-change", "my docs/*.md"]);
    assert!(set.code == 2 && set.stderr.contains("`my?docs/*.md`"), "{set:?}");
    assert_eq!(world.plan(["goal", "set", "fast-1", "--may-change", "docs/**, tests/**"]).code, 0);
}

/// A plan.md that is in no commit exists only here.
#[test]
fn a_plan_that_git_ignores_is_said() {
    let world = World::new().file("check.sh", "").committed();
    std::fs::write(world.path(".git/info/exclude"), "*.log\n*.md\n").unwrap();
    let why = "git ignores `plan.md` (`.git/info/exclude`, line 2: `*.md`): no commit has it, so nobody else does";
    let remedy = "`git add -f plan.md` tracks it all the same";
    let said = format!("note: {why}; {remedy}\n");
    assert_eq!(world.plan(["init", "x"]).stderr, said);
    assert_eq!(world.plan([""; 0]).stderr, said);
    assert_eq!(world.plan(["--json"]).stderr, said);
    let lint = world.plan(["lint"]);
    assert!(lint.code == 0 && lint.stdout.contains(&format!("warning[plan-ignored]: {why}")), "{lint:?}");
    assert!(lint.stdout.contains(remedy), "{lint:?}");
    world.write("plan.md", PLAN);
    assert!(complete(&world).stderr.starts_with(&said));
    // The advice in the message resolves it.
    world.git(["add", "-f", "plan.md"]);
    assert_eq!(world.plan([""; 0]).stderr, "");
    assert!(!world.plan(["lint"]).stdout.contains("plan-ignored"));
    // From a folder below, and with a name that a shell would split.
    world.write("sub/my plan.md", PLAN);
    let below = world.call(["--file", "my plan.md"]).dir("sub").run();
    assert!(
        below.stderr.contains("git ignores `my plan.md`") && below.stderr.contains("-f 'my plan.md'`"),
        "{below:?}"
    );
}

/// A broken glob is refused wherever and however it is written, so that nobody finds out at the sign-off that it matches nothing.
#[test]
fn a_glob_that_cannot_be_read_is_refused_where_it_is_written() {
    let world = world();
    let said = "the glob `tests/*.{py` has a `{` that is never closed";
    for args in [&["goal", "set", "fast-1"][..], &["goal", "add", "More"]] {
        let output = world.plan(args.iter().chain(&["--may-change", "docs/**", "--may-change", "tests/*.{py"]));
        assert!(output.code == 2 && output.stderr.contains(said), "{output:?}");
        assert!(output.stderr.contains("`[{]`"), "{output:?}");
    }
    let block = world.call(["goal", "add", "-"]).stdin("## Goal: B\nmay_change: docs/**, tests/*.{py\n").run();
    assert!(block.code == 2 && block.stderr.contains(said), "{block:?}");
    assert_eq!(world.plan_md(), PLAN, "nothing was written");
    // If it is written by hand, it is an error that lint and the list show.
    world.write("plan.md", PLAN.replace("## Log", "may_change: tests/*.{py\n\n## Log"));
    let lint = world.plan(["lint"]);
    assert!(lint.code == 1 && lint.stdout.contains("bad-glob") && lint.stdout.contains(said), "{lint:?}");
    // With a closed brace it is one glob, and matches its files.
    assert_eq!(world.plan(["goal", "set", "fast-1", "--may-change", "tests/*.{py,toml}"]).code, 0);
}

// CLI.md, `plan show`: it has the log lines and the sign-off, in JSON too.
#[test]
fn show_has_log_and_sign_off() {
    let world = world().judge("judge", HONEST, "accept");
    assert_eq!(complete(&world).code, 0);
    let json: serde_json::Value = serde_json::from_str(&world.plan(["--json", "show", "fast-1"]).stdout).unwrap();
    let goal = &json["goals"][0];
    assert!(goal["sign_off"]["text"].as_str().unwrap().starts_with("fast-1 signed off ("), "{json:#}");
    assert_eq!(goal["log"].as_array().unwrap().len(), 1, "{json:#}");
}

#[test]
fn what_goes_with_a_step_is_said() {
    let world = world();
    world.write("plan.md", PLAN.replace("- [x] 1. measure\n", "- [x] 1. measure\n  twice\nand again\n"));
    let output = world.plan(["step", "remove", "1"]);
    assert_eq!(output.stdout, "removed step 1 and the 2 lines below it\n");
}

#[test]
fn a_job_can_be_removed_after_the_plan() {
    let world = world();
    assert_eq!(world.plan(["install", "ci"]).code, 0);
    std::fs::remove_file(world.path("plan.md")).unwrap();
    assert_eq!(world.plan(["install", "ci", "--print"]).code, 0);
    let output = world.plan(["uninstall", "ci"]);
    assert!(output.code == 0 && !world.path(".github").exists(), "{output:?}");
}

// FORMAT.md §1: a log may be at any level. It is about all goals, and stays when one of them is removed.
#[test]
fn a_log_that_stands_in_a_goal_stays_when_the_goal_goes() {
    let world = world();
    let plan = "# Plan: x\n\n## Goal: A\n<!-- id: a-1 -->\nstatus: open\n\n## Goal: B\n<!-- id: b-1 -->\nstatus: cancelled\n\n### Log\n- 2026-06-15 14:02  b-1 cancelled: no\n\n### Notes\nof b\n";
    world.write("plan.md", plan);
    assert_eq!(world.plan(["archive"]).code, 0);
    let expected = "# Plan: x\n\n## Goal: A\n<!-- id: a-1 -->\nstatus: open\n\n### Log\n- 2026-06-15 14:02  b-1 cancelled: no\n\n# Archive\n\n## Goal: B\n<!-- id: b-1 -->\nstatus: cancelled\n\n### Notes\nof b\n";
    assert_eq!(world.plan_md(), expected);
    world.write("plan.md", plan.replace("cancelled\n", "open\n"));
    assert_eq!(world.plan(["goal", "remove", "b-1"]).code, 0);
    assert!(world.plan_md().ends_with("### Log\n- 2026-06-15 14:02  b-1 cancelled: no\n\n"), "{}", world.plan_md());
}

// FORMAT.md §3: byte for byte, with the ending of the last line.
#[test]
fn what_is_archived_keeps_its_line_endings() {
    let world = world();
    world.write("plan.md", "# Plan: x\r\n\r\n## Goal: A\n<!-- id: a-1 -->\nstatus: cancelled\nlast\n\r\n## Log\r\n- 2026-06-15 14:02  x\r\n");
    assert_eq!(world.plan(["archive"]).code, 0);
    assert!(world.plan_md().contains("status: cancelled\nlast\n"), "{:?}", world.plan_md());
}

#[test]
fn what_hangs_on_a_moved_step_stays_as_far_in() {
    let world = world();
    let plan = "# Plan: x\n\n## Goal: A\n<!-- id: a-1 -->\nstatus: open\n- [ ] 1. a\n  - [ ] 2. b\n\tnote\n\t\tdeeper\n\n## Goal: B\n<!-- id: b-1 -->\nstatus: open\n- [ ] 3. c\n";
    world.write("plan.md", plan);
    assert_eq!(world.plan(["step", "move", "2", "b-1"]).code, 0);
    assert!(world.plan_md().ends_with("- [ ] 3. c\n- [ ] 2. b\n  note\n      deeper\n"), "{}", world.plan_md());
}

// CLI.md, step: an old outcome is not the reason for a later failure.
#[test]
fn an_old_outcome_is_no_reason() {
    let world = world();
    world.write("plan.md", PLAN.replace("- [x] 1. measure", "- [ ] 1. measure"));
    assert_eq!(world.plan(["step", "done", "1", "all green"]).code, 0);
    assert_eq!(world.plan(["step", "retry", "1"]).code, 0);
    assert_eq!(world.plan(["step", "fail", "1"]).code, 0);
    let text = world.plan_md();
    assert!(text.contains("- [!] 1. measure\n"), "{text}");
    assert!(text.ends_with("step 1 failed: nothing said\n"), "{text}");
    // A note that a person wrote stays.
    world.write("plan.md", PLAN.replace("- [x] 1. measure", "- [ ] 1. measure \u{2014} ask Ada"));
    assert_eq!(world.plan(["step", "fail", "1"]).code, 0);
    assert!(world.plan_md().contains("- [!] 1. measure \u{2014} ask Ada\n"), "{}", world.plan_md());
}

// P-7: nothing is reported as done that was not done.
#[test]
fn a_step_that_stands_there_already_is_not_said_to_be_moved() {
    let world = World::new().file("plan.md", TO_DO);
    for (line, told) in [
        ("step move 2 cache-1", "step 2 of cache-1 is in this place already; nothing changed\n"),
        ("step move 1 cache-1 --at 1", "step 1 of cache-1 is in this place already; nothing changed\n"),
    ] {
        world.plan(line.split(' ')).is(0, told, "");
        assert_eq!(world.plan_md(), TO_DO, "{line}");
    }
    world.plan(["step", "move", "1", "cache-1"]).is(0, "moved step 1 to cache-1\n", "");
    assert_ne!(world.plan_md(), TO_DO);
}
