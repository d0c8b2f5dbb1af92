//! A goal, whole.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::layout::{Row, Screen};
use super::{LogView, Sink, Style, sign, step_line, style_of};
use crate::plan::contract::{Digests, goal_contract};
use crate::plan::log::folded;
use crate::plan::lookup::Numbers;
use crate::plan::model::{GoalRef, Key, Plan, Status};
use crate::plan::rules::{Needs, Record, Standing, read_line};
use crate::plan::snippet::Places;

/// Goals of a plan, in file order, each with the whole contract, its steps with outcomes, its log lines and its sign-off. `full`:
/// with the digests of contracts, trees and commits.
pub fn show(plan: &Plan<'_>, goals: &[GoalRef<'_, '_>], full: bool, screen: Screen, sink: &mut impl Sink) {
    let (needs, record, log) = (Needs::new(plan), Record::new(plan), log_of(plan, goals));
    let (mut places, numbers) = (Places::new(plan.source), Numbers::new(plan));
    for (index, goal) in goals.iter().enumerate() {
        if index > 0 {
            sink.newline();
        }
        let (line, _) = places.of(goal.raw().heading.start as usize);
        let number = numbers.of(*goal);
        heading(*goal, number, screen, sink);
        one(*goal, line, &Facts { needs: &needs, record: &record, log: &log, full }, sink);
    }
}

/// What is read once for all goals.
struct Facts<'f, 'a> {
    needs: &'f Needs<'a>,
    record: &'f Record<'a>,
    log: &'f Log<'a>,
    full: bool,
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

fn one(goal: GoalRef<'_, '_>, line: usize, facts: &Facts<'_, '_>, sink: &mut impl Sink) {
    let (plan, needs) = (goal.plan(), facts.needs);
    let status = format!("{}, priority {}, {}, line {line}", goal.status().word(), goal.priority(), goal.kind().word());
    entry("status", &status, sink);
    numbered(Key::DoneWhen, 'C', &texts(goal, Key::DoneWhen), sink);
    if let Some(verify) = goal.verify() {
        entry("verify", &verify, sink);
    }
    numbered(Key::FailureModes, 'F', &texts(goal, Key::FailureModes), sink);
    let waiting: HashSet<String> = needs.missing(goal).into_iter().collect();
    let all: Vec<String> = goal
        .needs()
        .into_iter()
        .map(|id| match waiting.contains(&id) {
            true if needs.is_by_hand(&id) => format!("{id} (done by hand)"),
            true => format!("{id} (not done)"),
            false => id,
        })
        .collect();
    list("needs", &all, sink);
    list("may_change", &goal.may_change(), sink);
    list("evidence", &goal.evidence(), sink);
    if !goal.steps().is_empty() {
        label("steps", sink);
        sink.newline();
        let first = goal.raw().steps.start as usize;
        (first..first + goal.steps().len())
            .filter_map(|index| plan.step(index))
            .for_each(|step| step_line(step, "    ", sink));
    }
    log_lines(goal, facts, sink);
    sign_off(goal, facts, sink);
}

fn texts(goal: GoalRef<'_, '_>, key: Key) -> Vec<String> {
    goal.list(key).into_iter().map(std::borrow::Cow::into_owned).collect()
}

fn label(name: &str, sink: &mut impl Sink) {
    sink.put(Style::Dim, "  ");
    sink.put(Style::Dim, name);
    sink.put(Style::Dim, ":");
}

fn entry(name: &str, value: &str, sink: &mut impl Sink) {
    label(name, sink);
    sink.put(Style::Plain, " ");
    sink.put(Style::Plain, value);
    sink.newline();
}

fn list(name: &str, values: &[String], sink: &mut impl Sink) {
    if !values.is_empty() {
        entry(name, &values.join(", "), sink);
    }
}

/// Criteria and failure modes, numbered as a judge answers them.
fn numbered(key: Key, letter: char, values: &[String], sink: &mut impl Sink) {
    if values.is_empty() {
        return;
    }
    label(key.word(), sink);
    sink.newline();
    for (index, value) in values.iter().enumerate() {
        sink.put(Style::Id, &format!("    {letter}{} ", index + 1));
        sink.put(Style::Plain, value);
        sink.newline();
    }
}

/// Stamp and text of the log lines of each id.
type Log<'a> = HashMap<&'a str, Vec<(&'a str, &'a str)>>;

/// The log lines that begin with the id of one of the goals, read once.
fn log_of<'a>(plan: &Plan<'a>, goals: &[GoalRef<'_, 'a>]) -> Log<'a> {
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

/// The log lines of each goal, in file order.
pub fn logs(plan: &Plan<'_>, goals: &[GoalRef<'_, '_>]) -> Vec<Vec<LogView>> {
    let log = log_of(plan, goals);
    let view = |(at, text): &(&str, &str)| LogView { at: (*at).to_owned(), text: (*text).to_owned() };
    let of = |goal: &GoalRef<'_, '_>| goal.id().and_then(|id| log.get(id)).into_iter().flatten().map(view).collect();
    goals.iter().map(of).collect()
}

fn log_lines(goal: GoalRef<'_, '_>, facts: &Facts<'_, '_>, sink: &mut impl Sink) {
    let Some(lines) = goal.id().and_then(|id| facts.log.get(id)).filter(|lines| !lines.is_empty()) else { return };
    label("log", sink);
    sink.newline();
    for (stamp, text) in lines {
        sink.put(Style::Dim, "    ");
        sink.put(Style::Dim, stamp);
        sink.put(if read_line(text).is_some() { Style::Plain } else { Style::Dim }, "  ");
        sink.put(Style::Plain, &if facts.full { Cow::Borrowed(*text) } else { folded(text) });
        sink.newline();
    }
}

fn sign_off(goal: GoalRef<'_, '_>, facts: &Facts<'_, '_>, sink: &mut impl Sink) {
    let mut digests = Digests::default();
    let (style, told) = match (goal.status(), facts.record.standing(goal, &mut digests)) {
        (Status::Done, Standing::SignedOff) => (Style::Good, "valid"),
        (_, Standing::OtherContract) => (Style::Warning, "for another contract"),
        (Status::Done, Standing::NotSignedOff) => (Style::Warning, "none, though the goal says done"),
        _ => (Style::Plain, "none"),
    };
    label("sign-off", sink);
    sink.put(Style::Plain, " ");
    sink.put(style, told);
    // What `plan` lists with a `!`: only `goal set` and `goal start` log a change.
    let by_hand = facts
        .record
        .contract(goal)
        .filter(|logged| matches!(goal.status(), Status::Open | Status::Active) && !digests.of(goal).is_short(logged));
    if by_hand.is_some() {
        sink.put(Style::Plain, ", ");
        sink.put(Style::Warning, "its contract was changed by hand since it was logged");
    }
    sink.newline();
    if facts.full {
        label("contract", sink);
        sink.put(Style::Plain, " ");
        sink.put(Style::Id, &goal_contract(goal).digest.short());
        if let Some(logged) = by_hand {
            sink.put(Style::Plain, &format!(", logged {logged}"));
        }
        sink.newline();
    }
}
