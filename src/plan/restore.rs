//! Restores the approved contract (`CONTRACT.md` §1, reject): compares the approved bytes with the current bytes and returns edits of
//! the current bytes.
//!
//! A contract line whose value is unchanged stays as it is. A changed line gets its approved bytes back, and an added line is removed.
//! Marks, outcomes, status, priority, evidence, prose and log stay. The result has the approved digest; otherwise no edits are returned.

mod fields;
mod steps;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::change::{goal_parts, line_ending};
use super::contract::{folded, plan_contract};
use super::edit::{Edit, apply, between};
use super::model::{GoalRef, Key, Mark, Plan, Span};
use super::parse::parse;
use crate::error::{Error, Result};

/// Returns the edits that give `present` the contract of `approved`. Empty if it has that contract.
///
/// # Errors
/// [`crate::error::Kind::Input`] if lines cannot be restored one by one: goals are in another order, or a restored line
/// would be read as something else.
pub fn restore(approved: &[u8], present: &[u8]) -> Result<Vec<Edit>> {
    let (whole_approved, whole) = (ended(approved), ended(present));
    let (old, now) = (parse(&whole_approved)?, parse(&whole)?);
    if plan_contract(&old) == plan_contract(&now) {
        return Ok(Vec::new());
    }
    let mut restore = Restore { old: &old, now: &now, edits: Vec::new() };
    restore.head();
    restore.goals()?;
    let edits = restore.edits;
    let bytes = apply(&whole, &edits)?;
    let after = parse(&bytes)?;
    if plan_contract(&after) != plan_contract(&old) {
        return Err(cannot("a line that comes back would be read as something else"));
    }
    if kept(&now, &after) != kept(&after, &now) {
        return Err(cannot("a mark, a status or a log line would be lost"));
    }
    if let Cow::Borrowed(_) = whole {
        return Ok(edits);
    }
    let bare = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
    let bare = bare.strip_suffix(b"\r").unwrap_or(bare);
    if plan_contract(&parse(bare)?) == plan_contract(&old) {
        return Ok(between(present, bare).into_iter().collect());
    }
    Err(cannot("its last line would be read as something else"))
}

/// The error for a contract that cannot be restored.
pub fn cannot(why: &str) -> Error {
    Error::input(format!("the approved contract cannot be put back line by line: {why}"))
        .hint("put it back by hand, or `plan undo --list`")
}

/// The bytes with a newline at the end, so that every line is complete.
fn ended(bytes: &[u8]) -> Cow<'_, [u8]> {
    if bytes.is_empty() || bytes.ends_with(b"\n") { Cow::Borrowed(bytes) } else { Cow::Owned([bytes, b"\n"].concat()) }
}

/// The values that a reject leaves alone, for the parts that both plans have.
fn kept(plan: &Plan<'_>, other: &Plan<'_>) -> Vec<String> {
    let numbers: HashSet<u32> = live_steps(other).filter_map(|(_, number)| number).collect();
    let ids: HashSet<&str> = other.live_goals().filter_map(GoalRef::id).collect();
    let mut marks: Vec<_> = live_steps(plan)
        .filter_map(|(at, number)| Some((number.filter(|number| numbers.contains(number))?, plan.step(at)?)))
        .map(|(number, step)| format!("{number} {} {}", step.raw().mark.word(), step.outcome().unwrap_or_default()))
        .collect();
    marks.sort_unstable();
    let goals = plan.live_goals().filter(|goal| goal.id().is_some_and(|id| ids.contains(id)));
    let goals = goals.map(|goal| {
        let fields = Key::ALL.into_iter().filter(|key| !key.is_agreed()).map(|key| goal.list(key).join("; "));
        format!("{} {:?}", goal.name(), fields.collect::<Vec<_>>())
    });
    let log = plan.log_lines().map(|(stamp, text)| format!("{stamp} {text}"));
    marks.into_iter().chain(goals).chain(log).collect()
}

/// The steps of the goals above the archive: index and number.
fn live_steps<'p>(plan: &'p Plan<'_>) -> impl Iterator<Item = (usize, Option<u32>)> + 'p {
    plan.live_goals()
        .flat_map(|goal| goal.raw().steps.clone().map(|at| at as usize))
        .map(|at| (at, plan.steps[at].number))
}

