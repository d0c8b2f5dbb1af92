//! A goal that is started again: after a sign-off it begins anew, after it was given up it goes on.

use super::{GREET, GREETS, TEST, assert_blocked, assert_clear, assert_signed_off, start, with};

// SIGNOFF.md §3
#[test]
fn a_goal_that_was_signed_off_begins_anew() {
    let world = with(&[("greet.sh", GREET), ("test.sh", TEST)]);
    start(&world);
    world.write("greet.sh", GREETS);
    assert_signed_off(&world);
    world.commit("work");
    assert!(start(&world).ends_with(", verify green)"));
    assert!(world.plan_md().contains("g-1 reopened (was done)"));
    assert_eq!(assert_blocked(&world, "no-change"), "nothing has changed since the goal's start");
    let output = world.plan(["complete", "g-1", "--judge", "checks"]);
    assert_eq!(output.code, 1, "{output:?}");
    // Not committed either.
    world.write("greet.sh", format!("# greets\n{GREETS}"));
    assert_blocked(&world, "never-red");
}

// SIGNOFF.md §3
#[test]
fn a_goal_that_was_cancelled_or_ticked_by_hand_keeps_its_base() {
    let world = with(&[("greet.sh", GREET), ("test.sh", TEST)]);
    start(&world);
    world.write("greet.sh", GREETS);
    assert_eq!(world.plan(["goal", "cancel", "g-1", "later"]).code, 0);
    assert!(start(&world).ends_with(", verify green)"));
    assert_clear(&world, &[]);
    world.write("plan.md", world.plan_md().replace("status: active", "status: done"));
    start(&world);
    assert_clear(&world, &[]);
    // And the tests that it began with.
    world.write("test.sh", "[ \"$(sh ./greet.sh)\" = hi ]\n");
    world.write("greet.sh", GREET);
    assert_eq!(world.plan(["goal", "cancel", "g-1", "again"]).code, 0);
    start(&world);
    assert_blocked(&world, "approved-tests-red");
}

// SIGNOFF.md §3: the command that the refusal names helps.
#[test]
fn a_goal_that_was_started_after_its_work_can_be_started_without_it() {
    let world = with(&[("greet.sh", GREET), ("test.sh", TEST)]);
    world.write("greet.sh", GREETS);
    assert!(start(&world).ends_with(", verify green)"));
    let output = world.plan(["complete", "g-1", "--judge", "checks"]);
    let (_, named) = output.stdout.split_once("start without it: `").unwrap();
    let command = named.split_once('`').unwrap().0.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        command.starts_with("git stash push -u -- :/ ':(top,exclude)plan.md'; plan goal cancel g-1 late; "),
        "{command}"
    );
    world.git(["stash", "push", "-q", "-u", "--", ":/", ":(top,exclude)plan.md"]);
    assert_eq!(world.plan(["goal", "cancel", "g-1", "late"]).code, 0);
    assert!(start(&world).ends_with(", verify red exit 1)"));
    world.git(["stash", "pop", "-q"]);
    assert_clear(&world, &[]);
}

// SIGNOFF.md §3: nothing that the first start kept can be got rid of in this way.
#[test]
fn a_start_that_saw_red_stays_the_base_whatever_is_set_aside() {
    let world = with(&[("greet.sh", GREET)]);
    world.write("test.sh", TEST);
    assert!(start(&world).contains(", verify red "));
    world.write("test.sh", "[ -n \"$(sh ./greet.sh World)\" ]\n");
    world.commit("weaker");
    assert_eq!(world.plan(["goal", "cancel", "g-1", "late"]).code, 0);
    start(&world);
    world.write("greet.sh", format!("{GREET}# done\n"));
    assert_blocked(&world, "approved-tests-red");
}
