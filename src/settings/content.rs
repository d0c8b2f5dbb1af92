//! Tells whether a settings file has entries of `plan`.

use super::entries;
use super::whole::is_ours;
use crate::host::setup::Content;

/// A byte order mark is not part of a document.
const BOM: char = '\u{feff}';

pub(super) fn is_in(text: &str, content: &Content) -> bool {
    match content {
        Content::Json(entries) => entries::is_there(text, entries),
        Content::Table(name, _, call) => entries::is_table_there(text, name, call),
        Content::Whole(_) => is_ours(text),
    }
}

pub(super) fn parted(text: &str) -> (&str, &str) {
    let length = if text.starts_with(BOM) { BOM.len_utf8() } else { 0 };
    text.split_at(length)
}
