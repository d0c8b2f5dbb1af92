//! The tree's id equals git's own, for all file names and all states of the index.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

use plan::repo::{Flag, Mode, PathChange, Reason, changes, tracked_changes};

use super::support::{World, is_root, pipe};

#[test]
fn a_clean_checkout_is_the_commits_tree_plan_file_aside() {
    let world = World::new();
    let tree = world.tree();
    assert_eq!(tree.id, world.expected());
    assert_eq!(tree.head.unwrap().to_string(), world.git(&["rev-parse", "HEAD"]));
    assert!(tree.clean_commit);
    world.write("plan.md", "# Plan: y\n").write(".plan.md.123.tmp", "half");
    let again = world.tree();
    assert_eq!(again.id, tree.id, "our own writing does not move the tree");
    assert!(again.clean_commit);
    world.write(".plan.md.123-1.tmp", "a second try").write(".plan.md.123-0.tmp", "the version before");
    assert_eq!(world.tree().id, tree.id, "whatever names a write makes");
    for name in [".plan.md.123.tmp", ".plan.md.123-1.tmp", ".plan.md.123-0.tmp"] {
        fs::remove_file(world.top.join(name)).unwrap();
    }
    world.write("a", "two\n");
    assert!(!world.tree().clean_commit);
    assert_eq!(world.tree().id, world.expected());
}

#[test]
fn only_the_plan_files_own_temporary_files_are_passed_over() {
    let world = World::new();
    let before = world.tree().id;
    for name in [".plan.md.12a.tmp", ".plan.md..tmp", "plan.md.1.tmp", ".plan.md.1.tmp.py", "src/.plan.md.1.tmp"] {
        world.write(name, "x");
        assert_ne!(world.tree().id, before, "{name}");
        fs::remove_file(world.top.join(name)).unwrap();
    }
    world.write(".plan.md.1.tmp", "x").git(&["add", "-f", ".plan.md.1.tmp"]);
    assert_ne!(world.tree().id, before, "a tracked file is never passed over");
}

#[test]
fn nothing_is_stored_and_the_index_is_left_alone() {
    let world = World::new();
    world.write("a", "changed").write("new", "untracked");
    let before = world.stored();
    world.tree();
    assert_eq!(world.stored(), before);
}

#[test]
fn names_of_every_sort() {
    let world = World::new();
    for name in
        ["-dash", "--", "new\nline", "tab\t", "\"quoted\"", "back\\slash", " space ", "x y/z", "\u{1b}[31m", "ü"]
    {
        world.write(name, name);
    }
    world.write(OsStr::from_bytes(b"bytes\xff\xfe"), "x");
    // A tree is not sorted by names: a folder sorts as if it ended in a slash.
    for name in ["t-b", "t.c", "t/x", "t0", "t/x-/q", "t/x.y"] {
        world.write(name, name);
    }
    let untracked = world.tree();
    assert_eq!(untracked.id, world.expected());
    world.commit();
    let tracked = world.tree();
    assert_eq!(tracked.id, untracked.id);
    assert!(tracked.clean_commit);
    assert!(tracked.entry(Path::new("new\nline")).unwrap().tracked);
}

#[test]
fn links_and_executables_are_told_from_files() {
    let world = World::new();
    symlink("../outside", world.top.join("link")).unwrap();
    symlink(OsStr::from_bytes(b"/no\xff"), world.top.join("src/odd")).unwrap();
    world.write("run", "#!/bin/sh\n");
    fs::set_permissions(world.top.join("run"), fs::Permissions::from_mode(0o755)).unwrap();
    let tree = world.tree();
    assert_eq!(tree.id, world.expected());
    assert_eq!(tree.entry(Path::new("link")).unwrap().mode, Mode::Link);
    assert_eq!(tree.entry(Path::new("run")).unwrap().mode, Mode::Executable);
    world.commit().settle();
    fs::set_permissions(world.top.join("run"), fs::Permissions::from_mode(0o644)).unwrap();
    let later = world.tree();
    assert_eq!(later.id, world.expected());
    let changed = changes(&tree.entries, &later.entries);
    assert_eq!(changed.len(), 1);
    assert_eq!((changed[0].path.as_path(), changed[0].change), (Path::new("run"), PathChange::Permission));
}

