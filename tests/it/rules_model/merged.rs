//! Merges two branches with random commands and edits by hand.

use std::cell::Cell;

use plan::plan::contract::plan_contract;
use plan::plan::merge;
use plan::plan::parse;
use plan::plan::rules::{self, PlanState};
use proptest::prelude::*;

use super::{Act, DRAFT, STAMP, act, approve, by_hand, config, reject, sequences, write};

fn after(acts: &[Act], from: &[u8]) -> Vec<u8> {
    acts.iter().fold(from.to_vec(), |source, act| {
        let next = match act {
            Act::Approve => approve(&source),
            Act::Reject => reject(&source),
            Act::HandMark(..) | Act::HandWord(_) | Act::HandMode | Act::HandStatus(..) => by_hand(&source, act),
            _ => write(&source, act),
        };
        next.unwrap_or(source)
    })
}

fn merged(base: &[u8], ours: &[u8], theirs: &[u8]) -> Option<Vec<u8>> {
    let mut texts = |versions: [&[u8]; 3]| Ok(merge::MergedText::conflict(versions.map(Some)));
    let merged = merge::merge([base, ours, theirs], STAMP, &mut texts).ok()?;
    (merged.conflicts() == 0).then(|| merged.text.side(merge::OURS))
}

// CONTRACT.md §3.5, law 9
#[test]
fn a_merge_is_active_only_where_the_newest_approval_is_of_what_stands_there() {
    let mut runner = proptest::test_runner::TestRunner::new(config(sequences() / 3));
    let acts = || proptest::collection::vec(act(), 0..12);
    let active = Cell::new(0);
    runner
        .run(&(acts(), acts(), acts()), |(first, ours, theirs)| {
            let base = after(&first, &approve(DRAFT.as_bytes()).unwrap());
            let (ours, theirs) = (after(&ours, &base), after(&theirs, &base));
            let Some(merged) = merged(&base, &ours, &theirs) else { return Ok(()) };
            let Ok(plan) = parse::parse(&merged) else { return Ok(()) };
            if matches!(rules::state(&plan), PlanState::Active | PlanState::Complete) {
                active.set(active.get() + 1);
                let approvals = rules::Approvals::read(&plan);
                let (_, newest) = approvals.newest.unwrap();
                prop_assert!(plan_contract(&plan).is_short(newest.contract));
                // Exactly this contract was approved on one of the branches, or before them.
                let known = [&base, &ours, &theirs].into_iter().any(|side| {
                    String::from_utf8_lossy(side).contains(&format!("(contract {}, steps to", newest.contract))
                });
                prop_assert!(known);
            }
            Ok(())
        })
        .unwrap();
    println!("{} merges were active", active.get());
    assert!(active.get() > 0);
}
