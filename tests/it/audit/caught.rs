//! Four ways to fake a completion in a pull request, and the honest pull request that resembles them.

use super::support::{ID, audit, edit, honest, merge_result, project};

// P-5, P-7, P-12
#[test]
fn an_honest_pull_request_passes() {
    let world = project();
    honest(&world);
    merge_result(&world);
    let audit = audit(&world, &["--base", "origin/main"]);
    assert_eq!((audit.code, &audit.findings), (0, &vec![]), "{:#}", audit.json);
    assert_eq!((audit.json["done"].as_u64(), audit.json["signed_off"].as_u64()), (Some(1), Some(1)));
    assert!(audit.json["base"]["rev"] == "origin/main", "{:#}", audit.json);
}

// P-52, P-74
#[test]
fn a_goal_that_was_ticked_by_hand_is_caught() {
    let world = project();
    edit(&world, "status: active", "status: done");
    merge_result(&world);
    for args in [&["--base", "origin/main"][..], &[]] {
        let audit = audit(&world, args);
        // No other work was done, which a base shows.
        let unchanged = ["hand-ticked", "no-change"];
        assert_eq!(audit.findings, if args.is_empty() { &unchanged[..1] } else { &unchanged }, "{args:?}");
        let finding = &audit.json["findings"][0];
        let line = world.plan_md().lines().position(|line| line == "status: done").unwrap() + 1;
        assert_eq!((finding["line"].as_u64(), finding["goal"].as_str()), (Some(line as u64), Some(ID)));
    }
}

// P-52, P-74
#[test]
fn a_goal_that_was_cancelled_by_hand_is_caught() {
    let world = project();
    edit(&world, "status: active", "status: cancelled");
    merge_result(&world);
    for args in [&["--base", "origin/main"][..], &[]] {
        let audit = audit(&world, args);
        assert_eq!((audit.code, &*audit.findings), (1, &["hand-cancelled".to_owned()][..]), "{args:?}");
        let finding = &audit.json["findings"][0];
        let line = world.plan_md().lines().position(|line| line == "status: cancelled").unwrap() + 1;
        assert_eq!((finding["line"].as_u64(), finding["goal"].as_str()), (Some(line as u64), Some(ID)));
    }
    let world = project();
    assert_eq!(world.plan(["goal", "cancel", ID, "not needed"]).code, 0);
    assert_eq!(world.plan(["archive"]).code, 0);
    merge_result(&world);
    assert_eq!(audit(&world, &["--base", "origin/main"]).findings, [""; 0], "given up, and put away");
}

// P-74: the command that a finding names puts it right.
#[test]
fn a_goal_that_was_cancelled_by_hand_gets_its_reason() {
    let world = project();
    edit(&world, "status: active", "status: cancelled");
    assert_eq!(world.plan(["goal", "cancel", ID, "not needed"]).code, 0);
    merge_result(&world);
    let found = audit(&world, &["--base", "origin/main"]);
    assert_eq!((&*found.findings, &*found.notes), (&[][..], &["goal-cancelled".to_owned()][..]), "{:#}", found.json);
    assert_eq!(world.plan(["goal", "cancel", ID, "not needed"]).code, 4, "it has a reason");
}

// P-52: a goal that was signed off in another folder was signed off for other files.
#[test]
fn a_sign_off_from_another_folder_is_caught() {
    let world = project();
    world.git(["checkout", "--quiet", "-b", "elsewhere"]);
    std::fs::create_dir(world.path("scratch")).unwrap();
    for name in ["plan.md", "greet.sh", "old.sh", "test.sh"] {
        std::fs::copy(world.path(name), world.path(&format!("scratch/{name}"))).unwrap();
    }
    world.commit("scratch");
    assert_eq!(world.call(["goal", "cancel", ID, "another folder"]).dir("scratch").run().code, 0);
    assert_eq!(world.call(["goal", "start", ID]).dir("scratch").run().code, 0);
    world.write("scratch/greet.sh", "echo \"Hello, $1\"\n");
    let done = world.call(["complete", ID]).dir("scratch").run();
    assert_eq!(done.code, 0, "{done:?}");
    let signed = world.read("scratch/plan.md");
    world.git(["checkout", "--quiet", "--force", "work"]);
    world.write("plan.md", signed);
    world.write("other.txt", "x\n");
    merge_result(&world);
    let found = audit(&world, &["--base", "origin/main"]);
    assert_eq!(found.findings, ["plan-moved"], "{:#}", found.json);
    let resolve = found.json["findings"].as_array().unwrap().iter().find(|one| one["code"] == "plan-moved").unwrap();
    assert!(resolve["resolve"].as_str().unwrap().starts_with("move the plan back"), "{resolve:#}");
}

