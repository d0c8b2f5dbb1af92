//! plan.md as one event of a session sees it: read when it is first asked for, and then once, so that what is remembered as
//! shown is what was shown.

use std::cell::OnceCell;
use std::ops::Deref;

use crate::plan::model::Plan;
use crate::store::{self, Place};

/// The plan of a place, as it is while one event is answered.
pub(super) struct Sight<'p> {
    place: &'p Place,
    source: OnceCell<Option<Vec<u8>>>,
}

impl<'p> Sight<'p> {
    /// Reads nothing yet.
    pub(super) fn new(place: &'p Place) -> Self {
        Sight { place, source: OnceCell::new() }
    }

    /// Its bytes. None where they cannot be read.
    pub(super) fn source(&self) -> Option<&[u8]> {
        self.source.get_or_init(|| store::read(self.place).ok()).as_deref()
    }

    /// What they say. None for a damaged plan too: nothing to speak of here.
    pub(super) fn plan(&self) -> Option<Plan<'_>> {
        self.place.parse(self.source()?).ok()
    }
}

impl Deref for Sight<'_> {
    type Target = Place;

    fn deref(&self) -> &Place {
        self.place
    }
}
