//! A check's report as a person reads it.

use super::check::{Opinion, Outcome, Report, Verified};
use super::gate::full::Spent;
use super::gate::{Finding, Level};
use super::judge::case::Check;
use super::stage1;

/// What `plan complete` prints.
pub fn sheet(report: &Report) -> String {
    let mut text = head(report);
    verify_lines(report.verify.as_ref(), &mut text);
    gate_line(&report.gate, report.gate_spent, &mut text);
    check_lines(&report.checks, &mut text);
    finding_lines(&report.findings, &mut text);
    report.judges.iter().for_each(|judge| judge_lines(judge, &mut text));
    if report.outcome == Outcome::Accepted {
        text += &format!("  record   contract {}, tree {}, at {}\n", report.contract, report.tree, report.at);
        if let Some(attestation) = &report.attestation {
            text += &format!("           {attestation}\n");
        }
    }
    if report.repeated {
        text += "  judge    not asked: it rejected this very contract, tree and evidence before\n";
    }
    for missing in &report.missing {
        text += &format!("missing: {missing}\n");
    }
    if report.person_needed {
        text += "The same work was rejected three times: a person is needed.\n";
    }
    text
}

fn head(report: &Report) -> String {
    let Report { goal, subject, reason, .. } = report;
    match report.outcome {
        Outcome::Accepted => format!("✓ {goal} signed off: {subject}\n"),
        Outcome::Rejected => format!("✗ {goal} rejected: {reason}\n"),
        Outcome::Inconclusive => format!("? {goal} inconclusive: {reason}\n  The goal stays as it was.\n"),
    }
}

/// What `plan verify` prints.
pub fn verify(verified: &Verified) -> String {
    let mut text = String::new();
    let goal = &verified.goal;
    text += &match (verified.passed, &verified.verify) {
        (true, _) => format!("✓ {goal}: all checks pass; no judge was asked\n"),
        (false, None) if !verified.is_blocked() => {
            format!(
                "? {goal}: not verified, it has no `verify`; `plan goal set {goal} --verify 'COMMAND'` gives it one\n"
            )
        }
        (false, _) => format!("✗ {goal}\n"),
    };
    verify_lines(verified.verify.as_ref(), &mut text);
    gate_line(&verified.gate, verified.gate_spent, &mut text);
    check_lines(&verified.checks, &mut text);
    finding_lines(&verified.findings, &mut text);
    text
}

fn verify_lines(report: Option<&stage1::Report>, text: &mut String) {
    let Some(report) = report else { return };
    let state = if report.is_green() { "green".to_owned() } else { report.reason() };
    *text += &format!("  verify   {state} after {:.1} s: {}\n", report.seconds, report.line);
    if !report.is_green() {
        let shown = if report.tail.bytes.is_empty() { report.last_line() } else { report.tail_text() };
        for line in shown.lines() {
            *text += &format!("    | {line}\n");
        }
    }
}

/// How much of the gate ran, where it ran verify again.
fn gate_line(gate: &str, spent: Spent, text: &mut String) {
    if spent.runs > 0 {
        *text += &format!("  gate     {gate} after {:.1} s: {} more runs of verify\n", spent.seconds, spent.runs);
    }
}

/// The checks that passed; the others are findings.
fn check_lines(checks: &[Check], text: &mut String) {
    for check in checks.iter().filter(|check| check.passed) {
        *text += &format!("  check    {}: {}\n", check.end, check.command);
    }
}

/// Each once, with what resolves it.
fn finding_lines(findings: &[Finding], text: &mut String) {
    for finding in findings {
        let word = match finding.level {
            Level::Block => "gate    ",
            Level::Lead => "lead    ",
            Level::Note => "note    ",
        };
        *text += &format!("  {word} {}\n", finding.line());
        *text += &match finding.level {
            Level::Block => format!("           expected {}; to resolve: {}\n", finding.expected, finding.resolve),
            Level::Lead => format!("           to resolve: {}\n", finding.resolve),
            Level::Note => String::new(),
        };
    }
}

fn judge_lines(opinion: &Opinion, text: &mut String) {
    let judged = &opinion.judged;
    let model = judged.model.as_ref().map(|model| format!(", {model}")).unwrap_or_default();
    let process = if judged.prompt.is_some() { format!(" (sandbox {}{model})", judged.sandbox) } else { String::new() };
    *text += &format!("  judge    {}: {}{process}\n", judged.judge, opinion.outcome);
    if let Some(why) = opinion.callers.as_ref().filter(|_| opinion.outcome == "accept") {
        *text += &format!("    note: named by its caller: {why}\n");
    }
    if !judged.redirected.is_empty() {
        text.push_str(&format!(
            "    note: the environment can have led it elsewhere: {}\n",
            judged.redirected.join(", ")
        ));
    }
    for (id, answer) in &judged.answers {
        *text += &format!("    {id}  {answer}\n");
    }
    for note in &judged.notes {
        *text += &format!("    note: {note}\n");
    }
}

#[cfg(test)]
mod tests;
