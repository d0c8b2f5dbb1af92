//! A person agrees to a contract, or rejects a proposal (`CONTRACT.md` §1, §3).

use crate::support::World;
use crate::support::output::Output;

mod forged;
mod rejected;

/// A plan in contract mode that was never approved; a goal and some steps have no id or number.
const PLAN: &str = "\
---
mode: contract
---
# Plan: Sums

## Goal: Add
<!-- id: add-1 -->
status: open
done_when:
- adds
- carries
verify: sh never.sh
- [ ] 1. one
- [ ] two

## Goal: Multiply
done_when: multiplies
- [ ] three

## Log
- 2026-06-15 14:02  begun
";

fn world() -> World {
    World::new().file("plan.md", PLAN).committed()
}

fn approved() -> World {
    let world = world();
    world.plan(["approve", "--yes", "--as", "ada"]).is(0, "...", "");
    world
}

/// Returns the text above the log.
fn above_log(world: &World) -> String {
    world.plan_md().split("## Log").next().unwrap().to_owned()
}

fn log(world: &World) -> String {
    world.plan_md().split("## Log").nth(1).unwrap().to_owned()
}

/// Makes a proposal by hand: removes a criterion, rewords a step, adds a step.
fn propose(world: &World) -> String {
    let text = world.plan_md();
    let changed = text
        .replace("- carries\n", "")
        .replace("2. two", "2. second")
        .replace("3. three\n", "3. three\n- [ ] 4. four\n");
    assert_ne!(changed, text);
    world.write("plan.md", &changed);
    changed
}

// F-4, P-18: one line says how to make room
// CONTRACT.md §1, §3.1: ids and numbers come before showing; then the line, and the activation, which records the base and runs nothing.
#[test]
fn an_approval_is_shown_logged_and_begins_the_first_step() {
    let world = world();
    let output = world.plan(["approve", "--yes", "--as", "Ada (L)", "--note", "step 3 may wait"]);
    assert_eq!((output.code, &*output.stderr), (0, ""));
    let shown = "Plan: Sums\nmode: contract\n\nGoal: Add\n  id: add-1\n  done_when:\n    - adds\n    - carries\n  verify: sh never.sh\n  1. one\n  2. two\n\n\
                 Goal: Multiply\n  id: multiply-1\n  done_when: multiplies\n  3. three\nplan approved by Ada-L (contract ";
    assert!(output.stdout.starts_with(shown), "{}", output.stdout);
    assert!(output.stdout.contains("\n→ Step 1: one\n") && output.stdout.contains("`/clear`"), "{}", output.stdout);
    let contract = output.stdout.split("(contract ").nth(1).unwrap()[..12].to_owned();
    let log = log(&world);
    let line = format!("  plan approved by Ada-L via --yes (contract {contract}, steps to 3): step 3 may wait\n");
    assert!(log.contains(&line), "{log}");
    assert!(log.contains("  add-1 started (contract ") && log.contains(", verify not run)\n"), "{log}");
    let above = above_log(&world);
    assert!(above.contains("status: active\n") && above.contains("- [/] 1. one\n- [ ] 2. two\n"), "{above}");
    assert!(above.contains("## Goal: Multiply\n<!-- id: multiply-1 -->\ndone_when"), "{above}");
    // The stored bytes are those that were shown.
    let stored = world.git(["cat-file", "blob", &format!("refs/plan/approved/{contract}")]);
    assert!(stored.contains("- [ ] 1. one\n- [ ] 2. two\n") && !stored.contains("plan approved by"), "{stored}");
    let before = world.plan_md();
    let again = world.plan(["approve", "--yes"]);
    again.is(0, "already approved: Ada-L approved it (2026-06-15 14:33)\n", "");
    assert_eq!(world.plan_md(), before, "no second line");
}

