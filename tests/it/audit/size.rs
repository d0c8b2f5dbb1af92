//! Many sign-offs need as many processes as a few.

use super::signed_plan;
use super::support::audit;
use crate::support::World;

/// The number of git calls in an audit of this many sign-offs.
fn calls(goals: usize) -> usize {
    let world = World::new().file("a.txt", "a").committed();
    signed_plan::write(world.root(), goals, &|args| world.command("git", args));
    let log = world.base().join("calls");
    let git = world.call_program("sh", ["-c", "command -v git"]).run().stdout;
    let world =
        world.program("git", &format!("#!/bin/sh\necho call >> '{}'\nexec {} \"$@\"\n", log.display(), git.trim()));
    let found = audit(&world, &["--base", "HEAD~1"]);
    // Only the plan was committed, and there was no start.
    let expected: Vec<&str> = std::iter::repeat_n(["no-change", "no-start-record"], goals).flatten().collect();
    assert_eq!(found.findings, expected, "{:#}", found.json);
    assert_eq!(found.json["signed_off"].as_u64(), Some(goals as u64));
    std::fs::read_to_string(&log).unwrap().lines().count()
}

#[test]
fn a_hundred_sign_offs_take_as_many_processes_as_one() {
    let one = calls(1);
    assert!(one <= 19, "{one}");
    assert_eq!(calls(crate::support::size(100, 1000)), one);
}
