//! Finds goals that need each other.

use crate::plan::lookup::NeedNames;
use crate::plan::model::{Key, Plan};

/// Returns the cycles in `needs`, each as indices into [`Plan::goals`] in the order of waiting, from the goal that comes first in
/// the file. A goal that needs itself is a cycle of one. A goal is in at most one returned cycle: there may be more cycles.
pub fn cycles(plan: &Plan<'_>) -> Vec<Vec<usize>> {
    let edges = edges(plan);
    let mut state = vec![State::New; plan.goals.len()];
    let mut cycles = Vec::new();
    for start in 0..plan.goals.len() {
        if state[start] == State::New && !edges[start].is_empty() {
            walk(start, &edges, &mut state, &mut cycles);
        }
    }
    cycles
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    /// On the current path, at this depth.
    OnPath(usize),
    Left,
}

/// A goal on the path, the number of its needs followed so far, and the depth of the last goal up to it that is in a known cycle.
struct CyclePlace {
    goal: usize,
    taken: usize,
    known: Option<usize>,
}

/// Searches depth-first with an explicit stack: a chain of needs may be as long as the file.
fn walk(start: usize, edges: &[Vec<usize>], state: &mut [State], cycles: &mut Vec<Vec<usize>>) {
    let mut path = vec![CyclePlace { goal: start, taken: 0, known: None }];
    state[start] = State::OnPath(0);
    while let Some(place) = path.last_mut() {
        let known = place.known;
        let Some(&next) = edges[place.goal].get(place.taken) else {
            state[place.goal] = State::Left;
            path.pop();
            continue;
        };
        place.taken += 1;
        match state[next] {
            State::New => {
                state[next] = State::OnPath(path.len());
                path.push(CyclePlace { goal: next, taken: 0, known });
            }
            State::OnPath(from) if known.is_none_or(|known| known < from) => {
                cycles.push(from_first(path[from..].iter().map(|place| place.goal).collect()));
                path.iter_mut().enumerate().skip(from).for_each(|(depth, place)| place.known = Some(depth));
            }
            State::OnPath(_) | State::Left => {}
        }
    }
}

fn from_first(mut ring: Vec<usize>) -> Vec<usize> {
    let first = (0..ring.len()).min_by_key(|&at| ring[at]).unwrap_or(0);
    ring.rotate_left(first);
    ring
}

fn edges(plan: &Plan<'_>) -> Vec<Vec<usize>> {
    let mut edges = vec![Vec::new(); plan.goals.len()];
    let names = NeedNames::new(plan);
    for goal in plan.all_goals().filter(|goal| goal.field(Key::Needs).is_some()) {
        edges[goal.index()] = names.of(goal).iter().filter_map(|need| need.goals.first().copied()).collect();
    }
    edges
}
