//! Many blobs at once, and a file through its history.

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
    let texts = |most: usize| {
        let versions = repo.versions(Path::new("dir/a b"), most).unwrap();
        repo.contents(&versions, 10)
            .unwrap()
            .into_iter()
            .flatten()
            .map(|b| String::from_utf8(b).unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(texts(10), ["3", "2", "1"]);
    assert_eq!(texts(2), ["3", "2"]);
    assert!(repo.versions(Path::new("none"), 10).unwrap().is_empty());
}
