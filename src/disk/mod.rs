//! File operations: open a file only if it is a regular file, replace it in one step and keep owner, mode and attributes, make
//! temporary folders, and remove files even if they are write-protected.

mod attributes;
mod likeness;
mod regular;
mod remove;
mod replace;
mod temporary;

pub use likeness::{Likeness, Owner};
pub use regular::{is_same_file, open_regular, open_unlinked, read_regular};
pub use remove::remove;
pub use replace::Replacement;
pub use temporary::Temporary;
