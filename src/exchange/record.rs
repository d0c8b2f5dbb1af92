//! The neutral record: the form in which every reader hands tasks to the writer.

use std::collections::BTreeMap;

use crate::plan::change::Quote;
use crate::plan::model::{GoalKind, Mark};
use crate::plan::text::step_text;

/// The tasks that a reader found in the files of one program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskList {
    /// The program's name in the log line and in the headings above the quotes: `Task Master`.
    pub tool: String,
    /// The objective. It is used only if plan.md has none.
    pub objective: Option<String>,
    /// Entries of the front matter. Each is used only if plan.md has no entry of that name.
    pub front: Vec<(String, String)>,
    /// The tasks, in the order of the future goals.
    pub tasks: Vec<Task>,
    /// Records that become neither a goal nor a step, whatever the options.
    pub left_out: Vec<LeftOut>,
    /// The fate of each key of the records.
    pub fields: Fields,
    /// More remarks for the user, one line each.
    pub notes: Vec<String>,
}

/// A task. It becomes a goal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Task {
    /// Its id in the other program. Not always unique.
    pub id: String,
    /// One line; if it is empty, the id is used.
    pub subject: String,
    /// Whether it is open, active or finished.
    pub state: TaskState,
    /// Acceptance criteria.
    pub done_when: Vec<String>,
    /// Ids of the tasks that come first.
    pub needs: Vec<String>,
    /// Its steps.
    pub steps: Vec<TaskStep>,
    /// 1 to 4.
    pub priority: Option<u8>,
    /// The kind of work, if the program records it.
    pub kind: Option<GoalKind>,
    /// Everything else that is worth keeping. It goes below the goal as one quote.
    pub prose: Vec<Passage>,
    /// Texts that read like a command. None is taken over; the report tells the user how to do it.
    pub commands: Vec<String>,
    /// The id of the future goal, if the format sets it; else one is made from the subject.
    pub goal_id: Option<String>,
    /// The quotes, if the format has its own headings. `None` means one quote of all prose, below `From <tool> <id>`.
    pub quotes: Option<Vec<Quote>>,
    /// True if a goal with the same subject is this task, unless another goal is: the format may have been written from plan.md.
    pub is_known_by_subject: bool,
}

/// The state of a task in the other program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum TaskState {
    /// Not begun, or begun and put aside.
    #[default]
    Open,
    /// In progress.
    Active,
    /// Finished there, with that program's word for it. It is never done here, because done means signed off.
    Finished(String),
}

/// A part of a task. It becomes a step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskStep {
    /// Its id in the other program, if it has one; `after` of other steps refers to it.
    pub id: String,
    /// One line.
    pub text: String,
    /// The mark of its box.
    pub mark: Mark,
    /// Ids of the steps that come first, looked up in this task, then in all tasks.
    pub after: Vec<String>,
    /// Its command. Only the format of a planner has commands, and only a person runs them.
    pub run: Option<String>,
    /// A note of one line, written behind the dash.
    pub note: Option<String>,
}

impl TaskStep {
    /// Returns the text of the step in the plan.
    pub fn written(&self) -> &str {
        if step_text(&self.text).is_empty() { "no text" } else { &self.text }
    }
}

/// A piece of prose with its name in the other program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Passage {
    /// `Description`; may be empty.
    pub name: String,
    /// The text, byte for byte.
    pub text: String,
}

impl Passage {
    /// Creates a named piece.
    pub fn new(name: &str, text: impl Into<String>) -> Self {
        Passage { name: name.to_owned(), text: text.into() }
    }
}

/// The place where a record or a field went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// It has a place of its own in plan.md.
    Mapped,
    /// It is in the quote.
    Prose,
    /// It is not in plan.md.
    Dropped,
}

/// The kind of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordKind {
    /// A task.
    Task,
    /// A part of a task.
    Step,
}

/// A record that becomes neither a goal nor a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Its kind.
    pub record: RecordKind,
    /// The name by which a person finds it: `5 Offline queue`.
    pub name: String,
    /// The reason.
    pub why: String,
    /// [`Fate::Prose`] or [`Fate::Dropped`].
    pub fate: Fate,
    /// The number of its steps, which are left out too.
    pub steps: usize,
}

impl LeftOut {
    /// A task that does not go into plan.md.
    pub fn task(name: impl Into<String>, why: impl Into<String>) -> Self {
        LeftOut { record: RecordKind::Task, name: name.into(), why: why.into(), fate: Fate::Dropped, steps: 0 }
    }
}

/// Counts, for each key and fate, the records that have the key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fields(pub BTreeMap<(Fate, String), usize>);

impl Fields {
    /// Counts one record that has `key`.
    pub fn count(&mut self, fate: Fate, key: &str) {
        match self.0.get_mut(&(fate, key.to_owned())) {
            Some(count) => *count += 1,
            None => drop(self.0.insert((fate, key.to_owned()), 1)),
        }
    }

    /// The keys with this fate, each with its number of records.
    pub fn of(&self, fate: Fate) -> impl Iterator<Item = (&str, usize)> {
        self.0.iter().filter(move |((this, _), _)| *this == fate).map(|((_, key), count)| (key.as_str(), *count))
    }
}
