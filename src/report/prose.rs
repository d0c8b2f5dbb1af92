//! The prose of a plan: everything except goal headings, ids, fields, steps and logs.

use crate::plan::Plan;
use crate::plan::model::{GoalRef, Span};

/// The maximum size in bytes of one piece of prose.
const MOST: usize = 4000;

/// The end of a piece that was cut.
const CUT: &str = "\n\n… the rest is in plan.md";

/// The prose below the objective, up to the first goal, log or archive, as Markdown.
pub(super) fn of_plan(plan: &Plan<'_>) -> String {
    let Some(objective) = plan.objective_line else { return String::new() };
    let goals = plan.goals.iter().map(|goal| goal.body.start);
    let logs = plan.logs.iter().map(|log| log.heading.start);
    let ends = goals.chain(logs).chain(plan.archive.map(|archive| archive.start));
    let end = ends.filter(|end| *end >= objective.end).min().unwrap_or(plan.source.len() as u32);
    cut(plan.text(Span { start: objective.end, end }))
}

/// The prose of a goal, as Markdown.
pub(super) fn of_goal(goal: GoalRef<'_, '_>) -> String {
    let (plan, raw) = (goal.plan(), goal.raw());
    let steps = goal.steps().iter().map(|step| Span { start: step.line.start, end: step.end });
    let logs = plan.logs.iter().map(|log| Span { start: log.heading.start, end: log.body.end });
    let logs = logs.filter(|log| log.start >= raw.body.start && log.start < raw.body.end);
    let ids = raw.id.map(|(line, _)| line).into_iter().chain(raw.bad_id);
    let mut taken: Vec<Span> =
        goal.fields().iter().map(|field| field.lines).chain(steps).chain(logs).chain(ids).collect();
    taken.sort_by_key(|span| span.start);
    let mut at = raw.heading.end;
    let mut prose = String::new();
    for span in taken.into_iter().chain([Span { start: raw.body.end, end: raw.body.end }]) {
        if span.start > at {
            prose.push_str(plan.text(Span { start: at, end: span.start }).trim_end_matches(['\n', '\r']));
            prose.push_str("\n\n");
        }
        at = at.max(span.end);
    }
    cut(prose.trim_matches(['\n', '\r', ' ']))
}

/// Cuts a text to as many whole lines as may be shown, and makes the line endings uniform.
fn cut(text: &str) -> String {
    let text = text.trim_matches(['\n', '\r']).replace("\r\n", "\n");
    if text.len() <= MOST {
        return text;
    }
    let room = (0..=MOST).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
    let end = text[..room].rfind('\n').unwrap_or(room);
    format!("{}{CUT}", &text[..end])
}
