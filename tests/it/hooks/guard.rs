//! The guard: who is sent on, how often, and who is let go.

use serde_json::{Value, json};

use super::{PLAN, Session, world};

// C-1, C-2, C-6, P-69
#[test]
fn an_agent_that_stops_after_step_one_is_sent_on() {
    let world = world();
    let session = Session::at_work(&world, "a");
    let answer = session.stop("Step 1 is done.");
    let text = answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    assert!(text.contains("Objective: Faster search") && text.contains("<plan file="), "{text}");
    assert!(text.contains("Go on with: cache-1  Implement cache layer — 2. eviction"), "{text}");
    assert!(text.contains("plan pause") && text.contains("plan complete"), "{text}");
    assert!(answer.get("decision").is_none(), "a block would be shown twice");
}

// C-3, C-4, C-35
#[test]
fn it_is_let_go_after_five() {
    let world = world();
    let session = Session::at_work(&world, "a");
    for round in 1..=5 {
        assert!(session.is_pushed("I am done."), "{round}");
    }
    let answer = session.stop("I am done.");
    assert!(answer["systemMessage"].as_str().unwrap().contains("sent on 5 times"), "{answer}");
    for _ in 0..20 {
        assert_eq!(session.stop("I am done."), Value::Null);
    }
}

// A host restart does not reset the count, a message of a person does.
#[test]
fn a_restart_does_not_reset_the_count() {
    let world = world();
    let session = Session::at_work(&world, "a");
    for _ in 0..5 {
        assert!(session.is_pushed("done"));
    }
    session.start("resume");
    session.start("compact");
    session.edits();
    assert!(!session.is_pushed("done"));
    session.prompt("go on");
    session.edits();
    assert!(session.is_pushed("done"));
}

#[test]
fn an_agent_that_edits_a_comment_each_time_is_let_go_too() {
    let world = world();
    let session = Session::at_work(&world, "a");
    let mut pushed = 0;
    while session.is_pushed("done") {
        pushed += 1;
        assert!(pushed <= 5, "trapped");
        let text = world.plan_md();
        world.write(
            "plan.md",
            text.replace("# Plan: Faster search\n", &format!("# Plan: Faster search\n<!-- {pushed} -->\n")),
        );
        session.tools(&[("Edit", json!({ "file_path": "plan.md" }))]);
    }
    assert_eq!(pushed, 5);
}

// C-9, and never more than 4 times the number
#[test]
fn one_that_changes_the_plan_each_time_is_let_go_after_twenty() {
    let world = world();
    let session = Session::at_work(&world, "a");
    let mut pushed = 0;
    while session.is_pushed("done") {
        pushed += 1;
        assert!(pushed <= 20, "trapped");
        session.runs(&["step", "add", "cache-1", &format!("another {pushed}")]);
    }
    assert_eq!(pushed, 20);
}

#[test]
fn a_step_that_is_finished_resets_the_count_and_one_that_comes_and_goes_does_not() {
    let world = world();
    let session = Session::at_work(&world, "a");
    for _ in 0..4 {
        assert!(session.is_pushed("done"));
    }
    session.runs(&["step", "done", "2", "evicts"]);
    for _ in 0..4 {
        assert!(session.is_pushed("done"));
    }
    for _ in 0..3 {
        session.runs(&["step", "retry", "2", "again"]);
        session.runs(&["step", "done", "2", "evicts"]);
    }
    assert!(session.is_pushed("done"));
    assert!(!session.is_pushed("done"), "ticking the same step again is no progress");
}

// C-5
#[test]
fn a_blank_reply_burns_nothing_and_is_no_way_to_go_on_for_ever() {
    let world = world();
    let session = Session::at_work(&world, "a");
    for _ in 0..15 {
        assert!(session.is_pushed(" \n\t"));
    }
    for _ in 0..5 {
        assert!(session.is_pushed("done"));
    }
    assert!(!session.is_pushed("done") && !session.is_pushed(""));
}

// C-23
#[test]
fn a_simple_plan_changes_nothing() {
    let simple = "# Plan: X\n\n## Goal: One\n<!-- id: one-1 -->\nstatus: active\n- [ ] 1. it\n";
    let cases = [
        (simple.to_owned(), false),
        (format!("---\ncomplexity: complex\n---\n{simple}"), true),
        (format!("---\ncomplexity: simple\n---\n{PLAN}"), false),
        (format!("---\nnudges: 0\n---\n{PLAN}"), false),
        (PLAN.to_owned(), true),
    ];
    for (plan, expected) in cases {
        let world = world().file("plan.md", &plan);
        let session = Session::new(&world, "a");
        session.start("startup");
        session.prompt("do it");
        session.runs(&["log", "looked at it"]);
        assert_eq!(session.is_pushed("done"), expected, "{plan}");
    }
}

#[test]
fn a_question_that_was_answered_is_not_driven_on() {
    let world = world();
    let session = Session::at_work(&world, "a");
    session.prompt("What does the cache do?");
    assert!(!session.is_pushed("It keeps results."));
}

#[test]
fn subagents_and_work_in_the_background_are_let_go() {
    let world = world();
    let session = Session::at_work(&world, "a");
    assert_eq!(session.event("Stop", json!({ "last_assistant_message": "x", "agent_id": "s1" })), Value::Null);
    assert_eq!(session.event("SubagentStop", json!({ "last_assistant_message": "x", "agent_id": "s1" })), Value::Null);
    let beside =
        |tasks: Value| session.event("Stop", json!({ "last_assistant_message": "x", "background_tasks": tasks }));
    let running = json!({ "type": "subagent", "status": "running" });
    let ended = json!({ "type": "subagent", "status": "completed" });
    for tasks in [json!([{}]), json!([running]), json!([ended, running])] {
        assert_eq!(beside(tasks.clone()), Value::Null, "{tasks}");
    }
    assert!(!beside(json!([ended])).is_null(), "what has ended wakes nobody");
    assert!(session.is_pushed("x"));
}