// P-52
#[test]
fn without_a_git_program_nothing_is_said_to_be_fine() {
    let world = project();
    edit(&world, "status: active", "status: done");
    for args in [&["audit"][..], &["complete", ID], &["verify", ID]] {
        let output = world.call(args).env("PATH", "/nowhere").run();
        assert_eq!(output.code, 3, "{output:?}");
        assert!(output.stderr.contains("no git program was found on `PATH`"), "{output:?}");
    }
}

// P-12, P-74
#[test]
fn a_contract_that_was_softened_is_caught() {
    for by_hand in [true, false] {
        let world = project();
        if by_hand {
            edit(
                &world,
                "failure_modes:\n- the old greeting is gone (check: sh old.sh)\n",
                "failure_modes:\n- none (check: sh old.sh)\n",
            );
        } else {
            let set = world
                .plan(["goal", "set", ID, "--done-when", "it greets", "--failure-mode", "none (check: sh old.sh)"]);
            assert_eq!(set.code, 0, "{set:?}");
        }
        world.write("greet.sh", "echo \"Hello, $1\"\n");
        // The judge `checks` refuses leads; another judge need not.
        let world = world.judge(
            "yes",
            "C1 met: test.sh:1 \"sh greet.sh Ada\"\nF1 ruled out: old.sh:1 \"grep -q Hello greet.sh\"\nmissing: none\n",
            "accept",
        );
        assert_eq!(world.plan(["judge", "set", "cmd:yes"]).code, 0);
        let done = world.plan(["complete", ID]);
        assert_eq!(done.code, 0, "{done:?}");
        merge_result(&world);
        let audit = audit(&world, &["--base", "origin/main"]);
        let code = if by_hand { "contract-unexplained" } else { "contract-changed" };
        assert_eq!(audit.findings, [code], "{:#}", audit.json);
        assert!(audit.seen(code).contains("reworded: "), "{:#}", audit.json);
    }
}

// P-12, P-74
#[test]
fn a_verify_that_was_merged_silently_is_caught() {
    let world = project();
    honest(&world);
    world.commit("work");
    // Meanwhile main changes, two lines away from the branch's change: git merges both silently.
    world.git(["checkout", "--quiet", "main"]);
    edit(&world, "verify: sh test.sh", "verify: sh test.sh --strict");
    world.commit("stricter");
    world.git(["push", "--quiet", "origin", "main"]);
    world.git(["checkout", "--quiet", "-b", "result"]);
    let merged = world.call_program("git", ["merge", "--quiet", "--no-ff", "--message", "merge", "work"]).run();
    if merged.code != 0 {
        println!("skipped: this git sees a conflict");
        return;
    }
    let audit = audit(&world, &["--base", "origin/main"]);
    assert!(audit.findings.contains(&"other-contract".to_owned()), "{:#}", audit.json);
    assert!(audit.seen("other-contract").contains("reworded: verify changed"), "{:#}", audit.json);
}

// P-12, P-74
#[test]
fn a_log_that_was_rewritten_is_caught() {
    let world = project();
    let rejected = world.plan(["complete", ID, "--judge", "checks"]);
    assert_eq!(rejected.code, 1, "{rejected:?}");
    world.commit("rejected");
    world.git(["push", "--quiet", "origin", "work:main"]);
    world.git(["branch", "--force", "main", "work"]);
    honest(&world);
    let text = world.plan_md();
    let rejection = text.lines().find(|line| line.contains(" rejected (verify ")).unwrap().to_owned();
    let line = |world: &crate::support::World, to: &str| edit(world, &format!("{rejection}\n"), to);

    line(&world, "");
    let gone = audit(&world, &["--base", "origin/main"]);
    assert_eq!(gone.findings, ["log-deleted"], "{:#}", gone.json);
    assert!(gone.seen("log-deleted").contains(&rejection[2..]), "{:#}", gone.json);
    let alone = audit(&world, &[]);
    assert_eq!(alone.findings, ["log-deleted"], "the last commit has it: {:#}", alone.json);

    world.write("plan.md", &text);
    let softer = rejection.replace(" rejected (verify exit 1)", " inconclusive (oracle checks)");
    line(&world, &format!("{softer}\n"));
    let changed = audit(&world, &["--base", "origin/main"]);
    assert_eq!(changed.findings, ["log-rewritten"], "{:#}", changed.json);

    world.write("plan.md", &text);
    let started = text.lines().find(|line| line.contains(" started (")).unwrap();
    let swapped = text
        .replace(&format!("{rejection}\n"), "")
        .replace(&format!("{started}\n"), &format!("{rejection}\n{started}\n"));
    world.write("plan.md", swapped);
    let order = audit(&world, &["--base", "origin/main"]);
    assert_eq!(order.findings, ["log-reordered"], "{:#}", order.json);
}

