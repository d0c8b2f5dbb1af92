//! The table of all rows of the gate, in the order in which they run. A row that is not in the table does not run, and
//! the compiler warns that its function is unused.

use self::RowFunction::{Many, One, Runs};
use super::facts::GateFacts;
use super::full::row::{EarlyEnd, Probe, RowResult};
use super::{
    GateFinding, GateLevel, alone, approved_tests_red, autoload_added, canary_survived, clean_replay_red,
    contract_changed, evidence, git_hides, imports_tests, integrity, is_left_out, items, leads, never_red, no_change,
    no_mutant_killed, no_waits, runner_moved, settings_only, start, subject_spoiled, suppressed, test_aware,
    test_counts, verify_run,
};

/// How a row finds its result, which also decides at which depth it runs.
enum RowFunction {
    /// From facts that are already measured, at every depth.
    One(fn(&GateFacts<'_>) -> Option<GateFinding>),
    /// The same, for a row with several findings.
    Many(fn(&GateFacts<'_>) -> Vec<GateFinding>),
    /// By running verify again. These rows are ordered by how much they stop per second (`docs/gate.md`), so that the
    /// budget cuts off the least effective ones.
    Runs(RunsVerify),
}

pub(super) type RunsVerify = fn(&mut Probe<'_, '_>) -> Result<RowResult, EarlyEnd>;

/// The rows of `SIGNOFF.md` §3, each with the code of its findings; some have a second code for a lead.
const ROWS: [(&str, RowFunction); 34] = [
    ("unread-item", Many(items::unread)),
    ("nothing-ran", One(verify_run::nothing_ran)),
    ("check-red", Many(items::red_checks)),
    ("tree-moved", One(verify_run::tree_moved)),
    ("git-hides", Many(git_hides::find)),
    ("evidence-ignored", Many(evidence::ignored)),
    ("base-merged", One(start::base_merged)),
    ("base-missing", One(start::base_missing)),
    ("start-missing", One(start::missing)),
    ("start-uncommitted", One(start::uncommitted)),
    ("no-change", One(no_change::find)),
    ("contract-changed", Many(contract_changed::find)),
    ("fewer-tests", One(|facts| test_counts::compared(facts, test_counts::fewer))),
    ("more-skips", One(|facts| test_counts::compared(facts, test_counts::skipped))),
    ("autoload-added", Many(autoload_added::find)),
    ("runner-moved", Many(runner_moved::find)),
    ("imports-tests", Many(imports_tests::find)),
    ("never-red", One(never_red::find)),
    ("evidence-stale", Many(evidence::old)),
    ("verify-leaves-processes", One(verify_run::leaves_processes)),
    ("open-steps", One(items::open_steps)),
    ("leads", Many(leads::find)),
    ("approved-tests-red", Runs(approved_tests_red::row)),
    ("never-red", Runs(never_red::row)),
    ("settings-only", Runs(settings_only::row)),
    ("subject-spoiled", Runs(subject_spoiled::row)),
    ("suppressed", Runs(suppressed::row)),
    ("no-waits", Runs(no_waits::row)),
    ("test-aware", Runs(test_aware::row)),
    ("integrity", Runs(integrity::row)),
    ("alone", Runs(alone::row)),
    ("canary-survived", Runs(canary_survived::row)),
    ("no-mutant-killed", Runs(no_mutant_killed::row)),
    ("clean-replay-red", Runs(clean_replay_red::row)),
];

/// Returns the findings of the rows that do not run verify again, blocking ones first, otherwise in the order of the table.
pub fn findings(facts: &GateFacts<'_>) -> Vec<GateFinding> {
    let look = |(_, look): &(&str, RowFunction)| match look {
        One(look) => look(facts).into_iter().collect(),
        Many(look) => look(facts),
        Runs(_) => Vec::new(),
    };
    let mut found: Vec<GateFinding> = ROWS.iter().flat_map(look).collect();
    found.retain(|finding| !is_left_out(finding.code));
    found.sort_by_key(|finding| finding.level != GateLevel::Block);
    found
}

pub(super) fn rows_running_verify() -> impl Iterator<Item = (&'static str, RunsVerify)> {
    ROWS.iter().filter_map(|(code, look)| match look {
        Runs(look) => Some((*code, *look)),
        One(_) | Many(_) => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = include_str!("../../docs/gate.md");

    /// The words in backquotes of a text.
    fn quoted(text: &str) -> Vec<&str> {
        text.split('`').skip(1).step_by(2).collect()
    }

    #[test]
    fn each_row_has_a_line_in_the_table_of_the_docs() {
        let table = PAGE.split("## What each row catches").nth(1).and_then(|rest| rest.split("\n## ").next());
        let cells = table.unwrap_or_default().lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
        let described: Vec<&str> = cells.flat_map(quoted).collect();
        let missing: Vec<&str> = ROWS.iter().map(|(code, _)| *code).filter(|code| !described.contains(code)).collect();
        assert_eq!(missing, [""; 0], "rows without a line in the table of docs/gate.md, \"What each row catches\"");
    }

    #[test]
    fn the_docs_list_the_rows_that_run_verify_in_their_order() {
        let rows: Vec<&str> = rows_running_verify().map(|(code, _)| code).collect();
        let list =
            PAGE.split("rows run `verify` again, in this order: ").nth(1).and_then(|rest| rest.split('.').next());
        assert_eq!(quoted(list.unwrap_or_default()), rows, "the list at the top of docs/gate.md");
        assert!(PAGE.contains(&format!("`gate 0 of {}`", rows.len())), "the number of rows in docs/gate.md");
    }
}