#[test]
fn ignored_files_are_no_part_of_it() {
    let world = World::new();
    world
        .write(".gitignore", "*.log\nbuild/\n!keep.log\n")
        .write("x.log", "x")
        .write("build/y", "y")
        .write("keep.log", "");
    let tree = world.tree();
    assert_eq!(tree.id, world.expected());
    assert!(tree.entry(Path::new("x.log")).is_none() && tree.entry(Path::new("keep.log")).is_some());
    assert!(tree.entry(Path::new("build/y")).is_none());
}

#[test]
fn removed_files_and_files_that_became_folders() {
    let world = World::new();
    fs::remove_file(world.top.join("src/b")).unwrap();
    fs::remove_file(world.top.join("a")).unwrap();
    world.write("a/now/folder", "x");
    assert_eq!(world.tree().id, world.expected());
    fs::remove_dir(world.top.join("src")).unwrap();
    world.write("src", "now a file");
    assert_eq!(world.tree().id, world.expected());
}

#[test]
fn a_link_in_place_of_a_folder_is_a_link() {
    let world = World::new();
    world.settle();
    let outside = world.folder.path().join("outside");
    fs::rename(world.top.join("src"), &outside).unwrap();
    symlink(&outside, world.top.join("src")).unwrap();
    let tree = world.tree();
    assert_eq!(tree.id, world.expected());
    assert!(tree.entry(Path::new("src/b")).is_none(), "the same inode, but no longer in the repository");
}

#[test]
fn an_entry_as_young_as_the_index_is_not_believed() {
    let world = World::new();
    let old = world.git(&["rev-parse", "HEAD:a"]);
    // Changed within the same tick of the clock: the stat data match, but the content does not.
    world.write("a", "eno\n");
    forge(&world, "a", &old);
    let stamp = fs::metadata(world.top.join("a")).unwrap().modified().unwrap();
    let index = world.git_dir().join("index");
    fs::File::options().write(true).open(&index).unwrap().set_modified(stamp).unwrap();
    assert_eq!(world.tree().id, world.expected());
}

#[test]
fn a_change_under_old_stamps_is_seen() {
    let world = World::new();
    world.settle();
    let path = world.top.join("a");
    let times = fs::metadata(&path).unwrap();
    for (key, value) in [("core.trustctime", "false"), ("core.checkStat", "minimal")] {
        world.git(&["config", key, value]);
    }
    fs::write(&path, "eno\n").unwrap();
    let times = fs::FileTimes::new().set_modified(times.modified().unwrap()).set_accessed(times.accessed().unwrap());
    fs::File::options().write(true).open(&path).unwrap().set_times(times).unwrap();
    world.believe_the_index();
    assert_eq!(world.git(&["diff-files"]), "", "git itself is fooled");
    assert!(!world.tree().clean_commit);
    assert_eq!(world.tree().id, world.expected());
}

#[test]
fn assume_unchanged_and_skip_worktree_are_not_believed() {
    for (flag, expected) in [("--assume-unchanged", Flag::AssumeUnchanged), ("--skip-worktree", Flag::SkipWorktree)] {
        let world = World::new();
        world.git(&["update-index", flag, "a", "src/b"]);
        world.settle();
        world.write("a", "changed");
        fs::remove_file(world.top.join("src/b")).unwrap();
        let tree = world.tree();
        assert_eq!(tree.id, world.expected(), "{flag}");
        let flagged: Vec<_> =
            tree.flagged.iter().map(|one| (one.path.to_str().unwrap(), one.flag, one.absent)).collect();
        assert_eq!(flagged, [("a", expected, false), ("src/b", expected, true)]);
    }
}

