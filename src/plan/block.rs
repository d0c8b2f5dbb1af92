//! The block that an agent is shown (`INJECTION.md` §1): a pure function of plan.md's bytes, byte-stable, bounded.
//!
//! It is built on every turn of every session. So it is written straight into one string, and writing stops as soon as the string is too
//! long; then the block is built again with tighter limits. The work is a few times the size of the block, whatever the size of the file.

mod clean;
mod full;
mod goal;
mod skeleton;

use super::model::{GoalRef, Mark, Plan, Status};
use super::rules::{Approvals, GoalRecords, HoldReason, Needs, held};
use clean::{attribute, clean};

pub use skeleton::skeleton;

/// The text around the block. It is fixed, so that a provider's cache stays valid.
const FRAME: &str = include_str!("../../prompts/2-plan-injection.md");
/// The smallest limit in bytes: nothing useful fits into less.
const LEAST: usize = 600;

/// Bytes reserved for the line that counts the active goals that are not shown.
const MORE: usize = 40;

/// The most goals that the `unsigned:` line names.
const NAMED: usize = 5;
/// The most bytes of a goal's name in the `unsigned:` line.
const NAME: usize = 64;
/// If values are limited to fewer bytes than this, the `unsigned:` line names only one goal.
const TIGHT: usize = 100;

/// Follows a command that only a person may run.
const PERSONS: &str = " (a person does this; plan review asks them)\n";

/// Options for building the block.
#[derive(Clone, Copy, Debug)]
pub struct Options<'o> {
    /// The most bytes it may have; less than 600 counts as 600.
    pub max_bytes: usize,
    /// Show everything except the logs and the archive instead of the summary, if it fits.
    pub full: bool,
    /// The name of the plan file, as shown to the agent.
    pub file: &'o str,
    /// The caller knows that [`held`] returns `None`.
    pub is_free: bool,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options { max_bytes: 4000, full: false, file: "plan.md", is_free: false }
    }
}

/// Returns the block, with a newline at its end. It is empty if no goal is active or open and no goal that the log knows is done
/// without a sign-off.
///
/// The block is never longer than `max_bytes`. To make it fit, outcomes are shortened first, then steps that are not next to the active
/// one are folded, then fields are cut (each cut ends in `…`). At last only as many active goals are shown as fit, starting with those
/// that have an active step. If the full text does not fit, the summary takes its place.
pub fn block(plan: &Plan<'_>, options: &Options<'_>) -> String {
    let mut tally = BlockTally::default();
    plan.live_goals().for_each(|goal| tally.count(goal));
    if tally.active + tally.open + tally.done == 0 {
        return String::new();
    }
    let record = GoalRecords::new(plan);
    if tally.done > 0 {
        tally.unsigned = record.unsigned(plan).into_iter().map(|(goal, _)| goal).collect();
    }
    let is_known = |goal: &GoalRef<'_, '_>| record.contract(*goal).is_some();
    if tally.active + tally.open == 0 && !tally.unsigned.iter().any(is_known) {
        return String::new();
    }
    let most = options.max_bytes.max(LEAST);
    let view = View { plan, record: &record, file: options.file, most };
    tally.is_contract = Approvals::read(plan).holds(plan);
    tally.held = if tally.is_contract && !options.is_free { held(plan) } else { None };
    if options.full {
        if let Some(text) = full::full(&view, &tally) {
            return text;
        }
        tally.is_cut = true;
    }
    tally.next = next_open(plan, &tally);
    LADDER.iter().find_map(|limits| summary(&view, &tally, limits)).unwrap_or_default()
}

/// Returns one line about goals that are marked done without a sign-off, for agents and people: their names, the consequence, and the
/// command that fixes it.
pub fn unsigned(goals: &[GoalRef<'_, '_>]) -> String {
    let mut out = String::new();
    put_unsigned(&mut out, goals, NAMED);
    out
}

fn put_unsigned(out: &mut String, goals: &[GoalRef<'_, '_>], named: usize) {
    for (index, goal) in goals.iter().take(named).enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        clean(out, goal.name(), NAME);
    }
    if goals.len() > named {
        out.push_str(&format!(", … {} more", goals.len() - named));
    }
    out.push_str(": done without a sign-off, so goals that need it wait; plan complete ");
    match goals {
        [goal] => clean(out, goal.name(), NAME),
        _ => out.push_str("<id>"),
    }
}

