//! Finds the sessions that work on the plan: only they are sent on.

use serde_json::json;

use super::{PLAN, Session, world};
use crate::support::World;

// P-14: other terminals, one-shot runs
#[test]
fn a_session_that_does_not_work_on_this_plan_is_let_go() {
    let world = world();
    let worker = Session::at_work(&world, "worker");
    let other = Session::new(&world, "other");
    other.start("startup");
    other.prompt("fix the typo in README");
    other.tools(&[("Edit", json!({ "file_path": "README.md" }))]);
    other.tools(&[("Bash", json!({ "command": "cat plan.md | head; plan show; plan next" }))]);
    // It read the plan. Nobody can tell whether a shell line that names the plan wrote to it; this one did not.
    assert!(worker.is_pushed("done"));
    assert!(!other.is_pushed("The typo is fixed."));
}

// §4: the plan is created in this very session, so there was no earlier state to compare with
#[test]
fn the_session_that_makes_the_plan_is_watched_from_then_on() {
    let bash = |line: &str| ("Bash", json!({ "command": line }));
    let cases = [
        bash("plan init 'Faster search'"),
        bash("cat > plan.md <<'END'\n# Plan: x\nEND"),
        ("Write", json!({ "file_path": "plan.md", "content": PLAN })),
    ];
    for (tool, input) in cases {
        let world = World::new();
        let session = Session::new(&world, "a");
        assert_eq!(session.start("startup") + &session.prompt("plan this, and do it"), "");
        world.write("plan.md", PLAN);
        session.tools(&[(tool, input.clone())]);
        for round in 0..5 {
            assert!(session.is_pushed("The plan is made."), "{round}: {input}");
        }
        assert!(!session.is_pushed("The plan is made."));
    }
}

// A plan.md that is a link to another file of the repository (FORMAT §1) is the plan under both names.
#[test]
fn a_plan_behind_a_link_is_worked_on_under_both_names() {
    for (tool, input) in [
        ("Edit", json!({ "file_path": "plan.md" })),
        ("Edit", json!({ "file_path": "docs/PLAN.md" })),
        ("Bash", json!({ "command": "sed -i 's/a/b/' plan.md" })),
        ("Bash", json!({ "command": "sed -i 's/a/b/' docs/PLAN.md" })),
    ] {
        let world = World::new().file("docs/PLAN.md", PLAN);
        std::os::unix::fs::symlink("docs/PLAN.md", world.path("plan.md")).unwrap();
        let session = Session::new(&world, "a");
        session.start("startup");
        session.prompt("do it");
        world.write("docs/PLAN.md", PLAN.replace("- [ ] 1. wire it", "- [x] 1. wire it"));
        assert_eq!(session.tools(&[(tool, input.clone())]), "", "its own edit");
        assert!(session.is_pushed("done"), "{tool} {input}");
    }
}

// §4: a session that never wrote to the plan is not sent on
#[test]
fn what_only_looks_like_the_plan_is_none_of_it() {
    let world = world().file("else/plan.md", "other").file("README.md", "see plan.md");
    let bash = |line: &str| ("Bash", json!({ "command": line }));
    let cases = [
        ("Edit", json!({ "file_path": "README.md", "new_string": "see plan.md" })),
        ("Edit", json!({ "file_path": world.path("else/plan.md") })),
        ("Edit", json!({ "file_path": "else/plan.md" })),
        bash("grep -rn \"plan goal\" src"),
        bash("grep -rnE 'a|plan goal add' src; cargo test"),
        bash("git commit -m \"Improve floor plan import\""),
        bash("cat plan.md; cargo test"),
        bash("cat plan.md 2>/dev/null | head -5 && cargo test 2>&1"),
        bash("plan goal list"),
        bash("plan step --help"),
        bash("plan show --json"),
        bash("plan show log"),
        bash("plan help step"),
        bash("plan man goal"),
        bash("plan show goal"),
        bash("plan --file plan.md goal --json list"),
        bash("plan undo --list"),
        bash("plan complete cache-1 --dry-run"),
        bash("less plan.md"),
        bash("cp plan.md /tmp/x"),
        bash("git add plan.md && git -C . commit -m d plan.md"),
        bash("cargo test # plan log x"),
        ("mcp__linear__project_plan_goal", json!({})),
        ("mcp__other__floorplan_step", json!({})),
        ("mcp__plan__plan_show", json!({})),
    ];
    for (at, (tool, input)) in cases.into_iter().enumerate() {
        let session = Session::new(&world, &format!("s{at}"));
        session.start("startup");
        session.prompt("do it");
        session.tools(&[(tool, input.clone())]);
        assert!(!session.is_pushed("done"), "{tool} {input}");
    }
}

