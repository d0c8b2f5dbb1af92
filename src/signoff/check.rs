//! A sign-off from end to end, in the order of `SIGNOFF.md` §1: verify, evidence, digests, the gate, the judges, the record.

pub(crate) mod asked;
mod callers;
mod claims;
mod context;
mod deep;
mod facts;
mod look;
mod measure;
pub(crate) mod named;
mod recorded;
mod report;
mod request;
mod since;

pub use look::{DryRun, VerifyReport, dry_run, verify};
pub use report::{CheckReport, Opinion, Outcome};
pub use request::CheckRequest;

use self::context::Check;
use super::in_place::keeping_plan;
use super::judge;
use super::memory;
use super::text_file::text_at;
use crate::error::Result;
use crate::gate::trivial;
use crate::verify::stage1;
use crate::verify::watch::NextStageWatch;

/// Checks a goal and records the result.
///
/// # Errors
/// [`Kind::Input`](crate::error::Kind) for a goal, verify or path that cannot be used; `Refused` if the state forbids it;
/// `Changed` if plan.md or the evidence changed meanwhile; `Interrupted`. Nothing is written in any of these cases.
pub fn check(ask: &CheckRequest<'_>) -> Result<CheckReport> {
    crate::store::ready(ask.place)?;
    asked::enclosed(ask)?;
    let source = crate::store::read(ask.place)?;
    let plan = ask.place.parse(&source)?;
    let mut check = Check::of(ask, &plan)?;
    check.note_ignored();
    check.measurable()?;
    judge::ready(ask.judges, ask.caller)?;
    if let Some(line) = check.verify(ask.repeat.max(1), true)? {
        return recorded::rejection(check, &line);
    }
    check.measure()?;
    check.gate()?;
    if let Some(finding) = check.report.block() {
        let line = check.lines().gate(finding);
        check.report.reason = format!("gate {}: {}", finding.code, finding.seen);
        return recorded::rejection(check, &line);
    }
    let case = asked::case(&check);
    let key = asked::key(&check, &case);
    let old = key.as_ref().and_then(|key| memory::recall(ask.place, check.id(), key));
    // `checks` costs nothing, and the key does not contain everything that it depends on.
    let by_checks = |judge: &str| judge.split(" (").next() == Some("checks");
    if let Some(old) = old.filter(|old| !by_checks(&old.judge)) {
        return recorded::again(check, old);
    }
    let outcome = asked::judges(&mut check, &case)?;
    recorded::verdict(check, outcome, key)
}

impl Check<'_> {
    /// Runs verify up to `times` times, unless a look at its line already rejects it. Returns the log line of a rejection; `None`
    /// if verify is green or there is none. `is_kept`: keep its output in files.
    fn verify(&mut self, times: u32, is_kept: bool) -> Result<Option<String>> {
        let (ask, lines) = (self.ask, self.lines());
        let Some(line) = &self.line else { return Ok(None) };
        if let Some(finding) = trivial::find(line, &text_at(&ask.place.root)) {
            let text = lines.gate(&finding);
            self.report.reason = format!("gate {}: {}", finding.code, finding.seen);
            self.report.findings.push(finding);
            return Ok(Some(text));
        }
        for _ in 0..times {
            let folder = is_kept.then(|| crate::store::state_folder(ask.place, "runs")).transpose()?;
            let log = folder.map(|folder| folder.join(self.goal.name()));
            let at = stage1::RunContext { root: &ask.place.root, log, limit: self.limits.verify };
            let watch = NextStageWatch { watch: ask.watch, next: Some("the gate") };
            let source = self.goal.plan().source;
            let run = || stage1::run(line, &at, &watch);
            let ran = keeping_plan(ask.place, source, &line.text, ask.watch, run)?;
            let rejected = (!ran.is_green()).then(|| lines.verify(&ran));
            self.report.reason = rejected.as_ref().map_or_else(String::new, |_| format!("verify {}", ran.reason()));
            self.report.verify = Some(ran);
            if rejected.is_some() {
                return Ok(rejected);
            }
        }
        Ok(None)
    }
}
