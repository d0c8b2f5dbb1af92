//! Settings files of other programs: entries put in and taken out, every other byte as it was (`CLI.md`, Hosts).
//!
//! `json` and `toml` are pure: a text in, [`edit::Edit`]s out, each held against what the file then means. `entries` knows
//! which entries are ours, `disk` reads and writes, `record` keeps what was done so that it can be taken back byte for
//! byte, `readable` asks whether the client can read the file at all, `install_plan` puts these together for one host, `obstacle` says why
//! it does not, `follow_up` tells what a person still has to do.

mod disk;
pub mod edit;
mod entries;
mod follow_up;
mod install_plan;
mod json;
mod obstacle;
mod readable;
mod record;
mod toml;

pub use follow_up::{FollowUp, follow_ups, missing};
pub use install_plan::{FileChange, FileOutcome, InstallPlan, install, is_installed, uninstall};
