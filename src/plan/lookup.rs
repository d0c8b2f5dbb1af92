//! Finds goals and steps by the names that users type (`CLI.md`, Everywhere).

mod names;
mod needs;
#[cfg(test)]
mod tests;

pub use names::GoalNumbers;
pub use needs::{Need, NeedNames};

use super::model::{GoalRef, Plan, Status, Step};
use super::snippet::Places;
use super::text::counted;
use crate::error::{Error, Result};

/// The most candidates in a message.
const SHOWN: usize = 10;

/// A step together with its plan.
#[derive(Clone, Copy, Debug)]
pub struct StepRef<'p, 'a> {
    plan: &'p Plan<'a>,
    index: usize,
}

impl<'a> Plan<'a> {
    /// Returns the step with this number (`3`), or the step at this position of a goal (`cache-layer-1.2`). If no step has the
    /// number and exactly one goal is active, it is the position of a step without a number.
    ///
    /// # Errors
    /// [`crate::error::Kind::Input`] if no step or more than one matches, with the candidates.
    pub fn find_step(&self, name: &str) -> Result<StepRef<'_, 'a>> {
        let name = name.trim();
        if let Some((goal, position)) = name.rsplit_once('.').filter(|(goal, _)| !goal.is_empty()) {
            return self.step_of(self.find_goal(goal)?, position);
        }
        let expected = || Error::input(format!("expected a step's number or `<goal-id>.<position>`, found `{name}`"));
        let number: u32 = name.parse().map_err(|_| expected().hint("`plan show` lists the steps"))?;
        for archived in [false, true] {
            let found: Vec<_> = self
                .all_steps()
                .filter(|step| step.raw().number == Some(number) && step.goal().raw().archived == archived)
                .collect();
            match found.as_slice() {
                [] => {}
                [step] => return Ok(*step),
                several => return Err(self.many_steps(number, several)),
            }
        }
        if let Some(step) = self.step_without_number(number) {
            return Ok(step);
        }
        let error = Error::input(format!("no step has the number {number}"));
        Err(error.hint("`plan show` lists the steps; one without a number is named `<goal-id>.<position>`"))
    }

    /// Returns every step, archived ones too, in file order.
    pub fn all_steps(&self) -> impl DoubleEndedIterator<Item = StepRef<'_, 'a>> + ExactSizeIterator {
        (0..self.steps.len()).map(|index| StepRef { plan: self, index })
    }

    /// Returns the step at an index of [`Plan::steps`].
    pub fn step(&self, index: usize) -> Option<StepRef<'_, 'a>> {
        (index < self.steps.len()).then_some(StepRef { plan: self, index })
    }

    /// Returns the step at this position of the only active goal, if the step has no number.
    fn step_without_number(&self, position: u32) -> Option<StepRef<'_, 'a>> {
        let mut active = self.live_goals().filter(|goal| goal.status() == Status::Active);
        let goal = active.next().filter(|_| active.next().is_none())?;
        let at = usize::try_from(position).ok()?.checked_sub(1).filter(|at| *at < goal.steps().len())?;
        self.step(goal.raw().steps.start as usize + at).filter(|step| step.raw().number.is_none())
    }

    fn step_of(&self, goal: GoalRef<'_, 'a>, position: &str) -> Result<StepRef<'_, 'a>> {
        let steps = &goal.raw().steps;
        let count = steps.len();
        let index = position.parse::<usize>().ok().filter(|at| (1..=count).contains(at));
        let step = index.and_then(|at| self.step(steps.start as usize + at - 1));
        step.ok_or_else(|| {
            if count == 0 {
                return Error::input(format!("goal `{}` has no steps", goal.name()))
                    .hint(format!("plan step add {} \"text\"", goal.typed()));
            }
            Error::input(format!(
                "goal `{}` has {}, expected a position from 1 to {count}, found `{position}`",
                goal.name(),
                counted(count, "step")
            ))
            .hint(format!("`plan show {}` lists its steps", goal.name()))
        })
    }

    fn many_steps(&self, number: u32, found: &[StepRef<'_, 'a>]) -> Error {
        let mut places = Places::new(self.source);
        let mut error = Error::input(format!("{} steps have the number {number}", found.len()));
        for step in found.iter().take(SHOWN) {
            let (line, _) = places.of(step.raw().line.start as usize);
            error = error.hint(format!("line {line}: `{}`, {}", step.address(), step.text()));
        }
        error
    }
}

impl<'p, 'a> StepRef<'p, 'a> {
    /// Returns the position in [`Plan::steps`].
    pub fn index(self) -> usize {
        self.index
    }

    /// Returns the step's plan.
    pub fn plan(self) -> &'p Plan<'a> {
        self.plan
    }

    /// Returns the step's spans.
    pub fn raw(self) -> &'p Step {
        &self.plan.steps[self.index]
    }

    /// Returns the step's goal.
    pub fn goal(self) -> GoalRef<'p, 'a> {
        self.plan.goal_at(self.raw().goal as usize)
    }

    /// Returns the position among the goal's steps, from 1.
    pub fn position(self) -> usize {
        self.index + 1 - self.goal().raw().steps.start as usize
    }

    /// Returns `<goal-id>.<position>`.
    pub fn address(self) -> String {
        format!("{}.{}", self.goal().name(), self.position())
    }

    /// Returns the step's number, else `<goal-id>.<position>`: the name used by log lines and users.
    pub fn name(self) -> String {
        self.raw().number.map_or_else(|| self.address(), |number| number.to_string())
    }

    /// Returns the line number, from 1.
    pub fn line(self) -> usize {
        self.plan.line_of(self.raw().line.start as usize)
    }

    /// Returns the text, without number, `(after …)`, `(run: …)` and outcome.
    pub fn text(self) -> &'a str {
        self.plan.text(self.raw().text)
    }

    /// Returns the text after the dash.
    pub fn outcome(self) -> Option<&'a str> {
        self.raw().outcome.map(|span| self.plan.text(span))
    }

    /// Returns the command of `(run: …)`.
    pub fn run(self) -> Option<&'a str> {
        self.raw().run.map(|span| self.plan.text(span))
    }

    /// Returns the numbers of the steps that must come first.
    pub fn after(self) -> &'p [u32] {
        let range = &self.raw().after;
        &self.plan.afters[range.start as usize..range.end as usize]
    }
}
