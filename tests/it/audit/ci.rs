//! The job that `plan install ci` writes.

use super::support::project;
use crate::support::World;

const FILE: &str = ".github/workflows/plan-audit.yml";

// P-7
#[test]
fn installing_twice_changes_nothing_and_uninstalling_restores() {
    let world = project();
    assert_eq!(world.plan(["install", "ci"]).code, 0);
    let text = world.read(FILE);
    assert_eq!(world.plan(["install", "ci", "--print"]).stdout, text);
    assert_eq!(world.plan(["install", "ci"]).code, 0);
    assert_eq!(world.read(FILE), text);
    assert_eq!(world.plan(["uninstall", "ci"]).code, 0);
    assert!(!world.path(".github").exists());
    assert_eq!(world.plan(["uninstall", "ci"]).code, 0);
}

#[test]
fn a_job_that_someone_changed_stays() {
    let world = project().file(FILE, "name: mine\n").file(".github/other", "x");
    for verb in ["install", "uninstall"] {
        let output = world.plan([verb, "ci"]);
        assert_eq!(output.code, 1, "{output:?}");
        assert_eq!(world.read(FILE), "name: mine\n");
    }
    std::fs::remove_file(world.path(FILE)).unwrap();
    assert_eq!(world.plan(["install", "ci"]).code, 0);
    assert_eq!(world.plan(["uninstall", "ci"]).code, 0);
    assert_eq!(world.read(".github/other"), "x");
}

/// Rights that a job must not have if it runs a stranger's code.
#[test]
fn the_job_gives_a_fork_nothing() {
    let text = project().plan(["install", "ci", "--print"]).stdout;
    let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with('#')).collect();
    let all = code.join("\n");
    for never in ["pull_request_target", "workflow_run", "secrets.", "write", "head_ref", "ext::"] {
        assert!(!all.contains(never), "{never}");
    }
    for always in ["pull_request:", "permissions:\n  contents: read", "fetch-depth: 0", "persist-credentials: false"] {
        assert!(all.contains(always), "{always}");
    }
    // Expressions are only in the environment, never inside a script.
    for line in code.iter().filter(|line| line.contains("${{")) {
        let name = line.trim_start().split(':').next().unwrap();
        assert!(name == "if" || name.chars().all(|c| c.is_ascii_uppercase() || c == '_'), "{line}");
    }
    assert!(all.contains("plan audit --base \"origin/$BASE\" --rerun --format github"), "{all}");
    let args = [
        "-c",
        "import sys, json\ntry:\n import yaml\nexcept ImportError:\n sys.exit(9)\nprint(json.dumps(yaml.safe_load(sys.stdin)))",
    ];
    let world = World::without_git();
    let parsed = world.call_program("python3", args).stdin(&text).run();
    if parsed.code == 9 {
        println!("skipped: no YAML reader here");
        return;
    }
    let job: serde_json::Value = serde_json::from_str(&parsed.stdout).unwrap();
    assert_eq!(job["jobs"]["audit"]["steps"][4]["env"]["PLAN_FILE"], "plan.md", "{job:#}");
}

#[test]
fn a_plan_elsewhere_is_named_as_data() {
    let world = World::new().file("a \"b\" $(c)/plan.md", "# Plan: x\n");
    let text = world.call(["install", "ci", "--print"]).dir("a \"b\" $(c)").run().stdout;
    assert!(text.contains(r#"PLAN_FILE: "a \"b\" $(c)/plan.md""#), "{text}");
    let world = World::new().file("${{ x }}/plan.md", "# Plan: x\n");
    assert_eq!(world.call(["install", "ci", "--print"]).dir("${{ x }}").run().code, 2);
}

#[test]
fn nothing_is_written_through_a_link() {
    let world = project();
    let elsewhere = world.base().join("home/elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, world.path(".github")).unwrap();
    assert_eq!(world.plan(["install", "ci"]).code, 2);
    assert_eq!(std::fs::read_dir(&elsewhere).unwrap().count(), 0);
    std::fs::remove_file(world.path(".github")).unwrap();
    world.write(".github/workflows/x", "");
    std::os::unix::fs::symlink(elsewhere.join("target"), world.path(FILE)).unwrap();
    assert_eq!(world.plan(["install", "ci"]).code, 2);
    assert!(!elsewhere.join("target").exists());
}

#[test]
fn what_cannot_be_installed_is_said() {
    let world = project();
    for words in [&["install", "emacs"][..], &["uninstall", "nothing", "--scope", "user"], &["install"]] {
        assert_eq!(world.plan(words).code, 2, "{words:?}");
    }
}
