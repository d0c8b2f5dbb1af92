//! `plan loop run`: the loop without a host, with a scripted client for each turn.

use std::process::Stdio;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::support::loop_driver::closing;
use crate::support::plans::TO_DO as PLAN;
use crate::support::{World, hosts};

const PROGRAM: &str = env!("CARGO_BIN_EXE_plan");

/// A world with a plan and a client named `claude`, without a loop judge.
fn world(working: &str) -> World {
    let world = judged(working);
    world.configured("loop: {judge: off}\n")
}

/// The same world with the client as its own judge.
fn judged(working: &str) -> World {
    let world = World::new().file("plan.md", PLAN).claude();
    world.working(&working.replace("plan ", &format!("{PROGRAM} ")));
    world
}

fn run(world: &World, args: &[&str]) -> crate::support::output::Output {
    world.plan([&["loop", "run"], args].concat())
}

fn turns(world: &World) -> usize {
    world.claude_file("turns").lines().count()
}

fn status(world: &World) -> Value {
    world.plan(["loop", "status", "--json"]).json(0)
}

#[track_caller]
fn wait_for(what: impl Fn() -> bool) {
    let start = Instant::now();
    while !what() {
        assert!(start.elapsed() < Duration::from_secs(30), "waited in vain");
        std::thread::sleep(Duration::from_millis(10));
    }
}

// P-24, P-27: it goes from goal to goal until none is left
#[test]
fn it_goes_on_until_no_goal_is_left() {
    let world = world(
        "n=$(wc -l < \"$here/turns\")\ncp \"$here/prompt\" \"$here/prompt.$n\"\ncase $n in 1) echo 'Step 1 is done.';; 2) plan goal cancel cache-1 'not needed' >&2; echo Next;;\n\
         *) plan goal cancel docs-1 'nor this' >&2; printf 'All\\033[2J done\\n';; esac\n",
    );
    let output = run(&world, &["--with", "claude", "--budget", "9"]);
    output.ok("turn 1, 8 left, goals 1 active, 1 open: Step 1 is done.\n\
         turn 2, 7 left, goals 1 open, 1 cancelled: Next\n\
         turn 3, 6 left, goals 2 cancelled: All [2J done\n\
         no goal is left\n");
    let prompts: Vec<String> = (1..=3).map(|n| world.claude_file(&format!("prompt.{n}"))).collect();
    assert!(prompts[0].contains("Go on with: cache-1") && prompts[2].contains("Go on with: docs-1"), "{prompts:?}");
    assert!(prompts.iter().all(|prompt| prompt.matches("<plan file=").count() == 1), "{prompts:?}");
    // The client runs with the rights of the person's own configuration.
    assert_eq!(world.claude_file("turns"), "-p\n-p\n-p\n");
}

// P-24
#[test]
fn the_budget_is_a_turn_each_whatever_comes_of_it() {
    let world = world("");
    let output = run(&world, &["--with", "claude:sonnet", "--budget", "2"]);
    output.is(
        1,
        "turn 1, 1 left, goals 1 active, 1 open: it printed nothing\n\
         turn 2, 0 left, goals 1 active, 1 open: it printed nothing\n\
         the budget of 2 turns is spent; goals: 1 active, 1 open\n",
        "",
    );
    assert_eq!(world.claude_file("turns"), "-p --model=sonnet\n".repeat(2));
    assert_eq!(status(&world)["state"], "budget_spent");
    // Another run has another budget, from the front matter.
    world.write("plan.md", format!("---\nbudget: 3\n---\n{PLAN}"));
    let answer = run(&world, &["--json"]).json(1);
    assert_eq!(
        (&answer["end"], &answer["turns"], &answer["loop"]["spent"]),
        (&json!("budget_spent"), &json!(3), &json!(3))
    );
}

// P-24: the client can write the loop's file, but it gets no extra turns by that
#[test]
fn a_client_that_writes_the_budget_anew_is_given_no_more() {
    for edit in ["s/\"spent\":[0-9]*/\"spent\":0/", "s/\"budget\":[0-9]*/\"budget\":900/"] {
        let world =
            world(&format!("[ $(wc -l < \"$here/turns\") -lt 9 ] && sed -i '{edit}' .git/plan/loop-*.json; echo hi\n"));
        let answer = run(&world, &["--budget", "3", "--json"]).json(1);
        assert_eq!((&answer["end"], &answer["turns"]), (&json!("budget_spent"), &json!(3)), "{edit}: {answer}");
        assert_eq!((&answer["loop"]["spent"], &answer["loop"]["budget"]), (&json!(3), &json!(3)), "{edit}");
        assert_eq!(status(&world)["loop"]["left"], 0, "{edit}");
    }
}

