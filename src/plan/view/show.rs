//! Shows a goal with everything that is known about it.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::layout::{Row, Screen};
use super::{Sink, Style, sign, step_row, style_of};
use crate::plan::contract::{Digests, goal_contract};
use crate::plan::log::folded;
use crate::plan::lookup::GoalNumbers;
use crate::plan::model::{GoalRef, Key, Plan, Status};
use crate::plan::rules::{self, GoalRecords, Needs, Standing};
use crate::plan::snippet::Places;

/// Writes the state of a plan in contract mode, then the goals in the given order, each with its whole contract, its steps with
/// outcomes, its log lines and its sign-off. `full` adds the digests of contracts, trees and commits.
pub fn show<'a>(plan: &Plan<'a>, goals: &[GoalRef<'_, 'a>], full: bool, screen: Screen, sink: &mut impl Sink) {
    let (needs, record, log) = (Needs::new(plan), GoalRecords::new(plan), log_of(plan, goals));
    let (mut places, numbers) = (Places::new(plan.source), GoalNumbers::new(plan));
    if let Some(told) = rules::standing_of_contract(plan) {
        Row::new(2).with(Style::Warning, "contract").with(Style::Plain, format!("  {told}")).put(screen, sink);
        sink.newline();
    }
    for (index, goal) in goals.iter().enumerate() {
        if index > 0 {
            sink.newline();
        }
        let (line, _) = places.of(goal.raw().heading.start as usize);
        let number = numbers.of(*goal);
        heading(*goal, number, screen, sink);
        one(*goal, line, &GoalFacts { needs: &needs, record: &record, log: &log, full, screen }, sink);
    }
}

/// The data that is read once for all goals.
struct GoalFacts<'f, 'a> {
    needs: &'f Needs<'a>,
    record: &'f GoalRecords<'a>,
    log: &'f Log<'a>,
    full: bool,
    screen: Screen,
}

/// `● 2 Implement cache layer  1/3  cache-layer-1`
fn heading(goal: GoalRef<'_, '_>, number: Option<usize>, screen: Screen, sink: &mut impl Sink) {
    let mut row = Row::new(2).with(style_of(goal.status()), sign(goal.status())).with(Style::Plain, " ");
    if let Some(number) = number {
        row = row.with(Style::Dim, format!("{number} "));
    }
    row = row.with(Style::Title, goal.subject()).right(goal.id());
    let (settled, steps) = goal.progress();
    if steps > 0 {
        row = row.with(Style::Dim, format!("  {settled}/{steps}"));
    }
    row.put(screen, sink);
}

fn one<'a>(goal: GoalRef<'_, 'a>, line: usize, facts: &GoalFacts<'_, 'a>, sink: &mut impl Sink) {
    let (plan, needs) = (goal.plan(), facts.needs);
    let status = format!("{}, priority {}, {}, line {line}", goal.status().word(), goal.priority(), goal.kind().word());
    entry("status", &status, facts.screen, sink);
    numbered(Key::DoneWhen, 'C', &texts(goal, Key::DoneWhen), facts.screen, sink);
    if let Some(verify) = goal.verify() {
        entry("verify", &verify, facts.screen, sink);
    }
    numbered(Key::FailureModes, 'F', &texts(goal, Key::FailureModes), facts.screen, sink);
    let waiting: HashSet<String> = needs.missing(goal).into_iter().collect();
    let all: Vec<String> = needs
        .of(goal)
        .into_iter()
        .map(|id| match waiting.contains(&id) {
            true if needs.is_by_hand(&id) => format!("{id} (done by hand)"),
            true => format!("{id} (not done)"),
            false => id,
        })
        .collect();
    list("needs", &all, facts.screen, sink);
    list("may_change", &goal.may_change(), facts.screen, sink);
    list("evidence", &goal.evidence(), facts.screen, sink);
    if !goal.steps().is_empty() {
        label("steps").put(facts.screen, sink);
        let first = goal.raw().steps.start as usize;
        (first..first + goal.steps().len())
            .filter_map(|index| plan.step(index))
            .for_each(|step| step_row(step).put(facts.screen, sink));
    }
    log_lines(goal, facts, sink);
    sign_off(goal, facts, sink);
}

