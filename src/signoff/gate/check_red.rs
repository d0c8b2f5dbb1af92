//! `check-red`, `check-unresolved`: failure modes that their own `(check: …)` does not rule out. A command that ran and did not
//! exit 0 says that what it looks for is there; one that could not run to its end says nothing.

use super::Finding;
use super::facts::Facts;

/// What this check found.
pub(super) fn find(facts: &Facts<'_>) -> Vec<Finding> {
    let checks = facts.modes.iter().enumerate().filter_map(|(at, mode)| Some((at + 1, mode.check.as_ref()?)));
    checks
        .filter(|(_, check)| !check.passed)
        .map(|(number, check)| {
            let seen = format!("F{number} is not ruled out: `{}` {}", check.command, check.end);
            let expected = "each `(check: …)` exits 0";
            match check.red {
                true => Finding::block("check-red", expected, seen, "mend what the check found, or the check"),
                false => Finding::lead("check-unresolved", expected, seen, "let the check run to its end"),
            }
        })
        .collect()
}
