//! The loop at the stops of a host: each way that a stop may end, in the order of `INJECTION.md` §5.

mod ended;
mod judged;
mod turns;

use serde_json::{Value, json};

use super::{PLAN, Session, world};
use crate::support::World;
use crate::support::loop_driver::closing;

/// A world without a loop judge.
fn unjudged() -> World {
    world().configured("loop:\n  judge: off\n")
}

/// A session at work, and a loop with this number of turns.
fn looping<'w>(world: &'w World, budget: &str) -> Session<'w> {
    let session = Session::at_work(world, "a");
    assert_eq!(world.plan(["loop", "start", "--budget", budget]).code, 0);
    session
}

/// Another session that works on the plan.
fn another<'w>(world: &'w World, id: &str) -> Session<'w> {
    let session = Session::new(world, id);
    session.start("startup");
    session.prompt("do it");
    session.runs(&["log", "on it"]);
    session
}

pub(super) fn notice(answer: &Value) -> &str {
    answer["systemMessage"].as_str().unwrap_or_default()
}

fn push(answer: &Value) -> &str {
    answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default()
}

fn status(world: &World) -> Value {
    world.plan(["loop", "status", "--json"]).json(0)
}

/// The text of each loop event.
fn events(world: &World) -> Vec<String> {
    let events = world.plan(["events", "--json"]).json(0);
    let events = events["events"].as_array().unwrap().iter().filter(|event| event["event"] == "loop");
    events.map(|event| event["what"].as_str().unwrap().to_owned()).collect()
}

// P-24, P-54, P-69: the loop gives as many turns as a person allowed, more than the guard would give
#[test]
fn the_budget_bounds_it_and_the_person_is_told() {
    let world = unjudged();
    let session = looping(&world, "8");
    for round in 0..8 {
        let answer = session.stop("Step 1 is done.");
        assert!(push(&answer).contains("Go on with: cache-1"), "{round}: {answer}");
    }
    let answer = session.stop("Step 1 is done.");
    assert!(notice(&answer).contains("budget of 8 turns is spent"), "{answer}");
    for _ in 0..10 {
        assert_eq!(session.stop("I stop."), Value::Null, "neither the loop nor the guard");
    }
    let status = status(&world);
    assert_eq!((&status["state"], &status["loop"]["left"]), (&json!("budget_spent"), &json!(0)));
    assert_eq!(events(&world), ["started", "budget_spent"]);
    session.prompt("go on");
    session.edits();
    assert!(session.is_pushed("done"), "a person spoke: the guard watches again");
}

// P-55
#[test]
fn paused_resumed_and_cleared() {
    let world = unjudged();
    let session = looping(&world, "20");
    assert!(session.is_pushed("x"));
    world.plan(["loop", "pause"]).ok("loop paused with 19 turns left; `plan loop resume` continues it\n");
    for _ in 0..3 {
        assert_eq!(session.stop("x"), Value::Null);
    }
    session.prompt("what is it?");
    session.edits();
    assert_eq!(session.stop("x"), Value::Null, "no message ends the pause of a person");
    world
        .plan(["loop", "resume"])
        .ok("loop resumed: 19 turns left, for the first session that stops while working on the plan\n");
    for _ in 0..7 {
        assert!(session.is_pushed("x"));
    }
    world.plan(["loop", "clear"]).ok("loop ended\n");
    for _ in 0..5 {
        assert!(session.is_pushed("x"), "the guard's five");
    }
    assert!(!session.is_pushed("x"));
    world.plan(["loop", "clear"]).ok("there was no loop\n");
    assert_eq!(events(&world), ["started", "paused", "resumed", "cleared"]);
}

// P-55
#[test]
fn what_is_not_there_cannot_be_paused() {
    let world = world();
    for verb in ["pause", "resume"] {
        let output = world.plan(["loop", verb]);
        assert_eq!(output.code, 4, "{output:?}");
        assert!(output.stderr.contains("there is no loop"), "{}", output.stderr);
    }
    world.plan(["loop", "status"]).ok("no loop; `plan loop start` starts one\ngoals: 1 active, 1 open\n");
    assert_eq!(world.plan(["loop", "start", "--budget", "0"]).code, 2);
    assert_eq!(world.plan(["loop", "start", "--budget", "1001"]).code, 2);
}

// P-27
#[test]
fn with_no_goal_left_it_ends() {
    let world = unjudged();
    let session = looping(&world, "20");
    assert!(push(&session.stop("x")).contains("active: cache-1"));
    session.runs(&["goal", "cancel", "cache-1", "not needed"]);
    assert!(push(&session.stop("x")).contains("Go on with: docs-1"), "the next goal");
    session.runs(&["goal", "cancel", "docs-1", "nor this"]);
    let answer = session.stop("x");
    assert!(notice(&answer).contains("no goal is left; the loop ended after 2 of 20 turns"), "{answer}");
    assert_eq!(session.stop("x"), Value::Null);
    let output = world.plan(["loop", "status"]);
    output.ok("ended after 2 of 20 turns: no goal is left\ndrives: session a\ngoals: 2 cancelled\n");
    let again = world.plan(["loop", "start"]);
    again.is(1, "no goal is left to work on\n", "");
}

