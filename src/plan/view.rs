//! What people see of a plan: the task list, a goal, one line, what is next (`CLI.md`, See). Written into a [`Sink`], so that
//! colours, widths and the cleaning of what a terminal would obey stay with the one who prints.

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

pub use board::{Board, Group, Tally, short_stamp};
pub use findings::findings;
pub use groups::{Filter, StatusFilter};
pub use json::{
    Counts, GoalView, LogView, ModeView, PlanView, ReadyView, StepView, goal_views, logs, plan_view, ready_view, shown,
};
pub use layout::{Row, Screen, elided, width};
pub use list::{Listing, list};
pub use remarks::{Remark, out_of_sight, remarks, warnings};
pub use show::show;
pub use steps::{open as open_steps, row as step_line, steps};

use super::lookup::StepRef;
use super::model::{GoalRef, Mark, Plan, Status};
use super::rules::{self, step_to_do};

/// What a piece of text is, for whoever gives it a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Style {
    /// Nothing in particular.
    Plain,
    /// The objective, a goal's subject.
    Title,
    /// An id, a number, a digest: something that can be typed.
    Id,
    /// A label, a count, what stands beside.
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
    /// A line that is gone.
    Removed,
    /// A line that is new.
    Added,
}

/// Takes styled text, line by line.
pub trait Sink {
    /// Text without a newline, to be cleaned by the sink.
    fn put(&mut self, style: Style, text: &str);
    /// The end of a line.
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

/// The one line for prompts and status bars: `Plan 2/4 · Implement cache layer — eviction policy`; none where no goal is active.
///
/// The numbers are the goals that are done and all that are not cancelled; the goal is the active one of the highest priority, in
/// contract mode the current one; the step is the one to be done now. `held` is why the plan waits, if it does:
/// `Plan 2/4 · a change of the contract waits: plan approve`.
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
    Some(format!("Plan {done}/{all} · {now}"))
}

/// A goal with the step to be done in it, in one line.
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

/// `2. text`, without the number where there is none.
fn numbered(step: StepRef<'_, '_>) -> String {
    match step.raw().number {
        Some(number) => format!("{number}. {}", step.text()),
        None => step.text().to_owned(),
    }
}

#[cfg(test)]
mod tests;
