//! A snapshot of plan.md for one event of a session. The file is read and parsed only once, when it is first needed, so that the
//! state records exactly the version that was shown.

use std::cell::OnceCell;
use std::ops::Deref;
use std::os::unix::fs::MetadataExt;

use crate::plan::model::Plan;
use crate::store::{self, Place};

/// The plan of a place, for one event.
pub(super) struct PlanSnapshot<'p> {
    place: &'p Place,
    stamp: OnceCell<Option<String>>,
    source: &'p PlanBytes,
    plan: OnceCell<Option<Plan<'p>>>,
}

/// The bytes of plan.md, once they are read. The snapshot borrows them.
#[derive(Default)]
pub(super) struct PlanBytes(OnceCell<Option<Vec<u8>>>);

impl<'p> PlanSnapshot<'p> {
    /// Returns a snapshot that has read nothing yet.
    pub(super) fn new(place: &'p Place, source: &'p PlanBytes) -> Self {
        PlanSnapshot { place, stamp: OnceCell::new(), source, plan: OnceCell::new() }
    }

    /// Returns the file's stamp, which changes with every save and stays the same otherwise.
    pub(super) fn stamp(&self) -> Option<&str> {
        let stamp = || {
            let meta = std::fs::metadata(&self.place.file).ok()?;
            Some(format!("{}.{}.{}.{}.{}", meta.ino(), meta.size(), meta.mtime(), meta.mtime_nsec(), meta.ctime_nsec()))
        };
        self.stamp.get_or_init(stamp).as_deref()
    }

    /// Returns the file's bytes; `None` if the file cannot be read.
    pub(super) fn source(&self) -> Option<&'p [u8]> {
        // The stamp is taken first: if a save follows, the older stamp is recorded, so the next event reads the file again.
        self.stamp()?;
        self.source.0.get_or_init(|| store::read(self.place).ok()).as_deref()
    }

    /// Returns the parsed plan; `None` also for a damaged plan, because hooks stay silent about it.
    pub(super) fn plan(&self) -> Option<&Plan<'p>> {
        self.plan.get_or_init(|| self.place.parse(self.source()?).ok()).as_ref()
    }
}

impl Deref for PlanSnapshot<'_> {
    type Target = Place;

    fn deref(&self) -> &Place {
        self.place
    }
}

#[cfg(test)]
mod tests {
    use super::super::change_detection::{PlanChange, refresh};
    use super::super::state::SessionState;
    use super::*;

    // INJECTION §2: if the plan is saved while an event is answered, the next event sees it
    #[test]
    fn a_save_between_two_looks_is_not_taken_for_what_was_seen() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("plan.md");
        std::fs::write(&file, "# Plan: one\n").unwrap();
        let place = store::look(folder.path(), None).unwrap().unwrap();
        let mut state = SessionState::default();
        let (first, second) = (PlanBytes::default(), PlanBytes::default());
        let sight = PlanSnapshot::new(&place, &first);
        assert_eq!(refresh(&sight, &mut state), Some(PlanChange::Yes));
        std::fs::write(&file, "# Plan: another\n").unwrap();
        assert_eq!(refresh(&sight, &mut state), Some(PlanChange::No), "this event saw the first");
        assert_eq!(refresh(&PlanSnapshot::new(&place, &second), &mut state), Some(PlanChange::Yes));
    }
}
