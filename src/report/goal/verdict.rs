//! Places each verdict below the criterion that it is about.

use serde::Serialize;

use super::Body;
use crate::audit::records::{Cited, Verdict};
use crate::plan::log::{GoalEvent, SignOff};
use crate::plan::model::{GoalRef, Key};
use crate::report::facts::{GoalState, ReportFacts};
use crate::report::stamp;

/// A criterion or failure mode with its answers.
#[derive(Clone, Debug, Serialize)]
pub(in crate::report) struct Criterion {
    /// `C1`, `F1`
    pub(in crate::report) name: String,
    pub(in crate::report) text: String,
    /// The command of its check.
    pub(in crate::report) check: Option<String>,
    pub(in crate::report) answers: Vec<CriterionAnswer>,
}

/// A judge's answer to one criterion.
#[derive(Clone, Debug, Serialize)]
pub(in crate::report) struct CriterionAnswer {
    pub(in crate::report) is_met: bool,
    /// The judge, if there is more than one.
    pub(in crate::report) judge: Option<String>,
    pub(in crate::report) citations: Vec<Cited>,
    /// The missing items.
    pub(in crate::report) missing: Option<String>,
}

/// The last rejection of a goal that was not signed off since.
#[derive(Clone, Debug, Serialize)]
pub(in crate::report) struct Rejection {
    /// `the judge claude:opus`
    pub(in crate::report) by: String,
    /// `19 June 16:58`
    pub(in crate::report) at: String,
    /// The missing items that name no criterion.
    pub(in crate::report) missing: Vec<String>,
}

/// The last sign-off, from its log line and its record.
#[derive(Clone, Debug, Serialize)]
pub(in crate::report) struct SignOffView {
    /// `17 June 11:20`
    pub(in crate::report) at: String,
    /// Labels and values.
    pub(in crate::report) rows: Vec<(&'static str, String)>,
    /// The first digits of the current contract, if they differ from the signed ones.
    pub(in crate::report) now: Option<String>,
    /// Notes of the judges.
    pub(in crate::report) notes: Vec<String>,
}

/// Adds criteria, failure modes, the rejection and the sign-off to a body.
pub(super) fn put(facts: &ReportFacts<'_, '_>, goal: GoalRef<'_, '_>, body: &mut Body) {
    let numbered = |letter: char, index: usize, text: String, check: Option<String>| Criterion {
        name: format!("{letter}{}", index + 1),
        text,
        check,
        answers: Vec::new(),
    };
    let criteria = goal.list(Key::DoneWhen).into_iter().enumerate();
    body.criteria = criteria.map(|(index, text)| numbered('C', index, text.into_owned(), None)).collect();
    let modes = goal.failure_modes().into_iter().enumerate();
    body.failure_modes = modes
        .map(|(index, mode)| numbered('F', index, mode.text.into_owned(), mode.check.map(std::borrow::Cow::into_owned)))
        .collect();
    match facts.state(goal) {
        GoalState::SignedOff | GoalState::NotCovered => sign_off(facts, goal, body),
        GoalState::Active | GoalState::Open => rejection(facts, goal, body),
        GoalState::Cancelled => {}
    }
}

fn sign_off(facts: &ReportFacts<'_, '_>, goal: GoalRef<'_, '_>, body: &mut Body) {
    let (Some(id), Some((index, at, line))) = (goal.id(), facts.sign_off(goal)) else { return };
    let verdict = facts.records.verdict(id, &line);
    let many = verdict.is_some_and(|verdict| verdict.judges.len() > 1);
    for judge in verdict.into_iter().flat_map(|verdict| &verdict.judges) {
        for answer in &judge.answers {
            let said = CriterionAnswer {
                is_met: true,
                judge: many.then(|| judge.judge.clone()),
                citations: answer.citations.clone(),
                missing: None,
            };
            answer_to(body, &answer.id, said);
        }
    }
    let start = facts.history(goal)[..index].iter().rev().find_map(|dated| match dated.event {
        GoalEvent::Started(start) => Some(start.verify),
        _ => None,
    });
    let now = crate::plan::contract::goal_contract(goal).digest;
    body.sign_off = Some(SignOffView {
        at: stamp::day_and_time(at),
        rows: rows(&line, verdict, start),
        now: Some(now.short()).filter(|now| now != line.contract),
        notes: verdict.into_iter().flat_map(|verdict| &verdict.judges).flat_map(|judge| judge.notes.clone()).collect(),
    });
}

fn rows(line: &SignOff<'_>, verdict: Option<&Verdict>, start: Option<&str>) -> Vec<(&'static str, String)> {
    let mut rows = Vec::new();
    if let Some(verdict) = verdict {
        rows.extend(verdict.claim.iter().map(|claim| ("claim", claim.clone())));
        rows.extend((!verdict.evidence.is_empty()).then(|| ("evidence", verdict.evidence.join(", "))));
    }
    let before = match start.filter(|_| line.verify != "none") {
        Some(seen) if seen.starts_with("red") => " (red before the work)",
        Some("green") => " (green before the work)",
        _ => "",
    };
    rows.push(("verify", format!("{}{before}", line.verify)));
    rows.push(("gate", line.gate.to_owned()));
    match verdict {
        Some(verdict) => rows.extend(verdict.judges.iter().map(|judge| {
            let model = judge.model.as_ref().map(|model| format!(", {model}")).unwrap_or_default();
            let sandbox = match judge.sandbox.as_str() {
                "" | "none" => String::new(),
                sandbox => format!(", sandbox {sandbox}"),
            };
            ("judge", format!("{}{model}{sandbox}: accept", judge.judge))
        })),
        None => rows.push(("judge", format!("{}: accept", line.judges))),
    }
    rows.push(("contract", line.contract.to_owned()));
    rows.push(("tree", format!("{} at {}", line.tree, line.at)));
    match verdict {
        Some(verdict) if !verdict.leads.is_empty() => rows.push(("leads", verdict.leads.join(", "))),
        Some(_) => {}
        None => rows.push(("record", "none in this clone: the log line alone says so".to_owned())),
    }
    rows
}

/// Adds the last rejection: an item that names a criterion goes below the criterion, the rest below the heading.
fn rejection(facts: &ReportFacts<'_, '_>, goal: GoalRef<'_, '_>, body: &mut Body) {
    let found = facts.history(goal).iter().rev().find_map(|dated| match dated.event {
        GoalEvent::Rejected { by, why } => Some(Some((dated.at, by, why))),
        GoalEvent::Amended(_) | GoalEvent::Inconclusive { .. } => None,
        _ => Some(None),
    });
    let Some((at, by, why)) = found.flatten() else { return };
    let mut rejection = Rejection { by: by.describe(), at: stamp::day_and_time(at), missing: Vec::new() };
    for missing in by.missing(why) {
        let said = CriterionAnswer {
            is_met: false,
            judge: None,
            citations: Vec::new(),
            missing: Some(missing.what.to_owned()),
        };
        if !missing.criterion.is_some_and(|name| answer_to(body, name, said)) {
            rejection.missing.push(missing.whole.to_owned());
        }
    }
    body.rejection = Some(rejection);
}

/// Adds an answer to a criterion or failure mode; false if there is none of this name.
fn answer_to(body: &mut Body, name: &str, answer: CriterionAnswer) -> bool {
    let all = body.criteria.iter_mut().chain(&mut body.failure_modes);
    match all.into_iter().find(|criterion| criterion.name == name) {
        Some(criterion) => {
            criterion.answers.push(answer);
            true
        }
        None => false,
    }
}
