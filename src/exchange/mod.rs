//! Formats of other programs: pure translations to and from a [`Plan`](crate::plan::Plan). No file, clock or process.

pub mod document;
pub mod prd;
pub mod walk;
