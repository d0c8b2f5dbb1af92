//! The honest ways out, and a person who says stop.

use super::{Session, world};

// P-24
#[test]
fn a_paused_plan_is_never_nagged_until_a_person_speaks() {
    let world = world();
    let session = Session::at_work(&world, "a");
    session.runs(&["pause", "needs the staging password"]);
    for _ in 0..10 {
        assert!(!session.is_pushed("I am blocked."));
        session.edits();
    }
    session.start("resume");
    assert!(!session.is_pushed("still blocked"));
    session.prompt("the password is in the vault");
    session.edits();
    assert!(session.is_pushed("done"), "a message of a person ends the pause");
    assert!(world.plan_md().contains("paused: needs the staging password"));
}

#[test]
fn it_holds_for_every_session_and_ends_by_hand() {
    let world = world();
    let session = Session::at_work(&world, "a");
    assert_eq!(world.plan(["pause", "waiting for review"]).code, 0);
    let other = Session::new(&world, "b");
    assert!(!session.is_pushed("done"));
    other.start("startup");
    other.prompt("what is it waiting for?");
    assert!(!session.is_pushed("done"), "a message to one session ends no pause of another");
    world.plan(["pause", "--off"]).ok("pause ended\n");
    assert!(session.is_pushed("done"));
    world.plan(["pause", "--off"]).ok("the plan was not paused\n");
}

#[test]
fn a_pause_of_one_plan_holds_no_other_of_the_repository() {
    let world = world().file("other/plan.md", super::PLAN);
    let session = Session::at_work(&world, "a");
    assert_eq!(world.call(["pause", "waiting"]).dir("other").run().code, 0);
    assert!(session.is_pushed("done"));
    assert_eq!(world.plan(["pause", "waiting"]).code, 0);
    assert!(!session.is_pushed("done"));
    world.call(["pause", "--off"]).dir("other").run().ok("pause ended\n");
    assert!(!session.is_pushed("done"));
}

// C-11, C-12, C-22
#[test]
fn progress_done_ends_the_guard_and_signs_nothing_off() {
    let world = world();
    let session = Session::at_work(&world, "a");
    assert!(session.is_pushed("done"));
    session.runs(&["progress", "--done"]);
    assert!(!session.is_pushed("done"));
    assert!(world.plan_md().contains("status: active"));
    // C-9: this is not the version of the plan that was called finished.
    session.runs(&["step", "add", "cache-1", "measure it"]);
    assert!(session.is_pushed("done"));
}

// C-13, C-14
#[test]
fn progress_ticks_logs_and_names_the_next_in_one_call() {
    let world = world();
    let output = world.plan(["progress", "--step", "1", "--summary", "pool of 8", "--next", "2"]);
    output.ok("✓ Step 1 complete\n→ Step 2: eviction\n");
    let text = world.plan_md();
    assert!(text.contains("- [x] 1. wire it — pool of 8\n- [/] 2. eviction\n"), "{text}");
    assert!(text.contains("step 1 complete: pool of 8"), "{text}");
}

#[test]
fn progress_names_no_step_the_next_that_cannot_be() {
    let world = world();
    assert_eq!(world.plan(["step", "done", "1", "wired"]).code, 0);
    let before = world.plan_md();
    let output = world.plan(["progress", "--step", "2", "--next", "1"]);
    assert!(output.code == 4 && output.stderr.contains("step 1 is complete"), "{output:?}");
    let output = world.plan(["progress", "--step", "2", "--next", "cache-1.2"]);
    output.is(2, "", "error: step 2 cannot be both complete and next\n");
    assert_eq!(world.plan_md(), before);
    assert_eq!(world.plan(["step", "start", "2"]).code, 0);
    world.plan(["progress", "--next", "2"]).ok("→ Step 2: eviction\n");
}

