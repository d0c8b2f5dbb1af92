//! Rows about the user's configuration.

use super::file::first_line;
use super::{Context, DoctorResult, Fault};
use crate::shell::quote;
use crate::signoff::judge::Reference;

pub(super) fn readable(context: &Context<'_>) -> DoctorResult {
    let Err(error) = context.config() else { return DoctorResult::FINE };
    let file = crate::config::file().map(|file| quote(&file.to_string_lossy())).unwrap_or_default();
    DoctorResult::one(Fault::new(first_line(error), format!("\"${{EDITOR:-vi}}\" {file}")))
}

pub(super) fn judge(context: &Context<'_>) -> DoctorResult {
    let Ok(config) = context.config() else { return DoctorResult::Absent };
    let judges = config.judge.list();
    if judges.is_empty() {
        return DoctorResult::Absent;
    }
    let fault = |judge: &String| {
        let why = match Reference::parse(judge) {
            Ok(reference) => reference.program(context.cwd)?.err()?,
            Err(error) => first_line(&error),
        };
        Some(Fault::new(format!("your judge `{judge}`: {why}"), "plan judge list"))
    };
    DoctorResult::Seen(judges.iter().filter_map(fault).collect())
}
