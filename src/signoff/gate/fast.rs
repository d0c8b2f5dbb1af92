//! The rows of `SIGNOFF.md` §3 that add no run of verify.

use super::facts::Facts;
use super::{
    Finding, autoload_added, base_missing, contract_changed, evidence_ignored, evidence_old, fewer_tests, git_hides,
    leaves_processes, more_skips, never_red, no_change, nothing_ran, open_steps, runner_moved, start_missing,
    tree_moved, trivial,
};
use crate::process::words::Sequence;
use crate::signoff::stage1::Line;

/// A `verify` that cannot fail: looked at before it is run.
pub fn before(line: &Line) -> Option<Finding> {
    let why = format!("`{}` {}", line.text, trivial(&line.sequence)?);
    let expected = "a command that fails as long as the goal is not reached";
    Some(Finding::block("verify-trivial", expected, why, "name a test or a script that tries what the goal asks for"))
}

/// Why a sequence cannot fail or looks at nothing, where that is so.
pub fn trivial(sequence: &Sequence) -> Option<&'static str> {
    trivial::verify_trivial(&argvs(sequence).iter().map(Vec::as_slice).collect::<Vec<_>>())
}

/// Whether no state of the work could make the sequence fail.
pub fn cannot_fail(sequence: &Sequence) -> bool {
    trivial::cannot_fail(&argvs(sequence).iter().map(Vec::as_slice).collect::<Vec<_>>())
}

/// Every other row, those that block first.
pub fn findings(facts: &Facts<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    found.extend(ran_nothing(facts));
    found.extend(tree_moved::find(facts));
    found.extend(git_hides::find(facts));
    found.extend(evidence_ignored::find(facts));
    found.extend(base_missing::find(facts));
    found.extend(start_missing::find(facts));
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
    found.sort_by_key(|finding| finding.level != super::Level::Block);
    found
}

/// The argv lists of a sequence.
pub fn argvs(sequence: &Sequence) -> Vec<Vec<&str>> {
    sequence.commands.iter().map(|command| command.words.iter().map(|word| word.text.as_str()).collect()).collect()
}

fn ran_nothing(facts: &Facts<'_>) -> Option<Finding> {
    let (line, report) = facts.verify?;
    let argvs = argvs(&line.sequence);
    let commands: Vec<&[&str]> = argvs.iter().map(Vec::as_slice).collect();
    let seen = match facts.output {
        Some((output, whole)) => nothing_ran::nothing_ran(&commands, output, *whole),
        None => nothing_ran::nothing_ran(&commands, &report.tail.text(), !report.tail.is_cut()),
    }?;
    Some(Finding::block("nothing-ran", "at least one test that ran", seen, "let verify run tests that try the goal"))
}
