//! `started-before`: a goal with this id was started on other files, given up and added again. Changes in between,
//! including weaker tests, count as nobody's work.

use crate::gate::Finding;
use crate::gate::facts::Facts;
use crate::plan::history;

/// Returns the lead of this scan.
pub(super) fn find(facts: &Facts<'_>) -> Vec<Finding> {
    let (plan, id) = (facts.goal.plan(), facts.goal.id().unwrap_or_default());
    let Some(own) = history::starts(plan, id).into_iter().next() else { return Vec::new() };
    let Some(before) = history::abandoned_start(plan, id).filter(|before| before.tree != own.tree) else {
        return Vec::new();
    };
    let at = before.at.trim_end_matches('+');
    let seen = format!("{id} was started at {at}, given up, and added again at {}: its tests may have changed", own.at);
    let ask = format!("ask a judge that reads: `plan complete {id} --judge human`, or an agent's name");
    // It may have stood on no commit.
    let resolve = if at == "none" { ask } else { format!("read `git diff {at}`, and {ask}") };
    vec![Finding::lead("started-before", "a goal that is compared with its first start", seen, &resolve)]
}
