//! Findings about the goal's own items: unread items, failure modes that no check rules out, open steps.

use super::facts::GateFacts;
use super::full::FullReport;
use super::full::candidate::Candidate;
use super::{GateFinding, GateLevel};
use crate::plan::model::{Mark, Severity, Step};
use crate::plan::rules;
use crate::replay::{Replay, RunOutcome, Stop};

/// `unread-item`: list items below `done_when`, `failure_modes` and similar fields that `plan` does not read as part of
/// the field. If an item almost certainly belongs to the field, the goal's criteria are unknown, and the row blocks.
pub(super) fn unread(facts: &GateFacts<'_>) -> Vec<GateFinding> {
    let plan = facts.goal.plan();
    rules::unread_items(facts.goal)
        .map(|found| {
            let seen = format!("`{}`: {}", plan.text(found.span), found.message);
            let level = if found.severity == Severity::Error { GateLevel::Block } else { GateLevel::Lead };
            let place = format!("line {} of the plan", plan.line_of(found.span.start as usize));
            let expected = "every item of the contract in a place where `plan` reads it";
            GateFinding::block("unread-item", expected, seen, &found.remedy).level(level).at(place)
        })
        .collect()
}

/// `check-red`, `check-unresolved`: a `(check: …)` does not rule out its failure mode. A check with an exit code other
/// than 0 found the failure; a check that could not run to its end decides nothing.
pub(super) fn red_checks(facts: &GateFacts<'_>) -> Vec<GateFinding> {
    let checks = facts.modes.iter().zip(1..).filter_map(|(mode, number)| Some((number, mode.check.as_ref()?)));
    checks
        .filter(|(_, check)| !check.passed)
        .map(|(number, check)| not_ruled_out(number, &check.command, &check.end, check.red))
        .collect()
}

/// Runs the checks again in a clean export of the work. Returns the first one that found its failure mode.
pub(super) fn red_checks_of_rerun(
    candidate: &Candidate<'_>,
    replay: &mut Replay<'_>,
    report: &mut FullReport,
) -> Result<Option<GateFinding>, Stop> {
    for (number, check) in candidate.request.checks {
        let (end, is_red) = match replay.check(check, &candidate.last, &format!("the check of F{number}"))? {
            RunOutcome::Green => continue,
            RunOutcome::Red(end) => (end, true),
            RunOutcome::Unstartable(end) | RunOutcome::Slow(end) => (end, false),
        };
        // What a check asks git about, such as uncommitted files, differs after the commit.
        let is_red =
            is_red && !check.text.split_whitespace().any(|word| word.trim_matches(['\'', '"', '(', '$']) == "git");
        let finding = not_ruled_out(*number, &check.text, &end, is_red);
        if is_red {
            return Ok(Some(finding));
        }
        report.findings.push(finding);
    }
    Ok(None)
}

fn not_ruled_out(number: usize, command: &str, end: &str, is_red: bool) -> GateFinding {
    let seen = format!("F{number} is not ruled out: `{command}` {end}");
    let expected = "every `(check: …)` to exit 0";
    if is_red {
        return GateFinding::block("check-red", expected, seen, "fix what the check found, or fix the check");
    }
    let resolve = format!("run `{command}` yourself, and fix what keeps it from running to its end");
    GateFinding::lead("check-unresolved", expected, seen, &resolve)
}

/// `modes-unchecked`: failure modes without a check, in a goal without evidence.
pub(super) fn unchecked_modes(facts: &GateFacts<'_>) -> Vec<GateFinding> {
    let modes = facts.goal.failure_modes();
    let open = modes.iter().filter(|mode| mode.check.is_none()).count();
    if open == 0 || !facts.evidence.is_empty() {
        return Vec::new();
    }
    let seen = match modes.len() {
        1 => "the failure mode has no check".to_owned(),
        all if all == open => format!("none of the {all} failure modes has a check"),
        all => format!("{open} of {all} failure modes have no check"),
    } + ", and no evidence is given";
    let resolve = "end each failure mode with `(check: …)`, a command that fails if it is there; a judge that reads also takes \
                   evidence, a file named with `--path`";
    vec![GateFinding::lead("modes-unchecked", "a check or evidence for each failure mode", seen, resolve)]
}

pub(super) fn open_steps(facts: &GateFacts<'_>) -> Option<GateFinding> {
    let steps = facts.goal.steps();
    let is_open = |step: &&Step| matches!(step.mark, Mark::Pending | Mark::Active | Mark::Failed);
    let open = steps.iter().filter(is_open).count();
    let seen = match (open, steps.len()) {
        (1, 1) => "its only step is still open".to_owned(),
        (1, all) => format!("1 of {all} steps is still open"),
        (_, all) => format!("{open} of {all} steps are still open"),
    };
    let first = steps.iter().position(|step| is_open(&step)).unwrap_or_default();
    let name = format!("{}.{}", facts.goal.name(), first + 1);
    let resolve = match steps.get(first).map(|step| step.mark) {
        Some(Mark::Failed) => {
            format!("`plan step retry {name} \"reason\"`, or `plan step remove {name} --because \"why\"`")
        }
        _ => format!("`plan step done {name} \"outcome\"`, or `plan step skip {name} \"why\"`"),
    };
    (open > 0).then(|| GateFinding::lead("open-steps", "no open steps", seen, &resolve))
}
