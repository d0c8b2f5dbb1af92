//! The parts that belong to git: the index, refs, other work trees and repositories, and other forms of a repository.

use std::fs;

use super::super::snapshot::Snapshot;
use super::super::{PLAN, done, only, rewind, world};
use crate::support::World;

// codex #8214
#[test]
fn the_index_stays_byte_for_byte() {
    let world = world();
    world.write("calc.sh", "staged\n");
    world.git(["add", "calc.sh"]);
    world.write("calc.sh", "not staged\n");
    done(&world, 1);
    world.write("calc.sh", "later\n");
    world.write("new.txt", "new\n");
    world.git(["add", "new.txt"]);
    let before = Snapshot::of(&world).git;
    let stages = fs::read(world.path(".git/index")).unwrap();
    rewind(&world, "1");
    assert_eq!(world.read("calc.sh"), "not staged\n");
    assert!(!world.path("new.txt").exists(), "added since, in the index or not");
    assert_eq!(Snapshot::of(&world).git, before);
    assert_eq!(fs::read(world.path(".git/index")).unwrap(), stages);
}

// arbos #390
#[test]
fn no_identity_is_needed() {
    let world = World::new().file("plan.md", PLAN).file("calc.sh", "echo calc\n");
    fs::remove_file(world.base().join("home/.gitconfig")).unwrap();
    done(&world, 1);
    world.write("calc.sh", "other\n");
    rewind(&world, "1");
    assert_eq!(world.read("calc.sh"), "echo calc\n", "on a branch without commits, too");
}

// cline PR #13199
#[test]
fn flags_of_the_index_hide_nothing() {
    let world = world();
    world.git(["config", "core.ignoreStat", "true"]);
    world.git(["update-index", "--assume-unchanged", "calc.sh"]);
    world.git(["update-index", "--skip-worktree", "src/lib.sh"]);
    world.write("calc.sh", "one\n");
    world.write("src/lib.sh", "one\n");
    done(&world, 1);
    world.write("calc.sh", "two\n");
    world.write("src/lib.sh", "two\n");
    rewind(&world, "1");
    assert_eq!((world.read("calc.sh").as_str(), world.read("src/lib.sh").as_str()), ("one\n", "one\n"));
}

// dsh #24
#[test]
fn gc_from_another_work_tree_takes_nothing() {
    let world = world();
    world.write("calc.sh", "dirty\n");
    world.write("deep/er.txt", "untracked\n");
    done(&world, 1);
    let other = world.base().join("tmp/other");
    world.git(["worktree".as_ref(), "add".as_ref(), "-q".as_ref(), other.as_os_str()]);
    world.git(["-C".as_ref(), other.as_os_str(), "gc".as_ref(), "-q".as_ref(), "--prune=now".as_ref()]);
    world.git(["gc", "-q", "--prune=now"]);
    world.git(["fsck", "--strict"]);
    world.write("calc.sh", "other\n");
    fs::remove_dir_all(world.path("deep")).unwrap();
    rewind(&world, "1");
    assert_eq!((world.read("calc.sh").as_str(), world.read("deep/er.txt").as_str()), ("dirty\n", "untracked\n"));
    world.git(["worktree".as_ref(), "remove".as_ref(), "--force".as_ref(), other.as_os_str()]);
}

#[test]
fn a_linked_work_tree_has_its_own() {
    let world = world();
    let other = world.base().join("tmp/other");
    world.git(["worktree".as_ref(), "add".as_ref(), "-q".as_ref(), other.as_os_str()]);
    done(&world, 1);
    let there = |args: &[&str]| world.call(args).dir("../tmp/other").run();
    assert_eq!(there(&["rewind", "1", "--yes"]).code, 1, "the main work tree's checkpoint is not its own");
    assert_eq!(there(&["step", "done", "1", "x"]).code, 0);
    fs::write(other.join("calc.sh"), "other\n").unwrap();
    world.write("calc.sh", "stays\n");
    assert_eq!(there(&["rewind", "1", "--yes"]).code, 0);
    assert_eq!(
        (fs::read_to_string(other.join("calc.sh")).unwrap().as_str(), world.read("calc.sh").as_str()),
        ("echo calc\n", "stays\n")
    );
    world.git(["worktree".as_ref(), "remove".as_ref(), "--force".as_ref(), other.as_os_str()]);
}

