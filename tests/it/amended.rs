//! Contracts that change while a goal runs: changes that need a reason, the lines that give it, and everything that stays.

use crate::support::World;
use crate::support::output::Output;

const PLAN: &str = "\
# Plan: p

## Goal: G
<!-- id: g-1 -->
status: open
done_when:
- it prints 5
- it is fast
verify: sh check.sh
failure_modes:
- verify passes on a constant (check: sh other.sh)
- too slow

## Log
";

/// Starts the goal with a red verify, which turns green once `calc.sh` prints 5.
fn started() -> World {
    let world = World::new()
        .file("check.sh", "test \"$(sh calc.sh)\" = 5\n")
        .file("other.sh", "test \"$(sh calc.sh)\" = 5\n")
        .file("calc.sh", "echo 4\n")
        .file("tests/t.sh", "exit 0\n")
        .file("plan.md", PLAN);
    world.commit("base");
    assert_eq!(world.plan(["goal", "start", "g-1"]).code, 0);
    assert!(world.plan_md().contains("verify red exit 1)"), "{}", world.plan_md());
    world.write("calc.sh", "echo 5 # two and three\n");
    world
}

/// The findings of the full gate under `contract-changed`, with their levels.
fn contract_changed(world: &World) -> Vec<String> {
    let output = world.plan(["complete", "g-1", "--judge", "checks", "--gate", "full", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
    let text = world.plan_md().replacen("status: done", "status: active", 1);
    let lines: Vec<&str> =
        text.lines().filter(|line| !line.contains("signed off") && !line.contains("rejected")).collect();
    world.write("plan.md", lines.join("\n") + "\n");
    let found = report["findings"].as_array().unwrap().iter().filter(|found| found["code"] == "contract-changed");
    found.map(|found| format!("{}: {}", found["level"].as_str().unwrap(), found["resolve"].as_str().unwrap())).collect()
}

fn last(world: &World) -> String {
    world.plan_md().lines().last().unwrap().to_owned()
}

const EXPLAIN: &str = "plan goal set g-1 --because \"why\"";

/// Runs a command line exactly as it was printed.
fn pasted(world: &World, line: &str) -> Output {
    let line = line.replacen("plan ", "\"$PLAN\" ", 1);
    world.call_program("sh", ["-c", &line]).env("PLAN", env!("CARGO_BIN_EXE_plan")).run()
}

// P-12, P-72
#[test]
fn one_command_amends_a_running_goal() {
    let world = started();
    let output =
        world.plan(["goal", "set", "g-1", "--add-may-change", "tests/**", "--because", "t.sh asserts the old key"]);
    assert_eq!((output.code, &*output.stderr), (0, ""), "{output:?}");
    let line = last(&world);
    assert!(line.contains("  g-1 amended (loosened: may_change widened; contract "), "{line}");
    assert!(line.ends_with(") because t.sh asserts the old key"), "{line}");
    assert_eq!(contract_changed(&world), [""; 0]);
    let list = world.plan([""; 0]).stdout;
    assert!(
        list.contains("    amended while active (loosened: may_change widened) because t.sh asserts the old key\n"),
        "{list}"
    );
    // Base and red stay valid: `checks` requires a verify that was seen red.
    let done = world.plan(["complete", "g-1", "--judge", "checks"]);
    assert!(!done.stdout.contains("never seen red") && !done.stdout.contains("base"), "{done:?}");
    let dry = world.plan(["complete", "g-1", "--judge", "claude", "--dry-run"]).stdout;
    assert!(dry.contains("because t.sh asserts the old key"), "the judge is told: {dry}");
}

// P-12
#[test]
fn what_asks_for_less_is_written_and_the_command_that_explains_it_is_named_at_once() {
    for options in [
        &["--add-may-change", "tests/**"][..],
        &["--done-when", "it prints 5"],
        &["--verify", "sh other.sh"],
        &["--failure-mode", "too slow"],
        &["--kind", "refactor"],
    ] {
        let world = started();
        let output = world.plan([&["goal", "set", "g-1"], options].concat());
        assert_eq!(output.code, 0, "{output:?}");
        assert_eq!(
            output.stderr,
            format!("note: `g-1` is active, and the gate asks why its contract changed: `{EXPLAIN}`\n")
        );
        let found = contract_changed(&world);
        assert_eq!(found, [format!("block: `{EXPLAIN}` says why; or restore the contract")], "{options:?}");
        let list = world.plan([""; 0]).stdout;
        assert!(list.contains(", without a reason\n") && list.contains(&format!("    {EXPLAIN}\n")), "{list}");
        let output = pasted(&world, EXPLAIN);
        assert_eq!(output.code, 0, "{output:?}");
        assert_eq!(contract_changed(&world), [""; 0], "{options:?}");
        let again = world.plan(["goal", "set", "g-1", "--because", "why"]);
        assert_eq!(again.code, 2, "{again:?}");
        assert!(again.stderr.contains("there is nothing to explain"), "{again:?}");
    }
}

// P-12: the note of `goal set` predicts what the gate will do. Different words are a lead, which the judge sees.
#[test]
fn other_words_are_for_the_judge_to_ask_about() {
    let world = started();
    let output = world.plan(["goal", "set", "g-1", "--subject", "Something else"]);
    assert_eq!(
        output.stderr,
        format!("note: `g-1` is active, and the judge will ask why its contract changed: `{EXPLAIN}`\n")
    );
    assert_eq!(contract_changed(&world), [format!("lead: `{EXPLAIN}` says why; or restore the contract")]);
    // Together with a change that requires less, the gate blocks again.
    let output = world.plan(["goal", "set", "g-1", "--kind", "refactor"]);
    assert!(output.stderr.contains("and the gate asks why"), "{output:?}");
    assert_eq!(contract_changed(&world), [format!("block: `{EXPLAIN}` says why; or restore the contract")]);
}

// Agents type the words of commit messages.
#[test]
fn a_word_of_commit_messages_is_written_as_the_kind_it_means() {
    let world = World::new().file("plan.md", "# Plan: p\n");
    let words = [
        ("feat", "feature"),
        ("perf", "feature"),
        ("fix", "bugfix"),
        ("bug", "bugfix"),
        ("ci", "chore"),
        ("build", "chore"),
        ("style", "chore"),
        ("refactor", "refactor"),
    ];
    for (word, kind) in words {
        assert_eq!(world.plan(["goal", "add", "Work", "--id", word, "--kind", word]).code, 0, "{word}");
        let changed = world.plan(["goal", "set", word, "--kind", "docs"]);
        assert_eq!(changed.code, 0, "{changed:?}");
        let set = world.plan(["goal", "set", word, "--kind", word, "--because", "why"]);
        assert_eq!(set.code, 0, "{set:?}");
        assert_eq!(world.plan(["show", word, "--json"]).json(0)["goals"][0]["kind"], kind, "{word}");
    }
    let refused = world.plan(["goal", "add", "Work", "--kind", "fast"]);
    assert_eq!(refused.code, 2, "{refused:?}");
    assert!(
        refused.stderr.contains("expected feature, bugfix, refactor, docs, test or chore, found `fast`"),
        "{refused:?}"
    );
}

// P-12
#[test]
fn what_asks_for_more_needs_no_reason() {
    for options in [
        &["--add-done-when", "it is small"][..],
        &["--add-failure-mode", "too large"],
        &["--add-failure-mode", "too slow (check: sh other.sh)"],
        &["--verify", "sh check.sh && sh other.sh"],
        &["--verify", "sh other.sh && sh check.sh"],
        &["--kind", "feature"],
    ] {
        let world = started();
        let output = world.plan([&["goal", "set", "g-1"], options].concat());
        assert_eq!((output.code, &*output.stderr), (0, ""), "{output:?}");
        assert!(last(&world).contains("g-1 amended (tightened: "), "{}", last(&world));
        assert_eq!(contract_changed(&world), [""; 0], "{options:?}");
        assert!(!world.plan([""; 0]).stdout.contains("to look at"), "{options:?}");
    }
    let world = started();
    assert_eq!(world.plan(["goal", "set", "g-1", "--add-failure-mode", "too slow (check: sh other.sh)"]).code, 0);
    assert!(world.plan_md().contains("\n- too slow (check: sh other.sh)\n"), "in its place: {}", world.plan_md());
    assert!(last(&world).contains("tightened: check added; contract"), "{}", last(&world));
    // The same for a change by hand.
    world.write("plan.md", world.plan_md().replace("- it is fast\n", "- it is fast\n- it is small\n"));
    assert_eq!(contract_changed(&world), [""; 0]);
}

// P-12, P-42
#[test]
fn a_change_by_hand_is_explained_by_one_command() {
    for git in [true, false] {
        let world = started();
        assert_eq!(world.plan(["goal", "set", "g-1", "--add-done-when", "it is small"]).code, 0);
        if !git {
            std::fs::remove_dir_all(world.path(".git")).unwrap();
        }
        world.write("plan.md", world.plan_md().replace("- too slow\n", ""));
        let list = world.plan([""; 0]).stdout;
        assert!(list.contains(&format!("    {EXPLAIN}\n")), "{list}");
        let output = pasted(&world, EXPLAIN);
        assert_eq!(output.code, 0, "{output:?}");
        let line = last(&world);
        if git {
            assert!(line.contains("g-1 amended (loosened: failure mode dropped; contract "), "{line}");
            assert_eq!(contract_changed(&world), [""; 0]);
        } else {
            assert!(
                line.contains("g-1 amended (loosened: changed by hand, and the earlier contract is not available; "),
                "{line}"
            );
        }
        assert!(line.ends_with(" because why"), "{line}");
    }
}

// P-12
#[test]
fn a_reason_covers_everything_since_what_was_agreed_last() {
    let world = started();
    let text = world.plan_md();
    assert_eq!(world.plan(["goal", "set", "g-1", "--done-when", "it prints 5"]).code, 0);
    assert_eq!(world.plan(["goal", "set", "g-1", "--add-done-when", "it is small"]).code, 0);
    world.write("plan.md", world.plan_md().replace("- too slow\n", ""));
    assert_eq!(world.plan(["goal", "set", "g-1", "--subject", "H", "--because", "it cannot be measured"]).code, 0);
    let line = last(&world);
    let what = "(loosened: failure mode dropped, subject reworded, criterion reworded; contract ";
    assert!(line.contains(what), "{line}");
    assert_eq!(contract_changed(&world), [""; 0]);
    // Everything is as at the start again: nothing is left to explain.
    world.write("plan.md", text);
    assert_eq!(contract_changed(&world), [""; 0]);
}

// P-12
#[test]
fn a_line_that_only_says_tightened_is_held_against_the_start() {
    let world = started();
    let before = world.plan(["show", "g-1", "--json"]).stdout;
    let contract = |text: &str| {
        serde_json::from_str::<serde_json::Value>(text).unwrap()["goals"][0]["contract"].as_str().unwrap().to_owned()
    };
    world.write("plan.md", world.plan_md().replace("- too slow\n", ""));
    let (old, new) = (contract(&before), contract(&world.plan(["show", "g-1", "--json"]).stdout));
    let line = format!("- 2026-06-15 14:33  g-1 amended (tightened: criterion added; contract {old} -> {new})\n");
    world.write("plan.md", world.plan_md() + &line);
    assert_eq!(contract_changed(&world).len(), 1);
}

// P-12, P-47
#[test]
fn a_done_goal_whose_contract_changes_says_that_its_sign_off_is_void_and_what_to_do() {
    let seen = "calc.sh:1 \"echo 5 # two and three\"";
    let answers = format!(
        "C1 met: {seen}\nC2 met: {seen}\nC3 met: {seen}\nF1 ruled out: check 1\nF2 ruled out: {seen}\nmissing: none\n"
    );
    let world = started().judge("judge", &answers, "accept");
    let complete = || world.plan(["complete", "g-1", "--judge", "cmd:judge"]);
    let output = complete();
    assert_eq!(output.code, 0, "{output:?}");
    let output = world.plan(["goal", "set", "g-1", "--add-done-when", "it is small"]);
    assert_eq!(output.stderr, "note: `g-1` was done, and its sign-off is void: `plan complete g-1` checks it again\n");
    let loosened = world.plan(["goal", "set", "g-1", "--done-when", "it prints 5", "--json"]);
    let amended = &serde_json::from_str::<serde_json::Value>(&loosened.stdout).unwrap()["amended"];
    assert_eq!(amended["next"], EXPLAIN);
    assert_eq!(pasted(&world, EXPLAIN).code, 0);
    let output = complete();
    assert_eq!(output.code, 0, "{output:?}");
}

#[test]
fn a_reason_says_something_and_needs_something_to_explain() {
    let world = started();
    assert_eq!(world.plan(["goal", "set", "g-1", "--because", " "]).code, 2);
    let output = world.plan(["goal", "set", "g-1"]);
    assert_eq!(output.code, 2, "{output:?}");
    // A change outside the contract needs no reason, and ignores one.
    assert_eq!(world.plan(["goal", "set", "g-1", "--priority", "1", "--because", "it is urgent"]).code, 0);
    assert!(!world.plan_md().contains("urgent"));
    // A draft: no goal has been started yet.
    let draft = World::new().file("plan.md", PLAN);
    let output = draft.plan(["goal", "set", "g-1", "--done-when", "x", "--because", "shorter"]);
    assert_eq!((output.code, &*output.stderr), (0, ""), "{output:?}");
    assert!(last(&draft).ends_with(") because shorter"), "{}", last(&draft));
}

/// Returns the list below its counts.
fn listed(world: &World) -> String {
    let list = world.plan([] as [&str; 0]).stdout;
    list.split_once("\n\n").map(|(_, rest)| rest.to_owned()).unwrap_or(list)
}

// A slip of the editor must not be explained away: the list names it first, and no reason is taken for it.
#[test]
fn a_field_that_is_misspelt_is_named_and_not_recorded_as_dropped() {
    let world = started();
    let before = world.plan_md();
    world.write("plan.md", before.replace("verify: sh", "verfy: sh"));
    let list = listed(&world);
    let line = "line 9: `verfy` is read as prose: did you mean `verify:`?";
    assert!(list.contains(&format!("{line}\n    plan lint\n")), "{list}");
    assert!(list.find(line) < list.find("its contract was changed by hand") && !list.contains(EXPLAIN), "{list}");
    for extra in [&[][..], &["--add-done-when", "it is short"]] {
        let refused = world.plan([&["goal", "set", "g-1", "--because", "why"], extra].concat());
        assert_eq!(refused.code, 4, "{refused:?}");
        assert!(refused.stderr.contains(line) && refused.stderr.contains("in line 9: write `verify:`"), "{refused:?}");
    }
    world.write("plan.md", before.clone());
    assert!(!listed(&world).contains("line 9"), "{}", listed(&world));

    // Dropped on purpose, or changed besides: prose that has the field beside it is prose.
    world.write("plan.md", before.replace("verify: sh check.sh", "verify: sh other.sh\n\nVerify : by hand, too"));
    assert!(listed(&world).contains(EXPLAIN), "{}", listed(&world));
    assert_eq!(world.plan(["goal", "set", "g-1", "--because", "why"]).code, 0);
    world.write("plan.md", before.replace("verify: sh check.sh\n", "kinds: docs\n"));
    let explained = world.plan(["goal", "set", "g-1", "--because", "why"]);
    assert!(explained.code == 0 && explained.stdout.contains("verify dropped"), "{explained:?}");
}

#[test]
fn a_status_behind_a_tab_does_not_reopen_a_goal_in_silence() {
    for before in ["", "done_when: x\n"] {
        let plan = PLAN.replace("status: open\n", &format!("{before}\tstatus: active\n"));
        let world = World::new().file("plan.md", plan);
        let list = listed(&world);
        let line =
            if before.is_empty() { "line 5: four or more" } else { "line 6: `status` is read as part of `done_when`" };
        assert!(list.starts_with("! 1 G") && list.contains(line), "{list}");
        assert!(!list.contains("plan goal start") && list.contains("plan lint   (line"), "{list}");
        let lint = world.plan(["lint"]).stdout;
        assert!(!lint.contains("add `status: open`"), "{lint}");
    }
}

#[test]
fn two_goals_with_one_id_are_named_with_a_remedy_that_works() {
    let copy = "\n## Goal: Copy\n<!-- id: g-1 -->\nstatus: open\ndone_when: y\n\n## Log\n";
    let world = started();
    world.write("plan.md", world.plan_md().replace("\n## Log\n", copy));
    let list = listed(&world);
    assert!(list.contains("another goal has the id `g-1` too") && list.contains("line 15: `g-1` is already"), "{list}");
    assert!(!list.contains(EXPLAIN), "{list}");
    assert!(list.contains("remove the id of the newer goal (line 4 or 15), then: plan lint --fix"), "{list}");
    world.write("plan.md", world.plan_md().replacen("## Goal: Copy\n<!-- id: g-1 -->\n", "## Goal: Copy\n", 1));
    assert_eq!(world.plan(["lint", "--fix"]).code, 0);
    assert!(world.plan_md().contains("<!-- id: copy-1 -->"), "{}", world.plan_md());
    assert!(!listed(&world).contains("id `g-1`"), "{}", listed(&world));
}

#[test]
fn a_goal_whose_heading_is_misspelt_is_missed() {
    let gone = "\n## Gaol: Other\n<!-- id: other-1 -->\nstatus: open\n\n## Log\n";
    let world = World::new().file("plan.md", PLAN.replace("\n## Log\n", gone));
    let list = listed(&world);
    let line = "! line 14: this is not a goal: did you mean `## Goal:` and not `Gaol`? (plan lint)\n";
    assert!(list.contains(line), "{list}");
    let lint = world.plan(["lint"]).stdout;
    assert!(lint.contains("warning[near-goal]") && !lint.contains("stray-id"), "{lint}");
}
