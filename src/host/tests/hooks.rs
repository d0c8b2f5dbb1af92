//! Hooks of pi, Gemini CLI, opencode and Qwen Code: payloads of the real clients, and the answers to them.

use std::ffi::OsString;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::{NOTHING, host};
use crate::host::HOSTS;
use crate::session::{HookAnswer, Moment, SessionEvent, SessionStart, Stop, ToolCall, ToolKind};

fn event(name: &str, payload: impl AsRef<[u8]>) -> Option<SessionEvent> {
    host(name).hooks().event(payload.as_ref(), &NOTHING)
}

fn moment(name: &str, payload: impl AsRef<[u8]>) -> Option<Moment> {
    event(name, payload).map(|event| event.moment)
}

/// Returns the answer to the host as JSON; `None` without an answer.
fn answered(name: &str, payload: impl AsRef<[u8]>, answer: &HookAnswer) -> Option<Value> {
    let payload = payload.as_ref();
    let event = event(name, payload).expect("an event");
    let reply = host(name).hooks().answer(payload, &event, answer)?;
    Some(serde_json::from_str(&reply.stdout).expect("JSON"))
}

macro_rules! sample {
    ($name:literal) => {
        include_str!(concat!("../../../fixtures/hosts/", $name, ".json"))
    };
}

fn changed(sample: &str, key: &str, value: impl Into<Value>) -> String {
    let mut payload: Value = serde_json::from_str(sample).expect("JSON");
    payload[key] = value.into();
    payload.to_string()
}

fn text() -> HookAnswer {
    HookAnswer::Context("<plan>&\n</plan>".to_owned())
}

fn tool(kind: ToolKind, paths: &[&str]) -> ToolCall {
    ToolCall { kind, paths: paths.iter().map(|path| (*path).to_owned()).collect(), review: None }
}

/// Returns the tool calls of a moment.
fn tools(moment: Option<Moment>) -> Vec<ToolCall> {
    match moment {
        Some(Moment::After(tools)) => tools,
        Some(Moment::Before(tool)) => vec![tool],
        other => panic!("no tools: {other:?}"),
    }
}

#[test]
fn gemini_tells_its_events() {
    let start = event("gemini", sample!("gemini-SessionStart")).expect("an event");
    assert_eq!(start.session, "a134488d-2d5c-4675-978c-c1e66b0b1662");
    assert_eq!(start.cwd, Some(PathBuf::from("/project")));
    assert_eq!(start.moment, Moment::Start(SessionStart::Fresh));
    let request = event("gemini", sample!("gemini-BeforeModel")).expect("an event");
    assert_eq!((request.moment, request.model.as_deref()), (Moment::Request, Some("gemini-2.5-flash")));
    let read = tool(ToolKind::Reads, &["README.md"]);
    assert_eq!(tools(moment("gemini", sample!("gemini-BeforeTool"))), [read]);
    let status = tool(ToolKind::Ours("status".into()), &[]);
    assert_eq!(tools(moment("gemini", sample!("gemini-AfterTool"))), [status]);
    let stop = Stop { reply: "calling\nI am done (1)".to_owned(), ..Stop::default() };
    assert_eq!(moment("gemini", sample!("gemini-AfterAgent")), Some(Moment::Stop(stop)));
    let again = changed(sample!("gemini-AfterAgent"), "stop_hook_active", true);
    assert!(matches!(moment("gemini", again), Some(Moment::Stop(Stop { is_again: true, .. }))));
    assert_eq!(moment("gemini", sample!("gemini-SessionEnd")), Some(Moment::End));
    assert_eq!(event("gemini", sample!("gemini-PreCompress")), None, "it comes before every request");
    let kinds = ["write_file", "replace", "run_shell_command"].map(|name| {
        let payload = changed(sample!("gemini-AfterTool"), "tool_name", name);
        tools(moment("gemini", payload)).remove(0).kind
    });
    assert_eq!(
        kinds,
        [ToolKind::Edits { whole: false }, ToolKind::Edits { whole: false }, ToolKind::Runs("A\n".into())]
    );
}

#[test]
fn a_prompt_of_gemini_is_told_without_what_other_hooks_put_in_front_of_it() {
    let prompt = |text: &str| moment("gemini", changed(sample!("gemini-BeforeAgent"), "prompt", text));
    assert_eq!(moment("gemini", sample!("gemini-BeforeAgent")), Some(Moment::Prompt("do the work".to_owned())));
    for odd in ["<hook_context>never closed", "a <hook_context>b</hook_context>"] {
        assert_eq!(prompt(odd), Some(Moment::Prompt(odd.to_owned())));
    }
}

