//! Features of Codex: its own goals, and tools that name another folder.

use serde_json::{Value, json};

use super::{PLAN, world};
use crate::support::World;

/// The answer of the hook; `Null` if there is none.
fn event(world: &World, name: &str, more: Value) -> Value {
    let mut payload = json!({ "hook_event_name": name, "session_id": "s1", "cwd": world.root() });
    payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let output = world.call(["hook", "codex"]).stdin(payload.to_string()).run();
    assert_eq!((output.code, &*output.stderr), (0, ""), "{}", output.stdout);
    if output.stdout.is_empty() { Value::Null } else { serde_json::from_str(&output.stdout).unwrap() }
}

fn runs(world: &World, line: &str) -> Value {
    event(world, "PostToolUse", json!({ "tool_name": "Bash", "tool_input": { "command": line } }))
}

fn is_pushed(world: &World) -> bool {
    event(world, "Stop", json!({ "last_assistant_message": "done" }))["decision"] == "block"
}

/// The reason why its own goal may not be completed; `None` if it may.
fn denied(world: &World) -> Option<String> {
    let call = json!({ "tool_name": "update_goal", "tool_input": { "status": "complete" } });
    let answer = event(world, "PreToolUse", call);
    answer["hookSpecificOutput"]["permissionDecisionReason"].as_str().map(str::to_owned)
}

fn at_work(world: &World) {
    event(world, "SessionStart", json!({ "source": "startup" }));
    event(world, "UserPromptSubmit", json!({ "prompt": "do it" }));
    runs(world, "plan log x");
}

fn tick(world: &World, id: &str) {
    let head = format!("<!-- id: {id} -->\n");
    let text = world.plan_md().replace(&format!("{head}status: active\n"), &head);
    world.write("plan.md", text.replace(&head, &format!("{head}status: done\n")));
}

// P-52: README, "a false `update_goal complete` is denied"
#[test]
fn a_goal_that_was_ticked_by_hand_completes_none_of_the_hosts() {
    let world = world();
    tick(&world, "docs-1");
    at_work(&world);
    assert!(denied(&world).unwrap().contains("`cache-1`"));
    tick(&world, "cache-1");
    runs(&world, "sed -i s/active/done/ plan.md");
    let why = denied(&world).unwrap();
    assert!(why.contains("`cache-1`") && why.contains("marked done by hand"), "{why}");
    assert_eq!(world.plan(["goal", "start", "cache-1", "--no-baseline"]).code, 0);
    assert_eq!(world.plan(["goal", "cancel", "cache-1", "not needed"]).code, 0);
    assert_eq!(denied(&world), None, "the other one was so before the session began: that is the person's affair");
    assert_eq!(world.plan(["goal", "start", "cache-1", "--no-baseline"]).code, 0);
    assert!(denied(&world).is_some());
    assert_eq!(world.plan(["progress", "--done"]).code, 0);
    assert_eq!(denied(&world), None, "an honest way out");
}

// FACTS: the `cwd` in a tool's event is that of the call, but the process runs in the folder of the session
#[test]
fn a_tool_that_runs_elsewhere_is_one_of_this_session() {
    let world = world().file("services/a/plan.md", PLAN.replace("Faster search", "Service A"));
    at_work(&world);
    event(&world, "UserPromptSubmit", json!({ "prompt": "now there" }));
    let call = json!({ "tool_name": "Bash", "tool_input": { "command": "make" }, "cwd": world.path("services/a") });
    world.write("services/a/made.txt", "made");
    assert_eq!(event(&world, "PostToolUse", call), Value::Null, "the plan of another folder is none of its own");
    assert!(is_pushed(&world), "it acted");
}

// If an agent tells its host that it is blocked, `plan` does not send it on either.
#[test]
fn a_goal_of_the_hosts_that_is_blocked_is_left_to_it() {
    let world = world();
    at_work(&world);
    let tool =
        |name: &str, input: Value| event(&world, "PostToolUse", json!({ "tool_name": name, "tool_input": input }));
    tool("create_goal", json!({ "objective": "x" }));
    assert!(!is_pushed(&world));
    tool("update_goal", json!({ "status": "blocked" }));
    assert!(!is_pushed(&world));
    tool("update_goal", json!({ "status": "complete" }));
    assert!(is_pushed(&world));
}

