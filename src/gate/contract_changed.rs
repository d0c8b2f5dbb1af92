//! `contract-changed`: the present contract asks for less than the contract of the start, and nobody said why.

use super::facts::Facts;
use super::{Finding, remedy};
use crate::plan::contract::{Amendment, Effect};
use crate::plan::text::cut;

/// How much of a verify line is shown, in bytes.
const SHOWN: usize = 120;

/// Returns the finding, if there is one. The judge is told of a change that has a reason; a stricter contract needs no
/// reason.
pub(super) fn find(facts: &Facts<'_>) -> Option<Finding> {
    let new = &facts.contract;
    let seen = match (facts.changed_since, facts.started_with) {
        _ if facts.is_explained => return None,
        (Some(old), _) => format!("the contract was changed by hand since the log named it ({old}, now {new})"),
        (None, Some(old)) => format!("the contract was amended since the goal was started ({old}, now {new})"),
        (None, None) => return None,
    };
    let expected = "the contract that the goal was started with";
    let resolve = &format!("say why: `{}`; or restore the contract", remedy::explain(facts.goal.name()));
    let Some((old, present)) = facts.start.contract.as_ref().zip(facts.start.present.as_ref()) else {
        let seen = format!("{seen}; the old contract is not in this clone, so the kind of change is unresolved");
        return Some(Finding::lead("contract-changed", expected, seen, resolve));
    };
    let amendment = Amendment::between(old, present)?;
    let verify = match (&old.verify, &present.verify) {
        (Some(was), Some(is)) if was != is => format!("; verify was `{}`, is `{}`", cut(was, SHOWN), cut(is, SHOWN)),
        _ => String::new(),
    };
    let seen = format!("{seen}: {amendment}{verify}");
    match amendment.effect {
        _ if amendment.asks_less() => Some(Finding::of(facts.depth, "contract-changed", expected, seen, resolve)),
        Effect::Tightened => None,
        _ => Some(Finding::lead("contract-changed", expected, seen, resolve)),
    }
}
