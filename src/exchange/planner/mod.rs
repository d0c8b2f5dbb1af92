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

/// The reply of a planner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// One command.
    Command(String),
    /// Words for a person.
    Chat(String),
    /// Several steps. The state of a plan also has the status of each step.
    Plan(PlannedSteps),
}

/// A plan of steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlannedSteps {
    /// The subject of the plan.
    pub summary: Option<String>,
    /// The steps in order, at least one.
    pub steps: Vec<PlannedStep>,
}

/// A step with a title or a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlannedStep {
    /// Unique in the plan.
    pub id: String,
    /// The step's task in words.
    pub title: Option<String>,
    /// The command that does it.
    pub command: Option<String>,
    /// More about the step.
    pub description: Option<String>,
    /// The step's progress.
    pub status: StepStatus,
    /// The step's indexes in the history of the session, one for each run.
    pub history: Vec<i64>,
}

impl PlannedStep {
    /// The title, or the command if there is no title.
    pub fn label(&self) -> &str {
        self.title.as_deref().or(self.command.as_deref()).unwrap_or_default()
    }
}

/// The progress of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StepStatus {
    /// Not begun.
    #[default]
    Pending,
    /// In progress.
    InProgress,
    /// Ran and succeeded.
    Completed,
    /// Ran and failed.
    Failed,
}

impl StepStatus {
    /// Each status with its word.
    pub const ALL: [(&str, StepStatus); 4] = [
        ("pending", StepStatus::Pending),
        ("in_progress", StepStatus::InProgress),
        ("completed", StepStatus::Completed),
        ("failed", StepStatus::Failed),
    ];
}

/// The format's word for a mark. The format has none for a skipped step.
pub const fn status_word(mark: Mark) -> &'static str {
    match mark {
        Mark::Pending => "pending",
        Mark::Active => "in_progress",
        Mark::Complete => "completed",
        Mark::Failed => "failed",
        Mark::Skipped => "skipped",
    }
}
