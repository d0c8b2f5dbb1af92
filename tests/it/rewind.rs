//! Checkpoints and rewind (`CONTRACT.md` §5): what is saved, what goes back, and what is never touched.

mod held;
mod hostile;
mod kill;
mod law;
mod pitfalls;
mod refusals;
mod snapshot;

use std::collections::BTreeMap;

use crate::support::World;
use snapshot::Snapshot;

const PLAN: &str = "---\ncheckpoints: true\n---\n# Plan: Calculator\n\n## Goal: Subtract\n<!-- id: sub-1 -->\nstatus: active\n\
    done_when: it subtracts\n- [/] 1. write it\n- [ ] 2. test it\n- [ ] 3. describe it\n- [ ] 4. ship it\n\n## Log\n";

/// A repository with two committed files and a plan that takes checkpoints.
fn world() -> World {
    World::new().file("plan.md", PLAN).file("calc.sh", "echo calc\n").file("src/lib.sh", "echo lib\n").committed()
}

/// Marks a step complete, which takes a checkpoint.
#[track_caller]
fn done(world: &World, step: u32) {
    let output = world.plan(["step", "done", &step.to_string(), "as agreed"]);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""), "{}", output.stdout);
}

/// Rewinds without asking.
#[track_caller]
fn rewind(world: &World, to: &str) {
    let output = world.plan(["rewind", to, "--yes"]);
    assert_eq!(output.code, 0, "{to}: {}{}", output.stdout, output.stderr);
}

#[track_caller]
fn refused(world: &World, args: &[&str], code: i32, words: &str) {
    let before = Snapshot::of(world);
    let output = world.plan(args);
    assert!(output.code == code && output.stderr.contains(words), "{args:?}: {} {}", output.code, output.stderr);
    assert_eq!(Snapshot::of(world), before, "{args:?}");
}

// F-3, F-42, F-54: the whole way, with plan.md and the output.
#[test]
fn there_and_back() {
    let world = world();
    done(&world, 1);
    let then = Snapshot::of(&world);
    world.write("calc.sh", "echo broken\n");
    world.write("new/deep.txt", "new\n");
    std::fs::remove_file(world.path("src/lib.sh")).unwrap();
    done(&world, 2);
    let now = Snapshot::of(&world);
    let preview = world.plan(["rewind", "1", "--dry-run"]);
    preview.is(
        0,
        "to the end of step 1 (checkpoint 1, 2026-06-15 14:33):\n  of step 2: 1 deleted, 1 changed, 1 new\n    \
         restore    src/lib.sh\n    revert     calc.sh\n    delete     new/deep.txt\n  \
         plan.md: mark and outcome of step 2 are restored\n",
        "",
    );
    assert_eq!(Snapshot::of(&world), now);
    world.plan(["rewind", "1", "--yes"]).is(
        0,
        "rewound 3 files to the end of step 1 (checkpoint 1, 2026-06-15 14:33); `plan rewind --undo` goes back\n",
        "",
    );
    assert_eq!(Snapshot::of(&world).files, then.files);
    assert!(!world.path("new").exists());
    let plan = world.plan_md();
    assert!(plan.contains("- [x] 1. write it — as agreed\n- [ ] 2. test it\n"), "{plan}");
    assert!(plan.ends_with("rewound to step 1 (checkpoint 1, 3 files: read them again)\n"), "{plan}");
    let undo = world.plan(["undo"]);
    assert_eq!((undo.code, undo.stderr.as_str()), (0, "note: the files were rewound too: `plan rewind --undo`\n"));
    assert_eq!(world.plan(["undo"]).code, 0);
    assert_eq!(world.plan(["rewind", "--undo", "--yes"]).code, 0);
    assert_eq!(Snapshot::of(&world), now);
    assert!(world.plan_md().contains("- [x] 2. test it — as agreed\n"), "{}", world.plan_md());
    // `plan undo` of a later line says nothing of files: they are as plan.md says.
    assert_eq!(world.plan(["log", "note"]).code, 0);
    assert_eq!(world.plan(["undo"]).stderr, "");
    // Undoing the undo is a redo.
    let redo = world.plan(["rewind", "--undo", "--yes"]);
    assert_eq!(redo.code, 0);
    assert_eq!(Snapshot::of(&world).files, then.files);
    assert!(world.plan_md().contains("rewound to step 2 (checkpoint 3, 3 files"), "{}", world.plan_md());
    assert!(world.plan_md().ends_with("rewound to step 1 (checkpoint 4, 3 files: read them again)\n"));
}

