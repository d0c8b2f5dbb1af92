//! plan.md during a run in the user's work tree. A test whose clean-up goes wrong (`rm -rf *` in the wrong folder) must not cost
//! the plan, which may be committed nowhere.

use std::fs::File;
use std::io::{ErrorKind, Read as _};

use crate::disk::{Likeness, open_regular};
use crate::error::Result;
use crate::store::{self, Place};
use crate::verify::watch::Watch;

/// The maximum size of `.git/HEAD`: a commit, or the name of a branch.
const LONGEST_HEAD: u64 = 4096;

/// Runs `run`, which executes `what`, and restores plan.md if it is gone afterwards: `source` holds its bytes. Another commit or
/// branch that was checked out meanwhile may rightly have no plan.md.
///
/// # Errors
/// The error of `run`; plan.md cannot be restored.
pub(super) fn keeping_plan<T>(
    place: &Place,
    source: &[u8],
    what: &str,
    watch: &dyn Watch,
    run: impl FnOnce() -> Result<T>,
) -> Result<T> {
    let like = File::open(&place.file).and_then(|file| Likeness::of(&file)).ok();
    let head = head(place);
    let ran = run();
    let is_gone = || place.file.symlink_metadata().is_err_and(|error| error.kind() == ErrorKind::NotFound);
    if is_gone() && head == self::head(place) && store::put_back(place, source, like.as_ref())? {
        let shown = place.shown.display();
        watch.note(&format!("note: `{what}` removed {shown}; it was restored as it was before the run"));
    }
    ran
}

/// The content of `.git/HEAD`.
fn head(place: &Place) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = open_regular(&place.git_dir.as_ref()?.join("HEAD")).ok()?;
    file.take(LONGEST_HEAD).read_to_end(&mut bytes).ok().map(|_| bytes)
}
