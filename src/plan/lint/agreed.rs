//! Findings about a plan in contract mode: why its contract cannot be approved, and marks that were set by hand. In guide mode
//! there are none.

use super::Findings;
use crate::plan::model::{Plan, Severity};
use crate::plan::rules::{self, OddMarks, PlanState};

pub(super) fn check(plan: &Plan<'_>, found: &mut Findings) {
    if matches!(rules::state(plan), PlanState::Guide | PlanState::None) {
        return;
    }
    for finding in rules::violations(plan) {
        // Errors that guide mode has as well were reported already.
        let range = finding.span.range();
        let is_said = |old: &crate::plan::model::LintFinding| {
            old.severity == Severity::Error && range.contains(&(old.span.start as usize))
        };
        if !found.list.iter().any(is_said) {
            found.list.push(finding);
        }
    }
    for odd in rules::odd_marks(plan) {
        let (OddMarks::Unlogged(step), message) = (&odd, odd.describe(plan)) else { continue };
        let Some(line) = plan.steps.get(*step).map(|step| step.line) else { continue };
        found.warning(
            "step-unlogged",
            line,
            message,
            "set the box back to what it was; `plan step done` logs an outcome",
        );
    }
}
