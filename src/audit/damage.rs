//! Finds damage of a merge that git does not report as a conflict: two statuses, no status, doubled steps, doubled ids,
//! conflict markers that were left in (`SIGNOFF.md` §8).

use std::collections::{HashMap, HashSet};

use super::facts::{AuditFacts, AuditLine, same_goal};
use super::finding::{AuditFinding, short};
use crate::plan::log::GoalEvent;
use crate::plan::model::{GoalRef, Key, Plan, Status};

const RESOLVE: &str = "read both sides of the merge and write the intended text";

/// Returns the finding about a file with conflict markers, which is not read any further.
pub(super) fn unread(at: usize) -> AuditFinding {
    let seen = "the file has a git conflict marker and cannot be read; nothing else was checked";
    AuditFinding::new("conflict-markers", at, seen, "a file without conflict markers", RESOLVE)
}

pub(super) fn find(facts: &AuditFacts<'_>, found: &mut Vec<AuditFinding>) {
    markers(facts.plan.source, found);
    ids(facts.plan, found);
    let base = facts.past.and_then(|then| then.plan);
    for goal in facts.plan.all_goals() {
        status(facts, goal, base, found);
        let old = goal.id().and_then(|id| same_goal(base?, id));
        texts(goal, old, base.is_some(), found);
    }
    numbers(facts.plan, found);
}

/// Finds a conflict marker without the other markers of its conflict: someone removed a part of the conflict.
fn markers(source: &[u8], found: &mut Vec<AuditFinding>) {
    for marker in [&b"<<<<<<< "[..], b">>>>>>> ", b"||||||| "] {
        let begins = |at: &usize| *at == 0 || source[at - 1] == b'\n';
        if let Some(at) = memchr::memmem::find_iter(source, marker).find(begins) {
            let seen = "the file has part of a git conflict marker";
            found.push(AuditFinding::new("conflict-markers", at, seen, "a file without conflict markers", RESOLVE));
        }
    }
}

fn ids(plan: &Plan<'_>, found: &mut Vec<AuditFinding>) {
    let mut first: HashMap<&str, usize> = HashMap::new();
    for goal in plan.all_goals() {
        let Some((id, (line, _))) = goal.id().zip(goal.raw().id) else { continue };
        if first.insert(id, goal.index()).is_some() {
            let seen = format!("two goals have the id {id}");
            let resolve = "give the newer one another id, or remove the copy";
            let (at, expected) = (line.start as usize, "a different id for each goal");
            found.push(AuditFinding::new("duplicate-id", at, seen, expected, resolve).of(id));
        }
    }
}

fn status(facts: &AuditFacts<'_>, goal: GoalRef<'_, '_>, base: Option<&Plan<'_>>, found: &mut Vec<AuditFinding>) {
    let name = goal.name();
    for field in goal.fields().iter().filter(|field| field.repeated) {
        let key = field.key.word();
        let code = if field.key == Key::Status { "two-statuses" } else { "repeated-field" };
        let seen = format!("`{key}` appears twice in {name}");
        found.push(AuditFinding::new(code, field.lines.start as usize, seen, format!("one `{key}`"), RESOLVE).of(name));
    }
    let heading = goal.raw().heading.start as usize;
    match goal.field(Key::Status) {
        None => {
            // A goal that was written by hand may have no status yet, and `plan goal set` gives it none.
            let is_known = |line: &AuditLine<'_>| !matches!(line.event(), Some(GoalEvent::Amended(_)));
            let known = goal.id().is_some_and(|id| facts.about(id).any(is_known));
            let had = goal.id().and_then(|id| same_goal(base?, id)).is_some_and(|old| old.field(Key::Status).is_some());
            if known || had {
                let seen = format!("{name} has no status");
                let resolve = "write its status below its heading, such as `status: open`";
                found.push(AuditFinding::new("no-status", heading, seen, "one `status`", resolve).of(name));
            }
        }
        Some(field) => {
            let word = goal.plan().text(field.value);
            if Status::from_word(word).is_none() {
                let seen = format!("{name} has the status `{word}`");
                let (at, expected) = (field.lines.start as usize, "`open`, `active`, `done` or `cancelled`");
                found.push(AuditFinding::new("unknown-status", at, seen, expected, RESOLVE).of(name));
            }
        }
    }
}

/// Finds two steps with the same number in the plan above the archive.
fn numbers(plan: &Plan<'_>, found: &mut Vec<AuditFinding>) {
    let mut known: HashSet<u32> = HashSet::new();
    for goal in plan.live_goals() {
        for step in goal.steps() {
            let Some(number) = step.number else { continue };
            if !known.insert(number) {
                let seen = format!("two steps have the number {number}");
                let (at, expected) = (step.line.start as usize, "a different number for each step");
                let resolve = "remove the copy, or give one of them a number of its own";
                found.push(AuditFinding::new("duplicate-step", at, seen, expected, resolve).of(goal.name()));
            }
        }
    }
}

/// Finds a step text that one goal has more than once, and more often than at the base.
fn texts(goal: GoalRef<'_, '_>, old: Option<GoalRef<'_, '_>>, has_base: bool, found: &mut Vec<AuditFinding>) {
    let mut before: HashMap<&str, usize> = HashMap::new();
    for step in old.iter().flat_map(|old| old.steps().iter().map(|step| old.plan().text(step.text))) {
        *before.entry(step).or_default() += 1;
    }
    let mut now: HashMap<&str, usize> = HashMap::new();
    for step in goal.steps() {
        let text = goal.plan().text(step.text);
        let count = now.entry(text).or_default();
        *count += 1;
        let allowed = before.get(text).copied().unwrap_or(0).max(1);
        if *count > allowed {
            let seen = format!("a step appears {count} times in {}: {}", goal.name(), short(text));
            // A merge can only double a step that the base already had.
            let guess = !has_base || !before.contains_key(text);
            let at = step.line.start as usize;
            let finding = AuditFinding::new("duplicate-step", at, seen, "each step once", "remove the copy");
            found.push(finding.of(goal.name()).only_note_if(guess));
        }
    }
}