// P-55: the honest way out, for the agent and for a person
#[test]
fn a_pause_ends_it_and_the_next_run_goes_on() {
    let world = world("plan pause 'needs the key' >&2; echo blocked\n");
    let output = run(&world, &["--budget", "5"]);
    output.is(
        1,
        "turn 1, 4 left, goals 1 active, 1 open: blocked\npaused: needs the key; `plan loop run` continues\n",
        "",
    );
    world.working(&format!("{PROGRAM} loop pause >&2; echo hm\n"));
    let output = run(&world, &[]);
    output.is(
        1,
        "turn 2, 3 left, goals 1 active, 1 open: hm\npaused: by `plan loop pause`; `plan loop run` continues\n",
        "",
    );
    assert_eq!((turns(&world), &status(&world)["state"]), (2, &json!("paused")));
    world.working(&format!("{PROGRAM} progress --done >&2; echo finished\n"));
    let output = run(&world, &[]);
    assert!(
        output.code == 1 && output.stdout.contains("paused: the agent said that the plan is finished"),
        "{output:?}"
    );
}

// P-25, P-63: each reply is judged after its turn
#[test]
fn each_reply_is_judged() {
    let world = judged("cp \"$here/prompt\" \"$here/prompt.$(wc -l < \"$here/turns\")\"; echo 'I need the key.'\n");
    let blocked = || closing(false, true, "needs the key");
    world.answers([closing(true, false, "all of it"), blocked(), blocked(), blocked()]);
    let output = run(&world, &["--budget", "9"]);
    assert_eq!(output.code, 1, "{output:?}");
    assert!(
        output.stdout.ends_with("paused: blocked 3 times: needs the key; `plan loop run` continues\n"),
        "{output:?}"
    );
    assert_eq!(turns(&world), 4);
    assert!(world.claude_file("prompt.2").contains("Then sign off each goal above: `plan complete <id>"));
    assert!(world.claude_file("prompt.3").contains("Go on with: cache-1"));
    assert!(world.claude_file("judged").contains("\"reply\": \"I need the key.\""));
    assert!(world.plan_md().contains("status: active"));
}

#[test]
fn a_client_that_fails_three_times_in_a_row_pauses_it() {
    let world = world("echo 'Not logged in' >&2; exit 1\n");
    let output = run(&world, &["--budget", "9"]);
    let failed = "goals 1 active, 1 open: failed: `claude` exit 1: Not logged in\n";
    output.is(
        1,
        format!(
            "turn 1, 8 left, {failed}turn 2, 7 left, {failed}turn 3, 6 left, {failed}paused: 3 turns failed in a row: `claude` exit 1: Not logged in; \
             `plan loop run` continues\n"
        ),
        "",
    );
}

#[test]
fn a_turn_that_takes_too_long_is_ended_with_all_that_it_started() {
    let world = world("sleep 1000 & sleep 1000\n").configured("loop: {judge: off, turn_timeout: 1}\n");
    let output = run(&world, &["--budget", "1"]);
    assert!(output.code == 1 && output.stdout.contains("failed: `claude` killed after 1 s"), "{output:?}");
}

#[test]
fn a_client_that_is_not_there_is_named() {
    let world = World::new().file("plan.md", PLAN);
    let names: Vec<String> = hosts().iter().map(|host| format!("`{host}`")).collect();
    let names = names.join(", ");
    let none = format!(
        "error: no client of an agent is installed: none of {names} is on `PATH`\n  help: install one of them\n"
    );
    let cases = [
        (
            &["--with", "codex"][..],
            "error: `codex` cannot be started: not found on `PATH`\n  help: install `codex`, or name another with `--with`\n",
        ),
        (
            &["--with", "checks"],
            "error: `--with checks`: expected `HOST[:MODEL]`\n  help: known hosts: `claude`, `codex`, `pi`, `gemini`, `opencode`, `qwen`\n",
        ),
        (
            &["--with", "codexx"],
            "error: `--with codexx`: expected `HOST[:MODEL]`\n  help: known hosts: `claude`, `codex`, `pi`, `gemini`, `opencode`, `qwen`\n",
        ),
        (&[], &none),
    ];
    for (args, expected) in cases {
        run(&world, args).is(2, "", expected);
    }
    let world = world.program("claude", "#!/bin/sh\n").program("pi", "#!/bin/sh\n");
    run(&world, &[]).is(
        2,
        "",
        "error: which client? `claude`, `pi` are installed\n  help: name one: `--with HOST[:MODEL]`\n",
    );
    assert!(!world.path(".git/plan").exists(), "no loop was begun");
}

#[test]
fn a_plan_that_a_turn_breaks_ends_it() {
    let world = world("printf 'no plan\\0' > plan.md\n");
    let output = run(&world, &["--budget", "9"]);
    assert_eq!((output.code, turns(&world)), (2, 1), "{output:?}");
}

