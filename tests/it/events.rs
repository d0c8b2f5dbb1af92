//! `plan events`: the events, one JSON line each.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::support::World;

fn world() -> World {
    World::new().file("plan.md", "# Plan: x\n\n## Goal: y\n<!-- id: y-1 -->\nstatus: active\n- [ ] 1. z\n")
}

fn append(world: &World, file: &str, text: &str) {
    use std::io::Write;
    std::fs::create_dir_all(world.path(".git/plan")).unwrap();
    let path = world.path(".git/plan").join(file);
    let mut file = std::fs::File::options().append(true).create(true).open(path).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

// C-38
#[test]
fn each_event_is_a_line_and_what_the_agent_calls_finished_is_seen() {
    let world = world();
    world.plan(["events"]).ok("");
    assert_eq!(world.plan(["progress", "--step", "1"]).code, 0);
    assert_eq!(world.plan(["progress", "--done"]).code, 0);
    assert_eq!(world.plan(["loop", "start", "--budget", "7"]).code, 0);
    let output = world.plan(["events"]);
    let lines: Vec<Value> = output.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<&str> = lines.iter().map(|line| line["event"].as_str().unwrap()).collect();
    assert_eq!(names, ["execution", "plan_updated", "progress", "progress", "loop"]);
    assert_eq!((&lines[0]["step"], &lines[0]["status"]), (&"1".into(), &"complete".into()));
    assert_eq!((&lines[2]["step"], &lines[3]["done"], &lines[4]["budget"]), (&"1".into(), &true.into(), &7.into()));
    assert!(lines.iter().all(|line| line["version"] == 1 && line["at"].is_u64()));
    let document = world.plan(["events", "--json"]).json(0);
    assert_eq!(document["events"].as_array().unwrap(), &lines);
}

// S-13, S-14: the action of each writing command, and the end of a check
#[test]
fn what_changes_the_plan_and_what_a_check_came_to_is_told() {
    use crate::support::judge;
    let world = judge::world().judge("honest", judge::HONEST, "accept");
    assert_eq!(world.plan(["goal", "start", "docs-1"]).code, 0);
    assert_eq!(world.plan(["step", "add", "docs-1", "write"]).code, 0);
    assert_eq!(world.plan(["step", "fail", "2", "no paper"]).code, 0);
    assert_ne!(world.plan(["step", "fail", "9", "x"]).code, 0);
    assert_eq!(world.plan(["complete", "fast-1", "--judge", "cmd:honest"]).code, 0);
    let output = world.plan(["events"]).stdout;
    let lines: Vec<Value> = output.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let told = |event: &str| lines.iter().filter(|line| line["event"] == event).cloned().collect::<Vec<_>>();
    let step = &told("execution")[0];
    assert_eq!((&step["goal"], &step["step"], &step["status"]), (&"docs-1".into(), &"2".into(), &"failed".into()));
    assert_eq!(told("execution").len(), 1, "what is refused did not happen: {output}");
    let updated = told("plan_updated");
    assert_eq!(updated.iter().filter(|line| line["goals"]["docs-1"] == "active").count(), 1, "{output}");
    assert!(updated.iter().any(|line| line["log"][0] == "step 2 failed: no paper"), "{output}");
    let signoff = &told("signoff")[0];
    assert_eq!((&signoff["goal"], &signoff["outcome"]), (&"fast-1".into(), &"accepted".into()));
    let begun = World::new();
    assert_eq!(begun.plan(["init", "Sums"]).code, 0);
    assert!(begun.plan(["events"]).stdout.contains("\"event\":\"plan_created\""));
}

#[test]
fn the_older_file_comes_first_and_nothing_reaches_the_terminal() {
    let world = world();
    append(&world, "events.jsonl", "{\"n\":2}\n{\"n\":\"\u{202e}\u{9b}\"}\n{\"n\":3");
    append(&world, "events.1.jsonl", "{\"n\":1}\n");
    world.plan(["events"]).ok("{\"n\":1}\n{\"n\":2}\n{\"n\":\"\\u202e\\u009b\"}\n");
    assert_eq!(world.plan(["events", "--json"]).json(0)["events"].as_array().unwrap().len(), 3);
    assert_eq!(world.plan(["events", "--follow", "--json"]).code, 2);
}

// No command waits at a state file, whatever is at its path.
#[test]
fn a_pipe_in_the_state_folder_holds_nothing_up() {
    let world = world();
    assert_eq!(world.plan(["pause", "x"]).code, 0);
    let files = std::fs::read_dir(world.path(".git/plan")).unwrap().map(|entry| entry.unwrap().path());
    let mut names = files.map(|path| path.file_name().unwrap().to_string_lossy().into_owned());
    let hold = names.find(|name| name.starts_with("hold-")).unwrap();
    let lock = format!("{}.run", hold.replace("hold-", "loop-"));
    for name in ["events.jsonl", "events.1.jsonl", &*lock] {
        let path = world.path(".git/plan").join(name);
        let _ = std::fs::remove_file(&path);
        rustix::fs::mknodat(rustix::fs::CWD, &path, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    }
    world.plan(["events"]).ok("");
    assert_eq!(world.plan(["loop", "status"]).code, 0);
    assert_eq!(world.plan(["loop", "start"]).code, 0);
}

#[test]
fn follow_waits_for_more_and_loses_nothing_where_the_file_becomes_the_older_one() {
    let world = world();
    append(&world, "events.jsonl", "{\"n\":1}\n");
    let mut command = world.interruptible(["events", "--follow"]);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = || lines.next().unwrap().unwrap();
    assert_eq!(next(), "{\"n\":1}");
    append(&world, "events.jsonl", "{\"n\":");
    append(&world, "events.jsonl", "2}\n");
    assert_eq!(next(), "{\"n\":2}");
    append(&world, "events.jsonl", "{\"n\":3}\n");
    let folder = world.path(".git/plan");
    std::fs::rename(folder.join("events.jsonl"), folder.join("events.1.jsonl")).unwrap();
    append(&world, "events.jsonl", "{\"n\":4}\n");
    assert_eq!((next(), next()), ("{\"n\":3}".to_owned(), "{\"n\":4}".to_owned()));
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let status = child.wait().unwrap();
    assert!(!status.success(), "{status:?}");
}

#[test]
fn follow_ends_where_nobody_reads() {
    let world = world();
    append(&world, "events.jsonl", "{\"n\":1}\n");
    let mut command = world.command(env!("CARGO_BIN_EXE_plan"), ["events", "--follow"]);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