/// A command that may write, called in a turn.
fn runs_in(world: &World, turn: &str, call: &str, transcript: &str) -> Value {
    let tool = json!({ "tool_name": "Bash", "tool_input": { "command": "make" }, "turn_id": turn, "tool_use_id": call,
        "transcript_path": transcript });
    event(world, "PostToolUse", tool)
}

// P-60: four tools that were called at once are one turn
#[test]
fn what_shares_a_turn_is_one_turn() {
    let world = world();
    event(&world, "SessionStart", json!({ "source": "startup" }));
    for turn in ["t1", "t2"] {
        for call in ["a", "b", "c", "d"] {
            assert_eq!(runs_in(&world, turn, call, "/nowhere"), Value::Null, "{turn} {call}");
        }
    }
    let answer = runs_in(&world, "t3", "a", "/nowhere").to_string();
    assert!(answer.contains("plan.md has not changed for some turns"), "{answer}");
}

// P-60: one message of a person may mean hours of work, all with one `turn_id`: each request in it counts as a turn
#[test]
fn a_request_within_a_turn_is_a_turn() {
    let world = world();
    event(&world, "SessionStart", json!({ "source": "startup" }));
    let mut rollout = "{\"type\":\"event_msg\",\"payload\":{\"type\":\"task_started\"}}\n".to_owned();
    let filler = format!("{{\"type\":\"response_item\",\"payload\":{{\"output\":\"{}\"}}}}\n", "x".repeat(100_000));
    let path = world.base().join("rollout.jsonl");
    let mut answers = Vec::new();
    for request in 0..3 {
        let calls: Vec<String> = (0..4).map(|tool| format!("call_{request}_{tool}")).collect();
        for call in &calls {
            rollout += &format!("{{\"payload\":{{\"type\":\"function_call\",\"call_id\":\"{call}\"}}}}\n");
        }
        for call in &calls {
            std::fs::write(&path, &rollout).unwrap();
            answers.push(runs_in(&world, "t1", call, path.to_str().unwrap()));
            // Some of their output is there before all of them have ended.
            rollout += &filler;
        }
        rollout += "{\"type\":\"event_msg\",\"payload\":{\"type\":\"token_count\",\"info\":null}}\n";
    }
    let reminded: Vec<usize> = (0..answers.len()).filter(|at| !answers[*at].is_null()).collect();
    assert_eq!(reminded, [8], "with the first tool of the third request: {answers:?}");
}

// The earlier text is still in the conversation that goes on.
#[test]
fn an_unchanged_plan_is_not_said_again_when_a_session_goes_on() {
    let world = world();
    let resumed = || event(&world, "SessionStart", json!({ "source": "resume" }));
    assert!(!event(&world, "SessionStart", json!({ "source": "startup" })).is_null());
    for _ in 0..3 {
        assert_eq!(resumed(), Value::Null);
        assert_eq!(event(&world, "UserPromptSubmit", json!({ "prompt": "and now?" })), Value::Null);
    }
    world.write("plan.md", world.plan_md().replace("p95 < 50ms", "p95 < 40ms"));
    let answer = resumed().to_string();
    assert!(answer.contains("p95 < 40ms") && answer.contains("## Goal: Document it"), "the whole plan: {answer}");
    event(&world, "SessionStart", json!({ "source": "compact" }));
    assert_eq!(resumed(), Value::Null);
}

// A pipe in the place of the conversation has no end, and a hook that waits for one is killed.
#[test]
fn a_pipe_that_is_named_as_the_conversation_is_not_waited_for() {
    let world = world();
    at_work(&world);
    let pipe = world.path("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let call = json!({
        "hook_event_name": "PostToolUse", "session_id": "s1", "cwd": world.root(), "tool_name": "Bash",
        "tool_input": { "command": "plan log y" }, "turn_id": "t1", "tool_use_id": "c1", "transcript_path": pipe,
    });
    let output = world.call(["hook", "codex"]).stdin(call.to_string()).limit(std::time::Duration::from_secs(20)).run();
    assert_eq!((output.code, &*output.stderr), (0, ""), "{}", output.stdout);
}
