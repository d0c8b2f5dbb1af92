//! The agreement on the plan with a person, and the way back to the end of a step (`CONTRACT.md`).

pub mod activate;
mod amended;
pub mod approve;
pub mod approved;
pub mod checkpoint;
pub mod person;
pub mod reject;
pub mod rewind;
