//! Finds the tasks that are goals already, by the heading above their quote.

use std::collections::HashMap;

use super::record::{Task, TaskState};
use crate::plan::change::{Quote, quotes};
use crate::plan::model::{GoalRef, Plan};
use crate::plan::text::{one_line, step_text};

/// The goals of a plan that an earlier import may have brought in.
pub(super) struct ImportedGoals {
    /// The text of each goal's first quote with a heading, by goal and heading.
    by_heading: HashMap<(usize, String), String>,
    /// The first goal that has a quote with the heading.
    goals: HashMap<String, usize>,
    by_id: HashMap<String, usize>,
    by_subject: HashMap<String, usize>,
}

impl ImportedGoals {
    pub(super) fn of(plan: &Plan<'_>) -> Self {
        let (mut by_heading, mut goals) = (HashMap::new(), HashMap::new());
        for (goal, quote) in quotes(plan) {
            goals.entry(quote.heading.clone()).or_insert(goal);
            by_heading.entry((goal, quote.heading)).or_insert(quote.text);
        }
        let ids = plan.all_goals().filter_map(|goal| Some((goal.id()?.to_owned(), goal.index())));
        let subjects = plan.all_goals().rev().map(|goal| (goal.subject().to_owned(), goal.index()));
        ImportedGoals { by_heading, goals, by_id: ids.collect(), by_subject: subjects.collect() }
    }

    /// Returns the goal that `task` became earlier: by its goal id, else by its heading, else by its subject.
    pub(super) fn goal(&self, task: &Task, heading: &str) -> Option<usize> {
        let subject = Quote::heading_line(&task.subject);
        let alike = || self.by_subject.get(&subject).filter(|_| task.is_known_by_subject).copied();
        let known = match &task.goal_id {
            Some(id) => self.by_id.get(id),
            None => return self.named(heading).or_else(alike),
        };
        known.copied().or_else(alike)
    }

    /// Returns the goal whose quote has this heading.
    pub(super) fn named(&self, heading: &str) -> Option<usize> {
        self.goals.get(&Quote::heading_line(heading)).copied()
    }

    /// Names the parts of the task that differ from its goal.
    pub(super) fn differences(&self, task: &Task, goal: GoalRef<'_, '_>, quotes: &[Quote]) -> Vec<&'static str> {
        let is_other = |quote: &Quote| {
            let old = self.by_heading.get(&(goal.index(), Quote::heading_line(&quote.heading)));
            old.map_or(!quote.text.is_empty(), |text| *text != quote.text)
        };
        let steps: Vec<&str> = goal.steps().iter().map(|step| goal.plan().text(step.text)).collect();
        let has_step = |text: &str| steps.contains(&step_text(text).as_str());
        let criteria = goal.criteria();
        let has_criterion = |text: &str| one_line(text).is_empty() || criteria.iter().any(|old| *old == one_line(text));
        let is_over = matches!(task.state, TaskState::Finished(_)) && !goal.status().is_finished();
        let checks = [
            (Quote::heading_line(&task.subject) != goal.subject() && !task.subject.trim().is_empty(), "its title"),
            (!task.done_when.iter().all(|text| has_criterion(text)), "its criteria"),
            (!task.steps.iter().all(|step| has_step(step.written())), "its steps"),
            (quotes.iter().any(is_other), "its text"),
            (is_over, "it is finished there"),
        ];
        checks.into_iter().filter(|(differs, _)| *differs).map(|(_, what)| what).collect()
    }
}
