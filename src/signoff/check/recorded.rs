//! The end of a check: plan.md is read again under its lock, and the result is written (`SIGNOFF.md` §1.7, §1.8).

use serde_json::json;

use super::context::{Check, same_state};
use super::report::{CheckReport, Outcome};
use crate::base;
use crate::config;
use crate::error::{Error, Kind, Result};
use crate::plan::change::{self, Change};
use crate::plan::history;
use crate::plan::log::SignOff;
use crate::plan::model::{GoalRef, Plan, Status};
use crate::plan::rules::{self, GoalMove, PlanRequest};
use crate::repo::evidence::{Evidence, evidence};
use crate::repo::{Ignored, Repo, Written};
use crate::signoff::judge::Reference;
use crate::signoff::memory::{self, Rejection};
use crate::signoff::record::{Attestation, JudgeRecord, green, kept};
use crate::signoff::verdict;

/// Records a rejection by verify or the gate.
pub(super) fn rejection(mut check: Check<'_>, line: &str) -> Result<CheckReport> {
    check.report.outcome = Outcome::Rejected;
    if check.report.tree.is_empty() {
        (check.report.tree, check.report.at) = placed(&check)?;
    }
    check.report.log = log(&check, line)?;
    Ok(check.report)
}

/// Records a rejection without asking a judge, because a judge has rejected the same contract, tree and evidence before.
pub(super) fn again(mut check: Check<'_>, old: Rejection) -> Result<CheckReport> {
    let report = &mut check.report;
    report.repeated = true;
    report.person_needed = memory::remember(check.ask.place, &report.goal, old.clone()) >= memory::ENOUGH;
    report.reason = format!("oracle {}", old.judge);
    report.missing.clone_from(&old.missing);
    let line = check.lines().oracle(&old.judge, &old.missing);
    rejection(check, &line)
}

/// Records the outcome of the judges.
pub(super) fn verdict(mut check: Check<'_>, outcome: verdict::Outcome, key: Option<String>) -> Result<CheckReport> {
    let (ask, lines) = (check.ask, check.lines());
    let report = &mut check.report;
    let names = |outcome: &str| {
        let of = report.judges.iter().filter(|judge| judge.outcome == outcome);
        of.map(|judge| judge.judged.judge.clone()).collect::<Vec<_>>().join(", ")
    };
    match outcome {
        verdict::Outcome::Accept => accept(check),
        verdict::Outcome::Reject { missing } => {
            let judge = names("reject");
            let line = lines.oracle(&judge, &missing);
            report.reason = format!("oracle {judge}");
            report.missing.clone_from(&missing);
            let mut report = rejection(check, &line)?;
            if let Some(key) = key.filter(|_| !ask.judges.contains(&Reference::Human)) {
                let work = format!("{} {}", report.contract, report.tree);
                let rejection = Rejection { key, work, judge, missing, times: 0 };
                report.person_needed = memory::remember(ask.place, lines.id, rejection) >= memory::ENOUGH;
            }
            Ok(report)
        }
        verdict::Outcome::Inconclusive { why, .. } => {
            let judge = names("inconclusive");
            report.reason = format!("oracle {judge}: {why}");
            report.outcome = Outcome::Inconclusive;
            check.report.log = log(&check, &lines.inconclusive(&judge, &why))?;
            Ok(check.report)
        }
    }
}

/// Writes one log line, unless the last line about this goal is the same.
fn log(check: &Check<'_>, line: &str) -> Result<Option<String>> {
    let ask = check.ask;
    let stamp = config::stamp()?;
    let mut written = false;
    let done = crate::store::update(ask.place, |source| {
        let plan = ask.place.parse(source)?;
        unchanged(&plan, check)?;
        written = history::last_line(&plan, check.id()) != Some(line);
        let changes = match written {
            true => vec![Change::AppendLog { stamp: stamp.clone(), text: line.to_owned() }],
            false => Vec::new(),
        };
        change::edits(&plan, &changes)
    })?;
    done.notes.iter().for_each(|note| ask.watch.note(&format!("note: {note}")));
    Ok(written.then(|| line.to_owned()))
}

