//! The log lines that `plan` writes about goals and steps, as `CLI.md` has them. Those that tell how a check ended are the
//! sign-off room's. What is written here is what [`super::read_line`] reads.

use crate::plan::model::{Mark, Status};

/// What a start records: contract, commit and tree as 12 digits or `none`, and how verify was seen.
#[derive(Clone, Copy, Debug)]
pub struct Start<'s> {
    /// Of the goal contract.
    pub contract: &'s str,
    /// The commit, with `+` where the files are not its.
    pub at: &'s str,
    /// The tree.
    pub tree: &'s str,
    /// `red exit 1`, `green`, `unstartable`, `none`.
    pub verify: &'s str,
}

/// `<id> added (contract <digest>)`
pub fn added(id: &str, contract: &str) -> String {
    format!("{id} added (contract {contract})")
}

/// `<id> started (contract <digest>, at <commit>, tree <digest>, verify red exit 1)`
pub fn started(id: &str, start: &Start<'_>) -> String {
    let Start { contract, at, tree, verify } = start;
    format!("{id} started (contract {contract}, at {at}, tree {tree}, verify {verify})")
}

/// `<id> amended (loosened: failure mode dropped; contract <old> -> <new>)`
pub fn amended(id: &str, what: &str, old: &str, new: &str) -> String {
    format!("{id} amended ({what}; contract {old} -> {new})")
}

/// `<id> reopened (was done)`
pub fn reopened(id: &str, was: Status) -> String {
    format!("{id} reopened (was {})", was.word())
}

/// `<id> reopened (merge: signed off for contract <old>, now <new>)`
pub fn reopened_by_merge(id: &str, old: &str, new: &str) -> String {
    format!("{id} reopened (merge: signed off for contract {old}, now {new})")
}

/// `<id> cancelled: <reason>`
pub fn cancelled(id: &str, reason: &str) -> String {
    format!("{id} cancelled: {reason}")
}

/// `paused: <reason>`
pub fn paused(reason: &str) -> String {
    format!("paused: {reason}")
}

/// `plan approved by <name> via terminal|--yes|reply (contract <digest>, steps to 12)`
pub fn approved(name: &str, how: &str, contract: &str, steps: u32) -> String {
    format!("plan approved by {name} via {how} (contract {contract}, steps to {steps})")
}

/// `step 3 complete: <outcome>`; a start leaves no line.
pub fn step(name: &str, mark: Mark, outcome: &str) -> Option<String> {
    let word = match mark {
        Mark::Complete => "complete",
        Mark::Failed => "failed",
        Mark::Skipped => "skipped",
        Mark::Pending => "retried",
        Mark::Active => return None,
    };
    Some(format!("step {name} {word}: {outcome}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::rules::{What, is_plan_line, read_line};

    const OLD: &str = "0123456789ab";
    const NEW: &str = "ba9876543210";

    // CLI.md, "Log lines that plan writes"
    #[test]
    fn lines_about_goals_are_exact_and_are_read_as_what_they_say() {
        let start = Start { contract: OLD, at: "89abcdef0123+", tree: NEW, verify: "red exit 1" };
        for (line, expected, what) in [
            (added("a-1", OLD), "a-1 added (contract 0123456789ab)", What::Added(OLD)),
            (
                started("a-1", &start),
                "a-1 started (contract 0123456789ab, at 89abcdef0123+, tree ba9876543210, verify red exit 1)",
                What::Started(OLD),
            ),
            (
                amended("a-1", "loosened: failure mode dropped", OLD, NEW),
                "a-1 amended (loosened: failure mode dropped; contract 0123456789ab -> ba9876543210)",
                What::Amended(NEW),
            ),
            (reopened("a-1", Status::Done), "a-1 reopened (was done)", What::Reopened),
            (
                reopened_by_merge("a-1", OLD, NEW),
                "a-1 reopened (merge: signed off for contract 0123456789ab, now ba9876543210)",
                What::Reopened,
            ),
            (cancelled("a-1", "too dear: later"), "a-1 cancelled: too dear: later", What::Cancelled),
        ] {
            assert_eq!(line, expected);
            let said = read_line(&line).unwrap();
            assert_eq!((said.id, said.what), ("a-1", what), "{line}");
            assert!(is_plan_line(&line), "{line}");
        }
    }

    #[test]
    fn lines_about_steps_are_exact_and_cannot_be_logged_by_hand() {
        for (mark, expected) in [
            (Mark::Complete, Some("step 3 complete: pool of 8")),
            (Mark::Failed, Some("step 3 failed: pool of 8")),
            (Mark::Skipped, Some("step 3 skipped: pool of 8")),
            (Mark::Pending, Some("step 3 retried: pool of 8")),
            (Mark::Active, None),
        ] {
            let line = step("3", mark, "pool of 8");
            assert_eq!(line.as_deref(), expected);
            assert!(line.is_none_or(|line| is_plan_line(&line)));
        }
        assert!(is_plan_line(&step("cache-layer-1.2", Mark::Failed, "x").unwrap()));
    }
}
