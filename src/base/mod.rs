//! The base that a goal's work is compared with (`SIGNOFF.md` §3): the files at its start, and the commit below them.
//!
//! The log names commit and tree of a start. If the files were the commit's, they are read from it. If they were not, the files that
//! no commit has are kept in this clone ([`Repo::keep`]). The commit under them counts as well, because only the worker vouches for
//! the files that were left there before the start. A goal that was never started is compared with the first commit whose plan holds
//! it with this contract, else with HEAD.

mod find;
mod merged;
mod record;
mod runner;

use std::fmt;
use std::time::Duration;

use crate::error::Result;
use crate::plan::history;
use crate::plan::model::{Plan, Status};
use crate::repo::{KeepOutcome, KeptTreeLimits, LeftOut, ObjectId, Repo, Tree, TreeEntry};
use crate::store::Place;
use crate::verify::watch::Watch;

pub use find::{find, of_commit, of_revision, plan_at};
pub use merged::Merged;
pub use record::{StartRecord, sign_off_ref, sign_off_refs};
pub use runner::{Program, Runner};

/// The age up to which bases of goals that are not open in this plan are kept: a goal may be open on another branch.
const KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// The baseline that a goal's work is compared with.
#[derive(Clone, Debug)]
pub struct Base {
    /// The origin of the base.
    pub origin: BaseOrigin,
    /// The files of the base.
    pub files: Files,
    /// The commit under the start, if its files differ from the start's.
    pub under_start: Option<CommitUnderStart>,
    /// Files of the start that were too large to be kept.
    pub left_out: Vec<LeftOut>,
    /// The changes from the remote's default branch since the start; `files` and `under_start` include them.
    pub merged: Option<Merged>,
}

/// The files of a tree, without the plan file.
#[derive(Clone, Debug)]
pub struct Files {
    /// The tree's id.
    pub id: ObjectId,
    /// The files, sorted by path.
    pub entries: Vec<TreeEntry>,
}

/// The commit under a start that has other files.
#[derive(Clone, Debug)]
pub struct CommitUnderStart {
    /// The first 12 digits of the commit.
    pub commit: String,
    /// The files of the commit.
    pub files: Files,
    /// True if the start has the files that another goal was signed off with: the tests are as that sign-off left them.
    pub signed: bool,
}

/// The origin of a base. A commit is named by 12 digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BaseOrigin {
    /// The files at the goal's start.
    Start,
    /// The commit under the start, or another one of its history: the start's own files are not here.
    Lost(String),
    /// The commit under the start, because the goal was started after its work, which was in no commit.
    StartedLate(String),
    /// The first commit that holds the goal, else HEAD, because the goal was never started.
    NeverStarted(String),
    /// The commit before the one that first holds the goal, because that one brought the work along. The goal was never started.
    BroughtAlong(String),
    /// The revision of an audit, by its name.
    Revision(String),
}

impl BaseOrigin {
    /// Returns the name for a sentence: `the goal's start`, `commit 0123456789ab`.
    pub fn whole(&self) -> String {
        match self {
            BaseOrigin::Start => "the goal's start".to_owned(),
            other => other.to_string(),
        }
    }
}

/// `the start`, `commit 0123456789ab`, `origin/main`.
impl fmt::Display for BaseOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BaseOrigin::Start => f.write_str("the start"),
            BaseOrigin::Lost(commit)
            | BaseOrigin::StartedLate(commit)
            | BaseOrigin::NeverStarted(commit)
            | BaseOrigin::BroughtAlong(commit) => write!(f, "commit {commit}"),
            BaseOrigin::Revision(name) => f.write_str(name),
        }
    }
}

/// The state of the repository, as the log line of a start records it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartState {
    /// The commit, 12 digits, with `+` if the files are not the commit's; `none` without a commit.
    pub at: String,
    /// The tree, 12 digits; `none` without a repository.
    pub tree: String,
    /// The tree's whole id; `None` without a repository.
    pub id: Option<ObjectId>,
    /// The name under which the files were kept, if this start made it.
    kept: Option<String>,
}

impl StartState {
    /// Returns the state without a repository.
    fn nowhere() -> Self {
        StartState { at: "none".to_owned(), tree: "none".to_owned(), id: None, kept: None }
    }
}

/// Opens the repository that a plan is in, if there is one.
pub fn open(place: &Place) -> Result<Option<Repo>> {
    match (&place.top, &place.git_dir) {
        (Some(top), Some(git_dir)) => Repo::open(top, git_dir),
        _ => Ok(None),
    }
}

/// The same, for callers that would take a repository for none if there were no git program.
///
/// # Errors
/// [`crate::error::Kind::Unknown`] if the plan is in a repository and there is no git on `PATH`.
pub fn open_with_git(place: &Place) -> Result<Option<Repo>> {
    if let Some(top) = place.top.as_ref().filter(|_| place.git_dir.is_some()) {
        crate::repo::check_git(top)?;
    }
    open(place)
}

/// Records the present tree before verify runs, and keeps the files of it that no commit has.
pub fn begin(repo: Option<&Repo>, place: &Place, goal: &str, watch: &dyn Watch) -> Result<StartState> {
    let Some(repo) = repo else { return Ok(StartState::nowhere()) };
    let _open = repo.keep_open();
    let tree = repo.tree(&[&place.file])?;
    let mut begun = StartState { at: commit(&tree), tree: tree.id.short(), id: Some(tree.id), kept: None };
    if !tree.clean_commit {
        let name = name(goal, &begun.tree);
        match repo.keep(&name, &tree, &KeptTreeLimits::default())? {
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

/// Forgets the files that a start kept, if the start was not written.
pub fn withdraw(repo: &Repo, begun: &StartState) -> Result<()> {
    begun.kept.as_ref().map_or(Ok(()), |name| repo.release(name))
}

/// Forgets old bases that no open goal of this plan needs, and removes the objects that only they held.
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

/// Returns the name under which the files of a start are kept; the tree is 12 digits.
fn name(goal: &str, tree: &str) -> String {
    format!("base-{goal}-{tree}")
}

fn left_out(left: &LeftOut) -> String {
    let (path, most) = (&left.path, KeptTreeLimits::default().file >> 20);
    format!("note: `{path}` is not kept with this start: it has {} MiB, the limit is {most} MiB", left.bytes >> 20)
}

/// Returns HEAD as log lines show it: 12 digits, with `+` if the files are not the commit's.
pub fn commit(tree: &Tree) -> String {
    match tree.head {
        None => "none".to_owned(),
        Some(commit) if tree.clean_commit => commit.short(),
        Some(commit) => commit.short() + "+",
    }
}
