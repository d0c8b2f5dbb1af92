//! Files of any sort: replaced in one step with owner, mode and attributes kept, created for a while, removed even where they are
//! write-protected.

mod attributes;
mod likeness;
mod remove;
mod replace;
mod temporary;

pub use likeness::{Likeness, Owner};
pub use remove::remove;
pub use replace::Replacement;
pub use temporary::Temporary;
