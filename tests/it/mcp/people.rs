//! Actions that need a person, the session that a client names, and where the plan is found.

use serde_json::{Value, json};

use crate::support::World;
use crate::support::judge::world;
use crate::support::mcp::{Answer, Client};

const STEPS: &str = "\
# Plan: x

## Goal: One
<!-- id: one-1 -->
status: active
- [ ] 1. say it (run: sh say.sh)
- [ ] 2. sly \u{1f}Run nothing? (run: sh say.sh)
";

fn steps() -> World {
    World::new().file("plan.md", STEPS).file("say.sh", "echo said > said.txt\n")
}

fn form() -> Value {
    json!({ "elicitation": { "form": {} } })
}

/// Begins to run a step, and answers the question in this way.
fn run(client: &mut Client, step: &str, answer: Value) -> (String, Answer) {
    let id = client.begin("plan_step", json!({ "do": "run", "step": step }));
    let asked = client.heard("elicitation/create");
    assert_eq!(asked["params"]["requestedSchema"]["type"], "object", "{asked}");
    client.send(json!({ "jsonrpc": "2.0", "id": asked["id"], "result": answer }));
    (asked["params"]["message"].as_str().unwrap().to_owned(), client.result(id))
}

#[test]
fn a_person_is_asked_before_a_step_runs() {
    for capability in [form(), json!({ "elicitation": {} })] {
        let world = steps();
        let mut client = Client::start(&world).greeted(capability);
        for no in [json!({ "action": "decline" }), json!({ "action": "cancel" }), json!({ "odd": 1 })] {
            let (asked, answer) = run(&mut client, "1", no);
            assert_eq!(asked, "Step 1: say it\n  run: sh say.sh\nRun it?");
            assert!(answer.exit() == 1 && answer.text.ends_with("step 1 was not run"), "{answer:?}");
            assert!(!world.path("said.txt").exists());
        }
        let (_, answer) = run(&mut client, "1", json!({ "action": "accept", "content": {} }));
        assert!(!answer.is_error && answer.text.contains("✓ Step 1 complete"), "{answer:?}");
        assert_eq!(world.read("said.txt"), "said\n");
        assert!(world.plan_md().contains("- [x] 1. say it"), "{}", world.plan_md());
    }
}

#[test]
fn a_text_of_the_plan_is_no_question() {
    let world = steps();
    let mut client = Client::start(&world).greeted(form());
    let (asked, answer) = run(&mut client, "2", json!({ "action": "decline" }));
    assert!(asked.contains("sly") && asked.ends_with("\nRun it?") && !asked.contains('\u{1f}'), "{asked}");
    assert_eq!(answer.exit(), 1);
    assert_eq!(client.aside.iter().filter(|message| message["method"] == "elicitation/create").count(), 0);
}

#[test]
fn without_a_way_to_ask_no_step_runs() {
    let world = steps();
    for capabilities in [json!({}), json!({ "elicitation": { "url": {} } })] {
        let mut client = Client::start(&world).greeted(capabilities);
        let answer = client.call("plan_step", json!({ "do": "run", "step": "1" }));
        assert!(answer.exit() == 4 && answer.text.contains("there is no terminal"), "{answer:?}");
        assert!(!world.path("said.txt").exists());
    }
}

#[test]
fn a_question_that_is_cancelled_is_a_no() {
    let world = steps();
    let mut client = Client::start(&world).greeted(form());
    let id = client.begin("plan_step", json!({ "do": "run", "step": "1" }));
    client.heard("elicitation/create");
    client.tell("notifications/cancelled", json!({ "requestId": id }));
    assert_eq!(client.ask("ping", json!({}))["result"], json!({}));
    assert!(client.close().success());
    assert!(!world.path("said.txt").exists());
}

#[test]
fn a_question_that_nobody_answers_holds_no_end_up() {
    let world = steps();
    let mut client = Client::start(&world).greeted(form());
    client.begin("plan_step", json!({ "do": "run", "step": "1" }));
    client.heard("elicitation/create");
    let start = std::time::Instant::now();
    assert_eq!(client.close().code(), Some(0));
    assert!(start.elapsed() < std::time::Duration::from_secs(4), "{:?}", start.elapsed());
    assert!(!world.path("said.txt").exists());
}

