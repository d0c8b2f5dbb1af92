//! How a loop ends or pauses.

use serde_json::{Value, json};

use super::{PLAN, another, events, looping, notice, push, status, unjudged};
use crate::hooks::Session;

// P-24, §5: if the budget is spent, it stops and says so, whatever was said before
#[test]
fn a_budget_that_is_spent_is_told_though_no_goal_was_left_before() {
    let world = unjudged();
    let session = looping(&world, "3");
    assert!(session.is_pushed("x"));
    for goal in ["cache-1", "docs-1"] {
        session.runs(&["goal", "cancel", goal, "not needed"]);
    }
    assert!(notice(&session.stop("x")).contains("no goal is left"));
    session.runs(&["goal", "add", "One more", "--step", "a", "--step", "b"]);
    assert!(session.is_pushed("x") && session.is_pushed("x"));
    let answer = session.stop("x");
    assert!(notice(&answer).contains("budget of 3 turns is spent"), "{answer}");
    for _ in 0..6 {
        assert_eq!(session.stop("x"), Value::Null, "nor does the guard go on from here");
    }
    assert_eq!(events(&world), ["started", "no_goal_left", "budget_spent"]);
}

// P-52
#[test]
fn an_end_says_what_of_it_no_sign_off_stands_for() {
    let world = unjudged();
    let session = looping(&world, "20");
    world.write(
        "plan.md",
        PLAN.replace("status: active", "status: done").replace("docs-1 -->\n", "docs-1 -->\nstatus: done\n"),
    );
    let answer = session.stop("All done.");
    assert!(notice(&answer).contains("no goal is left; the loop ended after 0 of 20 turns"), "{answer}");
    assert!(notice(&answer).contains("2 done goals have no matching sign-off"), "{answer}");
}

// All other goals wait for a cancelled goal, so that turns would be wasted.
#[test]
fn where_nothing_is_ready_it_ends_and_names_what_is_missing() {
    let waiting = PLAN.replace("docs-1 -->\n", "docs-1 -->\nneeds: cache-1\n");
    let world = unjudged().file("plan.md", waiting);
    let session = looping(&world, "20");
    session.runs(&["goal", "cancel", "cache-1", "not needed"]);
    let answer = session.stop("x");
    assert!(notice(&answer).contains("no goal is ready: `docs-1` needs `cache-1`"), "{answer}");
    assert_eq!(session.stop("x"), Value::Null);
    assert_eq!(status(&world)["loop"]["spent"], 0);
    assert_eq!(world.plan(["goal", "set", "docs-1", "--subject", "Document all of it"]).code, 0);
    world.write("plan.md", world.plan_md().replace("needs: cache-1\n", ""));
    assert!(push(&session.stop("x")).contains("Go on with: docs-1"), "it is ready now");
}

// A person's stop also stops the loop, for every session that would continue it.
#[test]
fn a_stop_pauses_the_loop_until_the_person_speaks_there_again() {
    let world = unjudged();
    let session = looping(&world, "20");
    assert!(session.is_pushed("x"));
    session.prompt("let's stop for today");
    assert!(!session.is_pushed("stopped"));
    let paused = status(&world);
    assert_eq!((&paused["state"], &paused["loop"]["paused"]["by"]), (&json!("paused"), &json!("stop")));
    session.prompt("go on");
    assert!(session.is_pushed("x"), "they spoke");
    session.prompt("stop");
    session.event("SessionEnd", json!({ "reason": "other" }));
    let next = another(&world, "b");
    for _ in 0..5 {
        assert!(next.is_pushed("x"), "the guard's five");
    }
    assert!(!next.is_pushed("x"), "not the loop's");
    assert_eq!(status(&world)["loop"]["spent"], 2);
    assert_eq!(world.plan(["loop", "resume"]).code, 0);
    assert!(next.is_pushed("x"));
    assert_eq!(world.plan(["loop", "pause"]).code, 0);
    next.prompt("stop");
    next.prompt("go on");
    assert_eq!(next.stop("x"), Value::Null, "`plan loop pause` is ended by `plan loop resume`");
}

/// Makes the session's file an hour old.
fn an_hour_ago(world: &crate::support::World) {
    for entry in std::fs::read_dir(world.path(".git/plan/sessions")).unwrap() {
        let file = std::fs::File::options().write(true).open(entry.unwrap().path()).unwrap();
        file.set_modified(std::time::SystemTime::now() - std::time::Duration::from_secs(3600)).unwrap();
    }
}

// No host reports every end.
#[test]
fn a_session_that_is_gone_leaves_its_loop_to_the_next() {
    let world = unjudged();
    let session = looping(&world, "20");
    assert!(session.is_pushed("x"));
    let next = another(&world, "b");
    assert!(next.is_pushed("x"), "the guard");
    assert_eq!(status(&world)["loop"]["drives"]["session"], "a");
    an_hour_ago(&world);
    for _ in 0..7 {
        assert!(next.is_pushed("x"));
    }
    assert_eq!(status(&world)["loop"]["drives"]["session"], "b");
    assert!(session.is_pushed("x"), "it is back: the guard");
    assert_eq!(status(&world)["loop"]["drives"]["session"], "b");
}

// FACTS: Codex begins another session at `/clear`, and reports no end
#[test]
fn a_cleared_session_takes_its_loop_along() {
    let world = unjudged();
    let session = looping(&world, "20");
    assert!(session.is_pushed("x"));
    let cleared = Session::new(&world, "c");
    cleared.start("clear");
    cleared.prompt("go on");
    cleared.runs(&["log", "on it"]);
    for _ in 0..7 {
        assert!(cleared.is_pushed("x"));
    }
    assert_eq!(status(&world)["loop"]["drives"]["session"], "c");
}
