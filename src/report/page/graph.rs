//! The section "What needs what": the graph as inline SVG.

use std::fmt::Write as _;

use maud::{Markup, html};

use super::tone;
use crate::plan::graph::layout::Cell;
use crate::report::facts::GoalState;
use crate::report::graph::{Arrow, Graph, GraphBox};

/// Sizes in pixels: a box, and the distance from one box to the next.
const WIDTH: usize = 150;
const HEIGHT: usize = 44;
const COLUMN: usize = 184;
const ROW: usize = 56;
/// The most characters of a label; the full text is in the box's title.
const LABEL: usize = 20;
/// The most characters beside a sign, in larger type.
const SUBJECT: usize = 16;
/// The width of the page's text column: a wider picture scrolls.
const COLUMN_OF_PAGE: usize = 704;

pub(super) fn is_shown(graph: &Graph) -> bool {
    !graph.boxes.is_empty() || graph.note.is_some()
}

pub(super) fn section(graph: &Graph) -> Markup {
    html! {
        @if is_shown(graph) {
            section #graph {
                h2 { "What needs what" }
                @if !graph.boxes.is_empty() {
                    figure.scroll tabindex="0" aria-label="Graph of the goals; each goal above says the same under needs" {
                        (picture(graph))
                    }
                }
                @if let Some(note) = &graph.note { p.small.soft { (super::text::inline(note)) } }
            }
        }
    }
}

fn picture(graph: &Graph) -> Markup {
    let last = |of: fn(&Cell) -> usize| {
        let lanes = graph.arrows.iter().flat_map(|arrow| &arrow.lanes);
        graph.boxes.iter().map(|one| &one.cell).chain(lanes).map(of).max().unwrap_or_default()
    };
    let width = last(|cell| cell.layer) * COLUMN + WIDTH + 1;
    let height = last(|cell| cell.half_row) * ROW / 2 + HEIGHT + 3;
    // Below the width of the column the picture grows with it, up to its own size.
    let size = match width > COLUMN_OF_PAGE {
        true => format!("min-width:{width}px"),
        false => format!("max-width:{width}px;min-width:{}px", width.min(640)),
    };
    html! {
        svg viewBox={ "0 0 " (width) " " (height) } style=(size) role="img" aria-label=(spoken(graph)) {
            defs {
                marker #tip viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto" {
                    path.tip d="M0 0 8 4 0 8z" {}
                }
            }
            @for arrow in &graph.arrows {
                path.e marker-end="url(#tip)" d=(path(arrow, &graph.boxes)) {}
            }
            @for one in &graph.boxes { (drawn(one)) }
        }
    }
}

fn drawn(one: &GraphBox) -> Markup {
    let (x, y) = (one.cell.layer * COLUMN, one.cell.half_row * ROW / 2);
    let state = match one.state {
        GoalState::NotCovered => "done and not covered",
        state => state.word(),
    };
    html! {
        a href={ "#" (one.anchor) } {
            title { (one.subject) ", " (state) }
            rect.box.(tone(one.state)) x={ (x) ".5" } y={ (y + 1) ".5" } width=(WIDTH) height=(HEIGHT) rx="4" {}
            text x=(x + 12) y=(y + 20) { (one.state.sign()) " " (short(&one.subject, SUBJECT)) }
            text.s x=(x + 12) y=(y + 36) { (short(&one.name, LABEL)) }
        }
    }
}

/// At most `most` characters of a text.
fn short(text: &str, most: usize) -> String {
    match text.chars().count() > most {
        true => text.chars().take(most - 1).collect::<String>().trim_end().to_owned() + "…",
        false => text.to_owned(),
    }
}

/// The path from the right edge of a box through its lanes to the left edge of the other box.
fn path(arrow: &Arrow, boxes: &[GraphBox]) -> String {
    let (Some(from), Some(to)) = (boxes.get(arrow.from), boxes.get(arrow.to)) else { return String::new() };
    let left = |cell: &Cell| cell.layer * COLUMN;
    let middle = |cell: &Cell| cell.half_row * ROW / 2 + HEIGHT / 2 + 1;
    let mut at = (left(&from.cell) + WIDTH + 1, middle(&from.cell));
    let mut path = format!("M{} {}", at.0, at.1);
    let mut curve = |at: (usize, usize), to: (usize, usize)| {
        // Writing to a string cannot fail.
        let _ = match at.1 == to.1 {
            true => write!(path, "H{}", to.0),
            false => write!(path, "C{1} {0} {2} {4} {3} {4}", at.1, at.0 + 18, to.0.saturating_sub(18), to.0, to.1),
        };
    };
    for lane in &arrow.lanes {
        let (x, y) = (left(lane), middle(lane));
        curve(at, (x, y));
        curve((x, y), (x + WIDTH, y));
        at = (x + WIDTH, y);
    }
    curve(at, (left(&to.cell).saturating_sub(1), middle(&to.cell)));
    path
}

/// The picture in words, such as `Choose a terminal comes before refunds; …`.
fn spoken(graph: &Graph) -> String {
    let words = graph.boxes.iter().enumerate().filter_map(|(index, one)| {
        let behind = graph.arrows.iter().filter(|arrow| arrow.from == index);
        let behind: Vec<&str> = behind.filter_map(|arrow| Some(graph.boxes.get(arrow.to)?.subject.as_str())).collect();
        (!behind.is_empty()).then(|| format!("{} comes before {}", one.subject, behind.join(" and ")))
    });
    words.collect::<Vec<_>>().join("; ")
}
