//! Exports a goal with its steps as the state of a planner's plan.

use std::collections::{HashMap, HashSet};

use serde::Serialize;
use serde_json::{Value, json};

use super::notes::steps;
use super::{History, status_word};
use crate::plan::change::quotes;
use crate::plan::model::{GoalRef, Mark};

/// A step in the planner's format.
#[derive(Debug, Serialize)]
struct StepState<'p> {
    id: String,
    title: &'p str,
    command: Option<&'p str>,
    label: &'p str,
    description: Option<&'p str>,
    status: &'static str,
    history: Vec<u64>,
}

/// Returns the state of a goal's steps, and the number of skipped steps. Skipped steps are left out, because the format has no word for
/// them and a planner would begin them. `None` if no step is left, because a plan has at least one.
pub fn export(goal: GoalRef<'_, '_>, history: &History) -> Option<(Value, usize)> {
    let (mut ids, mut states, mut skipped) = (Ids::of(goal), Vec::new(), 0);
    for step in steps(goal) {
        if step.raw().mark == Mark::Skipped {
            skipped += 1;
            continue;
        }
        let name = step.name();
        let planned = || history.id(goal.name(), &name);
        states.push(StepState {
            id: ids.take(step.raw().number, planned, states.len() + 1),
            title: step.text(),
            command: step.run(),
            label: step.text(),
            description: step.outcome(),
            status: status_word(step.raw().mark),
            history: history.of_step(goal.name(), &name),
        });
    }
    let revision = history.revision(goal.name());
    let state = json!({ "plan": { "summary": goal.subject(), "revision": revision, "steps": states } });
    (!states.is_empty()).then_some((state, skipped))
}

/// Gives ids to steps: the id of the imported file, else the id of the reply, else the position.
struct Ids {
    /// The ids of the imported file, by the number of the step in plan.md.
    quoted: HashMap<u32, String>,
    taken: HashSet<String>,
}

impl Ids {
    fn of(goal: GoalRef<'_, '_>) -> Self {
        let first = goal.steps().first().and_then(|step| step.number).unwrap_or(1);
        let all = quotes(goal.plan()).into_iter().filter(|(index, _)| *index == goal.index());
        let text: String = all.map(|(_, quote)| quote.text + "\n").collect();
        let mut quoted = HashMap::new();
        for line in text.lines() {
            let Some((position, id)) = line.strip_prefix("**Step ").and_then(|line| line.split_once(" there** "))
            else {
                continue;
            };
            if let Some(number) =
                position.parse::<u32>().ok().and_then(|position| first.checked_add(position.checked_sub(1)?))
            {
                quoted.entry(number).or_insert_with(|| id.to_owned());
            }
        }
        Ids { quoted, taken: HashSet::new() }
    }

    fn take(&mut self, number: Option<u32>, planned: impl Fn() -> Option<String>, position: usize) -> String {
        let own = number.and_then(|number| self.quoted.get(&number).cloned());
        let mut wanted = [own, planned(), Some(position.to_string())].into_iter().flatten();
        let free = wanted.find(|id| !id.trim().is_empty() && !self.taken.contains(id));
        let another = || (1..).map(|count| format!("{position}-{count}")).find(|id| !self.taken.contains(id));
        let id = free.or_else(another).unwrap_or_default();
        self.taken.insert(id.clone());
        id
    }
}