// P-58
#[test]
fn a_request_of_gemini_keeps_its_messages_and_takes_the_block_as_the_last() {
    let answer = answered("gemini", sample!("gemini-BeforeModel"), &text()).expect("an answer");
    let sent: Value = serde_json::from_str(sample!("gemini-BeforeModel")).expect("JSON");
    let mut messages = sent["llm_request"]["messages"].as_array().expect("a list").clone();
    messages.push(json!({ "role": "user", "content": "<plan>&\n</plan>" }));
    assert_eq!(
        answer,
        json!({ "hookSpecificOutput": { "hookEventName": "BeforeModel", "llm_request": { "messages": messages } } })
    );
    let none = changed(sample!("gemini-BeforeModel"), "llm_request", json!({ "messages": [] }));
    let answer = answered("gemini", none, &text()).expect("an answer");
    assert_eq!(answer["hookSpecificOutput"]["llm_request"]["messages"].as_array().map(Vec::len), Some(1));
    let shapeless = changed(sample!("gemini-BeforeModel"), "llm_request", json!({ "contents": [] }));
    assert_eq!(event("gemini", shapeless), None, "what cannot be echoed is not answered");
}

#[test]
fn gemini_is_answered_in_its_words() {
    let reason = |answer: Option<Value>| answer.map(|answer| (answer["decision"].clone(), answer["reason"].clone()));
    let denied = |why: &str| Some((json!("deny"), json!(why)));
    assert_eq!(reason(answered("gemini", sample!("gemini-AfterAgent"), &HookAnswer::Push("on".into()))), denied("on"));
    assert_eq!(reason(answered("gemini", sample!("gemini-BeforeTool"), &HookAnswer::Deny("no".into()))), denied("no"));
    let notice = Some(json!({ "systemMessage": "told" }));
    assert_eq!(answered("gemini", sample!("gemini-AfterAgent"), &HookAnswer::Notice("told".into())), notice);
    let after = answered("gemini", sample!("gemini-AfterTool"), &text()).expect("an answer");
    assert_eq!(after["hookSpecificOutput"]["additionalContext"], "<plan>&\n</plan>");
    for payload in [sample!("gemini-SessionStart"), sample!("gemini-BeforeAgent"), sample!("gemini-AfterAgent")] {
        assert_eq!(answered("gemini", payload, &text()), None, "it would be kept, escaped, and given again: {payload}");
    }
}

#[test]
fn qwen_tells_its_events() {
    let start = event("qwen", sample!("qwen-SessionStart")).expect("an event");
    assert_eq!((start.moment, start.model.as_deref()), (Moment::Start(SessionStart::Fresh), Some("stub-model")));
    let compacted = changed(sample!("qwen-SessionStart"), "source", "compact");
    assert_eq!(moment("qwen", compacted), Some(Moment::Start(SessionStart::Compacted)));
    assert_eq!(moment("qwen", sample!("qwen-PostCompact")), Some(Moment::Compacted));
    assert_eq!(moment("qwen", sample!("qwen-UserPromptSubmit")), Some(Moment::Prompt("do the work".to_owned())));
    let read = tool(ToolKind::Reads, &["/project/big.txt"]);
    assert_eq!(tools(moment("qwen", sample!("qwen-PostToolUse"))), std::slice::from_ref(&read));
    assert_eq!(tools(moment("qwen", sample!("qwen-PreToolUse"))), [read]);
    let stop = Stop { reply: "I am done (1)".to_owned(), ..Stop::default() };
    assert_eq!(moment("qwen", sample!("qwen-Stop")), Some(Moment::Stop(stop)));
    let agent = |name: &str| (name == "QWEN_CODE_AGENT_ID").then(|| OsString::from("agent-1"));
    let inner = host("qwen").hooks().event(sample!("qwen-PostToolUse").as_bytes(), &agent).expect("an event");
    assert!(inner.is_subagent && !start.is_subagent);
}