// P-56: a criterion that is added on the way is in the next push
#[test]
fn a_criterion_that_is_added_on_the_way_counts_from_then_on() {
    let world = unjudged();
    let session = looping(&world, "20");
    assert!(!push(&session.stop("x")).contains("hit rate above 90"));
    assert_eq!(world.plan(["goal", "set", "cache-1", "--add-done-when", "hit rate above 90 %"]).code, 0);
    assert!(push(&session.stop("x")).contains("hit rate above 90"));
}

#[test]
fn a_question_that_was_answered_is_driven_on_and_so_is_a_simple_plan() {
    let simple = "---\ncomplexity: simple\nnudges: 0\nbudget: 2\n---\n# Plan: X\n\n## Goal: One\n<!-- id: one-1 -->\nstatus: active\n";
    let world = unjudged().file("plan.md", simple);
    let session = Session::new(&world, "a");
    session.start("startup");
    session.runs(&["log", "looked at it"]);
    world
        .plan(["loop", "start"])
        .ok("loop started: at most 2 turns, for the first session that stops while working on the plan\n");
    session.prompt("What does it do?");
    assert!(session.is_pushed("It works.") && session.is_pushed("It works."));
    assert!(!session.is_pushed("It works."));
}

// C-5
#[test]
fn a_blank_reply_is_sent_on_unjudged_and_costs_a_turn() {
    let world = world().claude();
    let session = looping(&world, "3");
    for _ in 0..3 {
        assert!(session.is_pushed(" \n"));
    }
    assert!(notice(&session.stop("")).contains("budget"));
    assert_eq!(world.claude_file("calls"), "");
}

// C-34: a nudge of the guard costs a turn of the loop, in any session, and is short next to the plan and the goal
#[test]
fn nudges_of_the_guard_count_against_the_budget() {
    let world = unjudged();
    let session = looping(&world, "6");
    let answer = session.stop("x");
    let text = answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    let (before, rest) = text.split_once("<plan ").unwrap();
    let (_, after) = rest.split_once("</plan>").unwrap();
    assert!(before.chars().count() + after.chars().count() < 400, "{text}");
    let other = another(&world, "b");
    for _ in 0..3 {
        assert!(other.is_pushed("x"));
    }
    assert_eq!(status(&world)["loop"]["left"], 2);
    assert!(session.is_pushed("x") && session.is_pushed("x") && !session.is_pushed("x"));
    assert!(other.is_pushed("x"), "the guard of another session has its own count");
}

#[test]
fn one_loop_drives_one_of_twenty_sessions() {
    let world = unjudged();
    let names: Vec<String> = (0..20).map(|n| format!("s{n}")).collect();
    let sessions: Vec<Session<'_>> = names.iter().map(|name| Session::new(&world, name)).collect();
    for session in &sessions {
        session.start("startup");
        session.prompt("do it");
        session.tools(&[("Bash", json!({ "command": "plan log x" }))]);
    }
    assert_eq!(world.plan(["loop", "start", "--budget", "1000"]).code, 0);
    let pushed: Vec<usize> = std::thread::scope(|scope| {
        let stops =
            sessions.iter().map(|session| scope.spawn(|| (0..12).filter(|_| session.is_pushed("done")).count()));
        stops.collect::<Vec<_>>().into_iter().map(|stops| stops.join().unwrap()).collect()
    });
    assert_eq!(pushed.iter().filter(|count| **count == 12).count(), 1, "{pushed:?}");
    assert_eq!(pushed.iter().filter(|count| **count == 5).count(), 19, "{pushed:?}");
    assert_eq!(status(&world)["loop"]["spent"], 12 + 19 * 5);
}

// The state survives restarts.
#[test]
fn it_goes_on_after_a_restart_and_with_the_next_session() {
    let world = unjudged();
    let session = looping(&world, "20");
    assert!(session.is_pushed("x"));
    session.start("resume");
    session.start("compact");
    assert!(session.is_pushed("x"));
    assert_eq!(status(&world)["loop"]["drives"]["session"], "a");
    session.event("SessionEnd", json!({ "reason": "other" }));
    assert_eq!(status(&world)["loop"]["drives"], Value::Null);
    let next = another(&world, "b");
    for _ in 0..7 {
        assert!(next.is_pushed("x"));
    }
    assert_eq!(status(&world)["loop"]["spent"], 9);
}

#[test]
fn stop_and_pause_hold_the_loop_still() {
    let world = unjudged();
    let session = looping(&world, "20");
    session.prompt("stop");
    assert!(!session.is_pushed("stopped"));
    session.prompt("go on");
    assert!(session.is_pushed("x"));
    for said in ["Stop using mocks in these tests.", "add a button to stop it"] {
        session.prompt(said);
        assert!(session.is_pushed("x"), "{said}");
        assert_eq!(status(&world)["loop"]["paused"], Value::Null, "{said}");
    }
    session.runs(&["pause", "needs the staging password"]);
    assert!(!session.is_pushed("x"));
    session.prompt("here it is");
    assert!(session.is_pushed("x"), "a message of a person ends the pause");
    session.runs(&["progress", "--done"]);
    assert!(!session.is_pushed("x"), "the agent calls it finished");
    session.prompt("/goal all tests pass");
    session.runs(&["step", "add", "cache-1", "more"]);
    assert!(!session.is_pushed("x"), "another driver is at work");
    let ask = session.event("Stop", json!({ "last_assistant_message": "x", "background_tasks": [{}] }));
    assert_eq!(ask, Value::Null);
}

