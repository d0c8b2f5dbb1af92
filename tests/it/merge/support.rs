//! A small plan, and merges of texts as the driver does them.

use plan::error::Result;
use plan::plan::contract::goal_contract;
use plan::plan::edit::{Edit, apply};
use plan::plan::merge::{Chunk, Conflict, Markers, Merged, MergedText, merge};
use plan::plan::parse;
use plan::repo::{MergePart, merge_file};

use crate::support::World;

pub(crate) const PLAN: &str = "\
# Plan: Faster search

Prose above the goals.

## Goal: Cache
<!-- id: cache-1 -->
status: active
done_when: p95 < 50ms
verify: pytest -q
failure_modes:
- bypassed
- too small
- [ ] 1. wire
- [ ] 2. evict
- [ ] 3. load

Notes on the cache.

## Goal: Docs
<!-- id: docs-1 -->
status: open
done_when: written
verify: sh check.sh
- [ ] 4. write

## Log
- 2026-06-15 14:00  begun
";

/// The last line of [`PLAN`].
pub(crate) const END: &str = "- 2026-06-15 14:00  begun\n";

pub(crate) fn with(text: &str, changes: &[(&str, &str)]) -> String {
    changes.iter().fold(text.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    })
}

/// Signs a goal of a plan off for its contract, as `plan complete` would do.
pub(crate) fn signed_off(text: &str, id: &str, stamp: &str) -> String {
    let plan = parse(text.as_bytes()).unwrap();
    let goal = plan.find_goal(id).unwrap();
    let contract = goal_contract(goal).digest.short();
    let status = goal.field(plan::plan::model::Key::Status).unwrap().value.range();
    let line = format!(
        "- {stamp}  {id} signed off (verify green 0.1s, gate fast, oracle accept by checks, contract {contract}, tree none, at none)\n"
    );
    let log = plan.logs.iter().rfind(|log| !log.archived).map_or(text.len(), |log| log.insert_at as usize);
    let edits = [Edit { range: status, text: "done".into() }, Edit { range: log..log, text: line.into() }];
    String::from_utf8(apply(text.as_bytes(), &edits).unwrap()).unwrap()
}

pub(crate) fn merged(versions: [&[u8]; 3]) -> Merged {
    merge(versions, "2026-06-15 14:33", &mut by_git).unwrap()
}

pub(crate) fn rendered(merged: &Merged) -> Vec<u8> {
    merged.render(&Markers::default())
}

fn by_git(texts: [&[u8]; 3]) -> Result<MergedText> {
    let mut pieces = MergedText::default();
    for stretch in merge_file(std::path::Path::new("/nowhere"), texts, false)? {
        pieces.add(match stretch {
            MergePart::Clean(bytes) => Chunk::Clean(bytes),
            MergePart::Conflict { base, ours, theirs } => Chunk::Conflict(Conflict { base, ours, theirs }),
        });
    }
    Ok(pieces)
}

/// A repository with `plan` committed as plan.md on `main`, with or without the driver.
pub(crate) fn repository(plan: &str, driver: bool) -> World {
    let world = World::new().file("plan.md", plan).file("other.txt", "x\n");
    if driver {
        let output = world.plan(["install", "git"]);
        assert_eq!(output.code, 0, "{output:?}");
    }
    world.committed()
}

/// Commits `plan` as plan.md on a new branch from `main`, and returns to `main`.
pub(crate) fn branch(world: &World, name: &str, plan: &str) {
    world.git(["checkout", "--quiet", "-b", name, "main"]);
    world.write("plan.md", plan);
    world.commit(name);
    world.git(["checkout", "--quiet", "main"]);
}

/// Commits `plan` on `main`.
pub(crate) fn on_main(world: &World, plan: &str) {
    world.write("plan.md", plan);
    world.commit("main");
}
