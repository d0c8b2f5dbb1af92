//! Checks that write nothing: the prompt of a judge (`--dry-run`), and verify and the gate without a judge.

use serde::Serialize;

use super::context::CheckContext;
use super::facts::Facts;
use super::{Ask, CheckReport, asked, claims, deep, facts, since};
use crate::error::Result;
use crate::gate::full::RowRun;
use crate::gate::{Finding, Level, fast};
use crate::plan::history;
use crate::plan::model::Key;
use crate::replay::Spent;
use crate::signoff::judge::{self, Reference};
use crate::signoff::{advice, checks};
use crate::verify::check::Check;
use crate::verify::stage1;
use crate::verify::watch::Followed;

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
    let context = CheckContext::of(ask, &plan)?;
    let facts = facts::without_looking(ask, &context)?;
    let case = asked::case(ask, &context, &facts, &context.report());
    let files = Vec::new();
    let mut dry = Vec::new();
    for reference in ask.judges {
        let (prompt, argv) = match reference {
            Reference::Checks | Reference::Human => (String::new(), Vec::new()),
            _ => judge::preview(reference, &case, &asked::setting(ask, &context, &files))?,
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
    pub checks: Vec<Check>,
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
    let context = CheckContext::any(ask, &plan)?;
    let mut verified = VerifyReport {
        goal: context.goal.name().to_owned(),
        passed: false,
        subject: context.goal.subject().to_owned(),
        is_finished: context.goal.status().is_finished(),
        verify: None,
        checks: Vec::new(),
        gate: "fast".to_owned(),
        gate_spent: Spent::default(),
        findings: Vec::new(),
        rows: Vec::new(),
        missing: Vec::new(),
        lacking: advice::lacking(context.goal),
        is_reopened: history::is_reopened(&plan, context.id()),
    };
    if let Some(line) = &context.line {
        verified.findings.extend(fast::before(line, &since::text_at(&ask.place.root)));
        if !verified.findings.is_empty() {
            return Ok(verified);
        }
        let at = stage1::RunContext { root: &ask.place.root, log: None, limit: context.limits.verify };
        let watch = Followed { watch: ask.watch, next: Some("the gate") };
        verified.verify = Some(stage1::run(line, &at, &watch)?);
    }
    let green = verified.verify.as_ref().map(stage1::Report::is_green);
    if green != Some(false) {
        let mut facts = facts::gather(ask, &context, verified.verify.as_ref())?;
        verified.findings = facts.findings(&context, verified.verify.as_ref());
        verified.findings.extend(claims::in_evidence(ask, &facts));
        verified.checks = facts.checks();
        let verify = verified.verify.as_ref();
        if let Some(deep) = deep::look(ask, &context, &mut facts, verify, &mut verified.findings)? {
            (verified.gate, verified.gate_spent, verified.rows) = (deep.extent(), deep.spent, deep.rows);
        }
        if ask.judges.contains(&Reference::Checks) && !verified.is_blocked() {
            verified.missing = missed_by_checks(ask, &context, &facts, &verified);
        }
    }
    // A goal without verify cannot pass it.
    verified.passed = green == Some(true) && !verified.is_blocked() && verified.missing.is_empty();
    Ok(verified)
}

/// What the judge `checks` would reject the goal for. It costs nothing, so the rehearsal asks it.
fn missed_by_checks(ask: &Ask<'_>, context: &CheckContext<'_>, facts: &Facts, verified: &VerifyReport) -> Vec<String> {
    let (verify, findings) = (verified.verify.clone(), verified.findings.clone());
    let case = asked::case(ask, context, facts, &CheckReport { verify, findings, ..context.report() });
    checks::judge(&case, facts.seen_red(context), ask.depth).outcome.reasons()
}
