//! `modes-unchecked`: failure modes that nothing measured speaks to: no check of their own, and no evidence.

use crate::signoff::gate::Finding;
use crate::signoff::gate::facts::Facts;

/// What this scan found.
pub(super) fn find(facts: &Facts<'_>) -> Vec<Finding> {
    let modes = facts.goal.failure_modes();
    let open = modes.iter().filter(|mode| mode.check.is_none()).count();
    if open == 0 || !facts.evidence.is_empty() {
        return Vec::new();
    }
    let seen = format!("{open} of {} failure modes have no check, and no evidence is given", modes.len());
    let resolve = "give evidence with `--path`, or a command: `- what could be wrong (check: …)`";
    vec![Finding::lead("modes-unchecked", "something measured for each failure mode", seen, resolve)]
}
