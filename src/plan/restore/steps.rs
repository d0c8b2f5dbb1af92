//! Restores the steps of a goal: order, number, text, command and `(after …)`. Mark and outcome stay.

use std::collections::HashMap;
use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::Restore;
use crate::plan::contract::{folded, folded_command};
use crate::plan::edit::Edit;
use crate::plan::model::{GoalRef, Mark, Plan, Step};
use crate::plan::parse::split;

/// The name of a step: its number, or its text if it has no number.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum StepName {
    Number(u32),
    Text(String),
}

impl<'p, 'a> Restore<'p, 'a> {
    /// `elsewhere` maps numbers to the steps of the present plan, for steps that are in another goal now.
    pub(super) fn steps(&mut self, old: GoalRef<'p, 'a>, now: GoalRef<'p, 'a>, elsewhere: &HashMap<u32, usize>) {
        let (names_old, is) = (names(self.old, old), names(self.now, now));
        let (first_old, first) = (old.raw().steps.start as usize, now.raw().steps.start as usize);
        let mut at = self.first_place(now);
        for op in capture_diff_slices(Algorithm::Myers, &is, &names_old) {
            let (stands, back) = (op.old_range(), op.new_range());
            if let DiffOp::Equal { .. } = op {
                for (is, was) in stands.zip(back) {
                    self.head_of_step(first_old + was, first + is);
                    at = own_lines(self.now, first + is).end;
                }
                continue;
            }
            for was in back {
                let (index, name) = (first_old + was, &names_old[was]);
                let moved = match name {
                    StepName::Number(number) => elsewhere.get(number).copied(),
                    StepName::Text(_) => is.iter().position(|other| other == name).map(|at| first + at),
                };
                let lines = moved.map_or_else(|| self.lost_step(index), |moved| self.moved_step(index, moved));
                let lines = self.fit(&lines);
                self.edit(at..at, lines);
            }
            for is in stands {
                self.edit(own_lines(self.now, first + is), Vec::new());
            }
        }
    }

    /// The place for a goal's first step: before its existing steps, else below its fields.
    fn first_place(&self, goal: GoalRef<'_, '_>) -> usize {
        if let Some(step) = goal.steps().first() {
            return step.line.start as usize;
        }
        let fields = goal.fields().iter().map(|field| field.lines.end);
        let id = goal.raw().id.map(|(line, _)| line.end);
        fields.chain(id).chain([goal.raw().heading.end]).max().map_or(0, |end| end as usize)
    }

    /// Restores number, text, command and `(after …)` of a step that is still in its place.
    fn head_of_step(&mut self, old: usize, now: usize) {
        if canonical(self.old, old) != canonical(self.now, now) {
            let (was, is) = (head(self.old, old), head(self.now, now));
            self.edit(is, self.old.source[was].to_vec());
        }
    }

    /// The approved lines of a removed step. Its active mark is cleared if another step is active now.
    fn lost_step(&self, old: usize) -> Vec<u8> {
        let lines = own_lines(self.old, old);
        let mut text = self.old.source[lines.clone()].to_vec();
        let step = &self.old.steps[old];
        if step.mark == Mark::Active && self.has_active() {
            text[step.mark_at as usize - lines.start] = b' ';
        }
        text
    }

    /// A step of a removed goal: as approved, or as it is now in another goal.
    pub(super) fn step_of_lost_goal(&self, old: usize, elsewhere: &HashMap<u32, usize>) -> Edit {
        let moved = self.old.steps[old].number.and_then(|number| elsewhere.get(&number));
        let text = moved.map_or_else(|| self.lost_step(old), |now| self.moved_step(old, *now));
        Edit { range: own_lines(self.old, old), text }
    }

    /// A step that is elsewhere now: its approved line, with its present mark, outcome and lines below.
    fn moved_step(&self, old: usize, now: usize) -> Vec<u8> {
        let (was, is) = (&self.old.steps[old], &self.now.steps[now]);
        let (head_was, head_is) = (head(self.old, old), head(self.now, now));
        let front = &self.old.source[was.line.start as usize..was.mark_at as usize];
        let mark = &self.now.source[is.mark_at as usize..=is.mark_at as usize];
        let rest = &self.now.source[head_is.end..own_lines(self.now, now).end];
        [front, mark, &self.old.source[head_was], rest].concat()
    }
}

fn names(plan: &Plan<'_>, goal: GoalRef<'_, '_>) -> Vec<StepName> {
    let name = |step: &Step| match step.number {
        Some(number) => StepName::Number(number),
        None => StepName::Text(folded(plan.text(step.text)).into_owned()),
    };
    goal.steps().iter().map(name).collect()
}

/// The lines of a step without nested steps.
fn own_lines(plan: &Plan<'_>, index: usize) -> Range<usize> {
    let step = &plan.steps[index];
    let next = plan.steps.get(index + 1).map_or(step.end, |next| next.line.start);
    step.line.start as usize..step.end.min(next.max(step.line.end)) as usize
}

/// From the `]` of the checkbox to the end of text, command and `(after …)`.
fn head(plan: &Plan<'_>, index: usize) -> Range<usize> {
    let step = &plan.steps[index];
    let end = step.rest.start as usize + split(plan.text(step.rest)).head_end;
    step.mark_at as usize + 1..end.max(step.mark_at as usize + 2)
}

/// The parts of a step that the contract compares.
fn canonical<'p>(plan: &'p Plan<'_>, index: usize) -> (Option<u32>, String, Option<String>, &'p [u32]) {
    let step = &plan.steps[index];
    (
        step.number,
        folded(plan.text(step.text)).into_owned(),
        step.run.map(|run| folded_command(plan.text(run)).into_owned()),
        &plan.afters[step.after.start as usize..step.after.end as usize],
    )
}