// CONTRACT.md §3.4: the name is the one that commits get.
#[test]
fn who_approves_is_named_as_git_knows_them() {
    let named = |world: World, args: &[&str], name: &str| {
        let output = world.plan([&["approve", "--yes"], args].concat());
        assert_eq!(output.code, 0, "{output:?}");
        assert!(log(&world).contains(&format!("  plan approved by {name} via --yes (contract ")), "{}", log(&world));
    };
    named(world().env("USER", "root"), &[], "Ada");
    named(world().env("USER", "root"), &["--as", "eve"], "eve");
    let own = world().env("USER", "root");
    own.git(["config", "user.name", "Bob (B) Lee"]);
    named(own, &[], "Bob-B-Lee");
    named(World::without_git().file("plan.md", PLAN).env("USER", "root"), &[], "root");
    named(World::without_git().file("plan.md", PLAN).env("LOGNAME", "grace"), &[], "grace");
    named(World::without_git().file("plan.md", PLAN), &[], "somebody");
}

// R17
#[test]
fn a_plan_without_a_goal_cannot_be_approved() {
    let world = World::new().file("plan.md", "---\nmode: contract\n---\n# Plan: Sums\n");
    let output = world.plan(["approve", "--yes"]);
    assert_eq!(output.code, 1);
    assert!(output.stderr.contains("there is no goal to approve yet"), "{}", output.stderr);
}

// F-50
// CONTRACT.md §1: the change comes first, with the headline above it.
#[test]
fn a_change_is_shown_against_what_was_approved() {
    let world = approved();
    propose(&world);
    let output = world.plan(["approve", "--yes", "--as", "eve"]);
    assert_eq!((output.code, &*output.stderr), (0, ""));
    let shown = "! goal add-1 amended (loosened: criterion dropped)\n  step 2 reworded\n  step 4 added to multiply-1\n\n  Plan: Sums\n  \
                 mode: contract\n\n  Goal: Add\n    id: add-1\n-   done_when:\n-     - adds\n-     - carries\n+   done_when: adds\n    verify: sh never.sh\n    \
                 1. one\n-   2. two\n+   2. second\n\n  Goal: Multiply\n    id: multiply-1\n    done_when: multiplies\n    3. three\n+   \
                 4. four\nplan approved by eve (contract ";
    assert!(output.stdout.starts_with(shown), "{}", output.stdout);
    // The approval explains the changes by hand, so audit finds nothing.
    assert!(log(&world).contains("  add-1 amended (loosened: criterion dropped; contract "), "{}", log(&world));
    assert!(log(&world).contains(" because eve approved it\n"), "{}", log(&world));
    let audit = world.plan(["audit"]);
    assert!(!format!("{}{}", audit.stdout, audit.stderr).contains("unexplained"), "{audit:?}");
}