// arbos #527, jj #12, #2659, codex #28241
#[test]
fn no_ref_exists_and_no_push_carries_anything() {
    let world = world();
    let refs = world.git(["for-each-ref"]);
    world.write("private.txt", "secret\n");
    done(&world, 1);
    world.write("calc.sh", "other\n");
    rewind(&world, "1");
    assert_eq!(world.git(["for-each-ref"]), refs);
    let bare = world.base().join("tmp/bare.git");
    world.git(["init".as_ref(), "-q".as_ref(), "--bare".as_ref(), bare.as_os_str()]);
    world.git(["push".as_ref(), "-q".as_ref(), "--mirror".as_ref(), bare.as_os_str()]);
    let id = world.git(["hash-object", "private.txt"]);
    let found = world
        .call_program("git", ["-C".as_ref(), bare.as_os_str(), "cat-file".as_ref(), "-e".as_ref(), id.trim().as_ref()])
        .run();
    assert_ne!(found.code, 0, "the mirror holds a private file");
    fs::remove_dir_all(bare).unwrap();
}

// cline #4388, #2868, pi-rewind-hook #10
#[test]
fn other_repositories_are_named_and_never_touched() {
    let world = world();
    let library = world.base().join("tmp/library");
    world.git(["init".as_ref(), "-q".as_ref(), library.as_os_str()]);
    let commit = |text: &str| {
        fs::write(library.join("lib.c"), text).unwrap();
        world.git(["-C".as_ref(), library.as_os_str(), "add".as_ref(), "-A".as_ref()]);
        world.git(["-C".as_ref(), library.as_os_str(), "commit".as_ref(), "-q".as_ref(), "-m".as_ref(), text.as_ref()]);
    };
    commit("one");
    world.git(["submodule".as_ref(), "--quiet".as_ref(), "add".as_ref(), library.as_os_str(), "lib".as_ref()]);
    world.git(["init", "-q", "nested"]);
    world.write("nested/a.txt", "one\n");
    world.git(["-C", "nested", "add", "-A"]);
    world.git(["-C", "nested", "commit", "-q", "-m", "x"]);
    world.commit("with others");
    done(&world, 1);
    commit("two");
    world.git(["-C", "lib", "pull", "-q"]);
    world.write("lib/own.txt", "own\n");
    world.write("nested/a.txt", "two\n");
    world.write("calc.sh", "other\n");
    let now = Snapshot::of(&world);
    let preview = world.plan(["rewind", "1", "--dry-run"]).stdout;
    assert!(preview.contains("`lib` was at ") && preview.contains(": `git -C lib checkout "), "{preview}");
    rewind(&world, "1");
    let after = Snapshot::of(&world);
    let others = |snapshot: &Snapshot| {
        let other = |path: &&String| path.starts_with("lib/") || path.starts_with("nested/");
        snapshot.files.keys().filter(other).map(|path| (path.clone(), only(&snapshot.files, path))).collect::<Vec<_>>()
    };
    assert!(others(&now).len() > 5);
    assert_eq!(others(&after), others(&now));
    assert_eq!(world.read("calc.sh"), "echo calc\n");
    fs::remove_dir_all(library).unwrap();
}

#[test]
fn a_folder_that_became_a_repository_is_left_alone() {
    let world = world();
    world.write("part/a.txt", "one\n");
    done(&world, 1);
    world.write("part/a.txt", "two\n");
    world.git(["init", "-q", "part"]);
    world.git(["-C", "part", "add", "-A"]);
    world.git(["-C", "part", "commit", "-q", "-m", "x"]);
    rewind(&world, "1");
    assert_eq!(world.read("part/a.txt"), "two\n");
}

#[test]
fn a_sparse_checkout_stays_sparse() {
    let world = world();
    world.write("out/a.txt", "one\n");
    world.commit("more");
    world.git(["sparse-checkout", "set", "src"]);
    assert!(!world.path("out").exists());
    done(&world, 1);
    world.write("src/lib.sh", "other\n");
    rewind(&world, "1");
    assert!(!world.path("out").exists());
    assert_eq!(world.read("src/lib.sh"), "echo lib\n");
    world.git(["sparse-checkout", "disable"]);
    world.write("src/lib.sh", "other\n");
    rewind(&world, "1");
    assert_eq!(world.read("out/a.txt"), "one\n", "what was absent then is not deleted");
}

#[test]
fn other_forms_of_a_repository() {
    for args in [&["--object-format=sha256"][..], &["--ref-format=reftable"]] {
        let world = World::without_git().file("plan.md", PLAN).file("calc.sh", "echo calc\n");
        let made = world.call_program("git", ["init", "-q"].iter().chain(args)).run();
        if made.code != 0 {
            println!("skipped: this git has no {args:?}");
            continue;
        }
        world.commit("base");
        world.write("new/x.txt", "x\n");
        done(&world, 1);
        world.write("calc.sh", "other\n");
        fs::remove_dir_all(world.path("new")).unwrap();
        rewind(&world, "1");
        assert_eq!(
            (world.read("calc.sh").as_str(), world.read("new/x.txt").as_str()),
            ("echo calc\n", "x\n"),
            "{args:?}"
        );
    }
}
