//! The order of tasks. Cycles are cut, so that no task waits for itself.

/// Removes the edges that close a cycle and returns them as (from, to). The search is depth first in the order of the records. It keeps its
/// own stack, since a chain may be as long as the file.
pub(super) fn cut_cycles(edges: &mut [Vec<usize>]) -> Vec<(usize, usize)> {
    #[derive(Clone, Copy, PartialEq)]
    enum Seen {
        New,
        OnPath,
        Left,
    }
    let mut seen = vec![Seen::New; edges.len()];
    let mut cut = Vec::new();
    for start in 0..edges.len() {
        if seen[start] != Seen::New {
            continue;
        }
        seen[start] = Seen::OnPath;
        let mut path = vec![(start, 0)];
        while let Some((at, taken)) = path.last_mut() {
            let Some(&next) = edges[*at].get(*taken) else {
                seen[*at] = Seen::Left;
                path.pop();
                continue;
            };
            match seen[next] {
                Seen::OnPath => {
                    cut.push((*at, next));
                    edges[*at].remove(*taken);
                }
                Seen::Left => *taken += 1,
                Seen::New => {
                    *taken += 1;
                    seen[next] = Seen::OnPath;
                    path.push((next, 0));
                }
            }
        }
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_closes_a_cycle_goes() {
        let mut edges = vec![vec![1, 2], vec![2], vec![0, 2], vec![1]];
        assert_eq!(cut_cycles(&mut edges), [(2, 0), (2, 2)]);
        assert_eq!(edges, [vec![1, 2], vec![2], vec![], vec![1]]);
        let mut ring: Vec<Vec<usize>> = (0..100_000).map(|at| vec![(at + 1) % 100_000]).collect();
        assert_eq!(cut_cycles(&mut ring), [(99_999, 0)]);
    }
}
