//! Edits the settings files of other programs: adds and removes our entries and leaves every other byte as it was (`CLI.md`,
//! Hosts).
//!
//! `json` and `toml` are pure: they turn a text into [`edit::Edit`]s and check the meaning of the edited file. `entries`
//! knows which entries are ours. `disk` reads and writes. `record` stores the changes, so that an uninstall restores every byte.
//! `copies` keeps each file from which an install removes text that is not ours. `taken_out` plans an uninstall of one file.
//! `readable` checks that the client can read the file at all. `program` finds the name under which settings call `plan`, and
//! `calls` reads the command lines in them. `install_plan` puts these together for one host, `obstacle` says why an install is
//! refused, and `follow_up` lists the tasks that a person still has.

mod calls;
mod content;
mod copies;
mod disk;
pub mod edit;
mod entries;
mod file_change;
mod follow_up;
mod install_plan;
mod json;
mod obstacle;
pub mod program;
mod readable;
mod record;
mod taken_out;
mod toml;
mod whole;

pub use calls::{HookCall, hook_calls, redirect};
pub use file_change::{FileChange, FileOutcome};
pub use follow_up::{FollowUp, follow_ups};
pub use install_plan::{InstallPlan, install, is_installed, uninstall};
