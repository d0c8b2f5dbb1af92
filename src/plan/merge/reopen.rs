//! Reopens done goals after a merge, unless their sign-off covers the merged contract (`SIGNOFF.md` §8).

use std::collections::HashSet;

use super::merged_text::{Chunk, MergedText, OURS, THEIRS};
use crate::plan::change::{Change, edits};
use crate::plan::contract::{Digest, Digests};
use crate::plan::edit::{Edit, apply};
use crate::plan::log::{GoalEvent, events_of};
use crate::plan::model::{GoalRef, Key, Plan, Status};
use crate::plan::parse::parse;
use crate::plan::rules::{GoalRecords, Standing};

/// Reopens the goals whose sign-off no longer holds after the merge, with a log line for each, and returns their names. If
/// there are conflicts, both ways of deciding them are checked. A status in conflict is left to the person who decides it.
pub(super) fn reopen(merged: &mut MergedText, versions: [&[u8]; 3], stamp: &str) -> Vec<String> {
    let mut names = Vec::new();
    let sides: &[usize] = if merged.conflicts() == 0 { &[OURS] } else { &[OURS, THEIRS] };
    let Some(before) = before(versions) else { return names };
    for side in sides {
        let text = merged.side(*side);
        let Ok(plan) = parse(&text) else { continue };
        let fresh = |goal: &GoalRef<'_, '_>| !before.contains(&(goal.name().to_owned(), Digests::default().of(*goal)));
        let free = |goal: &GoalRef<'_, '_>| {
            let status = goal.field(Key::Status).map(|field| field.lines.range());
            status.is_some_and(|range| place(merged, *side, &range).is_some())
        };
        let goals: Vec<GoalRef<'_, '_>> = unsigned(&plan).filter(|goal| fresh(goal) && free(goal)).collect();
        if goals.is_empty() {
            continue;
        }
        names.extend(goals.iter().map(|goal| goal.name().to_owned()));
        // No `Change`, which fails on a repeated field: a goal that is not signed off is not done in any case.
        let status = |goal: &GoalRef<'_, '_>| {
            Some(Edit { range: goal.field(Key::Status)?.value.range(), text: Status::Active.word().into() })
        };
        let lines: Vec<Change> = goals.iter().map(|goal| log_line(&plan, *goal, stamp)).collect();
        // An archived goal is worked on again, so it moves above the archive; but nothing is moved across a conflict.
        let archived: Vec<_> = goals.iter().filter(|goal| goal.raw().archived && merged.conflicts() == 0).collect();
        let back: Vec<Change> = archived.iter().map(|goal| Change::Restore { goal: goal.index() }).collect();
        let moved = edits(&plan, &[lines.as_slice(), &back].concat()).ok().filter(|_| !back.is_empty());
        let stays = |goal: &&GoalRef<'_, '_>| moved.is_none() || !goal.raw().archived;
        let mut all: Vec<Edit> = goals.iter().filter(stays).filter_map(status).collect();
        // No lines are added if an open fence would swallow them.
        all.extend(moved.unwrap_or_else(|| edits(&plan, &lines).unwrap_or_default()));
        all.sort_by_key(|edit| edit.range.start);
        put(merged, *side, all);
    }
    names
}

/// Returns the goals that were done without a sign-off before the merge, with their contracts. `None` if a version cannot
/// be read: then the result cannot be judged either.
fn before(versions: [&[u8]; 3]) -> Option<HashSet<(String, Digest)>> {
    let mut found = HashSet::new();
    for text in [versions[OURS], versions[THEIRS]] {
        let plan = parse(text).ok()?;
        let mut digests = Digests::default();
        found.extend(unsigned(&plan).map(|goal| (goal.name().to_owned(), digests.of(goal))));
    }
    Some(found)
}

/// The goals that are done without a sign-off for their contract, including archived goals.
fn unsigned<'p, 'a>(plan: &'p Plan<'a>) -> impl Iterator<Item = GoalRef<'p, 'a>> {
    let (record, mut digests) = (GoalRecords::new(plan), Digests::default());
    let done = plan.all_goals().filter(|goal| goal.status() == Status::Done);
    done.filter(move |goal| record.standing(*goal, &mut digests) != Standing::SignedOff)
}

fn log_line(plan: &Plan<'_>, goal: GoalRef<'_, '_>, stamp: &str) -> Change {
    let now = Digests::default().of(goal).short();
    let name = goal.name();
    let signed = events_of(plan, name).rev().find_map(|event| match event {
        GoalEvent::SignedOff(line) => Some(line.contract),
        _ => None,
    });
    let why = match signed.filter(|old| *old != now) {
        Some(old) => format!("merge: signed off for contract {old}, now {now}"),
        None => format!("was {}", Status::Done.word()),
    };
    Change::AppendLog { stamp: stamp.to_owned(), text: GoalEvent::Reopened { why: &why }.of(name).to_string() }
}

/// Returns the clean chunk that contains a range of the text of `side`, and the start of the chunk in that text.
fn place(merged: &MergedText, side: usize, range: &std::ops::Range<usize>) -> Option<(usize, usize)> {
    let mut at = 0;
    for (index, chunk) in merged.chunks().iter().enumerate() {
        let end = at + chunk.on(side).len();
        if at <= range.start && range.end <= end && matches!(chunk, Chunk::Clean(_)) {
            return Some((index, at));
        }
        at = end;
    }
    None
}

/// Applies edits of the text of `side` to the merged text. An edit inside a conflict is written below the conflict.
fn put(merged: &mut MergedText, side: usize, edits: Vec<Edit>) {
    let mut of: Vec<Vec<Edit>> = vec![Vec::new(); merged.chunks().len()];
    let mut below: Vec<(usize, Vec<u8>)> = Vec::new();
    for mut edit in edits {
        if let Some((index, start)) = place(merged, side, &edit.range) {
            edit.range = edit.range.start - start..edit.range.end - start;
            of[index].push(edit);
            continue;
        }
        let mut at = 0;
        let chunk = merged.chunks().iter().position(|chunk| {
            at += chunk.on(side).len();
            at > edit.range.start
        });
        below.push((chunk.map_or(merged.chunks().len(), |chunk| chunk + 1), edit.text));
    }
    for (chunk, edits) in merged.chunks_mut().iter_mut().zip(&of) {
        if let Chunk::Clean(bytes) = chunk
            && let Ok(edited) = apply(bytes, edits)
        {
            *bytes = edited;
        }
    }
    below.sort_by_key(|(index, _)| std::cmp::Reverse(*index));
    for (index, text) in below {
        merged.chunks_mut().insert(index, Chunk::Clean(text));
    }
}
