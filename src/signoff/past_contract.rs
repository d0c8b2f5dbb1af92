//! What a contract said that the log names by its digits alone: in a version of plan.md that a write displaced, in a record, in a
//! commit.

use std::path::Path;

use super::{audit, base};
use crate::plan::contract::{GoalContract, goal_contract};
use crate::plan::parse;
use crate::repo::Repo;
use crate::store::{self, Place};

/// Kept versions that are looked through, newest first.
const VERSIONS: usize = 100;

/// The contract of goal `id` with this digest; none where nothing of it is at hand.
pub fn find(place: &Place, id: &str, short: &str) -> Option<GoalContract> {
    let kept = store::undo_list(place).unwrap_or_default();
    let kept = kept.iter().take(VERSIONS).filter_map(|version| store::undo_content(version).ok());
    kept.into_iter().find_map(|bytes| in_plan(&bytes, id, short)).or_else(|| {
        let repo = base::open(place).ok()??;
        recorded(&repo, &place.file, id, short)
    })
}

/// The same from the records and the commits of a repository alone.
fn recorded(repo: &Repo, file: &Path, id: &str, short: &str) -> Option<GoalContract> {
    let recorded = audit::Refs::of(repo).ok().and_then(|refs| refs.contract(id, short));
    recorded.or_else(|| audit::Older::new(Some(repo), file).contract(id, short))
}

/// The contract with this digest, in the bytes of a plan file.
pub(super) fn in_plan(bytes: &[u8], id: &str, short: &str) -> Option<GoalContract> {
    // Few versions hold the id; none of the others is worth reading.
    memchr::memmem::find(bytes, id.as_bytes())?;
    let plan = parse(bytes).ok()?;
    let contracts = plan.all_goals().filter(|goal| goal.id() == Some(id)).map(goal_contract);
    contracts.into_iter().find(|contract: &GoalContract| contract.digest.is_short(short))
}
