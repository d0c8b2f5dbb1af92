//! Checks that write nothing: the prompt of a judge (`--dry-run`), and verify and the gate without a judge.

use serde::Serialize;
use serde::ser::SerializeStruct as _;

use super::asked;
use super::context::Check;
use super::report::CheckReport;
use super::request::CheckRequest;
use crate::error::Result;
use crate::signoff::checks;
use crate::signoff::judge::{self, Reference};
use crate::verify::stage1;

/// The output of `--dry-run` for one judge.
#[derive(Clone, Debug, Serialize)]
pub struct DryRun {
    /// Its REF.
    pub judge: String,
    /// Its argv.
    pub argv: Vec<String>,
    /// Its prompt, without tail and nonce.
    pub prompt: String,
}

/// Returns the prompts and calls of a check, without running it.
///
/// # Errors
/// As [`super::check()`].
pub fn dry_run(ask: &CheckRequest<'_>) -> Result<Vec<DryRun>> {
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

/// The result of `plan verify`: the check as far as it came, without a judge.
#[derive(Clone, Debug)]
pub struct VerifyReport {
    /// The report of the check.
    pub check: CheckReport,
    /// Green, nothing blocks, and the judge `checks`, if it would judge, misses nothing.
    pub passed: bool,
    /// The goal is done or cancelled already.
    pub is_finished: bool,
}

impl Serialize for VerifyReport {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let CheckReport { goal, verify, checks, gate, gate_spent, findings, rows, missing, .. } = &self.check;
        let mut json = serializer.serialize_struct("VerifyReport", 9)?;
        json.serialize_field("goal", goal)?;
        json.serialize_field("passed", &self.passed)?;
        json.serialize_field("verify", verify)?;
        json.serialize_field("checks", checks)?;
        json.serialize_field("gate", gate)?;
        json.serialize_field("gate_spent", gate_spent)?;
        json.serialize_field("findings", findings)?;
        json.serialize_field("rows", rows)?;
        json.serialize_field("missing", missing)?;
        json.end()
    }
}

/// Rehearses a sign-off: stage 1 and the gate. Nothing is written.
///
/// # Errors
/// As [`super::check()`], but any goal may be verified, a finished one too.
pub fn verify(ask: &CheckRequest<'_>) -> Result<VerifyReport> {
    let source = crate::store::read(ask.place)?;
    let plan = ask.place.parse(&source)?;
    let mut check = Check::any(ask, &plan)?;
    if check.verify(1, false)?.is_none() {
        check.measure()?;
        check.gate()?;
        // The judge `checks` costs nothing, so the rehearsal asks it.
        if ask.judges.contains(&Reference::Checks) && !check.report.is_blocked() {
            let judged = checks::judge(&asked::case(&check), check.seen_red(), ask.depth);
            check.report.missing = judged.outcome.reasons();
        }
    }
    // A goal without verify cannot pass it.
    let is_green = check.report.verify.as_ref().is_some_and(stage1::Report::is_green);
    let passed = is_green && !check.report.is_blocked() && check.report.missing.is_empty();
    let is_finished = check.goal.status().is_finished();
    Ok(VerifyReport { check: check.report, passed, is_finished })
}
