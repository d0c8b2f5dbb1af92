//! Finds everything that keeps a contract from being approved (`CONTRACT.md` §3.3, R14): every violation with its
//! place.

use std::collections::{HashMap, HashSet};

use super::placeholder_of;
use super::request::typed;
use crate::error::Error;
use crate::plan::lookup::{NeedNames, StepRef};
use crate::plan::model::{GoalRef, Key, LintFinding, Plan, Severity, Span};
use crate::plan::snippet;

/// The code of these findings.
const CODE: &str = "contract";

/// Returns every violation, in file order. Linear in the plan. Returns nothing for a plan
/// without goals; `approve` refuses such a plan itself.
pub fn violations(plan: &Plan<'_>) -> Vec<LintFinding> {
    let mut found = Violations::default();
    let numbers = numbers(plan);
    let names = NeedNames::new(plan);
    for goal in plan.live_goals() {
        of_goal(goal, &mut found);
        needs(goal, &names, &mut found);
        let steps = goal.raw().steps.start as usize..goal.raw().steps.end as usize;
        for step in steps.filter_map(|at| plan.step(at)) {
            of_step(step, &numbers, &mut found);
        }
    }
    found.list.sort_by_key(|finding| finding.span.start);
    found.list
}

/// The error that lists the violations, each with its place; `shown` is the name of the file.
pub fn invalid(plan: &Plan<'_>, shown: &str, violations: &[LintFinding]) -> Error {
    let mut what = String::from("this is not a valid contract:");
    for finding in violations {
        let (line, column) = snippet::place(plan.source, finding.span.start as usize);
        what.push_str(&format!("\n{shown}:{line}:{column}: {}", finding.message));
        let drawn = snippet::draw_at(plan.source, finding.span);
        if !drawn.is_empty() {
            what.push_str(&format!("\n{}", drawn.trim_end()));
        }
    }
    let mut error = Error::input(what);
    let mut told: Vec<&str> = Vec::new();
    for finding in violations {
        if !told.contains(&finding.remedy.as_str()) {
            told.push(&finding.remedy);
            error = error.hint(finding.remedy.clone());
        }
    }
    error
}

/// The goal's name in a message: its id or subject, or its line if it has neither.
fn named(goal: GoalRef<'_, '_>) -> String {
    if goal.name().is_empty() { format!("in line {}", goal.line()) } else { goal.name().to_owned() }
}

fn of_goal(goal: GoalRef<'_, '_>, found: &mut Violations) {
    let (heading, name) = (goal.raw().heading, named(goal));
    if goal.subject().is_empty() {
        let remedy = match goal.id() {
            Some(id) => format!("`plan goal set {id} --subject \"aim\"`"),
            None => "write a subject after `## Goal:`".to_owned(),
        };
        found.add(heading, format!("goal {name} has no subject"), remedy);
    }
    if goal.id().is_none() {
        found.add(heading, format!("goal {name} has no id"), "`plan lint --fix`".to_owned());
    }
    if goal.steps().is_empty() {
        let remedy = format!("`plan step add {} \"task\"`", goal.typed());
        found.add(heading, format!("goal {name} has no step"), remedy);
    }
    if let Some((key, hole)) = placeholder_of(goal) {
        let place = goal.field(key).map_or(heading, |field| field.lines);
        found.add(place, format!("a placeholder `{hole}` is left in {} of {name}", key.word()), replacing(goal, key));
    }
}

/// The command that replaces a placeholder in this field.
pub fn replacing(goal: GoalRef<'_, '_>, key: Key) -> String {
    match key {
        Key::DoneWhen => format!("`plan goal set {} --done-when \"what is true then\"`", goal.typed()),
        _ => format!("`plan goal set {} --failure-mode \"how it could look right and be wrong\"`", goal.typed()),
    }
}

/// The step numbers of a plan.
#[derive(Default)]
struct StepNumbers {
    /// Each number above the archive, with the steps that have it.
    live: HashMap<u32, Vec<usize>>,
    /// The numbers in the archive: their steps are settled for good.
    archived: HashSet<u32>,
}

