//! The one command that a report ends with, on a line of its own.

use super::super::advice;
use super::super::check::{CheckReport, Opinion, Outcome, VerifyReport};
use crate::plan::model::Key;
use crate::plan::view::{Row, Style};
use crate::shell::strict;

const FULL: &str = " --gate full";

/// Returns the end of a report without a sign-off.
pub(super) fn of_report(report: &CheckReport, again: &str) -> Vec<Row> {
    match report.outcome {
        Outcome::Rejected => mend(blocked(report).or_else(|| of_checks(report)), again),
        Outcome::Inconclusive => end("To try again:", again),
        Outcome::Accepted => mend(None, again),
    }
}

/// Returns the end of a rehearsal's report.
pub(super) fn of_verified(verified: &VerifyReport, again: &str) -> Vec<Row> {
    let report = &verified.check;
    if verified.passed {
        // The sign-off keeps everything that the caller gave, except a smaller gate.
        let complete = without_fast_gate(again).replacen("plan verify ", "plan complete ", 1);
        return if verified.is_finished { Vec::new() } else { end("Next:", &complete) };
    }
    let mends = match report.is_blocked() {
        false if report.verify.is_none() => advice::completing(&report.goal, &report.lacking),
        _ => blocked(report).or_else(|| missed(report)),
    };
    mend(mends, again)
}

/// Returns the command that fixes it. Without such a command, a person must fix it, and then check again.
fn mend(mends: Option<String>, again: &str) -> Vec<Row> {
    match mends {
        // The same check again, with the whole gate, and with the judges and evidence that the caller gave.
        Some(command) if command.starts_with("plan complete ") && command.ends_with(FULL) => {
            end("To fix it:", &(without_fast_gate(again).to_owned() + FULL))
        }
        Some(command) => match advice::to_fill_in(&command) {
            Some(filling) => end(&format!("To fix it, {filling}:"), &command),
            None => end("To fix it:", &command),
        },
        None => end("When it is fixed:", again),
    }
}

fn without_fast_gate(command: &str) -> &str {
    command.strip_suffix(" --gate fast").unwrap_or(command)
}

fn end(what: &str, command: &str) -> Vec<Row> {
    vec![Row::new(0), Row::new(0).with(Style::Dim, what), Row::command(2, command)]
}

/// Returns the command that resolves a block. A goal without `verify` gets its missing fields first: nothing else leads to a sign-off.
fn blocked(report: &CheckReport) -> Option<String> {
    let block = report.block()?;
    let completing = advice::completing(&report.goal, &report.lacking);
    completing.filter(|_| report.lacking.contains(&Key::Verify)).or_else(|| unconditional(&block.resolve))
}

/// Returns the command for what the judge `checks` found missing. No command is taken from a model's text, because others wrote it.
fn of_checks(report: &CheckReport) -> Option<String> {
    let is_checks = |judge: &&Opinion| judge.judged.judge.split(" (").next() == Some("checks");
    report.judges.iter().find(|judge| judge.outcome == "reject").filter(is_checks)?;
    advice::completing(&report.goal, &report.lacking)
        .filter(|_| report.lacking.contains(&Key::Verify))
        .or_else(|| missed(report))
}

fn missed(report: &CheckReport) -> Option<String> {
    report.missing.iter().find_map(|missing| match missing.strip_prefix("open lead: ") {
        Some(brief) => {
            let lead = report.findings.iter().find(|finding| finding.brief() == brief)?;
            unconditional(&lead.resolve)
        }
        None => command_in(missing),
    })
}

/// Returns the command that a remedy begins with. A command after a condition (`if the goal itself asks for it: …`) is only for
/// users whom the condition fits.
fn unconditional(resolve: &str) -> Option<String> {
    resolve.starts_with('`').then(|| command_in(resolve)).flatten()
}

/// Returns the first command between backticks that can be pasted.
fn command_in(text: &str) -> Option<String> {
    let is_command =
        |part: &&str| (part.starts_with("plan ") || part.starts_with("git ")) && strict::split(part).is_ok();
    text.split('`').skip(1).step_by(2).find(is_command).map(str::to_owned)
}
