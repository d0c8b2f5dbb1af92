//! `plan mcp`, driven over pipes in the same way as by a host.

mod ends;
mod hostile;
mod people;

use serde_json::{Value, json};

use crate::support::World;
use crate::support::judge::{HONEST, world};
use crate::support::mcp::Client;
use crate::support::plans::approved;

/// The tools, in the order of the list.
const TOOLS: [&str; 9] = [
    "plan_show", "plan_goal", "plan_step", "plan_progress", "plan_complete", "plan_verify", "plan_pause", "plan_log",
    "plan_review",
];

/// A goal with a slow judge: it waits for the file `go`.
fn slow() -> World {
    let answer = format!("cat <<END\nSIGNOFF[$nonce]\nprobe: $token\n{HONEST}VERDICT[$nonce]: accept\nEND\n");
    world().judge_doing("judge", &format!("while [ ! -e ../go ]; do sleep 0.02; done\n{answer}"))
}

fn sign_off() -> Value {
    json!({ "goal": "fast-1", "evidence": "p95 is 47 ms", "paths": ["result.txt"], "judges": ["cmd:judge"] })
}

#[test]
fn hands_are_shaken_as_each_client_does() {
    for version in ["2025-06-18", "2025-11-25", "2024-11-05"] {
        let world = world();
        let mut client = Client::start(&world);
        // Claude Code 2.1.329 sends this first, and continues only if the method is unknown.
        client.send(
            json!({ "jsonrpc": "2.0", "id": "server-discover-probe-1", "method": "server/discover", "params": {
            "_meta": { "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                       "io.modelcontextprotocol/clientInfo": { "name": "claude-code", "version": "2.1.329" },
                       "io.modelcontextprotocol/clientCapabilities": { "roots": { "listChanged": true } } } } }),
        );
        let probed = client.receive();
        assert_eq!((&probed["id"], &probed["error"]["code"]), (&json!("server-discover-probe-1"), &json!(-32601)));
        let hello = client.ask(
            "initialize",
            json!({ "protocolVersion": version, "clientInfo": { "name": "codex-mcp-client", "version": "0.169.0" },
                    "capabilities": { "experimental": { "codex/auth-change": {} }, "elicitation": { "form": {}, "url": {} } } }),
        );
        let hello = &hello["result"];
        assert_eq!((&hello["protocolVersion"], &hello["serverInfo"]["name"]), (&json!(version), &json!("plan")));
        assert_eq!(hello["capabilities"], json!({ "tools": {} }));
        assert!(hello["instructions"].as_str().unwrap().contains("plan_complete"));
        client.tell("notifications/initialized", json!({}));
        assert_eq!(client.ask("ping", json!({}))["result"], json!({}));
        assert!(client.close().success());
    }
}

