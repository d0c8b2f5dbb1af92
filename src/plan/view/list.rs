//! The task list (P-51, P-52).

use super::{Sink, Style, sign, step_line, style_of};
use crate::plan::contract::{Digests, Effect};
use crate::plan::model::{GoalRef, Plan, Status};
use crate::plan::rules::{Record, Standing};
use crate::plan::{block, lint};

/// The task list: objective, each goal with mark, id, subject and steps, what is hidden, the last log line, and the `!` lines.
/// Done and cancelled goals are shown with `all` only; archived ones never.
pub fn list(plan: &Plan<'_>, all: bool, sink: &mut impl Sink) {
    if let Some(objective) = plan.objective().filter(|text| !text.is_empty()) {
        sink.put(Style::Dim, "Plan: ");
        sink.put(Style::Title, objective);
        sink.newline();
    }
    let (mut done, mut cancelled, mut shown) = (0, 0, 0);
    for goal in plan.live_goals() {
        match goal.status() {
            Status::Done if !all => done += 1,
            Status::Cancelled if !all => cancelled += 1,
            _ => {
                shown += 1;
                heading(goal, sink);
                let first = goal.raw().steps.start as usize;
                (first..first + goal.steps().len())
                    .filter_map(|index| plan.step(index))
                    .for_each(|step| step_line(step, "    ", sink));
            }
        }
    }
    if done + cancelled > 0 {
        sink.put(Style::Dim, &hidden(done, cancelled));
        sink.newline();
    } else if shown == 0 {
        sink.put(Style::Dim, "no goals yet: plan goal add \"subject\"");
        sink.newline();
    }
    if let Some((stamp, text)) = plan.log_lines().next_back() {
        sink.put(Style::Dim, "last: ");
        sink.put(Style::Dim, stamp);
        sink.put(Style::Plain, "  ");
        sink.put(Style::Plain, text);
        sink.newline();
    }
    for warning in warnings(plan) {
        sink.put(Style::Warning, "! ");
        sink.put(Style::Plain, &warning);
        sink.newline();
    }
}

/// The `!` lines: done goals without a sign-off that still matches, contracts changed since they were logged, lint errors.
pub fn warnings(plan: &Plan<'_>) -> Vec<String> {
    let record = Record::new(plan);
    let mut digests = Digests::default();
    // A heading above a goal that the log knows must not hide that nobody signed it off. Others may be older than the log.
    let is_known = |goal: &GoalRef<'_, '_>| goal.status() == Status::Done && record.contract(*goal).is_some();
    let shown = plan.all_goals().filter(|goal| !goal.raw().archived || is_known(goal));
    let mut lines: Vec<String> = shown.flat_map(|goal| of_goal(goal, &record, &mut digests)).collect();
    let findings = lint::errors(plan);
    let mut places = crate::plan::caret::Places::new(plan.source);
    lines.extend(findings.iter().map(|finding| {
        let (line, _) = places.of(finding.span.start as usize);
        format!("line {line}: {}", finding.message)
    }));
    lines
}

/// What neither the list of open goals nor the next one shows, and must not be overlooked: goals that were made done by hand, and
/// goals below `# Archive` that are not finished.
pub fn out_of_sight(plan: &Plan<'_>) -> Vec<String> {
    let unsigned: Vec<_> = Record::new(plan).unsigned(plan).into_iter().map(|(goal, _)| goal).collect();
    let mut lines: Vec<String> =
        Some(block::unsigned(&unsigned)).filter(|_| !unsigned.is_empty()).into_iter().collect();
    lines.extend(lint::archived_open(plan).into_iter().map(|finding| finding.message));
    lines
}

fn of_goal(goal: GoalRef<'_, '_>, record: &Record<'_>, digests: &mut Digests) -> Vec<String> {
    let name = goal.name();
    let line = match goal.status() {
        Status::Done => match record.standing(goal, digests) {
            Standing::SignedOff if goal.raw().archived => return Vec::new(),
            Standing::SignedOff if record.is_callers(goal) => {
                Some(format!("{name} was signed off by a judge that its caller named"))
            }
            Standing::SignedOff if record.is_own_prompt(goal) => {
                Some(format!("{name} was signed off by a judge with another prompt than the built-in one"))
            }
            Standing::SignedOff => None,
            Standing::OtherContract => Some(format!("{name} is done but was signed off for another contract")),
            Standing::NotSignedOff => Some(format!("{name} is done but has no sign-off that matches its contract")),
        },
        Status::Open | Status::Active => of_contract(goal, record, digests),
        Status::Cancelled => return Vec::new(),
    };
    line.into_iter().chain(amended(goal, record)).collect()
}

/// A contract that is not the one that was logged, or that was changed while the goal runs without a reason.
fn of_contract(goal: GoalRef<'_, '_>, record: &Record<'_>, digests: &mut Digests) -> Option<String> {
    let (name, agreement) = (goal.name(), record.agreement(goal)?);
    let (logged, digest) = (agreement.logged?, digests.of(goal));
    let explain = format!("plan goal set {name} --because \"why\"");
    if !digest.is_short(logged) {
        let now = digest.short();
        return Some(format!(
            "the contract of {name} was changed since it was logged ({logged}, now {now}): {explain}"
        ));
    }
    let change = agreement.unexplained().last()?;
    Some(format!("{name} was changed while it runs, and nobody said why ({change}): {explain}"))
}

/// What a goal no longer asks for, and why. Of one that is signed off, its judge was told.
fn amended(goal: GoalRef<'_, '_>, record: &Record<'_>) -> Vec<String> {
    let is_done = goal.status() == Status::Done;
    let shown = |what: &&str| !is_done || Effect::of_line(what) == Some(Effect::Loosened);
    let explained = record.agreement(goal).into_iter().flat_map(|agreement| agreement.explained());
    let shown = explained.filter(|(what, _)| shown(what));
    shown.map(|(what, why)| format!("{} was amended while it ran ({what}) because {why}", goal.name())).collect()
}

/// `● cache-layer-1  Implement cache layer  1/3`
pub(super) fn heading(goal: GoalRef<'_, '_>, sink: &mut impl Sink) {
    let style = style_of(goal.status());
    sink.put(style, sign(goal.status()));
    sink.put(Style::Plain, " ");
    if let Some(id) = goal.id() {
        sink.put(Style::Id, id);
        sink.put(Style::Plain, "  ");
    }
    sink.put(Style::Title, goal.subject());
    let (settled, steps) = goal.progress();
    if steps > 0 {
        sink.put(Style::Dim, &format!("  {settled}/{steps}"));
    }
    sink.newline();
}

fn hidden(done: usize, cancelled: usize) -> String {
    let counts = match (done, cancelled) {
        (done, 0) => format!("{done} done"),
        (0, cancelled) => format!("{cancelled} cancelled"),
        (done, cancelled) => format!("{done} done, {cancelled} cancelled"),
    };
    format!("{counts} hidden (--all)")
}
