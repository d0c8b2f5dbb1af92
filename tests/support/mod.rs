//! What the integration tests stand on: a hermetic world, its outputs, its leftovers.

#![allow(dead_code, unreachable_pub, reason = "shared by several test binaries, each of which uses a part")]

pub mod case;
pub mod hand;
pub mod judge;
pub mod leaks;
pub mod looping;
pub mod mcp;
pub mod output;
pub mod plans;
pub mod redact;
pub mod size;
pub mod strace;
pub mod tree;
pub mod world;

pub use size::{is_full, size};
pub use world::World;

/// Copies a program by another process: a descriptor of ours that is open for writing could live on for a moment in a
/// child that another test starts just then, and the system would refuse to start the copy ("text file busy").
pub fn copy_program(from: &std::path::Path, to: &std::path::Path) {
    let status = std::process::Command::new("cp").arg(from).arg(to).status().unwrap();
    assert!(status.success());
}
