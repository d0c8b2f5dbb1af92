//! Checks that write nothing: the prompt of a judge (`--dry-run`), and verify and the gate without a judge.

use serde::Serialize;

use super::context::Check;
use super::{Ask, CheckReport, asked};
use crate::error::Result;
use crate::gate::full::RowRun;
use crate::gate::{Finding, Level};
use crate::plan::model::Key;
use crate::replay::Spent;
use crate::signoff::checks;
use crate::signoff::judge::{self, Reference};
use crate::verify::{self, stage1};

/// What a `--dry-run` shows of one judge.
#[derive(Clone, Debug, Serialize)]
pub struct DryRun {
    /// Its REF.
    pub judge: String,
    /// Its argv.
    pub argv: Vec<String>,
    /// Its prompt, without tail and nonce.
    pub prompt: String,
}

/// The prompts and calls of a check that is not run.
///
/// # Errors
/// As [`super::check()`].
pub fn dry_run(ask: &Ask<'_>) -> Result<Vec<DryRun>> {
    let source = crate::store::read(ask.place)?;
    let plan = ask.place.parse(&source)?;
    let mut check = Check::of(ask, &plan)?;
    check.find_evidence()?;
    let case = asked::case(&check);
    let files = Vec::new();
    let mut dry = Vec::new();
    for reference in ask.judges {
        let (prompt, argv) = match reference {
            Reference::Checks | Reference::Human => (String::new(), Vec::new()),
            _ => judge::preview(reference, &case, &asked::setting(&check, &files))?,
        };
        let argv = argv.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        dry.push(DryRun { judge: reference.to_string(), argv, prompt });
    }
    Ok(dry)
}

/// What `plan verify` says.
#[derive(Clone, Debug, Serialize)]
pub struct VerifyReport {
    /// The goal.
    pub goal: String,
    /// Green, nothing blocks, and the judge `checks`, if it would judge, misses nothing.
    pub passed: bool,
    /// Its subject.
    #[serde(skip)]
    pub subject: String,
    /// It is done or cancelled already.
    #[serde(skip)]
    pub is_finished: bool,
    /// Stage 1; none where the goal has no verify.
    pub verify: Option<stage1::Report>,
    /// What came of the checks of its failure modes.
    pub checks: Vec<verify::check::Check>,
    /// How much of the gate ran: `fast`, `3 of 5`, `full`.
    pub gate: String,
    /// What the runs of verify took that it added.
    pub gate_spent: Spent,
    /// What the gate found.
    pub findings: Vec<Finding>,
    /// The rows of the gate that ran verify again, with what came of each.
    pub rows: Vec<RowRun>,
    /// What the judge `checks` misses, if it would judge.
    pub missing: Vec<String>,
    /// The fields that the goal lacks for a sign-off.
    #[serde(skip)]
    pub lacking: Vec<Key>,
    /// It was signed off before, and reopened since.
    #[serde(skip)]
    pub is_reopened: bool,
}

impl VerifyReport {
    /// Whether something that was found stands in the way.
    pub fn is_blocked(&self) -> bool {
        self.findings.iter().any(|finding| finding.level == Level::Block)
    }
}

/// The rehearsal of a sign-off: stage 1 and the gate; nothing is written.
///
/// # Errors
/// As [`super::check()`], but any goal may be verified, a finished one too.
pub fn verify(ask: &Ask<'_>) -> Result<VerifyReport> {
    let source = crate::store::read(ask.place)?;
    let plan = ask.place.parse(&source)?;
    let mut check = Check::any(ask, &plan)?;
    if check.verify(1, false)?.is_none() {
        check.measure()?;
        check.gate()?;
        // The judge `checks` costs nothing, so the rehearsal asks it.
        if ask.judges.contains(&Reference::Checks) && check.blocking().is_none() {
            let judged = checks::judge(&asked::case(&check), check.seen_red(), ask.depth);
            check.report.missing = judged.outcome.reasons();
        }
    }
    let report = &check.report;
    // A goal without verify cannot pass it.
    let is_green = report.verify.as_ref().is_some_and(stage1::Report::is_green);
    let passed = is_green && check.blocking().is_none() && report.missing.is_empty();
    let is_finished = check.goal.status().is_finished();
    let CheckReport { goal, subject, verify, checks, gate, gate_spent, findings, rows, missing, .. } = check.report;
    let (lacking, is_reopened) = (check.report.lacking, check.report.is_reopened);
    Ok(VerifyReport {
        goal,
        passed,
        subject,
        is_finished,
        verify,
        checks,
        gate,
        gate_spent,
        findings,
        rows,
        missing,
        lacking,
        is_reopened,
    })
}
