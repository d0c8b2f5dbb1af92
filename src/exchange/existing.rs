//! The tasks that are goals already, by the heading above their quote.

use std::collections::HashMap;

use super::record::{Task, TaskState};
use crate::plan::change::{Quote, quotes};
use crate::plan::model::{GoalRef, Plan};
use crate::plan::text::{one_line, step_text};

/// The goals of a plan that came from somewhere.
pub(super) struct Existing {
    by_heading: HashMap<String, (usize, String)>,
    by_id: HashMap<String, usize>,
}

impl Existing {
    pub(super) fn of(plan: &Plan<'_>) -> Self {
        let mut by_heading = HashMap::new();
        for (goal, quote) in quotes(plan) {
            by_heading.entry(quote.heading).or_insert((goal, quote.text));
        }
        let ids = plan.all_goals().filter_map(|goal| Some((goal.id()?.to_owned(), goal.index())));
        Existing { by_heading, by_id: ids.collect() }
    }

    /// The goal that `task` is already.
    pub(super) fn goal(&self, task: &Task, heading: &str) -> Option<usize> {
        match &task.goal_id {
            Some(id) => self.by_id.get(id).copied(),
            None => self.by_heading.get(&Quote::heading_line(heading)).map(|(goal, _)| *goal),
        }
    }

    /// What of the task is not as it stands in its goal.
    pub(super) fn differences(
        &self,
        task: &Task,
        goal: GoalRef<'_, '_>,
        heading: &str,
        quote: &str,
    ) -> Vec<&'static str> {
        let quoted = self.by_heading.get(&Quote::heading_line(heading)).filter(|(index, _)| *index == goal.index());
        let steps: Vec<&str> = goal.steps().iter().map(|step| goal.plan().text(step.text)).collect();
        let has_step = |text: &str| steps.contains(&step_text(text).as_str());
        let criteria = goal.criteria();
        let has_criterion = |text: &str| one_line(text).is_empty() || criteria.iter().any(|old| *old == one_line(text));
        let is_over = matches!(task.state, TaskState::Finished(_)) && !goal.status().is_finished();
        let checks = [
            (one_line(&task.subject) != goal.subject() && !task.subject.trim().is_empty(), "its title"),
            (!task.done_when.iter().all(|text| has_criterion(text)), "its criteria"),
            (!task.steps.iter().all(|step| has_step(&step.text)), "its steps"),
            (quoted.is_some_and(|(_, text)| *text != quote), "its text"),
            (is_over, "it is finished there"),
        ];
        checks.into_iter().filter(|(differs, _)| *differs).map(|(_, what)| what).collect()
    }
}
