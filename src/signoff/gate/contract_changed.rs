//! `contract-changed`: what is judged asks for less than what the work was started with, and nobody said why.

use super::facts::Facts;
use super::{Finding, remedy};
use crate::plan::contract::{Amendment, Effect};
use crate::plan::text::cut;

/// Of a verify line so much is shown, in bytes.
const SHOWN: usize = 120;

/// What this check found. A change with a reason is told to the judge; one that asks for more needs none.
pub(super) fn find(facts: &Facts<'_>) -> Option<Finding> {
    let new = &facts.contract;
    let seen = match (facts.changed_since, facts.started_with) {
        _ if facts.is_explained => return None,
        (Some(old), _) => format!("the contract is {new}, and the log named {old}: it was changed by hand"),
        (None, Some(old)) => format!("the contract is {new}, and the goal was started with {old}: it was amended"),
        (None, None) => return None,
    };
    let expected = "the contract that the goal was started with";
    let resolve = &format!("`{}` says why; or put it back", remedy::explain(facts.goal.name()));
    let Some((old, present)) = facts.start.contract.as_ref().zip(facts.start.present.as_ref()) else {
        let seen = format!("{seen}; the old one is not at hand, how it was changed is unresolved");
        return Some(Finding::lead("contract-changed", expected, seen, resolve));
    };
    let amendment = Amendment::between(old, present)?;
    let verify = match (&old.verify, &present.verify) {
        (Some(was), Some(is)) if was != is => format!("; verify was `{}`, is `{}`", cut(was, SHOWN), cut(is, SHOWN)),
        _ => String::new(),
    };
    let seen = format!("{seen} ({amendment}{verify})");
    match amendment.effect {
        _ if amendment.asks_less() => Some(Finding::of(facts.depth, "contract-changed", expected, seen, resolve)),
        Effect::Tightened => None,
        _ => Some(Finding::lead("contract-changed", expected, seen, resolve)),
    }
}
