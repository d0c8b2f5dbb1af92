//! Stage 1 over several programs: a line is a sequence, with one time limit and one tail.

use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use crate::support::World;

/// Returns the output of `plan verify a-1 --json` for a goal with this `verify`.
fn verified(world: World, verify: &str) -> serde_json::Value {
    let world = world.file("plan.md", format!("# Plan: x\n\n## Goal: A\n<!-- id: a-1 -->\nverify: {verify}\n"));
    let output = world.call(["verify", "a-1", "--json"]).limit(Duration::from_secs(30)).run();
    serde_json::from_str::<serde_json::Value>(&output.stdout).unwrap()["verify"].take()
}

fn world() -> World {
    World::new()
        .file("one.sh", "echo one $WORD\n")
        .file("no.sh", "echo no\nexit 3\n")
        .file("nap.sh", "grep -q Goal plan.md || exit 1\nsleep $1\n")
}

// P-44
#[test]
fn a_sequence_ends_at_its_first_failure() {
    let report = verified(world(), "WORD=more sh one.sh && sh no.sh && sh one.sh");
    assert_eq!(report["tail"], "one more\nno\n", "{report:#}");
    assert_eq!((&report["end"], &report["code"]), (&"exit".into(), &3.into()), "{report:#}");
    assert!(report["argv"][0].as_str().unwrap().ends_with("/sh") && report["argv"][1] == "no.sh", "{report:#}");
}

#[test]
fn a_program_that_is_not_there_ends_it_too() {
    let report = verified(world(), "sh one.sh && nothing-of-this-name");
    assert_eq!((&report["end"], &report["tail"]), (&"unstartable".into(), &"one\n".into()), "{report:#}");
}

#[test]
fn the_limit_is_that_of_the_whole_line() {
    let goal = "## Goal: A\n<!-- id: a-1 -->\nverify: sh nap.sh 1.4 && sh nap.sh 1.4\n";
    let world = world().file("plan.md", format!("---\nverify_timeout: 2\n---\n{goal}"));
    let output = world.plan(["verify", "a-1"]);
    assert!(output.stdout.contains("verify   killed after 2 s"), "{output:?}");
}

/// Runs `plan complete a-1`, whose verify is red.
fn rejected(world: &World) -> String {
    let output = world.call(["complete", "a-1", "--judge", "cmd:true"]).limit(Duration::from_secs(20)).run();
    assert_eq!(output.code, 1, "{output:?}");
    output.stderr
}

// SIGNOFF.md §2: the run log is a file of `plan`. A foreign file with its name is neither waited for nor written.
#[test]
fn a_pipe_or_a_link_at_the_run_log_is_left_alone() {
    let world = world().file("plan.md", "# Plan: x\n\n## Goal: A\n<!-- id: a-1 -->\nverify: sh no.sh\n");
    world.write("victim.txt", "mine\n");
    assert_eq!(rejected(&world).matches("run log").count(), 0);
    let log = world.path(".git/plan/runs/a-1.1.log");
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(log.parent().unwrap()), mode(&log)), (0o700, 0o600), "for this user only");
    std::fs::remove_file(&log).unwrap();
    assert_eq!(world.call_program("mkfifo", [&log]).run().code, 0);
    let said = rejected(&world);
    assert!(said.contains("the run log could not be written: `") && said.contains("is not a regular file"), "{said}");
    std::fs::remove_file(&log).unwrap();
    std::os::unix::fs::symlink(world.path("victim.txt"), &log).unwrap();
    assert!(rejected(&world).contains("is not a regular file"));
    assert_eq!(world.read("victim.txt"), "mine\n");
}

#[test]
fn a_link_in_place_of_the_folder_of_run_logs_is_refused() {
    let world = world().file("plan.md", "# Plan: x\n\n## Goal: A\n<!-- id: a-1 -->\nverify: sh no.sh\n");
    world.write("elsewhere/file", "");
    std::fs::create_dir_all(world.path(".git/plan")).unwrap();
    for folder in ["runs", "starts"] {
        std::os::unix::fs::symlink(world.path("elsewhere"), world.path(".git/plan").join(folder)).unwrap();
    }
    for args in [&["complete", "a-1", "--judge", "cmd:true"][..], &["goal", "start", "a-1"]] {
        let output = world.plan(args);
        assert_eq!(output.code, 3, "{output:?}");
        assert!(output.stderr.contains("is not a folder of `plan`'s own"), "{output:?}");
    }
    assert_eq!(std::fs::read_dir(world.path("elsewhere")).unwrap().count(), 1);
}
