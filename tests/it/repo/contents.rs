//! Many blobs at once, and the history of a file.

use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use super::support::World;

#[test]
fn blobs_come_in_order_and_large_or_unknown_ones_are_none() {
    let world = World::new();
    world.write("one", "a\nb").write("empty", "").write("large", "x".repeat(100));
    world.git(&["add", "--all"]);
    world.git(&["commit", "--quiet", "-m", "more"]);
    let repo = world.repo();
    let id = |name: &str| plan::repo::ObjectId::parse(&world.git(&["rev-parse", name])).unwrap();
    let unknown = plan::repo::ObjectId::parse(&"0".repeat(40)).unwrap();
    let ids = [id("HEAD:one"), unknown, id("HEAD:large"), id("HEAD"), id("HEAD:empty"), id("HEAD:one")];
    let found = repo.contents(&ids, 50).unwrap();
    let one = Some(b"a\nb".to_vec());
    assert_eq!(found, [one.clone(), None, None, None, Some(Vec::new()), one]);
    assert!(repo.contents(&[], 50).unwrap().is_empty());
}

#[test]
fn a_file_is_found_through_its_history() {
    let world = World::new();
    for text in ["1", "2", "3"] {
        world.write("dir/a b", text);
        world.git(&["add", "--all"]);
        world.git(&["commit", "--quiet", "-m", text]);
        world.git(&["commit", "--quiet", "--allow-empty", "-m", "other"]);
    }
    let repo = world.repo();
    let texts = |count: usize| {
        let versions = repo.versions(Path::new("dir/a b"), count, 10).unwrap();
        versions.into_iter().map(|bytes| String::from_utf8(bytes).unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(texts(10), ["3", "2", "1"]);
    assert_eq!(texts(2), ["3", "2"]);
    assert!(repo.versions(Path::new("none"), 10, 10).unwrap().is_empty());
    assert!(repo.versions(Path::new("dir/a b"), 10, 0).unwrap().is_empty(), "larger than that");
}

#[test]
fn a_file_with_any_name_is_found_through_its_history() {
    let world = World::new();
    let name = std::ffi::OsStr::from_bytes(b"b\xe9 c");
    world.write(name, "1").commit();
    assert_eq!(world.repo().versions(Path::new(name), 10, 10).unwrap(), [b"1"]);
}

// A history that cannot be read is not an empty history.
#[test]
fn a_broken_history_is_said() {
    let world = World::new();
    world.git(&["symbolic-ref", "HEAD", "refs/heads/unborn"]);
    assert!(world.repo().versions(Path::new("a"), 10, 10).unwrap().is_empty());
    let absent = "0123456789012345678901234567890123456789\n";
    std::fs::write(world.git_dir().join("refs/heads/unborn"), absent).unwrap();
    assert_eq!(world.repo().versions(Path::new("a"), 10, 10).unwrap_err().kind, plan::error::Kind::Unknown);
}

// A branch may have any name, even one that looks like an id.
#[test]
fn a_branch_is_no_short_id() {
    let world = World::new();
    let head = world.git(&["rev-parse", "HEAD"]);
    world.git(&["branch", "feedfacecafe"]);
    let short = &head[..12];
    let found = world.repo().commits(&["feedfacecafe".to_owned(), short.to_owned(), short.to_uppercase()]).unwrap();
    assert_eq!(found.iter().map(Option::is_some).collect::<Vec<_>>(), [false, true, true]);
    world.write("a", "more").commit();
    world.git(&["branch", short]);
    assert_eq!(world.repo().commits(&[short.to_owned()]).unwrap(), [None], "the branch is at another commit");
}

/// The process that is kept open answers like a new process for each question.
#[test]
fn what_is_kept_open_answers_as_a_new_process_does() {
    let world = World::new();
    for number in 0..300 {
        world.write(format!("deep/{}/{number}/x", number % 7), number.to_string());
    }
    world.write(std::ffi::OsStr::from_bytes(b"odd \xe9\n\"name"), "odd").write("dir.d/x", "1").write("dir/y", "2");
    std::os::unix::fs::symlink("a", world.top.join("link")).unwrap();
    world.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{},sub", "1".repeat(40))]);
    world.git(&["add", "--all", "--ignore-removal", "."]);
    world.git(&["update-index", "--chmod=+x", "a"]);
    world.git(&["commit", "--quiet", "-m", "more"]);
    world.write("large", "x".repeat(200_000)).commit();
    let repo = world.repo();
    let id = |name: &str| plan::repo::ObjectId::parse(&world.git(&["rev-parse", name])).unwrap();
    let (head, before, first) = (id("HEAD"), id("HEAD~1"), id("HEAD~2"));
    let unknown = plan::repo::ObjectId::parse(&"0".repeat(40)).unwrap();
    let blobs = [id("HEAD:large"), unknown, head, id("HEAD:dir/y"), id("HEAD:dir"), id("HEAD:large")];
    let paths = ["dir/y", "dir", "dir.d/x", "none", "a", "link", "sub", "odd \n"].map(Path::new);
    let ask = || {
        let listed = [head, first, before, id("HEAD^{tree}")].map(|tree| repo.entries(tree).unwrap());
        let named = [&head.to_string()[..9], "abcdef123456", "", "HEAD", &"f".repeat(40)]
            .map(|it| repo.entries_of(it).unwrap());
        let files = paths.map(|path| repo.file_at(head, path).unwrap());
        let found = (
            repo.contents(&blobs, 300_000).unwrap(),
            repo.contents(&blobs, 10).unwrap(),
            repo.missing(&blobs).unwrap(),
        );
        let history = (repo.head().unwrap(), repo.parent(head).unwrap(), repo.parent(first).unwrap());
        (listed, named, files, found, history, repo.versions(Path::new("dir/y"), 9, 99).unwrap())
    };
    let alone = ask();
    let _open = repo.keep_open();
    let kept = ask();
    assert_eq!(kept, alone);
    assert_eq!(ask(), alone, "and once more");
    assert!(kept.0[2].len() > 305 && kept.0[2].iter().any(|entry| entry.path == Path::new("sub")));
    assert!(repo.entries(unknown).is_err());
    assert_eq!(ask(), alone, "after an error");
    world.write("later", "x").commit();
    assert_eq!(repo.head().unwrap(), Some(id("HEAD")), "HEAD as it is now");
    assert!(repo.file_at(id("HEAD"), Path::new("later")).unwrap().is_some());
}