// A hold that is in the log is not denied.
#[test]
fn a_hold_that_cannot_be_written_says_what_was() {
    let world = world();
    assert_eq!(world.plan(["pause", "first"]).code, 0);
    let files = std::fs::read_dir(world.path(".git/plan")).unwrap().map(|entry| entry.unwrap().path());
    let hold = files.into_iter().find(|path| path.to_string_lossy().contains("hold-")).unwrap();
    std::fs::remove_file(&hold).unwrap();
    std::fs::create_dir(&hold).unwrap();
    for args in [&["pause", "second"][..], &["progress", "--step", "1", "--done"]] {
        let before = world.plan_md();
        let output = world.plan(args);
        assert!(output.code == 3 && world.plan_md() != before, "{output:?}");
        assert!(
            !output.stderr.contains("nothing was changed") && output.stderr.contains("plan.md was written"),
            "{output:?}"
        );
    }
    for args in [&["pause", "--off"][..], &["loop", "start"]] {
        let output = world.plan(args);
        assert!(output.code == 3 && output.stderr.contains("help: move that folder away"), "{output:?}");
    }
    let before = world.plan_md();
    let output = world.plan(["progress", "--done"]);
    assert!(output.code == 3 && output.stderr.contains("nothing was changed"), "{output:?}");
    assert_eq!(world.plan_md(), before);
}

// C-15
#[test]
fn progress_without_a_plan_is_refused() {
    let world = crate::support::World::new();
    let output = world.plan(["progress", "--done"]);
    assert_eq!(output.code, 4, "{output:?}");
    assert!(output.stderr.contains("there is no plan here"), "{}", output.stderr);
    assert_eq!(world.plan(["progress"]).code, 2);
}

#[test]
fn stop_means_stop() {
    let world = world();
    let session = Session::at_work(&world, "a");
    for word in ["stop", "Stop!", "  please stop.", "WAIT"] {
        session.prompt(word);
        session.edits();
        assert!(!session.is_pushed("stopped"), "{word}");
    }
    session.prompt("replace the stop button");
    session.edits();
    assert!(session.is_pushed("done"), "more than a stop is work");
}

#[test]
fn a_prompt_that_the_host_sends_itself_is_no_message_of_a_person() {
    let world = world();
    let session = Session::at_work(&world, "a");
    for _ in 0..5 {
        assert!(session.is_pushed("done"));
    }
    session.prompt("<task-notification>agent 3 ended</task-notification>");
    session.edits();
    assert!(!session.is_pushed("done"));
}

// SIGNOFF: a judge writes nothing
#[test]
fn inside_a_judge_nothing_is_written() {
    let world = world().env("PLAN_JUDGE_SESSION", "1");
    for args in [&["pause", "x"][..], &["pause", "--off"], &["progress", "--done"], &["progress", "--step", "1"]] {
        assert_eq!(world.plan(args).code, 4, "{args:?}");
    }
    assert_eq!(world.plan_md(), super::PLAN);
}

#[test]
fn a_pause_without_a_word_or_that_reads_as_a_sign_off_changes_nothing() {
    let world = world();
    assert_eq!(world.plan(["pause"]).code, 2);
    assert_eq!(world.plan(["pause", " "]).code, 2);
    assert_eq!(world.plan_md(), super::PLAN);
}

// P-24: if the shell line does not show it, the environment of the command does
#[test]
fn a_command_run_in_the_session_makes_it_one_that_works_on_the_plan() {
    let world = world();
    let session = Session::new(&world, "claude-session");
    session.start("startup");
    session.prompt("do it");
    let ran = world.call(["log", "begun"]).env("CLAUDECODE", "1").env("CLAUDE_CODE_SESSION_ID", "claude-session").run();
    assert_eq!(ran.code, 0, "{ran:?}");
    session.tools(&[("Bash", serde_json::json!({ "command": "sh work.sh" }))]);
    assert!(session.is_pushed("done"));
}

// P-24: "keep working" counts as nagging
#[test]
fn a_paused_plan_is_not_reminded_of_either() {
    let world = world();
    let session = Session::at_work(&world, "a");
    session.runs(&["pause", "blocked"]);
    for _ in 0..8 {
        assert_eq!(session.edits(), "");
    }
    assert_eq!(world.plan(["remind", "--session", "a"]).stdout, "");
    session.prompt("go on");
    let texts: Vec<String> = (0..3).map(|_| session.edits()).collect();
    assert!(texts.iter().any(|text| text.contains("plan complete")), "{texts:?}");
}

