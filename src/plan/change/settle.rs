//! Ends a step as done, skipped or failed. Every command that ends a step uses this module.

use super::Change;
use crate::plan::log::{LogLine, StepEnd};
use crate::plan::lookup::StepRef;
use crate::plan::model::{Mark, Plan};

/// Gives a step its mark and its outcome or reason, and logs it. The logged outcome of an earlier mark is removed if
/// the new mark has none.
pub fn settle(step: StepRef<'_, '_>, mark: Mark, text: Option<&str>, stamp: &str) -> Vec<Change> {
    let (plan, name) = (step.plan(), step.name());
    // The logged text of an earlier mark is not a reason for this mark.
    let told = last_line(plan, &name).filter(|_| !matches!(mark, Mark::Pending | Mark::Active));
    let stale = told.is_some() && step.outcome() == told;
    let outcome = text.map(str::to_owned).or_else(|| stale.then(String::new));
    let mut changes = vec![Change::SetMark { step: step.index(), mark, outcome }];
    let quiet = told.filter(|_| text.is_none()).map(|_| "nothing said");
    let line = |(text, end)| LogLine::Step { name: &name, end, text }.to_string();
    let text = text.or(quiet).zip(StepEnd::of(mark)).map(line);
    changes.extend(text.map(|text| Change::AppendLog { stamp: stamp.to_owned(), text }));
    changes
}

/// The text of the last log line about a step: its outcome or the reason.
fn last_line<'a>(plan: &Plan<'a>, name: &str) -> Option<&'a str> {
    plan.log_lines().rev().find_map(|(_, text)| match LogLine::parse(text)? {
        LogLine::Step { name: other, text, .. } if other == name => Some(text),
        _ => None,
    })
}
