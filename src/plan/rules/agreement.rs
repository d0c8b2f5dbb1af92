//! The history of a goal's contract according to the log (`SIGNOFF.md` §3, `contract-changed`; §8).

use std::fmt;

use crate::plan::contract::Effect;
use crate::plan::history::LoggedContracts;
use crate::plan::log::{Amended, GoalEvent};

/// The history of one goal's contract in the log. A contract is given by the first 12 hex digits of its digest.
///
/// A start agrees on a contract. A change that only asks for more is agreed on, and so is a change with a reason. Any other change
/// leaves the agreed contract as it was, until a reason is given for the whole change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Agreement<'a> {
    /// The contracts in the log, including those of a draft.
    pub contracts: LoggedContracts<'a>,
    /// The contract of the last start.
    pub started: Option<&'a str>,
    /// The contract that was agreed last.
    pub agreed: Option<&'a str>,
    /// Changes since the first start, oldest first.
    pub changes: Vec<ContractChange<'a>>,
    /// The number of changes since the contract that was agreed last.
    pub open: usize,
    is_signed_off: bool,
}

/// A change of a contract. It is displayed as the judge sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContractChange<'a> {
    /// A log line reports it.
    Amended(Amended<'a>),
    /// The goal was started again with another contract.
    Restarted {
        /// The contract before.
        old: &'a str,
        /// The contract after.
        new: &'a str,
    },
    /// A log line begins with another contract than the line before it ended with.
    ByHand {
        /// The contract before.
        old: &'a str,
        /// The contract after.
        new: &'a str,
    },
}

impl<'a> Agreement<'a> {
    /// Adds the next event of the goal.
    pub(super) fn take(&mut self, event: GoalEvent<'a>) {
        match event {
            // The added goal is not the goal that had the id before.
            GoalEvent::Added { .. } => *self = Agreement::default(),
            GoalEvent::Started(start) => {
                if std::mem::take(&mut self.is_signed_off) {
                    self.changes.clear();
                }
                if let Some(old) = self.contracts.last.filter(|old| self.started.is_some() && *old != start.contract) {
                    self.changes.push(ContractChange::Restarted { old, new: start.contract });
                }
                (self.started, self.open) = (Some(start.contract), 0);
                self.agreed = Some(start.contract);
            }
            GoalEvent::Amended(amended) if self.started.is_some() => self.amend(amended),
            GoalEvent::SignedOff(_) => self.is_signed_off = true,
            _ => {}
        }
        self.contracts.take(event);
        // Before the first start, the contract is a draft.
        if self.started.is_none() {
            self.agreed = self.contracts.last;
        }
    }

    fn amend(&mut self, amended: Amended<'a>) {
        let goes_on = self.contracts.last == Some(amended.old);
        let from_agreed = self.agreed == Some(amended.old);
        let puts_back = self.agreed == Some(amended.new);
        if let Some(old) = self.contracts.last.filter(|_| !(goes_on || from_agreed && amended.because.is_some())) {
            self.changes.push(ContractChange::ByHand { old, new: amended.old });
            self.open += 1;
        }
        self.changes.push(ContractChange::Amended(amended));
        self.open += 1;
        let is_harmless = Effect::of_line(amended.what) == Some(Effect::Tightened) && self.open == 1;
        if from_agreed && (amended.because.is_some() || is_harmless) || puts_back && goes_on {
            (self.agreed, self.open) = (Some(amended.new), 0);
        }
    }

    /// Counts the current contract as logged if amendments lead to it. A merge sorts the log by time, so a line about the
    /// contract before an amendment can be below the amendment.
    pub(super) fn lead_on(&mut self, is_now: impl Fn(&str) -> bool) {
        for amended in self.contracts.way(is_now).unwrap_or_default() {
            let is_told = self.changes.contains(&ContractChange::Amended(amended));
            if self.started.is_some() && !is_told {
                self.amend(amended);
            }
            self.contracts.last = Some(amended.new);
        }
        if self.started.is_none() {
            self.agreed = self.contracts.last;
        }
    }

    /// Whether a change since the start has a reason.
    pub fn has_reason(&self) -> bool {
        self.changes.iter().any(|change| matches!(change, ContractChange::Amended(Amended { because: Some(_), .. })))
    }

    /// The changes since the contract that was agreed last. No reason covers all of them, and they may ask for less.
    pub fn unexplained(&self) -> &[ContractChange<'a>] {
        &self.changes[self.changes.len() - self.open..]
    }

    /// The changes since the start that have a reason and do not only ask for more, each with its reason. Those that a person
    /// rejected are left out: the contract is again what it was before them.
    pub fn explained(&self) -> impl Iterator<Item = (&'a str, &'a str)> + '_ {
        let mut standing: Vec<&Amended<'a>> = Vec::new();
        for change in &self.changes {
            let ContractChange::Amended(amended) = change else { continue };
            let before = standing.iter().rposition(|other| other.old == amended.new);
            match before.filter(|_| amended.what == REJECTED) {
                Some(at) => standing.truncate(at),
                None => standing.push(amended),
            }
        }
        let asks_less = |amended: &&Amended<'_>| Effect::of_line(amended.what) != Some(Effect::Tightened);
        standing.into_iter().filter(asks_less).filter_map(|amended| Some((amended.what, amended.because?)))
    }
}

/// The word in the log line of a change that a person rejected.
const REJECTED: &str = "rejected";

impl fmt::Display for ContractChange<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ContractChange::Amended(amended) => GoalEvent::Amended(*amended).fmt(f),
            ContractChange::Restarted { old, new } => {
                write!(f, "started again with another contract ({old} -> {new})")
            }
            ContractChange::ByHand { old, new } => {
                write!(f, "changed by hand, which the log does not say ({old} -> {new})")
            }
        }
    }
}

#[cfg(test)]
mod tests;
