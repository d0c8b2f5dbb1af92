//! The neutral record: a task as a reader hands it to the writer, whatever program it comes from.

use std::collections::BTreeMap;

use crate::plan::change::Quote;
use crate::plan::model::{GoalKind, Mark};

/// What a reader found in the files of one program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskList {
    /// The program, as the log line and the headings above the quotes name it: `Task Master`.
    pub tool: String,
    /// What the whole is about; taken where plan.md does not say it.
    pub objective: Option<String>,
    /// Entries of the front matter, taken where plan.md has none of that name.
    pub front: Vec<(String, String)>,
    /// In the order in which the goals are to stand.
    pub tasks: Vec<Task>,
    /// Records that become neither a goal nor a step, whatever is asked for.
    pub left_out: Vec<LeftOut>,
    /// What became of the keys of the records.
    pub fields: Fields,
    /// What a person should know besides, a line each.
    pub notes: Vec<String>,
}

/// A task: it becomes a goal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Task {
    /// How that program names it. Not always unique.
    pub id: String,
    /// One line; where it is empty, the id stands for it.
    pub subject: String,
    /// Whether it is at work or over.
    pub state: TaskState,
    /// Acceptance criteria.
    pub done_when: Vec<String>,
    /// Ids of the tasks that come first.
    pub needs: Vec<String>,
    /// Its steps.
    pub steps: Vec<TaskStep>,
    /// 1 to 4.
    pub priority: Option<u8>,
    /// What sort of work it is, where the program says so.
    pub kind: Option<GoalKind>,
    /// Everything else that is worth keeping: goes below the goal as one quote.
    pub prose: Vec<Passage>,
    /// Texts that read like a command. None is taken over: a person is told how to.
    pub commands: Vec<String>,
    /// The id that the goal is to have, where the format says so; else one is made from the subject.
    pub goal_id: Option<String>,
    /// The quotes, where the format has its own headings; none: one of all prose, below `From <tool> <id>`.
    pub quotes: Option<Vec<Quote>>,
    /// A goal with the same subject is this task, where no other is: the format may have been written from plan.md.
    pub is_known_by_subject: bool,
}

/// How far a task is in the other program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum TaskState {
    /// Not begun, or begun and put aside.
    #[default]
    Open,
    /// At work.
    Active,
    /// Over there, with that program's word for it. Never done here: done means signed off.
    Finished(String),
}

/// A part of a task: it becomes a step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskStep {
    /// How that program names it, if it does: what `after` of others refers to.
    pub id: String,
    /// One line.
    pub text: String,
    /// What its box says.
    pub mark: Mark,
    /// Ids of the steps that come first: of this task, else of any.
    pub after: Vec<String>,
    /// Its command. Only a program that plans commands has one, and only a person runs it.
    pub run: Option<String>,
    /// More about it, in one line: what stands behind the dash.
    pub note: Option<String>,
}

/// A piece of prose with the name that the other program has for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Passage {
    /// `Description`; may be empty.
    pub name: String,
    /// The text, to the byte.
    pub text: String,
}

impl Passage {
    /// A named piece.
    pub fn new(name: &str, text: impl Into<String>) -> Self {
        Passage { name: name.to_owned(), text: text.into() }
    }
}

/// Where a record or a field went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// It has a place of its own in plan.md.
    Mapped,
    /// It stands in the quote.
    Prose,
    /// It is not in plan.md.
    Dropped,
}

/// What a record is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Record {
    /// A task.
    Task,
    /// A part of one.
    Step,
}

/// A record that is no goal and no step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// What it is.
    pub record: Record,
    /// How a person finds it: `5 Offline queue`.
    pub name: String,
    /// Why it is left out.
    pub why: String,
    /// [`Fate::Prose`] or [`Fate::Dropped`].
    pub fate: Fate,
    /// How many steps go with it.
    pub steps: usize,
}

impl LeftOut {
    /// A task that is not in plan.md.
    pub fn task(name: impl Into<String>, why: impl Into<String>) -> Self {
        LeftOut { record: Record::Task, name: name.into(), why: why.into(), fate: Fate::Dropped, steps: 0 }
    }
}

/// How many records have which key, and what became of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fields(pub BTreeMap<(Fate, String), usize>);

impl Fields {
    /// One record has `key`.
    pub fn count(&mut self, fate: Fate, key: &str) {
        match self.0.get_mut(&(fate, key.to_owned())) {
            Some(count) => *count += 1,
            None => drop(self.0.insert((fate, key.to_owned()), 1)),
        }
    }

    /// The keys with one fate and how many records have each.
    pub fn of(&self, fate: Fate) -> impl Iterator<Item = (&str, usize)> {
        self.0.iter().filter(move |((this, _), _)| *this == fate).map(|((_, key), count)| (key.as_str(), *count))
    }
}