#[test]
fn absent_files_of_a_sparse_checkout_stay_in_the_tree() {
    let world = World::new();
    let whole = world.tree().id;
    world.git(&["sparse-checkout", "set", "--no-cone", "/a", "/plan.md"]);
    assert!(!world.top.join("src/b").exists());
    let tree = world.tree();
    assert_eq!(tree.id, whole);
    assert!(tree.clean_commit);
    world.write("src/b", "there after all");
    let tree = world.tree();
    assert_ne!(tree.id, whole, "what is on the disk counts");
    assert_eq!(world.repo().blob(tree.entry(Path::new("a")).unwrap().id).unwrap(), b"one\n");
}

#[test]
fn intent_to_add_is_read_from_the_disk() {
    let world = World::new();
    world.write("soon", "text\n").git(&["add", "-N", "soon"]);
    world.settle();
    assert_eq!(world.tree().id, world.expected());
    world.write("empty", "").git(&["add", "-N", "empty"]);
    assert_eq!(world.tree().id, world.expected());
}

#[test]
fn a_conflicted_index_is_the_files_as_they_are() {
    let world = World::new();
    world.git(&["checkout", "-q", "-b", "other"]);
    world.write("a", "theirs\n").commit();
    world.git(&["checkout", "-q", "main"]);
    world.write("a", "ours\n").commit();
    assert!(!world.try_git(&["merge", "-q", "other"], &[]).status.success());
    let tree = world.tree();
    assert_eq!(tree.id, world.expected());
    assert_eq!(tree.conflicted, [Path::new("a")]);
}

#[test]
fn pipes_and_sockets_are_not_opened() {
    let world = World::new();
    fs::remove_file(world.top.join("a")).unwrap();
    pipe(&world.top.join("a"));
    pipe(&world.top.join("untracked-pipe"));
    let _socket = std::os::unix::net::UnixListener::bind(world.top.join("socket")).unwrap();
    let tree = world.tree();
    let skipped: Vec<_> = tree.skipped.iter().map(|one| (one.path.to_str().unwrap(), one.reason)).collect();
    assert_eq!(skipped, [("a", Reason::Special)]);
    assert_eq!(tree.entries.len(), 1);
}

#[test]
fn what_cannot_be_read_is_named() {
    if is_root() {
        return;
    }
    let world = World::new();
    world.write("new", "x");
    fs::set_permissions(world.top.join("new"), fs::Permissions::from_mode(0o000)).unwrap();
    let tree = world.tree();
    assert_eq!((tree.skipped[0].path.as_path(), tree.skipped[0].reason), (Path::new("new"), Reason::Unreadable));
}

#[test]
fn a_repository_within_is_named_and_not_entered() {
    let world = World::new();
    world.write("inner/file", "x");
    super::support::git(&world.top.join("inner")).args(["init", "-q"]).status().unwrap();
    let tree = world.tree();
    let named = tree.skipped.iter().any(|one| one.path == Path::new("inner") && one.reason == Reason::Nested);
    assert!(named || tree.entry(Path::new("inner/file")).is_some(), "named or digested, never overlooked: {tree:?}");
}

#[test]
fn an_index_that_names_paths_outside_is_refused() {
    let world = World::new();
    let index = world.git_dir().join("index");
    world.write("xx/passwd", "").git(&["add", "xx/passwd"]);
    let mut bytes = fs::read(&index).unwrap();
    let at = bytes.windows(9).position(|part| part == b"xx/passwd").unwrap();
    bytes[at..at + 2].copy_from_slice(b"..");
    let body = bytes.len() - 20;
    let sum = <sha1_checked::Sha1 as sha1_checked::Digest>::digest(&bytes[..body]);
    bytes[body..].copy_from_slice(&sum);
    fs::write(&index, bytes).unwrap();
    let error = world.repo().tree(&[]).unwrap_err();
    assert!(error.message.contains("../passwd"), "{error}");
}

