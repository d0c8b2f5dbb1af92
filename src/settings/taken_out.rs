//! Plans the uninstall of one file.

use super::content::parted;
use super::edit::apply;
use super::entries;
use super::file_change::FileOutcome;
use super::json;
use super::obstacle::Obstacle;
use super::record::{FileRecord, digest};
use super::whole::{is_ours, is_same};
use crate::host::setup::{Content, JsonDialect};

pub(super) fn taken_out(
    text: &str,
    content: &Content,
    filed: Option<&FileRecord>,
) -> std::result::Result<(FileOutcome, Option<String>), Obstacle> {
    // A whole file is marked as ours, even if it existed before the install: it is removed too.
    let stood = |before: &Option<String>| matches!(content, Content::Whole(_)) && before.as_deref() == Some(text);
    if let Some(before) = filed.and_then(|filed| filed.before(text)).filter(|before| !stood(before)) {
        let outcome = if before.is_none() { FileOutcome::Removed } else { FileOutcome::Changed };
        return Ok((if before.as_deref() == Some(text) { FileOutcome::Unchanged } else { outcome }, before));
    }
    // If an install removed comments later, our entries are removed from the text that still has these comments.
    let base = filed.and_then(|filed| filed.base(text));
    let text = base.as_deref().unwrap_or(text);
    let (bom, body) = parted(text);
    let kept = filed.map(|filed| filed.kept.clone()).unwrap_or_default();
    let edits = match content {
        Content::Whole(new) if is_same(text, new) || filed.is_some_and(|filed| filed.after == digest(text)) => {
            return Ok((FileOutcome::Removed, None));
        }
        Content::Whole(_) if is_ours(text) => return Ok((FileOutcome::Edited, Some(text.to_owned()))),
        Content::Whole(_) => Vec::new(),
        Content::Json(entries) => entries::uninstall(body, entries, &kept)?,
        Content::Table(name, _, call) => entries::uninstall_table(body, name, call, &kept)?,
    };
    if edits.is_empty() {
        let outcome = if base.is_some() { FileOutcome::Changed } else { FileOutcome::Unchanged };
        return Ok((outcome, Some(text.to_owned())));
    }
    let after = apply(body, &edits).ok_or_else(|| "an edit does not fit".to_owned())?;
    let nothing = if matches!(content, Content::Json(_)) { json::is_blank(&after) } else { after.trim().is_empty() };
    // A file that existed before the install stays, even if it is empty now.
    if nothing && filed.is_none_or(|filed| filed.before.is_none()) {
        return Ok((FileOutcome::Removed, None));
    }
    Ok((FileOutcome::Changed, Some(format!("{bom}{after}"))))
}

/// Returns true if both texts have the same number of comments and trailing commas.
pub(super) fn is_commented_alike(a: &str, b: &str) -> bool {
    let plain = JsonDialect { comments: false, trailing_commas: false, byte_order_mark: false };
    let count = |text| json::beyond(text, plain).map(|parts| parts.len());
    count(a).is_ok_and(|a| count(b) == Ok(a))
}
