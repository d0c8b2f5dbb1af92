//! Formats of other programs: pure translations to and from a [`Plan`](crate::plan::Plan). No file, clock or process.
//!
//! Tasks go through one neutral record and one writer, with a reader for each program.
//!
//! A reader is pure: the texts of some files in, [`TaskList`] or an error with its place out. [`write()`] turns the records into changes
//! of plan.md and into the three lists that a person is told: mapped, kept as prose, dropped.
//!
//! The rules of every import. Finished is not done: what the other program calls finished is left out, or comes in open. Prose of
//! others is a block quote, in which nothing is structure. No record becomes a command. A second import adds nothing. All or nothing.

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
pub use record::{Fate, Fields, LeftOut, Passage, Record, Task, TaskList, TaskState, TaskStep};
pub use report::ImportReport;
pub use writer::{Import, write};

use crate::error::Result;

/// A reader with its name on the command line.
#[derive(Clone, Copy, Debug)]
pub struct Reader {
    /// What `plan import` calls it: `taskmaster`.
    pub name: &'static str,
    /// The program's own name: `Task Master`.
    pub tool: &'static str,
    /// Which files of a folder it reads, by their path below the folder.
    pub wants: fn(&str) -> bool,
    /// Files that it looks at besides, relative to the one file that was named.
    pub beside: &'static [&'static str],
    /// Reads them.
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
