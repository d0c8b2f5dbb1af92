//! The command that a refusal names can be pasted: it holds the right values, and what its caller asked for.

use crate::support::World;
use crate::support::judge::world;

#[test]
fn an_import_that_is_refused_keeps_its_options() {
    let world = World::new().file("a b.md", "- [ ] one\n").file("list.md", "- [ ] one\n");
    let helps = |args: &[&str], expected: &str| {
        let output = world.plan([&["import"], args].concat());
        let line = format!("  help: {expected}\n");
        assert!(output.code == 2 && output.stderr.contains(&line), "{args:?}: {}", output.stderr);
    };
    helps(&["json", "x y", "--dry-run"], "`plan init && plan import json 'x y' --dry-run`");
    assert_eq!(world.plan(["init", "Kiosk"]).code, 0);
    helps(&["taskmaster", "list.md", "--dry-run", "--finished"], "plan import markdown list.md --finished --dry-run");
    helps(&["taskmaster", "list.md", "--tag", "x"], "plan import markdown list.md");
    helps(&["taskmaster", "a b.md", "--because", "a b"], "plan import markdown 'a b.md' --because 'a b'");
    helps(&["beads", "list.md", "--tag", "x", "--dry-run"], "plan import beads list.md --dry-run");
    std::fs::create_dir_all(world.path("none")).unwrap();
    helps(&["beads", "none", "--dry-run"], "name the file of beads in place of the folder");
}

#[test]
fn the_next_check_keeps_what_its_caller_asked_for() {
    let world = world();
    let ends = |args: &[&str], expected: &str| {
        let output = world.plan(args);
        assert!(output.stdout.ends_with(&format!(":\n  {expected}\n")), "{args:?}: {output:?}");
    };
    ends(&["verify", "fast-1", "--timeout", "60", "--gate", "full"], "plan complete fast-1 --timeout 60 --gate full");
    world.write("result.txt", "p95 212.0 ms\n");
    ends(&["verify", "fast-1", "--timeout", "60", "--gate", "fast"], "plan verify fast-1 --timeout 60 --gate fast");
    let options = ["--judge", "checks", "--repeat", "2", "--timeout", "60", "--gate", "fast"];
    ends(&[&["complete", "fast-1"], &options[..]].concat(), &format!("plan complete fast-1 {}", options.join(" ")));
    let output = world.plan(["complete", "--timeout", "60", "--wait"]);
    assert!(output.stderr.contains("  help: plan complete fast-1 --timeout 60 --wait\n"), "{}", output.stderr);
    // A limit that was too short is no part of what mends it.
    world.write("check.sh", "sleep 5\ngrep -q '^p95 4' result.txt\n");
    ends(&["complete", "fast-1", "--judge", "checks", "--timeout", "1"], "plan complete fast-1 --judge checks");
    ends(&["verify", "fast-1", "--timeout", "1"], "plan verify fast-1");
}

#[test]
fn a_numbered_list_where_steps_stand_is_told_how_a_step_is_written() {
    let plan = |below: &str| {
        format!(
            "# Plan: Kiosk\n\n## Goal: Sweep\n<!-- id: sweep-1 -->\nstatus: open\ndone_when: clean\nfailure_modes:\n- dust\n{below}"
        )
    };
    let told = |below: &str, help: &str| {
        let world = World::new().file("plan.md", plan(below));
        let output = world.plan(["lint"]);
        assert!(output.stdout.contains(&format!("\n  help: {help}\n")), "{below}: {}", output.stdout);
        world
    };
    let list = "put it directly below the items that are read, as `- …`";
    let rest = format!(
        "if it belongs to `failure_modes`, {list}; if it is a note, put a blank line and then a line of prose above it"
    );
    let step = format!("if it is a step, write it as `- [ ] find the broom`; {rest}");
    told("\n1. find the broom\n2. sweep\n", &step);
    told("steps:\n1. find the broom\n", &step);
    told("1. find the broom\n", &step);
    told("- [ ] bucket\n2) find the broom\n", &step);
    told("\n\n- find the broom\n", &step);
    // What it says mends it.
    let world = told("\n- [ ] find the broom\n2. sweep\n", &step.replace("find the broom", "sweep"));
    world.write("plan.md", plan("\n- [ ] find the broom\n- [ ] sweep\n"));
    assert_eq!(world.plan(["lint"]).stdout, "no findings\n");
}