// P-52
#[test]
fn archiving_hides_nothing() {
    let world = project();
    let text = world.plan_md();
    let (head, log) = text.split_once("## Log").unwrap();
    let (top, goal) = head.split_once("## Goal").unwrap();
    let goal = goal.replace("status: active", "status: done");
    world.write("plan.md", format!("{top}## Log{log}\n# Archive\n\n## Goal{goal}"));
    assert_eq!(audit(&world, &[]).findings, ["hand-ticked"]);
}

// P-12
#[test]
fn a_goal_that_is_gone_is_missed() {
    let world = project();
    assert_eq!(world.plan(["goal", "cancel", ID, "anew"]).code, 0);
    assert_eq!(world.plan(["goal", "remove", ID]).code, 0);
    merge_result(&world);
    let audit = audit(&world, &["--base", "origin/main"]);
    assert_eq!(audit.findings, ["goal-removed"], "{:#}", audit.json);
}

// P-12, P-72
#[test]
fn an_edit_by_hand_is_unexplained_and_a_draft_is_a_note() {
    let world = project();
    edit(&world, "verify: sh test.sh", "verify: sh old.sh");
    let found = audit(&world, &[]);
    assert_eq!(found.findings, ["contract-unexplained"]);
    assert!(found.seen("contract-unexplained").contains("reworded: verify changed"), "{:#}", found.json);
    let list = world.plan([] as [&str; 0]).stdout;
    assert!(list.contains("its contract was changed by hand since it was logged\n"), "{list}");
    let show = world.plan(["show", ID]).stdout;
    assert!(show.contains("changed by hand"), "{show}");
    assert!(!world.plan_md().contains("amended"), "nothing logs it by itself");

    let world = crate::support::World::new();
    assert_eq!(world.plan(["init", "x"]).code, 0);
    assert_eq!(world.plan(["goal", "add", "A", "--done-when", "b"]).code, 0);
    edit(&world, "done_when: b", "done_when: c");
    let draft = audit(&world, &[]);
    assert_eq!(
        (&draft.findings, &draft.notes),
        (&vec![], &vec!["contract-unexplained".to_owned()]),
        "{:#}",
        draft.json
    );
}

// P-12, P-72
#[test]
fn what_was_changed_by_hand_is_told_from_the_record_of_the_start() {
    let world = project();
    // The text is in no commit: only the start recorded it.
    let add = ["goal", "add", "Second", "--done-when", "a", "--done-when", "b", "--verify", "sh old.sh x", "--start"];
    assert_eq!(world.plan(add).code, 0);
    edit(&world, "- b\n", "");
    let found = audit(&world, &[]);
    assert_eq!(found.findings, ["contract-unexplained"], "{:#}", found.json);
    assert!(found.seen("contract-unexplained").contains("loosened: criterion dropped"), "{:#}", found.json);
    world.git([
        "update-ref",
        "-d",
        world.git(["for-each-ref", "--format=%(refname)", "refs/plan/starts/second-1/"]).trim(),
    ]);
    let found = audit(&world, &[]);
    assert!(found.seen("contract-unexplained").contains("the old text is not available"), "{:#}", found.json);
    // An older commit of the file has it as well.
    edit(&world, "- a\n", "- a\n- b\n");
    world.commit("as it was");
    edit(&world, "- b\n", "");
    world.commit("softened");
    let found = audit(&world, &[]);
    assert!(found.seen("contract-unexplained").contains("loosened: criterion dropped"), "{:#}", found.json);
}

/// If `goal set` loosened a contract that the base has, a later start does not hide it.
// P-12
#[test]
fn a_restart_does_not_launder_a_contract() {
    let world = project();
    edit(&world, "verify: sh test.sh", "verify: sh old.sh");
    assert_eq!(world.plan(["goal", "cancel", ID, "later"]).code, 0);
    assert_eq!(world.plan(["goal", "start", ID]).code, 0);
    let judge = "C1 met: greet.sh:1 \"Hello\"\nF1 ruled out: old.sh:1 \"Hello\"\nmissing: none\n";
    let world = world.judge("yes", judge, "accept");
    assert_eq!(world.plan(["judge", "set", "cmd:yes"]).code, 0);
    world.write("greet.sh", "echo Hello, you\n");
    let done = world.plan(["complete", ID, "--gate", "fast"]);
    assert_eq!(done.code, 0, "{done:?}");
    merge_result(&world);
    let found = audit(&world, &["--base", "origin/main"]);
    assert_eq!(found.findings, ["contract-changed"], "{:#}", found.json);
}
