//! Findings about checks: a command that was meant to run and is read as words.

use super::Findings;
use crate::plan::model::{GoalRef, Key, Span, check_of};

/// A criterion or a failure mode that holds `(check:` in some spelling, and no check that is run.
pub(super) fn check(goal: GoalRef<'_, '_>, found: &mut Findings) {
    let plan = goal.plan();
    for field in [Key::DoneWhen, Key::FailureModes].into_iter().filter_map(|key| goal.field(key)) {
        let items = &plan.items[field.items.start as usize..field.items.end as usize];
        let items = items.iter().map(|item| (item.text, plan.item_text(item)));
        for (span, text) in std::iter::once((field.value, plan.field_text(field))).chain(items) {
            if check_of(&text).is_none() && means_check(&text) {
                near(span, &text, found);
            }
        }
    }
}

fn near(span: Span, text: &str, found: &mut Findings) {
    let remedy = match text.ends_with(')') {
        true => "write it as `(check: COMMAND)`, in small letters",
        false => "write `(check: COMMAND)` at the end, with nothing behind its `)`",
    };
    found.warning("near-check", span, "this command is not run: it is not written as a check", remedy);
}

/// `(check:` in any case, with space around its word.
fn means_check(text: &str) -> bool {
    text.split('(').skip(1).any(|rest| {
        let (word, _) = rest.split_once(':').unwrap_or_default();
        word.trim().eq_ignore_ascii_case("check")
    })
}
