//! Runs a host's client for the loop: the small call of the loop judge at a stop, and each turn of `plan loop run`
//! (`INJECTION.md` §5).

mod answer;
mod client;
mod judge;

pub use client::{Client, Turn};
pub use judge::judge;
