//! Runs a verify: its programs in order, who watches them, and the sign-off that runs.

pub mod check;
pub mod running;
pub mod stage1;
pub mod watch;