// P-58
#[test]
fn qwen_is_never_answered_where_it_would_stand_in_the_system_prompt_or_pile_up() {
    assert_eq!(answered("qwen", sample!("qwen-SessionStart"), &text()), None);
    assert_eq!(answered("qwen", changed(sample!("qwen-SessionStart"), "source", "compact"), &text()), None);
    let results = changed(sample!("qwen-UserPromptSubmit"), "prompt", "");
    assert_eq!(moment("qwen", &results), Some(Moment::Turn));
    assert_eq!(answered("qwen", results, &text()), None);
    assert_eq!(answered("qwen", sample!("qwen-PostCompact"), &text()), None);
    for (payload, name) in
        [(sample!("qwen-UserPromptSubmit"), "UserPromptSubmit"), (sample!("qwen-PostToolUse"), "PostToolUse")]
    {
        let said = json!({ "hookEventName": name, "additionalContext": "<plan>&\n</plan>" });
        assert_eq!(answered("qwen", payload, &text()), Some(json!({ "hookSpecificOutput": said })));
    }
    let push = json!({ "decision": "block", "reason": "on" });
    assert_eq!(answered("qwen", sample!("qwen-Stop"), &HookAnswer::Push("on".into())), Some(push));
}

/// Returns a payload of our extensions (`plan.ts`), with the client's own name of the event.
fn ours(event: &str, more: Value) -> String {
    let mut payload =
        json!({ "hook_event_name": event, "session_id": "s1", "cwd": "/project", "model": "stub/stub-model" });
    if let (Some(payload), Value::Object(more)) = (payload.as_object_mut(), more) {
        payload.extend(more);
    }
    payload.to_string()
}

#[test]
fn the_extension_of_pi_tells_its_events() {
    let start = event("pi", ours("session_start", json!({ "source": "startup" }))).expect("an event");
    assert_eq!((start.session.as_str(), start.model.as_deref()), ("s1", Some("stub/stub-model")));
    assert_eq!(start.moment, Moment::Start(SessionStart::Fresh));
    for (reason, expected) in
        [("new", SessionStart::Cleared), ("resume", SessionStart::Resumed), ("reload", SessionStart::Resumed)]
    {
        let found = moment("pi", ours("session_start", json!({ "source": reason })));
        assert_eq!(found, Some(Moment::Start(expected)), "{reason}");
    }
    assert_eq!(moment("pi", ours("input", json!({ "prompt": "go" }))), Some(Moment::Prompt("go".into())));
    assert_eq!(moment("pi", ours("context", json!({}))), Some(Moment::Request));
    let calls = json!({ "tool_calls": [{ "tool_name": "edit", "tool_input": { "path": "a" } }, { "tool_name": "bash", "tool_input": { "command": "ls" } }] });
    let expected = [tool(ToolKind::Edits { whole: false }, &["a"]), tool(ToolKind::Runs("ls".into()), &[])];
    assert_eq!(tools(moment("pi", ours("turn_end", calls))), expected, "one batch is one turn");
    let stop = Stop { reply: "done".into(), ..Stop::default() };
    let settle = ours("agent_before_settle", json!({ "last_assistant_message": "done" }));
    assert_eq!(moment("pi", settle), Some(Moment::Stop(stop)));
    assert_eq!(moment("pi", ours("session_before_compact", json!({}))), Some(Moment::Compacting));
    assert_eq!(moment("pi", ours("session_compact", json!({}))), Some(Moment::Compacted));
    assert_eq!(moment("pi", ours("session_shutdown", json!({}))), Some(Moment::End));
}

#[test]
fn the_plugin_of_opencode_tells_its_events() {
    let prompt = event("opencode", ours("chat.message", json!({ "prompt": "go" }))).expect("an event");
    assert_eq!((prompt.moment, prompt.model.as_deref()), (Moment::Prompt("go".into()), Some("stub/stub-model")));
    assert_eq!(moment("opencode", ours("experimental.chat.messages.transform", json!({}))), Some(Moment::Request));
    let call = json!({ "tool_name": "edit", "tool_input": { "filePath": "a" } });
    let expected = [tool(ToolKind::Edits { whole: false }, &["a"])];
    assert_eq!(tools(moment("opencode", ours("tool.execute.after", call))), expected);
    let stop = Stop { reply: "done".into(), ..Stop::default() };
    let idle = ours("session.idle", json!({ "last_assistant_message": "done" }));
    assert_eq!(moment("opencode", idle), Some(Moment::Stop(stop)));
    assert_eq!(moment("opencode", ours("experimental.session.compacting", json!({}))), Some(Moment::Compacting));
    assert_eq!(moment("opencode", ours("session.compacted", json!({}))), Some(Moment::Compacted));
    assert_eq!(moment("opencode", ours("session.error", json!({}))), Some(Moment::Interrupted));
}

