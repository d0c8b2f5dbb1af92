//! The target of a rewind: finds the checkpoint, and checks that it is in this history.

use std::path::PathBuf;

use super::journal::Journal;
use super::named;
use crate::contract::checkpoint::{self, Checkpoint, Kind, UnreadableRecord};
use crate::error::{Error, Kind as ErrorKind, Result};
use crate::plan::model::Plan;
use crate::plan::text::counted;
use crate::repo::Repo;
use crate::store::Place;

/// The target of a rewind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RewindTarget {
    /// The end of this step; `0` is the start.
    Step(String),
    /// The moment before `plan clear` or `plan draft`.
    Moment(Kind),
    /// The checkpoint with this number, of any kind.
    Checkpoint(u32),
    /// Before the last rewind; if that rewind ended an interrupted one, the files just before it.
    Undo,
}

impl RewindTarget {
    /// Parses `3`, `cache-1.2`, `0`, `start`, `before-clear`, `before-draft`, `@7`.
    pub fn parse(text: &str) -> Self {
        if let Some(number) = text.strip_prefix('@').and_then(|number| number.parse().ok()) {
            return RewindTarget::Checkpoint(number);
        }
        let kinds = [Kind::Start, Kind::BeforeClear, Kind::BeforeDraft];
        match kinds.into_iter().find(|kind| kind.word() == Some(text)) {
            Some(Kind::Start) => RewindTarget::Step("0".to_owned()),
            Some(kind) => RewindTarget::Moment(kind),
            None => RewindTarget::Step(text.to_owned()),
        }
    }

    /// The form that `plan rewind` takes.
    pub fn name(&self) -> String {
        match self {
            RewindTarget::Step(name) => name.clone(),
            RewindTarget::Moment(kind) => kind.word().unwrap_or_default().to_owned(),
            RewindTarget::Checkpoint(number) => format!("@{number}"),
            RewindTarget::Undo => "--undo".to_owned(),
        }
    }

    fn is(&self, checkpoint: &Checkpoint) -> bool {
        match self {
            RewindTarget::Step(name) if name == "0" => checkpoint.kind == Kind::Start,
            RewindTarget::Step(name) => checkpoint.kind == Kind::Step && checkpoint.step.as_ref() == Some(name),
            RewindTarget::Moment(kind) => checkpoint.kind == *kind,
            RewindTarget::Checkpoint(number) => checkpoint.number == *number,
            RewindTarget::Undo => matches!(checkpoint.kind, Kind::Before | Kind::Halfway),
        }
    }
}

/// Finds the checkpoint of a target.
pub(super) fn find(
    place: &Place,
    plan: &Plan<'_>,
    target: &RewindTarget,
    interrupted: Option<&Journal>,
) -> Result<Checkpoint> {
    let target = match target {
        RewindTarget::Step(name) if name != "0" => {
            RewindTarget::Step(plan.find_step(name).map_or_else(|_| name.clone(), |step| step.name()))
        }
        other => other.clone(),
    };
    let all = checkpoint::list(place);
    let wanted = |checkpoint: &Checkpoint| match (interrupted, &target) {
        (Some(journal), RewindTarget::Checkpoint(number)) => {
            checkpoint.number == *number && [journal.target, journal.before].contains(number)
        }
        (Some(journal), RewindTarget::Undo) if !journal.is_undo() => checkpoint.number == journal.before,
        (Some(journal), _) => checkpoint.number == journal.target && journal.name == target.name(),
        (None, target) => target.is(checkpoint),
    };
    let found = all.iter().rev().find_map(|one| one.as_ref().ok().filter(|one| wanted(one)));
    // An unreadable record may be the wanted one.
    let may_be_meant = |damaged: &&UnreadableRecord| match target {
        RewindTarget::Checkpoint(number) => damaged.number == number,
        _ => true,
    };
    let damaged: Option<&UnreadableRecord> = all.iter().rev().find_map(|one| one.as_ref().err().filter(may_be_meant));
    match (found, damaged, interrupted) {
        (found, Some(damaged), _) if found.is_none_or(|found| found.number < damaged.number) => {
            Err(damaged.error(place))
        }
        (Some(found), ..) => Ok(found.clone()),
        (None, _, Some(journal)) => Err(journal.refusal(place)),
        (None, ..) => Err(not_kept(&target, &all)),
    }
}

/// The error R23.
fn not_kept(target: &RewindTarget, all: &[std::result::Result<Checkpoint, UnreadableRecord>]) -> Error {
    let all = || all.iter().flatten();
    let names = match (target, all().next(), all().next_back()) {
        (RewindTarget::Checkpoint(_), Some(first), Some(last)) if first.number != last.number => {
            vec![format!("@{} to @{}", first.number, last.number)]
        }
        (RewindTarget::Checkpoint(_), first, _) => first.iter().map(|one| format!("@{}", one.number)).collect(),
        _ => moments(all()),
    };
    let there = match names.is_empty() {
        true => "there is none (`plan` takes them in contract mode, or with `checkpoints: true` in the front matter)"
            .to_owned(),
        false => format!("there are {}", names.join(", ")),
    };
    let what = match target {
        RewindTarget::Checkpoint(number) => format!("no checkpoint {number} is kept here"),
        RewindTarget::Undo => "nothing was rewound here: no checkpoint before a rewind is kept".to_owned(),
        RewindTarget::Step(name) => format!("no checkpoint of step {name} is kept here"),
        RewindTarget::Moment(kind) => format!("no checkpoint {} is kept here", kind.of(None)),
    };
    Error::new(ErrorKind::No, format!("{what}; {there}")).hint("plan rewind --list")
}

/// The names of steps and moments, each once.
fn moments<'c>(all: impl Iterator<Item = &'c Checkpoint>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for one in all {
        let name = match one.kind {
            Kind::Step | Kind::Start => one.step_name(),
            kind => kind.word().unwrap_or_default(),
        };
        if !name.is_empty() && !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    names
}

pub(super) fn check_branch(repo: &Repo, target: &Checkpoint) -> Result<()> {
    let branch = repo.branch()?;
    if branch == target.branch {
        return Ok(());
    }
    let (Some(commit), head) = (target.head, repo.head()?) else { return Ok(()) };
    let is_known = repo.has(commit)?;
    if is_known && head.is_some_and(|head| repo.merge_base(commit, head).is_ok_and(|base| base == Some(commit))) {
        return Ok(());
    }
    let name = |branch: &Option<String>| branch.as_ref().map_or("no branch".to_owned(), |name| format!("`{name}`"));
    let message = format!(
        "refused: the checkpoint was made on {}, this is {}, and its commit {} is not in this history",
        name(&target.branch),
        name(&branch),
        commit.short()
    );
    let switch = target.branch.as_ref().map(|branch| format!("`git switch {branch}` goes there, "));
    Err(Error::new(ErrorKind::Refused, message)
        .harmless()
        .hint(format!("{}`--here` restores its files all the same", switch.unwrap_or_default())))
}

pub(super) fn gone(target: &Checkpoint, paths: &[&PathBuf]) -> Error {
    let (what, which) = match paths.is_empty() {
        true => ("the files".to_owned(), String::new()),
        false => (counted(paths.len(), "file"), format!(": {}", named(paths))),
    };
    let verb = if paths.len() == 1 { "is" } else { "are" };
    let message = format!(
        "{what} of checkpoint {} {verb} no longer kept (`git gc` after its branch was dropped?){which}",
        target.number
    );
    Error::new(ErrorKind::No, message).harmless()
}
