//! A sign-off from end to end, in the order of `SIGNOFF.md` §1: verify, evidence, digests, the gate, the judges, the record.

pub(crate) mod asked;
mod callers;
mod claims;
mod context;
mod deep;
mod facts;
mod look;
pub(crate) mod named;
mod recorded;
mod report;
pub(crate) mod since;

use std::path::PathBuf;
use std::time::Duration;

pub use look::{DryRun, VerifyReport, dry_run, verify};
pub use report::{CheckReport, Opinion, Outcome};

use self::context::CheckContext;
use super::judge::case::Case;
use super::judge::{self, Reference};
use super::memory;
use super::record::Lines;
use super::verdict;
use crate::config::Config;
use crate::error::Result;
use crate::gate::{Depth, Level, fast};
use crate::store::Place;
use crate::verify::stage1::{self, CommandLine};
use crate::verify::watch::{Followed, Watch};

/// A wish to sign a goal off.
#[derive(Clone, Copy)]
pub struct Ask<'a> {
    /// Where plan.md is.
    pub place: &'a Place,
    /// The caller's folder: `--path` and a judge's program are relative to it.
    pub caller: &'a std::path::Path,
    /// The user's configuration.
    pub config: &'a Config,
    /// The goal's id, or its subject.
    pub id: &'a str,
    /// What is claimed.
    pub claim: Option<&'a str>,
    /// Where to look; none: the goal's own `evidence`.
    pub paths: &'a [PathBuf],
    /// Who judges; all must accept.
    pub judges: &'a [Reference],
    /// How much of the gate runs.
    pub depth: Depth,
    /// How often verify is run.
    pub repeat: u32,
    /// The caller's limit.
    pub timeout: Option<Duration>,
    /// The user's own prompt.
    pub prompt: Option<&'a str>,
    /// Asks a person.
    pub person: &'a dyn Fn(&Case) -> Result<verdict::Outcome>,
    /// Who watches.
    pub watch: &'a dyn Watch,
}

/// Checks a goal and records what came of it.
///
/// # Errors
/// [`Kind::Input`](crate::error::Kind) for a goal, verify or path that cannot be used; `Refused` where the state forbids
/// it; `Changed` where plan.md or the evidence changed meanwhile; `Interrupted`. None of them writes anything.
pub fn check(ask: &Ask<'_>) -> Result<CheckReport> {
    crate::store::ready(ask.place)?;
    asked::enclosed(ask)?;
    let source = crate::store::read(ask.place)?;
    let plan = ask.place.parse(&source)?;
    let context = CheckContext::of(ask, &plan)?;
    context.note_ignored(ask);
    context.measurable(ask.depth)?;
    judge::ready(ask.judges, ask.caller)?;
    let mut report = context.report();
    let lines = Lines { id: context.id() };
    if let Some(line) = stage_1(ask, &context, &mut report)? {
        return recorded::rejection(ask, &context, report, line);
    }
    let facts = facts::gather(ask, &context, report.verify.as_ref())?;
    (report.tree, report.at) = (facts.tree.clone(), facts.at.clone());
    report.findings = facts.findings(&context, report.verify.as_ref());
    report.findings.extend(claims::in_evidence(ask, &facts));
    report.checks = facts.checks();
    let mut facts = facts;
    if let Some(deep) = deep::look(ask, &context, &mut facts, report.verify.as_ref(), &mut report.findings)? {
        (report.gate, report.gate_spent) = (deep.extent(), deep.spent);
        report.not_reached = deep.not_reached().into_iter().map(str::to_owned).collect();
        report.rows = deep.rows;
    }
    if let Some(finding) = report.findings.iter().find(|finding| finding.level == Level::Block) {
        let line = lines.gate(finding);
        report.reason = format!("gate {}: {}", finding.code, finding.seen);
        return recorded::rejection(ask, &context, report, line);
    }
    let case = asked::case(ask, &context, &facts, &report);
    let key = asked::key(ask, &context, &facts, &case);
    let old = key.as_ref().and_then(|key| memory::recall(ask.place, context.id(), key));
    // `checks` costs nothing, and what it goes by is not all in the key.
    let by_checks = |judge: &str| judge.split(" (").next() == Some("checks");
    if let Some(old) = old.filter(|old| !by_checks(&old.judge)) {
        return recorded::again(ask, &context, report, old);
    }
    let outcome = asked::judges(ask, &context, &facts, &case, &mut report)?;
    recorded::verdict(ask, &context, &facts, report, outcome, key)
}

/// Who judges, as progress names it: `judge claude`, `your answers`.
fn next_judge(judges: &[Reference]) -> Option<String> {
    Some(match judges.first()? {
        Reference::Human => "your answers".to_owned(),
        judge => format!("judge {judge}"),
    })
}

/// Verify: the log line of a rejection, or nothing where it is green.
fn stage_1(ask: &Ask<'_>, context: &CheckContext<'_>, report: &mut CheckReport) -> Result<Option<String>> {
    let Some(line) = &context.line else { return Ok(None) };
    let lines = Lines { id: context.id() };
    if let Some(finding) = fast::before(line, &since::text_at(&ask.place.root)) {
        let text = lines.gate(&finding);
        report.reason = format!("gate {}: {}", finding.code, finding.seen);
        report.findings.push(finding);
        return Ok(Some(text));
    }
    for _ in 0..ask.repeat.max(1) {
        let ran = run(line, ask, context)?;
        let green = ran.is_green();
        let text = lines.verify(&ran);
        report.reason = format!("verify {}", ran.reason());
        report.verify = Some(ran);
        if !green {
            return Ok(Some(text));
        }
    }
    report.reason.clear();
    Ok(None)
}

fn run(line: &CommandLine, ask: &Ask<'_>, context: &CheckContext<'_>) -> Result<stage1::Report> {
    let log = Some(crate::store::state_folder(ask.place, "runs")?.join(context.id()));
    let at = stage1::RunContext { root: &ask.place.root, log, limit: context.limits.verify };
    stage1::run(line, &at, &Followed { watch: ask.watch, next: Some("the gate") })
}
