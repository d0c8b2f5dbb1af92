//! `no-change`: the tree equals the tree of the start or of the commit under it, or all of the work belongs to another
//! goal.

use std::path::Path;

use super::facts::GateFacts;
use super::full::row::Probe;
use super::{GateFinding, GateLevel, remedy};
use crate::plan::history::{self, Seen};
use crate::plan::model::GoalRef;
use crate::replay::{RunOutcome, Stop};
use crate::verify::stage1::CommandLine;

const CODE: &str = "no-change";
/// How many changed source files are restored, one at a time, and how many other goals are compared at most.
const MOST_FILES: usize = 8;
const MOST_GOALS: usize = 4;

pub(super) fn find(facts: &GateFacts<'_>) -> Option<GateFinding> {
    let since = facts.base?;
    let put_back = since.uncommitted.as_ref().filter(|uncommitted| uncommitted.put_back);
    let seen = match put_back {
        Some(uncommitted) => {
            format!("the files are those of commit {}: the changes of the goal's start were undone", uncommitted.commit)
        }
        None if since.unchanged => {
            let brought = since.merged.as_ref().map(|merged| format!(" except for the changes from {}", merged.branch));
            format!("nothing has changed since {}{}", since.origin.whole(), brought.unwrap_or_default())
        }
        None => return of_another(facts),
    };
    let expected = "files that differ from the goal's start and from the commit under it";
    let changed = facts.trees.and_then(|(_, after)| after.dirty_submodules().next());
    let resolve = changed.map_or_else(|| resolve(facts, put_back.is_some()), remedy::of_submodule);
    Some(GateFinding::of(facts.depth, CODE, expected, seen, &resolve))
}

/// The advice if nothing changed. Work that was already in a commit at the start is no longer visible as a change.
fn resolve(facts: &GateFacts<'_>, put_back: bool) -> String {
    if put_back || facts.seen == Seen::Red {
        return "do the work".to_owned();
    }
    let name = facts.goal.typed();
    format!("do the work; if it was done before the start: `plan goal cancel {name} \"was done already\"`")
}

/// The lead if the files equal those of another goal's sign-off since this goal was started, and verify was not red at
/// the start. Then the other goal's work and tests may hide that nobody did this goal's work. Goals that are worked on
/// side by side look the same: [`is_own_work`] may tell them apart; otherwise a reader decides.
fn of_another(facts: &GateFacts<'_>) -> Option<GateFinding> {
    let goal = facts.goal;
    if facts.seen == Seen::Red || goal.kind().begins_green() {
        return None;
    }
    let tree = facts.trees?.1.id.short();
    let (name, other) = (goal.name(), history::signed_off_with(goal.plan(), goal.id()?, &tree).pop()?);
    let seen =
        format!("nothing has changed since `{other}` was signed off, and verify was not red when {name} was started");
    let resolve = format!(
        "do the work and test it; if `{other}` needs the same files, let somebody who reads them decide: \
         `plan complete {name} --judge human`"
    );
    Some(GateFinding::lead(CODE, "work done for this goal", seen, &resolve))
}

/// Returns the verify lines of the other goals if one of these findings says that all of the work may be theirs. Empty if there
/// are too many goals, or one has no verify that can be run.
pub fn others(findings: &[GateFinding], goal: GoalRef<'_, '_>, tree: &str) -> Vec<CommandLine> {
    if !findings.iter().any(is_of_another) {
        return Vec::new();
    }
    let ids = history::signed_off_with(goal.plan(), goal.id().unwrap_or_default(), tree);
    let line = |id: &&str| CommandLine::read(&goal.plan().find_goal(id).ok()?.verify()?).ok();
    let lines: Option<Vec<CommandLine>> = ids.iter().map(line).collect();
    lines.filter(|lines| lines.len() <= MOST_GOALS).unwrap_or_default()
}

/// Whether this finding says that all of the work may belong to another goal.
pub fn is_of_another(finding: &GateFinding) -> bool {
    finding.code == CODE && finding.level == GateLevel::Lead
}

/// Whether a changed source file belongs to this goal alone: if it is restored to the start, verify is red, and each verify
/// of the other goals stays green.
pub(super) fn is_own_work(probe: &mut Probe<'_, '_>) -> Result<bool, Stop> {
    let candidate = probe.candidate;
    let (others, Some(base)) = (candidate.request.others, candidate.base()) else { return Ok(false) };
    let sources: Vec<&Path> = candidate.changed().filter(|path| candidate.is_source(path)).collect();
    if others.is_empty() || sources.len() > MOST_FILES {
        return Ok(false);
    }
    for path in sources {
        let layout = candidate.last.taking([path], base);
        let what = format!("`{}` as at {}", path.display(), candidate.start);
        if matches!(probe.replay.run(&layout, &what)?, RunOutcome::Green | RunOutcome::Slow(_)) {
            continue;
        }
        let mut is_own = true;
        for other in others {
            is_own = is_own
                && probe.replay.check(other, &layout, &format!("`{}` with {what}", other.text))? == RunOutcome::Green;
        }
        if is_own {
            return Ok(true);
        }
    }
    Ok(false)
}