#[test]
fn what_writes_to_the_plan_is_known_in_many_forms() {
    let world = world().file("src/x", "");
    let bash = |line: &str| ("Bash", json!({ "command": line }));
    let cases = [
        ("Edit", json!({ "file_path": "plan.md" })),
        ("Edit", json!({ "file_path": world.path("src/../plan.md") })),
        bash("plan log x"),
        bash("cd src && plan goal add 'list'"),
        bash("PLAN_NOW=1 env A=b ./bin/plan --json step done 1 \"it's done\""),
        bash("bash -lc 'cargo test && plan log \"ok\"'"),
        bash("echo \"$(plan log x)\"; x=$(plan log y)"),
        bash("if cargo test; then plan log green; fi"),
        bash("sed -i 's/a/b/' plan.md"),
        bash("echo x >> ./plan.md"),
        bash("plan log status"),
        bash("# let's tick it\nplan step done 1"),
        bash("sed -Ei 's/a/b/' plan.md"),
        bash("sort -o plan.md plan.md"),
        bash("cp /tmp/x plan.md"),
        bash("timeout -k 5 60 plan log x"),
        bash("plan lint --fix"),
        bash("plan --color never -C . log x"),
        ("mcp__plan__plan_log", json!({})),
        ("Bash", json!({ "command": ["bash", "-lc", "plan log x"] })),
    ];
    for (at, (tool, input)) in cases.into_iter().enumerate() {
        let session = Session::new(&world, &format!("s{at}"));
        session.start("startup");
        session.prompt("do it");
        session.tools(&[(tool, input.clone())]);
        assert!(session.is_pushed("done"), "{tool} {input}");
    }
    let codex = json!({ "hook_event_name": "PostToolUse", "session_id": "c", "cwd": world.root(), "tool_name": "apply_patch",
        "tool_input": { "command": "*** Begin Patch\n*** Update File: plan.md\n@@\n-a\n+b\n*** End Patch\n" } });
    let stop =
        json!({ "hook_event_name": "Stop", "session_id": "c", "cwd": world.root(), "last_assistant_message": "x" });
    let prompt =
        json!({ "hook_event_name": "UserPromptSubmit", "session_id": "c", "cwd": world.root(), "prompt": "x" });
    let mut answers = Vec::new();
    for payload in [prompt, codex, stop] {
        answers.push(world.call(["hook", "codex"]).stdin(payload.to_string()).run().stdout);
    }
    assert!(answers[2].contains("\"block\""), "{answers:?}");
}

// INJECTION §4: told to work through the plan, it reads the plan, edits code and claims that all is finished
#[test]
fn the_forgetful_agent_is_sent_on() {
    let told = [
        "Work through plan.md until every goal is signed off.",
        "Work through ./plan.md",
        "Please stick to the plan and finish it.",
        "Arbeite den Plan ab.",
        "Travaille sur le plan.",
        "Sigue el plan hasta el final.",
        "Выполни план",
        "按照计划完成工作",
        "do cache-1",
        "Now do `docs-1`, please",
        "implement cache layer, and test it",
        "finish every goal",
    ];
    for (at, text) in told.into_iter().enumerate() {
        let world = world();
        let session = Session::new(&world, &format!("s{at}"));
        session.start("startup");
        session.prompt(text);
        session.edits();
        assert!(session.is_pushed("All finished."), "{text}");
        session.prompt("use tabs");
        session.edits();
        assert!(session.is_pushed("All finished."), "{text}: it still works on the plan");
    }
    let others = [
        "fix the typo in README",
        "plan how to split the parser",
        "add the planet data",
        "rename cache-10 and my-cache-1",
        "see floor-plan.md and plan.md.bak",
        "write docs",
        "```\nfix plan.md\n```",
        "> work on the plan\nwhat I meant by that: the parser",
    ];
    for (at, text) in others.into_iter().enumerate() {
        let world = world();
        let session = Session::new(&world, &format!("s{at}"));
        session.start("startup");
        session.prompt(text);
        session.edits();
        assert_eq!(session.stop("All finished."), serde_json::Value::Null, "{text}");
    }
}

// A question about the plan is answered; the next message may be about something else.
#[test]
fn a_question_about_the_plan_makes_no_worker() {
    let world = world();
    let session = Session::new(&world, "a");
    session.start("startup");
    session.prompt("What is left in the plan?");
    assert!(!session.is_pushed("Two goals."));
    session.prompt("fix the typo in README");
    session.edits();
    assert!(!session.is_pushed("Fixed."));
    session.prompt("Can you work through plan.md?");
    session.edits();
    assert!(session.is_pushed("All finished."), "it did");
    session.prompt("use tabs");
    session.edits();
    assert!(session.is_pushed("All finished."));
}

// INJECTION §4: it read the plan and then changed files since the user's last message
#[test]
fn who_reads_the_plan_and_then_changes_files_works_on_it() {
    let bash = |line: &str| ("Bash", json!({ "command": line }));
    let reads = [
        ("Read", json!({ "file_path": "plan.md" })),
        ("mcp__plan__plan_show", json!({})),
        bash("plan next"),
        bash("plan show cache-1"),
        bash("plan"),
        bash("head -50 plan.md"),
        bash("cat README.md plan.md | less"),
    ];
    for (at, (tool, input)) in reads.into_iter().enumerate() {
        let world = world();
        let session = Session::new(&world, &format!("s{at}"));
        session.start("startup");
        session.prompt("go");
        session.edits();
        session.tools(&[(tool, input.clone())]);
        assert!(!session.is_pushed("done"), "it changed files before: {input}");
        session.edits();
        assert!(session.is_pushed("done"), "{tool} {input}");
        // It read the plan for one message and changed files for another.
        let session = Session::new(&world, &format!("t{at}"));
        session.start("startup");
        session.prompt("look around");
        session.tools(&[(tool, input.clone())]);
        session.prompt("fix the typo in README");
        session.edits();
        assert!(!session.is_pushed("Fixed."), "{tool} {input}");
    }
    let world = world();
    let session = Session::new(&world, "shell");
    session.start("startup");
    session.prompt("go");
    session.tools(&[bash("cat plan.md")]);
    std::thread::sleep(std::time::Duration::from_millis(30));
    session.tools(&[bash("python3 make.py")]);
    assert!(!session.is_pushed("done"), "nothing changed");
    world.write("made.py", "x");
    session.tools(&[bash("python3 make.py")]);
    assert!(session.is_pushed("done"));
}
