//! Finds the parts that are the same in three versions, and in particular the goals.

use std::collections::{HashMap, HashSet};

use crate::plan::model::Plan;

/// Returns a number for each goal of each version, in file order. The same goal has the same number in all versions.
///
/// Goals are the same if they have the same id, or the same subject (in any case) if a goal with this subject has no id.
/// This is transitive, and all versions count alike: it does not matter which side is ours. `None` if two goals of one
/// version would be the same.
pub(super) fn goals(plans: &[Plan<'_>; 3]) -> Option<[Vec<u32>; 3]> {
    let nameless = plans.iter().flat_map(Plan::all_goals).filter(|goal| goal.id().is_none());
    let loose: HashSet<String> = nameless.map(|goal| goal.subject().to_lowercase()).collect();
    let mut ids: HashMap<&str, u32> = HashMap::new();
    let mut subjects: HashMap<String, u32> = HashMap::new();
    let mut ties = DisjointSets::default();
    let mut of = [const { Vec::new() }; 3];
    for (plan, of) in plans.iter().zip(&mut of) {
        for goal in plan.all_goals() {
            let own = ties.add();
            of.push(own);
            if let Some(id) = goal.id() {
                ties.tie(own, *ids.entry(id).or_insert(own));
            }
            if loose.is_empty() {
                continue;
            }
            let subject = goal.subject().to_lowercase();
            if loose.contains(&subject) {
                ties.tie(own, *subjects.entry(subject).or_insert(own));
            }
        }
    }
    ties.settle(of)
}

/// Union-find over the numbers from 0.
#[derive(Default)]
pub(super) struct DisjointSets(Vec<u32>);

impl DisjointSets {
    pub(super) fn add(&mut self) -> u32 {
        self.0.push(self.0.len() as u32);
        self.0.len() as u32 - 1
    }

    pub(super) fn tie(&mut self, one: u32, other: u32) {
        let (one, other) = (self.end(one), self.end(other));
        self.0[one as usize] = other;
    }

    /// Returns the number that represents the set of `at`.
    fn end(&mut self, mut at: u32) -> u32 {
        while self.0[at as usize] != at {
            let next = self.0[at as usize];
            self.0[at as usize] = self.0[next as usize]; // Shortens the path for later calls.
            at = next;
        }
        at
    }

    /// Replaces each number of three versions by the number that represents its set. `None` if two numbers of one version
    /// are in the same set: nobody can tell which is which.
    pub(super) fn settle(&mut self, mut of: [Vec<u32>; 3]) -> Option<[Vec<u32>; 3]> {
        for numbers in &mut of {
            let mut seen = HashSet::with_capacity(numbers.len());
            for number in numbers {
                *number = self.end(*number);
                if !seen.insert(*number) {
                    return None;
                }
            }
        }
        Some(of)
    }
}