#[test]
fn conversions_do_not_run_and_a_clean_checkout_stays_clean() {
    let world = World::new();
    world
        .write(".gitattributes", "*.txt text eol=crlf\n*.id ident\n")
        .write("t.txt", "a\nb\n")
        .write("i.id", "$Id$\n")
        .commit();
    fs::remove_file(world.top.join("t.txt")).unwrap();
    world.git(&["checkout", "t.txt"]);
    assert_eq!(fs::read(world.top.join("t.txt")).unwrap(), b"a\r\nb\r\n");
    world.settle();
    assert!(world.tree().clean_commit, "the stat data match, so the blob is git's");
    world.write("t.txt", "a\r\nc\r\n");
    let tree = world.tree();
    let raw = world.git(&["hash-object", "--no-filters", "t.txt"]);
    assert_eq!(tree.entry(Path::new("t.txt")).unwrap().id.to_string(), raw);
}

/// Git's blob of such a file differs from the blob of its bytes: both trees must use the same one.
#[test]
fn a_converted_file_that_is_younger_than_a_moment_did_not_change() {
    let world = World::new();
    world.write(".gitattributes", "*.txt text eol=crlf\n").write("t.txt", "a\n").commit();
    for _ in 0..20 {
        world.check_out_anew("t.txt");
        let before = world.tree();
        let after = world.repo().tree_since(&[Path::new("plan.md")], &before).unwrap();
        assert_eq!(tracked_changes(&before, &after), []);
    }
}

#[test]
fn tracked_files_that_changed_are_told_from_other_files() {
    let world = World::new();
    world.write("gone", "x").commit();
    let before = world.tree();
    world.write("a", "changed").write("untracked", "new").write("added", "x").git(&["add", "added"]);
    fs::remove_file(world.top.join("gone")).unwrap();
    let after = world.repo().tree_since(&[Path::new("plan.md")], &before).unwrap();
    assert_eq!(after.id, world.expected());
    let changed = tracked_changes(&before, &after);
    let changed: Vec<_> = changed.iter().map(|one| (one.path.to_str().unwrap(), one.change)).collect();
    assert_eq!(changed, [("a", PathChange::Modified), ("added", PathChange::Added), ("gone", PathChange::Removed)]);
}

#[test]
fn a_later_tree_does_not_believe_a_rewritten_index() {
    let world = World::new();
    world.settle();
    let before = world.tree();
    world.write("a", "eno\n");
    // A forger can do this: the index holds the old blob with the new file's stat data.
    let old = world.git(&["rev-parse", "HEAD:a"]);
    forge(&world, "a", &old);
    assert_eq!(world.git(&["diff-files"]), "", "git itself is fooled");
    let after = world.repo().tree_since(&[Path::new("plan.md")], &before).unwrap();
    assert_eq!(tracked_changes(&before, &after).len(), 1);
    assert_eq!(after.id, world.expected());
}

/// Puts `id` into the index entry of `path` without touching its stat data.
fn forge(world: &World, path: &str, id: &str) {
    world.git(&["add", path]);
    world.settle();
    let index = world.git_dir().join("index");
    let mut bytes = fs::read(&index).unwrap();
    let new = plan::repo::ObjectId::parse(&world.git(&["hash-object", path])).unwrap();
    let at = bytes.windows(20).position(|part| part == new.as_bytes()).unwrap();
    bytes[at..at + 20].copy_from_slice(plan::repo::ObjectId::parse(id).unwrap().as_bytes());
    let body = bytes.len() - 20;
    let sum = <sha1_checked::Sha1 as sha1_checked::Digest>::digest(&bytes[..body]);
    bytes[body..].copy_from_slice(&sum);
    fs::write(&index, bytes).unwrap();
    world.believe_the_index();
}
