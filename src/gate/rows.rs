//! The rows of the gate, in the order in which they run. Each entry is a row: a row that is not in the table does not
//! run, and the compiler warns about its module.

use super::facts::Facts;
use super::full::probe::Probe;
use super::full::row_result::{EarlyEnd, RowResult};
use super::{
    Finding, alone, approved_tests_red, autoload_added, base_merged, base_missing, canary_survived, check_red,
    clean_replay_red, contract_changed, evidence_ignored, evidence_old, fewer_tests, git_hides, imports_tests,
    integrity, leads, leaves_processes, more_skips, never_red, no_change, no_mutant_killed, no_waits, nothing_ran,
    open_steps, runner_moved, settings_only, start_missing, start_uncommitted, subject_spoiled, suppressed, tree_moved,
    unread_item,
};

/// A row of `SIGNOFF.md` §3.
pub(super) struct Row {
    /// The code of its findings; some rows have a second code for a lead.
    pub(super) code: &'static str,
    /// How the row works, which also decides at which depth it runs.
    pub(super) look: Look,
}

/// How a row works.
pub(super) enum Look {
    /// From facts that were measured already, at every depth.
    One(fn(&Facts<'_>) -> Option<Finding>),
    /// The same, for a row with several findings.
    Many(fn(&Facts<'_>) -> Vec<Finding>),
    /// By running verify again. These rows stand in the order of what they stop per second (`docs/gate.md`), so the
    /// budget cuts off the least effective ones.
    Runs(Runs),
}

/// A row that runs verify.
pub(super) type Runs = fn(&mut Probe<'_, '_>) -> Result<RowResult, EarlyEnd>;

const fn one(code: &'static str, look: fn(&Facts<'_>) -> Option<Finding>) -> Row {
    Row { code, look: Look::One(look) }
}

const fn many(code: &'static str, look: fn(&Facts<'_>) -> Vec<Finding>) -> Row {
    Row { code, look: Look::Many(look) }
}

const fn runs(code: &'static str, look: Runs) -> Row {
    Row { code, look: Look::Runs(look) }
}

/// All rows.
pub(super) const ROWS: [Row; 33] = [
    many("unread-item", unread_item::find),
    one("nothing-ran", nothing_ran::find),
    many("check-red", check_red::find),
    one("tree-moved", tree_moved::find),
    many("git-hides", git_hides::find),
    many("evidence-ignored", evidence_ignored::find),
    one("base-merged", base_merged::find),
    one("base-missing", base_missing::find),
    one("start-missing", start_missing::find),
    one("start-uncommitted", start_uncommitted::find),
    one("no-change", no_change::find),
    many("contract-changed", contract_changed::find),
    one("fewer-tests", fewer_tests::find),
    one("more-skips", more_skips::find),
    many("autoload-added", autoload_added::find),
    many("runner-moved", runner_moved::find),
    many("imports-tests", imports_tests::find),
    one("never-red", never_red::find),
    many("evidence-stale", evidence_old::find),
    one("verify-leaves-processes", leaves_processes::find),
    one("open-steps", open_steps::find),
    many("leads", leads::find),
    runs("approved-tests-red", approved_tests_red::row),
    runs("never-red", never_red::row),
    runs("settings-only", settings_only::row),
    runs("subject-spoiled", subject_spoiled::row),
    runs("suppressed", suppressed::row),
    runs("no-waits", no_waits::row),
    runs("integrity", integrity::row),
    runs("alone", alone::row),
    runs("canary-survived", canary_survived::row),
    runs("no-mutant-killed", no_mutant_killed::row),
    runs("clean-replay-red", clean_replay_red::row),
];

/// The findings of the rows that run nothing, in their order.
pub(super) fn measured(facts: &Facts<'_>) -> Vec<Finding> {
    let look = |row: &Row| match row.look {
        Look::One(look) => look(facts).into_iter().collect(),
        Look::Many(look) => look(facts),
        Look::Runs(_) => Vec::new(),
    };
    ROWS.iter().flat_map(look).collect()
}

/// The rows that run verify, in their order.
pub(super) fn rows_running_verify() -> impl Iterator<Item = (&'static str, Runs)> {
    ROWS.iter().filter_map(|row| match row.look {
        Look::Runs(look) => Some((row.code, look)),
        Look::One(_) | Look::Many(_) => None,
    })
}
