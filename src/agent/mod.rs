//! Runs a host's client: for the small call of the loop judge at a stop and for each turn of `plan loop run`
//! (`INJECTION.md` §5), to draft a plan (`CONTRACT.md` §6), and to answer a person as a planner (`plan ask`).

mod answer;
pub mod ask;
mod client;
mod containment;
pub mod draft;
mod judge;
mod rounds;

use std::path::Path;

pub use client::{Client, Turn};
pub use judge::judge;
pub use rounds::{AcceptedAnswer, AgentEnd, AgentFailure};

use crate::plan::text::is_hidden;

/// A folder as a prompt names it. Not every client works there; a name that could end the line or its own quotes is not told.
fn shown_folder(folder: &Path) -> &str {
    let is_odd = |c: char| c.is_control() || is_hidden(c) || c == '`';
    folder.to_str().filter(|path| !path.contains(is_odd)).unwrap_or(".")
}
