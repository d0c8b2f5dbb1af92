//! The records of sign-offs, for code that shows a plan: the citations for each criterion, and older contracts that the log
//! names only by their digits.

use std::collections::HashMap;

pub use super::attestation::{Cited, JudgeVerdict, RecordedAnswer, Verdict};
use super::attested::agreeing;
use super::past_contract;
use super::refs::Refs;
use crate::base;
use crate::error::Result;
use crate::plan::Plan;
use crate::plan::contract::GoalContract;
use crate::plan::log::{GoalEvent, LogLine, SignOff};
use crate::store::Place;

/// The records of one plan.
#[derive(Clone, Debug, Default)]
pub struct Records {
    /// By goal, contract and tree, as the log line has them.
    pub verdicts: HashMap<(String, String, String), Verdict>,
    /// By goal and the first 12 digits of the digest.
    pub contracts: HashMap<(String, String), GoalContract>,
}

impl Records {
    /// Reads the records of every sign-off line in the log above the archive, and the contracts that its amendments name.
    ///
    /// # Errors
    /// An error of git.
    pub fn of(place: &Place, plan: &Plan<'_>) -> Result<Self> {
        let Some(repo) = base::open(place)? else { return Ok(Records::default()) };
        let refs = Refs::of(&repo)?;
        let mut records = Records::default();
        let mut wanted = Vec::new();
        let mut last_contract: HashMap<&str, &str> = HashMap::new();
        for (id, event) in plan.log_lines().filter_map(|(_, text)| LogLine::parse(text)?.goal()) {
            match event {
                GoalEvent::SignedOff(line) => {
                    let verdict = agreeing(&refs, id, &line).map(|record| (key(id, &line), record.verdict));
                    records.verdicts.extend(verdict);
                }
                GoalEvent::Amended(amended) => wanted.extend([(id, amended.old), (id, amended.new)]),
                _ => {}
            }
            if let Some(contract) = event.contract() {
                last_contract.insert(id, contract);
            }
        }
        // The contract that was logged last is compared with the current one.
        wanted.extend(last_contract);
        wanted.sort_unstable();
        wanted.dedup();
        for contract in past_contract::find_all(place, plan, &repo, &refs, &wanted) {
            if let Some(id) = contract.id.clone() {
                records.contracts.insert((id, contract.digest.short()), contract);
            }
        }
        Ok(records)
    }

    /// Returns the record of a sign-off line.
    pub fn verdict(&self, id: &str, line: &SignOff<'_>) -> Option<&Verdict> {
        self.verdicts.get(&key(id, line))
    }

    /// Returns the contract of a goal by its digits.
    pub fn contract(&self, id: &str, short: &str) -> Option<&GoalContract> {
        self.contracts.get(&(id.to_owned(), short.to_owned()))
    }
}

fn key(id: &str, line: &SignOff<'_>) -> (String, String, String) {
    (id.to_owned(), line.contract.to_owned(), line.tree.to_owned())
}
