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
