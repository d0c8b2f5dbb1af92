//! What is agreed, and by whom (`CONTRACT.md`).

pub mod person;
