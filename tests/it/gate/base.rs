//! A base that somebody has tampered with: the rows that need it find the tampering, and the other rows go on.

use std::fs;

use super::{GREET, assert_blocked, complete, found, started};
use crate::support::World;

/// A weakened test, which the base shows.
fn weakened() -> World {
    let world = started("sh ./test.sh", "", GREET);
    world.write("test.sh", "set -eu\n[ \"$(sh ./greet.sh World)\" = hi ]\n");
    world
}

// P-5
#[test]
fn a_ref_that_was_deleted_is_no_way_round() {
    let world = weakened();
    world.git(["update-ref", "-d", "refs/plan/base/g-1"]);
    assert_blocked(&world, "approved-tests-red");
}

// P-5
#[test]
fn a_ref_that_was_pointed_elsewhere_is_no_way_round() {
    let world = weakened();
    world.git(["add", "-A"]);
    let later = world.git(["write-tree"]);
    let blob = world.git(["hash-object", "-w", "test.sh"]);
    let head = world.git(["rev-parse", "HEAD"]);
    for id in [later, blob, head] {
        world.git(["update-ref", "refs/plan/base/g-1", id.trim()]);
        assert_blocked(&world, "approved-tests-red");
    }
}

/// Rows that need the lost file are undecided; the tree itself is still tested.
#[test]
fn a_damaged_base_leaves_the_rows_that_need_none() {
    let world = started("sh ./test.sh", "", GREET);
    world.write("greet.sh", "echo \"Hello, ${1:-}\"\n");
    world.write("test.sh", "set -eu\n[ -n \"$(sh ./greet.sh World)\" ]\n");
    let id = world.git(["rev-parse", "HEAD:test.sh"]);
    let (folder, name) = id.trim().split_at(2);
    world.git(["rm", "-q", "--cached", "test.sh"]);
    world.commit("work");
    fs::remove_file(world.path(&format!(".git/objects/{folder}/{name}"))).unwrap();
    let report = complete(&world);
    let (blocks, open) = found(&report);
    let about = |row: &str| open.iter().any(|seen| seen.starts_with(row));
    assert!(about("approved-tests-red"), "{open:#?}");
    assert_eq!(blocks, ["no-mutant-killed"], "{report:#}");
}
