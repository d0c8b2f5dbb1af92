//! Sequences of commands and edits by hand keep the laws.

use std::cell::Cell;

use plan::plan::contract::plan_contract;
use plan::plan::model::{Mark, Plan, Status};
use plan::plan::parse;
use plan::plan::rules::{self, PlanState, StepMove};
use proptest::prelude::*;

use super::{Act, DRAFT, Reference, act, approve, by_hand, config, reject, sequences, write};

fn told(state: PlanState) -> &'static str {
    match state {
        PlanState::Active | PlanState::Complete => "agreed",
        other => other.word(),
    }
}

fn marks(plan: &Plan<'_>) -> Vec<(u32, Mark)> {
    let mut marks: Vec<_> = plan.steps.iter().filter_map(|step| Some((step.number?, step.mark))).collect();
    marks.sort_by_key(|(number, _)| *number);
    marks
}

fn statuses(plan: &Plan<'_>) -> Vec<(String, Status)> {
    plan.live_goals().map(|goal| (goal.name().to_owned(), goal.status())).collect()
}

/// The different marks of the steps that both plans have.
fn moved(before: &Plan<'_>, after: &Plan<'_>) -> Vec<(Mark, Mark)> {
    let new = marks(after);
    let is = |number: u32| new.iter().find(|(other, _)| *other == number).map(|(_, mark)| *mark);
    marks(before)
        .into_iter()
        .filter_map(|(number, was)| Some((was, is(number)?)))
        .filter(|(was, is)| was != is)
        .collect()
}

/// True for an arrow of `CONTRACT.md` §2, for a command; `[!]` to `[ ]` only in an approval.
fn is_arrow(was: Mark, is: Mark, is_approval: bool) -> bool {
    match (was, is) {
        (Mark::Pending, Mark::Active) => true,
        (Mark::Active, Mark::Complete | Mark::Failed | Mark::Skipped) => true,
        // The step is approved and begun in one write.
        (Mark::Failed, Mark::Pending | Mark::Active) => is_approval,
        _ => false,
    }
}

thread_local! {
    static WRITES: Cell<[usize; 3]> = const { Cell::new([0; 3]) };
}

fn count(at: usize) {
    WRITES.with(|writes| {
        let mut now = writes.get();
        now[at] += 1;
        writes.set(now);
    });
}

fn sequence(acts: &[Act]) -> Result<(), TestCaseError> {
    let (mut source, mut reference) = (DRAFT.as_bytes().to_vec(), Reference::default());
    count(0);
    for act in acts {
        let before = parse::parse(&source).unwrap();
        let state = rules::state(&before);
        let next = match act {
            Act::Approve => approve(&source),
            Act::Reject => reject(&source),
            Act::HandMark(..) | Act::HandWord(_) | Act::HandMode | Act::HandStatus(..) => by_hand(&source, act),
            _ => write(&source, act),
        };
        let Some(next) = next.filter(|next| *next != source) else {
            count(2);
            continue;
        };
        count(1);
        let after = parse::parse(&next).unwrap();
        match act {
            Act::Approve => reference = Reference { agreed: Some(plan_contract(&after).short()), asked: 0 },
            Act::Reject => reference.asked = 0,
            Act::Step(StepMove::Retry, _) => reference.asked += 1,
            Act::Cancel(_) if matches!(state, PlanState::Active | PlanState::Proposed) => reference.asked += 1,
            _ => {}
        }
        let now = rules::state(&after);
        prop_assert_eq!(told(now), reference.expects(&after), "{:?} in {}", act, String::from_utf8_lossy(&source));
        let is_by_hand = matches!(act, Act::HandMark(..) | Act::HandWord(_) | Act::HandMode | Act::HandStatus(..));
        let is_persons = matches!(act, Act::Approve | Act::Reject);
        let moves = moved(&before, &after);
        if !is_by_hand && state != PlanState::Guide {
            // Law 1: an agent's write never makes a plan active, except by taking a change back.
            if !is_persons && matches!(state, PlanState::None | PlanState::Unapproved) {
                prop_assert!(!matches!(now, PlanState::Active | PlanState::Complete), "{:?}", act);
            }
            if !is_persons && state == PlanState::Proposed && now == PlanState::Active {
                prop_assert!(
                    matches!(
                        act,
                        Act::AddStep(..)
                            | Act::Reword(..)
                            | Act::Remove(..)
                            | Act::Shift(..)
                            | Act::AddGoal(_)
                            | Act::RemoveGoal(..)
                    ),
                    "{:?}",
                    act
                );
            }
            // Law 2; the only exception is to cancel a goal before the first approval.
            if !is_persons && matches!(state, PlanState::Unapproved | PlanState::Proposed) {
                prop_assert!(moves.is_empty(), "{:?} {:?}", act, moves);
                let kept = statuses(&after);
                let same = statuses(&before)
                    .into_iter()
                    .filter(|old| kept.iter().any(|new| new.0 == old.0))
                    .all(|old| kept.contains(&old));
                prop_assert!(same || state == PlanState::Unapproved && matches!(act, Act::Cancel(_)), "{:?}", act);
            }
            // Law 3
            let begun = moves.iter().filter(|(_, is)| *is == Mark::Active).count();
            prop_assert!(begun <= 1, "{:?} {:?}", act, moves);
            // Law 4
            for (was, is) in &moves {
                prop_assert!(is_arrow(*was, *is, matches!(act, Act::Approve)), "{:?} {:?} -> {:?}", act, was, is);
            }
            // A careless command changes no agreed part, and no mark.
            if matches!(act, Act::Careless(_) | Act::Log) && state != PlanState::Unapproved {
                prop_assert_eq!(plan_contract(&before), plan_contract(&after));
            }
        }
        // Law 7: a write swaps in one whole file, so a kill leaves either this state or the previous one.
        source = next;
    }
    Ok(())
}

// F-9, F-10, F-17, F-22, F-26, F-57, F-62; CONTRACT.md §3.5, laws 1 to 4
#[test]
fn commands_and_hands_keep_to_the_laws() {
    let mut runner = proptest::test_runner::TestRunner::new(config(sequences()));
    let acts = proptest::collection::vec(act(), 1..40);
    runner.run(&acts, |acts| sequence(&acts)).unwrap();
    let [sequences, written, refused] = WRITES.with(Cell::get);
    println!("{sequences} sequences, {written} writes, {refused} refused or without effect");
    assert!(written > sequences && refused > sequences, "{written} of {refused}");
}
