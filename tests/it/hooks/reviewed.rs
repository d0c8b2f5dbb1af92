//! A plan that waits for a person's word: nobody is sent on, and the next message is the answer.

use serde_json::{Value, json};

use super::{PLAN, Session, world};
use crate::support::{World, assert_has_each_host};

fn asks(session: &Session<'_>) {
    let call = session.world.call(["review"]).env("CLAUDECODE", "1").env("CLAUDE_CODE_SESSION_ID", &*session.id);
    assert_eq!(call.run().code, 0);
}

// C-24, C-29, C-30
#[test]
fn the_next_message_is_the_answer_and_nobody_is_sent_on_before() {
    let world = world();
    let session = Session::at_work(&world, "a");
    asks(&session);
    assert!(!session.is_pushed("Please look at the plan."));
    let text = session.prompt("split step 2");
    assert!(text.contains("<plan_feedback>\nplan:\n") && text.contains("user_feedback:\nsplit step 2\n"), "{text}");
    assert!(!session.prompt("and then?").contains("<plan_feedback>"), "used once");
    session.edits();
    assert!(session.is_pushed("done"));
}

// C-37: each message is its own session
#[test]
fn a_chat_bridge_names_the_chat_for_each_session() {
    let world = world().env("PLAN_REVIEW_KEY", "ada::room");
    asks(&Session::at_work(&world, "first"));
    let second = Session::new(&world, "second");
    second.start("startup");
    assert!(second.prompt("split step 2").contains("user_feedback:\nsplit step 2\n"));
    assert!(!second.prompt("go on").contains("<plan_feedback>"));
}

#[test]
fn the_answer_of_another_session_is_not_this_ones() {
    let world = world();
    asks(&Session::at_work(&world, "a"));
    let other = Session::new(&world, "b");
    other.start("startup");
    assert!(!other.prompt("split step 2").contains("<plan_feedback>"));
    other.runs(&["log", "begun here too"]);
    assert!(other.is_pushed("done"));
}

/// A plan in contract mode that nobody has approved, and an account of a person.
fn unapproved() -> World {
    let steps = PLAN.replace("docs-1 -->\n", "docs-1 -->\ndone_when: it is there\n- [ ] 3. write it\n");
    World::new().file("plan.md", format!("---\nmode: contract\n---\n{steps}")).env("USER", "ada")
}

fn log_of(world: &World) -> String {
    world.plan_md().split_once("## Log").unwrap().1.to_owned()
}

// CONTRACT.md §1, F-36: only OK counts, in the words of each host's own event
#[test]
fn an_ok_in_the_chat_approves_what_was_shown() {
    let events = [
        ("claude", "UserPromptSubmit"),
        ("codex", "UserPromptSubmit"),
        ("pi", "input"),
        ("gemini", "BeforeAgent"),
        ("opencode", "chat.message"),
        ("qwen", "UserPromptSubmit"),
    ];
    assert_has_each_host(events.map(|(host, _)| host), "the events of an OK in tests/it/hooks/reviewed.rs");
    for (host, event) in events {
        let world = unapproved();
        let key = format!("{host}::a");
        assert_eq!(world.plan(["review", "--key", &key]).code, 0, "{host}");
        let before = log_of(&world);
        let says = |text: &str| {
            let payload = json!({ "hook_event_name": event, "session_id": "a", "cwd": world.root(), "prompt": text });
            let output = world.call(["hook", host]).stdin(payload.to_string()).run();
            assert_eq!((output.code, &*output.stderr), (0, ""), "{host}");
            output.stdout
        };
        says("OK but rename it");
        assert_eq!(log_of(&world), before, "{host}: feedback approves nothing");
        world.write("plan.md", world.plan_md().replace("eviction", "evict all"));
        assert_eq!(world.plan(["review", "--key", &key]).code, 0, "{host}");
        let said = says(" OK\n");
        let log = log_of(&world);
        assert!(
            log.contains("plan approved by Ada via host (contract ") && log.contains(", steps to 3)"),
            "{host}: {log}"
        );
        assert!(world.plan_md().contains("- [/] 1. wire it"), "{host}: the first step is active");
        assert!(said.contains("plan: plan approved by Ada"), "{host}: the person is told: {said}");
        let again = log_of(&world);
        says("OK");
        assert_eq!(log_of(&world), again, "{host}: used once");
    }
}

