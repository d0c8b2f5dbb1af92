//! Where a goal's work began: the tree at its start, pinned under `refs/plan/base/<id>` (`SIGNOFF.md` §3).

use crate::error::Result;
use crate::plan::model::Plan;
use crate::repo::{ObjectId, Repo, Tree, Written};
use crate::signoff::history;
use crate::store::Place;

/// What the log line of a start says about the repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Begun {
    /// The commit, 12 digits, with `+` where the files are not the commit's; `none` without one.
    pub at: String,
    /// The tree, 12 digits; `none` without a repository.
    pub tree: String,
    /// The tree's whole id; none without a repository.
    pub id: Option<ObjectId>,
}

impl Begun {
    /// Where there is no repository.
    pub fn nowhere() -> Self {
        Begun { at: "none".to_owned(), tree: "none".to_owned(), id: None }
    }
}

/// The repository that a plan is in, where there is one.
pub fn open(place: &Place) -> Result<Option<Repo>> {
    match (&place.top, &place.git_dir) {
        (Some(top), Some(git_dir)) => Repo::open(top, git_dir),
        _ => Ok(None),
    }
}

/// Takes and stores the present tree, before verify is run; [`pin`] makes it the goal's base.
pub fn begin(repo: Option<&Repo>, place: &Place) -> Result<Begun> {
    let Some(repo) = repo else { return Ok(Begun::nowhere()) };
    let tree = repo.tree(&[&place.file])?;
    repo.store(&tree)?;
    Ok(Begun { at: commit(&tree), tree: tree.id.short(), id: Some(tree.id) })
}

/// Pins a tree that is stored as the goal's base. One that is pinned already stays, for its goal may be on another branch
/// or have had the id before: then a ref whose name holds the tree as well keeps git from collecting this one. The ref
/// that this very call made comes back.
pub fn pin(repo: &Repo, id: &str, tree: ObjectId) -> Result<Option<(String, ObjectId)>> {
    for name in [reference(id), format!("{}-{}", reference(id), tree.short())] {
        match repo.pin(&name, tree)? {
            Written::New(_) => return Ok(Some((name, tree))),
            Written::AlreadyThere(there) if there == tree => break,
            Written::AlreadyThere(_) => {}
        }
    }
    Ok(None)
}

/// The tree at a goal's start, where it is here: the one that the log names. A ref that is gone or names another tree (an
/// id that belonged to another goal before, a hand in it) is passed over for the tree itself, which stays in the
/// repository as long as git collects no garbage. `pinned` is what the ref names. One process where that is not it.
pub fn find(repo: &Repo, plan: &Plan<'_>, id: &str, pinned: Option<ObjectId>) -> Result<Option<ObjectId>> {
    match history::began(plan, id) {
        None if pinned.is_some_and(|tree| !history::is_of_another(plan, id, &tree)) => repo.tree_of(&reference(id)),
        None => Ok(None),
        Some(began) if pinned.is_some_and(|tree| tree.short() == began) => Ok(pinned),
        Some(began) => Ok(repo.tree_of(began)?.filter(|tree| tree.short() == began)),
    }
}

/// The ref that holds a goal's base.
pub fn reference(id: &str) -> String {
    format!("refs/plan/base/{id}")
}

/// HEAD as log lines show it: 12 digits, with `+` where the files are not the commit's.
pub fn commit(tree: &Tree) -> String {
    match tree.head {
        None => "none".to_owned(),
        Some(commit) if tree.clean_commit => commit.short(),
        Some(commit) => commit.short() + "+",
    }
}
