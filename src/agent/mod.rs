//! Runs a host's client: for the small call of the loop judge at a stop and for each turn of `plan loop run`
//! (`INJECTION.md` §5), and to draft a plan (`CONTRACT.md` §6).

mod answer;
mod client;
pub mod draft;
mod judge;

pub use client::{Client, Turn};
pub use judge::judge;