fn texts(goal: GoalRef<'_, '_>, key: Key) -> Vec<String> {
    goal.list(key).into_iter().map(std::borrow::Cow::into_owned).collect()
}

/// `  name:`; continuation lines begin in the column of the value.
fn label(name: &str) -> Row {
    Row::new(name.len() + 4).with(Style::Dim, format!("  {name}:"))
}

fn entry(name: &str, value: &str, screen: Screen, sink: &mut impl Sink) {
    label(name).with(Style::Plain, format!(" {value}")).put(screen, sink);
}

fn list(name: &str, values: &[String], screen: Screen, sink: &mut impl Sink) {
    if !values.is_empty() {
        entry(name, &values.join(", "), screen, sink);
    }
}

/// Writes criteria or failure modes with the numbers that a judge uses in its answers.
fn numbered(key: Key, letter: char, values: &[String], screen: Screen, sink: &mut impl Sink) {
    if values.is_empty() {
        return;
    }
    label(key.word()).put(screen, sink);
    for (index, value) in values.iter().enumerate() {
        let name = format!("    {letter}{} ", index + 1);
        Row::new(name.len()).with(Style::Dim, name).with(Style::Plain, value).put(screen, sink);
    }
}

/// Stamp and text of the log lines of each id.
type Log<'a> = HashMap<&'a str, Vec<(&'a str, &'a str)>>;

/// Returns the log lines that begin with the id of one of the goals. The log is read once.
pub(super) fn log_of<'a>(plan: &Plan<'a>, goals: &[GoalRef<'_, 'a>]) -> Log<'a> {
    let mut log: Log<'_> = goals.iter().filter_map(|goal| Some((goal.id()?, Vec::new()))).collect();
    for (stamp, text) in plan.log_lines() {
        if let Some((id, _)) = text.split_once([' ', ':', ','])
            && let Some(lines) = log.get_mut(id)
        {
            lines.push((stamp, text));
        }
    }
    log
}

fn log_lines(goal: GoalRef<'_, '_>, facts: &GoalFacts<'_, '_>, sink: &mut impl Sink) {
    let Some(lines) = goal.id().and_then(|id| facts.log.get(id)).filter(|lines| !lines.is_empty()) else { return };
    label("log").put(facts.screen, sink);
    for (stamp, text) in lines {
        let text = if facts.full { Cow::Borrowed(*text) } else { folded(text) };
        let row = Row::new(6).with(Style::Dim, format!("    {stamp}")).with(Style::Plain, format!("  {text}"));
        row.put(facts.screen, sink);
    }
}

fn sign_off(goal: GoalRef<'_, '_>, facts: &GoalFacts<'_, '_>, sink: &mut impl Sink) {
    let mut digests = Digests::default();
    let (style, told) = match (goal.status(), facts.record.standing(goal, &mut digests)) {
        (Status::Done, Standing::SignedOff) => (Style::Good, "valid"),
        (_, Standing::OtherContract) => (Style::Warning, "for another contract"),
        (Status::Done, Standing::NotSignedOff) => (Style::Warning, "none, though the goal says done"),
        _ => (Style::Plain, "none"),
    };
    let mut row = label("sign-off").with(Style::Plain, " ").with(style, told);
    // `plan` lists such a goal with a `!`: only `goal set` and `goal start` log a change.
    let by_hand = facts
        .record
        .contract(goal)
        .filter(|logged| matches!(goal.status(), Status::Open | Status::Active) && !digests.of(goal).is_short(logged));
    if by_hand.is_some() {
        row = row.with(Style::Plain, ", ").with(Style::Warning, "its contract was changed by hand since it was logged");
    }
    row.put(facts.screen, sink);
    if facts.full {
        let logged = by_hand.map(|logged| format!(", logged {logged}")).unwrap_or_default();
        entry("contract", &format!("{}{logged}", goal_contract(goal).digest.short()), facts.screen, sink);
    }
}
