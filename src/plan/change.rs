//! Changes: what a command wants of plan.md, turned into edits of exactly the lines it is about (`FORMAT.md` §3).
//!
//! All changes of one call are computed against the same plan and applied together, so two of them must not be about
//! the same part. Text that callers pass in is made fit here (`text`); goals and steps are named by their index in
//! [`Plan::goals`] and [`Plan::steps`].

mod archive;
mod check;
mod field;
mod front;
mod goal;
mod ids;
mod new;
mod quote;
mod ranked_edit;
mod settle;
mod shape;
mod step;
mod writer;

use std::borrow::Cow;
use std::collections::HashMap;

use super::edit::Edit;
use super::model::{GoalKind, Key, Mark, Plan, Status};
use crate::error::Result;

pub(in crate::plan) use archive::parts as goal_parts;
pub use goal::{free_id, free_ids, id_to_be};
pub use ids::{next_number, removal_line};
pub use new::{NO_OBJECTIVE, Template, new_plan};
pub use quote::{Quote, quotes};
pub(in crate::plan) use ranked_edit::eol as line_ending;
pub use settle::settle;

/// One thing that is to be different.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A new goal before the first log section, else before the archive, else at the end.
    AddGoal(NewGoal),
    /// The same in front of another goal above the archive.
    AddGoalBefore {
        /// The goal in front of which it goes.
        before: usize,
        /// The new goal.
        new: NewGoal,
    },
    /// The same with a whole goal block as a person writes it; an id is added where it has none.
    AddGoalBlock {
        /// From `## Goal:` to the end.
        text: String,
    },
    /// Another status: one changed line, or one added line where the goal has none.
    SetStatus {
        /// Which goal.
        goal: usize,
        /// What it becomes.
        status: Status,
    },
    /// Another value; a field that is not there is added in the order of [`Key::ALL`].
    SetField {
        /// Which goal.
        goal: usize,
        /// Which field.
        key: Key,
        /// One value, or the items of a list; none removes the field.
        values: Vec<String>,
    },
    /// Another subject; the id stays.
    SetSubject {
        /// Which goal.
        goal: usize,
        /// The new subject.
        subject: String,
    },
    /// An id for a goal without a valid one; nothing where it has one.
    AddId {
        /// Which goal.
        goal: usize,
    },
    /// The goal with all that stands in it goes.
    RemoveGoal {
        /// Which goal.
        goal: usize,
    },
    /// A new step behind the goal's others.
    AddStep {
        /// Which goal.
        goal: usize,
        /// Its text.
        text: String,
        /// Numbers of the steps that come first.
        after: Vec<u32>,
        /// Its command.
        run: Option<String>,
        /// More about it, behind the dash.
        note: Option<String>,
    },
    /// Another text; number, `(after …)`, `(run: …)`, mark and outcome stay.
    SetStepText {
        /// Which step.
        step: usize,
        /// The new text.
        text: String,
    },
    /// Other numbers of steps that come first, or another command; what is none stays.
    SetStepParts {
        /// Which step.
        step: usize,
        /// Its text.
        text: Option<String>,
        /// Numbers of the steps that come first; an empty list removes them.
        after: Option<Vec<u32>>,
        /// Its command; an empty one removes it.
        run: Option<String>,
    },
    /// The next free number, in place of the one that the step has.
    AddNumber {
        /// Which step.
        step: usize,
    },
    /// Another mark, and another outcome where one is given (an empty one removes it): one changed line.
    SetMark {
        /// Which step.
        step: usize,
        /// The new mark.
        mark: Mark,
        /// What follows the dash.
        outcome: Option<String>,
    },
    /// The step with what hangs on it, to a place among a goal's steps.
    MoveStep {
        /// Which step.
        step: usize,
        /// To which goal.
        goal: usize,
        /// Position from 1 that it gets; none: the last.
        at: Option<usize>,
    },
    /// The step with what hangs on it goes; refused where other steps hang on it.
    RemoveStep {
        /// Which step.
        step: usize,
    },
    /// One line at the end of the log; the log is made where there is none.
    AppendLog {
        /// `YYYY-MM-DD HH:MM`
        stamp: String,
        /// What happened, cut at [`super::text::LOG_BYTES`] only by callers that pass on a person's text.
        text: String,
    },
    /// Whole goals below `# Archive`, byte for byte; it is made where there is none.
    Archive {
        /// Which goals, in the order in which they are to stand there.
        goals: Vec<usize>,
    },
    /// An archived goal above the archive again, where new goals go, and active.
    Restore {
        /// Which goal.
        goal: usize,
    },
    /// Another objective; the heading is made where there is none.
    SetObjective {
        /// The new objective.
        text: String,
    },
    /// Entries at the end of the front matter; those that are there stay as they are.
    AddFront {
        /// Key and value of each.
        entries: Vec<(String, String)>,
    },
    /// Prose below the objective; nothing where something stands there.
    AddIntro {
        /// Lines without structure.
        text: String,
    },
}

