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
