//! Stops at which the guard does not send an agent on: somebody else drives it, nothing can be done, or a person has to act.

use serde_json::{Value, json};

use super::{PLAN, Session, world};

#[test]
fn a_question_that_was_answered_is_not_driven_on() {
    let world = world();
    let session = Session::at_work(&world, "a");
    session.prompt("What does the cache do?");
    assert!(!session.is_pushed("It keeps results."));
}

#[test]
fn subagents_and_work_in_the_background_are_let_go() {
    let world = world();
    let session = Session::at_work(&world, "a");
    assert_eq!(session.event("Stop", json!({ "last_assistant_message": "x", "agent_id": "s1" })), Value::Null);
    assert_eq!(session.event("SubagentStop", json!({ "last_assistant_message": "x", "agent_id": "s1" })), Value::Null);
    let beside =
        |tasks: Value| session.event("Stop", json!({ "last_assistant_message": "x", "background_tasks": tasks }));
    let running = json!({ "type": "subagent", "status": "running" });
    let ended = json!({ "type": "subagent", "status": "completed" });
    for tasks in [json!([{}]), json!([running]), json!([ended, running])] {
        assert_eq!(beside(tasks.clone()), Value::Null, "{tasks}");
    }
    assert!(!beside(json!([ended])).is_null(), "what has ended wakes nobody");
    assert!(session.is_pushed("x"));
}

#[test]
fn a_goal_that_the_host_drives_itself_is_left_to_it() {
    let world = world();
    let session = Session::at_work(&world, "a");
    session.prompt("/goal all tests pass");
    session.edits();
    assert!(!session.is_pushed("done"));
    session.prompt("/goal clear");
    session.edits();
    assert!(session.is_pushed("done"));
}

#[test]
fn where_nothing_is_ready_nobody_is_sent_on() {
    let waiting = PLAN.replace("<!-- id: docs-1 -->\n", "<!-- id: docs-1 -->\nneeds: cache-1\n");
    let world = world().file("plan.md", waiting);
    let session = Session::at_work(&world, "a");
    session.runs(&["goal", "cancel", "cache-1", "not needed"]);
    assert_eq!(world.plan(["next"]).code, 1);
    let answer = session.stop("done");
    let notice = answer["systemMessage"].as_str().unwrap_or_default();
    assert!(notice.contains("`docs-1` needs `cache-1`"), "{answer}");
    assert_eq!(session.stop("done"), Value::Null, "said once");
}

#[test]
fn who_only_looked_is_let_go() {
    let world = world().file("calc.py", "def add(a, b):\n    return a + b\n");
    let session = Session::at_work(&world, "a");
    let bash = |line: &str| ("Bash", json!({ "command": line }));
    let looks = [
        bash("cat calc.py"),
        bash("ls -la && git log --oneline | head -3"),
        bash("grep -rn add . | sort | uniq -c"),
        bash("python3 -c 'print(1)'"),
        ("Read", json!({ "file_path": "calc.py" })),
        ("Grep", json!({ "pattern": "add" })),
        ("WebSearch", json!({ "query": "add" })),
        ("TodoWrite", json!({ "todos": [] })),
        ("Write", json!({ "file_path": "/elsewhere/notes.md" })),
        ("mcp__other__get_page", json!({})),
        ("mcp__plan__plan_show", json!({})),
        ("Agent", json!({ "prompt": "look around" })),
    ];
    for (tool, input) in looks {
        session.prompt("What does calc.py do?");
        session.tools(&[(tool, input.clone())]);
        assert_eq!(session.stop("It adds."), Value::Null, "{tool} {input}");
    }
}

