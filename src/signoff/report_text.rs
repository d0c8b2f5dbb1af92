//! The report of a check as users read it on stdout, in rows that the terminal wraps and colours. Digests, trees and commits
//! are left out: they are in `--json`, in the log and in the record.

mod digests;
mod remedy;

pub(crate) use digests::without_digests;

use super::check::{CheckReport, Opinion, Outcome, VerifyReport};
use crate::error::Error;
use crate::gate::{GateFinding, GateLevel};
use crate::plan::model::Key;
use crate::plan::text;
use crate::plan::view::{Row, Style};
use crate::replay::Spent;
use crate::verify::check::CheckResult;
use crate::verify::stage1::{self, Ended};

/// The column of the text after a label.
const HANG: usize = 11;

/// Returns the output of `plan complete`. `again` is the command line that checks the goal again.
pub fn complete(report: &CheckReport, again: &str) -> Vec<Row> {
    let mut rows = head(report);
    let is_open = report.outcome != Outcome::Accepted;
    measured_rows(report, is_open, &mut rows);
    report.judges.iter().for_each(|judge| judge_rows(judge, &mut rows));
    if report.repeated {
        rows.push(
            labelled("judge").with(Style::Plain, "not asked: it rejected the same contract, files and evidence before"),
        );
    }
    missing_rows(&report.missing, &mut rows);
    if report.person_needed {
        rows.push(Row::new(0).with(Style::Warning, "The same work was rejected three times: a person is needed."));
    }
    if is_open {
        rows.extend(remedy::of_report(report, again));
    }
    rows
}

/// Returns the output of `plan verify`. `again` is the command line that checks the goal again.
pub fn verify(verified: &VerifyReport, again: &str) -> Vec<Row> {
    let report = &verified.check;
    let (style, mark, told) = match (verified.passed, &report.verify) {
        (true, _) => (Style::Good, "✓", "all checks pass; no judge was asked"),
        (false, None) if !report.is_blocked() => (Style::Warning, "?", "not verified: it has no `verify`"),
        (false, _) => (Style::Bad, "✗", "would be rejected"),
    };
    let mut rows = vec![goal_row(style, mark, &report.subject, &report.goal), state_row(style, told)];
    measured_rows(report, true, &mut rows);
    if !report.missing.is_empty() {
        rows.push(labelled("judge").with(Style::Plain, "checks: ").with(Style::Bad, "reject"));
        missing_rows(&report.missing, &mut rows);
    }
    rows.extend(remedy::of_verified(verified, again));
    rows
}

/// Adds what was run and found without a judge.
fn measured_rows(report: &CheckReport, is_open: bool, rows: &mut Vec<Row>) {
    let changed = |line: &String| labelled("contract").with(Style::Plain, shown(line));
    rows.extend(report.changes.iter().map(changed));
    verify_rows(report.verify.as_ref(), rows);
    gate_row(&report.gate, report.gate_spent, rows);
    check_rows(&report.checks, rows);
    if is_open {
        lacking_row(&report.lacking, rows);
    }
    finding_rows(&report.findings, rows);
    reopened_row(report, rows);
}

/// Returns the output for a check that ended in an error.
pub fn failure(error: &Error) -> Vec<Row> {
    let mut rows =
        vec![Row::new(2).with(Style::Bad, "error:").with(Style::Plain, format!(" {}", shown(&error.message)))];
    rows.extend(error.hints.iter().map(|hint| Row::new(8).with(Style::Plain, format!("  help: {}", shown(hint)))));
    rows
}

/// Returns the goal, and below it the outcome with its reason.
fn head(report: &CheckReport) -> Vec<Row> {
    let (style, mark, word) = match report.outcome {
        Outcome::Accepted => (Style::Good, "✓", "signed off"),
        Outcome::Rejected => (Style::Bad, "✗", "rejected"),
        Outcome::Inconclusive => (Style::Warning, "?", "inconclusive"),
    };
    let state = state_row(style, word);
    vec![
        goal_row(style, mark, &report.subject, &report.goal),
        match report.outcome {
            Outcome::Accepted => state,
            Outcome::Rejected => state.with(Style::Plain, format!(": {}", reason(report))),
            Outcome::Inconclusive => {
                state.with(Style::Plain, format!(": {}; the goal stays as it was", reason(report)))
            }
        },
    ]
}

/// `✗ Implement cache layer                     cache-layer-1`, as in the list of goals.
fn goal_row(style: Style, mark: &str, subject: &str, goal: &str) -> Row {
    let id = Some(goal).filter(|goal| *goal != subject);
    Row::new(2).with(style, mark).with(Style::Title, format!(" {subject}")).right(id)
}

fn state_row(style: Style, word: &str) -> Row {
    Row::new(2).with(Style::Plain, "  ").with(style, word)
}

/// Returns the reason in few words. What the gate saw is printed below it.
fn reason(report: &CheckReport) -> String {
    match report.block().filter(|_| report.reason.starts_with("gate ")) {
        Some(finding) => format!("gate {}", finding.code),
        None => match report.reason.strip_prefix("oracle ") {
            Some(judge) => format!("judge {}", shown(judge)),
            None => shown(&report.reason),
        },
    }
}

/// `  verify   `
fn labelled(label: &str) -> Row {
    Row::new(HANG).with(Style::Dim, format!("  {label:<9}"))
}

