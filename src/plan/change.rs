//! Changes that a command makes to plan.md, turned into edits of exactly the affected lines (`FORMAT.md` §3).
//!
//! All changes of one call are computed against the same plan and applied together, so two of them must not change the
//! same part. This module makes text from callers fit to be written (`text`). Goals and steps are given by their index in
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

/// One change of plan.md.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A new goal before the first log section, else before the archive, else at the end.
    AddGoal(NewGoal),
    /// A new goal in front of another goal above the archive.
    AddGoalBefore {
        /// The goal in front of which the new goal goes.
        before: usize,
        /// The new goal.
        new: NewGoal,
    },
    /// A new goal at the place of `AddGoal`, given as a whole block as a person writes it; an id is added if it has none.
    AddGoalBlock {
        /// From `## Goal:` to the end.
        text: String,
    },
    /// A new status: one changed line, or one added line if the goal has no status.
    SetStatus {
        /// Which goal.
        goal: usize,
        /// The new status.
        status: Status,
    },
    /// A new value of a field; a missing field is added in the order of [`Key::ALL`].
    SetField {
        /// Which goal.
        goal: usize,
        /// Which field.
        key: Key,
        /// One value, or the items of a list; an empty list removes the field.
        values: Vec<String>,
    },
    /// A new subject; the id stays.
    SetSubject {
        /// Which goal.
        goal: usize,
        /// The new subject.
        subject: String,
    },
    /// An id for a goal without a valid id; no change if the goal has one.
    AddId {
        /// Which goal.
        goal: usize,
    },
    /// Removal of a goal with everything in it, except log sections without steps.
    RemoveGoal {
        /// Which goal.
        goal: usize,
    },
    /// A new step after the goal's other steps.
    AddStep {
        /// Which goal.
        goal: usize,
        /// Its text.
        text: String,
        /// Numbers of the steps that must be done first.
        after: Vec<u32>,
        /// Its command.
        run: Option<String>,
        /// A note about the step, after the dash.
        note: Option<String>,
    },
    /// A new text; number, `(after …)`, `(run: …)`, mark and outcome stay.
    SetStepText {
        /// Which step.
        step: usize,
        /// The new text.
        text: String,
    },
    /// A new text, new numbers of the steps that must be done first, or a new command; a part that is `None` stays.
    SetStepParts {
        /// Which step.
        step: usize,
        /// Its text.
        text: Option<String>,
        /// Numbers of the steps that must be done first; an empty list removes them.
        after: Option<Vec<u32>>,
        /// Its command; an empty string removes it.
        run: Option<String>,
    },
    /// The next free number, which replaces the step's number if it has one.
    AddNumber {
        /// Which step.
        step: usize,
    },
    /// A new mark, and a new outcome if one is given (an empty one removes it): one changed line.
    SetMark {
        /// Which step.
        step: usize,
        /// The new mark.
        mark: Mark,
        /// The text after the dash.
        outcome: Option<String>,
    },
    /// A move of the step, with the lines below it that belong to it, to a place among a goal's steps.
    MoveStep {
        /// Which step.
        step: usize,
        /// The goal to move it to.
        goal: usize,
        /// The new position, from 1; `None` means the last.
        at: Option<usize>,
    },
    /// Removal of the step, with the lines below it that belong to it; refused if other steps are nested below it.
    RemoveStep {
        /// Which step.
        step: usize,
    },
    /// One line at the end of the log; a missing log is created.
    AppendLog {
        /// `YYYY-MM-DD HH:MM`
        stamp: String,
        /// The event. Only callers that pass on a person's text cut it at [`super::text::LOG_BYTES`].
        text: String,
    },
    /// A move of whole goals below `# Archive`, byte for byte; a missing archive is created.
    Archive {
        /// The goals, in the order that they will have in the archive.
        goals: Vec<usize>,
    },
    /// A move of an archived goal back to the place where new goals go; the goal becomes active.
    Restore {
        /// Which goal.
        goal: usize,
    },
    /// A new objective; a missing heading is created.
    SetObjective {
        /// The new objective.
        text: String,
    },
    /// New entries at the end of the front matter; existing entries stay as they are.
    AddFront {
        /// Key and value of each entry.
        entries: Vec<(String, String)>,
    },
    /// Prose below the objective; no change if there is text already.
    AddIntro {
        /// Lines of prose without structure.
        text: String,
    },
}

/// A new goal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewGoal {
    /// Its subject.
    pub subject: String,
    /// Its id; `None` means the [`free_id`] of the subject.
    pub id: Option<String>,
    /// Its status.
    pub status: Status,
    /// Acceptance criteria.
    pub done_when: Vec<String>,
    /// Its command.
    pub verify: Option<String>,
    /// Ways in which the goal could be wrong while it looks right.
    pub failure_modes: Vec<String>,
    /// Ids of goals that must be done first.
    pub needs: Vec<String>,
    /// 1 to 4.
    pub priority: Option<u8>,
    /// The kind of work, which decides what is expected of verify.
    pub kind: Option<GoalKind>,
    /// Globs of files that the goal may change.
    pub may_change: Vec<String>,
    /// Paths of evidence files.
    pub evidence: Vec<String>,
    /// Its steps; they get the next free numbers.
    pub steps: Vec<NewStep>,
    /// Quoted text from elsewhere, below everything else.
    pub quotes: Vec<Quote>,
}

/// A step of a new goal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewStep {
    /// Its text.
    pub text: String,
    /// The mark in its checkbox.
    pub mark: Mark,
    /// Numbers of the steps that must be done first.
    pub after: Vec<u32>,
    /// Its command.
    pub run: Option<String>,
    /// A note about the step, after the dash.
    pub note: Option<String>,
}

impl<T: Into<String>> From<T> for NewStep {
    fn from(text: T) -> Self {
        NewStep { text: text.into(), ..NewStep::default() }
    }
}

impl Change {
    /// Whether this change may make something in other goals or steps wrong. Log lines, marks, starts and new goals cannot
    /// do that, so these writes need no further check.
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

/// Returns the edits that make `changes`. The first write to a goal without a valid id gives it one, except if the goal is
/// moved or removed as a whole.
///
/// # Errors
/// [`crate::error::Kind::Input`] if a goal has a field twice or shares its id (with both line numbers), if text cannot be
/// written so that it reads back the same, or if a new line would be inside an unclosed fence or comment.
pub fn edits(plan: &Plan<'_>, changes: &[Change]) -> Result<Vec<Edit>> {
    let mut writer = writer::EditWriter::new(plan, changes.len());
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

/// Merges several marks of one step into the last one: a step that is reset and started in one write ends as started.
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