/// Clients use different names for the files and the command of a call.
#[test]
fn a_call_is_told_without_the_names_of_its_client() {
    let call = |name: &str, tool: &str, input: Value| {
        let event = if name == "codex" { "PostToolUse" } else { "tool.execute.after" };
        tools(moment(name, ours(event, json!({ "tool_name": tool, "tool_input": input })))).remove(0)
    };
    let patch = "*** Begin Patch\n*** Add File: b.py\n+x\n*** Update File: plan.md\n*** End Patch";
    let edits = |whole: bool| ToolKind::Edits { whole };
    for input in [json!(patch), json!({ "input": patch })] {
        assert_eq!(call("codex", "apply_patch", input), tool(edits(true), &["b.py", "plan.md"]));
    }
    let written = json!({ "filePath": "a", "content": "x" });
    assert_eq!(call("opencode", "write", written), tool(edits(true), &["a"]));
    for input in [json!({ "command": ["ls", "a b"] }), json!({ "cmd": "ls 'a b'" })] {
        assert_eq!(call("codex", "Bash", input).kind, ToolKind::Runs("ls 'a b'".into()));
    }
    let goal = |status: &str| call("codex", "update_goal", json!({ "status": status })).kind;
    assert_eq!([goal("complete"), goal("blocked")], [ToolKind::EndsGoal, ToolKind::Other]);
    for (name, kind) in [
        ("update_plan", ToolKind::KeepsPlan("the list that `update_plan` keeps")),
        ("create_goal", ToolKind::BeginsGoal("the goal that `create_goal` made")),
        ("mcp__plan__plan_step", ToolKind::Ours("step".into())),
        ("FindFiles", ToolKind::Reads),
        ("spawn", ToolKind::Other),
    ] {
        assert_eq!(call("codex", name, json!({})).kind, kind, "{name}");
    }
}

/// Finds the mark of a review in a tool's output, as each client sends it; marks that others wrote into it are ignored.
#[test]
fn the_run_that_a_tool_asks_for_is_read() {
    let said =
        "run_id: 1-2\n<plan_review_pending>\nobjective: run_id: 3-4\nrun_id: 2325-1a7b8e\n</plan_review_pending>\nrc=0";
    let shown = |said: &str| json!([{ "type": "text", "text": said }]).to_string();
    let run = |name: &str, payload: String| match moment(name, payload) {
        Some(Moment::After(tools)) => tools.into_iter().find_map(|tool| tool.review),
        other => panic!("no tools: {other:?}"),
    };
    let gemini = |said: &str| {
        let output =
            json!({ "llmContent": [{ "text": format!("<untrusted_context>\n{said}\n</untrusted_context>") }] });
        run("gemini", changed(sample!("gemini-AfterTool"), "tool_response", output))
    };
    let pi = |said: &str| {
        let call = json!({ "tool_name": "bash", "tool_input": { "command": "x" }, "tool_response": shown(said) });
        run("pi", ours("turn_end", json!({ "tool_calls": [{ "tool_name": "read", "tool_input": {} }, call] })))
    };
    let opencode = |said: &str| {
        let call = json!({ "tool_name": "plan_review", "tool_input": {}, "tool_response": shown(said) });
        run("opencode", ours("tool.execute.after", call))
    };
    for (said, expected) in
        [(said, Some("2325-1a7b8e")), ("ok", None), ("plan_review_pending", None), ("run_id: 1-2", None)]
    {
        for found in [gemini(said), pi(said), opencode(said)] {
            assert_eq!(found.as_deref(), expected, "{said}");
        }
    }
}

#[test]
fn extensions_are_answered_by_one_word() {
    for (name, request, stop) in
        [("pi", "context", "agent_before_settle"), ("opencode", "experimental.chat.messages.transform", "session.idle")]
    {
        let (request, stop) = (ours(request, json!({})), ours(stop, json!({})));
        assert_eq!(answered(name, &request, &text()), Some(json!({ "context": "<plan>&\n</plan>" })));
        assert_eq!(answered(name, &stop, &HookAnswer::Push("on".into())), Some(json!({ "push": "on" })));
        assert_eq!(answered(name, &stop, &HookAnswer::Notice("told".into())), Some(json!({ "notice": "told" })));
        assert_eq!(answered(name, &stop, &text()), None);
        assert_eq!(answered(name, &request, &HookAnswer::Push("on".into())), None);
        assert_eq!(answered(name, &request, &HookAnswer::Nothing), None);
    }
}

