//! Checks that every done goal is signed off for its current contract (`SIGNOFF.md` §8), and that every cancelled goal has a log
//! line with the reason (`CLI.md`, log lines that `plan` writes).

use super::facts::{AuditFacts, AuditLine, status_at};
use super::finding::AuditFinding;
use crate::plan::log::GoalEvent;
use crate::plan::model::{GoalRef, Status};
use crate::plan::rules::Standing;

const EXPECTED: &str = "a sign-off for the current contract";

/// Finds done goals that are not signed off for their current contract.
pub(super) fn done(facts: &AuditFacts<'_>, found: &mut Vec<AuditFinding>) {
    for done in &facts.done {
        let goal = done.goal;
        let (name, at) = (goal.name(), status_at(goal));
        let resolve = format!("`plan complete {name}`, or set its status back to what it was");
        match (done.standing, &done.line) {
            (Standing::SignedOff, _) => {}
            (Standing::OtherContract, Some((_, line))) => {
                let change = facts.change(goal, line.contract);
                let seen = format!("{name} was signed off for another contract: {change}");
                found.push(AuditFinding::new("other-contract", at, seen, EXPECTED, resolve).of(name));
            }
            (_, None) => {
                let seen = format!("{name} is marked done, and the log has no sign-off for it");
                found.push(AuditFinding::new("hand-ticked", at, seen, EXPECTED, resolve).of(name));
            }
            (_, Some(_)) => {
                let last = goal
                    .id()
                    .and_then(|id| facts.about(id).rev().find(|line| line.event().is_some_and(GoalEvent::counts)));
                let last = last.map_or("", |line| line.text);
                let seen = format!("{name} is marked done, and the last log line about it is not a sign-off: {last}");
                found.push(AuditFinding::new("not-signed-off", at, seen, EXPECTED, resolve).of(name));
            }
        }
    }
}

/// Finds cancelled goals without a reason in the log.
pub(super) fn cancelled(facts: &AuditFacts<'_>, found: &mut Vec<AuditFinding>) {
    for goal in facts.plan.all_goals().filter(|goal| goal.status() == Status::Cancelled) {
        if is_cancelled_with_reason(facts, goal) {
            continue;
        }
        let name = goal.name();
        let seen = format!("{name} is marked cancelled, and the log does not say why");
        let expected = "a reason in the log for each cancelled goal";
        let resolve = format!("`plan goal cancel {} \"why\"`, or set its status back to what it was", goal.typed());
        found.push(AuditFinding::new("hand-cancelled", status_at(goal), seen, expected, resolve).of(name));
    }
}

/// Whether the log says why a goal is cancelled: that is the last line that changed its status.
pub(super) fn is_cancelled_with_reason(facts: &AuditFacts<'_>, goal: GoalRef<'_, '_>) -> bool {
    goal.id().is_some_and(|id| GoalEvent::end_cancelled(facts.about(id).filter_map(AuditLine::event)))
}