#[test]
fn what_changed_files_is_seen_by_the_files_where_the_call_does_not_tell() {
    let world = world().file(".gitignore", "*.log\n").file("calc.py", "x").file("old.py", "x");
    world.git(["add", "-A"]);
    let session = Session::at_work(&world, "a");
    let calls = [("Bash", json!({ "command": "python3 make.py" })), ("Agent", json!({})), ("mcp__fs__edit", json!({}))];
    for (tool, input) in calls {
        for (file, expected) in [
            ("build.log", false),
            ("__pycache__/calc.pyc", false),
            (".claude/settings.local.json", false),
            ("plan.md", false),
            ("new.py", true),
            ("calc.py", true),
        ] {
            std::thread::sleep(std::time::Duration::from_millis(30));
            session.prompt("What does calc.py do?");
            world.write(file, if file == "plan.md" { world.plan_md() } else { "y".to_owned() });
            session.tools(&[(tool, input.clone())]);
            assert_eq!(session.is_pushed("It adds."), expected, "{tool} {file}");
        }
    }
    std::thread::sleep(std::time::Duration::from_millis(30));
    session.prompt("What does calc.py do?");
    std::fs::remove_file(world.path("old.py")).unwrap();
    session.tools(&[("Bash", json!({ "command": "make clean" }))]);
    assert!(session.is_pushed("It adds."), "a file that went");
}

#[test]
fn a_sign_off_that_only_a_person_can_give_is_waited_for() {
    let world = world();
    std::fs::create_dir_all(world.base().join("home/.config/plan")).unwrap();
    let config = world.base().join("home/.config/plan/config.yaml");
    for (judge, waits) in [("claude", false), ("human", true), ("[checks, human]", true)] {
        std::fs::write(&config, format!("judge: {judge}\n")).unwrap();
        let session = Session::new(&world, judge);
        session.start("startup");
        session.prompt("work on the plan");
        session.edits();
        assert!(session.is_pushed("done"), "{judge}: steps are left");
        let all_done = PLAN.replace("- [ ]", "- [x]");
        world.write("plan.md", &all_done);
        session.tools(&[("Edit", json!({ "file_path": "plan.md" }))]);
        let answer = session.stop("done");
        let notice = answer["systemMessage"].as_str().unwrap_or_default();
        assert_eq!(notice.contains("only a person can sign off `cache-1`: plan complete cache-1"), waits, "{answer}");
        let reminded: String = (0..4).map(|_| session.edits()).collect();
        assert_eq!(reminded.is_empty(), waits, "{judge}: neither is it reminded: {reminded}");
        world.write("plan.md", PLAN);
    }
}

#[test]
fn a_session_whose_memory_goes_away_is_not_sent_on_before_a_person_speaks() {
    let world = world();
    let session = Session::at_work(&world, "a");
    for round in 0..5 {
        for entry in std::fs::read_dir(world.path(".git/plan/sessions")).unwrap() {
            std::fs::remove_file(entry.unwrap().path()).unwrap();
        }
        session.tools(&[("Bash", json!({ "command": "plan log x" }))]);
        assert!(!session.is_pushed("done"), "{round}");
    }
    session.prompt("go on");
    session.tools(&[("Bash", json!({ "command": "plan log x" }))]);
    assert!(session.is_pushed("done"));
}

#[test]
fn a_turn_that_somebody_else_sends_on_is_left_to_them() {
    let world = world();
    let session = Session::at_work(&world, "a");
    let again = || session.event("Stop", json!({ "last_assistant_message": "done", "stop_hook_active": true }));
    assert_eq!(again(), Value::Null);
    assert!(session.is_pushed("done"));
    assert!(!again().is_null(), "its own pushes go on");
}

#[test]
fn a_goal_that_the_host_drove_does_not_switch_the_guard_off_for_ever() {
    let world = world();
    let session = Session::at_work(&world, "a");
    session.prompt("/goal tests green");
    for _ in 0..3 {
        session.edits();
        assert!(!session.is_pushed("not yet"), "the host goes on after the stop");
    }
    session.edits();
    session.prompt("use the other table");
    session.edits();
    assert!(!session.is_pushed("not yet"), "said while it worked");
    session.prompt("now the documentation");
    session.edits();
    assert!(session.is_pushed("done"), "its turn had ended");
    session.prompt("/goalkeeper check");
    session.edits();
    assert!(session.is_pushed("done"), "another command");
}
