//! `nothing-ran`: verify is green, and no test ran.

use super::Finding;
use super::facts::Facts;
use crate::lang::closing_lines;
use crate::verify::stage1::{CommandLine, Report};

/// What this row found.
pub(super) fn find(facts: &Facts<'_>) -> Option<Finding> {
    let (line, report) = facts.verify?;
    empty(line, report, facts.output)
}

/// The same for a run that was logged.
pub(super) fn empty_run(line: &CommandLine, report: &Report) -> Option<Finding> {
    empty(line, report, report.output().as_ref())
}

fn empty(line: &CommandLine, report: &Report, output: Option<&(String, bool)>) -> Option<Finding> {
    let argvs = line.sequence.argvs();
    let commands: Vec<&[&str]> = argvs.iter().map(Vec::as_slice).collect();
    let seen = match output {
        Some((output, whole)) => closing_lines::nothing_ran(&commands, output, *whole),
        None => closing_lines::nothing_ran(&commands, &report.tail.text(), !report.tail.is_cut()),
    }?;
    let (expected, resolve) = ("at least one test that runs", "make `verify` run tests that exercise the goal");
    Some(Finding::block("nothing-ran", expected, seen, resolve))
}
