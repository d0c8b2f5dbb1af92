//! `verify-leaves-processes`: verify exited 0 and left processes running, which `plan` stopped.

use super::Finding;
use super::facts::Facts;

/// Returns the lead, if there is one.
pub(super) fn find(facts: &Facts<'_>) -> Option<Finding> {
    let (_, report) = facts.verify?;
    let seen = "verify left processes running; they were stopped";
    let (expected, resolve) = ("a verify that stops every process it starts", "make verify wait for them or stop them");
    report.left_processes.then(|| Finding::lead("verify-leaves-processes", expected, seen, resolve))
}
