//! Files that git ignores, then or now, and git commands about them that fail.

use std::fs;

use super::super::snapshot::Snapshot;
use super::super::{done, refused, rewind, world};
use crate::support::World;

// cline #14367, #14377, heddle #1148: the rules of then and of now both count, and the undo works afterwards.
#[test]
fn ignored_files_stay_whichever_rules_ignore_them() {
    let world = world();
    world.write(".gitignore", ".env\n");
    world.write(".env", "secret\n");
    world.write("gen.txt", "generated\n");
    done(&world, 1);
    fs::remove_file(world.path("gen.txt")).unwrap();
    world.write(".gitignore", "*.log\ngen.txt\n");
    world.write("x.log", "log\n");
    done(&world, 2);
    let now = Snapshot::of(&world);
    rewind(&world, "1");
    assert_eq!((world.read(".env").as_str(), world.read("gen.txt").as_str()), ("secret\n", "generated\n"));
    assert_eq!((world.read("x.log").as_str(), world.read(".gitignore").as_str()), ("log\n", ".env\n"));
    assert_eq!(world.plan(["rewind", "--undo", "--yes"]).code, 0);
    assert_eq!(Snapshot::of(&world), now, "the file that the rewind made and that is ignored now goes again");
}

/// A secret that the next `git add` would take is named before it is exposed.
#[test]
fn what_git_ignores_no_longer_is_named() {
    let world = world();
    done(&world, 1);
    world.write(".gitignore", ".env\n*.log\nbuild/\n");
    for name in [".env", "build/out", "logs/x.log", "src/kept.o"] {
        world.write(name, "secret\n");
    }
    world.write("src/.gitignore", "*.o\n");
    done(&world, 2);
    let preview = world.plan(["rewind", "1", "--dry-run"]).stdout;
    for name in [".env", "build/", "logs/x.log", "src/kept.o"] {
        assert!(preview.contains(&format!("  stays: {name} (git no longer ignores it after this)\n")), "{preview}");
    }
    assert_eq!(preview.matches("stays: ").count(), 4, "{preview}");
    // Rules that stay still count.
    let preview = world.plan(["rewind", "1", "--path", "src", "--dry-run"]).stdout;
    assert!(preview.contains("  stays: src/kept.o (git no longer ignores it after this)\n"), "{preview}");
    assert_eq!(preview.matches("stays: ").count(), 1, "{preview}");
}

#[test]
fn a_file_that_is_ignored_by_now_is_saved_before_it_is_written_over() {
    let world = world();
    world.write("data.txt", "one\n");
    done(&world, 1);
    world.write("data.txt", "two\n");
    world.write(".gitignore", "data.txt\n");
    let now = Snapshot::of(&world);
    let preview = world.plan(["rewind", "1", "--dry-run"]).stdout;
    assert!(preview.contains("revert     data.txt\n"), "{preview}");
    rewind(&world, "1");
    assert_eq!(world.read("data.txt"), "one\n");
    assert_eq!(world.plan(["rewind", "--undo", "--yes"]).code, 0);
    assert_eq!(Snapshot::of(&world), now);
}

/// A git that fails at one command and works normally for all others.
fn failing(world: World, verb: &str) -> World {
    let real = world.call_program("sh", ["-c", "command -v git"]).run().stdout;
    world.program(
        "git",
        &format!("#!/bin/sh\nfor word; do [ \"$word\" = {verb} ] && exit 42; done\nexec {} \"$@\"\n", real.trim()),
    )
}

// opencode #28033, #28116
#[test]
fn a_failing_ignore_query_deletes_nothing() {
    let world = world();
    done(&world, 1);
    world.write("new.txt", "new\n");
    let world = failing(world, "check-ignore");
    refused(&world, &["rewind", "1", "--yes"], 3, "check-ignore");
}

// opencode #26893, gemini-cli #4115, #11243, opencode #29520: no checkpoint is better than a wrong one, and it is reported each time.
#[test]
fn where_git_fails_there_is_no_checkpoint_and_the_step_counts() {
    let world = world();
    world.write("new.txt", "new\n");
    let world = failing(world, "mktree");
    for step in ["1", "2"] {
        let output = world.plan(["step", "done", step, "x"]);
        assert_eq!(output.code, 0);
        let words = format!("note: no checkpoint of step {step} was taken: `git mktree` failed");
        assert!(output.stderr.starts_with(&words), "{}", output.stderr);
    }
    assert!(world.plan_md().contains("- [x] 2. test it"));
    assert_eq!(world.plan(["rewind", "1", "--yes"]).code, 1);
}
