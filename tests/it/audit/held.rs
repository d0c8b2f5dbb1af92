//! Goals done since the base are compared with the base's own files, verify and contract. A branch gains nothing by its own claims about
//! its beginning (`SIGNOFF.md` §8).

use super::support::{ID, audit, edit, honest, merge_result, project};
use crate::support::World;

const GREETS: &str = "echo \"Hello, $1\"\n";
const YES: &str =
    "C1 met: old.sh:1 \"grep -q Hello greet.sh\"\nF1 ruled out: old.sh:1 \"grep -q Hello\"\nmissing: none\n";

/// A world with a judge that accepts everything.
fn waving(world: World) -> World {
    let world = world.judge("yes", YES, "accept");
    assert_eq!(world.plan(["judge", "set", "cmd:yes"]).code, 0);
    world
}

#[track_caller]
fn signed_off(world: &World) {
    let done = world.plan(["complete", ID, "--gate", "fast"]);
    assert_eq!(done.code, 0, "{done:?}");
}

/// `main` has a goal that was not started, with a verify that is green or red, and its records.
fn unstarted(greet: &str) -> World {
    let world = project();
    world.git(["checkout", "--quiet", "main"]);
    let text = world.plan_md();
    let text: String =
        text.lines().filter(|line| !line.contains(" started (")).map(|line| format!("{line}\n")).collect();
    world.write("plan.md", text.replace("status: active", "status: open"));
    world.write("greet.sh", greet);
    world
        .git(["for-each-ref", "--format=%(refname)", "refs/plan"])
        .lines()
        .for_each(|name| drop(world.git(["update-ref", "-d", name])));
    world.commit("not started");
    world.git(["push", "--quiet", "--force", "origin", "main"]);
    world.git(["checkout", "--quiet", "-B", "work"]);
    waving(world)
}

// A file was broken before the start and put back after it, so the branch differs only in plan.md.
#[test]
fn a_branch_that_differs_in_the_plan_alone_did_nothing() {
    let world = unstarted(GREETS);
    world.write("greet.sh", "echo broken\n");
    assert_eq!(world.plan(["goal", "start", ID]).code, 0);
    world.write("greet.sh", GREETS);
    signed_off(&world);
    merge_result(&world);
    assert_eq!(world.git(["diff", "--name-only", "origin/main"]), "plan.md\n");
    for args in [&["--base", "origin/main"][..], &["--base", "origin/main", "--rerun"]] {
        let found = audit(&world, args);
        assert_eq!(found.findings, ["no-change"], "{args:?}: {:#}", found.json);
        assert!(found.seen("no-change").contains("only the plan file differs from"), "{:#}", found.json);
    }
    let output = world.plan(["audit", "--base", "origin/main", "--rerun"]);
    let says = format!("✗ {ID} not run again: only the plan differs from origin/main");
    assert!(output.stdout.contains(&says), "{output:?}");
    // In addition there is a file that no test needs.
    world.write("README.md", "# done\n");
    world.commit("readme");
    assert_eq!(audit(&world, &["--base", "origin/main", "--rerun"]).findings, ["never-red"]);
}

// The tests were gutted before `goal start`, so that the goal began with weak ones.
#[test]
fn tests_and_harness_are_those_of_the_base() {
    let world = unstarted("echo Hello\n");
    world.write("test.sh", "sh greet.sh | grep -q Goodbye\n");
    world.commit("tests");
    assert_eq!(world.plan(["goal", "start", ID]).code, 0);
    world.write("greet.sh", "echo Hello, Goodbye\n");
    let done = world.plan(["complete", ID, "--gate", "full"]);
    assert_eq!(done.code, 0, "the start is clean, and its tests are those of its commit: {done:?}");
    merge_result(&world);
    let record = audit(&world, &["--base", "origin/main"]);
    assert_eq!(record.findings, [""; 0], "{:#}", record.json);
    assert!(record.seen("tests-changed").contains("tests or harness of origin/main were changed or removed: test.sh"));
    let found = audit(&world, &["--base", "origin/main", "--rerun"]);
    assert_eq!(found.findings, ["approved-tests-red"], "{:#}", found.json);
    assert!(found.seen("approved-tests-red").contains("`test.sh` as at origin/main"), "{:#}", found.json);
}

#[test]
fn a_start_that_was_left_out_wins_nothing() {
    let world = unstarted("echo Hello\n");
    world.write("test.sh", "sh greet.sh\n");
    world.commit("gutted");
    signed_off(&world);
    merge_result(&world);
    let found = audit(&world, &["--base", "origin/main", "--rerun"]);
    assert_eq!(found.findings, ["approved-tests-red"], "{:#}", found.json);
}

