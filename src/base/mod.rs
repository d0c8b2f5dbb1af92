//! The base that a goal's work is compared with (`SIGNOFF.md` §3): the files at its start, and the commit below them.
//!
//! The log names commit and tree of a start. Where the files were the commit's, they are read from it. Where they were
//! not, those that no commit has are kept in this clone ([`Repo::keep`]). The commit under them counts as well, because
//! the worker alone vouches for files that he left there before the start. A goal that was never started is compared
//! with the first commit whose plan holds it with this contract, else with HEAD.

mod find;
mod merged;
mod record;
mod runner;

use std::fmt;
use std::time::Duration;

use crate::error::Result;
use crate::plan::history;
use crate::plan::model::{Plan, Status};
use crate::repo::{KeepOutcome, LeftOut, Limits, ObjectId, Repo, Tree, TreeEntry};
use crate::store::Place;
use crate::verify::watch::Watch;

pub use find::{find, of_commit, of_revision};
pub use merged::Merged;
pub use record::{StartRecord, sign_off_ref, sign_off_refs};
pub use runner::{Program, Runner};

/// Bases of goals that this plan has not open stay so long: the goal may be open on another branch.
const KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// What a goal's work is held against.
#[derive(Clone, Debug)]
pub struct Base {
    /// Where it comes from.
    pub origin: Origin,
    /// Its files.
    pub files: Files,
    /// The commit that the start stood on, where its files were others.
    pub under_start: Option<CommitUnderStart>,
    /// Files of the start that were too large to be kept.
    pub left_out: Vec<LeftOut>,
    /// What the remote's default branch brought since; `files` and `under_start` have it.
    pub merged: Option<Merged>,
}

/// The files of a tree, without the plan file.
#[derive(Clone, Debug)]
pub struct Files {
    /// The tree's id.
    pub id: ObjectId,
    /// Sorted by path.
    pub entries: Vec<TreeEntry>,
}

/// The commit under a start on other files.
#[derive(Clone, Debug)]
pub struct CommitUnderStart {
    /// Its first 12 digits.
    pub commit: String,
    /// Its files.
    pub files: Files,
    /// The files of the start are those that another goal was signed off with: its tests are as that sign-off left them.
    pub signed: bool,
}

/// Where a base comes from. A commit is named by 12 digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The files at the goal's start.
    Start,
    /// The commit that the start stood on, or another one of its history: the start's own files are not here.
    Lost(String),
    /// The goal was started after its work, which was in no commit: the commit under the start.
    StartedLate(String),
    /// The goal was never started: the first commit that holds it, else HEAD.
    NeverStarted(String),
    /// The same, but that commit brought the work along: the commit before it.
    BroughtAlong(String),
    /// The revision of an audit, by its name.
    Revision(String),
}

impl Origin {
    /// As a sentence names it: `the goal's start`, `commit 0123456789ab`.
    pub fn whole(&self) -> String {
        match self {
            Origin::Start => "the goal's start".to_owned(),
            other => other.to_string(),
        }
    }
}

/// `the start`, `commit 0123456789ab`, `origin/main`.
impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Start => f.write_str("the start"),
            Origin::Lost(commit)
            | Origin::StartedLate(commit)
            | Origin::NeverStarted(commit)
            | Origin::BroughtAlong(commit) => write!(f, "commit {commit}"),
            Origin::Revision(name) => f.write_str(name),
        }
    }
}

/// What the log line of a start says about the repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartState {
    /// The commit, 12 digits, with `+` where the files are not the commit's; `none` without one.
    pub at: String,
    /// The tree, 12 digits; `none` without a repository.
    pub tree: String,
    /// The tree's whole id; none without a repository.
    pub id: Option<ObjectId>,
    /// The name under which the files were kept, where this start made it.
    kept: Option<String>,
}

impl StartState {
    /// Where there is no repository.
    fn nowhere() -> Self {
        StartState { at: "none".to_owned(), tree: "none".to_owned(), id: None, kept: None }
    }
}

/// The repository that a plan is in, where there is one.
pub fn open(place: &Place) -> Result<Option<Repo>> {
    match (&place.top, &place.git_dir) {
        (Some(top), Some(git_dir)) => Repo::open(top, git_dir),
        _ => Ok(None),
    }
}

/// Takes the present tree, before verify is run, and keeps what no commit has of it.
pub fn begin(repo: Option<&Repo>, place: &Place, goal: &str, watch: &dyn Watch) -> Result<StartState> {
    let Some(repo) = repo else { return Ok(StartState::nowhere()) };
    let _open = repo.keep_open();
    let tree = repo.tree(&[&place.file])?;
    let mut begun = StartState { at: commit(&tree), tree: tree.id.short(), id: Some(tree.id), kept: None };
    if !tree.clean_commit {
        let name = name(goal, &begun.tree);
        match repo.keep(&name, &tree, &Limits::default())? {
            KeepOutcome::Kept { kept, new } => {
                kept.left_out.iter().for_each(|left| watch.note(&left_out(left)));
                begun.kept = new.then_some(name);
            }
            KeepOutcome::TooMuch(why) => watch.note(&format!(
                "note: the files at this start are not kept: {why}; the work will be compared with the commit below them"
            )),
        }
    }
    Ok(begun)
}

/// Forgets what a start has kept that was not written.
pub fn withdraw(repo: &Repo, begun: &StartState) -> Result<()> {
    begun.kept.as_ref().map_or(Ok(()), |name| repo.release(name))
}

/// Forgets the bases that no open goal of this plan needs and that are old, and removes what only they held.
pub fn sweep(repo: &Repo, plan: &Plan<'_>) -> Result<()> {
    let open = plan.all_goals().filter(|goal| goal.status() != Status::Done && !goal.raw().archived);
    let needed: Vec<String> = open
        .filter_map(|goal| goal.id())
        .flat_map(|id| history::starts(plan, id).into_iter().map(move |begin| name(id, begin.tree)))
        .collect();
    let is_over = |kept: &crate::repo::KeptTree| kept.name.starts_with("base-") && kept.age > KEPT;
    for kept in repo.all_kept().iter().filter(|kept| is_over(kept) && !needed.contains(&kept.name)) {
        repo.release(&kept.name)?;
    }
    repo.sweep()
}

/// The name under which the files of a start are kept; the tree is 12 digits.
fn name(goal: &str, tree: &str) -> String {
    format!("base-{goal}-{tree}")
}

fn left_out(left: &LeftOut) -> String {
    let (path, most) = (&left.path, Limits::default().file >> 20);
    format!("note: `{path}` is not kept with this start: it has {} MiB, the limit is {most} MiB", left.bytes >> 20)
}

/// HEAD as log lines show it: 12 digits, with `+` where the files are not the commit's.
pub fn commit(tree: &Tree) -> String {
    match tree.head {
        None => "none".to_owned(),
        Some(commit) if tree.clean_commit => commit.short(),
        Some(commit) => commit.short() + "+",
    }
}
