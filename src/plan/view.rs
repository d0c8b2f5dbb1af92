//! The views of a plan for the user: the task list, a goal, one line, the next goal (`CLI.md`, See). They are written into a
//! [`Sink`], so that the printer alone handles colours, widths and the removal of terminal control characters.

mod board;
mod findings;
mod groups;
mod json;
mod kept;
mod layout;
mod list;
mod remarks;
mod show;
mod steps;

pub use board::{Board, GoalTally, Group, short_stamp};
pub use findings::findings;
pub use groups::{Filter, StatusFilter};
pub use json::{
    Counts, GoalView, LogView, ModeView, PlanView, ReadyView, StepView, goal_views, logs, plan_view, ready_view, shown,
};
pub use layout::{Row, Screen, elided, typed, width};
pub use list::{Listing, list};
pub use remarks::{Remark, out_of_sight, remarks, warnings};
pub use show::show;
pub use steps::{open as open_steps, row as step_line, steps};

use super::lookup::StepRef;
use super::model::{GoalRef, Mark, Plan, Status};
use super::rules::{self, GoalRecords, step_to_do};

/// The role of a piece of text, from which the printer chooses a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Style {
    /// No special role.
    Plain,
    /// The objective, a goal's subject.
    Title,
    /// An id, a number, a digest: something that can be typed.
    Id,
    /// A label, a count, a side remark.
    Dim,
    /// Active.
    Active,
    /// Done, complete.
    Good,
    /// Failed.
    Bad,
    /// A `!` line.
    Warning,
    /// The name of a group.
    Heading,
    /// A removed line.
    Removed,
    /// An added line.
    Added,
}

/// Takes styled text, line by line.
pub trait Sink {
    /// Takes text without a newline. The sink cleans it.
    fn put(&mut self, style: Style, text: &str);
    /// Ends the line.
    fn newline(&mut self);
}

/// Plain text.
impl Sink for String {
    fn put(&mut self, _: Style, text: &str) {
        self.push_str(text);
    }

    fn newline(&mut self) {
        self.push('\n');
    }
}

/// Returns the line for prompts and status bars: `Plan 2/4 · Implement cache layer — eviction policy`; `None` if no goal is active.
///
/// The numbers count the signed-off goals and all goals that are not cancelled. The goal is the active one with the highest priority, or
/// in contract mode the current one. The step is the one to do now. `held` is the reason why the plan waits, and is shown instead
/// of the goal: `Plan 2/4 · a change of the contract waits: plan approve`.
pub fn line(plan: &Plan<'_>, held: Option<String>) -> Option<String> {
    let now = match held {
        Some(held) => held,
        None => {
            let active = || plan.live_goals().filter(|goal| goal.status() == Status::Active);
            let goal = rules::current(plan).or_else(|| active().min_by_key(|goal| goal.priority()))?;
            let step = step_to_do(goal).and_then(|index| plan.step(index));
            let step = step.map(|step| format!(" — {}", step.text())).unwrap_or_default();
            format!("{}{step}", goal.subject())
        }
    };
    let (mut done, mut all) = (0, 0);
    for goal in plan.live_goals().filter(|goal| goal.status() != Status::Cancelled) {
        done += usize::from(goal.status() == Status::Done);
        all += 1;
    }
    if done > 0 {
        done -= GoalRecords::new(plan).unsigned(plan).iter().filter(|(goal, _)| !goal.raw().archived).count();
    }
    Some(format!("Plan {done}/{all} · {now}"))
}

/// Returns a goal and its step to do now, in one line.
pub fn goal_line(goal: GoalRef<'_, '_>) -> String {
    let id = goal.id().map(|id| format!("{id}  ")).unwrap_or_default();
    let step = step_to_do(goal).and_then(|index| goal.plan().step(index));
    let step = step.map(|step| format!(" — {}", numbered(step))).unwrap_or_default();
    format!("{id}{}{step}", goal.subject())
}

/// The sign in front of a goal: ○ open, ● active, ✓ done, ✗ cancelled.
pub const fn sign(status: Status) -> &'static str {
    match status {
        Status::Open => "○",
        Status::Active => "●",
        Status::Done => "✓",
        Status::Cancelled => "✗",
    }
}

const fn style_of(status: Status) -> Style {
    match status {
        Status::Open => Style::Plain,
        Status::Active => Style::Active,
        Status::Done => Style::Good,
        Status::Cancelled => Style::Dim,
    }
}

/// `    [x] 1. text — outcome`
fn step_row(step: StepRef<'_, '_>) -> layout::Row {
    let (style, sign) = match step.raw().mark {
        Mark::Pending => (Style::Plain, "[ ]"),
        Mark::Active => (Style::Active, "[/]"),
        Mark::Complete => (Style::Good, "[x]"),
        Mark::Failed => (Style::Bad, "[!]"),
        Mark::Skipped => (Style::Dim, "[-]"),
    };
    let text = if step.raw().mark == Mark::Skipped { Style::Dim } else { Style::Plain };
    let row =
        layout::Row::new(8).with(Style::Plain, "    ").with(style, sign).with(text, format!(" {}", numbered(step)));
    match step.outcome() {
        Some(outcome) => row.with(Style::Dim, format!(" — {outcome}")),
        None => row,
    }
}

/// `2. text`, or only the text if the step has no number.
fn numbered(step: StepRef<'_, '_>) -> String {
    match step.raw().number {
        Some(number) => format!("{number}. {}", step.text()),
        None => step.text().to_owned(),
    }
}

#[cfg(test)]
mod tests;
