//! The contracts that the log tells of for one goal, and whether its amendments lead to the contract of now.

use crate::plan::log::{Amended, GoalEvent};

/// The contract that was logged last, whatever the line, and every amendment. Contracts are the first 12 hex digits of
/// their digests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoggedContracts<'a> {
    /// None where no line tells of one.
    pub last: Option<&'a str>,
    amendments: Vec<Amended<'a>>,
}

impl<'a> LoggedContracts<'a> {
    /// Takes the next event of the goal in.
    pub fn take(&mut self, event: GoalEvent<'a>) {
        match event {
            // What was added is another goal than the one that had the id before.
            GoalEvent::Added { .. } => *self = LoggedContracts::default(),
            GoalEvent::Amended(amended) => self.amendments.push(amended),
            _ => {}
        }
        self.last = event.contract().or(self.last);
    }

    /// Whether an amendment goes on from the contract that was logged last. A merge puts the lines in order by time, so an
    /// amendment can stand above a line about the contract before it. Otherwise the contract of now is not worth a digest.
    pub fn may_go_on(&self) -> bool {
        self.amendments.iter().any(|amended| self.last == Some(amended.old))
    }

    /// The amendments that lead from the contract that was logged last to that of now, in any order of the log; none if there
    /// is no such way.
    pub fn way(&self, is_now: impl Fn(&str) -> bool) -> Option<Vec<Amended<'a>>> {
        self.way_from(self.last?, is_now)
    }

    /// The same from another contract.
    pub fn way_from(&self, from: &str, is_now: impl Fn(&str) -> bool) -> Option<Vec<Amended<'a>>> {
        let mut found: Vec<Amended<'a>> = Vec::new();
        loop {
            let at = found.last().map_or(from, |last| last.new);
            if is_now(at) {
                return Some(found);
            }
            let goes_on = |next: &&Amended<'a>| next.old == at && !found.contains(next);
            found.push(*self.amendments.iter().rev().find(goes_on)?);
        }
    }
}
