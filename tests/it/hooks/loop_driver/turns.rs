//! Turns of a loop: the agent that it drives can never add any.

use serde_json::json;

use super::{looping, status, unjudged};
use crate::hooks::Session;
use crate::support::World;

/// Runs `plan loop …` as the agent's shell does.
#[track_caller]
fn refused(world: &World, env: &[(&str, &str)]) {
    for verb in [&["start", "--budget", "1000"][..], &["resume"], &["clear"]] {
        let call = world.call([&["loop"][..], verb].concat());
        let output = env.iter().fold(call, |call, (name, value)| call.env(name, value)).run();
        assert!(
            output.code == 4 && output.stderr.contains("the loop gave this session its turn"),
            "{env:?}: {output:?}"
        );
    }
}

// INJECTION §5: as many turns as a person allowed; not every host names its session to the shell
#[test]
fn a_shell_that_names_no_session_may_be_that_of_the_one_driven() {
    let world = unjudged();
    let session = looping(&world, "2");
    let asked = world.call(["loop", "start", "--budget", "2"]).env("GEMINI_CLI", "1").run();
    assert_eq!(asked.code, 0, "as the person asked: {asked:?}");
    assert!(session.is_pushed("x"));
    refused(&world, &[("GEMINI_CLI", "1")]);
    assert_eq!(world.plan(["loop", "status"]).code, 0);
    assert_eq!(world.call(["loop", "pause"]).env("GEMINI_CLI", "1").run().code, 0);
    assert_eq!(world.plan(["loop", "resume"]).code, 0, "a terminal of a person");
    session.prompt("ten more");
    let asked = world.call(["loop", "start", "--budget", "10"]).env("GEMINI_CLI", "1").run();
    assert_eq!(asked.code, 0, "a person spoke: {asked:?}");
}

// A host runs in a host: the environment names both sessions.
#[test]
fn neither_of_two_nested_sessions_gives_itself_turns() {
    let world = unjudged();
    let inner = looping(&world, "5");
    let both = [("CLAUDECODE", "1"), ("CLAUDE_CODE_SESSION_ID", "outer"), ("CODEX_THREAD_ID", "a")];
    assert!(inner.is_pushed("x"));
    refused(&world, &both);
    refused(&world, &[("CODEX_THREAD_ID", "a")]);
    inner.prompt("start another");
    let call = both.iter().fold(world.call(["loop", "start"]), |call, (name, value)| call.env(name, value));
    call.run().ok("loop started: at most 20 turns, for the first session that stops while working on the plan\n");
    assert_eq!(status(&world)["loop"]["drives"], json!(null), "nobody knows which of the two it is");
    assert!(!Session::new(&world, "outer").is_pushed("x"));
}
