//! `modes-unchecked`: failure modes without a check, in a goal without evidence.

use crate::gate::Finding;
use crate::gate::facts::Facts;

/// Returns the lead of this scan.
pub(super) fn find(facts: &Facts<'_>) -> Vec<Finding> {
    let modes = facts.goal.failure_modes();
    let open = modes.iter().filter(|mode| mode.check.is_none()).count();
    if open == 0 || !facts.evidence.is_empty() {
        return Vec::new();
    }
    let seen = format!("{open} of {} failure modes have no check, and no evidence is given", modes.len());
    let resolve = "end each failure mode with `(check: …)`, a command that fails if it is there; a judge that reads also takes \
                   evidence, a file named with `--path`";
    vec![Finding::lead("modes-unchecked", "a check or evidence for each failure mode", seen, resolve)]
}
