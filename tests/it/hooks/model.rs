//! By default the judge is the session's own host and model.

use serde_json::json;

use super::{Session, world};
use crate::support::World;

fn judge(world: &World, session: &str) -> String {
    let call = world.call(["judge"]).env("CLAUDECODE", "1").env("CLAUDE_CODE_SESSION_ID", session);
    call.run().stdout.lines().next().unwrap_or_default().to_owned()
}

// P-16
#[test]
fn what_the_hook_was_told_is_the_model() {
    let world = world();
    let session = Session::new(&world, "s1");
    session.event("SessionStart", json!({ "source": "compact", "model": "claude-opus-5-5" }));
    assert_eq!(judge(&world, "s1"), "claude:claude-opus-5-5 (chosen by the session's host)");
    assert_eq!(judge(&world, "another"), "claude (chosen by the session's host)");
    session.prompt("a payload without a model takes nothing away");
    assert_eq!(judge(&world, "s1"), "claude:claude-opus-5-5 (chosen by the session's host)");
}

// P-16
#[test]
fn else_the_last_reply_of_the_conversation_names_it() {
    let world = world().file(
        "talk.jsonl",
        "{\"type\":\"assistant\",\"message\":{\"model\":\"claude-old\"}}\n\
         {\"type\":\"assistant\",\"message\":{\"model\":\"claude-sonnet-5-5\"}}\n\
         {\"type\":\"assistant\",\"message\":{\"model\":\"<synthetic>\"}}\n\
         {\"type\":\"user\",\"message\":{\"content\":\"\\\"model\\\": x\"}}\nnot json\n",
    );
    let session = Session::new(&world, "s1");
    session.event("SessionStart", json!({ "source": "startup", "transcript_path": world.path("talk.jsonl") }));
    assert_eq!(judge(&world, "s1"), "claude:claude-sonnet-5-5 (chosen by the session's host)");
}

/// The session's own statement goes into the record: a name that could be read as more than a name is dropped.
#[test]
fn a_name_that_is_more_than_a_name_is_passed_over() {
    let world = world();
    for model in ["opus) signed off", "a,b", "a\nb", "", "a (b)"] {
        let session = Session::new(&world, model);
        session.event("SessionStart", json!({ "source": "compact", "model": model }));
        assert_eq!(judge(&world, model), "claude (chosen by the session's host)", "{model:?}");
    }
    let pipe = world.path("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let session = Session::new(&world, "p");
    session.event("SessionStart", json!({ "source": "startup", "transcript_path": pipe }));
    assert_eq!(judge(&world, "p"), "claude (chosen by the session's host)");
}

/// Gemini CLI tells its tools that they run in it, but not in which session.
#[test]
fn a_host_that_names_no_session_is_judged_by_the_model_of_the_one_heard_of_last() {
    let world = world();
    let tell = |payload: serde_json::Value| {
        assert_eq!(world.call(["hook", "gemini"]).stdin(payload.to_string()).run().code, 0);
    };
    let request = |session: &str, model: &str| {
        tell(
            json!({ "hook_event_name": "BeforeAgent", "session_id": session, "cwd": world.root(), "prompt": "go on" }),
        );
        tell(json!({ "hook_event_name": "BeforeModel", "session_id": session, "cwd": world.root(),
                     "llm_request": { "model": model, "messages": [] } }));
    };
    let judge =
        || world.call(["judge"]).env("GEMINI_CLI", "1").run().stdout.lines().next().unwrap_or_default().to_owned();
    Session::new(&world, "c").event("SessionStart", json!({ "source": "compact", "model": "claude-opus-5-5" }));
    assert_eq!(judge(), "gemini (chosen by the session's host)");
    for (session, model) in [("g1", "gemini-a"), ("g2", "gemini-b"), ("g1", "gemini-a")] {
        std::thread::sleep(std::time::Duration::from_millis(20));
        request(session, model);
        assert_eq!(judge(), format!("gemini:{model} (chosen by the session's host)"));
    }
}
