//! The private object folder: its content, who can see it, and when it is removed.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use plan::repo::{KeepOutcome, KeptTree, KeptTreeLimits, LeftOut, PathChange, Tree, changes};

use super::support::World;

const NAME: &str = "base-g-1-0123456789ab";

fn keep(world: &World) -> Tree {
    let tree = world.tree();
    let KeepOutcome::Kept { new, .. } = world.repo().keep(NAME, &tree, &KeptTreeLimits::default()).unwrap() else {
        panic!()
    };
    assert!(new);
    tree
}

fn kept_folder(world: &World) -> PathBuf {
    world.git_dir().join("plan/checkpoints")
}

/// The objects in the folder of kept trees.
fn objects(world: &World) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> = Vec::new();
    for folder in fs::read_dir(kept_folder(world).join("objects")).unwrap() {
        all.extend(fs::read_dir(folder.unwrap().path()).unwrap().map(|entry| entry.unwrap().path()));
    }
    all
}

/// Makes a file look as if it was written this many days ago.
fn aged(path: &Path, days: u64) {
    let then = SystemTime::now() - Duration::from_secs(days * 24 * 60 * 60);
    let permissions = path.metadata().unwrap().permissions();
    fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
    fs::File::options().write(true).open(path).unwrap().set_modified(then).unwrap();
    fs::set_permissions(path, permissions).unwrap();
}

// CONTRACT.md §5
#[test]
fn a_tree_that_is_kept_survives_and_can_be_compared() {
    let world = World::new();
    world.write("new", "x").write("src/deep/er", "y").write("a", "changed");
    std::os::unix::fs::symlink("a", world.top.join("link")).unwrap();
    let base = keep(&world);
    let repo = world.repo();
    assert!(repo.has(base.id).unwrap());
    let other = world.folder.path().join("linked");
    world.git(&["worktree".as_ref(), "add".as_ref(), "-q".as_ref(), other.as_os_str()]);
    world.git(&["-C".as_ref(), other.as_os_str(), "gc".as_ref(), "-q".as_ref(), "--prune=now".as_ref()]);
    world.git(&["gc", "-q", "--prune=now"]);
    world.git(&["fsck", "--strict"]);
    assert_eq!(changes(&repo.entries(base.id).unwrap(), &world.tree().entries), []);
    world.write("new", "z").write("newer", "");
    fs::remove_file(world.top.join("src/b")).unwrap();
    let changed = changes(&repo.entries(base.id).unwrap(), &world.tree().entries);
    let changed: Vec<_> = changed.iter().map(|one| (one.path.to_str().unwrap(), one.change)).collect();
    assert_eq!(changed, [("new", PathChange::Modified), ("newer", PathChange::Added), ("src/b", PathChange::Removed)]);
    assert_eq!(repo.file_at(base.id, Path::new("link")).unwrap().unwrap(), b"a");
    assert_eq!(repo.file_at(base.id, Path::new("src")).unwrap(), None);
    assert_eq!(repo.file_at(base.id, Path::new("absent")).unwrap(), None);
}

// CONTRACT.md §5: private, and nothing of it is in git's own store or under a ref.
#[test]
fn nothing_of_it_is_gits_own() {
    let world = World::new();
    world.write("secrets.env", "TOKEN=s3cret\n");
    let (before, _) = world.stored();
    let tree = keep(&world);
    assert_eq!(world.stored().0, before);
    assert_eq!(world.repo().list_refs("refs/").unwrap().len(), 1, "the branch");
    let blob = tree.entry(Path::new("secrets.env")).unwrap().id.to_string();
    assert!(!world.try_git(&["cat-file", "-e", &blob], &[]).status.success());
    for folder in ["", "objects", "kept"] {
        let mode = kept_folder(&world).join(folder).metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700, "{folder}");
    }
    // Only objects that the commit lacks: the file, and the tree that names it.
    assert_eq!(objects(&world).len(), 2);
    let mirror = world.folder.path().join("mirror.git");
    world.git(&["init", "-q", "--bare", mirror.to_str().unwrap()]);
    world.git(&["push", "-q", "--mirror", mirror.to_str().unwrap()]);
    let there = world.git(&["-C", mirror.to_str().unwrap(), "cat-file", "--batch-all-objects", "--batch-check"]);
    assert!(!there.contains(&blob), "{there}");
}

