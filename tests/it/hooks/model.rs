//! The judge is by default the session's own host and model.

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

/// What a session says of itself goes into the record: a name that could be read as more of it is no name.
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
