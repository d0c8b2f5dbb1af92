//! The command in a refusal can be pasted: it has the right values, and the options of its caller.

use crate::support::World;
use crate::support::judge::{PLAN, world};

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
    // A limit that was too short is not part of the remedy.
    world.write("check.sh", "sleep 5\ngrep -q '^p95 4' result.txt\n");
    ends(&["complete", "fast-1", "--judge", "checks", "--timeout", "1"], "plan complete fast-1 --judge checks");
    ends(&["verify", "fast-1", "--timeout", "1"], "plan verify fast-1");
}

const ARCHIVED: &str = "\
# Plan: Kiosk

# Archive

## Goal: Count the till
<!-- id: till-1 -->
status: done

## Goal: Sweep
<!-- id: sweep-1 -->
status: cancelled
";

#[test]
fn a_goal_in_the_archive_is_said_to_be_there() {
    let world = World::new().file("plan.md", ARCHIVED);
    let refused = |args: &[&str], code: u8, message: &str, help: &str| {
        let output = world.plan(args);
        assert_eq!((i32::from(code), output.stderr), (output.code, format!("error: {message}\n  help: {help}\n")));
    };
    let brings_back = "`plan goal start till-1` brings it back above the archive, and starts it";
    refused(
        &["goal", "remove", "till-1"],
        4,
        "goal `till-1` is done and archived already, and done goals are kept",
        brings_back,
    );
    refused(&["archive", "till-1"], 2, "`till-1` is archived already", brings_back);
    let other = "`plan archive` does not take `till-9`";
    refused(&["archive", "till-9"], 2, other, "`plan archive` moves all done and cancelled goals");
    let output = world.plan(["archive"]);
    assert_eq!(
        (output.code, &*output.stdout),
        (1, "nothing to archive: no goal above the archive is done or cancelled, 2 in it\n")
    );
    assert_eq!(world.plan_md(), ARCHIVED);
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
    // The advice in the message repairs it.
    let world = told("\n- [ ] find the broom\n2. sweep\n", &step.replace("find the broom", "sweep"));
    world.write("plan.md", plan("\n- [ ] find the broom\n- [ ] sweep\n"));
    assert_eq!(world.plan(["lint"]).stdout, "no findings\n");
}

#[test]
fn what_mends_a_goal_ticked_by_hand_is_named() {
    let ticked = PLAN.replace("status: active", "status: done");
    let world = World::new().file("plan.md", &ticked).committed();
    let removed = world.plan(["goal", "remove", "fast-1"]);
    let help = "  help: `plan goal start fast-1` reopens it, then `plan goal cancel fast-1 \"reason\"` gives it up\n";
    assert!(removed.code == 4 && removed.stderr.ends_with(help), "{removed:?}");
    let stays = "! fast-1 stays: it is done, but no sign-off matches its contract: plan complete fast-1\n";
    assert_eq!(world.plan(["archive"]).stdout, stays);
    let way: [&[&str]; 3] =
        [&["goal", "start", "fast-1"], &["goal", "cancel", "fast-1", "x"], &["goal", "remove", "fast-1"]];
    way.iter().for_each(|args| assert_eq!(world.plan(args.iter()).code, 0, "{args:?}"));
}

#[test]
fn a_contract_that_changed_without_a_reason_is_mended_by_the_command_at_the_end() {
    let world = world();
    assert_eq!(world.plan(["goal", "start", "fast-1"]).code, 0);
    assert_eq!(world.plan(["goal", "set", "fast-1", "--failure-mode", "dust (check: grep -q on result.txt)"]).code, 0);
    let checked = || world.plan(["complete", "fast-1", "--judge", "checks"]);
    let end = "\nTo fix it, fill in the reason:\n  plan goal set fast-1 --because \"why\"\n";
    assert!(checked().stdout.ends_with(end), "{:?}", checked());
    assert_eq!(world.plan(["goal", "set", "fast-1", "--because", "the mode was another"]).code, 0);
    assert!(!checked().stdout.contains("contract-changed"));
}

#[test]
fn a_command_is_for_the_plan_that_the_caller_named() {
    let world = World::new().file("pkg/plan.md", PLAN).file("pkg/check.sh", "exit 1\n").committed();
    let told = |args: &[&str], expected: &str| {
        let output = world.plan(args);
        let text = format!("{}{}", output.stdout, output.stderr);
        assert!(text.contains(&format!("{expected}\n")), "{args:?}: {text}");
    };
    told(&["-C", "pkg", "complete", "fast-1", "--judge", "checks"], ":\n  plan -C pkg complete fast-1 --judge checks");
    told(&["verify", "fast-1", "--file", "pkg/plan.md"], ":\n  plan --file pkg/plan.md verify fast-1");
    told(&["-C", "pkg", "complete"], "  help: plan -C pkg complete fast-1");
    told(&["-C", "pkg", "archive", "x"], "  help: `plan -C pkg archive` moves all done and cancelled goals");
    told(&["--file", "new.md", "list"], "  help: `plan --file new.md init \"objective\"` writes one");
    told(&["--file", "a b.md", "import", "json", "x"], "  help: `plan --file 'a b.md' init \"objective\"` writes one");
}
