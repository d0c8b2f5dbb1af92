//! Lays a graph out in layers from left to right (after Sugiyama, 1981). Each node is one layer to the right of the last node that it
//! needs, nodes within a layer are ordered by barycentres, and each edge that crosses a layer gets a lane free of boxes.
//!
//! The layout is pure and uses no hash order: the same graph always gives the same picture.

/// A place in the layout: the layer from 0, and twice the row from 0, so that a node can be between two rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Cell {
    /// The layer, from the left.
    pub layer: usize,
    /// The distance from the top, in half rows.
    pub half_row: usize,
}

/// An edge from a node to a node that needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// The node that is needed.
    pub from: usize,
    /// The node that needs it.
    pub to: usize,
    /// The cells in between, one for each layer that the edge crosses.
    pub lanes: Vec<Cell>,
}

/// The places of all nodes and edges of a graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// The cell of each node, by index.
    pub cells: Vec<Cell>,
    /// The edges, without repeated edges and edges from a node to itself.
    pub routes: Vec<Route>,
}

/// The number of sweeps over the layers, alternately from the left and from the right; the last is from the left.
const SWEEPS: usize = 7;

/// Lays out `nodes` nodes; an edge leads from a node to a node that needs it. An edge that closes a cycle leads back.
pub fn layout(nodes: usize, edges: &[(usize, usize)]) -> Layout {
    let mut edges: Vec<_> =
        edges.iter().copied().filter(|(from, to)| from != to && *from < nodes && *to < nodes).collect();
    edges.sort_unstable();
    edges.dedup();
    let layer_of = layers(nodes, &edges);
    let mut graph = Layers::new(nodes, &edges, &layer_of);
    for sweep in 0..SWEEPS {
        graph.order(sweep % 2 == 0);
    }
    let half_rows = graph.rows();
    let cell = |vertex: usize| Cell { layer: graph.layer_of[vertex], half_row: half_rows[vertex] };
    let routes = edges.iter().zip(&graph.lanes);
    Layout {
        cells: (0..nodes).map(cell).collect(),
        routes: routes
            .map(|((from, to), lanes)| Route { from: *from, to: *to, lanes: lanes.clone().map(cell).collect() })
            .collect(),
    }
}

/// Returns the layer of each node: the length of the longest path to it, without the edges that close cycles.
fn layers(nodes: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let (mut layer, mut waits, mut is_placed) = (vec![0; nodes], vec![0_usize; nodes], vec![false; nodes]);
    edges.iter().for_each(|(_, to)| waits[*to] += 1);
    let mut ready: std::collections::BTreeSet<usize> = (0..nodes).filter(|node| waits[*node] == 0).collect();
    // If only cycles are left, no node is ready: the first unplaced node in file order is placed anyway.
    let mut next_of_circle = 0;
    while let Some(node) = ready.pop_first().or_else(|| {
        next_of_circle += is_placed[next_of_circle..].iter().position(|placed| !placed)?;
        Some(next_of_circle)
    }) {
        is_placed[node] = true;
        let from = edges.partition_point(|(from, _)| *from < node);
        for (_, to) in edges[from..].iter().take_while(|(from, _)| *from == node).filter(|(_, to)| !is_placed[*to]) {
            layer[*to] = layer[*to].max(layer[node] + 1);
            waits[*to] -= 1;
            if waits[*to] == 0 {
                ready.insert(*to);
            }
        }
    }
    layer
}

/// The nodes, followed by the lanes of edges, as vertices in layers. Each edge is split so that it joins neighbouring layers only.
struct Layers {
    layer_of: Vec<usize>,
    /// The lanes of each edge, as vertices.
    lanes: Vec<std::ops::Range<usize>>,
    /// Neighbours to the left and to the right.
    before: Vec<Vec<usize>>,
    after: Vec<Vec<usize>>,
    /// The vertices of each layer from the top.
    layers: Vec<Vec<usize>>,
    nodes: usize,
}

impl Layers {
    fn new(nodes: usize, edges: &[(usize, usize)], layer_of: &[usize]) -> Self {
        let mut graph = Layers {
            layer_of: layer_of.to_vec(),
            lanes: Vec::new(),
            before: vec![Vec::new(); nodes],
            after: vec![Vec::new(); nodes],
            layers: Vec::new(),
            nodes,
        };
        for (from, to) in edges {
            let first = graph.layer_of.len();
            let passed = graph.layer_of[*from] + 1..graph.layer_of[*to];
            let mut last = *from;
            for layer in passed.clone() {
                let vertex = graph.layer_of.len();
                graph.layer_of.push(layer);
                graph.before.push(Vec::new());
                graph.after.push(Vec::new());
                graph.join(last, vertex);
                last = vertex;
            }
            // An edge that leads back does not affect the order.
            if graph.layer_of[*from] < graph.layer_of[*to] {
                graph.join(last, *to);
            }
            graph.lanes.push(first..graph.layer_of.len());
        }
        graph.layers = vec![Vec::new(); graph.layer_of.iter().max().map_or(0, |last| last + 1)];
        for (vertex, layer) in graph.layer_of.iter().enumerate() {
            graph.layers[*layer].push(vertex);
        }
        graph
    }