// SIGNOFF.md §8: if a goal was done since, a missing record is a finding.
#[test]
fn records_that_are_kept_back_are_missed() {
    let world = project();
    honest(&world);
    merge_result(&world);
    let names = world.git(["for-each-ref", "--format=%(refname)", "refs/plan"]);
    for family in ["signoffs", "starts"] {
        let name = names.lines().find(|name| name.contains(family)).unwrap();
        let object = world.git(["rev-parse", name]);
        world.git(["update-ref", "-d", name]);
        let found = audit(&world, &["--base", "origin/main"]);
        let code = if family == "starts" { "no-start-record" } else { "no-attestation" };
        assert_eq!(found.findings, [code], "{:#}", found.json);
        assert!(found.seen(code).contains(name), "{:#}", found.json);
        assert_eq!(audit(&world, &[]).findings, [""; 0], "without a base it is a note at most");
        assert_eq!(audit(&world, &["--base", "HEAD"]).findings, [""; 0], "done before the base");
        world.git(["update-ref", name, object.trim()]);
    }
    for name in names.lines() {
        world.git(["update-ref", "-d", name]);
    }
    let found = audit(&world, &["--base", "origin/main", "--rerun"]);
    assert_eq!(found.findings, ["no-start-record", "no-attestation"], "{:#}", found.json);
    let alone = audit(&world, &[]);
    assert_eq!((alone.findings, alone.notes), (vec![], vec!["no-records".to_owned()]));
}

// A row that could not be decided is never printed as passed.
#[test]
fn a_row_that_was_not_decided_is_not_passed() {
    let world = World::new().file("test.sh", "grep -q new out.txt\n").file("build.sh", "echo old > out.txt\n");
    let goal = "## Goal: Build what is new\n<!-- id: new-1 -->\nstatus: open\ndone_when: it is new\n";
    world.write("plan.md", format!("# Plan: p\n\n{goal}verify: sh build.sh && sh test.sh\n"));
    world.write(".gitignore", "out.txt\n");
    world.commit("base");
    world.git(["branch", "before"]);
    let world = world.judge("yes", "C1 met: build.sh:1 \"echo new > out.txt\"\nmissing: none\n", "accept");
    assert_eq!(world.plan(["judge", "set", "cmd:yes"]).code, 0);
    assert_eq!(world.plan(["goal", "start", "new-1"]).code, 0);
    world.write("build.sh", "echo new > out.txt\n");
    let done = world.plan(["complete", "new-1", "--gate", "full"]);
    assert_eq!(done.code, 0, "{done:?}");
    world.commit("work");
    let output = world.plan(["audit", "--base", "before", "--rerun"]);
    assert_eq!(output.code, 0, "{output:?}");
    let says = "? new-1 run again (gate 10 of 12, undecided: approved-tests-red, never-red): sh build.sh";
    assert!(output.stdout.contains(says) && !output.stdout.contains('✓'), "{output:?}");
    let found = audit(&world, &["--base", "before", "--rerun"]);
    let ran = &found.json["rerun"][0];
    assert_eq!((&ran["passed"], &ran["blocked"]), (&false.into(), &false.into()), "{:#}", found.json);
    assert_eq!(ran["undecided"], serde_json::json!(["approved-tests-red", "never-red"]), "{:#}", found.json);
}

/// `main` has a goal without an id, written by a person.
fn without_id(subject: &str) -> World {
    let goal = format!("## Goal: {subject}\nstatus: open\ndone_when: it greets\nverify: sh test.sh\n");
    let world = World::new()
        .file("test.sh", "[ \"$(sh greet.sh Ada)\" = \"Hello, Ada\" ]\n")
        .file("greet.sh", "echo Hello\n")
        .file("plan.md", format!("# Plan: p\n\n{goal}"))
        .committed();
    world.git(["branch", "before"]);
    world.judge("yes", "C1 met: test.sh:1 \"sh greet.sh Ada\"\nmissing: none\n", "accept")
}

// SIGNOFF.md §8: the goal is matched by its subject.
#[test]
fn a_goal_without_an_id_is_held_to_what_the_base_says_of_it() {
    let weaker = |world: &World| {
        assert_eq!(world.plan(["lint", "--fix"]).code, 0);
        world.write("plan.md", world.plan_md().replace("verify: sh test.sh", "verify: grep -q Hello greet.sh"));
        world.write("notes.txt", "x");
        assert_eq!(world.plan(["judge", "set", "cmd:yes"]).code, 0);
        let done = world.plan(["complete", "Greet by name", "--gate", "fast"]);
        assert_eq!(done.code, 0, "{done:?}");
        world.commit("work");
    };
    let world = without_id("Greet by name");
    weaker(&world);
    let found = audit(&world, &["--base", "before", "--rerun"]);
    assert_eq!(found.json["rerun"][0]["verify"], "sh test.sh", "{:#}", found.json);
    assert!(found.findings.contains(&"contract-unexplained".to_owned()), "{:#}", found.json);
    assert!(found.findings.contains(&"clean-replay-red".to_owned()), "{:#}", found.json);
    // Adding only an id changes nothing.
    let world = without_id("Greet by name");
    assert_eq!(world.plan(["lint", "--fix"]).code, 0);
    assert_eq!(world.plan(["goal", "start", "Greet by name"]).code, 0);
    world.write("greet.sh", GREETS);
    assert_eq!(world.plan(["judge", "set", "cmd:yes"]).code, 0);
    let done = world.plan(["complete", "Greet by name", "--gate", "fast"]);
    assert_eq!(done.code, 0, "{done:?}");
    world.commit("work");
    let found = audit(&world, &["--base", "before", "--rerun"]);
    assert_eq!(found.findings, [""; 0], "{:#}", found.json);
}