/// The plan to show, and the most bytes that the block may have.
struct View<'v, 'a> {
    plan: &'v Plan<'a>,
    record: &'v GoalRecords<'a>,
    file: &'v str,
    most: usize,
}

/// Returns text of the plan, made safe for use outside the block, in one line of at most `limit` bytes.
pub fn quoted(text: &str, limit: usize) -> String {
    let mut out = String::new();
    clean(&mut out, text, limit);
    out
}

/// Limits on how much of each part is shown.
#[derive(Clone, Copy)]
struct BlockLimits {
    /// Bytes of an outcome.
    outcome: usize,
    /// Only count the steps that are not next to the active one.
    fold: bool,
    /// Bytes of any other value.
    field: usize,
    /// Show at least this many active goals, and as many more as fit; `usize::MAX` shows all of them.
    goals: usize,
}

/// The limits to try in order, from everything to almost nothing; the first under which the block fits is used.
const LADDER: [BlockLimits; 12] = {
    const ALL: usize = usize::MAX;
    const fn limits(outcome: usize, fold: bool, field: usize, goals: usize) -> BlockLimits {
        BlockLimits { outcome, fold, field, goals }
    }
    [
        limits(ALL, false, ALL, ALL),
        limits(80, false, ALL, ALL),
        limits(30, false, ALL, ALL),
        limits(30, true, ALL, ALL),
        limits(30, true, 1000, ALL),
        limits(30, true, 400, ALL),
        limits(30, true, 400, 4),
        limits(30, true, 160, 4),
        limits(30, true, 160, 2),
        limits(20, true, 80, 2),
        limits(20, true, 60, 1),
        limits(0, true, 40, 0),
    ]
};

#[derive(Default)]
struct BlockTally<'p, 'a> {
    done: usize,
    active: usize,
    open: usize,
    /// The open goal to start next.
    next: Option<GoalRef<'p, 'a>>,
    /// Done goals without a sign-off.
    unsigned: Vec<GoalRef<'p, 'a>>,
    /// The plan is held to its contract.
    is_contract: bool,
    /// The reason why no step can be worked on.
    held: Option<HoldReason>,
    /// The full text was requested and does not fit.
    is_cut: bool,
}

impl BlockTally<'_, '_> {
    fn count(&mut self, goal: GoalRef<'_, '_>) {
        match goal.status() {
            Status::Done => self.done += 1,
            Status::Active => self.active += 1,
            Status::Open => self.open += 1,
            Status::Cancelled => {}
        }
    }
}

/// A block that is being written.
struct Block {
    out: String,
    most: usize,
    foot: &'static str,
}

impl Block {
    fn new(file: &str, is_contract: bool, most: usize) -> Self {
        let (head, foot) = FRAME.split_once("{{block}}\n").unwrap_or((FRAME, ""));
        let mut out = String::with_capacity(2048);
        let mut rest = head;
        while let Some((before, after)) = rest.split_once("{{") {
            out.push_str(before);
            let (name, after) = after.split_once("}}").unwrap_or((after, ""));
            match name {
                "file" => attribute(&mut out, file),
                _ => out.push_str(if is_contract { "contract" } else { "guide" }),
            }
            rest = after;
        }
        out.push_str(rest);
        Block { out, most, foot }
    }

    /// Creates a block without a frame and without a size limit.
    fn part() -> Self {
        Block { out: String::new(), most: usize::MAX, foot: "" }
    }

    /// Writes `name: value` with at most `limit` bytes of the value.
    fn line(&mut self, name: &str, value: &str, limit: usize) {
        self.out.push_str(name);
        clean(&mut self.out, value, limit);
        self.out.push('\n');
    }

