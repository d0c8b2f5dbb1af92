//! Changes of a goal's contract: removed (−) and added (+) lines.

use serde::Serialize;
use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::facts::{GoalState, ReportFacts};
use crate::plan::contract::{Amendment, GoalContract, goal_contract};
use crate::plan::model::GoalRef;
use crate::plan::rules::ContractChange;

/// The most changes shown per goal; the newest ones are kept.
const MOST: usize = 5;

/// A change of a contract.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ChangeView {
    /// `Contract, amended: loosened: failure mode dropped`
    pub(super) heading: String,
    /// The reason, if one was given.
    pub(super) because: Option<String>,
    /// Removed and added lines; empty if the texts are not available.
    pub(super) lines: Vec<DiffLine>,
    /// The digests, if the texts are not available.
    pub(super) digests: Option<(String, String)>,
}

/// A line of a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct DiffLine {
    pub(super) is_new: bool,
    pub(super) text: String,
}

/// The changes of a goal since its start, oldest first, and last the change that no log line mentions.
pub(super) fn changes(facts: &ReportFacts<'_, '_>, goal: GoalRef<'_, '_>) -> Vec<ChangeView> {
    let Some(agreement) = facts.record.agreement(goal) else { return Vec::new() };
    let Some(id) = goal.id() else { return Vec::new() };
    let mut changes: Vec<ChangeView> = agreement
        .changes
        .iter()
        .map(|change| match *change {
            ContractChange::Amended(amended) => {
                let heading = format!("Contract, amended: {}", amended.what);
                view(facts, id, heading, (amended.old, amended.new), amended.because)
            }
            ContractChange::Restarted { old, new } => {
                view(facts, id, "Contract, changed before it was started again".to_owned(), (old, new), None)
            }
            ContractChange::ByHand { old, new } => view(facts, id, by_hand(facts, id, old, new), (old, new), None),
        })
        .collect();
    let now = goal_contract(goal);
    if let Some(logged) = agreement.contracts.last.filter(|logged| !now.digest.is_short(logged)) {
        let since =
            if facts.state(goal) == GoalState::NotCovered { "since the sign-off" } else { "since it was logged" };
        let effect = facts.records.contract(id, logged).and_then(|old| Amendment::between(old, &now));
        let effect = effect.map(|effect| format!(": {effect}")).unwrap_or_default();
        let heading = format!("Contract, changed by hand {since}{effect}");
        changes.push(diffed(facts.records.contract(id, logged), Some(&now), heading, (logged, &now.digest.short())));
    }
    changes.drain(..changes.len().saturating_sub(MOST));
    changes
}

fn by_hand(facts: &ReportFacts<'_, '_>, id: &str, old: &str, new: &str) -> String {
    let both = facts.records.contract(id, old).zip(facts.records.contract(id, new));
    let effect = both.and_then(|(old, new)| Amendment::between(old, new));
    format!("Contract, changed by hand{}", effect.map(|effect| format!(": {effect}")).unwrap_or_default())
}

fn view(
    facts: &ReportFacts<'_, '_>,
    id: &str,
    heading: String,
    (old, new): (&str, &str),
    because: Option<&str>,
) -> ChangeView {
    let view = diffed(facts.records.contract(id, old), facts.records.contract(id, new), heading, (old, new));
    ChangeView { because: because.map(str::to_owned), ..view }
}

fn diffed(
    old: Option<&GoalContract>,
    new: Option<&GoalContract>,
    heading: String,
    digests: (&str, &str),
) -> ChangeView {
    let lines = old.zip(new).map(|(old, new)| diff(&lines(old), &lines(new)));
    let digests = lines.is_none().then(|| (digests.0.to_owned(), digests.1.to_owned()));
    ChangeView { heading, because: None, lines: lines.unwrap_or_default(), digests }
}

/// A contract as lines, one value each.
fn lines(contract: &GoalContract) -> Vec<String> {
    let one = |key: &str, value: &String| format!("{key}: {value}");
    let mut lines = vec![one("subject", &contract.subject)];
    lines.extend(contract.done_when.iter().map(|value| one("done_when", value)));
    lines.extend(contract.verify.iter().map(|value| one("verify", value)));
    lines.extend(contract.failure_modes.iter().map(|value| one("failure_modes", value)));
    let list = |key: &str, values: &[String]| (!values.is_empty()).then(|| format!("{key}: {}", values.join(", ")));
    lines.extend(list("needs", &contract.needs));
    lines.extend(contract.kind.iter().map(|value| one("kind", value)));
    lines.extend(list("may_change", &contract.may_change));
    lines
}

fn diff(old: &[String], new: &[String]) -> Vec<DiffLine> {
    let gone = |text: &String| DiffLine { is_new: false, text: text.clone() };
    let came = |text: &String| DiffLine { is_new: true, text: text.clone() };
    let mut lines = Vec::new();
    for op in capture_diff_slices(Algorithm::Myers, old, new) {
        if !matches!(op, DiffOp::Equal { .. }) {
            lines.extend(old[op.old_range()].iter().map(gone));
            lines.extend(new[op.new_range()].iter().map(came));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::model::Key;
    use crate::plan::parse;

    #[test]
    fn every_agreed_key_is_in_the_lines() {
        for key in Key::ALL {
            let word = key.word();
            let text = format!("## Goal: A\n{word}: {}\n", if key == Key::Kind { "bugfix" } else { "x" });
            let lines = lines(&goal_contract(parse(text.as_bytes()).unwrap().goal(0).unwrap()));
            assert_eq!(lines.iter().any(|line| line.starts_with(&format!("{word}: "))), key.is_agreed(), "{word}");
        }
    }
}
