//! Formats of other programs: pure translations to and from a [`Plan`](crate::plan::Plan), without files, clock or processes.
//!
//! Each program has its own reader. All readers produce one neutral record, which one writer takes.
//!
//! A reader is pure: it takes the texts of some files and returns a [`TaskList`] or an error with its place. [`write()`] turns the records
//! into changes of plan.md and into the three lists of the report: mapped, kept as prose, dropped.
//!
//! Rules of every import: a task that is finished in the other program is left out or comes in open, since it is not signed off. Imported prose goes
//! into a block quote, where nothing is structure. No record becomes a command. A second import adds nothing. An import is all or nothing.

mod backlog;
mod beads;
mod commands;
pub mod document;
mod existing;
mod files;
mod github;
mod json;
mod json_value;
mod links;
mod markdown;
mod markdown_lines;
mod openspec;
pub mod planner;
mod planning;
pub mod prd;
mod record;
mod report;
mod speckit;
mod taskmaster;
mod taskwarrior;
pub mod walk;
mod writer;

pub use files::{ReadOptions, SourceFile, import_command};
pub use record::{Fate, Fields, LeftOut, Passage, RecordKind, Task, TaskList, TaskState, TaskStep};
pub use report::ImportReport;
pub use writer::{Import, write};

use crate::error::Result;

/// A reader with its name on the command line.
#[derive(Clone, Copy, Debug)]
pub struct Reader {
    /// Its name in `plan import`: `taskmaster`.
    pub name: &'static str,
    /// The program's own name: `Task Master`.
    pub tool: &'static str,
    /// True for a file that it reads, by the file's path below the folder.
    pub wants: fn(&str) -> bool,
    /// More files that it reads, relative to the one file that was named.
    pub beside: &'static [&'static str],
    /// Reads the files.
    pub read: fn(&[SourceFile], &ReadOptions) -> Result<TaskList>,
}

/// All readers, in the order of the help.
pub const READERS: [Reader; 12] = [
    taskmaster::READER,
    backlog::READER,
    beads::READER,
    speckit::READER,
    openspec::READER,
    planning::READER,
    github::READER,
    taskwarrior::READER,
    markdown::READER,
    prd::READER,
    planner::READER,
    json::READER,
];

#[cfg(test)]
mod tests;
