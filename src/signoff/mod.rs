//! The two-stage check: a command that anyone can run, and a reader who owes nothing to the author (`SIGNOFF.md`).
//!
//! [`check`] runs the whole of it: verify, the gate, the judges, the record.

pub mod advice;
pub mod check;
pub mod checks;
pub mod citation;
pub mod diff_stat;
pub mod human;
mod in_place;
pub mod judge;
pub mod mask;
mod memory;
pub mod record;
pub mod report_text;
mod sanitize;
pub mod selftest;
pub mod start;
pub(crate) mod text_file;
pub mod verdict;
