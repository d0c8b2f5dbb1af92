//! A goal that can be unfolded.

use maud::{Markup, html};

use super::text::inline;
use super::{markdown, tone};
use crate::report::changes::ChangeView;
use crate::report::facts::GoalState;
use crate::report::goal::{Body, Criterion, CriterionAnswer, Rejection, ReportGoal, SignOffView, StepView};

/// Goals that are active or not covered are unfolded; a goal without a body is one line.
pub(super) fn goal(goal: &ReportGoal) -> Markup {
    let is_open = matches!(goal.state, GoalState::NotCovered | GoalState::Active);
    let is_off = goal.state == GoalState::Cancelled;
    html! {
        @if let Some(body) = &goal.body {
            details.goal.off[is_off] #(goal.anchor) open[is_open] {
                summary { (line(goal)) }
                div.body { (unfolded(body)) }
            }
        } @else {
            div.goal.line.off[is_off] #(goal.anchor) { (line(goal)) }
        }
    }
}

fn line(goal: &ReportGoal) -> Markup {
    html! {
        span.mark.(tone(goal.state)) aria-hidden="true" { (goal.state.sign()) }
        h3 { bdi { (goal.subject) } }
        span.state.(tone(goal.state)) { (goal.told) }
        span.id {
            @if let Some(id) = &goal.id { span { (id) } }
            @if !goal.needs.is_empty() {
                span {
                    "needs "
                    @for (index, (name, anchor)) in goal.needs.iter().enumerate() {
                        @if index > 0 { ", " }
                        @match anchor {
                            Some(anchor) => a href={ "#" (anchor) } { bdi { (name) } },
                            None => bdi { (name) },
                        }
                    }
                }
            }
            @if let Some(priority) = goal.priority { span { "priority " (priority) } }
        }
    }
}

fn unfolded(body: &Body) -> Markup {
    html! {
        @if let Some(reason) = &body.cancelled { p.soft { bdi { (inline(reason)) } } }
        @for change in &body.changes { (changed(change)) }
        @if !body.criteria.is_empty() || body.rejection.is_some() {
            h4 { "Done when" @if let Some(rejection) = &body.rejection { (rejected(rejection)) } }
            @for missing in body.rejection.iter().flat_map(|rejection| &rejection.missing) {
                p.cite { b.bad { "✗ missing" } " " bdi { (inline(missing)) } }
            }
            (criteria(&body.criteria))
        }
        @if let Some(verify) = &body.verify { h4 { "Verify" } pre { (verify) } }
        @if !body.failure_modes.is_empty() {
            h4 { "Failure modes" }
            (criteria(&body.failure_modes))
        }
        @if !body.may_change.is_empty() { h4 { "May change" } p { code { (body.may_change.join(", ")) } } }
        @if !body.steps.is_empty() {
            h4 { "Steps" }
            ol.steps { @for step in &body.steps { (step_item(step)) } }
        }
        @if !body.notes.is_empty() { h4 { "Notes" } div.notes.prose { (markdown::html(&body.notes)) } }
        @if let Some(sign_off) = &body.sign_off { (signed(sign_off)) }
    }
}

fn changed(change: &ChangeView) -> Markup {
    html! {
        h4 { (change.heading) }
        @if let Some(because) = &change.because { p.cite { "because " bdi { (inline(because)) } } }
        @if !change.lines.is_empty() {
            div.diff role="group" aria-label="change of the contract" {
                @for line in &change.lines {
                    @if line.is_new { ins { bdi { (line.text) } } } @else { del { bdi { (line.text) } } }
                }
            }
        }
        @if let Some((old, new)) = &change.digests {
            p.cite { code { (old) } " → " code { (new) } ": the text of one of them is not at hand" }
        }
    }
}

fn rejected(rejection: &Rejection) -> Markup {
    html! { " " span.bad { "· rejected by " bdi { (rejection.by) } ", " (rejection.at) } }
}

fn criteria(criteria: &[Criterion]) -> Markup {
    html! {
        ul.crit {
            @for criterion in criteria {
                li {
                    span.n { (criterion.name) }
                    span.wrap {
                        bdi { (inline(without_check(criterion))) }
                        @if let Some(check) = &criterion.check { span.cite { "check: " code { (check) } } }
                        @for answer in &criterion.answers { (answered(answer)) }
                    }
                }
            }
        }
    }
}

/// The text of a failure mode without its check, which is shown below it.
fn without_check(criterion: &Criterion) -> &str {
    let is_checked = criterion.check.is_some();
    let without = criterion.text.rfind("(check:").filter(|_| is_checked).map(|at| criterion.text[..at].trim_end());
    without.unwrap_or(&criterion.text)
}

fn answered(answer: &CriterionAnswer) -> Markup {
    html! {
        @for (index, cited) in answer.citations.iter().enumerate() {
            span.cite {
                b.good { @if index == 0 { "✓" span.said { " met" } } @else { "+" } }
                " "
                @if let Some(judge) = answer.judge.as_ref().filter(|_| index == 0) { bdi { (judge) } ": " }
                @if !cited.place.is_empty() { code { (cited.place) } " " }
                @if !cited.quote.is_empty() { "“" bdi { (cited.quote) } "”" }
            }
        }
        @if let Some(missing) = &answer.missing {
            span.cite { b.bad { "✗ missing" } " " bdi { (inline(missing)) } }
        }
    }
}

fn step_item(step: &StepView) -> Markup {
    let (sign, tone) = step.sign();
    html! {
        li {
            span.mark.(tone) aria-hidden="true" { (sign) }
            span.wrap {
                span.said { (step.word()) ": " }
                @if let Some(number) = step.number { (number) ". " }
                bdi { (inline(&step.text)) }
                @if let Some(outcome) = &step.outcome { " " span.out { "— " bdi { (inline(outcome)) } } }
            }
        }
    }
}

fn signed(sign_off: &SignOffView) -> Markup {
    html! {
        h4 { "Sign-off of " (sign_off.at) }
        dl.rec {
            @for (label, value) in &sign_off.rows {
                dt { (label) }
                dd {
                    bdi { (value) }
                    @if let Some(now) = sign_off.now.as_ref().filter(|_| *label == "contract") {
                        " " span.warn { "(now " (now) ")" }
                    }
                }
            }
            @for note in &sign_off.notes { dt { "note" } dd { bdi { (note) } } }
        }
    }
}
