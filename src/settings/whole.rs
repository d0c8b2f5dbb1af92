//! Files that are ours as a whole: extensions, plugins, skills. One of their lines says so.

use super::edit::Edit;
use super::obstacle::Obstacle;
use super::record::{FileRecord, digest};
use crate::host::setup::MARK;

/// Returns the edits that turn `text` into a whole file of ours.
pub(super) fn whole(text: &str, new: &str, filed: Option<&FileRecord>) -> std::result::Result<Vec<Edit>, Obstacle> {
    if text == new {
        return Ok(Vec::new());
    }
    let untouched = is_same(text, new) || filed.is_some_and(|filed| filed.after == digest(text));
    match text.is_empty() || untouched {
        true => Ok(vec![Edit { at: 0, old: text.to_owned(), new: new.to_owned() }]),
        false if is_ours(text) => Ok(Vec::new()),
        false => Err(Obstacle::Taken("another file is already there".to_owned())),
    }
}

/// Returns true if the file says that `plan install` wrote it.
pub(super) fn is_ours(text: &str) -> bool {
    text.lines().take(8).any(|line| line.contains(MARK))
}

/// Returns true if the texts differ at most in the line that names the program.
pub(super) fn is_same(text: &str, new: &str) -> bool {
    let names = |line: &str| line.starts_with("const PLAN = \"");
    let (mut a, mut b) = (text.split('\n'), new.split('\n'));
    a.by_ref().zip(b.by_ref()).all(|(a, b)| a == b || names(a) && names(b))
        && text.matches('\n').count() == new.matches('\n').count()
}
