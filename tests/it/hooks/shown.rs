//! The block and the reminder: when they are given, and that they are given only once.

use serde_json::{Value, json};

use super::{PLAN, Session, world};

// P-58, P-22: the whole plan at each of the four starts, unless the conversation holds it already
#[test]
fn each_start_gives_the_plan() {
    let world = world();
    let session = Session::new(&world, "a");
    for source in ["resume", "startup", "clear", "compact"] {
        let text = session.start(source);
        assert!(text.starts_with("<plan file=\"plan.md\"") && text.contains("verify: sh check.sh"), "{source}: {text}");
        assert!(text.contains("## Goal: Document it"), "{source}: not the whole plan: {text}");
        assert_eq!(session.prompt("go on"), "", "{source}: a second copy");
        assert_eq!(session.start("resume"), "", "{source}: a third one");
    }
}

// F-43
#[test]
fn a_host_that_asks_after_a_compaction_is_given_the_plan_then_and_only_while_there_is_something_to_do() {
    let world = world();
    let happens = |name: &str| {
        let payload = json!({ "hook_event_name": name, "session_id": "s1", "cwd": world.root(), "prompt": "go on" });
        assert_eq!(world.call(["hook", "opencode"]).stdin(payload.to_string()).run().code, 0);
    };
    let asked = || world.plan(["inject", "--if", "compacted", "--session", "s1"]).stdout;
    happens("chat.message");
    assert_eq!((asked(), asked()), (String::new(), String::new()), "nothing was compacted");
    happens("session.compacted");
    assert!(asked().starts_with("<plan file=\"plan.md\""));
    assert_eq!(asked(), "", "once for each");
    for goal in ["cache-1", "docs-1"] {
        assert_eq!(world.plan(["goal", "cancel", goal, "not needed"]).code, 0);
    }
    happens("session.compacted");
    assert_eq!(asked(), "", "nothing is left to do");
}

// P-71, P-6: never two copies of the same text
#[test]
fn what_did_not_change_is_not_said_again() {
    let world = world();
    let session = Session::new(&world, "a");
    session.start("startup");
    for _ in 0..30 {
        assert_eq!(session.prompt("and now?"), "");
        assert_eq!(session.tools(&[("Read", json!({ "file_path": "a" }))]), "");
    }
}

#[test]
fn a_session_that_began_before_the_hooks_gets_it_with_the_next_prompt() {
    let world = world();
    let session = Session::new(&world, "a");
    assert!(session.prompt("go on").contains("## Goal: Document it"));
    assert_eq!(session.prompt("go on"), "");
}

#[test]
fn what_another_hand_changed_is_shown_and_what_the_session_wrote_is_not() {
    let world = world();
    let session = Session::new(&world, "a");
    session.start("startup");
    assert_eq!(session.runs(&["step", "done", "1", "wired"]), "", "its own tick");
    assert_eq!(session.prompt("go on"), "");
    world.write("plan.md", world.plan_md().replace("p95 < 50ms", "p95 < 40ms"));
    let text = session.edits();
    assert!(text.contains("done_when: p95 < 40ms"), "{text}");
    assert_eq!(session.edits(), "");
    world.write("plan.md", world.plan_md().replace("p95 < 40ms", "p95 < 30ms"));
    assert!(session.prompt("I changed it").contains("p95 < 30ms"));
}

#[test]
fn two_sessions_on_one_plan_tell_each_other_apart() {
    let world = world();
    let (one, two) = (Session::new(&world, "one"), Session::new(&world, "two"));
    one.start("startup");
    two.start("startup");
    assert_eq!(one.runs(&["step", "done", "1", "wired"]), "");
    assert!(two.edits().contains("done: 1. wire it — wired"), "the other session sees it");
}

/// The beginning of the reminder.
const REMINDER: &str = "plan.md has not changed for some turns.";

// P-60, P-61, C-17, C-21
#[test]
fn the_reminder_comes_after_three_turns_that_changed_files() {
    let world = world();
    let session = Session::new(&world, "a");
    session.start("startup");
    for round in 0..3 {
        assert_eq!(session.edits(), "", "{round}");
        assert_eq!(session.tools(&[("Bash", json!({ "command": "ls -la && git status" }))]), "", "{round}");
        assert_eq!(session.tools(&[("Bash", json!({ "command": "make build" }))]), "", "{round}");
        let text = session.edits();
        assert!(text.starts_with(REMINDER) && text.contains("plan pause"), "{round}: {text}");
        assert!(
            !text.contains("system-reminder"),
            "the client puts its own tags around it, and breaks up ours: {text}"
        );
    }
}

