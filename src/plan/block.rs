//! The block that an agent is shown (`INJECTION.md` §1): a pure function of plan.md's bytes, byte-stable, bounded.
//!
//! It is made on every turn of every session, so it is written straight into one string and stops as soon as it is too long; then it is
//! made again with tighter limits. Whatever the size of the file, that is a few times the size of the block.

mod clean;
mod goal;

use super::model::{GoalRef, Mark, Plan, Status};
use super::rules::Needs;
use clean::{attribute, clean};

/// What the block is framed with, fixed so that a provider's cache holds.
const FRAME: &str = include_str!("../../prompts/2-plan-injection.md");
/// Nothing useful fits into less.
const LEAST: usize = 600;

/// Bytes of the line that counts the active goals which are not shown.
const MORE: usize = 40;

/// How the block is to be made.
#[derive(Clone, Copy, Debug)]
pub struct Options<'o> {
    /// The most bytes it may have; less than 600 counts as 600.
    pub max_bytes: usize,
    /// Everything above the log in place of the summary, where that fits.
    pub full: bool,
    /// The plan file as it is named to the agent.
    pub file: &'o str,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options { max_bytes: 4000, full: false, file: "plan.md" }
    }
}

/// The block, with a newline at its end; empty where no goal is active and none is open.
///
/// Never longer than `max_bytes`: outcomes are shortened first, then steps that are not next to the active one are folded, then
/// fields are cut, each cut ending in `…`, and at last as many active goals are shown as fit, those first that a step is worked
/// on in. The full text gives way to the summary where it does not fit.
pub fn block(plan: &Plan<'_>, options: &Options<'_>) -> String {
    let mut tally = Tally::default();
    plan.live_goals().for_each(|goal| tally.count(goal));
    if tally.active + tally.open == 0 {
        return String::new();
    }
    let most = options.max_bytes.max(LEAST);
    if options.full
        && let Some(text) = full(plan, options.file, most)
    {
        return text;
    }
    tally.next = next_open(plan, &tally);
    LADDER.iter().find_map(|limits| summary(plan, &tally, options.file, limits, most)).unwrap_or_default()
}

/// Text of the plan as it may stand outside the block, in one line of at most `limit` bytes.
pub fn quoted(text: &str, limit: usize) -> String {
    let mut out = String::new();
    clean(&mut out, text, limit);
    out
}

/// How much of each part is shown.
#[derive(Clone, Copy)]
struct Limits {
    /// Bytes of an outcome.
    outcome: usize,
    /// Steps that are not next to the active one are counted only.
    fold: bool,
    /// Bytes of any other value.
    field: usize,
    /// At least so many active goals in full, and as many more as fit; all of them for `usize::MAX`.
    goals: usize,
}