// CONTRACT.md §1: the approved text can be missing, and that is reported.
#[test]
fn without_the_approved_text_the_whole_plan_is_shown() {
    let world = approved();
    propose(&world);
    forget(&world);
    let output = world.plan(["approve", "--yes", "--as", "eve"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(
        output
            .stderr
            .contains("ada approved it (2026-06-15 14:33), and neither this clone nor the last commit knows of that"),
        "{output:?}"
    );
    assert!(output.stdout.starts_with("Plan: Sums\nmode: contract\n\nGoal: Add\n"), "{}", output.stdout);
}

/// Removes the records, as in a fresh clone.
fn forget(world: &World) {
    for folder in ["refs/plan/approved", "plan/approved", "plan/undo"] {
        drop(std::fs::remove_dir_all(world.path(".git").join(folder)));
    }
}

// CONTRACT.md §1: both work without a repository.
#[test]
fn without_a_repository_approve_and_reject_work() {
    let world = World::without_git().file("plan.md", PLAN);
    world.plan(["approve", "--yes", "--as", "ada"]).is(0, "...", "...");
    let approved = above_log(&world);
    propose(&world);
    world.plan(["review", "--reject", "no"]).is(0, "rejected: no; the approved contract is back\n", "");
    assert_eq!(above_log(&world), approved);
}

// CONTRACT.md §2: an approval retries a failed step, although the digest stays the same.
#[test]
fn a_proposed_retry_and_cancellation_come_with_the_approval() {
    let world = approved();
    let text = world.plan_md().replace("- [/] 1. one\n", "- [!] 1. one \u{2014} no such flag\n");
    world.write("plan.md", format!("{text}- 2026-06-15 14:34  edit proposed: retry step 1 because flag found\n"));
    let output = world.plan(["approve", "--yes", "--as", "ada"]);
    assert_eq!((output.code, &*output.stderr), (0, ""), "{}", output.stdout);
    assert!(output.stdout.starts_with("  proposed: retry step 1 \u{2014} because flag found\n"), "{}", output.stdout);
    assert!(output.stdout.contains("\n→ Step 1: one\n"), "{}", output.stdout);
    assert!(world.plan_md().contains("- [/] 1. one \u{2014} flag found\n"), "{}", world.plan_md());
    assert!(log(&world).contains("  step 1 retried: flag found\n"), "{}", log(&world));
    // If the proposal is rejected, nothing happens to the step.
    let text = world.plan_md().replace("- [/] 1. one \u{2014} flag found\n", "- [!] 1. one \u{2014} again\n");
    world.write("plan.md", format!("{text}- 2026-06-15 14:34  edit proposed: cancel multiply-1 because too dear\n"));
    world.plan(["review", "--reject", "it stays"]).is(0, "rejected: it stays\n", "");
    assert!(!world.plan_md().contains("cancelled"), "{}", world.plan_md());
    world.write(
        "plan.md",
        format!("{}- 2026-06-15 14:35  edit proposed: cancel multiply-1 because too dear\n", world.plan_md()),
    );
    assert_eq!(world.plan(["approve", "--yes", "--as", "ada"]).code, 0);
    assert!(world.plan_md().contains("status: cancelled"), "{}", world.plan_md());
    assert!(log(&world).contains("  multiply-1 cancelled: too dear\n"), "{}", log(&world));
}

/// Runs a command with the variables that a host sets for its agent.
fn by_agent(world: &World, args: &[&str]) -> Output {
    world.call(args).env("CLAUDECODE", "1").env("CLAUDE_CODE_SESSION_ID", "s").run()
}

// R20, CONTRACT.md §8 step 10: an agent has no way to approve its own plan.
#[test]
fn an_agent_approves_nothing_by_any_way() {
    let world = world();
    let before = world.plan_md();
    for args in [
        &["approve", "--yes"][..],
        &["approve", "--yes", "--as", "ada"],
        &["review", "--reject", "no"],
        &["review", "--key", "a::b", "--reply", "ok"],
    ] {
        let output = by_agent(&world, args);
        assert_eq!(output.code, 4, "{args:?}: {output:?}");
        assert!(output.stderr.contains("claude"), "{args:?}: {}", output.stderr);
    }
    for variable in ["PLAN_LOOP", "PLAN_JUDGE_SESSION"] {
        let output = world.call(["approve", "--yes"]).env(variable, "1").run();
        assert_eq!(output.code, 4, "{variable}: {output:?}");
    }
    assert_eq!(world.plan_md(), before, "not even ids were given");
}

// R20: neither without the variables, nor on its own terminal.
#[cfg(target_os = "linux")]
#[test]
fn an_agent_that_hides_its_host_is_known_by_its_process() {
    let world = world().program("claude", "#!/bin/sh\nsh -c \"$1\"; exit $?\n");
    let before = world.plan_md();
    let plan = env!("CARGO_BIN_EXE_plan");
    for line in [
        format!("env -u CLAUDECODE {plan} approve --yes"),
        format!("env -u CLAUDECODE script -qec '{plan} approve --yes' /dev/null"),
        format!("env -u CLAUDECODE script -qec '{plan} review' /dev/null </dev/null"),
        format!("env -u CLAUDECODE {plan} review --key a::b --reply ok"),
        format!("setsid -w {plan} review --reject no"),
    ] {
        let output = world.call_program("claude", [&line]).run();
        let all = format!("{}{}", output.stdout, output.stderr);
        assert!(all.contains("claude (process)") || all.contains("expected `--key"), "{line}: {output:?}");
        assert_ne!(output.code, 0, "{line}");
    }
    assert_eq!(world.plan_md(), before);
}

// CONTRACT.md §1: in contract mode, an answer that is passed on approves only if the user's settings allow it.
#[test]
fn a_reply_approves_a_contract_only_where_the_user_said_so() {
    let world = world();
    let shown = world.plan(["review", "--key", "ada::room"]);
    assert!(shown.stdout.contains("  2. two\n") && shown.stdout.contains("  id: multiply-1\n"), "{}", shown.stdout);
    let refused = world.plan(["review", "--key", "ada::room", "--reply", "ok"]);
    assert_eq!(refused.code, 4, "{refused:?}");
    assert!(refused.stderr.contains("`plan approve`") && refused.stderr.contains("review_reply: true"), "{refused:?}");
    assert!(!world.plan_md().contains("plan approved"), "{}", world.plan_md());
    let world = world.configured("review_reply: true\n");
    let output = world.plan(["review", "--key", "ada::room", "--reply", "ok"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(output.stdout.starts_with("plan approved by ada\n→ Step 1: one\n"), "{}", output.stdout);
    assert!(log(&world).contains("plan approved by ada via reply (contract "), "{}", log(&world));
    let nothing = world.plan(["review", "--key", "ada::room"]);
    nothing.is(0, "nothing to decide: ada approved it (2026-06-15 14:33)\n", "");
    // The next answer is about the change, so the change is shown.
    propose(&world);
    let shown = world.plan(["review", "--key", "ada::room", "--format", "markdown"]);
    assert!(shown.stdout.starts_with("    ! goal add-1 amended (loosened: criterion dropped)\n"), "{}", shown.stdout);
    assert!(shown.stdout.contains("\n    +   2. second\n"), "{}", shown.stdout);
    world.plan(["review", "--reject", "no"]).is(0, "...", "");
    let late = world.plan(["review", "--key", "ada::room", "--reply", "ok"]);
    assert_eq!(late.code, 1, "{late:?}");
    assert!(late.stdout.contains("changed since it was shown"), "{}", late.stdout);
}

// CLI.md: in guide mode an approval is only a line in the log, and begins nothing.
#[test]
fn an_approval_in_guide_mode_only_records() {
    let world = World::new().file("plan.md", PLAN.replace("mode: contract", "mode: guide"));
    let above = above_log(&world);
    let output = world.plan(["approve", "--yes", "--as", "ada"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(!output.stdout.contains("→") && !output.stdout.contains("/clear"), "{}", output.stdout);
    assert_eq!(above_log(&world), above);
    assert!(log(&world).contains("plan approved by ada via --yes (contract "), "{}", log(&world));
    assert!(!log(&world).contains("steps to"), "{}", log(&world));
    world.plan(["approve", "--yes"]).is(0, "already approved: ada approved it (2026-06-15 14:33)\n", "");
}

// Huge plans are shown, approved and rejected in a reasonable time.
#[test]
fn a_huge_plan_is_shown_and_approved() {
    let mut text = "---\nmode: contract\n---\n# Plan: Much\n\n".to_owned();
    for goal in 0..500 {
        text += &format!("## Goal: Goal {goal}\n<!-- id: goal-{goal} -->\ndone_when: done {goal}\n");
        (0..20).for_each(|step| text += &format!("- [ ] {}. step\n", goal * 20 + step + 1));
        text.push('\n');
    }
    text += "## Log\n- 2026-06-15 14:02  begun\n";
    let world = World::new().file("plan.md", &text);
    assert_eq!(world.plan(["approve", "--yes", "--as", "ada"]).code, 0);
    let approved = above_log(&world);
    let changed = world.plan_md().replace(". step\n", ". another step\n").replace("done_when: done 7\n", "");
    world.write("plan.md", changed);
    world.plan(["review", "--reject", "no"]).is(0, "rejected: no; the approved contract is back\n", "");
    assert_eq!(above_log(&world), approved);
}
