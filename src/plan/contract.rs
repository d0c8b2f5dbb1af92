//! The agreement as a digest: the goal contract and the plan contract (`FORMAT.md`, two digests).
//!
//! The canonical form of a goal is a UTF-8 JSON array of `[key, value…]`, without white space between its parts. The keys are
//! always in this order, and absent fields are left out. Each run of white space inside a value is folded to one space; in a command
//! (`verify` or a check) only outside quotes:
//!
//! ```text
//! [["id","cache-layer-1"],["subject","Implement cache layer"],["done_when","p95 < 50ms"],["verify","pytest -q"],
//!  ["failure_modes","cache bypassed","bench too small"],["needs","schema-1"],["kind","feature"],["may_change","tests/**"]]
//! ```
//!
//! (one line; broken here to fit). A single value and a list with only this value are the same. The canonical form of a plan is
//!
//! ```text
//! [["mode","guide"],["objective","Faster search"],["goal",<goal>,<step>,…],…]
//! ```
//!
//! where a step is `[["number",3],["text","load test"],["command","make load"],["after",1,2]]`, again with absent parts
//! left out. Plan contracts leave out archived goals. Both contracts leave out status, marks, outcomes, priority, evidence, log and prose.

use std::fmt;

use sha2::{Digest as _, Sha256};

use super::model::{GoalRef, Key, Plan, Step};

mod amendment;
mod canonical;
mod command;
mod read;
mod whole;

pub use amendment::{Amendment, Effect, without_check};
use canonical::Canonical;
pub(in crate::plan) use command::{folded, folded_command, folded_mode};
pub use whole::{AgreedGoal, AgreedStep, PlanContract, ShownLine};

/// A SHA-256 digest.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// Returns the digest of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Digest(Sha256::digest(bytes).into())
    }

    /// Returns the first 12 hex digits, as log lines show them.
    pub fn short(&self) -> String {
        self.to_string()[..12].to_owned()
    }

    /// True if `short` equals [`Digest::short`].
    pub fn is_short(&self, short: &str) -> bool {
        short.len() == 12 && short.bytes().enumerate().all(|(index, byte)| byte == self.digit(index))
    }

    fn digit(&self, index: usize) -> u8 {
        b"0123456789abcdef"[usize::from(self.0[index / 2] >> (4 * (1 - index % 2)) & 15)]
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits: [u8; 64] = std::array::from_fn(|index| self.digit(index));
        f.write_str(std::str::from_utf8(&digits).unwrap_or_default())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A goal contract: its parts as they are compared, its canonical form, and its digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoalContract {
    /// The goal's id, if it has one.
    pub id: Option<String>,
    /// Its subject.
    pub subject: String,
    /// Its acceptance criteria.
    pub done_when: Vec<String>,
    /// Its verify line.
    pub verify: Option<String>,
    /// Its failure modes with their checks.
    pub failure_modes: Vec<String>,
    /// The ids of the goals that it needs.
    pub needs: Vec<String>,
    /// The word in `kind`, whether it is known or not.
    pub kind: Option<String>,
    /// The globs it may change.
    pub may_change: Vec<String>,
    /// The canonical form.
    pub json: String,
    /// The digest of the canonical form.
    pub digest: Digest,
}

/// Returns the current contract of a goal.
pub fn goal_contract(goal: GoalRef<'_, '_>) -> GoalContract {
    let mut canonical = Canonical::default();
    write_goal(&mut canonical, goal);
    let digest = Digest::of(canonical.bytes());
    GoalContract {
        id: goal.id().map(str::to_owned),
        subject: folded(goal.subject()).into_owned(),
        done_when: goal.list(Key::DoneWhen).iter().map(|text| folded(text).into_owned()).collect(),
        verify: goal.verify().map(|line| folded_command(&line).into_owned()),
        failure_modes: goal.list(Key::FailureModes).iter().map(|text| folded_mode(text).into_owned()).collect(),
        needs: goal.words_of_needs(),
        kind: goal.value(Key::Kind).map(|word| folded(&word).into_owned()),
        may_change: goal.may_change(),
        json: canonical.into_string(),
        digest,
    }
}

/// Computes the digests of goal contracts; cheaper than [`goal_contract`] if there are many.
#[derive(Default)]
pub struct Digests {
    canonical: Canonical,
}

impl Digests {
    /// Returns the digest of one goal's contract.
    pub fn of(&mut self, goal: GoalRef<'_, '_>) -> Digest {
        self.canonical.clear();
        write_goal(&mut self.canonical, goal);
        Digest::of(self.canonical.bytes())
    }
}

/// Returns the canonical form of the plan's contract: a person approves it, and contract mode holds everyone to it.
pub fn plan_contract_json(plan: &Plan<'_>) -> String {
    canonical_plan(plan).into_string()
}

/// Returns the digest of the plan's contract.
pub fn plan_contract(plan: &Plan<'_>) -> Digest {
    Digest::of(canonical_plan(plan).bytes())
}

fn canonical_plan(plan: &Plan<'_>) -> Canonical {
    let mut out = Canonical::default();
    out.open();
    out.entry("mode", [if plan.is_contract_mode() { "contract" } else { "guide" }]);
    out.entry("objective", plan.objective().filter(|text| !text.trim().is_empty()));
    for goal in plan.live_goals() {
        out.begin("goal");
        write_goal(&mut out, goal);
        goal.steps().iter().for_each(|step| write_step(&mut out, plan, step));
        out.close();
    }
    out.close();
    out
}

fn write_goal(out: &mut Canonical, goal: GoalRef<'_, '_>) {
    out.open();
    out.entry("id", goal.id());
    out.entry("subject", Some(goal.subject()).filter(|text| !text.is_empty()));
    out.entry("done_when", goal.list(Key::DoneWhen));
    out.exact("verify", goal.verify().iter().map(|line| folded_command(line)));
    out.exact("failure_modes", goal.list(Key::FailureModes).iter().map(|text| folded_mode(text)));
    out.entry("needs", goal.words_of_needs());
    out.entry("kind", goal.value(Key::Kind));
    out.entry("may_change", goal.may_change());
    out.close();
}

fn write_step(out: &mut Canonical, plan: &Plan<'_>, step: &Step) {
    out.open();
    out.numbers("number", step.number);
    out.entry("text", Some(plan.text(step.text)).filter(|text| !text.is_empty()));
    out.exact("command", step.run.map(|run| folded_command(plan.text(run))));
    out.numbers("after", plan.afters[step.after.start as usize..step.after.end as usize].iter().copied());
    out.close();
}

#[cfg(test)]
mod tests;
