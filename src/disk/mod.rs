//! Files of any sort: opened only if they are files, replaced in one step with owner, mode and attributes kept, created for a while,
//! removed even where they are write-protected.

mod attributes;
mod likeness;
mod regular;
mod remove;
mod replace;
mod temporary;

pub use likeness::{Likeness, Owner};
pub use regular::{open_regular, open_unlinked, read_regular};
pub use remove::remove;
pub use replace::Replacement;
pub use temporary::Temporary;