/// The client's output is bounded and cleaned, even if it is long.
#[test]
fn a_client_that_talks_without_end_is_cut() {
    let world = world("head -c 20000000 /dev/zero | tr '\\0' 'x'\n");
    let output = run(&world, &["--budget", "1"]);
    let first = output.stdout.lines().next().unwrap();
    assert!(first.len() < 300 && first.ends_with("xxx…"), "{first}");
}

// The prompt holds the plan, and `loop run` handles the end of a turn: the client's own hooks repeat neither.
#[test]
fn hooks_inside_a_turn_leave_its_begin_and_end_to_the_loop() {
    let hook = |event: &str, more: Value| {
        let mut payload = json!({ "hook_event_name": event, "session_id": "h" });
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        format!("echo '{payload}' | plan hook claude >> \"$here/hooks\"; echo {event} >> \"$here/hooks\"\n")
    };
    let working = [
        hook("SessionStart", json!({ "source": "startup" })),
        hook("UserPromptSubmit", json!({ "prompt": "x" })),
        hook(
            "PostToolBatch",
            json!({ "tool_calls": [{ "tool_name": "Bash", "tool_input": { "command": "plan log x" } }] }),
        ),
        hook("Stop", json!({ "last_assistant_message": "done" })),
        hook("SessionStart", json!({ "source": "compact" })),
    ];
    let world = world(&working.concat());
    assert_eq!(run(&world, &["--budget", "1"]).code, 1);
    let said = world.claude_file("hooks");
    assert!(said.starts_with("SessionStart\nUserPromptSubmit\nPostToolBatch\nStop\n{"), "{said}");
    assert!(said.contains("<plan file="), "after a compaction it comes back: {said}");
}

// The same for a host that takes the block with each request.
#[test]
fn a_request_inside_a_turn_is_given_the_block_only_where_it_is_another() {
    let world = world("echo hi\n").env("PLAN_LOOP", "1");
    let tell = |event: &str, more: Value| {
        let mut payload = json!({ "hook_event_name": event, "session_id": "p" });
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        world.call(["hook", "pi"]).stdin(payload.to_string()).run().stdout
    };
    assert_eq!(tell("session_start", json!({ "source": "startup" })), "");
    assert_eq!(tell("input", json!({ "prompt": "x" })), "");
    assert_eq!(tell("context", json!({})), "");
    assert_eq!(world.plan(["step", "done", "1", "wired"]).code, 0);
    for _ in 0..2 {
        assert!(tell("context", json!({})).contains("done: 1. wire it"), "each time: none is kept");
    }
    assert_eq!(tell("input", json!({ "prompt": "y" })), "");
    assert_eq!(tell("context", json!({})), "");
    tell("session_compact", json!({}));
    for _ in 0..2 {
        assert!(tell("context", json!({})).contains("<plan file="));
    }
    let stop = json!({ "last_assistant_message": "x" });
    assert_eq!(tell("agent_before_settle", stop), "");
}

// An agent inside a loop cannot give itself turns.
#[test]
fn an_agent_inside_cannot_begin_another() {
    let world = world(
        "for verb in 'start --budget 1000' resume clear 'run --with claude'; do plan loop $verb >> \"$here/said\" 2>&1; echo \"$? $verb\" >> \"$here/codes\"; done\n",
    );
    assert_eq!(run(&world, &["--budget", "1"]).code, 1);
    assert_eq!(world.claude_file("codes"), "4 start --budget 1000\n4 resume\n4 clear\n4 run --with claude\n");
    assert_eq!(status(&world)["loop"]["budget"], 1);
}

// An agent in a host's session cannot either: only if a person spoke to it, or if it stopped and was not sent on.
#[test]
fn a_session_that_the_loop_sent_on_cannot_give_itself_turns() {
    let world = world("").env("CLAUDECODE", "1").env("CLAUDE_CODE_SESSION_ID", "abc");
    let hook = |event: &str, more: Value| {
        let mut payload = json!({ "hook_event_name": event, "session_id": "abc" });
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        world.call(["hook", "claude"]).stdin(payload.to_string()).run().stdout
    };
    let stop = || hook("Stop", json!({ "last_assistant_message": "x" }));
    let refused = || {
        for verb in [&["start", "--budget", "1000"][..], &["resume"], &["clear"], &["run", "--with", "claude"]] {
            let output = world.plan([&["loop"][..], verb].concat());
            assert!(output.code == 4 && output.stderr.contains("the loop gave this session its turn"), "{output:?}");
        }
    };
    assert_eq!(world.plan(["loop", "start", "--budget", "3"]).code, 0);
    assert_eq!(world.plan(["loop", "start", "--budget", "3"]).code, 0, "still as the person asked");
    let pushed = stop();
    assert!(pushed.contains("Go on with"), "{pushed}");
    refused();
    let pushed: Value = serde_json::from_str(&pushed).unwrap();
    hook("UserPromptSubmit", json!({ "prompt": pushed["hookSpecificOutput"]["additionalContext"] }));
    refused();
    assert_eq!(world.plan(["loop", "pause"]).code, 0);
    refused();
    assert!(!stop().contains("Go on with"));
    assert_eq!(world.plan(["loop", "resume"]).code, 0, "it stood still: whoever calls now is a person");
    assert!(stop().contains("Go on with"));
    hook("UserPromptSubmit", json!({ "prompt": "more turns, please" }));
    assert_eq!(world.plan(["loop", "start", "--budget", "1"]).code, 0);
    assert!(stop().contains("Go on with"));
    // The last turn is also one of its own.
    refused();
    assert!(stop().contains("budget of 1 turns is spent"));
    assert_eq!(world.plan(["loop", "start"]).code, 0);
}

