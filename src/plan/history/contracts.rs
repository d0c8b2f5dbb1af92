//! The contracts that the log mentions for one goal, and whether its amendments lead to the current contract.

use crate::plan::log::{Amended, GoalEvent};

/// The contract that was logged last, in any kind of line, and all amendments. Contracts are given by the first 12 hex digits
/// of their digests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoggedContracts<'a> {
    /// The contract that was logged last; `None` if no line mentions one.
    pub last: Option<&'a str>,
    amendments: Vec<Amended<'a>>,
}

impl<'a> LoggedContracts<'a> {
    /// Adds the next event of the goal.
    pub fn take(&mut self, event: GoalEvent<'a>) {
        match event {
            // An added goal is not the goal that had the id before.
            GoalEvent::Added { .. } => *self = LoggedContracts::default(),
            GoalEvent::Amended(amended) => self.amendments.push(amended),
            _ => {}
        }
        self.last = event.contract().or(self.last);
    }

    /// Whether an amendment continues from the contract that was logged last. A merge sorts the lines by time, so an amendment
    /// can be above a line about the contract before it. If none continues, the current contract need not be digested.
    pub fn may_go_on(&self) -> bool {
        self.amendments.iter().any(|amended| self.last == Some(amended.old))
    }

    /// Returns the amendments that lead from the contract that was logged last to the current one, whatever their order in the
    /// log; `None` if they do not lead there.
    pub fn way(&self, is_now: impl Fn(&str) -> bool) -> Option<Vec<Amended<'a>>> {
        self.way_from(self.last?, is_now)
    }

    /// Returns the amendments that lead from the contract `from` to the current one.
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