fn below() -> Row {
    Row::new(HANG).with(Style::Plain, format!("{:HANG$}", ""))
}

/// Returns a text as one line, without digests.
fn shown(text: &str) -> String {
    without_digests(&text::one_line(text))
}

fn verify_rows(report: Option<&stage1::Report>, rows: &mut Vec<Row>) {
    let Some(report) = report else { return };
    let style = if report.is_green() { Style::Good } else { Style::Bad };
    let after = match &report.ended {
        // The reasons of these name the time, or no time passed.
        Ended::TimedOut { .. } | Ended::Unstartable { .. } => String::new(),
        _ => format!(" after {:.1} s", report.seconds),
    };
    let line = text::one_line(&report.line);
    rows.push(labelled("verify").with(style, report.reason()).with(Style::Plain, format!("{after}: {line}")));
    if !report.is_green() {
        let tail = if report.tail.bytes.is_empty() { report.last_line() } else { report.tail_text() };
        rows.extend(tail.lines().map(|line| {
            let line = line.replace('\t', "    ");
            Row::new(6).with(Style::Dim, "    | ").with(Style::Plain, line)
        }));
    }
}

/// Adds how much of the gate ran, if it ran verify again.
fn gate_row(gate: &str, spent: Spent, rows: &mut Vec<Row>) {
    if spent.runs > 0 {
        let runs = text::counted(spent.runs, "more run");
        let told = format!("{gate} after {:.1} s: {runs} of verify", spent.seconds);
        rows.push(labelled("gate").with(Style::Plain, told));
    }
}

/// Adds the checks that passed; the others are findings.
fn check_rows(checks: &[CheckResult], rows: &mut Vec<Row>) {
    for check in checks.iter().filter(|check| check.passed) {
        let line = text::one_line(&check.command);
        rows.push(labelled("check").with(Style::Good, &check.end).with(Style::Plain, format!(": {line}")));
    }
}

/// Adds each finding once, with its remedy.
fn finding_rows(findings: &[GateFinding], rows: &mut Vec<Row>) {
    for finding in findings {
        let (label, style) = match finding.level {
            GateLevel::Block => ("block", Style::Bad),
            GateLevel::Lead => ("lead", Style::Dim),
            GateLevel::Note => ("note", Style::Dim),
        };
        let line = shown(&finding.line());
        let told = line.strip_prefix(finding.code).unwrap_or(&line).to_owned();
        let row = Row::new(HANG).with(style, format!("  {label:<9}")).with(Style::Plain, finding.code);
        rows.push(row.with(Style::Plain, told));
        if finding.level == GateLevel::Block {
            rows.push(below().with(Style::Plain, format!("expected {}", shown(&finding.expected))));
        }
        if finding.level != GateLevel::Note {
            rows.push(below().with(Style::Plain, format!("to resolve: {}", shown(&finding.resolve))));
        }
    }
}

/// Adds the fields that the goal lacks, before any finding.
fn lacking_row(lacking: &[Key], rows: &mut Vec<Row>) {
    let fields: Vec<String> = lacking.iter().map(|key| format!("no `{}`", key.word())).collect();
    if !fields.is_empty() {
        let told = format!("the goal has {}", fields.join(" and "));
        rows.push(labelled("missing").with(Style::Plain, told));
    }
}

/// Adds the way out of a block if nothing is left to do. The findings are then about work that was signed off before.
fn reopened_row(report: &CheckReport, rows: &mut Vec<Row>) {
    if report.is_reopened && report.is_blocked() {
        let told = "it was signed off, then reopened: only the work since then counts. If nothing is left to do: `plan undo \
                    --list` shows the version from before, and `plan undo N` brings it back";
        rows.push(labelled("note").with(Style::Plain, told));
    }
}

fn missing_rows(missing: &[String], rows: &mut Vec<Row>) {
    let row = |text: &String| Row::new(9).with(Style::Bad, "missing:").with(Style::Plain, format!(" {}", shown(text)));
    rows.extend(missing.iter().map(row));
}

fn judge_rows(opinion: &Opinion, rows: &mut Vec<Row>) {
    let judged = &opinion.judged;
    let style = match opinion.outcome {
        "accept" => Style::Good,
        "reject" => Style::Bad,
        _ => Style::Warning,
    };
    let model = judged.model.as_ref().map(|model| format!(", {model}")).unwrap_or_default();
    let process =
        judged.prompt.as_ref().map(|_| format!(" {}", shown(&format!("(sandbox {}{model})", judged.sandbox))));
    let process = process.unwrap_or_default();
    let row = labelled("judge").with(Style::Plain, format!("{}: ", shown(&judged.judge))).with(style, opinion.outcome);
    rows.push(row.with(Style::Plain, process));
    let mut remark = |text: String| rows.push(below().with(Style::Plain, text));
    for (id, answer) in &judged.answers {
        remark(format!("{id}  {}", text::one_line(answer)));
    }
    if let Some(why) = opinion.callers.as_ref().filter(|_| opinion.outcome == "accept") {
        remark(format!("note: named by its caller: {}", shown(why)));
    }
    if !judged.redirected.is_empty() {
        remark(format!("note: the environment may have redirected it: {}", judged.redirected.join(", ")));
    }
    for note in &judged.notes {
        remark(format!("note: {}", text::one_line(note)));
    }
}

#[cfg(test)]
mod tests;