#[test]
fn a_record_never_relies_on_what_is_only_kept() {
    let world = World::new();
    world.write("note", "{}");
    keep(&world);
    let written = world.repo().write_record("refs/plan/signoffs/g-1/c-t", b"{}").unwrap();
    fs::remove_dir_all(kept_folder(&world)).unwrap();
    assert_eq!(world.git(&["cat-file", "blob", &written.id().to_string()]), "{}");
}

// Objects of git's own store outside the commit may be garbage tomorrow.
#[test]
fn what_is_staged_is_kept_too() {
    let world = World::new();
    world.write("a", "staged\n").write(".gitattributes", "crlf text eol=crlf\n").write("crlf", "one\r\n");
    world.git(&["add", "-A"]);
    world.settle();
    let tree = keep(&world);
    world.git(&["reset", "-q", "--hard"]);
    world.git(&["gc", "-q", "--prune=now"]);
    let repo = world.repo();
    for (path, bytes) in [("a", &b"staged\n"[..]), ("crlf", b"one\n"), ("src/b", b"two\n")] {
        let entry = tree.entry(Path::new(path)).unwrap();
        let stored = repo.blob(entry.id).unwrap();
        assert_eq!(stored, bytes, "{path}");
    }
    assert_eq!(changes(&repo.entries(tree.id).unwrap(), &tree.entries), []);
}

#[test]
fn limits_hold_and_what_is_left_out_is_named() {
    let world = World::new();
    world.write("large", vec![b'x'; 2000]).write("small", "x").write("sub/small", "y");
    let tree = world.tree();
    let limits = KeptTreeLimits { file: 1000, ..KeptTreeLimits::default() };
    let KeepOutcome::Kept { kept, .. } = world.repo().keep(NAME, &tree, &limits).unwrap() else { panic!() };
    let large = LeftOut { path: "large".to_owned(), bytes: 2000 };
    assert_eq!(kept.left_out, std::slice::from_ref(&large));
    assert!(large.is(Path::new("large")) && !large.is(Path::new("small")));
    let repo = world.repo();
    assert_eq!(repo.kept(NAME).map(|kept| kept.left_out), Some(vec![large]));
    assert_eq!(repo.entries(tree.id).unwrap().len(), tree.entries.len(), "it is named in the tree all the same");
    for (limits, says) in [
        (KeptTreeLimits { total: 1000, ..KeptTreeLimits::default() }, "0 MiB of files are in no commit"),
        (KeptTreeLimits { files: 2, ..KeptTreeLimits::default() }, "3 files are in no commit, and at most 2 are kept"),
        (KeptTreeLimits { time: Duration::ZERO, ..KeptTreeLimits::default() }, "storing it took more than 0 s"),
    ] {
        let KeepOutcome::TooMuch(why) = repo.keep("other", &tree, &limits).unwrap() else { panic!("{limits:?}") };
        assert!(why.starts_with(says), "{why}");
        assert_eq!(repo.kept("other"), None);
    }
}

