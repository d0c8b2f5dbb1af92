//! The report as one HTML page: no script, nothing loaded, light, dark and print.
//!
//! All text of a plan is hostile. The template escapes every value, so no markup gets through. A list of schemes in
//! [`markdown`] limits links in prose. [`text::visible`] shows hidden and direction-changing characters on the whole
//! page. The page's own `Content-Security-Policy` is the last defence.

mod attention;
mod goal;
mod graph;
mod log;
mod markdown;
mod text;
mod timeline;

use maud::{DOCTYPE, Markup, PreEscaped, html};

pub(super) use text::{pieces, visible};

use super::Report;
use super::facts::GoalState;
use crate::plan::text::counted;

/// The tag near the start of each page by which `plan report` recognizes its own pages.
pub const GENERATOR: &str = "<meta name=\"generator\" content=\"plan report\">";

/// Nothing is loaded and no script runs; the style is part of the page.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

const STYLE: &str = include_str!("page/style.css");

/// The most goals in the table of contents; the others are counted.
const CONTENTS: usize = 100;

/// The whole page.
pub(super) fn page(report: &Report) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                (PreEscaped(GENERATOR))
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="referrer" content="no-referrer";
                title { (report.title) " · plan" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                (head(report))
                (contents(report))
                @if !report.prose.is_empty() { div.prose { (markdown::html(&report.prose)) } }
                (attention::section(&report.attention))
                (goals(report))
                (graph::section(&report.graph))
                (timeline::section(&report.timeline))
                (log::section(&report.log))
                (foot())
            }
        }
    };
    visible(page.into_string())
}

fn head(report: &Report) -> Markup {
    let (origin, counts) = (&report.origin, &report.counts);
    let shown = GoalState::ALL.into_iter().filter(|state| counts.of(*state) > 0 && *state != GoalState::Cancelled);
    let order = [GoalState::SignedOff, GoalState::NotCovered, GoalState::Active, GoalState::Open];
    html! {
        header {
            p.small.soft.file {
                code { (origin.file) }
                @if let Some(commit) = &origin.commit {
                    @if origin.is_changed { ", changed since " } @else { " at " }
                    code { (commit) }
                }
                @if let Some(branch) = &origin.branch { " on " code { (branch) } }
                @if let Some(last) = report.log.days.first().and_then(|day| day.entries.first()) {
                    " · last entry " time datetime=(last.at) { (last.at) }
                }
            }
            h1 { bdi { (report.title) } }
            p.lead { (report.lead) }
            @if shown.count() > 0 {
                div.meter aria-hidden="true" {
                    @for state in order.into_iter().filter(|state| counts.of(*state) > 0) {
                        i class=(tone(state)) style={ "--n:" (counts.of(state)) } {}
                    }
                }
            }
            p.keys {
                @for state in order.into_iter().chain([GoalState::Cancelled]).filter(|state| counts.of(*state) > 0) {
                    span class=[off(state)] {
                        span.mark.(tone(state)) aria-hidden="true" { (state.sign()) }
                        (counts.of(state)) " " (state.word())
                    }
                }
            }
        }
    }
}

fn contents(report: &Report) -> Markup {
    html! {
        nav.toc aria-label="Contents" {
            p.h { "Goals" }
            ul {
                @for goal in report.goals.iter().take(CONTENTS) {
                    li class=[off(goal.state)] {
                        span.mark.(tone(goal.state)) aria-hidden="true" { (goal.state.sign()) }
                        a href={ "#" (goal.anchor) } { bdi { (goal.subject) } }
                    }
                }
                @if report.goals.len() > CONTENTS {
                    li { span {} a href="#goals" { (report.goals.len() - CONTENTS) " more" } }
                }
            }
            p.h { "Page" }
            ul {
                @let sections = [
                    ("attention", "Look at these first", !report.attention.is_empty()),
                    ("graph", "What needs what", graph::is_shown(&report.graph)),
                    ("time", "Time", !report.timeline.lanes.is_empty()),
                    ("log", "Log", !report.log.days.is_empty()),
                ];
                @for (place, name, _) in sections.into_iter().filter(|(.., is_there)| *is_there) {
                    li { span {} a href={ "#" (place) } { (name) } }
                }
            }
        }
    }
}

fn goals(report: &Report) -> Markup {
    let lines = report.goals.iter().filter(|goal| goal.body.is_none()).count();
    html! {
        section #goals {
            h2 { "Goals" }
            @for goal in &report.goals { (goal::goal(goal)) }
            @if report.goals.is_empty() && report.archived == 0 { p.soft { "None yet." } }
            @if lines > 0 { p.small.soft { (lines) " older goals are one line each here; plan.md has their contracts." } }
            @if report.archived > 0 { p.small.soft { (counted(report.archived, "goal")) " below # Archive in plan.md." } }
        }
    }
}

fn foot() -> Markup {
    html! {
        footer {
            p {
                "Made from plan.md, its log and the records under " code { "refs/plan/" } " by " code { "plan report" }
                ". Anyone who can run git can write the log and the records. To prove a sign-off, run the checks again:"
            }
            pre { "plan audit --base origin/main --rerun" }
            p { "No script, nothing loaded from elsewhere." }
        }
    }
}

/// The class for text about a cancelled goal.
fn off(state: GoalState) -> Option<&'static str> {
    (state == GoalState::Cancelled).then_some("soft")
}

/// The class for a state's colour.
const fn tone(state: GoalState) -> &'static str {
    match state {
        GoalState::NotCovered => "warn",
        GoalState::Active => "now",
        GoalState::Open | GoalState::Cancelled => "soft",
        GoalState::SignedOff => "good",
    }
}
