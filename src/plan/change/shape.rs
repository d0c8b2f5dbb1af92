//! The fields and steps that a goal must have after a change.

use crate::plan::model::Key;

/// The expected shape of a goal after a change.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    /// The index of the goal.
    pub(super) goal: usize,
    /// Its number of steps.
    pub(super) steps: usize,
    /// The values of the fields that change; all other fields stay.
    pub(super) fields: Vec<(Key, Vec<String>)>,
}
