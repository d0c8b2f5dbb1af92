//! Runs a host's client: for the small call of the loop judge at a stop and for each turn of `plan loop run`
//! (`INJECTION.md` §5), to draft a plan (`CONTRACT.md` §6), and to answer a person as a planner (`plan ask`).

pub mod ask;
mod client;
mod containment;
pub mod draft;
mod judge;
mod rounds;

pub use client::{Client, Turn};
pub use judge::judge;
pub use rounds::{AcceptedAnswer, AgentCall, AgentEnd, AgentFailure};
