//! `contract-changed`: the current contract asks for less than the contract of the start, and nobody gave a reason; or verify
//! runs in another folder than at the start.

use std::path::Path;

use super::facts::GateFacts;
use super::{GateFinding, remedy};
use crate::plan::contract::{Amendment, Effect};
use crate::plan::text::cut;
use crate::shell::quote;

/// How much of a verify line is shown, in bytes.
const SHOWN: usize = 120;

pub(super) fn find(facts: &GateFacts<'_>) -> Vec<GateFinding> {
    moved(facts).into_iter().chain(changed(facts)).collect()
}

/// Verify runs in the folder of plan.md, so in another folder it runs other files. A reason does not resolve this finding; a new
/// start does. Records of older versions do not name the folder.
fn moved(facts: &GateFacts<'_>) -> Option<GateFinding> {
    let was = facts.start.last.as_ref()?.root.as_deref().filter(|was| *was != facts.root)?;
    let shown = |root: &Path| match root.to_string_lossy() {
        top if top.is_empty() => "the top of the repository".to_owned(),
        folder => format!("`{folder}`"),
    };
    let id = quote(facts.goal.name());
    let seen = format!("plan.md is in {}; at the goal's start it was in {}", shown(facts.root), shown(was));
    let there = was.join(facts.plan_file.file_name()?);
    let [from, to] = [facts.plan_file, &there].map(|path| quote(&path.to_string_lossy()));
    let resolve = format!(
        "move it back: `mv -f {from} {to}`; if the move is intended: `plan goal cancel {id} \"why\"`, then `plan goal start {id}`"
    );
    let expected = "verify in the folder in which the goal was started";
    Some(GateFinding::of(facts.depth, "contract-changed", expected, seen, &resolve))
}

/// The finding about the contract itself. A change that has a reason is reported to the judge instead; a stricter contract
/// needs no reason.
fn changed(facts: &GateFacts<'_>) -> Option<GateFinding> {
    let new = &facts.contract;
    let seen = match (facts.changed_since, facts.started_with) {
        _ if facts.is_explained => return None,
        (Some(old), _) => format!("the contract was changed by hand since the log named it ({old}, now {new})"),
        (None, Some(old)) => format!("the contract was amended since the goal was started ({old}, now {new})"),
        (None, None) => return None,
    };
    let expected = "the contract that the goal was started with";
    let resolve = &format!("`{}` says why; or restore the contract", remedy::explain(facts.goal.name()));
    let Some((old, present)) = facts.start.contract.as_ref().zip(facts.start.present.as_ref()) else {
        let seen = format!("{seen}; the old contract is not in this clone, so the kind of change is unresolved");
        return Some(GateFinding::lead("contract-changed", expected, seen, resolve));
    };
    let amendment = Amendment::between(old, present)?;
    let verify = match (&old.verify, &present.verify) {
        (Some(was), Some(is)) if was != is => format!("; verify was `{}`, is `{}`", cut(was, SHOWN), cut(is, SHOWN)),
        _ => String::new(),
    };
    let seen = format!("{seen}: {amendment}{verify}");
    match amendment.effect {
        _ if amendment.asks_less() => Some(GateFinding::of(facts.depth, "contract-changed", expected, seen, resolve)),
        Effect::Tightened => None,
        _ => Some(GateFinding::lead("contract-changed", expected, seen, resolve)),
    }
}
