//! What the loop starts: the loop judge's small call at a stop, the client that `plan loop run` drives (`INJECTION.md` §5).

mod answer;
mod client;
mod judge;

pub use client::{Client, Turn};
pub use judge::judge;
