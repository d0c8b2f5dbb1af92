//! A push that a host passes to its hooks like a user's message, and hosts whose requests have the block anyway.

use serde_json::{Value, json};

use super::PLAN;
use crate::support::{World, assert_has_each_host};

/// The form that a client gives to a push before it hands it back.
type Change = fn(&str) -> String;

/// The answer for `host`; `Null` if there is none.
fn event(world: &World, host: &str, name: &str, more: Value) -> Value {
    let mut payload = json!({ "hook_event_name": name, "session_id": "s1", "cwd": world.root() });
    payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let output = world.call(["hook", host]).stdin(payload.to_string()).run();
    assert_eq!((output.code, &*output.stderr), (0, ""), "{}", output.stdout);
    if output.stdout.is_empty() { Value::Null } else { serde_json::from_str(&output.stdout).unwrap() }
}

/// A host's names for a message, for a tool that ran, and for the end of a turn.
const NAMES: [(&str, [&str; 3]); 4] = [
    ("gemini", ["BeforeAgent", "AfterTool", "AfterAgent"]),
    ("qwen", ["UserPromptSubmit", "PostToolUse", "Stop"]),
    ("pi", ["input", "turn_end", "agent_before_settle"]),
    ("opencode", ["chat.message", "tool.execute.after", "session.idle"]),
];

/// Hosts that hand no push back, and have the block once in a conversation: the other tests of this folder call them.
const OTHERS: [&str; 2] = ["claude", "codex"];

#[test]
fn every_host_is_known_here() {
    let names = NAMES.iter().map(|(host, _)| *host).chain(OTHERS);
    assert_has_each_host(names, "NAMES and OTHERS in tests/it/hooks/handed_back.rs");
}

/// The text that sends an agent on after it ended a turn; `None` if it may stop.
fn stop(world: &World, host: &str, name: &str) -> Option<String> {
    let answer = event(world, host, name, json!({ "last_assistant_message": "done", "prompt_response": "done" }));
    let text = answer["push"].as_str().or(answer["reason"].as_str());
    text.map(str::to_owned)
}

// P-25
#[test]
fn an_agent_that_answers_text_for_ever_is_let_go_though_its_host_hands_the_push_back() {
    for (host, [prompt, after, end]) in NAMES {
        let world = World::new();
        world.write("plan.md", PLAN);
        event(&world, host, prompt, json!({ "prompt": "go on" }));
        let call = json!({ "tool_name": "write", "tool_input": { "path": "plan.md" } });
        let call = match host {
            "pi" => json!({ "tool_calls": [call] }),
            "opencode" => call,
            _ => json!({ "tool_name": "write_file", "tool_input": { "file_path": "plan.md" } }),
        };
        event(&world, host, after, call);
        let mut pushes = 0;
        while let Some(push) = stop(&world, host, end) {
            pushes += 1;
            assert!(pushes <= 5, "{host}: sent on for ever");
            let back = event(&world, host, prompt, json!({ "prompt": push.trim() }));
            assert_eq!(back, Value::Null, "{host}: a push is answered like a message");
        }
        assert_eq!(pushes, 5, "{host}");
        event(&world, host, prompt, json!({ "prompt": "now the rest" }));
        let (name, key) =
            if matches!(host, "pi" | "opencode") { ("write", "path") } else { ("write_file", "file_path") };
        let call = json!({ "tool_name": name, "tool_input": { key: "a.py" } });
        let mut more = call.clone();
        more["tool_calls"] = json!([call]);
        event(&world, host, after, more);
        assert!(stop(&world, host, end).is_some(), "{host}: a person's message counts");
    }
}

// P-69
#[test]
fn a_push_holds_the_block_only_where_the_next_request_does_not() {
    for (host, [prompt, after, end]) in NAMES {
        let world = World::new();
        world.write("plan.md", PLAN);
        event(&world, host, prompt, json!({ "prompt": "go on" }));
        let input = json!({ "path": "plan.md" });
        let name = if host == "gemini" || host == "qwen" { "write_file" } else { "write" };
        let calls = json!([{ "tool_name": name, "tool_input": input }]);
        event(&world, host, after, json!({ "tool_name": name, "tool_input": input, "tool_calls": calls }));
        let push = stop(&world, host, end).expect("a push");
        assert_eq!(push.matches("<plan ").count(), usize::from(host == "qwen"), "{host}: {push}");
        assert!(!push.contains("\n\n\n"), "{host}: {push}");
    }
}

// The host, or another hook, added its own text
#[test]
fn a_push_that_comes_back_changed_is_known_all_the_same() {
    let wrapped: [(&str, Change); 4] = [
        ("qwen", |push| push.replace('\n', "\r\n")),
        ("qwen", |push| format!("{push}\n\n<qwen:user-prompt-submit-context>\nx\n</qwen:user-prompt-submit-context>")),
        ("gemini", |push| format!("<hook_context>a</hook_context>\n\n<hook_context>b</hook_context>\n\n{push}")),
        ("pi", |push| format!("From a hook: é\n{push}")),
    ];
    for (host, change) in wrapped {
        let [prompt, after, end] = NAMES.iter().find(|(name, _)| *name == host).unwrap().1;
        let world = World::new();
        world.write("plan.md", PLAN);
        event(&world, host, prompt, json!({ "prompt": "go on" }));
        let (name, key) = if host == "pi" { ("write", "path") } else { ("write_file", "file_path") };
        let call = json!({ "tool_name": name, "tool_input": { key: "plan.md" } });
        let mut more = call.clone();
        more["tool_calls"] = json!([call]);
        event(&world, host, after, more.clone());
        let mut pushes = 0;
        while let Some(push) = stop(&world, host, end) {
            pushes += 1;
            assert!(pushes <= 5, "{host}: sent on for ever");
            let back = event(&world, host, prompt, json!({ "prompt": change(push.trim()) }));
            assert_eq!(back, Value::Null, "{host}");
            event(&world, host, after, more.clone());
        }
        assert_eq!(pushes, 5, "{host}");
    }
}

// P-52: agent and user hear it at once, in each host's own words
#[test]
fn a_goal_ticked_by_hand_is_told_of_by_every_host() {
    for (host, [prompt, after, _]) in NAMES {
        let world = World::new();
        world.write("plan.md", PLAN);
        event(&world, host, prompt, json!({ "prompt": "go on" }));
        let request = match host {
            "pi" => Some("context"),
            "gemini" => Some("BeforeModel"),
            "opencode" => Some("experimental.chat.messages.transform"),
            _ => None,
        };
        let ask = |name: &str| {
            event(&world, host, name, json!({ "llm_request": { "model": "m", "messages": [] } })).to_string()
        };
        request.map(ask);
        world.write("plan.md", PLAN.replace("status: active", "status: done"));
        let input = json!({ "path": "plan.md", "file_path": "plan.md" });
        let name = if host == "gemini" || host == "qwen" { "write_file" } else { "write" };
        let calls = json!([{ "tool_name": name, "tool_input": input }]);
        let done = event(&world, host, after, json!({ "tool_name": name, "tool_input": input, "tool_calls": calls }));
        let asked = request.map(ask).unwrap_or_default();
        let said = "cache-1: done without a sign-off";
        let person = |answer: &str| answer.contains(&format!("plan: {said}"));
        assert!(person(&done.to_string()) != person(&asked), "{host}: the person, once: {done} {asked}");
        let agent = if asked.is_empty() { done["hookSpecificOutput"].to_string() } else { asked };
        assert!(agent.contains(said), "{host}: the agent: {agent}");
    }
}
