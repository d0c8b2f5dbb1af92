//! Changes of the front matter: adds entries.

use super::ranked_edit::Rank;
use super::writer::EditWriter;
use crate::error::{Error, Result};
use crate::plan::parse::BOM;
use crate::plan::text::plain_line;

impl EditWriter<'_, '_> {
    /// Adds lines at the end of the front matter. A missing front matter is created; an existing entry stays.
    pub(super) fn add_front(&mut self, entries: &[(String, String)]) -> Result<()> {
        let new = entries.iter().filter(|(key, _)| self.plan.front_value(key).is_none());
        let lines: Vec<String> =
            new.map(|(key, value)| Ok(format!("{key}: {}", written(key, value)?))).collect::<Result<_>>()?;
        if lines.is_empty() {
            return Ok(());
        }
        let bom = if self.plan.source.starts_with(BOM) { BOM.len() } else { 0 };
        let eol = self.eol(bom);
        let lines = lines.join(eol);
        match self.plan.front {
            Some(front) => {
                let text = &self.plan.source[front.range()];
                let body = text.trim_ascii_end();
                let last = memchr::memrchr(b'\n', body).map_or(0, |at| at + 1);
                self.insert(front.start as usize + last, format!("{lines}{eol}"), Rank::Block);
            }
            None => self.insert(bom, format!("---{eol}{lines}{eol}---{eol}"), Rank::Id),
        }
        Ok(())
    }
}

/// Returns a value in a form that reads back the same: bare, else between quotes that do not occur in it.
fn written(key: &str, value: &str) -> Result<String> {
    let value = plain_line(value);
    let is_bare = !value.starts_with(['"', '\'', '#']) && !value.contains(" #") && !value.is_empty();
    match () {
        () if is_bare => Ok(value),
        () if !value.contains('"') => Ok(format!("\"{value}\"")),
        () if !value.contains('\'') => Ok(format!("'{value}'")),
        () => Err(Error::input(format!(
            "`{key}`: `{value}` cannot be written in the front matter of plan.md, which has no escapes"
        ))),
    }
}