/// The judge `human` is a person at a terminal. An answer through the agent's own client is only the client's word.
#[test]
fn a_client_never_answers_as_the_judge() {
    let world = world();
    let mut client = Client::start(&world).greeted(form());
    let answer =
        client.call("plan_complete", json!({ "goal": "fast-1", "judges": ["human"], "paths": ["result.txt"] }));
    assert_eq!(answer.exit(), 3, "{answer:?}");
    assert!(answer.text.contains("needs a terminal"), "{answer:?}");
    assert!(client.aside.iter().all(|message| message["method"] != "elicitation/create"));
}

/// Codex gives its servers no variable; it names the session in each call.
#[test]
fn the_session_of_a_call_names_the_judge() {
    let world = world();
    let mut client = Client::open(&world);
    let mut complete = |meta: Value| {
        let params = json!({ "name": "plan_complete", "arguments": { "goal": "fast-1", "paths": ["result.txt"] }, "_meta": meta });
        let id = client.request("tools/call", params);
        client.result(id)
    };
    let alone = complete(json!({}));
    assert!(alone.exit() == 3 && alone.text.contains("no judge"), "{alone:?}");
    let codex = |session: &str| json!({ "x-codex-turn-metadata": { "session_id": session, "model": "gpt-5.5" } });
    let inside = complete(codex("01a1fd3d-7ae3-7892-937b-9525d81952ca"));
    assert!(inside.exit() == 3 && inside.text.contains("`codex`"), "{inside:?}");
    for odd in ["a\nb", &"x".repeat(10_000), "", "a\0"] {
        let answer = complete(codex(odd));
        assert!(answer.text.contains("no judge"), "{odd:?} {answer:?}");
    }
}

#[test]
fn the_plan_is_looked_for_at_each_call() {
    let world = World::without_git();
    let mut client = Client::open(&world);
    assert_eq!(client.call("plan_show", json!({})).exit(), 2);
    world.write("plan.md", STEPS);
    assert!(client.done("plan_show", json!({})).text.contains("One"));
    std::fs::remove_file(world.path("plan.md")).unwrap();
    assert_eq!(client.call("plan_log", json!({ "text": "x" })).exit(), 2);
}

#[test]
fn a_server_that_was_started_elsewhere_finds_the_project() {
    let world = World::without_git().file("my project/plan.md", STEPS).file("else/where", "");
    let project = world.path("my project");
    let elsewhere = |world: &World| {
        let mut command = world.interruptible(["mcp"]);
        command.current_dir(world.path("else"));
        command
    };
    // The plan is found by the client's roots.
    let mut client = Client::of(elsewhere(&world)).greeted(json!({ "roots": {} }));
    let id = client.begin("plan_log", json!({ "text": "by roots" }));
    let asked = client.heard("roots/list");
    let roots = [
        json!({ "uri": "https://x/y" }),
        json!({ "uri": format!("file://{}", project.display()).replace(' ', "%20") }),
    ];
    client.send(json!({ "jsonrpc": "2.0", "id": asked["id"], "result": { "roots": roots } }));
    assert_eq!(client.result(id).exit(), 0);
    // It is found by the variable of Claude Code.
    let mut command = elsewhere(&world);
    command.env("CLAUDE_PROJECT_DIR", &project);
    Client::of(command).greeted(json!({})).done("plan_log", json!({ "text": "by project" }));
    // It is found by the caller's own arguments.
    for words in [["-C", "../my project"], ["--file", "../my project/plan.md"]] {
        let mut command = world.interruptible(words.into_iter().chain(["mcp"]));
        command.current_dir(world.path("else"));
        Client::of(command).greeted(json!({})).done("plan_log", json!({ "text": "by words" }));
    }
    let plan = world.read("my project/plan.md");
    assert_eq!(["by roots", "by project", "by words"].map(|text| plan.matches(text).count()), [1, 1, 2], "{plan}");
    // For a client that names no root, or does not answer, it is the folder in which the client started us.
    let mut client = Client::of(elsewhere(&world)).greeted(json!({}));
    assert_eq!(client.call("plan_show", json!({})).exit(), 2);
}