// A file has two names: removing one changes the change time of the other.
#[test]
fn hard_links_go_and_come_back() {
    let world = world();
    done(&world, 1);
    world.write("first", "one\n");
    std::fs::hard_link(world.path("first"), world.path("second")).unwrap();
    std::fs::hard_link(world.path("src/lib.sh"), world.path("src/link.sh")).unwrap();
    world.write("src/lib.sh", "echo other\n");
    let now = Snapshot::of(&world);
    rewind(&world, "1");
    assert!(!world.path("first").exists() && !world.path("second").exists() && !world.path("src/link.sh").exists());
    assert_eq!(world.read("src/lib.sh"), "echo lib\n");
    assert_eq!(world.plan(["rewind", "--undo", "--yes"]).code, 0);
    assert_eq!(Snapshot::of(&world), now);
}

#[test]
fn some_paths_go_back_alone_and_the_marks_stay() {
    let world = world();
    done(&world, 1);
    world.write("calc.sh", "echo broken\n");
    world.write("src/lib.sh", "echo broken\n");
    done(&world, 2);
    assert_eq!(world.plan(["rewind", "1", "--path", "src", "--yes"]).code, 0);
    assert_eq!((world.read("calc.sh").as_str(), world.read("src/lib.sh").as_str()), ("echo broken\n", "echo lib\n"));
    let plan = world.plan_md();
    assert!(plan.contains("- [x] 2. test it"), "{plan}");
    assert!(plan.ends_with("1 file as at the end of step 1 again (checkpoint 1): read them again\n"), "{plan}");
    refused(&world, &["rewind", "1", "--path", "../x", "--yes"], 2, "is not below the plan's folder");
}

#[test]
fn newer_steps_are_pending_and_text_stays_a_persons() {
    let world = world();
    done(&world, 1);
    let plan = world.plan_md().replace("- [ ] 4. ship it\n", "- [ ] 4. ship it quickly\n- [ ] 5. sleep\n\nProse.\n");
    world.write("plan.md", plan.replace("it subtracts", "it subtracts well"));
    done(&world, 5);
    assert_eq!(world.plan(["step", "fail", "4", "no"]).code, 0);
    rewind(&world, "1");
    let plan = world.plan_md();
    for line in [
        "- [ ] 4. ship it quickly\n", "- [ ] 5. sleep\n", "\nProse.\n", "it subtracts well\n",
        "step 5 complete: as agreed\n",
    ] {
        assert!(plan.contains(line), "{line}: {plan}");
    }
}

#[test]
fn a_goal_that_was_done_since_is_reopened() {
    let world = world();
    done(&world, 1);
    world.write("calc.sh", "other\n");
    world.write("plan.md", world.plan_md().replace("status: active", "status: done"));
    rewind(&world, "1");
    let plan = world.plan_md();
    assert!(plan.contains("status: active\n") && plan.contains("  sub-1 reopened (rewind to step 1)\n"), "{plan}");
}

/// Two goals in contract mode, each with a step and a file.
const GOALS: &str = "---\nmode: contract\n---\n# Plan: Pages\n\n## Goal: One\n<!-- id: one-1 -->\nstatus: open\ndone_when: one\n\
    verify: sh one.sh\nfailure_modes:\n- empty (check: sh one.sh)\n- [ ] 1. write it\n\n\
    ## Goal: Two\n<!-- id: two-1 -->\nstatus: open\ndone_when: two\nverify: sh two.sh\n\
    failure_modes:\n- empty (check: sh two.sh)\n- [ ] 2. write it too\n\n## Log\n";