/// A goal that is to be written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewGoal {
    /// Its subject.
    pub subject: String,
    /// Its id; none: [`free_id`] of the subject.
    pub id: Option<String>,
    /// Its status.
    pub status: Status,
    /// Acceptance criteria.
    pub done_when: Vec<String>,
    /// Its command.
    pub verify: Option<String>,
    /// What could be wrong while it looks right.
    pub failure_modes: Vec<String>,
    /// Ids of goals that must be done first.
    pub needs: Vec<String>,
    /// 1 to 4.
    pub priority: Option<u8>,
    /// What is expected of verify.
    pub kind: Option<GoalKind>,
    /// Globs.
    pub may_change: Vec<String>,
    /// Paths.
    pub evidence: Vec<String>,
    /// Its steps; they get the next free numbers.
    pub steps: Vec<NewStep>,
    /// Text from elsewhere, below all others.
    pub quotes: Vec<Quote>,
}

/// A step of a goal that is to be written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewStep {
    /// Its text.
    pub text: String,
    /// What its box says.
    pub mark: Mark,
    /// Numbers of the steps that come first.
    pub after: Vec<u32>,
    /// Its command.
    pub run: Option<String>,
    /// More about it, behind the dash.
    pub note: Option<String>,
}

impl<T: Into<String>> From<T> for NewStep {
    fn from(text: T) -> Self {
        NewStep { text: text.into(), ..NewStep::default() }
    }
}

impl Change {
    /// Whether what other goals and steps say may be wrong afterwards. What is logged, ticked or started cannot make it so,
    /// nor can a goal that is made here: such a write need not be looked at again.
    pub fn concerns_others(&self) -> bool {
        !matches!(
            self,
            Change::AddGoal(_)
                | Change::AddGoalBefore { .. }
                | Change::SetStatus { .. }
                | Change::AddId { .. }
                | Change::AddNumber { .. }
                | Change::SetMark { .. }
                | Change::AppendLog { .. }
                | Change::SetObjective { .. }
        )
    }
}

/// The edits that bring `changes` about. A first write to a goal without a valid id gives it one, but for a goal that
/// is moved or removed whole.
///
/// # Errors
/// [`crate::error::Kind::Input`] where a goal has a field twice or shares its id (with both line numbers), where text
/// cannot be written so that it is read back, where the new line would stand in an unclosed fence or comment.
pub fn edits(plan: &Plan<'_>, changes: &[Change]) -> Result<Vec<Edit>> {
    let mut writer = writer::Writer::new(plan, changes.len());
    for change in merged(changes).iter() {
        writer.change(change)?;
    }
    let edits = writer.finish()?;
    if changes.iter().any(|change| matches!(change, Change::Archive { .. } | Change::Restore { .. })) {
        let is_new = |change: &&Change| matches!(change, Change::AddGoal(_) | Change::AddGoalBlock { .. });
        archive::check(plan, &edits, changes.iter().filter(is_new).count())?;
    }
    Ok(edits)
}

/// The changes with one mark for each step: a step that is put back and begun in one write is begun.
fn merged(changes: &[Change]) -> Cow<'_, [Change]> {
    let is_mark = |change: &&Change| matches!(change, Change::SetMark { .. });
    if changes.iter().filter(is_mark).nth(1).is_none() {
        return Cow::Borrowed(changes);
    }
    let mut merged: Vec<Change> = Vec::with_capacity(changes.len());
    let mut places: HashMap<usize, usize> = HashMap::new();
    for change in changes {
        if let Change::SetMark { step, mark, outcome } = change {
            if let Some(Change::SetMark { mark: before, outcome: text, .. }) =
                places.get(step).and_then(|at| merged.get_mut(*at))
            {
                *before = *mark;
                *text = outcome.clone().or_else(|| text.take());
                continue;
            }
            places.insert(*step, merged.len());
        }
        merged.push(change.clone());
    }
    Cow::Owned(merged)
}

#[cfg(test)]
mod tests;