fn numbers(plan: &Plan<'_>) -> StepNumbers {
    let mut numbers = StepNumbers::default();
    for (at, step) in plan.steps.iter().enumerate() {
        let Some(number) = step.number else { continue };
        match plan.goals.get(step.goal as usize).is_some_and(|goal| goal.archived) {
            true => drop(numbers.archived.insert(number)),
            false => numbers.live.entry(number).or_default().push(at),
        }
    }
    numbers
}

fn of_step(step: StepRef<'_, '_>, numbers: &StepNumbers, found: &mut Violations) {
    let (plan, line, name) = (step.plan(), step.raw().line, step.name());
    match step.raw().number {
        None => found.add(line, format!("step {name} has no number"), "`plan approve` gives it one".to_owned()),
        Some(number) => {
            let twice = numbers.live.get(&number).is_some_and(|steps| steps.len() > 1 && steps[0] != step.index());
            if twice {
                found.add(
                    line,
                    format!("number {number} appears twice"),
                    "give each step a number of its own".to_owned(),
                );
            }
        }
    }
    if step.text().is_empty() {
        found.add(line, format!("step {name} has no text"), format!("`plan step set {name} \"task\"`"));
    }
    for &after in step.after() {
        let why = match numbers.live.get(&after).and_then(|steps| steps.first()) {
            _ if step.raw().number == Some(after) => Some("which is itself"),
            None => (!numbers.archived.contains(&after)).then_some("which does not exist"),
            Some(&other) => match plan.steps[other].goal.cmp(&step.raw().goal) {
                std::cmp::Ordering::Less => None,
                std::cmp::Ordering::Equal => Some("which is in the same goal"),
                std::cmp::Ordering::Greater => Some("which is in a later goal"),
            },
        };
        if let Some(why) = why {
            let message = format!("step {name} comes after step {after}, {why}");
            // Users write `(after …)` for an order that holds anyway.
            let is_order = numbers.live.get(&after).is_some_and(|steps| steps.iter().all(|at| *at < step.index()));
            let order = if is_order { "the steps of a goal are in order without it: " } else { "" };
            found.add(line, message, format!("{order}`plan step set {name} --after none`"));
        }
    }
}

fn needs(goal: GoalRef<'_, '_>, names: &NeedNames<'_>, found: &mut Violations) {
    let (plan, Some(field)) = (goal.plan(), goal.field(Key::Needs)) else { return };
    for need in names.of(goal) {
        let others: Vec<GoalRef<'_, '_>> = need.goals.iter().filter_map(|at| plan.goal(*at)).collect();
        let why = match others.as_slice() {
            [] => format!("`needs` of {} names no goal: `{}`", named(goal), need.written),
            [other, ..] if other.index() == goal.index() => format!("goal {} needs itself", named(goal)),
            // Each circle of live goals has such a need.
            [other, ..] if !other.raw().archived && other.index() > goal.index() => {
                format!("`needs` of {} names a later goal: {}", named(goal), need.name)
            }
            _ => continue,
        };
        let remedy = format!("`plan goal set {}{}` takes it out", goal.typed(), needs_without(goal, &need.written));
        found.add(field.lines, why, remedy);
    }
}

/// The `--needs` options for all needs of a goal except `wrong`.
fn needs_without(goal: GoalRef<'_, '_>, wrong: &str) -> String {
    let others: Vec<String> = goal.words_of_needs().into_iter().filter(|need| need != wrong).collect();
    match others.is_empty() {
        true => " --needs none".to_owned(),
        false => others.iter().map(|need| format!(" --needs {}", typed(need))).collect(),
    }
}

#[derive(Default)]
struct Violations {
    list: Vec<LintFinding>,
}

impl Violations {
    fn add(&mut self, lines: Span, message: String, remedy: String) {
        // Without the line ending: carets are drawn below the span.
        let span = Span { end: lines.end.saturating_sub(1).max(lines.start), ..lines };
        self.list.push(LintFinding { code: CODE, severity: Severity::Error, span, message, remedy });
    }
}