#[test]
fn a_stop_in_a_few_more_words_is_one() {
    let world = world();
    let session = Session::at_work(&world, "a");
    for word in
        ["ok stop", "Stop, thanks!", "no, stop", "hold on", "Don’t continue.", "停。", "thank you, that's enough"]
    {
        session.prompt(word);
        session.edits();
        assert!(!session.is_pushed("stopped"), "{word}");
    }
    for word in
        ["don't stop", "do not ever stop", "rename the stop", "it must not wait", "no", "thanks", "add a stopwatch"]
    {
        session.prompt(word);
        session.edits();
        assert!(session.is_pushed("done"), "{word}");
    }
}

// A person says it in their own words: a missed push costs less than an unwanted one.
#[test]
fn a_short_message_that_begins_or_ends_with_a_stop_is_one() {
    let world = world();
    let session = Session::at_work(&world, "a");
    let said = [
        "stop for now", "stop the loop", "let's stop", "Let’s stop for today", "can we stop here?", "stop working",
        "wait, stop", "please stop and wait for me", "Stop, I want to look first", "stop right there",
        "that's enough for today", "no more", "quit", "先停",
    ];
    for said in said {
        session.prompt(said);
        session.edits();
        assert!(!session.is_pushed("ok, stopping."), "{said}");
    }
}

// INJECTION §4: only the phrase counts, in a message of any length; the table of phrases is tested in its own file
#[test]
fn a_long_message_that_begins_with_a_stop_is_one_and_an_instruction_is_none() {
    let world = world();
    let session = Session::at_work(&world, "a");
    let more = "Tell me first why you changed each of these files, one by one. ".repeat(8);
    for said in [format!("STOP. {more}"), format!("{more}\n\nI'll take over."), format!("Hör auf. {more}")] {
        session.prompt(&said);
        session.edits();
        assert!(!session.is_pushed("ok"), "{said}");
    }
    for said in ["Stop using mocks in these tests", "add a button to stop it", &format!("stop {more}")] {
        session.prompt(said);
        session.edits();
        assert!(session.is_pushed("done"), "{said}");
    }
}

// INJECTION §3: after a person said stop, nobody is told to keep working
#[test]
fn after_a_stop_nobody_is_reminded_to_keep_working() {
    let world = world();
    let session = Session::at_work(&world, "a");
    session.prompt("stop");
    for _ in 0..8 {
        assert_eq!(session.edits(), "");
    }
    session.prompt("go on");
    let texts: Vec<String> = (0..3).map(|_| session.edits()).collect();
    assert!(texts.iter().any(|text| text.contains("plan complete")), "{texts:?}");
}

// Claude Code never returns a push as a message, so a quote of it comes from a person.
#[test]
fn a_person_who_quotes_the_push_is_heard() {
    let world = world();
    let session = Session::at_work(&world, "a");
    let push = session.stop("done")["hookSpecificOutput"]["additionalContext"].as_str().unwrap().to_owned();
    session.runs(&["pause", "needs the key"]);
    session.prompt(&format!("> {push}\nok, the key is set, go on"));
    session.edits();
    assert!(session.is_pushed("done"), "the hold ended");
    for _ in 0..3 {
        session.stop("done");
    }
    let push = session.stop("done")["hookSpecificOutput"]["additionalContext"].as_str().unwrap().to_owned();
    assert!(!session.is_pushed("done"));
    session.prompt(&push);
    session.edits();
    assert!(!session.is_pushed("done"), "nothing but the push: nobody spoke");
}

// SIGNOFF: a judge writes nothing, and takes no news from the session that it judges
#[test]
fn what_a_judge_asks_changes_no_session() {
    let world = world();
    let asks = [&["inject", "--if", "changed", "--session", "j1"][..], &["remind", "--session", "j1"]];
    for ask in asks {
        let output = world.call(ask).env("PLAN_JUDGE_SESSION", "1").run();
        assert_eq!((output.code, &*output.stdout), (0, ""), "{ask:?}");
    }
    assert!(!world.path(".git/plan/sessions").exists());
    assert!(world.plan(asks[0]).stdout.contains("<plan "), "it is still to be told");
}
