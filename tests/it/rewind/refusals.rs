//! Refusals before anything is touched (`CONTRACT.md` §5.3).

use std::fs;

use super::snapshot::Snapshot;
use super::{done, refused, rewind, world};
use crate::support::World;

/// A repository whose step 1 is done and whose files have changed since.
fn moved() -> World {
    let world = world();
    done(&world, 1);
    world.write("calc.sh", "other\n");
    world
}

// R20
#[test]
fn an_agent_may_look_and_not_rewind() {
    let world = moved();
    let now = Snapshot::of(&world);
    for (args, own) in [
        (&["rewind", "1", "--yes"][..], "plan rewind 1"),
        (&["rewind", "--undo", "--yes"], "plan rewind --undo"),
        (&["rewind", "1", "--here", "--path", "a b"], "plan rewind 1 --path 'a b' --here"),
    ] {
        let output = world.call(args).env("CLAUDECODE", "1").run();
        assert!(output.code == 4 && output.stderr.contains("only a person may do this"), "{}", output.stderr);
        let help = format!("  help: run it in your own terminal: `{own}`\n");
        assert!(output.stderr.ends_with(&help), "no answer in a chat rewinds: {}", output.stderr);
    }
    assert_eq!(world.call(["rewind", "1", "--dry-run"]).env("CLAUDECODE", "1").run().code, 0);
    assert_eq!(world.call(["rewind", "--list"]).env("CLAUDECODE", "1").run().code, 0);
    assert_eq!(Snapshot::of(&world), now);
}

// R23
#[test]
fn a_step_without_a_checkpoint() {
    let world = moved();
    refused(&world, &["rewind", "3", "--yes"], 1, "no checkpoint of step 3 is kept here; there are 1");
    refused(&world, &["rewind", "0", "--yes"], 1, "no checkpoint of step 0");
    refused(&world, &["rewind", "before-draft", "--yes"], 1, "no checkpoint before `plan draft`");
    refused(&world, &["rewind", "--undo", "--yes"], 1, "nothing was rewound here");
}

#[test]
fn git_is_busy() {
    let cases: [(&str, &[&str], &str); 5] = [
        ("merge", &["merge", "-q", "other"], "a merge is in progress (`MERGE_HEAD`)"),
        ("rebase", &["rebase", "-q", "other"], "a rebase is in progress (`rebase-merge`)"),
        ("cherry-pick", &["cherry-pick", "other"], "a cherry-pick is in progress (`CHERRY_PICK_HEAD`)"),
        ("revert", &["revert", "--no-edit", "HEAD~2"], "a revert is in progress (`REVERT_HEAD`)"),
        ("bisect", &["bisect", "start"], "a bisect is in progress (`BISECT_LOG`)"),
    ];
    for (what, args, words) in cases {
        let world = world();
        world.git(["switch", "-q", "-c", "other"]);
        world.write("calc.sh", "theirs\n");
        world.commit("theirs");
        world.git(["switch", "-q", "main"]);
        for text in ["ours\n", "ours again\n"] {
            world.write("calc.sh", text);
            world.commit(text);
        }
        done(&world, 1);
        world.git(["add", "-A"]);
        world.git(["commit", "-q", "-m", "step"]);
        let _ = world.call_program("git", args).run();
        world.write("calc.sh", "half\n");
        refused(&world, &["rewind", "1", "--yes"], 4, words);
        assert!(!what.is_empty());
    }
}

#[test]
fn another_branch() {
    let world = world();
    world.git(["switch", "-q", "-c", "feature"]);
    world.write("calc.sh", "feature\n");
    world.commit("feature");
    done(&world, 1);
    world.git(["stash", "-q"]);
    world.git(["switch", "-q", "main"]);
    refused(&world, &["rewind", "1", "--yes"], 4, "was made on `feature`, this is `main`, and its commit ");
    assert_eq!(world.plan(["rewind", "1", "--here", "--yes"]).code, 0);
    assert_eq!(world.read("calc.sh"), "feature\n");
    // A branch that has the commit is not another history.
    world.git(["checkout", "-q", "-f", "feature"]);
    world.git(["switch", "-q", "-c", "next"]);
    world.write("calc.sh", "next\n");
    rewind(&world, "1");
}

#[test]
fn objects_that_are_gone() {
    let world = world();
    world.git(["switch", "-q", "-c", "feature"]);
    world.write("calc.sh", "only there\n");
    world.commit("feature");
    done(&world, 1);
    world.git(["checkout", "-q", "-f", "main"]);
    world.git(["branch", "-q", "-D", "feature"]);
    world.git(["reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all"]);
    world.git(["gc", "-q", "--prune=now"]);
    refused(&world, &["rewind", "1", "--here", "--yes"], 1, "no longer kept");
}

#[test]
fn something_stands_in_the_way() {
    let world = world();
    world.write("build", "a file\n");
    world.write("nested/x.txt", "x\n");
    world.write(".gitignore", "cache\n*.o\n");
    done(&world, 1);
    fs::remove_file(world.path("build")).unwrap();
    world.write("build/cache", "ignored\n");
    refused(
        &world,
        &["rewind", "1", "--yes"],
        4,
        "`build` must become a file, and is a folder with something in it that is not kept: build/cache",
    );
    fs::remove_dir_all(world.path("build")).unwrap();
    fs::create_dir_all(world.path("build/empty")).unwrap();
    refused(&world, &["rewind", "1", "--yes"], 4, "build/empty");
    fs::remove_dir_all(world.path("build")).unwrap();
    fs::remove_dir_all(world.path("nested")).unwrap();
    world.write("nested", "ignored by now\n");
    world.write(".gitignore", "cache\nnested\n");
    refused(&world, &["rewind", "1", "--yes"], 4, "`nested` must become a folder, and is a file that is not kept");
}

#[test]
fn a_folder_that_cannot_be_written() {
    use std::os::unix::fs::PermissionsExt;
    let world = world();
    done(&world, 1);
    world.write("src/lib.sh", "other\n");
    let set = |mode| fs::set_permissions(world.path("src"), fs::Permissions::from_mode(mode)).unwrap();
    if rustix::process::geteuid().is_root() {
        println!("skipped: root may write everything");
        return;
    }
    set(0o555);
    refused(&world, &["rewind", "1", "--yes"], 4, "`src/` is read-only, and 1 of the files lie there");
    set(0o755);
}

#[test]
fn nothing_to_do() {
    let world = world();
    done(&world, 1);
    world.plan(["rewind", "1", "--yes"]).is(0, "nothing to do: everything is as at the end of step 1\n", "");
    done(&world, 2);
    let output = world.plan(["rewind", "1", "--dry-run"]);
    assert!(
        output.stdout.contains("the files are as at the end of step 1 already; only the plan goes back\n"),
        "{}",
        output.stdout
    );
    rewind(&world, "1");
    assert!(world.plan_md().contains("- [ ] 2. test it"));
}