// CONTRACT.md §1, F-36: the shell of Gemini CLI and the MCP servers of pi and opencode know the host but not the session, and the MCP
// servers of the others may have begun in another session. The review waits only for the session that it is shown to.
#[test]
fn a_review_without_a_session_goes_to_the_one_that_is_shown_it() {
    let batch = |call: Value| json!({ "tool_calls": [call] });
    let alone = |call: Value| call;
    let hosts: [(_, _, _, _, &dyn Fn(Value) -> Value); 6] = [
        ("claude", "CLAUDECODE=1 CLAUDE_CODE_SESSION_ID=a", "PostToolBatch", "UserPromptSubmit", &batch),
        ("codex", "CODEX_THREAD_ID=a", "PostToolUse", "UserPromptSubmit", &alone),
        ("pi", "AI_AGENT=pi", "turn_end", "input", &batch),
        ("gemini", "GEMINI_CLI=1", "AfterTool", "BeforeAgent", &alone),
        ("opencode", "OPENCODE=1", "tool.execute.after", "chat.message", &alone),
        ("qwen", "QWEN_CODE_SESSION_ID=a", "PostToolUse", "UserPromptSubmit", &alone),
    ];
    assert_has_each_host(hosts.map(|(host, ..)| host), "the events of a review in tests/it/hooks/reviewed.rs");
    for (host, variables, after, prompt, wrapped) in hosts {
        let set = |world: World, variable: &str| {
            let (name, value) = variable.split_once('=').unwrap();
            world.env(name, value)
        };
        let world = variables.split(' ').fold(unapproved(), set);
        let event = |session: &str, name: &str, mut more: Value| {
            more["hook_event_name"] = json!(name);
            more["session_id"] = json!(session);
            more["cwd"] = json!(world.root());
            let output = world.call(["hook", host]).stdin(more.to_string()).run();
            assert_eq!((output.code, &*output.stderr), (0, ""), "{host}");
        };
        let says = |session: &str| event(session, prompt, json!({ "prompt": "OK" }));
        let is_known = variables.ends_with("=a");
        let asked = world.plan(if is_known { &["review", "--by-mark"][..] } else { &["review"] });
        assert_eq!((asked.code, &*asked.stderr), (0, ""), "{host}");
        let before = log_of(&world);
        says("a");
        assert_eq!(log_of(&world), before, "{host}: no session was shown it");
        let call = json!({ "tool_name": "x", "tool_input": {}, "tool_response": asked.stdout });
        event("c", after, wrapped(call.clone()));
        event("b", after, wrapped(call));
        says("b");
        assert_eq!(log_of(&world), before, "{host}: another session was shown it before");
        says("c");
        assert!(log_of(&world).contains("plan approved by Ada via host"), "{host}: {}", log_of(&world));
        // Without the mark no session could be found.
        let without = [&["review", "--reply", "x"][..], &["review", "--format", "lark"], &["--json", "review"]];
        for words in without.into_iter().filter(|_| !is_known) {
            let refused = world.plan(words);
            assert!(
                refused.code == 2 && refused.stderr.contains("no session says who is asked"),
                "{host}: {refused:?}"
            );
        }
    }
}

// The model reads that it may continue, and the current plan
#[test]
fn the_agent_is_told_that_it_may_go_on() {
    let world = unapproved();
    let session = Session::at_work_on(&world, "a");
    asks(&session);
    let answer = session.event("UserPromptSubmit", json!({ "prompt": "ok" }));
    let text = answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default();
    assert!(text.contains("plan approved by Ada") && text.contains("→ Step 1: wire it"), "{answer}");
    assert!(text.contains("  now: 1. wire it\n") && !text.contains("held: "), "{answer}");
    session.edits();
    assert!(session.is_pushed("done"), "nobody is waited for");
}

// If the review has expired or the plan has changed, nothing is approved, and both are told
#[test]
fn an_ok_that_comes_too_late_approves_nothing_and_says_so() {
    let late = unapproved().configured("review_ttl: 0\n");
    let changed = unapproved();
    for (world, expected) in [(&late, "expired"), (&changed, "the plan changed since it was shown")] {
        let session = Session::at_work_on(world, "a");
        asks(&session);
        world.write("plan.md", world.plan_md().replace("eviction", "evict all"));
        let before = world.plan_md();
        let answer = session.event("UserPromptSubmit", json!({ "prompt": "ok" }));
        for said in [&answer["systemMessage"], &answer["hookSpecificOutput"]["additionalContext"]] {
            assert!(said.as_str().unwrap_or_default().contains(expected), "{expected}: {answer}");
        }
        assert_eq!(world.plan_md(), before, "{expected}");
        assert!(session.event("UserPromptSubmit", json!({ "prompt": "ok" })) == Value::Null, "{expected}: said once");
    }
}

// CONTRACT.md §1: the verb is for the hook; a turn of `plan loop run` is not a message of a person
#[test]
fn nobody_but_a_hook_passes_an_ok_on() {
    let world = unapproved();
    let session = Session::at_work_on(&world, "a");
    asks(&session);
    let before = world.plan_md();
    let output = world.plan(["__agree", "plan.md", "claude::a"]);
    assert_eq!(output.code, 4, "{output:?}");
    assert!(output.stderr.contains("a hook of the host passes an OK on"), "{output:?}");
    let payload =
        json!({ "hook_event_name": "UserPromptSubmit", "session_id": "a", "cwd": world.root(), "prompt": "ok" });
    assert_eq!(world.call(["hook", "claude"]).env("PLAN_LOOP", "1").stdin(payload.to_string()).run().code, 0);
    assert_eq!(world.plan_md(), before);
}
