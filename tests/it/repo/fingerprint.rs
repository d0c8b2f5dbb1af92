//! Every file that a judge touches is named.

use std::fs;
use std::path::Path;

use plan::repo::Fingerprint;

use super::support::World;

/// Returns the report after `act`.
fn after(world: &World, act: impl FnOnce(&World)) -> Vec<String> {
    let repo = world.repo();
    let exclude = [Path::new("plan.md")];
    let before = repo.fingerprint(&exclude).unwrap();
    act(world);
    Fingerprint::changed(&before, &repo.fingerprint_since(&exclude, &before).unwrap())
}

#[test]
fn nothing_changed_is_nothing_said() {
    let world = World::new();
    world.settle();
    assert_eq!(after(&world, |_| {}), [] as [&str; 0]);
    let others = after(&world, |world| {
        world.write("plan.md", "# Plan: other\n").write(".plan.md.7.tmp", "x").git(&["add", "plan.md"]);
        world.git(&["status"]);
        world.git(&["update-ref", "refs/plan/base/other", "HEAD"]);
        world.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
    });
    assert_eq!(others, [] as [&str; 0], "other sessions work on");
}

#[test]
fn each_thing_is_named() {
    type Act = fn(&World);
    let cases: [(&str, Act); 15] = [
        ("file `a` modified", |world| _ = world.write("a", "eno\n")),
        ("file `new` added", |world| _ = world.write("new", "")),
        ("file `src/b` removed", |world| fs::remove_file(world.top.join("src/b")).unwrap()),
        ("index entries or their flags changed", |world| drop(world.git(&["update-index", "--assume-unchanged", "a"]))),
        ("index entries or their flags changed", |world| drop(world.git(&["update-index", "--skip-worktree", "a"]))),
        ("index entries or their flags changed", |world| drop(world.git(&["rm", "-q", "--cached", "a"]))),
        ("`HEAD` moved from `refs/heads/main` to `refs/heads/other`", |world| {
            drop(world.git(&["checkout", "-qb", "other"]))
        }),
        ("ref `refs/heads/main` modified", |world| drop(world.git(&["commit", "-q", "--allow-empty", "-m", "y"]))),
        ("ref `refs/tags/v1` added", |world| drop(world.git(&["tag", "v1"]))),
        ("git's own `config` modified", |world| drop(world.git(&["config", "core.fsmonitor", "evil"]))),
        ("git's own `hooks/pre-commit` added", |world| {
            fs::create_dir_all(world.git_dir().join("hooks")).unwrap();
            fs::write(world.git_dir().join("hooks/pre-commit"), "#!/bin/sh\n").unwrap();
        }),
        ("git's own `info/exclude` modified", |world| {
            fs::write(world.git_dir().join("info/exclude"), "tests/\n").unwrap()
        }),
        ("git's own `info/attributes` added", |world| {
            fs::write(world.git_dir().join("info/attributes"), "* -diff").unwrap()
        }),
        ("git's own `info/grafts` added", |world| fs::write(world.git_dir().join("info/grafts"), "").unwrap()),
        ("git's own `objects/info/alternates` added", |world| {
            fs::write(world.git_dir().join("objects/info/alternates"), "/tmp\n").unwrap();
        }),
    ];
    for (expected, act) in cases {
        let world = World::new();
        world.settle();
        let lines = after(&world, act);
        assert!(lines.iter().any(|line| line == expected), "{expected}: {lines:?}");
    }
}

#[test]
fn a_replaced_object_is_named() {
    let world = World::new();
    let lines = after(&world, |world| {
        let blob = world.git(&["rev-parse", "HEAD:a"]);
        let other = world.git(&["rev-parse", "HEAD:src/b"]);
        world.git(&["replace", &blob, &other]);
    });
    assert!(lines.len() == 1 && lines[0].starts_with("ref `refs/replace/"), "{lines:?}");
}

#[test]
fn a_detached_head_that_moves_is_named() {
    let world = World::new();
    world.git(&["checkout", "-q", "--detach"]);
    let lines = after(&world, |world| drop(world.git(&["commit", "-q", "--allow-empty", "-m", "y"])));
    assert!(lines.len() == 1 && lines[0].starts_with("`HEAD` moved from `"), "{lines:?}");
}

#[test]
fn a_file_under_its_old_stamps_is_named() {
    let world = World::new();
    world.write("untracked", "one");
    world.settle();
    let lines = after(&world, |world| {
        for name in ["a", "untracked"] {
            let path = world.top.join(name);
            let stamp = fs::metadata(&path).unwrap().modified().unwrap();
            fs::write(&path, if name == "a" { "eno\n" } else { "eno" }).unwrap();
            fs::File::options().write(true).open(&path).unwrap().set_modified(stamp).unwrap();
        }
    });
    assert_eq!(lines, ["file `a` modified", "file `untracked` modified"]);
}

#[test]
fn a_change_in_a_dirty_submodule_is_named() {
    let (inner, world) = (World::new(), World::new());
    world.git(&["submodule".as_ref(), "add".as_ref(), "-q".as_ref(), inner.top.as_os_str(), "sub".as_ref()]);
    world.write("sub/a", "dirty\n");
    let lines = after(&world, |world| _ = world.write("sub/a", "dirtier\n"));
    assert_eq!(lines, ["submodule `sub` changed"]);
}

#[test]
fn the_shared_folders_of_a_linked_work_tree_are_looked_at() {
    let main = World::new();
    let top = main.folder.path().canonicalize().unwrap().join("linked");
    main.git(&["worktree".as_ref(), "add".as_ref(), "-q".as_ref(), top.as_os_str()]);
    let linked = World { folder: crate::support::tempdir(), top };
    let lines = after(&linked, |_| drop(main.git(&["config", "x.y", "z"])));
    assert_eq!(lines, ["git's own `config` modified"]);
}

/// Nothing changed, although each file was written a moment ago and git stores it in another form.
#[test]
fn a_converted_file_that_is_younger_than_a_moment_is_no_difference() {
    let world = World::new();
    world.write(".gitattributes", "*.txt text eol=crlf\n").write("t.txt", "a\n").commit();
    for _ in 0..20 {
        world.check_out_anew("t.txt");
        assert_eq!(after(&world, |_| {}), [""; 0]);
    }
}
