//! Many blobs at once, and a file through its history.

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

// A history that cannot be read is no empty one.
#[test]
fn a_broken_history_is_said() {
    let world = World::new();
    world.git(&["symbolic-ref", "HEAD", "refs/heads/unborn"]);
    assert!(world.repo().versions(Path::new("a"), 10, 10).unwrap().is_empty());
    let absent = "0123456789012345678901234567890123456789\n";
    std::fs::write(world.git_dir().join("refs/heads/unborn"), absent).unwrap();
    assert_eq!(world.repo().versions(Path::new("a"), 10, 10).unwrap_err().kind, plan::error::Kind::Unknown);
}

// A branch may have any name, one that looks like an id too.
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
