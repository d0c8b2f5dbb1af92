//! The section "Time": one lane per goal.

use maud::{Markup, html};

use super::tone;
use crate::report::timeline::{Bar, BarKind, Lane, Mark, MarkKind, Timeline};

pub(super) fn section(timeline: &Timeline) -> Markup {
    html! {
        @if !timeline.lanes.is_empty() {
            section #time {
                h2 { "Time" }
                ul.span { @for lane in &timeline.lanes { (one(lane)) } }
                p.axis aria-hidden="true" { @for tick in &timeline.ticks { span { (tick) } } }
                @if timeline.left_out > 0 {
                    p.small.soft { (timeline.left_out) " more goals were started; plan.md has their log." }
                }
            }
        }
    }
}

fn one(lane: &Lane) -> Markup {
    // A finished bar of work belongs to a sign-off, whatever the goal's state is now.
    let is_now = lane.bars.iter().any(|bar| bar.kind == BarKind::Running);
    let class = if is_now { "now" } else { "good" };
    html! {
        li {
            a href={ "#" (lane.anchor) } { bdi { (lane.subject) } }
            span.said { ", " (lane.state.word()) }
            div.lane.(if lane.bars.is_empty() { tone(lane.state) } else { class }) aria-hidden="true" {
                @for bar in &lane.bars { (stretch(bar)) }
                @for mark in &lane.marks { (sign(*mark)) }
            }
        }
    }
}

fn stretch(bar: &Bar) -> Markup {
    let class = match bar.kind {
        BarKind::Work => "",
        BarKind::Running => "run",
        BarKind::Uncovered => "warn gap",
    };
    let style = format!("--a:{};--w:{}", percent(bar.from), percent(bar.to - bar.from));
    html! { b class=[Some(class).filter(|class| !class.is_empty())] style=(style) {} }
}

fn sign(mark: Mark) -> Markup {
    let (sign, class) = match mark.what {
        MarkKind::SignedOff => ("✓", "good"),
        MarkKind::Rejected => ("✗", "bad"),
        MarkKind::Uncovered => ("!", "warn"),
        MarkKind::Cancelled => ("–", "soft"),
    };
    html! { i class=(class) style={ "--a:" (percent(mark.at)) } { (sign) } }
}

/// `45.5%` of 455.
fn percent(tenths: u16) -> String {
    match tenths % 10 {
        0 => format!("{}%", tenths / 10),
        rest => format!("{}.{rest}%", tenths / 10),
    }
}
