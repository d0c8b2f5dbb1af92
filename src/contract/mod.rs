//! Who may agree to the plan's contract (`CONTRACT.md`).

pub mod person;
