//! The part of the block about one goal.

use super::clean::clean;
use super::{Block, BlockLimits};
use crate::plan::log::Rejecter;
use crate::plan::model::{GoalRef, Key, Mark, Plan, Status, Step};
use crate::plan::rules::GoalRecords;

/// The most steps of earlier goals that contract mode shows.
const EARLIER: usize = 40;

/// Writes `id | subject`.
pub(super) fn heading(block: &mut Block, goal: GoalRef<'_, '_>, limits: &BlockLimits) {
    if let Some(id) = goal.id() {
        block.out.push_str(id);
        block.out.push_str(" | ");
    }
    clean(&mut block.out, goal.subject(), limits.field);
}

/// Writes what the last rejection of a goal asked for, unless the goal was signed off since.
pub(super) fn rejection(block: &mut Block, name: &str, goal: GoalRef<'_, '_>, record: &GoalRecords<'_>, limit: usize) {
    let Some(rejection) = record.rejection(goal) else { return };
    let (kind, by) = match rejection.by {
        Rejecter::Verify(end) => ("verify ", end),
        Rejecter::Gate(code) => ("gate ", code),
        Rejecter::Oracle(judge) => ("oracle ", judge),
    };
    block.out.push_str(name);
    block.out.push_str(kind);
    clean(&mut block.out, by, limit);
    block.line(": ", rejection.why, limit);
}

/// Writes an active goal: its heading, its contract, its steps, and its last rejection.
pub(super) fn active(block: &mut Block, goal: GoalRef<'_, '_>, record: &GoalRecords<'_>, limits: &BlockLimits) {
    block.out.push_str("active: ");
    heading(block, goal, limits);
    let (settled, all) = goal.progress();
    if all > 0 {
        block.out.push_str(" | ");
        block.number(settled);
        block.out.push('/');
        block.number(all);
    }
    block.out.push('\n');
    for (key, name) in
        [(Key::DoneWhen, "  done_when: "), (Key::Verify, "  verify: "), (Key::FailureModes, "  failure_modes: ")]
    {
        if let Some(value) = goal.value(key) {
            block.line(name, &value, limits.field);
        }
    }
    begun(block, goal, limits);
    steps(block, goal, "  left: ", Mark::Pending, Keep::First, limits);
    rejection(block, "  rejected: ", goal, record, limits.field);
}

/// Writes the finished and active steps of a goal.
pub(super) fn begun(block: &mut Block, goal: GoalRef<'_, '_>, limits: &BlockLimits) {
    steps(block, goal, "  done: ", Mark::Complete, Keep::Last, limits);
    steps(block, goal, "  failed: ", Mark::Failed, Keep::Last, limits);
    steps(block, goal, "  skipped: ", Mark::Skipped, Keep::Last, limits);
    steps(block, goal, "  now: ", Mark::Active, Keep::First, limits);
}

/// Writes the settled steps of the goals above the first active one in one line, for contract mode.
pub(super) fn earlier(block: &mut Block, plan: &Plan<'_>, limits: &BlockLimits) {
    let current = plan.live_goals().position(|goal| goal.status() == Status::Active);
    let before: Vec<_> = plan.live_goals().take(current.unwrap_or(usize::MAX)).collect();
    let finished = before.iter().flat_map(|goal| goal.steps()).filter(|step| step.mark.is_settled());
    let count = finished.clone().count();
    if count == 0 {
        return;
    }
    let shown = if limits.fold { 1 } else { EARLIER };
    block.out.push_str("earlier: ");
    more(block, count.saturating_sub(shown), Keep::Last);
    for (index, step) in finished.skip(count.saturating_sub(shown)).enumerate() {
        if index > 0 {
            block.out.push_str("; ");
        }
        text(block, plan, step, limits);
    }
    block.out.push('\n');
}

/// The end of a list of steps that is next to the active step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keep {
    First,
    Last,
}

/// Writes one line with all steps of one mark. If folded, it shows only the step next to the active one.
fn steps(block: &mut Block, goal: GoalRef<'_, '_>, name: &str, mark: Mark, keep: Keep, limits: &BlockLimits) {
    let steps = || goal.steps().iter().filter(|step| step.mark == mark);
    let count = steps().count();
    if count == 0 {
        return;
    }
    let folded = if limits.fold { count - 1 } else { 0 };
    let skip = if keep == Keep::Last { folded } else { 0 };
    block.out.push_str(name);
    if keep == Keep::Last {
        more(block, folded, keep);
    }
    for (index, step) in steps().skip(skip).take(count - folded).enumerate() {
        if index > 0 {
            block.out.push_str("; ");
        }
        text(block, goal.plan(), step, limits);
        if block.room(0).is_none() {
            return;
        }
    }
    if keep == Keep::First {
        more(block, folded, keep);
    }
    block.out.push('\n');
}

/// Writes `… 7 more` and the separator between it and the step that is shown.
fn more(block: &mut Block, count: usize, keep: Keep) {
    if count == 0 {
        return;
    }
    if keep == Keep::First {
        block.out.push_str("; ");
    }
    block.out.push_str("… ");
    block.number(count);
    block.out.push_str(" more");
    if keep == Keep::Last {
        block.out.push_str("; ");
    }
}

/// Writes `2. text — outcome`.
fn text(block: &mut Block, plan: &Plan<'_>, step: &Step, limits: &BlockLimits) {
    if let Some(number) = step.number {
        block.number(number as usize);
        block.out.push_str(". ");
    }
    clean(&mut block.out, plan.text(step.text), limits.field);
    if let Some(outcome) = step.outcome.filter(|_| limits.outcome > 0) {
        block.out.push_str(" — ");
        clean(&mut block.out, plan.text(outcome), limits.outcome);
    }
}
