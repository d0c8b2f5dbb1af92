//! Input that a client, a model or a repository should not send, but may.

use serde_json::{Value, json};

use super::sign_off;
use crate::support::World;
use crate::support::judge::{HONEST, PLAN, world};
use crate::support::mcp::Client;

#[test]
fn garbage_is_answered_and_the_session_goes_on() {
    let world = world();
    let mut client = Client::start(&world);
    for early in [
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
        "",
        "   ",
        "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}",
    ] {
        client.line(early);
    }
    let listed = client.ask("tools/list", json!({}));
    assert_eq!(listed["error"]["code"], -32600);
    let broken = client.ask("initialize", json!({ "protocolVersion": 7 }));
    assert_eq!(broken["error"]["code"], -32602, "{broken}");
    let mut client = client.greeted(json!({}));
    let many = format!("\"{}", "x".repeat(10 << 20));
    for (line, id, code) in [
        (&b"not json"[..], Value::Null, -32700),
        (b"{\"jsonrpc\":", Value::Null, -32700),
        (b"\xff\xfe", Value::Null, -32700),
        (b"[1]", Value::Null, -32600),
        (b"7", Value::Null, -32600),
        (b"{}", Value::Null, -32600),
        (b"{\"id\":4}", json!(4), -32600),
        (b"{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\",\"params\":7}", json!(5), -32602),
        (b"{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"tools/call\",\"params\":{\"arguments\":{}}}", json!(8), -32602),
        (b"{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"tools/call\"}", json!(9), -32602),
        (b"{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"no/such\"}", json!(6), -32601),
        (b"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"resources/read\",\"params\":{\"uri\":\"x\"}}", json!(7), -32601),
        (many.as_bytes(), Value::Null, -32700),
    ] {
        client.line(line);
        let answer = client.receive();
        let shown = String::from_utf8_lossy(&line[..line.len().min(80)]).into_owned();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&id, &json!(code)), "{shown}: {answer}");
    }
    client.tell("no/such/notification", json!({ "x": [] }));
    assert_eq!(client.ask("ping", json!({}))["result"], json!({}));
    assert!(client.close().success());
}

#[test]
fn a_line_without_end_is_dropped() {
    let world = world();
    let mut client = Client::open(&world);
    let block = vec![b'x'; 1 << 20];
    let mut line = Vec::with_capacity(66 << 20);
    (0..65).for_each(|_| line.extend_from_slice(&block));
    client.line(line);
    let answer = client.receive();
    assert_eq!(answer["error"]["code"], -32700, "{answer}");
    assert_eq!(client.ask("ping", json!({}))["result"], json!({}));
}

// P-3
#[test]
fn an_input_that_no_tool_takes_is_refused_in_words() {
    let world = world();
    let mut client = Client::open(&world);
    for (tool, input, words) in [
        ("plan_log", json!({ "text": "x", "more": 1 }), "unknown field `more`; this call takes `text`"),
        ("plan_log", json!({}), "expected `text`, found none"),
        ("plan_log", json!({ "text": ["x"] }), "expected text for `text`, found [\"x\"]"),
        ("plan_log", json!({ "text": "a\0b" }), "`text` has a NUL character"),
        ("plan_goal", json!({ "do": "complete", "goal": "fast-1" }), "expected `do` to be add, start"),
        ("plan_step", json!({ "do": "__call", "step": "1" }), "expected `do` to be start, done"),
        ("plan_step", json!({ "do": "run", "step": "1", "yes": true }), "unknown field `yes`"),
        ("plan_complete", json!({ "goal": "fast-1", "detach": "yes" }), "expected true or false for `detach`"),
        ("plan_log", json!({ "text": "x".repeat(10 << 20) }), "expected at most 100000 bytes of input"),
    ] {
        let answer = client.call(tool, input);
        assert!(answer.is_error && answer.exit() == 2 && answer.text.contains(words), "{answer:?}");
    }
    let unknown = client.ask("tools/call", json!({ "name": "plan_rewrite", "arguments": {} }));
    assert_eq!(unknown["error"]["code"], -32602);
    let bare = client.ask("tools/call", json!({ "name": "plan_show" }));
    assert_eq!(bare["result"]["isError"], false, "{bare}");
    assert_eq!(world.plan_md(), PLAN);
}

/// Text stays text: no value of a field becomes an option, a verb or a stream.
#[test]
fn no_text_passes_for_an_option() {
    let world = world();
    let mut client = Client::open(&world);
    for text in ["--help", "--file=/etc/passwd", "-C/", "--json", "done", "help"] {
        let answer = client.done("plan_log", json!({ "text": text }));
        assert_eq!(answer.text, format!("2026-06-15 14:33  {text}"));
    }
    for id in ["--yes", "-", "--all"] {
        let answer = client.call("plan_show", json!({ "goal": id }));
        assert!(answer.exit() == 2 && answer.text.contains("no goal"), "{answer:?}");
    }
    let added = client.call("plan_goal", json!({ "do": "add", "subject": "-", "needs": [] }));
    assert_eq!(added.exit(), 2, "{added:?}");
}

/// A judge may read but not act, by any tool.
#[test]
fn inside_a_judge_nothing_is_written() {
    let world = world().env("PLAN_JUDGE_SESSION", "1").judge("judge", HONEST, "accept");
    let mut client = Client::open(&world);
    assert!(client.done("plan_show", json!({})).text.contains("Make it fast"));
    for (tool, input) in [
        ("plan_log", json!({ "text": "x" })),
        ("plan_goal", json!({ "do": "start", "goal": "docs-1" })),
        ("plan_goal", json!({ "do": "add", "subject": "x" })),
        ("plan_step", json!({ "do": "start", "step": "1" })),
        ("plan_step", json!({ "do": "run", "step": "1" })),
        ("plan_progress", json!({ "done": true })),
        ("plan_pause", json!({ "why": "x" })),
        ("plan_complete", sign_off()),
    ] {
        let answer = client.call(tool, input);
        assert!(answer.is_error && answer.exit() == 4, "{answer:?}");
        assert!(answer.text.contains("inside a judge"), "{answer:?}");
    }
    assert_eq!(world.plan_md(), PLAN);
}

/// A plan that is far too large for a model is cut, and the answer stays JSON.
#[test]
fn a_long_answer_is_cut() {
    let goals: String = (0..3000)
        .map(|at| format!("## Goal: Number {at} \u{202e}\u{1b}[31m\n<!-- id: g-{at} -->\nstatus: open\n\n"))
        .collect();
    let world = World::new().file("plan.md", format!("# Plan: x\n\n{goals}"));
    let mut client = Client::open(&world);
    let shown = client.done("plan_show", json!({}));
    assert!(shown.text.len() < 61_000 && shown.text.contains("more bytes"), "{}", shown.text.len());
    assert!(!shown.text.contains('\u{1b}') && !shown.text.contains('\u{202e}'));
    assert!(client.done("plan_show", json!({ "goal": "g-2999" })).text.contains("Number 2999"));
}
