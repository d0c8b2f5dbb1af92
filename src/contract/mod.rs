//! Who may agree to the plan's contract, and what follows from it (`CONTRACT.md`).

pub mod activate;
pub mod person;
