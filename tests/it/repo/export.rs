//! A tree as plain files: exactly the tree is written, whatever the repository or a run puts in the way.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::time::Instant;

use plan::error::Kind;
use plan::repo::export::{Export, Layout};
use plan::repo::{KeptTreeLimits, ObjectId, Repo, Tree};

use super::support::World;
use crate::support::size;

const NOTHING: &dyn Fn(&Path) -> bool = &|_| false;

fn layout(tree: &Tree) -> Layout {
    Layout::of(&tree.entries)
}

/// Every file and link below `folder`, with its content.
fn content(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inner) = folders.pop() {
        for path in fs::read_dir(inner).unwrap().map(|entry| entry.unwrap().path()) {
            let name = path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
            if path.is_symlink() {
                found.push((name, format!("-> {}", path.read_link().unwrap().display())));
            } else if path.is_dir() {
                folders.push(path);
            } else {
                found.push((name, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

fn fresh(world: &World) -> PathBuf {
    let folder = world.folder.path().join("export");
    fs::create_dir(&folder).unwrap();
    folder
}

/// A tree object whose entries are these lines of `git mktree`, stored without git's own checks.
fn forged(world: &World, lines: &[(&str, &str, &str)]) -> ObjectId {
    let blob = world.git(&["rev-parse", "HEAD:a"]);
    let mut object = Vec::new();
    for (mode, name, id) in lines {
        let id = if id.is_empty() { &blob } else { *id };
        let bytes = (0..20).map(|at| u8::from_str_radix(&id[at * 2..at * 2 + 2], 16).unwrap());
        object.extend(format!("{mode} {name}\0").bytes().chain(bytes));
    }
    world.write("../object", object);
    let file = world.folder.path().join("object");
    let id = world.git(&["hash-object", "-t", "tree", "-w", "--literally", &file.to_string_lossy()]);
    ObjectId::parse(&id).unwrap()
}

fn from_store(repo: &Repo, tree: ObjectId) -> Layout {
    Layout::of(&repo.entries(tree).unwrap())
}

#[test]
fn an_export_is_the_tree_from_the_disk_and_from_the_store() {
    let world = World::new();
    world
        .write("run", "#!/bin/sh\n")
        .write("ignored.log", "x")
        .write(".gitignore", "*.log\n")
        .write("new", "untracked\n");
    fs::set_permissions(world.top.join("run"), fs::Permissions::from_mode(0o755)).unwrap();
    symlink("../../out", world.top.join("link")).unwrap();
    let (repo, tree) = (world.repo(), world.tree());
    let expected = [
        (".gitignore", "*.log\n"),
        ("a", "one\n"),
        ("link", "-> ../../out"),
        ("new", "untracked\n"),
        ("run", "#!/bin/sh\n"),
        ("src/b", "two\n"),
    ];
    let expected: Vec<(String, String)> = expected.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect();
    let folder = fresh(&world);
    Export::new(&repo, &folder).lay(&layout(&tree), NOTHING).unwrap();
    assert_eq!(content(&folder), expected);
    assert_eq!(folder.join("run").metadata().unwrap().mode() & 0o111, 0o111 & !umask());
    assert_eq!(layout(&tree).id(repo.format()).unwrap(), tree.id);
    repo.keep("t", &tree, &KeptTreeLimits::default()).unwrap();
    fs::remove_dir_all(&folder).unwrap();
    fs::create_dir(&folder).unwrap();
    world.write("a", "other\n");
    Export::new(&repo, &folder).lay(&from_store(&repo, tree.id), NOTHING).unwrap();
    assert_eq!(content(&folder), expected);
}

fn umask() -> u32 {
    let folder = crate::support::tempdir();
    let file = folder.path().join("x");
    fs::OpenOptions::new().write(true).create_new(true).open(&file).unwrap();
    0o666 & !file.metadata().unwrap().mode() & 0o111
}

#[test]
fn what_a_run_did_to_it_is_undone_without_following_links() {
    let world = World::new();
    world.write("deep/in/c", "three\n");
    let (repo, tree) = (world.repo(), world.tree());
    let folder = fresh(&world);
    let mut export = Export::new(&repo, &folder);
    export.lay(&layout(&tree), NOTHING).unwrap();
    let expected = content(&folder);
    let times = |path: &str| folder.join(path).metadata().unwrap().mtime();
    let (old_a, old_b) = (times("a"), times("src/b"));
    let outside = world.folder.path().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("b"), "precious\n").unwrap();
    // A file rewritten with its old times, a folder turned into a link, a locked folder, a new file, a pipe, a cache.
    let before = folder.join("a").metadata().unwrap();
    fs::write(folder.join("a"), "onx\n").unwrap();
    fs::File::options().write(true).open(folder.join("a")).unwrap().set_modified(before.modified().unwrap()).unwrap();
    fs::remove_dir_all(folder.join("src")).unwrap();
    symlink(&outside, folder.join("src")).unwrap();
    fs::create_dir_all(folder.join("extra/x")).unwrap();
    fs::set_permissions(folder.join("extra"), fs::Permissions::from_mode(0o000)).unwrap();
    fs::set_permissions(folder.join("deep"), fs::Permissions::from_mode(0o500)).unwrap();
    fs::create_dir(folder.join("keep")).unwrap();
    fs::write(folder.join("keep/cache"), "built\n").unwrap();
    assert!(std::process::Command::new("mkfifo").arg(folder.join("pipe")).status().unwrap().success());
    let mode = |path: &str| folder.join(path).metadata().unwrap().mode();
    let open = mode("");
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)).unwrap();
    export.lay(&layout(&tree), &|path| path == Path::new("keep")).unwrap();
    assert_eq!([mode(""), mode("deep"), mode("deep/in"), mode("src")], [open; 4]);
    let mut kept = expected;
    kept.push(("keep/cache".to_owned(), "built\n".to_owned()));
    kept.sort();
    assert_eq!(content(&folder), kept);
    assert_eq!(fs::read_to_string(outside.join("b")).unwrap(), "precious\n");
    assert!(times("a") > old_a && times("src/b") > old_b, "what is written again looks newer, by a whole second");
}

#[test]
fn a_changed_file_is_written_alone_and_looks_newer_each_time() {
    let world = World::new();
    let (repo, tree) = (world.repo(), world.tree());
    let folder = fresh(&world);
    let mut export = Export::new(&repo, &folder);
    let clean = layout(&tree);
    export.lay(&clean, NOTHING).unwrap();
    let mtime = |path: &str| folder.join(path).metadata().unwrap().mtime();
    let (untouched, mut last) = (mtime("src/b"), mtime("a"));
    let mut changed = clean.clone();
    changed.put(Path::new("a"), b"ONE\n".to_vec());
    assert_ne!(changed.id(repo.format()).unwrap(), tree.id);
    for round in 0..4 {
        let (wanted, text) = if round % 2 == 0 { (&changed, "ONE\n") } else { (&clean, "one\n") };
        export.lay(wanted, NOTHING).unwrap();
        assert_eq!(fs::read_to_string(folder.join("a")).unwrap(), text);
        assert!(mtime("a") > last, "round {round}");
        last = mtime("a");
    }
    assert_eq!(mtime("src/b"), untouched);
}

// Hostile names: anyone who can push can make a tree.
#[test]
fn trees_that_reach_out_are_refused_and_nothing_is_written() {
    let world = World::new();
    let repo = world.repo();
    let inner = forged(&world, &[("100644", "config", "")]).to_string();
    let link = world.git(&["rev-parse", "HEAD:src/b"]);
    for lines in [
        vec![("100644", "..", "")],
        vec![("40000", ".git", inner.as_str())],
        vec![("40000", ".GIT", inner.as_str())],
        vec![("40000", "..", inner.as_str())],
        vec![("40000", "git~1", inner.as_str())],
        vec![("40000", ".g\u{200c}it", inner.as_str())],
        vec![("120000", "dir", link.as_str()), ("40000", "dir", inner.as_str())],
    ] {
        let tree = forged(&world, &lines);
        let Ok(entries) = repo.entries(tree) else { continue };
        let folder = world.folder.path().join("export");
        fs::create_dir(&folder).unwrap();
        let error = Export::new(&repo, &folder).lay(&Layout::of(&entries), NOTHING);
        let error = error.expect_err(&format!("{lines:?}"));
        assert!(matches!(error.kind, Kind::Input | Kind::Unknown), "{lines:?}: {error:?}");
        assert_eq!(content(&folder), [], "{lines:?}");
        fs::remove_dir_all(&folder).unwrap();
    }
    assert!(!world.folder.path().join("config").exists());
}

// SIGNOFF.md §7
#[test]
fn no_filter_runs_and_conversions_that_can_be_checked_are_kept() {
    let world = World::new();
    world
        .write(".gitattributes", "*.crlf text eol=crlf\n*.sec filter=evil\n")
        .write("x.crlf", "a\r\nb\r\n")
        .write("y.sec", "plain\n");
    world.git(&["config", "filter.evil.clean", "echo hidden"]);
    let touch = format!("touch {}; cat", world.folder.path().join("ran").display());
    world.git(&["config", "filter.evil.smudge", &touch]);
    world.commit().settle();
    world.git(&["config", "filter.evil.clean", &touch]);
    let (repo, tree) = (world.repo(), world.tree());
    let folder = fresh(&world);
    let mut export = Export::new(&repo, &folder);
    export.lay(&layout(&tree), NOTHING).unwrap();
    assert_eq!(fs::read(folder.join("x.crlf")).unwrap(), b"a\r\nb\r\n");
    assert_eq!(export.converted(), [PathBuf::from("x.crlf")]);
    assert_eq!(fs::read(folder.join("y.sec")).unwrap(), b"hidden\n", "what git has, not what a filter makes of it");
    assert_eq!(export.filtered(), [PathBuf::from("y.sec")]);
    assert!(!world.folder.path().join("ran").exists());
}

#[test]
fn an_index_that_claims_another_file_is_not_believed() {
    let world = World::new();
    world.settle();
    let tree = world.tree();
    let folder = fresh(&world);
    // The file changes after the listing and before the export.
    world.write("a", "two\n");
    Export::new(&world.repo(), &folder).lay(&layout(&tree), NOTHING).unwrap();
    assert_eq!(fs::read_to_string(folder.join("a")).unwrap(), "one\n");
}

#[test]
fn thousands_of_files_are_laid_once_and_then_only_looked_at() {
    let world = World::new();
    for number in 0..size(1_000, 10_000) {
        world.write(format!("d{}/f{number}", number % 100), format!("{number}\n"));
    }
    let (repo, tree) = (world.repo(), world.tree());
    let folder = fresh(&world);
    let mut export = Export::new(&repo, &folder);
    let begin = Instant::now();
    export.lay(&layout(&tree), NOTHING).unwrap();
    let (first, begin) = (begin.elapsed(), Instant::now());
    export.lay(&layout(&tree), NOTHING).unwrap();
    println!("first {first:?}, again {:?}", begin.elapsed());
    assert_eq!(content(&folder).len(), tree.entries.len());
}
