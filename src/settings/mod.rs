//! Edits the settings files of other programs: adds and removes our entries and leaves every other byte as it was (`CLI.md`,
//! Hosts).
//!
//! `json` and `toml` are pure: they turn a text into [`edit::Edit`]s and check what the edited file means. `entries` knows which
//! entries are ours. `disk` reads and writes. `record` stores what was done, so that an uninstall restores every byte. `readable`
//! checks that the client can read the file at all. `program` finds the name under which settings call `plan`, and `calls` reads the
//! command lines that they hold. `install_plan` puts these together for one host, `obstacle` says why an install
//! is refused, and `follow_up` lists what a person still has to do.

mod calls;
mod disk;
pub mod edit;
mod entries;
mod follow_up;
mod install_plan;
mod json;
mod obstacle;
pub mod program;
mod readable;
mod record;
mod toml;
mod whole;

pub use calls::{HookCall, hook_calls, redirect};
pub use follow_up::{FollowUp, follow_ups};
pub use install_plan::{FileChange, FileOutcome, InstallPlan, install, is_installed, uninstall};
