//! Rows about the user's configuration.

use super::file::first_line;
use super::{Context, Fault, RowResult};
use crate::shell::quote;
use crate::signoff::judge::Reference;

pub(super) fn readable(context: &Context<'_>) -> RowResult {
    let Err(error) = context.config() else { return RowResult::FINE };
    let file = crate::config::file().map(|file| quote(&file.to_string_lossy())).unwrap_or_default();
    RowResult::one(Fault::new(first_line(error), format!("\"${{EDITOR:-vi}}\" {file}")))
}

pub(super) fn judge(context: &Context<'_>) -> RowResult {
    let Ok(config) = context.config() else { return RowResult::Absent };
    let judges = config.judge.list();
    if judges.is_empty() {
        return RowResult::Absent;
    }
    let fault = |judge: &String| {
        let why = match Reference::parse(judge) {
            Ok(reference) => reference.program(context.cwd)?.err()?,
            Err(error) => first_line(&error),
        };
        Some(Fault::new(format!("your judge `{judge}`: {why}"), "plan judge list"))
    };
    RowResult::Seen(judges.iter().filter_map(fault).collect())
}
