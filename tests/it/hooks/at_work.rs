//! Which sessions work on the plan: only they are sent on.

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
    // It read the plan; whether a shell line that names it wrote to it, nobody can tell: it did not.
    assert!(worker.is_pushed("done"));
    assert!(!other.is_pushed("The typo is fixed."));
}

// §4: the plan is made in this very session, before which there was nothing to remember it by
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

// A plan.md that leads to another file of the repository (FORMAT §1) is the plan under both names.
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

// §4: a session that never wrote to the plan is let go
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
