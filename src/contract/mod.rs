//! Agreeing to the plan with a person, and going back to the end of a step (`CONTRACT.md`).

pub mod activate;
pub mod checkpoint;
pub mod person;
pub mod rewind;