/// The indices of an approved goal and of the same goal in the present plan; only one of them if the goal was removed or added.
type Pair = (Option<usize>, Option<usize>);

struct Restore<'p, 'a> {
    /// The approved plan.
    old: &'p Plan<'a>,
    /// The present plan.
    now: &'p Plan<'a>,
    edits: Vec<Edit>,
}

impl<'p, 'a> Restore<'p, 'a> {
    fn edit(&mut self, range: Range<usize>, text: impl Into<Vec<u8>>) {
        let text = text.into();
        if self.now.source[range.clone()] != text[..] {
            self.edits.push(Edit { range, text });
        }
    }

    /// Converts approved lines to the line endings of the present file, if these are uniform.
    fn fit(&self, lines: &[u8]) -> Vec<u8> {
        let all = memchr::memchr_iter(b'\n', self.now.source).count();
        let crlf = memchr::memmem::find_iter(self.now.source, b"\r\n").count();
        if all == 0 || crlf > 0 && crlf < all {
            return lines.to_vec();
        }
        let eol = line_ending(self.now.source, 0).as_bytes();
        let line = |line: &[u8]| match line.strip_suffix(b"\n") {
            Some(text) => [text.strip_suffix(b"\r").unwrap_or(text), eol].concat(),
            None => line.to_vec(),
        };
        lines.split_inclusive(|byte| *byte == b'\n').flat_map(line).collect()
    }

    /// Replaces a line of the present plan by one of the approved plan; either may be missing. `at` is the place if the present line is missing.
    fn line(&mut self, old: Option<Span>, now: Option<Span>, at: usize) {
        let text = old.map_or_else(Vec::new, |line| self.fit(&self.old.source[line.range()]));
        self.edit(now.map_or(at..at, Span::range), text);
    }

