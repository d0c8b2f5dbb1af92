//! The steps of an active goal in the list.

use super::layout::{Row, Screen};
use super::{Sink, Style};
use crate::plan::lookup::StepRef;
use crate::plan::model::{GoalRef, Mark};
use crate::plan::rules::step_to_do;
use crate::plan::text::counted;

/// On a terminal, at most this many unsettled steps are shown.
const SHOWN: usize = 8;
/// At most this many settled steps are listed by number; more are only counted.
const NAMED: usize = 6;

/// Writes all steps, one per line, with their outcomes: for output that is not a terminal.
pub(super) fn all(goal: GoalRef<'_, '_>, hang: usize, sink: &mut impl Sink) {
    let next = step_to_do(goal);
    steps(goal).for_each(|step| row(step, next, hang, true).put(Screen::default(), sink));
}

/// Writes only the step to do now.
pub(super) fn current(goal: GoalRef<'_, '_>, hang: usize, screen: Screen, sink: &mut impl Sink) {
    let next = step_to_do(goal);
    if let Some(step) = next.and_then(|at| goal.plan().step(at)) {
        row(step, next, hang, false).put(screen, sink);
    }
}

/// Writes the settled steps in one line and the others on one line each, indented by `hang` columns.
pub fn open(goal: GoalRef<'_, '_>, hang: usize, screen: Screen, sink: &mut impl Sink) {
    if let Some(settled) = settled(goal) {
        Row::new(hang + 2)
            .with(Style::Plain, " ".repeat(hang))
            .with(Style::Good, "✓ ")
            .with(Style::Dim, settled)
            .put(screen, sink);
    }
    let next = step_to_do(goal);
    let left: Vec<_> = steps(goal).filter(|step| !step.raw().mark.is_settled()).collect();
    left.iter().take(SHOWN).for_each(|step| row(*step, next, hang, false).put(screen, sink));
    if left.len() > SHOWN {
        let more = format!("{:hang$}… {} more steps (plan show {})", "", left.len() - SHOWN, goal.typed());
        Row::new(hang + 2).with(Style::Dim, more).put(screen, sink);
    }
}

/// The steps of a goal.
pub fn steps<'p, 'a>(goal: GoalRef<'p, 'a>) -> impl Iterator<Item = StepRef<'p, 'a>> {
    let first = goal.raw().steps.start as usize;
    (first..first + goal.steps().len()).filter_map(move |index| goal.plan().step(index))
}

/// `4, 5 done`, `1, 2 done, 3 skipped`, `12 steps done`
fn settled(goal: GoalRef<'_, '_>) -> Option<String> {
    let of = |mark: Mark| steps(goal).filter(move |step| step.raw().mark == mark);
    let told = |mark: Mark, word: &str| {
        let count = of(mark).count();
        let numbers: Vec<String> = of(mark).filter_map(|step| Some(step.raw().number?.to_string())).collect();
        match count {
            0 => None,
            _ if numbers.len() == count && count <= NAMED => Some(format!("{} {word}", numbers.join(", "))),
            _ => Some(format!("{} {word}", counted(count, "step"))),
        }
    };
    let parts: Vec<String> =
        [told(Mark::Complete, "done"), told(Mark::Skipped, "skipped")].into_iter().flatten().collect();
    Some(parts.join(", ")).filter(|text| !text.is_empty())
}

/// `→ 6. Send with the key of the order`; `next` is the step to do now.
pub fn row(step: StepRef<'_, '_>, next: Option<usize>, hang: usize, with_outcome: bool) -> Row {
    let mark = step.raw().mark;
    let (style, sign) = match mark {
        Mark::Complete => (Style::Good, "✓ "),
        Mark::Skipped => (Style::Dim, "- "),
        Mark::Failed => (Style::Bad, "✗ "),
        Mark::Pending | Mark::Active if next == Some(step.index()) => (Style::Active, "→ "),
        Mark::Active => (Style::Active, "◐ "),
        Mark::Pending => (Style::Plain, "○ "),
    };
    let text = if mark.is_settled() { Style::Dim } else { Style::Plain };
    let mut row =
        Row::new(hang + 2).with(Style::Plain, " ".repeat(hang)).with(style, sign).with(text, super::numbered(step));
    if let Some(outcome) = step.outcome().filter(|_| with_outcome || mark == Mark::Failed) {
        row = row.with(Style::Dim, format!(" — {outcome}"));
    }
    row
}
