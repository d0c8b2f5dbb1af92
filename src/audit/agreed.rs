//! Checks that a plan in contract mode is the approved one, and that its log names each step that ended (`CONTRACT.md` §2).
//! In guide mode this check does nothing.

use super::facts::AuditFacts;
use super::finding::AuditFinding;
use crate::plan::model::{Mark, Plan};
use crate::plan::rules::{self, Approvals, OddMarks, PlanState};

pub(super) fn find(facts: &AuditFacts<'_>, found: &mut Vec<AuditFinding>) {
    let plan = facts.plan;
    let log = Approvals::read(plan);
    let state = rules::state_of(plan, &log);
    if state == PlanState::Guide {
        return;
    }
    for odd in rules::odd_marks(plan) {
        let (at, goal) = match &odd {
            OddMarks::Unlogged(step) => (place(plan, *step), plan.step(*step).map(|step| step.goal().name())),
            OddMarks::SeveralActive(steps) => (steps.first().map_or(0, |step| place(plan, *step)), None),
        };
        let expected = "marks that `plan step` has set and logged, one active step";
        let resolve = "set the box back to what it was, then `plan step done`, `skip` or `fail`";
        found.push(AuditFinding::new("step-unlogged", at, odd.describe(plan), expected, resolve).of(goal));
    }
    let at = plan.front.map_or(0, |front| front.start as usize);
    let expected = "the contract that a person approved";
    match state {
        PlanState::Unapproved if plan.steps.iter().any(|step| step.mark != Mark::Pending) => {
            let seen = "steps were begun, and nobody has approved the plan";
            found.push(AuditFinding::new("state", at, seen, expected, "`plan approve`"));
        }
        PlanState::Unapproved => {
            found.push(AuditFinding::note("state", at, "nobody has approved the plan yet", expected, "`plan approve`"));
        }
        PlanState::Proposed => {
            let resolve = "`plan approve`, or `plan review --reject \"why\"`";
            let is_told = !log.proposals.is_empty();
            let seen = match log.proposals.as_slice() {
                [] => "the contract was changed by hand since it was approved".to_owned(),
                some => {
                    let edits: Vec<String> = some.iter().map(|one| one.edit.to_string()).collect();
                    format!("a change of the contract waits for approval: {}", edits.join("; "))
                }
            };
            found.push(AuditFinding::new("state", at, seen, expected, resolve).only_note_if(is_told));
        }
        _ => {}
    }
}

fn place(plan: &Plan<'_>, step: usize) -> usize {
    plan.steps.get(step).map_or(0, |step| step.line.start as usize)
}