#[test]
fn a_version_that_is_not_spoken_is_answered_with_one_that_is() {
    let world = world();
    for version in ["2026-07-28", "2099-01-01", "x"] {
        let mut client = Client::start(&world);
        let info = json!({ "name": "x", "version": "1" });
        let hello =
            client.ask("initialize", json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": info }));
        assert_eq!(hello["result"]["protocolVersion"], "2025-11-25", "{hello}");
    }
}

// P-4, C-16, F-41
#[test]
fn the_list_is_short_and_every_schema_is_whole() {
    let world = world();
    let mut client = Client::open(&world);
    let list = client.ask("tools/list", json!({}));
    assert!(list.to_string().len() < 3300, "{}", list.to_string().len());
    let tools = list["result"]["tools"].as_array().unwrap();
    assert_eq!(tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect::<Vec<_>>(), TOOLS);
    for tool in tools {
        assert_eq!(tool["inputSchema"]["type"], "object");
        for (name, field) in tool["inputSchema"]["properties"].as_object().unwrap() {
            // Some model vendors refuse a field without a type, and a list without the type of its items.
            assert!(field["type"].is_string(), "{name}");
            assert!(field["type"] != "array" || field["items"]["type"] == "string", "{name}");
        }
    }
    let progress = tools.iter().find(|tool| tool["name"] == "plan_progress").unwrap();
    assert!(progress["description"].as_str().unwrap().contains("after each major step"));
    let only_reads = |tool: &&Value| tool["annotations"]["readOnlyHint"] == true;
    assert_eq!(tools.iter().filter(only_reads).count(), 1);
}

/// The tool takes every field of its schema, because models rely on the schema.
#[test]
fn every_field_that_is_listed_is_taken() {
    let world = world();
    let mut client = Client::open(&world);
    let list = client.ask("tools/list", json!({}));
    for tool in list["result"]["tools"].as_array().unwrap() {
        let schema = &tool["inputSchema"]["properties"];
        let verbs = schema["do"]["enum"].as_array().cloned().unwrap_or(vec![Value::Null]);
        for name in schema.as_object().unwrap().keys() {
            let is_taken = verbs.iter().any(|verb| {
                // The refusal tells the cases apart: a value that no field takes, or an unknown field.
                let mut input = json!({ "do": verb, name: { "odd": 1 } });
                for field in ["goal", "step", "text", "reason", "subject"] {
                    if field != name && schema[field].is_object() {
                        input[field] = json!("no-such-thing");
                    }
                }
                let answer = client.call(tool["name"].as_str().unwrap(), input);
                answer.exit() == 2 && answer.text.contains(&format!("for `{name}`"))
            });
            assert!(is_taken, "{} {name}", tool["name"]);
        }
    }
}

// C-11, C-14, F-61
#[test]
fn an_agent_can_work_through_a_plan() {
    let world = World::new().file("check.sh", "grep -q '^p95 4' result.txt && echo checked\n").committed();
    let world = world.judge("judge", &HONEST.replace("F1 ruled out: result.txt:2 \"cache on\"\n", ""), "accept");
    let mut client = Client::open(&world);
    // A missing plan.md is an error like any other, and may be created later.
    let none = client.call("plan_show", json!({}));
    assert!(none.is_error && none.exit() == 2 && none.text.contains("plan init"), "{none:?}");
    assert_eq!(world.plan(["init", "Faster search"]).code, 0);

    let added = client.done(
        "plan_goal",
        json!({ "do": "add", "subject": "Make it fast", "goal": "fast-1", "done_when": ["p95 below 50 ms"],
                "verify": "sh check.sh", "steps": ["measure", "--cache"], "start": true, "may_change": "tests/**", "kind": "chore", "priority": 1 }),
    );
    assert_eq!(added.text, "$ sh check.sh\nfast-1\nstarted fast-1: verify red exit 2", "{added:?}");
    let started = client.done("plan_step", json!({ "do": "start", "step": 1 }));
    assert_eq!(started.text, "▸ Step 1 active");
    let ticked = client.done("plan_step", json!({ "do": "done", "step": "1", "text": "--json is no option here" }));
    assert_eq!(ticked.text, "✓ Step 1 complete → Step 2: --cache");
    client.done("plan_step", json!({ "do": "skip", "step": "fast-1.2", "text": "not needed" }));
    client.done("plan_step", json!({ "do": "add", "goal": "fast-1", "text": "third" }));
    client.done("plan_step", json!({ "do": "set", "step": "3", "text": "the third" }));
    client.done("plan_step", json!({ "do": "remove", "step": "3" }));
    client.done("plan_step", json!({ "do": "add", "goal": "fast-1", "text": "fourth", "run": "sh bench.sh" }));
    assert!(world.plan_md().contains("fourth (run: sh bench.sh)\n"), "{}", world.plan_md());
    client.done("plan_step", json!({ "do": "remove", "step": "fast-1.3" }));
    client.done("plan_log", json!({ "text": "-- a line" }));
    client.done(
        "plan_goal",
        json!({ "do": "set", "goal": "fast-1", "subject": "Make search fast", "because": "a verb" }),
    );
    let second = client.done("plan_goal", json!({ "do": "add", "subject": "Other", "done_when": ["x"] }));
    assert_eq!(
        second.text,
        "needed before a sign-off (fill in the command of your test): plan goal set other-1 --verify COMMAND\nother-1"
    );
    client.done("plan_goal", json!({ "do": "cancel", "goal": "other-1", "reason": "not now" }));

    client.done("plan_step", json!({ "do": "retry", "step": "2" }));
    let moved = client.done("plan_progress", json!({ "step": 2, "summary": "warm", "done": false }));
    assert_eq!(moved.text, "✓ Step 2 complete");
    client.done("plan_progress", json!({ "done": true }));
    let paused = client.done("plan_pause", json!({ "why": "needs --the password" }));
    assert_eq!(paused.text, "paused: needs --the password");
    client.done("plan_pause", json!({ "off": true }));

    let shown = client.done("plan_show", json!({ "goal": "fast-1" }));
    assert_eq!(shown.text, world.plan(["show", "fast-1"]).stdout.trim_end());
    assert!(shown.text.contains("--json is no option here"), "{shown:?}");

    world.write("result.txt", "p95 47.1 ms\n");
    let signed = client.done("plan_complete", sign_off());
    assert!(signed.text.contains("signed off"), "{signed:?}");
    let plan = world.plan_md();
    assert!(plan.contains("status: done") && plan.contains("oracle accept by cmd:judge"), "{plan}");
    assert_eq!(world.plan(["audit", "--accept-judge", "cmd:judge"]).code, 0);
    assert!(client.close().success());
}

// CONTRACT.md §3.2: a shaping tool passes the reason on; `plan_review` asks, and nothing that a client answers by itself approves
#[test]
fn an_agreed_plan_changes_with_a_reason_and_a_person_is_asked() {
    let plan = "---\nmode: contract\n---\n# Plan: x\n\n## Goal: One\n<!-- id: one-1 -->\nstatus: active\ndone_when: it prints 1\n\
                - [/] 1. write it\n- [ ] 2. test it\n\n## Log\n";
    let world = World::new().file("plan.md", approved(plan));
    let mut client = Client::open(&world);
    let refused = client.call("plan_step", json!({ "do": "add", "goal": "one-1", "text": "overflow" }));
    assert_eq!((refused.exit(), refused.is_error), (4, true), "{refused:?}");
    for (tool, input, line) in [
        ("plan_step", json!({ "do": "add", "goal": "one-1", "text": "overflow" }), "step 3 added to one-1"),
        ("plan_step", json!({ "do": "set", "step": "2", "text": "test all" }), "step 2 reworded"),
        ("plan_step", json!({ "do": "remove", "step": "3" }), "step 3 removed"),
        ("plan_goal", json!({ "do": "set", "goal": "one-1", "done_when": ["it prints 2"] }), "goal one-1 amended"),
        (
            "plan_goal",
            json!({ "do": "add", "goal": "two-1", "subject": "Two", "done_when": ["x"], "steps": ["y"] }),
            "goal two-1 added",
        ),
        ("plan_goal", json!({ "do": "remove", "goal": "two-1" }), "goal two-1 removed"),
    ] {
        let mut input = input;
        input["because"] = json!("ints wrap");
        client.done(tool, input);
        let log = world.plan_md();
        let last = log.lines().last().unwrap_or_default();
        assert!(
            last.contains(&format!("edit proposed: {line}")) && last.ends_with("because ints wrap"),
            "{line}: {log}"
        );
    }
    let before = world.plan_md();
    let asked = client.call("plan_review", json!({}));
    assert!(asked.is_error && asked.text.contains("no session says who is asked"), "{asked:?}");
    assert!(client.close().success());
    // The server may have begun in a different session.
    let world = world.env("CLAUDECODE", "1").env("CLAUDE_CODE_SESSION_ID", "begun");
    let mut client = Client::open(&world);
    assert!(client.done("plan_review", json!({})).text.contains("<plan_review_pending>"));
    let payload =
        json!({ "hook_event_name": "UserPromptSubmit", "session_id": "begun", "cwd": world.root(), "prompt": "ok" });
    assert_eq!(world.call(["hook", "claude"]).stdin(payload.to_string()).run().code, 0);
    assert_eq!(world.plan_md(), before, "nothing was approved");
    assert!(client.close().success());
    let world = world.env("PLAN_REVIEW_KEY", "ada::room");
    let mut client = Client::open(&world);
    let asked = client.done("plan_review", json!({}));
    assert!(asked.text.contains("<plan_review_pending>"), "{asked:?}");
    assert_eq!(world.plan_md(), before, "nothing was approved");
    assert!(client.close().success());
}

/// Text and exit status are the same as those of the command.
#[test]
fn errors_are_those_of_the_commands() {
    let world = world().judge("judge", "C1 not met: nothing shows it\nmissing: a run\n", "reject");
    let mut client = Client::open(&world);
    for (tool, input, line) in [
        ("plan_show", json!({ "goal": "nope" }), "show nope"),
        ("plan_step", json!({ "do": "done", "step": "9" }), "step done 9"),
        ("plan_step", json!({ "do": "done", "step": "1" }), "step done 1"),
        ("plan_goal", json!({ "do": "add", "subject": "T", "verify": "true" }), "goal add T --verify true"),
        ("plan_goal", json!({ "do": "set", "goal": "fast-1" }), "goal set fast-1"),
        ("plan_log", json!({ "text": "fast-1 signed off (x)" }), "log fast-1\u{a0}signed\u{a0}off\u{a0}(x)"),
        ("plan_progress", json!({}), "progress"),
        ("plan_complete", json!({ "goal": "docs-1", "judges": ["nobody"] }), "complete docs-1 --judge nobody"),
        ("plan_complete", json!({ "goal": "fast-1", "gate": "deep" }), "complete fast-1 --gate deep"),
        ("plan_complete", json!({ "goal": "fast-1", "wait": "soon" }), "complete fast-1 --wait soon"),
        ("plan_complete", json!({ "goal": "fast-1", "judges": ["human"] }), "complete fast-1 --judge human"),
        ("plan_complete", json!({ "goal": "fast-1", "paths": ["../x"] }), "complete fast-1 --path ../x"),
    ] {
        let words: Vec<String> = line.split(' ').map(|word| word.replace('\u{a0}', " ")).collect();
        let command = world.plan(&words);
        let answer = client.call(tool, input);
        assert_eq!((answer.exit(), answer.is_error), (i64::from(command.code), true), "{line}: {answer:?}");
        assert!(
            command.code != 0 && answer.text.trim_end() == command.stderr.trim_end(),
            "{line}:\n{}\n{}",
            answer.text,
            command.stderr
        );
        // Codex shows its model only this.
        assert_eq!(answer.structured["text"], answer.text, "{line}");
    }
    let nothing = client.call("plan_pause", json!({}));
    assert_eq!((nothing.exit(), &*nothing.text), (2, "error: expected `why`, found none"));
    // A rejection is not an error of the command: its report is the output of the command.
    let rejected = client.call("plan_complete", sign_off());
    assert_eq!((rejected.exit(), rejected.is_error), (1, true));
    assert!(rejected.text.contains("rejected") && rejected.text.contains("a run"), "{rejected:?}");
    assert_eq!(rejected.structured["text"], rejected.text);
}

#[test]
fn progress_is_told_while_a_sign_off_runs_and_nothing_waits_for_it() {
    let world = slow();
    let mut client = Client::open(&world);
    let id = client.begin("plan_complete", sign_off());
    let mut said = String::new();
    while !said.contains("judge") {
        let notice = client.heard("notifications/progress");
        assert_eq!(notice["params"]["progressToken"], "plan_complete");
        said = notice["params"]["message"].as_str().unwrap().to_owned();
    }
    assert_eq!(client.ask("ping", json!({}))["result"], json!({}));
    client.done("plan_log", json!({ "text": "meanwhile" }));
    // A second identical call joins the first, as a second command does.
    let joined = client.begin("plan_complete", sign_off());
    world.write("../go", "");
    assert!(client.result(id).text.contains("signed off"));
    assert!(client.result(joined).text.contains("signed off"));
    assert_eq!(world.plan_md().matches("signed off").count(), 1);
}

#[test]
fn progress_is_not_told_to_who_did_not_ask() {
    let world = world().judge("judge", HONEST, "accept");
    let mut client = Client::open(&world);
    let id = client.request("tools/call", json!({ "name": "plan_complete", "arguments": sign_off() }));
    assert_eq!(client.result(id).exit(), 0);
    assert_eq!(client.aside, Vec::<Value>::new());
}

/// For clients that end long calls.
#[test]
fn a_check_can_be_left_behind_and_awaited() {
    let world = slow();
    let mut client = Client::open(&world);
    let mut input = sign_off();
    input["detach"] = json!(true);
    let left = client.done("plan_complete", input);
    assert!(left.text.contains("in the background"), "{left:?}");
    let early = client.call("plan_complete", json!({ "goal": "fast-1", "wait": 1 }));
    assert_eq!(early.exit(), 3, "{early:?}");
    // It belongs to no server: it goes on after the server ends.
    assert!(client.close().success());
    world.write("../go", "");
    let mut client = Client::open(&world);
    let result = client.done("plan_complete", json!({ "goal": "fast-1", "wait": 30 }));
    assert!(result.text.contains("signed off"), "{result:?}");
}

#[test]
fn two_servers_work_on_one_plan() {
    let world = world();
    let mut clients = [Client::open(&world), Client::open(&world)];
    let ids: Vec<Vec<u64>> = clients
        .iter_mut()
        .enumerate()
        .map(|(who, client)| {
            (0..15).map(|at| client.begin("plan_log", json!({ "text": format!("{who}:{at}") }))).collect()
        })
        .collect();
    for (client, ids) in clients.iter_mut().zip(ids) {
        ids.into_iter().for_each(|id| assert_eq!(client.result(id).exit(), 0));
    }
    let plan = world.plan_md();
    for (who, at) in [0, 1].into_iter().flat_map(|who| (0..15).map(move |at| (who, at))) {
        assert!(plan.lines().any(|line| line.ends_with(&format!("  {who}:{at}"))), "{who}:{at}\n{plan}");
    }
}