/// A line for the user is added to any other answer.
#[test]
fn a_notice_stands_beside_an_answer() {
    for (name, end) in [
        ("claude", "Stop"),
        ("codex", "Stop"),
        ("gemini", "AfterAgent"),
        ("qwen", "Stop"),
        ("pi", "agent_before_settle"),
    ] {
        let payload = format!(r#"{{"hook_event_name":"{end}","session_id":"s","last_assistant_message":"x"}}"#);
        let event = event(name, &payload).expect("an event");
        let reply = |answer: &HookAnswer| {
            let reply = host(name).hooks().reply(payload.as_bytes(), &event, answer);
            serde_json::from_str::<Value>(&reply.expect("a reply").stdout).expect("one JSON document")
        };
        let push = reply(&HookAnswer::Push("go on".to_owned()));
        let both = reply(&HookAnswer::With(Box::new(HookAnswer::Push("go on".to_owned())), "look".to_owned()));
        let notice = reply(&HookAnswer::Notice("look".to_owned()));
        for part in [&push, &notice] {
            for (key, value) in part.as_object().expect("an object") {
                assert_eq!(both.get(key), Some(value), "{name}: {both}");
            }
        }
        assert_eq!(
            reply(&HookAnswer::With(Box::new(HookAnswer::Deny("no".to_owned())), "look".to_owned())),
            notice,
            "{name}"
        );
    }
}

/// Returns every sample with the host that sent it.
fn samples() -> Vec<(&'static str, String)> {
    let mut found: Vec<(&str, String)> = [
        sample!("gemini-SessionStart"),
        sample!("gemini-BeforeAgent"),
        sample!("gemini-BeforeModel"),
        sample!("gemini-AfterTool"),
        sample!("gemini-AfterAgent"),
    ]
    .map(|payload| ("gemini", payload.to_owned()))
    .into();
    let qwen = [sample!("qwen-UserPromptSubmit"), sample!("qwen-PostToolUse"), sample!("qwen-Stop")];
    found.extend(qwen.map(|payload| ("qwen", payload.to_owned())));
    found.extend(["context", "session_compact"].map(|name| ("pi", ours(name, json!({})))));
    found.push(("opencode", ours("session.compacted", json!({}))));
    found
}

#[test]
fn nothing_is_made_of_a_broken_payload() {
    for (name, payload) in samples() {
        for key in ["session_id", "hook_event_name"] {
            for value in [json!(null), json!(""), json!(5), json!({}), json!(["x"])] {
                assert_eq!(event(name, changed(&payload, key, value.clone())), None, "{name}: {key} = {value}");
            }
        }
        assert!(event(name, changed(&payload, "no_such_field", json!({ "a": [1] }))).is_some(), "an unknown field");
        assert_eq!(event(name, changed(&payload, "hook_event_name", "NoSuchEvent")), None);
        assert_eq!(event(name, &payload[..payload.len() / 2]), None, "cut");
        assert_eq!(event(name, format!("[{payload}]")), None, "in a list");
    }
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    for host in HOSTS {
        for payload in ["", "null", "{}", "[]", "\u{0}", "{\"hook_event_name\":", &deep] {
            assert_eq!(event(host.name(), payload), None);
        }
        assert_eq!(event(host.name(), b"\xff\xfe{}".as_slice()), None);
    }
}

#[test]
fn a_session_of_any_name_is_taken_as_it_comes() {
    for id in ["../../x", "a\u{0}b", &"x".repeat(10_000)] {
        for (name, payload) in samples() {
            assert_eq!(event(name, changed(&payload, "session_id", id)).expect("an event").session, id);
        }
    }
    for cwd in ["", "relative", "../x"] {
        assert_eq!(event("qwen", changed(sample!("qwen-Stop"), "cwd", cwd)).expect("an event").cwd, None, "{cwd}");
    }
}

#[test]
fn megabytes_come_through() {
    let long = "x\n\"<".repeat(500_000);
    let payload = changed(sample!("gemini-AfterTool"), "tool_response", "x".repeat(10_000_000));
    assert!(matches!(moment("gemini", payload), Some(Moment::After(_))));
    let messages = json!({ "model": "m", "messages": [{ "role": "user", "content": long }] });
    let payload = changed(sample!("gemini-BeforeModel"), "llm_request", messages);
    let answer = answered("gemini", payload, &text()).expect("an answer");
    assert_eq!(answer["hookSpecificOutput"]["llm_request"]["messages"][0]["content"], long.as_str());
}
