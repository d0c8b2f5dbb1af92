//! Cancelled, closed, killed: nothing is written, nothing is left running. (A world checks that when it is dropped.)

use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::json;

use super::{sign_off, slow};
use crate::support::World;
use crate::support::judge::{PLAN, world};
use crate::support::mcp::Client;

/// A client with a sign-off whose judge is running.
fn busy(world: &World) -> (Client, u64) {
    let mut client = Client::open(world);
    let id = client.begin("plan_complete", sign_off());
    while !client.heard("notifications/progress")["params"]["message"].as_str().unwrap().contains("judge") {}
    (client, id)
}

#[track_caller]
fn idle(world: &World) {
    let start = Instant::now();
    while world.plan(["complete", "fast-1", "--wait", "0"]).stdout.contains("running") {
        assert!(start.elapsed() < Duration::from_secs(10));
    }
}

#[test]
fn a_call_that_is_cancelled_ends_alone() {
    let world = slow();
    let (mut client, id) = busy(&world);
    let other = client.begin("plan_complete", json!({ "goal": "fast-1", "wait": 1 }));
    client.tell("notifications/cancelled", json!({ "requestId": id, "reason": "tired" }));
    // The other caller hears that the check gave no result, and later calls are answered.
    client.result(other);
    assert!(!client.ask("ping", json!({})).to_string().contains("error"));
    assert_eq!(world.plan_md(), PLAN);
    assert!(client.aside.iter().all(|message| message["id"] != id), "{:?}", client.aside);
    let shown = client.done("plan_show", json!({}));
    assert!(shown.text.contains("Make it fast"));
    idle(&world);
    assert!(client.close().success());
    assert_eq!(world.plan_md(), PLAN);
}

/// opencode does this after every call.
#[test]
fn a_call_that_is_cancelled_after_its_answer_is_left_alone() {
    let world = world();
    let mut client = Client::open(&world);
    for round in 0..3 {
        let id = client.begin("plan_log", json!({ "text": format!("round {round}") }));
        assert_eq!(client.result(id).exit(), 0);
        for id in [json!(id), json!(9999), json!("x")] {
            client.tell("notifications/cancelled", json!({ "requestId": id, "reason": "done" }));
        }
    }
    assert_eq!(client.ask("ping", json!({}))["result"], json!({}));
    assert_eq!(world.plan_md().matches("round").count(), 3);
}

#[test]
fn closed_stdin_is_the_end() {
    let world = world();
    for client in [Client::start(&world), Client::open(&world)] {
        assert_eq!(client.close().code(), Some(0));
    }
}

/// Requests before the end are answered, as for a script that pipes its requests in.
#[test]
fn a_quick_answer_outlives_the_input() {
    let world = world();
    let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "x", "version": "1" } } });
    let list = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" });
    let output = world.call(["mcp"]).stdin(format!("{hello}\n{list}")).run();
    assert_eq!((output.code, output.stdout.lines().count(), &*output.stderr), (0, 2, ""), "{output:?}");
}

#[test]
fn a_signal_or_closed_stdin_is_the_end_of_a_check() {
    let closes = || {
        let world = slow();
        let (client, _) = busy(&world);
        let start = Instant::now();
        assert_eq!(client.close().code(), Some(0));
        assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
        assert_eq!(world.plan_md(), PLAN);
    };
    let ends = |signal| {
        let world = slow();
        let (client, _) = busy(&world);
        client.signal(signal);
        assert_eq!(client.wait().code(), Some(130), "{signal:?}");
        assert_eq!(world.plan_md(), PLAN);
    };
    // All at once: each waits for its judge to end.
    std::thread::scope(|scope| {
        scope.spawn(closes);
        for signal in [Signal::TERM, Signal::INT, Signal::HUP] {
            scope.spawn(move || ends(signal));
        }
    });
    let world = world();
    let client = Client::open(&world);
    client.signal(Signal::TERM);
    assert_eq!(client.wait().code(), Some(130));
}

#[test]
fn who_is_killed_leaves_nothing_running() {
    let world = slow().crashes();
    let (client, _) = busy(&world);
    client.signal(Signal::KILL);
    client.wait();
    // The call that it leaves behind ends its judge first, within its grace time.
    let start = Instant::now();
    while world.call_program("pgrep", ["-f", world.base().to_str().unwrap()]).run().code == 0 {
        assert!(start.elapsed() < Duration::from_secs(10));
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(world.plan_md(), PLAN);
}

#[test]
fn a_reader_that_is_gone_is_the_end() {
    let world = slow();
    let mut command = world.interruptible(["mcp"]);
    let (reader, writer) = std::io::pipe().unwrap();
    command.stdin(std::process::Stdio::piped()).stdout(writer);
    let mut child = command.spawn().unwrap();
    drop((command, reader));
    let mut stdin = child.stdin.take().unwrap();
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(start.elapsed() < Duration::from_secs(10));
        // More than one ping: a process that another test is just starting holds the reader for a moment.
        let _ = std::io::Write::write_all(&mut stdin, b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
