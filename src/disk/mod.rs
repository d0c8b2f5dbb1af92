//! Files of any sort: put in another's place in one step with whatever belonged to that, made for a while and gone
//! afterwards, removed however they are guarded.

mod attributes;
mod likeness;
mod remove;
mod replace;
mod temporary;

pub use likeness::{Likeness, Owner};
pub use remove::{open_up, remove};
pub use replace::Replacement;
pub use temporary::Temporary;
