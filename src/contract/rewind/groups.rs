//! The text that a person reads before they agree: the files by the step that changed them, and the parts that stay.

use std::collections::HashMap;
use std::path::PathBuf;

use super::difference::Difference;
use crate::contract::checkpoint::{self, Checkpoint, Kind};
use crate::plan::text::counted;
use crate::repo::{Mode, PathChange, RawTree, Repo, changes, find_entry};
use crate::store::Place;

/// The most checkpoints after the target whose changes are told apart.
const MOST: usize = 50;

/// Files that one step changed, compared with the checkpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The name of the group: `of step 4`, `since step 4`.
    pub label: String,
    /// The number of files that are gone now and come back.
    pub deleted: usize,
    /// The number of files that are different now.
    pub changed: usize,
    /// The number of files that are new and will be deleted.
    pub new: usize,
}

/// The touched files, grouped by the last step that changed them, oldest step first.
pub(super) fn groups(repo: &Repo, place: &Place, target: &Checkpoint, now: &RawTree, found: &Difference) -> Vec<Group> {
    let after = checkpoint::list(place).into_iter().flatten();
    let steps: Vec<Checkpoint> =
        after.filter(|one| one.number > target.number && one.kind == Kind::Step).take(MOST).collect();
    let mut segments: Vec<String> = Vec::new();
    let mut of: HashMap<PathBuf, usize> = HashMap::new();
    let mut last = target;
    for step in &steps {
        segments.push(format!("of step {}", step.step_name()));
        for path in repo.changed_paths(last.tree, step.tree).unwrap_or_default() {
            of.insert(path, segments.len() - 1);
        }
        last = step;
    }
    segments.push(format!("since {}", since(last)));
    let entries = repo.entries(last.tree).unwrap_or_default();
    for changed in changes(&entries, &now.tree.entries) {
        of.insert(changed.path, segments.len() - 1);
    }
    let mut groups: Vec<Group> =
        segments.into_iter().map(|label| Group { label, deleted: 0, changed: 0, new: 0 }).collect();
    let rest = groups.len() - 1;
    for (path, change) in &found.touched {
        let group = &mut groups[of.get(path).copied().unwrap_or(rest)];
        match change {
            PathChange::Removed => group.deleted += 1,
            PathChange::Added => group.new += 1,
            PathChange::Modified | PathChange::Permission => group.changed += 1,
        }
    }
    groups.retain(|group| group.deleted + group.changed + group.new > 0);
    groups
}

fn since(last: &Checkpoint) -> String {
    match last.kind {
        Kind::Step => format!("step {}", last.step_name()),
        Kind::Start => "the start".to_owned(),
        _ => format!("checkpoint {}", last.number),
    }
}

/// Lines about the parts that stay as they are.
pub(super) fn notes(repo: &Repo, target: &Checkpoint, now: &RawTree, found: &Difference) -> Vec<String> {
    let mut notes = Vec::new();
    if let (Some(then), Some(head)) = (target.head, now.tree.head)
        && let Ok(past @ 1..) = repo.commits_past(then, head)
    {
        let (commits, they) = if past == 1 { ("commit", "it stays") } else { ("commits", "they stay") };
        notes.push(format!(
            "HEAD is {past} {commits} past the checkpoint; {they}, and git shows the difference as changes"
        ));
    }
    for apart in &target.apart {
        let Some(then) = apart.commit else { continue };
        let path = apart.path.display();
        match find_entry(&now.tree.entries, &apart.path).filter(|entry| entry.mode == Mode::Submodule) {
            Some(is) if is.id == then => {}
            Some(is) => notes.push(format!(
                "`{path}` was at {}, is at {}: `git -C {path} checkout {}`",
                then.short(),
                is.id.short(),
                then.short()
            )),
            None => notes.push(format!("`{path}` was a submodule at {}: it is not brought back", then.short())),
        }
    }
    if found.elsewhere > 0 {
        notes.push(format!("{} outside the plan's folder stay as they are", counted(found.elsewhere, "file")));
    }
    notes
}
