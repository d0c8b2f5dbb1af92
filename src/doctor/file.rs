//! Rows about plan.md itself, and about the state folder outside of it.

use std::fs;
use std::path::Path;

use jiff::civil::DateTime;

use super::{Context, DoctorResult, Fault};
use crate::error::Error;
use crate::plan::change::Change;
use crate::plan::lint;
use crate::plan::model::{LintFinding, Plan};
use crate::plan::parse;
use crate::plan::rules::{self, PlanState};
use crate::plan::snippet::place as line_and_column;
use crate::shell::quote;
use crate::store;

/// The most hours by which two time zones differ: a stamp has no time zone.
const APART: i64 = 26;

pub(super) fn unreadable(context: &Context<'_>) -> DoctorResult {
    let error = match (&context.material.place, &context.material.source) {
        (Err(_), _) if is_link(context) => return DoctorResult::FINE,
        (Err(error), _) | (Ok(_), Some(Err(error))) => error,
        (Ok(None), _) => return DoctorResult::Absent,
        (Ok(Some(_)), _) => return DoctorResult::FINE,
    };
    DoctorResult::one(Fault::new(first_line(error), format!("ls -ld {}", quote(&named(context)))))
}

pub(super) fn link_out(context: &Context<'_>) -> DoctorResult {
    match &context.material.place {
        Err(error) if is_link(context) => {
            DoctorResult::one(Fault::new(first_line(error), format!("ls -l {}", quote(&named(context)))))
        }
        Ok(Some(_)) => DoctorResult::FINE,
        _ => DoctorResult::Absent,
    }
}

/// Returns the file that the caller named, or `plan.md`.
fn named(context: &Context<'_>) -> String {
    context.file.unwrap_or(Path::new("plan.md")).to_string_lossy().into_owned()
}

fn is_link(context: &Context<'_>) -> bool {
    fs::symlink_metadata(context.cwd.join(named(context))).is_ok_and(|meta| meta.is_symlink())
}

pub(super) fn not_text(context: &Context<'_>) -> DoctorResult {
    let Some(Ok(source)) = &context.material.source else { return DoctorResult::Absent };
    match context.unread {
        Some(error) if parse::conflict(source).is_none() => {
            DoctorResult::one(Fault::new(first_line(error), "plan undo --list"))
        }
        _ => DoctorResult::FINE,
    }
}

pub(super) fn same_id(context: &Context<'_>) -> DoctorResult {
    of_lint(context, &["duplicate-id"], |_| "plan lint".to_owned(), false)
}

pub(super) fn goal_id(context: &Context<'_>) -> DoctorResult {
    // In contract mode a new id is a change of the contract, which needs a reason and an approval.
    let is_free = context.plan.is_some_and(is_free);
    let command = if is_free { "plan lint --fix" } else { "plan lint --fix --because \"goals need ids\"" };
    of_lint(context, &["no-id", "bad-id"], |_| command.to_owned(), is_free)
}

/// Returns whether the plan may be changed without an approval.
pub(super) fn is_free(plan: &Plan<'_>) -> bool {
    rules::state(plan) == PlanState::Guide
}

pub(super) fn step_number(context: &Context<'_>) -> DoctorResult {
    let is_number = |change: &Change| matches!(change, Change::AddNumber { .. });
    let is_fixable = context.plan.is_some_and(|plan| is_free(plan) && lint::fixes(plan).iter().any(is_number));
    let command = if is_fixable { "plan lint --fix" } else { "plan lint" };
    of_lint(context, &["step-number-twice"], |_| command.to_owned(), is_fixable)
}

pub(super) fn needs(context: &Context<'_>) -> DoctorResult {
    of_lint(context, &["needs-unknown", "needs-itself", "needs-cycle"], |_| "plan lint".to_owned(), false)
}

/// Returns the findings of `plan lint` with one of these codes, as one fault.
fn of_lint(
    context: &Context<'_>,
    codes: &[&str],
    command: impl Fn(&LintFinding) -> String,
    is_fixable: bool,
) -> DoctorResult {
    let Some(plan) = context.plan else { return DoctorResult::Absent };
    let mut found = context.lint.iter().filter(|finding| codes.contains(&finding.code));
    let Some(first) = found.next() else { return DoctorResult::FINE };
    let (line, _) = line_and_column(plan.source, first.span.start as usize);
    let more = match found.count() {
        0 => String::new(),
        more => format!(" (and {more} more)"),
    };
    let what = format!("{}:{line}: {}{more}", context.shown(), first.message);
    DoctorResult::one(Fault::new(what, command(first)).fixable(is_fixable))
}

pub(super) fn future_stamp(context: &Context<'_>) -> DoctorResult {
    let Some(plan) = context.plan else { return DoctorResult::Absent };
    let Some(now) = time(context.stamp) else { return DoctorResult::Absent };
    let is_ahead = |stamp: &str| time(stamp).is_some_and(|time| time.duration_since(now).as_hours() > APART);
    let mut ahead = plan.log.iter().filter(|entry| is_ahead(plan.text(entry.stamp)));
    DoctorResult::of(ahead.next().map(|entry| {
        let (line, _) = line_and_column(plan.source, entry.stamp.start as usize);
        let (stamp, shown) = (plan.text(entry.stamp), context.shown());
        Fault::new(format!("{shown}:{line} is stamped {stamp}, and now it is {}", context.stamp), "date")
    }))
}

/// `YYYY-MM-DD HH:MM`
fn time(stamp: &str) -> Option<DateTime> {
    DateTime::strptime("%Y-%m-%d %H:%M", stamp).ok()
}

pub(super) fn leftover(context: &Context<'_>) -> DoctorResult {
    let Some(place) = context.place() else { return DoctorResult::Absent };
    let left = store::leftovers(place);
    let Some(first) = left.first() else { return DoctorResult::FINE };
    let name = first.file_name().unwrap_or_default().to_string_lossy();
    let what = match left.len() {
        1 => format!("a killed run left `{name}`"),
        count => format!("killed runs left `{name}` and {} more", count - 1),
    };
    DoctorResult::one(Fault::new(what, "plan doctor --fix").fixable(true))
}

pub(super) fn state(context: &Context<'_>) -> DoctorResult {
    let Some(place) = context.place() else { return DoctorResult::Absent };
    let command = format!("ls -ld {}", quote(&place.state.to_string_lossy()));
    DoctorResult::of(store::look_ready(place).err().map(|error| Fault::new(first_line(&error), command)))
}

/// Returns the first line of an error, without the snippet below it.
pub(super) fn first_line(error: &Error) -> String {
    error.message.lines().next().unwrap_or_default().trim_end_matches("; nothing was written").to_owned()
}
