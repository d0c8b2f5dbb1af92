//! Finds the text of a contract that the log names only by its digest: in kept versions of plan.md, in records, in
//! commits.

use std::collections::HashMap;

use super::past::versions;
use super::refs::Refs;
use crate::base;
use crate::plan::contract::{Digests, GoalContract, goal_contract};
use crate::plan::history::contract_in;
use crate::plan::model::GoalRef;
use crate::plan::{Plan, parse};
use crate::repo::Repo;
use crate::store::{self, Place};

/// The number of kept versions to search, newest first.
const VERSIONS: usize = 100;
/// The same for a search for many contracts.
const FOR_MANY: usize = 20;

/// Finds the contract of goal `id` whose digest begins with `short`; `None` if it is not available.
pub fn find(place: &Place, id: &str, short: &str) -> Option<GoalContract> {
    let kept = store::undo_list(place).unwrap_or_default();
    let kept = kept.iter().take(VERSIONS).filter_map(|version| store::undo_content(version).ok());
    kept.into_iter().find_map(|bytes| contract_in(&bytes, id, short)).or_else(|| {
        let repo = base::open(place).ok()??;
        let recorded = Refs::of(&repo).ok().and_then(|refs| refs.contract(id, short));
        recorded.or_else(|| versions(&repo, &place.file).iter().find_map(|bytes| contract_in(bytes, id, short)))
    })
}

/// Finds the contracts of these goals with these digits, as far as they are available. Each source is read once, and only while a
/// contract is missing: the current plan, the records, kept versions, commits.
pub(super) fn find_all(
    place: &Place,
    plan: &Plan<'_>,
    repo: &Repo,
    refs: &Refs,
    wanted: &[(&str, &str)],
) -> Vec<GoalContract> {
    let mut search = Search::default();
    for (id, short) in wanted {
        search.left.entry((*id).to_owned()).or_default().push((*short).to_owned());
    }
    search.in_plan(plan);
    search.take(|id, short| refs.contract(id, short));
    if !search.left.is_empty() {
        let kept = store::undo_list(place).unwrap_or_default();
        let kept = kept.iter().take(FOR_MANY).filter_map(|version| store::undo_content(version).ok());
        kept.for_each(|bytes| search.in_bytes(&bytes));
    }
    if !search.left.is_empty() {
        versions(repo, &place.file).iter().for_each(|bytes| search.in_bytes(bytes));
    }
    search.found
}

/// A search for many contracts.
#[derive(Default)]
struct Search {
    /// The digits that are still missing, by the goal's id.
    left: HashMap<String, Vec<String>>,
    found: Vec<GoalContract>,
}

impl Search {
    fn in_bytes(&mut self, bytes: &[u8]) {
        if !self.left.is_empty()
            && let Ok(plan) = parse(bytes)
        {
            self.in_plan(&plan);
        }
    }

    fn in_plan(&mut self, plan: &Plan<'_>) {
        let goals: HashMap<&str, GoalRef<'_, '_>> = plan
            .all_goals()
            .filter_map(|goal| Some((goal.id()?, goal)))
            .filter(|(id, _)| self.left.contains_key(*id))
            .collect();
        let mut digests = Digests::default();
        self.take(|id, short| {
            let goal = goals.get(id).copied().filter(|goal| digests.of(*goal).is_short(short))?;
            Some(goal_contract(goal))
        });
    }

    fn take(&mut self, mut find: impl FnMut(&str, &str) -> Option<GoalContract>) {
        let found = &mut self.found;
        self.left.retain(|id, shorts| {
            shorts.retain(|short| match find(id, short) {
                Some(contract) => {
                    found.push(contract);
                    false
                }
                None => true,
            });
            !shorts.is_empty()
        });
    }
}