#[test]
fn what_nobody_needs_is_swept_once_it_is_old() {
    let world = World::new();
    world.write("old", "old");
    let first = world.tree();
    world.repo().keep("one", &first, &KeptTreeLimits::default()).unwrap();
    fs::remove_file(world.top.join("old")).unwrap();
    world.write("new", "new");
    let second = keep(&world);
    let repo = world.repo();
    assert_eq!(objects(&world).len(), 4);
    repo.release("one").unwrap();
    repo.release("one").unwrap();
    repo.sweep().unwrap();
    assert_eq!(objects(&world).len(), 4, "it is young: another start may just be storing it");
    objects(&world).iter().for_each(|object| aged(object, 2));
    repo.sweep().unwrap();
    assert_eq!(objects(&world).len(), 2);
    assert!(!repo.has(first.id).unwrap());
    assert_eq!(changes(&repo.entries(second.id).unwrap(), &second.entries), []);
    // A file that was left out is missing, and causes no error.
    world.write("large", vec![b'x'; 2000]);
    let third = world.tree();
    repo.keep("third", &third, &KeptTreeLimits { file: 1000, ..KeptTreeLimits::default() }).unwrap();
    objects(&world).iter().for_each(|object| aged(object, 2));
    repo.sweep().unwrap();
    assert!(repo.has(third.id).unwrap() && repo.has(second.id).unwrap());
}

#[test]
fn a_file_that_changed_since_the_tree_was_taken_is_not_stored_for_it() {
    let world = World::new();
    let trouble = |tree: &Tree| world.repo().keep(NAME, tree, &KeptTreeLimits::default()).unwrap_err();
    world.write("new", "x");
    let tree = world.tree();
    world.write("new", "y");
    let error = trouble(&tree);
    assert_eq!(error.kind, plan::error::Kind::Changed);
    assert_eq!(world.repo().kept(NAME), None, "nothing is kept");
    fs::remove_file(world.top.join("new")).unwrap();
    let error = trouble(&tree);
    assert_eq!(error.kind, plan::error::Kind::Changed, "{error}");
    std::os::unix::fs::symlink("a", world.top.join("new")).unwrap();
    let tree = world.tree();
    fs::remove_file(world.top.join("new")).unwrap();
    let error = trouble(&tree);
    assert_eq!(error.kind, plan::error::Kind::Changed, "{error}");
}

#[test]
fn links_and_odd_names_lead_nowhere() {
    let world = World::new();
    let repo = world.repo();
    let tree = world.tree();
    for name in ["", ".", "..", "../x", "a/b", ".hidden", "a.b", "ä", &"x".repeat(200)] {
        assert!(repo.keep(name, &tree, &KeptTreeLimits::default()).is_err(), "{name}");
        assert_eq!(repo.kept(name), None, "{name}");
        assert!(repo.release(name).is_err(), "{name}");
    }
    let elsewhere = world.folder.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    fs::create_dir(world.git_dir().join("plan")).unwrap();
    std::os::unix::fs::symlink(&elsewhere, kept_folder(&world)).unwrap();
    let error = repo.keep(NAME, &tree, &KeptTreeLimits::default()).unwrap_err();
    assert!(error.message.contains("plan/checkpoints"), "{error}");
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0);
}

/// Other files in the folder are ignored.
#[test]
fn what_is_no_record_of_ours_is_passed_over() {
    let world = World::new();
    world.write("new", "x");
    keep(&world);
    let kept = kept_folder(&world).join("kept");
    for text in ["", "{", "null", "[]", "{\"version\":1}", "{\"version\":2,\"tree\":\"0\"}"] {
        fs::write(kept.join("odd.json"), text).unwrap();
        assert_eq!(world.repo().all_kept().iter().map(|kept| &*kept.name).collect::<Vec<_>>(), [NAME], "{text}");
    }
    fs::write(kept.join("odd.json"), format!("{{\"version\":1,\"tree\":\"{}\"}}", "0".repeat(40))).unwrap();
    assert_eq!(world.repo().all_kept().len(), 2);
    objects(&world).iter().for_each(|object| aged(object, 2));
    world.repo().sweep().unwrap();
    assert_eq!(objects(&world).len(), 2, "a tree that is not here hinders nobody");
    let _: Option<KeptTree> = world.repo().kept("odd");
}
