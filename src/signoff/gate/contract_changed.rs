//! `contract-changed`: what is judged is not what the work was started with.

use super::facts::Facts;
use super::{Finding, remedy};
use crate::plan::contract::{Amendment, Effect, GoalContract};
use crate::plan::text::cut;
use crate::process::words;

/// Of a verify line so much is shown, in bytes.
const SHOWN: usize = 120;

/// What this check found.
pub(super) fn find(facts: &Facts<'_>) -> Option<Finding> {
    let new = &facts.contract;
    let seen = match (facts.changed_since, facts.started_with) {
        (Some(old), _) => format!("the contract is {new}, and the log named {old}: it was changed by hand"),
        (None, Some(old)) => format!("the contract is {new}, and the goal was started with {old}: it was amended"),
        (None, None) => return None,
    };
    let expected = "the contract that the goal was started with";
    let goal = facts.goal.name();
    let again = remedy::again(goal);
    let resolve = &format!(
        "put it back; or `plan goal set {goal} …`, where that is still to do, then `{again}`, which the log tells"
    );
    let Some((old, present)) = facts.start.contract.as_ref().zip(facts.start.present.as_ref()) else {
        let seen = format!("{seen}; the old one is not at hand, how it was changed is unresolved");
        return Some(Finding::lead("contract-changed", expected, seen, resolve));
    };
    let Some(amendment) = Amendment::between(old, present) else {
        // Put back as it was, by hand.
        return Some(Finding::lead("contract-changed", expected, seen, resolve));
    };
    let replaced = replaced(old, present);
    let seen = format!("{seen} ({amendment}{})", replaced.as_deref().unwrap_or_default());
    Some(if amendment.effect == Effect::Loosened || replaced.is_some() {
        Finding::of(facts.depth, "contract-changed", expected, seen, resolve)
    } else {
        Finding::lead("contract-changed", expected, seen, resolve)
    })
}

/// Another verify in place of the one at the start, one that does not run all of it: nothing says that it asks for as much.
fn replaced(old: &GoalContract, new: &GoalContract) -> Option<String> {
    let (old, new) = (old.verify.as_deref()?, new.verify.as_deref()?);
    if let (Ok(was), Ok(is)) = (words::split(old), words::split(new)) {
        let mut left = is.commands.iter();
        if was.commands.iter().all(|command| left.any(|other| other == command)) {
            return None;
        }
    }
    Some(format!("; verify was `{}`, is `{}`", cut(old, SHOWN), cut(new, SHOWN)))
}
