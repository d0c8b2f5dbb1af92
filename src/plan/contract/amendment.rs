//! What a change of a goal contract did to what was agreed: loosened, tightened or reworded (`SIGNOFF.md` §3, `contract-changed`).

use std::fmt;

use super::GoalContract;
use crate::plan::model::check_of;

/// The effect of an amendment, the worst last: of several changes the worst counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// Only criteria, failure modes, checks, needs or a verify were added, or globs taken away.
    Tightened,
    /// Something else is said; a reader has to look.
    Reworded,
    /// Less is asked for, or more may be changed.
    Loosened,
}

impl Effect {
    /// The word in the log line.
    pub const fn word(self) -> &'static str {
        match self {
            Effect::Tightened => "tightened",
            Effect::Reworded => "reworded",
            Effect::Loosened => "loosened",
        }
    }
}

/// An amendment: its effect, and what was changed, the worst first.
///
/// Shown as the log line has it: `loosened: failure mode dropped, criterion reworded`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Amendment {
    /// The worst effect of all changes.
    pub effect: Effect,
    /// Each change in words, the worst first, otherwise in the contract's order.
    pub what: Vec<&'static str>,
}

impl Amendment {
    /// What turned `old` into `new`; none where the contracts are the same.
    pub fn between(old: &GoalContract, new: &GoalContract) -> Option<Self> {
        if old.digest == new.digest {
            return None;
        }
        let mut changes: Vec<(Effect, &'static str)> = changes(old, new).into_iter().flatten().collect();
        changes.sort_by_key(|(effect, _)| std::cmp::Reverse(*effect));
        Some(Amendment {
            effect: changes.first().map_or(Effect::Reworded, |(effect, _)| *effect),
            what: changes.into_iter().map(|(_, what)| what).collect(),
        })
    }
}

impl fmt::Display for Amendment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.effect.word(), self.what.join(", "))
    }
}

fn changes(old: &GoalContract, new: &GoalContract) -> [Option<(Effect, &'static str)>; 9] {
    use Effect::{Loosened, Reworded, Tightened};
    [
        (old.id != new.id).then_some((Reworded, "id changed")),
        (old.subject != new.subject).then_some((Reworded, "subject reworded")),
        list(&old.done_when, &new.done_when).map(|turn| match turn {
            Turn::Dropped => (Loosened, "criterion dropped"),
            Turn::Added => (Tightened, "criterion added"),
            Turn::Reworded => (Reworded, "criterion reworded"),
            Turn::Reordered => (Reworded, "criteria reordered"),
        }),
        match (&old.verify, &new.verify) {
            (Some(_), None) => Some((Loosened, "verify dropped")),
            (None, Some(_)) => Some((Tightened, "verify added")),
            (old, new) => (old != new).then_some((Reworded, "verify changed")),
        },
        list(&old.failure_modes, &new.failure_modes).map(|turn| match turn {
            Turn::Dropped => (Loosened, "failure mode dropped"),
            Turn::Added => (Tightened, "failure mode added"),
            Turn::Reworded => (Reworded, "failure mode reworded"),
            Turn::Reordered => (Reworded, "failure modes reordered"),
        }),
        (checks(old) > checks(new)).then_some((Loosened, "check dropped")),
        list(&old.needs, &new.needs).map(|turn| match turn {
            Turn::Dropped => (Loosened, "need dropped"),
            Turn::Added => (Tightened, "need added"),
            Turn::Reworded | Turn::Reordered => (Reworded, "needs changed"),
        }),
        (old.kind != new.kind).then(|| match (kind(old), kind(new)) {
            (was, is) if was == is => (Reworded, "kind written out"),
            _ => (Loosened, "kind changed"),
        }),
        // One glob more is more that may be changed, however many were taken away.
        match (without(&new.may_change, &old.may_change), without(&old.may_change, &new.may_change)) {
            (0, 0) => (old.may_change != new.may_change).then_some((Reworded, "may_change reordered")),
            (0, _) => Some((Tightened, "may_change narrowed")),
            _ => Some((Loosened, "may_change widened")),
        },
    ]
}

/// What happened to a list.
enum Turn {
    /// Fewer entries than before.
    Dropped,
    /// All entries of before, and more.
    Added,
    /// At least one entry of before is gone and another came.
    Reworded,
    /// The same entries.
    Reordered,
}

fn list(old: &[String], new: &[String]) -> Option<Turn> {
    if old == new {
        return None;
    }
    let (gone, came) = (without(old, new), without(new, old));
    Some(match (gone, came) {
        (0, 0) => Turn::Reordered,
        (0, _) => Turn::Added,
        (gone, came) if gone > came => Turn::Dropped,
        _ => Turn::Reworded,
    })
}

/// How many of `these` have no match in `those`, each of which matches once.
fn without(these: &[String], those: &[String]) -> usize {
    let mut left: Vec<&String> = those.iter().collect();
    these
        .iter()
        .filter(|text| left.iter().position(|other| other == text).map(|at| left.swap_remove(at)).is_none())
        .count()
}

fn kind(contract: &GoalContract) -> &str {
    contract.kind.as_deref().unwrap_or("feature")
}

fn checks(contract: &GoalContract) -> usize {
    contract.failure_modes.iter().filter(|text| check_of(text).is_some()).count()
}
