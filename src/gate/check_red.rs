//! `check-red`, `check-unresolved`: a `(check: …)` does not rule out its failure mode. A check that exits with another
//! code than 0 found the failure; a check that could not run to its end says nothing.

use super::Finding;
use super::facts::Facts;

/// Returns a finding for each check that did not pass.
pub(super) fn find(facts: &Facts<'_>) -> Vec<Finding> {
    let checks = facts.modes.iter().enumerate().filter_map(|(at, mode)| Some((at + 1, mode.check.as_ref()?)));
    checks
        .filter(|(_, check)| !check.passed)
        .map(|(number, check)| {
            let seen = format!("F{number} is not ruled out: `{}` {}", check.command, check.end);
            let expected = "every `(check: …)` to exit 0";
            match check.red {
                true => Finding::block("check-red", expected, seen, "fix what the check found, or fix the check"),
                false => Finding::lead("check-unresolved", expected, seen, "make the check run to its end"),
            }
        })
        .collect()
}
