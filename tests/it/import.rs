//! `plan import`: files of the real tools, also cut, broken and large; and the command's results.

mod samples;

use crate::support::World;
use crate::support::plans::approved;

const EMPTY: &str = "# Plan: Kiosk\n\n## Log\n";
const TASKS: &str =
    "{\"tasks\": [{\"id\": 1, \"subject\": \"Count the till\", \"status\": \"active\", \"steps\": [\"open it\"]}]}";

fn fixture(path: &str) -> String {
    format!("{}/fixtures/exchange/{path}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn a_dry_run_writes_nothing_and_an_import_is_one_write() {
    let world = World::new().file("plan.md", EMPTY);
    let master = fixture("task-master");
    let dry = world.plan(["import", "taskmaster", &master, "--dry-run"]);
    let first = dry.stdout.lines().next().unwrap_or_default();
    assert_eq!(first, "Task Master: 12 tasks, 5 steps read: 15 mapped, 0 kept as prose, 2 dropped");
    assert!(dry.stderr.contains("nothing was written; next: plan import taskmaster "), "{}", dry.stderr);
    assert_eq!(world.plan_md(), EMPTY);
    let done = world.plan(["import", "taskmaster", &master]);
    assert!(done.stdout.starts_with("imported 10 goals, 5 steps (2 ticked) from Task Master\n"), "{}", done.stdout);
    assert!(done.stdout.contains("--verify 'npm test -- refund && npm run e2e'"), "{}", done.stdout);
    let after = world.plan_md();
    assert_eq!(after.matches("imported 10 goals from Task Master\n").count(), 1);
    assert_eq!(after.lines().filter(|line| line.starts_with("verify:") || line.contains(" (run:")).count(), 0);
    let undo = world.plan(["undo", "--list", "--json"]).json(0);
    assert!(undo.to_string().matches("\"bytes\"").count() <= 1, "{undo}");
    let lint = world.plan(["lint", "--json"]).json(0);
    assert_eq!(lint["errors"], 0);
    let again = world.plan(["import", "taskmaster", &master]);
    assert!(again.stdout.starts_with("nothing imported from Task Master: no task is new\n"), "{}", again.stdout);
    assert_eq!(world.plan_md(), after);
    let report = world.plan(["import", "taskmaster", &master, "--finished", "--json"]).json(0);
    assert_eq!((&report["counts"]["mapped"], &report["tool"]), (&2.into(), &"Task Master".into()));
    assert!(!world.plan_md().contains("status: done\n#"));
}

#[test]
fn what_cannot_be_read_is_exit_2_with_its_place_and_nothing_is_written() {
    let world = World::new()
        .file("plan.md", EMPTY)
        .file("half.json", &TASKS[..40])
        .file("list.md", "- [ ] a\n")
        .file("bytes.md", b"a\n\xff\n");
    std::fs::create_dir_all(world.path("none")).unwrap();
    let refused = |args: &[&str], expected: &str| {
        let output = world.plan([&["import"], args].concat());
        assert_eq!(output.code, 2, "{args:?} {}", output.stderr);
        assert!(output.stderr.contains(expected), "{args:?} {}", output.stderr);
        assert_eq!(world.plan_md(), EMPTY);
    };
    refused(&["json", "half.json"], "half.json:1:40: not JSON: ");
    refused(
        &["taskmaster", "list.md"],
        "list.md: expected the tasks.json of Task Master; it looks like a checklist; nothing was changed",
    );
    refused(&["taskmaster", "list.md"], "plan import markdown list.md");
    refused(&["markdown", "bytes.md"], "bytes.md:2: expected UTF-8, found the byte 0xff");
    refused(&["beads", "none"], "none: found no file of beads in this folder");
    refused(&["beads", "gone"], "cannot read gone: ");
    refused(&["beads", "list.md", "--tag", "x"], "beads has no tags");
    refused(
        &["taskmaster", &fixture("task-master"), "--tag", "x"],
        "tasks.json:/x: expected the tag `x`, found master, second-season",
    );
    assert_eq!(world.plan(["import", "jira", "x"]).code, 2);
    let bare = World::new();
    assert!(bare.plan(["import", "json", "x y"]).stderr.contains("  help: `plan init && plan import json 'x y'`\n"));
    // If nobody has written the objective yet, it comes from the other program.
    let bare = bare.file("tasks.json", format!("{{\"objective\": \"Open the shop\", {}", &TASKS[1..]));
    assert_eq!(bare.plan(["init"]).code, 0);
    assert_eq!(bare.plan(["import", "json", "tasks.json"]).code, 0);
    assert!(bare.plan_md().starts_with("# Plan: Open the shop\n"), "{}", bare.plan_md());
}

#[test]
fn the_plan_itself_is_no_source() {
    let world = World::new();
    world.write("todo.md", "- [ ] buy tea\n");
    assert_eq!(world.plan(["init", "p"]).code, 0);
    let once = world.plan(["import", "markdown", "."]);
    assert_eq!(once.code, 0, "{once:?}");
    let before = world.plan_md();
    assert_eq!(before.matches("## Goal:").count(), 1, "{before}");
    assert_eq!(world.plan(["import", "markdown", "."]).code, 0);
    assert_eq!(world.plan_md(), before);
    let named = world.plan(["import", "markdown", "plan.md"]);
    assert_eq!((named.code, world.plan_md()), (2, before), "{named:?}");
    assert!(named.stderr.contains("plan.md is the plan itself"), "{named:?}");
}

#[test]
fn links_in_a_folder_are_not_followed() {
    let world = World::new()
        .file("plan.md", EMPTY)
        .file("secret.md", "# Secret\n- [ ] do not read\n")
        .file("in/a.md", "# A\n- [ ] b\n");
    std::os::unix::fs::symlink(world.path("secret.md"), world.path("in/link.md")).unwrap();
    std::os::unix::fs::symlink(world.root(), world.path("in/up")).unwrap();
    let output = world.plan(["import", "markdown", "in"]);
    assert!(output.stdout.starts_with("imported 1 goal, 1 step from Markdown\n"), "{}", output.stdout);
    assert!(!world.plan_md().contains("Secret"));
}

#[test]
fn in_an_approved_plan_an_import_is_a_proposal() {
    let plan =
        "---\nmode: contract\n---\n# Plan: x\n\n## Goal: y\n<!-- id: y-1 -->\nstatus: active\n- [/] 1. z\n\n## Log\n";
    let world = World::new().file("plan.md", approved(plan)).file("t.json", TASKS);
    let before = world.plan_md();
    let refused = world.plan(["import", "json", "t.json"]);
    assert_eq!(refused.code, 4, "{}", refused.stderr);
    assert!(refused.stderr.contains("plan import json t.json --because \"why\""), "{}", refused.stderr);
    assert_eq!(world.plan_md(), before);
    let proposed = world.plan(["import", "json", "t.json", "--because", "why"]);
    assert_eq!(proposed.code, 0, "{}", proposed.stderr);
    assert!(
        proposed.stdout.contains("proposed: goal count-the-till-1 added; waits for approval"),
        "{}",
        proposed.stdout
    );
    let after = world.plan_md();
    assert!(after.contains("status: open\n- [ ] 2. open it\n"), "{after}");
    assert!(
        after.contains("imported 1 goal from JSON\n")
            && after.contains("edit proposed: goal count-the-till-1 added because why\n"),
        "{after}"
    );
}

/// A pipe is read too, and an empty box is no change.
#[test]
fn stdin_is_imported_once() {
    let world = World::new().file("plan.md", "# Plan: x\n");
    let list = "# T\n\n## One\n- [ ] a\n- [ ]\n- [x] b\n";
    let first = world.call(["import", "markdown", "-"]).stdin(list).run();
    assert_eq!(first.code, 0, "{first:?}");
    assert!(world.plan_md().contains("- [ ] 2. no text\n"), "{}", world.plan_md());
    let second = world.call(["import", "markdown", "-"]).stdin(list).run();
    assert!(second.stdout.contains("no task is new") && !second.stdout.contains("changed since"), "{second:?}");
    let exported = world.plan(["export", "json", "-"]);
    assert!(exported.stdout.contains("\"subject\": \"One\"") && !world.path("-").exists(), "{exported:?}");
}