    /// Restores mode and objective.
    fn head(&mut self) {
        let (old, now) = (self.old, self.now);
        if old.is_contract_mode() != now.is_contract_mode() {
            let entry = |plan: &Plan<'_>| {
                plan.front_entries.iter().find(|entry| plan.text(entry.key) == "mode").map(|entry| entry.line)
            };
            let bom = if now.source.starts_with(super::parse::BOM) { super::parse::BOM.len() } else { 0 };
            match (now.front, old.front) {
                (None, Some(front)) => {
                    let lines = self.fit(&old.source[front.range()]);
                    self.edit(bom..bom, lines);
                }
                (Some(front), _) => {
                    let first = line_after(now.source, front.start as usize);
                    self.line(entry(old), entry(now), first);
                }
                (None, None) => {}
            }
        }
        let text = |plan: &Plan<'_>| plan.objective().map(|text| folded(text).into_owned()).unwrap_or_default();
        if text(old) != text(now) {
            let bom = if now.source.starts_with(super::parse::BOM) { super::parse::BOM.len() } else { 0 };
            self.line(old.objective_line, now.objective_line, now.front.map_or(bom, |front| front.end as usize));
        }
    }

    fn goals(&mut self) -> Result<()> {
        let pairs = self.pairs()?;
        let elsewhere: HashMap<u32, usize> =
            live_steps(self.now).filter_map(|(at, number)| Some((number?, at))).collect();
        let mut at = self.before_goals(&pairs);
        for (old, now) in pairs {
            match (old.and_then(|at| self.old.goal(at)), now.and_then(|at| self.now.goal(at))) {
                (Some(old), Some(now)) => {
                    self.heading(old, now);
                    self.fields(old, now);
                    self.steps(old, now, &elsewhere);
                    at = now.raw().body.end as usize;
                }
                (Some(old), None) => {
                    let text = self.lost_goal(old, at, &elsewhere)?;
                    self.edit(at..at, text);
                }
                (None, Some(now)) => {
                    for part in goal_parts(self.now, now.index()) {
                        self.edit(part, Vec::new());
                    }
                }
                (None, None) => {}
            }
        }
        Ok(())
    }

    /// The place for a goal that was before all present goals.
    fn before_goals(&self, pairs: &[Pair]) -> usize {
        let first = pairs.iter().find_map(|(old, now)| old.and(*now)).and_then(|at| self.now.goal(at));
        let log = || {
            let log = self.now.logs.iter().find(|log| !log.archived && log.level <= 2);
            log.map(|log| log.heading.start).or(self.now.archive.map(|archive| archive.start))
        };
        let start = first.map(|goal| goal.raw().body.start).or_else(log);
        start.map_or(self.now.source.len(), |start| start as usize)
    }

    /// The approved text of a removed goal. Active marks are cleared if another step is active now.
    fn lost_goal(&self, goal: GoalRef<'_, '_>, at: usize, elsewhere: &HashMap<u32, usize>) -> Result<Vec<u8>> {
        if goal.id().is_some_and(|id| self.now.all_goals().any(|other| other.id() == Some(id))) {
            return Err(cannot(&format!("the goal {} is in the archive", goal.name())));
        }
        let steps: Vec<Edit> =
            goal.raw().steps.clone().map(|at| self.step_of_lost_goal(at as usize, elsewhere)).collect();
        let mut text = Vec::new();
        for part in goal_parts(self.old, goal.index()) {
            let inside = steps.iter().filter(|edit| part.contains(&edit.range.start));
            let inside: Vec<Edit> = inside
                .map(|edit| Edit { range: edit.range.start - part.start..edit.range.end - part.start, ..edit.clone() })
                .collect();
            text.extend(apply(&self.old.source[part], &inside)?);
        }
        let mut text = self.fit(&text);
        if line_after(self.now.source, at) > at && !text.trim_ascii_end().is_empty() && !text.ends_with(b"\n\n") {
            let is_blank = self.now.source[at..line_after(self.now.source, at)].trim_ascii().is_empty();
            let has_blank = text.ends_with(b"\n\r\n");
            text.extend(if is_blank || has_blank { "" } else { line_ending(self.now.source, at) }.bytes());
        }
        Ok(text)
    }

    fn has_active(&self) -> bool {
        self.now.live_goals().any(|goal| goal.steps().iter().any(|step| step.mark == Mark::Active))
    }

    /// Matches goals by id, else by subject, else by a step's number. The pairs are in the order of the approved plan;
    /// an added goal may be anywhere.
    fn pairs(&self) -> Result<Vec<Pair>> {
        let old: Vec<_> = self.old.live_goals().collect();
        let mut now: Vec<_> = self.now.live_goals().collect();
        let mut found: Vec<Option<usize>> = vec![None; old.len()];
        let numbers = |goal: &GoalRef<'_, '_>| goal.steps().iter().filter_map(|step| step.number).collect::<Vec<_>>();
        let by_subject = |a: &GoalRef<'_, '_>, b: &GoalRef<'_, '_>| folded(a.subject()) == folded(b.subject());
        let by_step = |a: &GoalRef<'_, '_>, b: &GoalRef<'_, '_>| {
            let these = numbers(a);
            numbers(b).iter().any(|number| these.contains(number))
        };
        for rule in 0..3 {
            let ids: HashMap<&str, usize> =
                now.iter().rev().filter_map(|goal| Some((goal.id()?, goal.index()))).collect();
            for (slot, goal) in found.iter_mut().zip(&old).filter(|(slot, _)| slot.is_none()) {
                *slot = match rule {
                    0 => goal.id().and_then(|id| ids.get(id).copied()),
                    1 => now.iter().find(|other| by_subject(goal, other)).map(|other| other.index()),
                    _ => now.iter().find(|other| by_step(goal, other)).map(|other| other.index()),
                };
                if let Some(at) = *slot {
                    now.retain(|other| other.index() != at);
                }
            }
        }
        let in_order: Vec<usize> = found.iter().flatten().copied().collect();
        if !in_order.is_sorted() {
            return Err(cannot("goals are in a different order"));
        }
        let stay = old.iter().zip(found).map(|(goal, now)| (Some(goal.index()), now));
        Ok(stay.chain(now.iter().map(|goal| (None, Some(goal.index())))).collect())
    }
}

/// Where the line after the line at `at` begins.
fn line_after(source: &[u8], at: usize) -> usize {
    let rest = source.get(at..).unwrap_or_default();
    memchr::memchr(b'\n', rest).map_or(source.len(), |newline| at + newline + 1)
}

#[cfg(test)]
mod tests;