#[test]
fn a_goal_that_the_host_drives_itself_is_left_to_it() {
    let world = world();
    let session = Session::at_work(&world, "a");
    session.prompt("/goal all tests pass");
    session.edits();
    assert!(!session.is_pushed("done"));
    session.prompt("/goal clear");
    session.edits();
    assert!(session.is_pushed("done"));
}

// §4: a push names what to go on with; where everything waits for what never comes, there is nothing
#[test]
fn where_nothing_is_ready_nobody_is_sent_on() {
    let waiting = PLAN.replace("<!-- id: docs-1 -->\n", "<!-- id: docs-1 -->\nneeds: cache-1\n");
    let world = world().file("plan.md", waiting);
    let session = Session::at_work(&world, "a");
    session.runs(&["goal", "cancel", "cache-1", "not needed"]);
    assert_eq!(world.plan(["next"]).code, 1);
    let answer = session.stop("done");
    let notice = answer["systemMessage"].as_str().unwrap_or_default();
    assert!(notice.contains("`docs-1` needs `cache-1`"), "{answer}");
    assert_eq!(session.stop("done"), Value::Null, "said once");
}

// P-52: nothing is called done that is not signed off; no agent is sent on for what a person ticked
#[test]
fn a_goal_that_was_ticked_by_hand_is_told_of_to_the_person() {
    let world = world();
    let session = Session::at_work(&world, "a");
    let ticked = |text: &str| {
        text.replace("status: active", "status: done").replace("docs-1 -->\n", "docs-1 -->\nstatus: done\n")
    };
    world.write("plan.md", ticked(&world.plan_md()));
    session.tools(&[("Edit", json!({ "file_path": "plan.md" }))]);
    let answer = session.stop("All done.");
    let notice = answer["systemMessage"].as_str().unwrap_or_default();
    assert!(notice.contains("`cache-1`, `docs-1`") && notice.contains("no sign-off"), "{answer}");
    assert_eq!(session.stop("All done."), Value::Null, "said once");
    let later = Session::new(&world, "b");
    later.start("startup");
    later.prompt("do it");
    later.runs(&["log", "on it"]);
    assert_eq!(later.stop("done"), Value::Null, "they were so before it began");
}

// 200 stops in a row cost no more than the first.
#[test]
fn what_is_remembered_does_not_grow() {
    let world = world();
    let session = Session::at_work(&world, "a");
    session.stop("done");
    let size = || -> u64 {
        let folder = std::fs::read_dir(world.path(".git/plan/sessions")).unwrap();
        folder.map(|entry| entry.unwrap().metadata().unwrap().len()).sum()
    };
    let first = size();
    for _ in 0..200 {
        session.stop("done");
    }
    assert!(size() < first + 64, "{first} bytes became {}", size());
}

// §4: what the agent can take away is no way to be sent on for ever
#[test]
fn a_session_whose_memory_goes_away_is_not_sent_on_before_a_person_speaks() {
    let world = world();
    let session = Session::at_work(&world, "a");
    for round in 0..5 {
        for entry in std::fs::read_dir(world.path(".git/plan/sessions")).unwrap() {
            std::fs::remove_file(entry.unwrap().path()).unwrap();
        }
        session.tools(&[("Bash", json!({ "command": "plan log x" }))]);
        assert!(!session.is_pushed("done"), "{round}");
    }
    session.prompt("go on");
    session.tools(&[("Bash", json!({ "command": "plan log x" }))]);
    assert!(session.is_pushed("done"));
}

// §4: a host's own re-entry flag
#[test]
fn a_turn_that_somebody_else_sends_on_is_left_to_them() {
    let world = world();
    let session = Session::at_work(&world, "a");
    let again = || session.event("Stop", json!({ "last_assistant_message": "done", "stop_hook_active": true }));
    assert_eq!(again(), Value::Null);
    assert!(session.is_pushed("done"));
    assert!(!again().is_null(), "its own pushes go on");
}

// FACTS: no hook tells that a goal of the host's is met
#[test]
fn a_goal_that_the_host_drove_does_not_switch_the_guard_off_for_ever() {
    let world = world();
    let session = Session::at_work(&world, "a");
    session.prompt("/goal tests green");
    for _ in 0..3 {
        session.edits();
        assert!(!session.is_pushed("not yet"), "the host goes on after the stop");
    }
    session.edits();
    session.prompt("use the other table");
    session.edits();
    assert!(!session.is_pushed("not yet"), "said while it worked");
    session.prompt("now the documentation");
    session.edits();
    assert!(session.is_pushed("done"), "its turn had ended");
    session.prompt("/goalkeeper check");
    session.edits();
    assert!(session.is_pushed("done"), "another command");
}

// C-7, C-8, C-38: what was said is not written down again, that it was said is
#[test]
fn each_push_is_an_event() {
    let world = world();
    let session = Session::at_work(&world, "a");
    assert!(session.is_pushed("Step 1 is done, and so am I."));
    assert!(session.is_pushed("Done."));
    let events = world.plan(["events"]).stdout;
    let events: Vec<Value> = events.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let pushes: Vec<_> = events.iter().filter(|event| event["event"] == "continuation").collect();
    assert_eq!(pushes.len(), 2, "{events:?}");
    assert_eq!(
        (&pushes[1]["session"], &pushes[1]["count"], &pushes[1]["reply_bytes"]),
        (&json!("a"), &json!(2), &json!(5))
    );
    assert!(!format!("{events:?}").contains("so am I"), "{events:?}");
}