// Two drivers would conflict.
#[test]
fn one_at_a_time() {
    let world = world("while [ ! -e \"$here/go\" ]; do sleep 0.02; done\n");
    let first = std::thread::scope(|scope| {
        let first = scope.spawn(|| run(&world, &["--budget", "1"]));
        wait_for(|| turns(&world) == 1);
        let second = run(&world, &["--budget", "1"]);
        second.is(4, "", "error: refused: another `plan loop run` is running on this plan\n");
        assert_eq!(world.plan(["loop", "start"]).code, 4);
        assert_eq!(status(&world)["loop"]["drives"], json!({ "run": true }));
        std::fs::write(world.claude_path("go"), "").unwrap();
        first.join().unwrap()
    });
    assert_eq!((first.code, turns(&world)), (1, 1));
    assert_eq!(status(&world)["loop"]["drives"], json!({ "run": false }));
    // A session of a host cannot start a second loop either.
    let world = world.env("CLAUDECODE", "1").env("CLAUDE_CODE_SESSION_ID", "abc");
    world.plan(["loop", "start"]).ok("loop started: at most 20 turns, for session abc\n");
    let output = run(&world, &[]);
    assert!(output.code == 4 && output.stderr.contains("the loop drives session `abc`"), "{output:?}");
}

// A loop drives the session that it was started in, whether that session is at work or not.
#[test]
fn a_loop_that_a_session_starts_is_its_own() {
    let world = world("").env("CLAUDECODE", "1").env("CLAUDE_CODE_SESSION_ID", "abc");
    assert_eq!(world.plan(["loop", "start"]).code, 0);
    let stop = |session: &str| {
        let payload = json!({ "hook_event_name": "Stop", "session_id": session, "last_assistant_message": "x" });
        world.call(["hook", "claude"]).stdin(payload.to_string()).run().stdout
    };
    assert_eq!(stop("other"), "");
    assert!(stop("abc").contains("Go on with: cache-1"));
}

#[test]
fn a_loop_cleared_meanwhile_ends_after_the_turn() {
    let world = world("while [ ! -e \"$here/go\" ]; do sleep 0.02; done; echo hi\n");
    std::thread::scope(|scope| {
        let running = scope.spawn(|| run(&world, &["--budget", "9"]));
        wait_for(|| turns(&world) == 1);
        assert_eq!(world.plan(["loop", "clear"]).code, 0);
        std::fs::write(world.claude_path("go"), "").unwrap();
        let output = running.join().unwrap();
        assert!(output.code == 1 && output.stdout.ends_with("somebody ended the loop meanwhile\n"), "{output:?}");
    });
}

// Ctrl-C ends the client with everything that it started, and the progress is reported; the world checks that nothing is left running.
#[test]
fn ctrl_c_tells_where_it_is_up_to() {
    for (signal, judging) in [(Signal::INT, ""), (Signal::TERM, ""), (Signal::INT, "touch \"$here/up\"; sleep 1000\n")]
    {
        let world = if judging.is_empty() {
            world("trap 'exit 0' TERM\n(touch \"$here/up\"; exec sleep 1000) &\nwait\n")
        } else {
            judged("echo hi\n")
        };
        std::fs::write(world.claude_path("judging"), judging).unwrap();
        let mut command = world.interruptible(["loop", "run", "--budget", "9"]);
        let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        wait_for(|| world.claude_path("up").exists());
        kill_process(Pid::from_child(&child), signal).unwrap();
        let output = child.wait_with_output().unwrap();
        let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(130), "{stdout}");
        let last = "interrupted after 1 turns, 8 left, goals: 1 active, 1 open; `plan loop run` continues\n";
        assert!(stdout.ends_with(last), "{stdout}");
        world.working("echo again\n");
        std::fs::remove_file(world.claude_path("judging")).unwrap();
        let world = world.configured("loop: {judge: off}\n");
        let output = run(&world, &["--json"]).json(1);
        assert_eq!(output["turns"], 8, "what was left");
    }
}
