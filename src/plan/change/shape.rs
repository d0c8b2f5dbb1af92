//! The fields and steps that a goal must have after a change.

use crate::plan::model::Key;

/// What a goal must look like afterwards.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    /// Which goal.
    pub(super) goal: usize,
    /// How many steps it has.
    pub(super) steps: usize,
    /// The values of the fields that change; all others stay.
    pub(super) fields: Vec<(Key, Vec<String>)>,
}
