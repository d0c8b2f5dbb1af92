//! A planner's JSON: a reply in one of three modes, or a plan with the state of each step.

mod export;
mod history;
mod import;
mod notes;
mod read;
mod reply;
#[cfg(test)]
mod tests;
mod visible;

pub use export::export;
pub use history::{History, Run};
pub use import::{READER, tasks};
pub use notes::{current, notes};
pub use read::read;
pub use reply::{SCHEMA, reply};
pub use visible::unseen;

use crate::plan::model::Mark;

/// What a planner answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// One command.
    Command(String),
    /// Words for a person.
    Chat(String),
    /// Several steps; with their state where it is no reply but the state of a plan.
    Plan(PlannedSteps),
}

/// A plan of steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlannedSteps {
    /// What it is about.
    pub summary: Option<String>,
    /// In order; at least one.
    pub steps: Vec<PlannedStep>,
}

/// A step: it has a title or a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlannedStep {
    /// Given once in a plan.
    pub id: String,
    /// What it does.
    pub title: Option<String>,
    /// How.
    pub command: Option<String>,
    /// More about it.
    pub description: Option<String>,
    /// How far it is.
    pub status: StepStatus,
    /// Where it stands in the history of the session, once for each time that it ran.
    pub history: Vec<i64>,
}

impl PlannedStep {
    /// Its title, else its command.
    pub fn label(&self) -> &str {
        self.title.as_deref().or(self.command.as_deref()).unwrap_or_default()
    }
}

/// How far a step is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StepStatus {
    /// Not begun.
    #[default]
    Pending,
    /// At work.
    InProgress,
    /// Ran and was fine.
    Completed,
    /// Ran and was not.
    Failed,
}

impl StepStatus {
    /// Each with its word.
    pub const ALL: [(&str, StepStatus); 4] = [
        ("pending", StepStatus::Pending),
        ("in_progress", StepStatus::InProgress),
        ("completed", StepStatus::Completed),
        ("failed", StepStatus::Failed),
    ];
}

/// How far a step is by the format's words; it has none for a skipped one.
pub const fn status_word(mark: Mark) -> &'static str {
    match mark {
        Mark::Pending => "pending",
        Mark::Active => "in_progress",
        Mark::Complete => "completed",
        Mark::Failed => "failed",
        Mark::Skipped => "skipped",
    }
}