#[test]
fn an_edit_of_the_plan_by_anyone_resets_the_reminder() {
    let world = world();
    let session = Session::new(&world, "a");
    session.start("startup");
    session.edits();
    session.edits();
    assert_eq!(session.runs(&["log", "half way"]), "");
    assert_eq!((session.edits(), session.edits()), (String::new(), String::new()));
    assert!(session.edits().contains(REMINDER));
}

// C-18: once for a batch
#[test]
fn a_batch_is_one_turn() {
    let world = world();
    let session = Session::new(&world, "a");
    session.start("startup");
    let edit = || ("Edit", json!({ "file_path": "src/a.py" }));
    assert_eq!(session.tools(&[edit(), edit(), edit(), edit()]), "");
    assert_eq!(session.tools(&[edit(), edit()]), "");
    assert_eq!(session.tools(&[edit(), edit()]).matches(REMINDER).count(), 1);
}

#[test]
fn never_where_the_plan_says_so_or_nothing_is_active() {
    for plan in [format!("---\nremind_every: 0\n---\n{PLAN}"), PLAN.replace("status: active", "status: open")] {
        let world = world().file("plan.md", plan);
        let session = Session::new(&world, "a");
        session.start("startup");
        for _ in 0..12 {
            assert_eq!(session.edits(), "");
        }
    }
}

// C-19
#[test]
fn nothing_is_open_so_nothing_is_said() {
    let plan = PLAN.replace("status: active", "status: cancelled").replace("<!-- id: docs-1 -->", "status: cancelled");
    let world = world().file("plan.md", plan);
    let session = Session::new(&world, "a");
    assert_eq!(session.start("startup"), "");
    assert_eq!(session.prompt("hello"), "");
    assert_eq!(session.stop("done"), serde_json::Value::Null);
}

#[test]
fn a_plan_that_the_host_keeps_is_offered_to_become_goals_once() {
    let world = world();
    let session = Session::new(&world, "a");
    session.start("startup");
    let plan = json!({ "plan": "1. a", "planFilePath": "/x" });
    let text = session.tools(&[("ExitPlanMode", plan.clone())]);
    assert!(text.contains("plan goal add") && text.contains("plan.md"), "{text}");
    assert_eq!(session.tools(&[("ExitPlanMode", plan)]), "");
}

// F-2: hosts take at most 10,000 bytes at once
#[test]
fn a_large_plan_stays_below_what_a_host_takes() {
    let goals: String = (0..200)
        .map(|n| format!("## Goal: Active {n}\n<!-- id: a-{n} -->\nstatus: active\ndone_when: {}\n\n", "d".repeat(500)))
        .collect();
    let world = world().file("plan.md", format!("# Plan: Long\n\n{goals}"));
    let session = Session::new(&world, "a");
    let text = session.start("compact");
    assert!(text.len() < 10_000 && text.contains("active: a-0"), "{} bytes", text.len());
}

// F-2, CONTRACT.md §7: next to the host's own instructions, in the form that each of the three takes
#[test]
fn a_host_that_sums_the_conversation_up_is_told_what_to_keep() {
    let world = world();
    let asked = |host: &str, event: &str| {
        let payload = json!({ "hook_event_name": event, "session_id": "a", "cwd": world.root(), "trigger": "manual" });
        let output = world.call(["hook", host]).stdin(payload.to_string()).run();
        assert_eq!((output.code, &*output.stderr), (0, ""), "{host}");
        output.stdout
    };
    assert_eq!(world.plan(["step", "done", "1", "pool of 8"]).code, 0);
    assert_eq!(world.plan(["step", "start", "2"]).code, 0);
    let kept = "Keep these lines in the summary. They are from plan.md: what is finished and what came of it, and the step that is being worked on.\n\n\
                active: cache-1 | Implement cache layer\n  done: 1. wire it — pool of 8\n  now: 2. eviction\n\n";
    let text = asked("claude", "PreCompact");
    assert!(text.starts_with(kept) && !text.contains("docs-1"), "{text}");
    for (host, event) in [("opencode", "experimental.session.compacting"), ("pi", "session_before_compact")] {
        let answer: Value = serde_json::from_str(&asked(host, event)).unwrap();
        assert!(answer["context"].as_str().unwrap().starts_with(kept), "{host}: {answer}");
    }
    assert_eq!(asked("codex", "PreCompact") + &asked("qwen", "PreCompact") + &asked("gemini", "PreCompress"), "");
    world.write("plan.md", "# Plan: x\n\n## Goal: Later\n- [ ] 1. it\n");
    assert_eq!(asked("claude", "PreCompact") + &asked("pi", "session_before_compact"), "", "nothing was begun");
}
