//! Goals and steps by what a person calls them (`CLI.md`, Everywhere): exact, never by a prefix or a guess.

use std::collections::HashSet;

use super::caret::Places;
use super::model::{GoalRef, Plan, Step};
use crate::error::{Error, Result};

/// Candidates that a message names at most.
const SHOWN: usize = 10;

/// A step together with its plan.
#[derive(Clone, Copy, Debug)]
pub struct StepRef<'p, 'a> {
    plan: &'p Plan<'a>,
    index: usize,
}

/// The numbers that goals have in the list: their places in the file, archived ones left out. A goal whose number is the id or
/// the subject of another has none.
#[derive(Debug)]
pub struct Numbers {
    of: Vec<Option<usize>>,
}

impl Numbers {
    /// Numbers the goals of a plan.
    pub fn new(plan: &Plan<'_>) -> Self {
        let is_number = |name: &&str| name.bytes().all(|byte| byte.is_ascii_digit());
        let names = plan.all_goals().flat_map(|goal| goal.id().into_iter().chain([goal.subject()]));
        let taken: HashSet<&str> = names.filter(is_number).collect();
        let mut last = 0;
        let number = |goal: GoalRef<'_, '_>| {
            last += usize::from(!goal.raw().archived);
            Some(last).filter(|number| !goal.raw().archived && !taken.contains(number.to_string().as_str()))
        };
        Numbers { of: plan.all_goals().map(number).collect() }
    }

    /// The number of a goal.
    pub fn of(&self, goal: GoalRef<'_, '_>) -> Option<usize> {
        self.of.get(goal.index()).copied().flatten()
    }

    /// The highest one.
    pub fn highest(&self) -> usize {
        self.of.iter().rev().find_map(|number| *number).unwrap_or(0)
    }
}

impl<'a> Plan<'a> {
    /// The goal with this id, else the one with this subject in any case. Goals above the archive come first.
    ///
    /// # Errors
    /// [`crate::error::Kind::Input`] where there is none, or more than one, with the candidates.
    pub fn find_goal(&self, name: &str) -> Result<GoalRef<'_, 'a>> {
        let name = name.trim();
        for archived in [false, true] {
            let goals = || self.all_goals().filter(|goal| goal.raw().archived == archived);
            let found: Vec<_> = goals().filter(|goal| goal.id() == Some(name)).collect();
            if let Some(goal) = self.only(name, "id", &found)? {
                return Ok(goal);
            }
        }
        let folded = name.to_lowercase();
        let same = |goal: &GoalRef<'_, '_>| {
            let subject = goal.subject();
            subject.eq_ignore_ascii_case(name) || !subject.is_ascii() && subject.to_lowercase() == folded
        };
        for archived in [false, true] {
            let found: Vec<_> = self.all_goals().filter(|goal| goal.raw().archived == archived && same(goal)).collect();
            if let Some(goal) = self.only(name, "subject", &found)? {
                return Ok(goal);
            }
        }
        Err(self.no_goal(name))
    }

    /// The step with this number (`3`), or the one at this position of a goal (`cache-layer-1.2`).
    ///
    /// # Errors
    /// [`crate::error::Kind::Input`] where there is none, or more than one, with the candidates.
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
        let error = Error::input(format!("no step has the number {number}"));
        Err(error.hint("`plan show` lists the steps; one without a number is named `<goal-id>.<position>`"))
    }

    /// Every step, archived ones too, in file order.
    pub fn all_steps(&self) -> impl DoubleEndedIterator<Item = StepRef<'_, 'a>> + ExactSizeIterator {
        (0..self.steps.len()).map(|index| StepRef { plan: self, index })
    }

    /// The step at an index of [`Plan::steps`].
    pub fn step(&self, index: usize) -> Option<StepRef<'_, 'a>> {
        (index < self.steps.len()).then_some(StepRef { plan: self, index })
    }

    fn step_of(&self, goal: GoalRef<'_, 'a>, position: &str) -> Result<StepRef<'_, 'a>> {
        let steps = &goal.raw().steps;
        let count = steps.len();
        let index = position.parse::<usize>().ok().filter(|at| (1..=count).contains(at));
        let step = index.and_then(|at| self.step(steps.start as usize + at - 1));
        step.ok_or_else(|| {
            Error::input(format!(
                "goal `{}` has {count} steps, expected a position from 1 to {count}, found `{position}`",
                goal.name()
            ))
            .hint(format!("`plan show {}` lists its steps", goal.name()))
        })
    }

    /// The one goal that was found; none; or an error that lists them all.
    fn only<'p>(&self, name: &str, what: &str, found: &[GoalRef<'p, 'a>]) -> Result<Option<GoalRef<'p, 'a>>> {
        if found.len() < 2 {
            return Ok(found.first().copied());
        }
        let mut places = Places::new(self.source);
        let mut error = Error::input(format!("{} goals have the {what} `{name}`", found.len()));
        for goal in found.iter().take(SHOWN) {
            let (line, _) = places.of(goal.raw().heading.start as usize);
            let id = goal.id().map_or_else(|| "no id".to_owned(), |id| format!("`{id}`"));
            error = error.hint(format!("line {line}: {id}, {}", goal.subject()));
        }
        let last = if what == "id" { "give one of them another id with an editor" } else { "name the goal by its id" };
        Err(error.hint(last))
    }

    fn no_goal(&self, name: &str) -> Error {
        let error = Error::input(format!("no goal has the id or subject `{name}`"));
        let names: Vec<String> = self.live_goals().take(SHOWN + 1).map(|goal| format!("`{}`", goal.name())).collect();
        match names.len() {
            0 => error.hint("there are no goals yet: `plan goal add`"),
            count if count > SHOWN => error.hint("`plan goal list` shows the goals"),
            _ => error.hint(format!("the goals are {}", names.join(", "))),
        }
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
    /// Position in [`Plan::steps`].
    pub fn index(self) -> usize {
        self.index
    }

    /// The plan it belongs to.
    pub fn plan(self) -> &'p Plan<'a> {
        self.plan
    }

    /// The spans.
    pub fn raw(self) -> &'p Step {
        &self.plan.steps[self.index]
    }

    /// Its goal.
    pub fn goal(self) -> GoalRef<'p, 'a> {
        self.plan.goal_at(self.raw().goal as usize)
    }

    /// Position among its goal's steps, from 1.
    pub fn position(self) -> usize {
        self.index + 1 - self.goal().raw().steps.start as usize
    }

    /// `<goal-id>.<position>`
    pub fn address(self) -> String {
        format!("{}.{}", self.goal().name(), self.position())
    }

    /// Its number, else `<goal-id>.<position>`: how log lines and people name it.
    pub fn name(self) -> String {
        self.raw().number.map_or_else(|| self.address(), |number| number.to_string())
    }

    /// Line number, from 1.
    pub fn line(self) -> usize {
        self.plan.line_of(self.raw().line.start as usize)
    }

    /// Its text, without number, `(after …)`, `(run: …)` and outcome.
    pub fn text(self) -> &'a str {
        self.plan.text(self.raw().text)
    }

    /// What follows the dash.
    pub fn outcome(self) -> Option<&'a str> {
        self.raw().outcome.map(|span| self.plan.text(span))
    }

    /// The command of its `(run: …)`.
    pub fn run(self) -> Option<&'a str> {
        self.raw().run.map(|span| self.plan.text(span))
    }

    /// Numbers of the steps that come first.
    pub fn after(self) -> &'p [u32] {
        let range = &self.raw().after;
        &self.plan.afters[range.start as usize..range.end as usize]
    }
}