/// Waits until a condition holds.
#[track_caller]
fn wait_for(what: impl Fn() -> bool) {
    let start = std::time::Instant::now();
    while !what() {
        assert!(start.elapsed() < std::time::Duration::from_secs(30), "waited in vain");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

// The judge may take a minute: the hooks of other sessions do not wait for it, and their changes count.
#[test]
fn other_sessions_do_not_wait_for_the_judge_and_a_loop_cleared_meanwhile_ends() {
    let world = world().claude();
    let session = looping(&world, "20");
    world.answers([closing(false, false, "")]);
    std::fs::write(world.claude_path("judging"), "while [ ! -e \"$here/go\" ]; do sleep 0.02; done\n").unwrap();
    std::thread::scope(|scope| {
        let stop = scope.spawn(|| session.stop("x"));
        wait_for(|| !world.claude_file("calls").is_empty());
        assert!(Session::new(&world, "b").start("startup").contains("<plan file="));
        world.plan(["loop", "clear"]).ok("loop ended\n");
        std::fs::write(world.claude_path("go"), "").unwrap();
        assert_eq!(stop.join().unwrap(), Value::Null);
    });
    assert_eq!(world.plan(["loop", "start"]).code, 0);
    assert!(session.is_pushed("x"), "a call that fails goes on: the answers are used up");
}

/// The file of the loop.
fn file(world: &World) -> std::path::PathBuf {
    let files = std::fs::read_dir(world.path(".git/plan")).unwrap().map(|entry| entry.unwrap().path());
    let is_loop = |path: &std::path::Path| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        name.starts_with("loop-") && name.ends_with(".json")
    };
    files.into_iter().find(|path| is_loop(path)).unwrap()
}

#[test]
fn a_damaged_loop_is_none_and_one_of_a_newer_version_is_left_alone() {
    let world = unjudged();
    let session = looping(&world, "20");
    let whole = std::fs::read(file(&world)).unwrap();
    for damage in [&whole[..whole.len() / 2], b"", b"\0", b"[]", br#"{"version":1,"budget":-1}"#] {
        std::fs::write(file(&world), damage).unwrap();
        assert_eq!(status(&world)["state"], "damaged");
        session.prompt("go");
        session.edits();
        for _ in 0..5 {
            assert!(session.is_pushed("x"), "the guard");
        }
        assert!(!session.is_pushed("x"));
    }
    world.plan(["loop", "status"]).ok("no loop: its file is damaged; `plan loop start` starts a new one\n...");
    let newer = br#"{"version":2,"budget":{"turns":7}}"#;
    std::fs::write(file(&world), newer).unwrap();
    assert_eq!(status(&world)["state"], "newer");
    for args in [&["loop", "start"][..], &["loop", "pause"], &["loop", "resume"]] {
        assert_eq!(world.plan(args).code, 4, "{args:?}");
    }
    session.stop("x");
    session.event("SessionEnd", json!({}));
    assert_eq!(std::fs::read(file(&world)).unwrap(), newer);
}

// A turn that cannot be recorded is not given.
#[test]
fn a_loop_that_cannot_be_written_sends_nobody_on() {
    let world = unjudged();
    let session = looping(&world, "20");
    let path = file(&world);
    assert!(session.is_pushed("x"));
    let text = std::fs::read(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    std::os::unix::fs::symlink(world.path("elsewhere"), &path).unwrap();
    std::fs::write(world.path("elsewhere"), &text).unwrap();
    assert_eq!(status(&world)["state"], "damaged", "a link came with the repository");
    assert_eq!(std::fs::read(world.path("elsewhere")).unwrap(), text);
}

#[test]
fn inside_a_judge_it_is_not_touched() {
    let world = world().env("PLAN_JUDGE_SESSION", "1");
    for verb in ["start", "pause", "resume", "clear", "run"] {
        let output = world.plan(["loop", verb]);
        assert_eq!(output.code, 4, "{verb}: {output:?}");
    }
    assert_eq!(world.plan(["loop", "status"]).code, 0, "a view");
    assert!(!world.path(".git/plan").exists());
}

// Each plan of a repository has its own loop.
#[test]
fn the_loop_of_one_plan_is_not_that_of_another() {
    let world = unjudged().file("other/plan.md", PLAN);
    assert_eq!(world.plan(["loop", "start"]).code, 0);
    let other = world.call(["loop", "status", "--json"]).dir("other").run().json(0);
    assert_eq!((&other["state"], &status(&world)["state"]), (&json!("none"), &json!("on")));
}
