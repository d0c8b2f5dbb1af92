//! plan.md during a run in the user's work tree. A test whose clean-up goes wrong (`rm -rf *` in the wrong folder) must not cost
//! the plan, which may be committed nowhere.

use std::fs::File;
use std::io::Read as _;

use crate::disk::{Likeness, open_regular};
use crate::error::Result;
use crate::store::{self, Place, Rescue};
use crate::verify::watch::Watch;

/// The maximum size of `.git/HEAD`: a commit, or the name of a branch.
const LONGEST_HEAD: u64 = 4096;

/// Runs `run`, which executes `what`, and saves what plan.md held before: `source` has its bytes. If plan.md is gone or empty
/// afterwards, it is restored. Another commit or branch that was checked out meanwhile may rightly have no plan.md.
///
/// # Errors
/// The error of `run`. If plan.md cannot be restored, a note says why: the result of the run is worth more than an error.
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
    let (shown, is_same_head) = (place.shown.display(), head == self::head(place));
    match store::rescue(place, source, like.as_ref(), is_same_head) {
        Ok(Rescue::Nothing) => {}
        Ok(Rescue::Restored) => {
            watch.note(&format!("note: `{what}` removed or emptied {shown}; it was restored as it was before the run"));
        }
        Ok(Rescue::Kept) => {
            let kept = "the version before it is kept: `plan undo --list`";
            watch.note(&format!("note: {shown} was changed during `{what}`; {kept}"));
        }
        Err(error) => watch.note(&format!("note: {shown} was changed during `{what}`, and no copy was kept: {error}")),
    }
    ran
}

/// The content of `.git/HEAD`.
fn head(place: &Place) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = open_regular(&place.git_dir.as_ref()?.join("HEAD")).ok()?;
    file.take(LONGEST_HEAD).read_to_end(&mut bytes).ok().map(|_| bytes)
}