fn accept(mut check: Check<'_>) -> Result<CheckReport> {
    let (ask, report) = (check.ask, &check.report);
    let judges: Vec<JudgeRecord> = report.judges.iter().map(|judge| judge.judged.clone()).collect();
    let names = judges.iter().map(|judge| judge.judge.as_str()).collect::<Vec<_>>().join(", ");
    let line = check.lines().signed_off(SignOff {
        verify: &green(report.verify.as_ref()),
        gate: &report.gate,
        judges: &names,
        contract: &report.contract,
        tree: &report.tree,
        at: &report.at,
    });
    let stamp = config::stamp()?;
    let mut attested = None;
    let done = crate::store::update(ask.place, |source| {
        let plan = ask.place.parse(source)?;
        let goal = unchanged(&plan, &check)?;
        // The contract may have changed elsewhere while the goal was checked.
        rules::allow(&plan, PlanRequest::Goal { to: GoalMove::Complete, goal: check.id(), because: None })?;
        same_evidence(&check)?;
        if attested.is_none() {
            attested = attest(&check, &judges)?;
        }
        let mut changes = Vec::new();
        if goal.status() != Status::Done {
            changes.push(Change::SetStatus { goal: goal.index(), status: Status::Done });
        }
        changes.push(Change::AppendLog { stamp: stamp.clone(), text: line.clone() });
        change::edits(&plan, &changes)
    });
    match done {
        Ok(done) => done.notes.iter().for_each(|note| ask.watch.note(&format!("note: {note}"))),
        Err(error) => {
            // The sign-off was not written, so its record must not remain.
            if let (Some(repo), Some((name, Written::New(id)))) = (&check.repo, &attested) {
                repo.withdraw(name, *id)?;
            }
            return Err(error);
        }
    }
    check.report.outcome = Outcome::Accepted;
    check.report.reason.clear();
    check.report.attestation = match attested {
        Some((name, Written::AlreadyThere(_))) => {
            ask.watch
                .note(&format!("note: someone else created `{name}` meanwhile; it is not a record of this sign-off"));
            None
        }
        attested => attested.map(|(name, _)| name),
    };
    check.report.log = Some(line);
    Ok(check.report)
}

fn same_evidence(check: &Check<'_>) -> Result<()> {
    for (file, _) in &check.facts.evidence {
        let now = evidence(&check.ask.place.root, &file.path).map(|now| now.sha256);
        if now.ok().as_ref() != Some(&file.sha256) {
            return Err(changed(&format!("the evidence `{}` was changed while it was checked", file.path.display())));
        }
    }
    Ok(())
}

fn attest(check: &Check<'_>, judges: &[JudgeRecord]) -> Result<Option<(String, Written)>> {
    let Check { ask, facts, report, .. } = check;
    let Some(repo) = &check.repo else { return Ok(None) };
    let file = |(file, _): &(Evidence, Option<Ignored>)| json!({ "path": file.path.to_string_lossy(), "bytes": file.size, "sha256": file.sha256 });
    let files: Vec<serde_json::Value> = facts.evidence.iter().map(file).collect();
    let attestation = Attestation {
        version: 1,
        goal: check.id(),
        plan_file: ask.place.file.strip_prefix(repo.top()).unwrap_or(&ask.place.file).to_string_lossy().into_owned(),
        contract: serde_json::from_str(&check.contract.json).unwrap_or_default(),
        contract_digest: check.contract.digest.to_string(),
        at: &report.at,
        verify: report.verify.as_ref().map(kept),
        findings: &report.findings,
        not_reached: &report.not_reached,
        evidence: json!({ "claim": ask.claim, "files": files }),
        judges,
        time: jiff::Timestamp::now().to_string(),
        plan_version: env!("CARGO_PKG_VERSION"),
        tree: facts.after.as_ref().map(|tree| tree.id.to_string()),
    };
    let name = free(repo, check.id(), report)?;
    let written = repo.write_record(&name, &attestation.bytes())?;
    Ok(Some((name, written)))
}

/// Returns the first free name for a record. The same contract and tree can be signed off again after a goal was reopened, and
/// each sign-off has its own record. A name may also be taken because anybody who can run git can create one.
fn free(repo: &Repo, id: &str, report: &CheckReport) -> Result<String> {
    let taken = repo.list_refs(&format!("refs/plan/signoffs/{id}/"))?;
    let is_free = |name: &String| taken.iter().all(|(other, _)| other != name);
    let mut names = base::sign_off_refs(id, &report.contract, &report.tree);
    names.find(is_free).ok_or_else(|| Error::new(Kind::Unknown, "no name is free for the record"))
}

/// Returns tree and commit for a check that did not reach the gate.
fn placed(check: &Check<'_>) -> Result<(String, String)> {
    Ok(match check.repo.as_ref().zip(check.before.as_ref()) {
        Some((repo, before)) => {
            let tree = repo.at_head(before, &[&check.ask.place.file])?;
            (tree.id.short(), base::commit(&tree))
        }
        None => ("none".to_owned(), "none".to_owned()),
    })
}

/// Returns the present goal, if it is still as it was checked.
fn unchanged<'p, 'a>(plan: &'p Plan<'a>, check: &Check<'_>) -> Result<GoalRef<'p, 'a>> {
    // It may have been removed meanwhile, or another goal may have the same id now.
    let goal = plan.goal_named(check.id()).ok().filter(|goal| same_state(*goal, check));
    goal.ok_or_else(|| changed(&format!("goal `{}` was changed while it was checked", check.id())))
}

/// Returns the error for a change during the check, after which nothing was recorded.
pub(super) fn changed(what: &str) -> Error {
    Error::new(Kind::Changed, format!("{what}; nothing was recorded")).hint("run `plan complete` again")
}