    fn number(&mut self, number: usize) {
        let mut digits = [0; 20];
        let mut rest = number;
        let mut at = digits.len();
        loop {
            at -= 1;
            digits[at] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        self.out.extend(digits[at..].iter().map(|digit| char::from(*digit)));
    }

    /// Returns `None` if the block would be too long with `more` bytes added.
    fn room(&self, more: usize) -> Option<()> {
        (self.out.len() + more + self.foot.len() <= self.most).then_some(())
    }

    fn finish(mut self) -> Option<String> {
        self.out.push_str(self.foot);
        (self.out.len() <= self.most).then_some(self.out)
    }
}

fn summary(view: &View<'_, '_>, tally: &BlockTally<'_, '_>, limits: &BlockLimits) -> Option<String> {
    let plan = view.plan;
    let mut block = Block::new(view.file, tally.is_contract, view.most);
    if let Some(objective) = plan.objective().filter(|text| !text.is_empty()) {
        block.line("objective: ", objective, limits.field);
    }
    block.out.push_str("goals: ");
    block.number(tally.done);
    block.out.push_str(" done, ");
    block.number(tally.active);
    block.out.push_str(" active, ");
    block.number(tally.open);
    block.out.push_str(" open\n");
    if tally.is_contract {
        goal::earlier(&mut block, plan, limits);
    }
    let mut tail = Block { out: String::new(), ..block };
    if let Some(next) = tally.next {
        tail.out.push_str("next: ");
        goal::heading(&mut tail, next, limits);
        tail.out.push('\n');
    }
    ends(&mut tail, view, tally, limits.field);
    active(&mut block, view, tally, limits, tail.out.len())?;
    block.out.push_str(&tail.out);
    block.finish()
}

/// Writes the lines below the goals: the reason why no step can be worked on, done goals without a sign-off, the last log line, and a
/// note if the text was cut.
fn ends(block: &mut Block, view: &View<'_, '_>, tally: &BlockTally<'_, '_>, limit: usize) {
    if let Some(held) = &tally.held {
        block.out.push_str("held: ");
        clean(&mut block.out, &held.to_string(), limit);
        block.out.push_str(if held.is_for_person() { PERSONS } else { "\n" });
    }
    if !tally.unsigned.is_empty() {
        block.out.push_str("unsigned: ");
        put_unsigned(&mut block.out, &tally.unsigned, if limit < TIGHT { 1 } else { NAMED });
        block.out.push('\n');
    }
    if let Some((stamp, text)) = view.plan.log_lines().next_back() {
        block.out.push_str("last: ");
        block.out.push_str(stamp);
        block.line(" ", text, limit);
    }
    if tally.is_cut {
        block.out.push_str("cut: the plan is longer than this; plan show prints all of it\n");
    }
}

/// Writes the active goals; `tail` bytes come after them. If not all are shown, the goals with an active step come first.
fn active(
    block: &mut Block,
    view: &View<'_, '_>,
    tally: &BlockTally<'_, '_>,
    limits: &BlockLimits,
    tail: usize,
) -> Option<()> {
    let goals = || view.plan.live_goals().filter(|goal| goal.status() == Status::Active);
    if limits.goals == usize::MAX {
        for goal in goals() {
            goal::active(block, goal, view.record, limits);
            block.room(tail)?;
        }
        return Some(());
    }
    let is_worked_on = |goal: &GoalRef<'_, '_>| goal.steps().iter().any(|step| step.mark == Mark::Active);
    let order = goals().filter(is_worked_on).chain(goals().filter(|goal| !is_worked_on(goal)));
    let mut shown = 0;
    for goal in order {
        let before = block.out.len();
        goal::active(block, goal, view.record, limits);
        // Leaves room for the line that counts the other goals.
        if block.room(tail + MORE).is_none() {
            block.out.truncate(before);
            break;
        }
        shown += 1;
    }
    if tally.active > shown {
        block.out.push_str("active: … ");
        block.number(tally.active - shown);
        block.out.push_str(" more\n");
    }
    (shown >= limits.goals.min(tally.active)).then_some(())
}

/// The open goal to start next: by priority, then by file order.
fn next_open<'p, 'a>(plan: &'p Plan<'a>, tally: &BlockTally) -> Option<GoalRef<'p, 'a>> {
    if tally.open == 0 {
        return None;
    }
    let needs = Needs::new(plan);
    plan.live_goals()
        .filter(|goal| goal.status() == Status::Open && needs.is_ready(*goal))
        .min_by_key(|goal| goal.priority())
}

/// Returns everything above the log and the archive.
pub fn above_log<'a>(plan: &Plan<'a>) -> &'a [u8] {
    let log = plan.logs.first().map(|log| log.heading.start as usize);
    let archive = plan.archive.map(|archive| archive.start as usize);
    let end = log.into_iter().chain(archive).min().unwrap_or(plan.source.len());
    &plan.source[..end]
}

#[cfg(test)]
mod tests;