// A rewind ends a sign-off, and only `plan complete` makes another one: the undo names that command, and it works.
#[test]
fn after_the_undo_each_sign_off_is_one_command_away() {
    let world = World::new()
        .file("plan.md", GOALS)
        .file("one.sh", "grep -q text one.txt\n")
        .file("two.sh", "grep -q text two.txt\n")
        .committed();
    assert_eq!(world.plan(["approve", "--yes"]).code, 0);
    let complete = |goal: &str| {
        let output = world.plan(["complete", goal, "--judge", "checks"]);
        assert_eq!(output.code, 0, "{goal}: {}{}", output.stdout, output.stderr);
    };
    for (goal, step, file) in [("one-1", 1, "one.txt"), ("two-1", 2, "two.txt")] {
        world.write(file, "text\n");
        assert_eq!(world.plan(["step", "done", &step.to_string(), "written"]).code, 0);
        complete(goal);
    }
    let stays = "two-1 stays reopened; `plan complete two-1` signs it off again\n";
    rewind(&world, "1");
    let preview = world.plan(["rewind", "--undo", "--dry-run"]).stdout;
    assert!(preview.ends_with(&format!("  plan.md: {stays}")), "{preview}");
    assert_eq!(world.plan(["rewind", "--undo", "--dry-run", "--json"]).json(0)["stays_open"][0], "two-1");
    let undo = world.plan(["rewind", "--undo", "--yes"]).stdout;
    assert!(undo.ends_with(stays) && undo.lines().count() == 2, "{undo}");
    complete("two-1");
    // Both goals come back from before their beginning.
    rewind(&world, "0");
    let undo = world.plan(["rewind", "--undo", "--yes"]).stdout;
    assert!(
        undo.ends_with(&format!("one-1 stays reopened; `plan complete one-1` signs it off again\n{stays}")),
        "{undo}"
    );
    complete("one-1");
    complete("two-1");
    let list = world.plan(["--json"]).json(0);
    assert_eq!(list["state"], "complete", "{list:#}");
}

#[test]
fn the_list_names_everything_that_is_kept() {
    let world = world();
    world.plan(["rewind", "--list"]).is(0, "0 checkpoints; 0 KiB of objects of their own\n", "");
    done(&world, 1);
    assert_eq!(world.plan(["step", "skip", "2", "not needed"]).code, 0);
    world.plan(["rewind", "--list"]).is(
        0,
        "   @1  2026-06-15 14:33  step 1  sub-1\n   @2  2026-06-15 14:33  step 2  sub-1\n2 checkpoints; [..] KiB of objects of their own\n",
        "",
    );
    let list = world.plan(["rewind", "--list", "--json"]).json(0);
    assert_eq!((list["checkpoints"][1]["step"].as_str(), list["interrupted"].is_null()), (Some("2"), true));
    let preview = world.plan(["rewind", "1", "--dry-run", "--json"]).json(0);
    assert_eq!((preview["rewound"].as_bool(), preview["steps"][0].as_str()), (Some(false), Some("2")));
}

/// The first column of the list can be typed.
#[test]
fn each_checkpoint_can_be_named() {
    let world = world();
    done(&world, 1);
    let then = Snapshot::of(&world).files;
    world.write("calc.sh", "echo broken\n");
    let now = Snapshot::of(&world).files;
    rewind(&world, "@1");
    assert_eq!(Snapshot::of(&world).files, then);
    rewind(&world, "@2");
    assert_eq!(Snapshot::of(&world).files, now);
    for name in ["@9", "@0"] {
        refused(&world, &["rewind", name, "--yes"], 1, "is kept here; there are @1 to @3");
    }
    refused(&world, &["rewind", "@x", "--yes"], 1, "no checkpoint of step @x is kept here");
}

#[test]
fn checkpoints_are_a_choice() {
    let kept =
        |world: &World| world.plan(["rewind", "--list", "--json"]).json(0)["checkpoints"].as_array().unwrap().len();
    let world = world();
    world.write("plan.md", PLAN.replace("checkpoints: true", "checkpoints: false"));
    done(&world, 1);
    world.write("plan.md", PLAN.replace("checkpoints: true", "mode: guide"));
    done(&world, 1);
    assert_eq!(kept(&world), 0);
    world.write("plan.md", PLAN);
    world.write("../home/.config/plan/config.yaml", "checkpoints: off\n");
    done(&world, 1);
    assert_eq!(kept(&world), 0);
    world.write("../home/.config/plan/config.yaml", "checkpoints: on\n");
    done(&world, 2);
    let progress = world.plan(["progress", "--step", "3", "--summary", "told"]);
    assert_eq!((progress.code, progress.stderr.as_str()), (0, ""));
    assert_eq!(kept(&world), 2);
}

/// Returns the bits and bytes of one path, for a comparison in one direction.
fn only(files: &BTreeMap<String, (u32, Vec<u8>)>, path: &str) -> Option<(u32, Vec<u8>)> {
    files.get(path).cloned()
}
