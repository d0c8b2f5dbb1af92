//! The rows of `SIGNOFF.md` §3 that add no run of verify.

use super::facts::Facts;
use super::{
    Finding, autoload_added, base_missing, check_red, contract_changed, evidence_ignored, evidence_old, fewer_tests,
    git_hides, leads, leaves_processes, more_skips, never_red, no_change, nothing_ran, open_steps, runner_moved,
    start_missing, start_uncommitted, tree_moved, trivial, unread_item,
};
use crate::process::words::Sequence;
use crate::signoff::stage1::{Line, Report};

/// A `verify` that cannot fail: looked at before it is run, with the scripts of the repository that it runs. `read` gives a
/// file's text by its path from the plan's root.
pub fn before(line: &Line, read: &dyn Fn(&str) -> Option<String>) -> Option<Finding> {
    let argvs = line.sequence.argvs();
    let commands: Vec<&[&str]> = argvs.iter().map(Vec::as_slice).collect();
    let why = format!("`{}` {}", line.text, trivial::verify_trivial_with(&commands, read)?);
    let expected = "a command that fails as long as the goal is not reached";
    Some(Finding::block("verify-trivial", expected, why, "name a test or a script that tries what the goal asks for"))
}

/// Why a sequence cannot fail or looks at nothing, where that is so.
pub fn trivial(sequence: &Sequence) -> Option<&'static str> {
    trivial::verify_trivial(&sequence.argvs().iter().map(Vec::as_slice).collect::<Vec<_>>())
}

/// Why a verify line succeeds more often than what it runs, by its words alone: a lead.
pub fn masked(line: &str) -> Option<&'static str> {
    leads::masked(line)
}

/// Whether no state of the work could make the sequence fail, with the scripts of the repository that it runs; `read` as for
/// [`before`].
pub fn cannot_fail(sequence: &Sequence, read: &dyn Fn(&str) -> Option<String>) -> bool {
    trivial::cannot_fail(&sequence.argvs().iter().map(Vec::as_slice).collect::<Vec<_>>(), read)
}

/// Every other row, those that block first.
pub fn findings(facts: &Facts<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    found.extend(unread_item::find(facts));
    found.extend(ran_nothing(facts));
    found.extend(check_red::find(facts));
    found.extend(tree_moved::find(facts));
    found.extend(git_hides::find(facts));
    found.extend(evidence_ignored::find(facts));
    found.extend(base_missing::find(facts));
    found.extend(start_missing::find(facts));
    found.extend(start_uncommitted::find(facts));
    found.extend(no_change::find(facts));
    found.extend(contract_changed::find(facts));
    found.extend(fewer_tests::find(facts));
    found.extend(more_skips::find(facts));
    found.extend(autoload_added::find(facts));
    found.extend(runner_moved::find(facts));
    found.extend(never_red::find(facts));
    found.extend(evidence_old::find(facts));
    found.extend(leaves_processes::find(facts));
    found.extend(open_steps::find(facts));
    found.extend(leads::find(facts));
    found.sort_by_key(|finding| finding.level != super::Level::Block);
    found
}

fn ran_nothing(facts: &Facts<'_>) -> Option<Finding> {
    let (line, report) = facts.verify?;
    empty(line, report, facts.output)
}

/// `nothing-ran`, of a run that was logged.
pub(super) fn empty_run(line: &Line, report: &Report) -> Option<Finding> {
    empty(line, report, report.output().as_ref())
}

fn empty(line: &Line, report: &Report, output: Option<&(String, bool)>) -> Option<Finding> {
    let argvs = line.sequence.argvs();
    let commands: Vec<&[&str]> = argvs.iter().map(Vec::as_slice).collect();
    let seen = match output {
        Some((output, whole)) => nothing_ran::nothing_ran(&commands, output, *whole),
        None => nothing_ran::nothing_ran(&commands, &report.tail.text(), !report.tail.is_cut()),
    }?;
    Some(Finding::block("nothing-ran", "at least one test that ran", seen, "let verify run tests that try the goal"))
}
