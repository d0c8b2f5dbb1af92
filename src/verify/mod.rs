//! Runs a verify: its programs in order, their progress, and the sign-off that is running.

pub mod check;
pub mod running;
pub mod stage1;
pub mod watch;