    fn join(&mut self, left: usize, right: usize) {
        self.after[left].push(right);
        self.before[right].push(left);
    }

    /// Orders each layer by the mean place of its neighbours in the layer to its left, or to its right.
    fn order(&mut self, from_left: bool) {
        let mut place = vec![0.0; self.layer_of.len()];
        let count = self.layers.len();
        for index in 0..count {
            let layer = if from_left { index } else { count - 1 - index };
            let neighbours = if from_left { &self.before } else { &self.after };
            let mut keyed: Vec<(f64, usize)> = self.layers[layer]
                .iter()
                .enumerate()
                .map(|(at, vertex)| (mean(&neighbours[*vertex], &place).unwrap_or(at as f64), *vertex))
                .collect();
            keyed.sort_by(|one, other| one.0.total_cmp(&other.0));
            self.layers[layer] = keyed.into_iter().map(|(_, vertex)| vertex).collect();
            self.layers[layer].iter().enumerate().for_each(|(at, vertex)| place[*vertex] = at as f64);
        }
    }

    /// Returns the half row of each vertex: as near to its neighbours as the vertices above it allow.
    fn rows(&self) -> Vec<usize> {
        let mut rows = vec![0.0; self.layer_of.len()];
        for layer in self.layers.iter().rev() {
            self.settle(layer, &self.after, &mut rows);
        }
        for layer in &self.layers {
            self.settle(layer, &self.before, &mut rows);
        }
        let top = rows.iter().copied().fold(f64::INFINITY, f64::min);
        rows.into_iter().map(|row| (row - top).round() as usize).collect()
    }

    fn settle(&self, layer: &[usize], neighbours: &[Vec<usize>], rows: &mut [f64]) {
        let mut last: Option<(f64, usize)> = None;
        for vertex in layer {
            let wanted = mean(&neighbours[*vertex], rows).unwrap_or(rows[*vertex]).round();
            // A box is two half rows high, a lane one.
            let free = last.map_or(0.0, |(row, above)| {
                let are_lanes = above >= self.nodes && *vertex >= self.nodes;
                row + if are_lanes { 1.0 } else { 2.0 }
            });
            let row = f64::max(wanted, free);
            rows[*vertex] = row;
            last = Some((row, *vertex));
        }
    }
}

fn mean(vertices: &[usize], place: &[f64]) -> Option<f64> {
    let sum: f64 = vertices.iter().map(|vertex| place[*vertex]).sum();
    (!vertices.is_empty()).then(|| sum / vertices.len() as f64)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Cell, layout};

    #[test]
    fn the_longest_path_decides_the_layer_and_a_long_edge_has_lanes() {
        let found = layout(5, &[(0, 1), (1, 2), (0, 2), (2, 3), (0, 3), (0, 3), (4, 4)]);
        assert_eq!(found.cells.iter().map(|cell| cell.layer).collect::<Vec<_>>(), [0, 1, 2, 3, 0]);
        let lanes: Vec<_> = found.routes.iter().map(|route| (route.from, route.to, route.lanes.len())).collect();
        assert_eq!(lanes, [(0, 1, 0), (0, 2, 1), (0, 3, 2), (1, 2, 0), (2, 3, 0)]);
    }

    #[test]
    fn a_circle_and_nothing_at_all_have_a_layout() {
        assert_eq!(layout(0, &[]).cells, []);
        let circle = layout(3, &[(0, 1), (1, 2), (2, 0)]);
        assert_eq!(circle.cells.iter().map(|cell| cell.layer).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(circle.routes[2].lanes, []);
    }

    #[test]
    fn two_chains_do_not_cross() {
        let found = layout(6, &[(0, 5), (1, 4), (0, 3), (1, 2)]);
        let row = |node: usize| found.cells[node].half_row;
        let upper = [5, 3].iter().map(|node| row(*node)).max();
        let lower = [4, 2].iter().map(|node| row(*node)).min();
        assert!(upper < lower || [4, 2].iter().map(|node| row(*node)).max() < [5, 3].iter().map(|n| row(*n)).min());
    }

    proptest! {
        #[test]
        fn nothing_lies_on_a_box_and_the_picture_is_always_the_same(
            nodes in 1..14_usize,
            edges in prop::collection::vec((0..14_usize, 0..14_usize), 0..40),
        ) {
            let found = layout(nodes, &edges);
            prop_assert_eq!(&found, &layout(nodes, &edges));
            prop_assert_eq!(found.cells.len(), nodes);
            let lanes: Vec<Cell> = found.routes.iter().flat_map(|route| route.lanes.clone()).collect();
            for (at, cell) in found.cells.iter().enumerate() {
                let others = found.cells.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, cell)| cell);
                for other in others.chain(&lanes).filter(|other| other.layer == cell.layer) {
                    prop_assert!(other.half_row.abs_diff(cell.half_row) >= 2, "{:?}", found);
                }
            }
            for route in &found.routes {
                let (from, to) = (found.cells[route.from].layer, found.cells[route.to].layer);
                let passed: Vec<usize> = route.lanes.iter().map(|cell| cell.layer).collect();
                prop_assert_eq!(passed, (from + 1..to).collect::<Vec<_>>());
            }
        }
    }
}