/// From everything to next to nothing; the first that fits is taken.
const LADDER: [Limits; 12] = {
    const ALL: usize = usize::MAX;
    const fn limits(outcome: usize, fold: bool, field: usize, goals: usize) -> Limits {
        Limits { outcome, fold, field, goals }
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
struct Tally<'p, 'a> {
    done: usize,
    active: usize,
    open: usize,
    /// The open goal to be started next.
    next: Option<GoalRef<'p, 'a>>,
}

impl Tally<'_, '_> {
    fn count(&mut self, goal: GoalRef<'_, '_>) {
        match goal.status() {
            Status::Done => self.done += 1,
            Status::Active => self.active += 1,
            Status::Open => self.open += 1,
            Status::Cancelled => {}
        }
    }
}

/// A block in the making.
struct Block {
    out: String,
    most: usize,
    foot: &'static str,
}

impl Block {
    fn new(plan: &Plan<'_>, file: &str, most: usize) -> Self {
        let (head, foot) = FRAME.split_once("{{block}}\n").unwrap_or((FRAME, ""));
        let mut out = String::with_capacity(2048);
        let mut rest = head;
        while let Some((before, after)) = rest.split_once("{{") {
            out.push_str(before);
            let (name, after) = after.split_once("}}").unwrap_or((after, ""));
            match name {
                "file" => attribute(&mut out, file),
                _ => out.push_str(if plan.is_contract_mode() { "contract" } else { "guide" }),
            }
            rest = after;
        }
        out.push_str(rest);
        Block { out, most, foot }
    }

    /// `name: value`, at most `limit` bytes of the value.
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

    /// None once it is too long with `more` bytes behind it.
    fn room(&self, more: usize) -> Option<()> {
        (self.out.len() + more + self.foot.len() <= self.most).then_some(())
    }

    fn finish(mut self) -> Option<String> {
        self.out.push_str(self.foot);
        (self.out.len() <= self.most).then_some(self.out)
    }
}

fn summary(plan: &Plan<'_>, tally: &Tally<'_, '_>, file: &str, limits: &Limits, most: usize) -> Option<String> {
    let mut block = Block::new(plan, file, most);
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
    if plan.is_contract_mode() {
        goal::earlier(&mut block, plan, limits);
    }
    let mut tail = Block { out: String::new(), ..block };
    if let Some(next) = tally.next {
        tail.out.push_str("next: ");
        goal::heading(&mut tail, next, limits);
        tail.out.push('\n');
    }
    if let Some((stamp, text)) = plan.log_lines().next_back() {
        tail.out.push_str("last: ");
        tail.out.push_str(stamp);
        tail.line(" ", text, limits.field);
    }
    active(&mut block, plan, tally, limits, tail.out.len())?;
    block.out.push_str(&tail.out);
    block.finish()
}

/// The active goals; `tail` bytes come after them. Where not all are to be shown, those come first that a step is worked on in.
fn active(block: &mut Block, plan: &Plan<'_>, tally: &Tally<'_, '_>, limits: &Limits, tail: usize) -> Option<()> {
    let goals = || plan.live_goals().filter(|goal| goal.status() == Status::Active);
    if limits.goals == usize::MAX {
        for goal in goals() {
            goal::active(block, goal, limits);
            block.room(tail)?;
        }
        return Some(());
    }
    let is_worked_on = |goal: &GoalRef<'_, '_>| goal.steps().iter().any(|step| step.mark == Mark::Active);
    let order = goals().filter(is_worked_on).chain(goals().filter(|goal| !is_worked_on(goal)));
    let mut shown = 0;
    for goal in order {
        let before = block.out.len();
        goal::active(block, goal, limits);
        // Room for the line that counts the others, too.
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

/// The open goal to be started next: by priority, then file order.
fn next_open<'p, 'a>(plan: &'p Plan<'a>, tally: &Tally) -> Option<GoalRef<'p, 'a>> {
    if tally.open == 0 {
        return None;
    }
    let needs = Needs::new(plan);
    plan.live_goals()
        .filter(|goal| goal.status() == Status::Open && needs.are_done(*goal))
        .min_by_key(|goal| goal.priority())
}

/// Everything above the log and the archive.
pub fn above_log<'a>(plan: &Plan<'a>) -> &'a [u8] {
    let log = plan.logs.first().map(|log| log.heading.start as usize);
    let archive = plan.archive.map(|archive| archive.start as usize);
    let end = log.into_iter().chain(archive).min().unwrap_or(plan.source.len());
    &plan.source[..end]
}

/// The same as a block, line by line; none where it does not fit.
fn full(plan: &Plan<'_>, file: &str, most: usize) -> Option<String> {
    let text = Some(above_log(plan)).filter(|text| text.len() <= 2 * most)?;
    let text = String::from_utf8_lossy(text);
    let mut block = Block::new(plan, file, most);
    for line in text.trim_start_matches('\u{feff}').trim_end().lines() {
        block.line("", line.trim_end(), usize::MAX);
        block.room(0)?;
    }
    block.finish()
}

#[cfg(test)]
mod tests;