// A sign-off was typed for a goal without verify: nothing can be run again, so its record must exist.
#[test]
fn a_goal_without_verify_is_not_run_again() {
    let world = World::new().file("a.txt", "a");
    let goal = "## Goal: Decide\n<!-- id: decide-1 -->\nstatus: open\ndone_when: it is decided\n";
    world.write("plan.md", format!("# Plan: p\n\n{goal}"));
    world.commit("base");
    world.git(["branch", "before"]);
    let world = world.judge("yes", "C1 met: a.txt:1 \"we take the second one\"\nmissing: none\n", "accept");
    assert_eq!(world.plan(["judge", "set", "cmd:yes"]).code, 0);
    world.write("a.txt", "we take the second one\n");
    let done = world.plan(["complete", "decide-1"]);
    assert_eq!(done.code, 0, "{done:?}");
    world.commit("work");
    for args in [&["--base", "before", "--rerun"][..], &["--rerun"]] {
        let output = world.plan(["audit"].iter().chain(args));
        assert_eq!(output.code, 0, "{output:?}");
        assert!(output.stdout.contains("? decide-1 not run again: it has no verify"), "{output:?}");
    }
    let name = world.git(["for-each-ref", "--format=%(refname)", "refs/plan/signoffs"]);
    world.git(["update-ref", "-d", name.trim()]);
    for args in [&["--base", "before", "--rerun"][..], &["--rerun"]] {
        let found = audit(&world, args);
        assert!(found.findings.contains(&"no-verify".to_owned()), "{:#}", found.json);
        let output = world.plan(["audit"].iter().chain(args));
        assert!(output.stdout.contains("✗ decide-1 not run again: it has no verify"), "{output:?}");
    }
}

// One record vouches for only one line.
#[test]
fn a_sign_off_line_that_was_copied_behind_a_reopening_has_no_record() {
    let world = project();
    honest(&world);
    let line = world.plan_md().lines().find(|line| line.contains(" signed off (")).unwrap().to_owned();
    assert_eq!(world.plan(["goal", "start", ID]).code, 0);
    edit(&world, "status: active", "status: done");
    world.write("plan.md", format!("{}{line}\n", world.plan_md()));
    let found = audit(&world, &[]);
    assert_eq!(
        (found.findings.as_slice(), found.json["signed_off"].as_u64()),
        (&["no-attestation".to_owned()][..], Some(1)),
        "{:#}",
        found.json
    );
    let text = world.plan_md();
    let second = text.lines().enumerate().filter(|(_, other)| *other == line).last().unwrap().0 + 1;
    assert_eq!(found.json["findings"][0]["line"].as_u64(), Some(second as u64));
    // After a second sign-off it has a record.
    world.write("plan.md", text.replacen(&format!("{line}\n"), "", 2).replace("status: done", "status: active"));
    let world = world.judge("yes", YES, "accept");
    world.write("plan.md", format!("{}{line}\n", world.plan_md()));
    assert_eq!(world.plan(["judge", "set", "cmd:yes"]).code, 0);
    assert_eq!(world.plan(["goal", "start", ID]).code, 0);
    signed_off(&world);
    assert_eq!(audit(&world, &[]).findings, [""; 0]);
}

// Without a base a goal is compared with its own start, as in `complete`; CI has no files of a start.
#[test]
fn without_a_base_the_commit_under_the_start_is_held_to() {
    let world = unstarted(GREETS);
    world.write("greet.sh", "echo broken\n");
    assert_eq!(world.plan(["goal", "start", ID]).code, 0);
    world.write("greet.sh", GREETS);
    world.write("README.md", "# done\n");
    signed_off(&world);
    world.commit("work");
    for clone in [false, true] {
        if clone {
            std::fs::remove_dir_all(world.path(".git/plan/checkpoints")).unwrap();
        }
        assert_eq!(audit(&world, &["--rerun"]).findings, ["never-red"], "{clone}");
    }
}
