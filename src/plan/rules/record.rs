//! The record of goals in the log (`CLI.md`, log lines that `plan` writes; `SIGNOFF.md` §8).

use std::collections::HashMap;

use super::agreement::Agreement;
use crate::plan::contract::{Digests, goal_contract};
use crate::plan::log::{GoalEvent, LogLine, Rejecter, SignOff};
use crate::plan::model::{GoalRef, Plan, Status};

/// The sign-off state of a goal according to the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The last line that counts is a sign-off for the current contract.
    SignedOff,
    /// The last line that counts is a sign-off for another contract, or amends the contract of a goal that was signed off.
    OtherContract,
    /// Anything else.
    NotSignedOff,
}

/// The last log line about each goal. The log is read once for many lookups.
pub struct GoalRecords<'a> {
    last: HashMap<&'a str, GoalRecord<'a>>,
}

#[derive(Default)]
struct GoalRecord<'a> {
    /// The last event that counts.
    event: Option<GoalEvent<'a>>,
    /// The last sign-off, if only amendments have counted since.
    sign_off: Option<SignOff<'a>>,
    agreement: Agreement<'a>,
    rejection: Option<Rejection<'a>>,
}

/// The last rejection of a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rejection<'a> {
    /// The stage that rejected it.
    pub by: Rejecter<'a>,
    /// The reason: the last line of verify, the gate's observation, or the criteria that a judge found missing.
    pub why: &'a str,
}

impl<'a> GoalRecords<'a> {
    /// Reads the log above the archive.
    pub fn new(plan: &Plan<'a>) -> Self {
        let mut last: HashMap<&'a str, GoalRecord<'a>> = HashMap::new();
        for (id, event) in plan.log_lines().filter_map(|(_, text)| LogLine::parse(text)?.goal()) {
            let entry = last.entry(id).or_default();
            if event.counts() {
                entry.event = Some(event);
                match event {
                    GoalEvent::SignedOff(line) => entry.sign_off = Some(line),
                    GoalEvent::Amended(_) => {}
                    _ => entry.sign_off = None,
                }
            }
            entry.agreement.take(event);
            match event {
                GoalEvent::Rejected { by, why } => entry.rejection = Some(Rejection { by, why }),
                GoalEvent::Amended(_) | GoalEvent::Inconclusive { .. } => {}
                _ => entry.rejection = None,
            }
        }
        for (id, last) in last.iter_mut().filter(|(_, last)| last.agreement.contracts.may_go_on()) {
            // Few goals have such a log, so only their digests are computed here.
            if let Some(goal) = plan.all_goals().find(|goal| goal.id() == Some(id)) {
                let now = goal_contract(goal).digest;
                last.agreement.lead_on(|contract| now.is_short(contract));
            }
        }
        GoalRecords { last }
    }

    /// Returns the sign-off state of a goal, whatever its status. `digests` is only a buffer that many calls share.
    pub fn standing(&self, goal: GoalRef<'_, '_>, digests: &mut Digests) -> Standing {
        let Some(last) = self.last(goal) else { return Standing::NotSignedOff };
        let Some(line) = last.sign_off else { return Standing::NotSignedOff };
        match (digests.of(goal).is_short(line.contract), last.event) {
            (true, Some(GoalEvent::SignedOff(_))) => Standing::SignedOff,
            // Amended, then amended back: no log line says that somebody checked the goal since.
            (true, _) => Standing::NotSignedOff,
            (false, _) => Standing::OtherContract,
        }
    }

    /// Whether the last line that counts is a sign-off by a judge that its caller named.
    pub fn is_callers(&self, goal: GoalRef<'_, '_>) -> bool {
        self.judges(goal).any(|(_, callers, _)| callers)
    }

    /// Whether the last line that counts is a sign-off by a judge with a prompt other than the built-in one.
    pub fn is_own_prompt(&self, goal: GoalRef<'_, '_>) -> bool {
        self.judges(goal).any(|(_, _, own_prompt)| own_prompt)
    }

    /// The judges of the sign-off, if the last line that counts is one.
    fn judges(&self, goal: GoalRef<'_, '_>) -> impl Iterator<Item = (&'a str, bool, bool)> + use<'a> {
        let line = match self.event(goal) {
            Some(GoalEvent::SignedOff(line)) => Some(line),
            _ => None,
        };
        line.into_iter().flat_map(|line| line.each_judge())
    }

    /// Returns the last rejection, unless the goal was started again, signed off or cancelled since.
    pub fn rejection(&self, goal: GoalRef<'_, '_>) -> Option<Rejection<'a>> {
        self.last(goal)?.rejection
    }

    /// Returns the history of a goal's contract; `None` for a goal that the log does not mention.
    pub fn agreement(&self, goal: GoalRef<'_, '_>) -> Option<&Agreement<'a>> {
        self.last(goal).map(|last| &last.agreement)
    }

    /// Returns the contract that was logged last for a goal, in whatever line.
    pub fn contract(&self, goal: GoalRef<'_, '_>) -> Option<&'a str> {
        self.agreement(goal)?.contracts.last
    }

    /// Returns the done goals above the archive that are not signed off, in file order, each with its standing (P-52).
    pub fn unsigned<'p>(&self, plan: &'p Plan<'a>) -> Vec<(GoalRef<'p, 'a>, Standing)> {
        let mut digests = Digests::default();
        plan.live_goals()
            .filter(|goal| goal.status() == Status::Done)
            .map(|goal| (goal, self.standing(goal, &mut digests)))
            .filter(|(_, standing)| *standing != Standing::SignedOff)
            .collect()
    }

    fn event(&self, goal: GoalRef<'_, '_>) -> Option<GoalEvent<'a>> {
        self.last(goal)?.event
    }

    fn last(&self, goal: GoalRef<'_, '_>) -> Option<&GoalRecord<'a>> {
        self.last.get(goal.id()?)
    }
}
