//! The guard: who is sent on, and how often. The stops that end without being sent on are in `let_go`.

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
    assert!(answer["systemMessage"].as_str().unwrap().contains("asked to continue 5 times"), "{answer}");
    for _ in 0..20 {
        assert_eq!(session.stop("I am done."), Value::Null);
    }
}

// A restart of the host does not reset the count, but a user's message does.
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

// INJECTION §4: pushed once, with the way to `plan pause`, then let go
#[test]
fn a_reply_that_ends_with_a_question_is_pushed_once() {
    let world = world();
    let session = Session::at_work(&world, "a");
    let push = session.stop("Step 1 is done. Shall I use Redis?").to_string();
    assert!(push.contains("`plan pause \\\"question\\\"`"), "{push}");
    session.edits();
    assert_eq!(session.stop("Which one?\n\n1. Redis\n2. memcached"), Value::Null);
    assert!(session.is_pushed("I took Redis."), "a statement");
    assert_eq!(session.stop("Anything else?"), Value::Null);
    session.prompt("Redis");
    session.edits();
    assert!(session.is_pushed("Is 6 enough?"), "the person spoke");
}

#[test]
fn each_push_names_the_way_out_for_who_was_asked_no_more() {
    let world = world();
    let session = Session::at_work(&world, "a");
    for reply in ["done", "shall I?", ""] {
        assert!(session.stop(reply).to_string().contains("only this was asked"), "{reply}");
    }
    session.runs(&["pause", "only this was asked"]);
    assert!(!session.is_pushed("done"));
}

// P-52: nothing is called done that is not signed off: the agent and the user hear it at once, whatever else is open
#[test]
fn a_goal_that_was_ticked_by_hand_is_told_of_at_once() {
    let world = world();
    let session = Session::at_work(&world, "a");
    let tick = |id: &str| {
        let head = format!("<!-- id: {id} -->\n");
        let text = world.plan_md().replace(&format!("{head}status: active\n"), &head);
        world.write("plan.md", text.replace(&head, &format!("{head}status: done\n")));
    };
    tick("cache-1");
    let answer = session.event(
        "PostToolBatch",
        json!({ "tool_calls": [{ "tool_name": "Edit", "tool_input": { "file_path": "plan.md" } }] }),
    );
    let (agent, person) = (&answer["hookSpecificOutput"]["additionalContext"], &answer["systemMessage"]);
    for said in [agent, person] {
        let said = said.as_str().unwrap_or_default();
        assert!(
            said.contains("cache-1: done without a sign-off") && said.contains("plan complete cache-1"),
            "{answer}"
        );
    }
    assert_eq!(session.edits(), "", "said once");
    assert!(session.is_pushed("cache-1 is done."), "another goal is open");
    // The guard first sees it at a stop: the person ticked the goal in an editor.
    tick("docs-1");
    let notice = session.stop("All done.")["systemMessage"].as_str().unwrap_or_default().to_owned();
    assert!(notice.contains("docs-1: done without a sign-off"), "{notice}");
    assert_eq!(session.stop("All done."), Value::Null, "said once");
    assert!(session.edits().contains("docs-1: done without"), "the agent, with what it is told next");
    let later = Session::new(&world, "b");
    later.start("startup");
    later.prompt("do it");
    later.runs(&["log", "on it"]);
    assert_eq!(later.stop("done"), Value::Null, "they were so before it began");
    // The goal is reopened and ticked again.
    assert_eq!(world.plan(["goal", "start", "cache-1", "--no-baseline"]).code, 0);
    session.edits();
    tick("cache-1");
    assert!(session.edits().contains("unsigned: cache-1, docs-1: done without"), "in the block");
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

// C-7, C-8, C-38: the text of a push is not recorded again, but the fact that it was sent is
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
