//! The rows of `SIGNOFF.md` §3 that add no run of verify.

use super::facts::Facts;
use super::{Finding, leads, nothing_ran, rows, trivial};
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

/// Every other row that runs nothing, those that block first.
pub fn findings(facts: &Facts<'_>) -> Vec<Finding> {
    let mut found = rows::measured(facts);
    found.sort_by_key(|finding| finding.level != super::Level::Block);
    found
}

/// `nothing-ran`.
pub(super) fn nothing_ran(facts: &Facts<'_>) -> Option<Finding> {
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
