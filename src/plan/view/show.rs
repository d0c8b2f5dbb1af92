//! A goal, whole.

use std::collections::{HashMap, HashSet};

use super::list::heading;
use super::{LogView, Sink, Style, step_line};
use crate::plan::caret::Places;
use crate::plan::contract::{Digests, goal_contract};
use crate::plan::model::{GoalRef, Key, Plan, Status};
use crate::plan::rules::{Needs, Record, Standing, read_line};

/// Goals of a plan, in file order, each with the whole contract, its steps with outcomes, its log lines and its sign-off.
pub fn show(plan: &Plan<'_>, goals: &[GoalRef<'_, '_>], sink: &mut impl Sink) {
    let (needs, record, log) = (Needs::new(plan), Record::new(plan), log_of(plan, goals));
    let mut places = Places::new(plan.source);
    for goal in goals {
        let (line, _) = places.of(goal.raw().heading.start as usize);
        one(*goal, line, &needs, &record, &log, sink);
    }
}

fn one(
    goal: GoalRef<'_, '_>,
    line: usize,
    needs: &Needs<'_>,
    record: &Record<'_>,
    log: &Log<'_>,
    sink: &mut impl Sink,
) {
    let plan = goal.plan();
    heading(goal, sink);
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
    log_lines(goal, log, sink);
    sign_off(goal, record, sink);
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

fn log_lines(goal: GoalRef<'_, '_>, log: &Log<'_>, sink: &mut impl Sink) {
    let Some(lines) = goal.id().and_then(|id| log.get(id)).filter(|lines| !lines.is_empty()) else { return };
    label("log", sink);
    sink.newline();
    for (stamp, text) in lines {
        sink.put(Style::Dim, "    ");
        sink.put(Style::Dim, stamp);
        sink.put(if read_line(text).is_some() { Style::Plain } else { Style::Dim }, "  ");
        sink.put(Style::Plain, text);
        sink.newline();
    }
}

fn sign_off(goal: GoalRef<'_, '_>, record: &Record<'_>, sink: &mut impl Sink) {
    label("contract", sink);
    sink.put(Style::Plain, " ");
    sink.put(Style::Id, &goal_contract(goal).digest.short());
    // What `plan` lists with a `!`: only `goal set` and `goal start` log a change.
    let by_hand = record.contract(goal).filter(|logged| {
        matches!(goal.status(), Status::Open | Status::Active) && !Digests::default().of(goal).is_short(logged)
    });
    if let Some(logged) = by_hand {
        sink.put(Style::Plain, ", ");
        sink.put(Style::Warning, &format!("changed by hand since the log named {logged}"));
    }
    let (style, told) = match (goal.status(), record.standing(goal, &mut Digests::default())) {
        (Status::Done, Standing::SignedOff) => (Style::Good, "signed off"),
        (_, Standing::OtherContract) => (Style::Warning, "signed off for another contract"),
        (Status::Done, Standing::NotSignedOff) => (Style::Warning, "done without a sign-off"),
        _ => (Style::Plain, "not signed off"),
    };
    sink.put(Style::Plain, ", ");
    sink.put(style, told);
    sink.newline();
}
