//! The graph of needs, with a place for every box.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::facts::{GoalState, ReportFacts};
use crate::plan::graph::{edges, layout};

/// If there are more boxes, only goals that are not signed off, and their neighbours, are drawn.
const MANY: usize = 60;
/// If there are more boxes or arrows, no graph is drawn.
const MOST_BOXES: usize = 120;
const MOST_ARROWS: usize = 300;

/// The picture, or the reason why there is none.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Graph {
    pub(super) boxes: Vec<GraphBox>,
    pub(super) arrows: Vec<Arrow>,
    /// A note about goals that are left out.
    pub(super) note: Option<String>,
}

/// The box of a goal.
#[derive(Clone, Debug, Serialize)]
pub(super) struct GraphBox {
    pub(super) subject: String,
    pub(super) name: String,
    pub(super) anchor: String,
    pub(super) state: GoalState,
    pub(super) cell: layout::Cell,
}

/// An arrow from a box to a box that needs it, by index in the list of boxes.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Arrow {
    pub(super) from: usize,
    pub(super) to: usize,
    /// The cells between the two boxes.
    pub(super) lanes: Vec<layout::Cell>,
}

/// The graph of the goals that need each other.
pub(super) fn graph(facts: &ReportFacts<'_, '_>) -> Graph {
    let is_cancelled =
        |index: usize| facts.plan.goal(index).is_none_or(|goal| facts.state(goal) == GoalState::Cancelled);
    let all: Vec<(usize, usize)> =
        edges(facts.plan).into_iter().filter(|(from, to)| !is_cancelled(*from) && !is_cancelled(*to)).collect();
    let joined = |edges: &[(usize, usize)]| edges.iter().flat_map(|(from, to)| [*from, *to]).collect::<BTreeSet<_>>();
    let whole = joined(&all).len();
    let is_left = |index: usize| facts.plan.goal(index).is_some_and(|goal| facts.state(goal) != GoalState::SignedOff);
    let shown = match whole > MANY {
        true => all.into_iter().filter(|(from, to)| is_left(*from) || is_left(*to)).collect(),
        false => all,
    };
    let nodes = joined(&shown);
    if nodes.len() > MOST_BOXES || shown.len() > MOST_ARROWS {
        let note =
            format!("{whole} goals need one another, too many to draw. `plan show --format dot` writes the graph.");
        return Graph { note: Some(note), ..Graph::default() };
    }
    let note = (whole > nodes.len())
        .then(|| format!("Only goals that are not signed off, and their neighbours: {} of {whole}.", nodes.len()));
    let place: BTreeMap<usize, usize> = nodes.iter().enumerate().map(|(place, index)| (*index, place)).collect();
    let arrows: Vec<(usize, usize)> = shown.iter().map(|(from, to)| (place[from], place[to])).collect();
    let found = layout::layout(nodes.len(), &arrows);
    let goals = nodes.iter().filter_map(|index| facts.plan.goal(*index));
    let boxes = goals.zip(&found.cells).map(|(goal, cell)| GraphBox {
        subject: goal.subject().to_owned(),
        name: goal.name().to_owned(),
        anchor: facts.anchor(goal).to_owned(),
        state: facts.state(goal),
        cell: *cell,
    });
    let arrow = |route: layout::Route| Arrow { from: route.from, to: route.to, lanes: route.lanes };
    Graph { boxes: boxes.collect(), arrows: found.routes.into_iter().map(arrow).collect(), note }
}
