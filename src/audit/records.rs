//! The records of sign-offs for whoever shows a plan: what was cited for each criterion, and older contracts that the log names by
//! their digits alone.

use std::collections::HashMap;

use serde::Serialize;

use super::{Refs, past_contract, verdict};
use crate::base;
use crate::error::Result;
use crate::plan::Plan;
use crate::plan::contract::GoalContract;
use crate::plan::log::{GoalEvent, LogLine, SignOff};
use crate::store::Place;

/// What the record of a sign-off holds beside its log line.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Verdict {
    /// What was claimed.
    pub claim: Option<String>,
    /// Files that were given as evidence.
    pub evidence: Vec<String>,
    /// Codes of leads.
    pub leads: Vec<String>,
    /// The judges, in the order of the line.
    pub judges: Vec<JudgeVerdict>,
}

/// A judge that accepted.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct JudgeVerdict {
    /// As the log names it.
    pub judge: String,
    /// The model that answered, if known.
    pub model: Option<String>,
    /// The sandbox around it.
    pub sandbox: String,
    /// Its answers in its own order.
    pub answers: Vec<RecordedAnswer>,
    /// Its remarks.
    pub notes: Vec<String>,
}

/// A judge's answer to one question.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RecordedAnswer {
    /// `C1`, `F2`.
    pub id: String,
    /// What it cites.
    pub citations: Vec<Cited>,
}

/// A place that a judge cites.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Cited {
    /// `src/a.rs:3`, `verify:12`, `absent src/**`, `gone old.rs`, `check 1`; empty if the answer has no citation that can be read.
    pub place: String,
    /// The quoted words, else the whole answer.
    pub quote: String,
}

/// The records of one plan.
#[derive(Clone, Debug, Default)]
pub struct Records {
    /// By goal, contract and tree as the line has them.
    pub verdicts: HashMap<(String, String, String), Verdict>,
    /// By goal and the first 12 digits of the digest.
    pub contracts: HashMap<(String, String), GoalContract>,
}

impl Records {
    /// Reads the records of every sign-off line in the log above the archive, and the contracts that its amendments name.
    ///
    /// # Errors
    /// What git answers.
    pub fn of(place: &Place, plan: &Plan<'_>) -> Result<Self> {
        let Some(repo) = base::open(place)? else { return Ok(Records::default()) };
        let refs = Refs::of(&repo)?;
        let mut records = Records::default();
        let mut wanted = Vec::new();
        let mut last_contract: HashMap<&str, &str> = HashMap::new();
        for (id, event) in plan.log_lines().filter_map(|(_, text)| LogLine::parse(text)?.goal()) {
            match event {
                GoalEvent::SignedOff(line) => {
                    if let Some(verdict) = verdict(&refs, id, &line) {
                        records.verdicts.insert(key(id, &line), verdict);
                    }
                }
                GoalEvent::Amended(amended) => wanted.extend([(id, amended.old), (id, amended.new)]),
                _ => {}
            }
            if let Some(contract) = event.contract() {
                last_contract.insert(id, contract);
            }
        }
        // What was logged last is compared with what stands.
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

    /// The record of a sign-off line.
    pub fn verdict(&self, id: &str, line: &SignOff<'_>) -> Option<&Verdict> {
        self.verdicts.get(&key(id, line))
    }

    /// The contract of a goal by its digits.
    pub fn contract(&self, id: &str, short: &str) -> Option<&GoalContract> {
        self.contracts.get(&(id.to_owned(), short.to_owned()))
    }
}

fn key(id: &str, line: &SignOff<'_>) -> (String, String, String) {
    (id.to_owned(), line.contract.to_owned(), line.tree.to_owned())
}
