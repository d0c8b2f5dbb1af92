//! Compares two versions of a goal contract: loosened, tightened or reworded (`SIGNOFF.md` §3, `contract-changed`).

use std::fmt;

use super::GoalContract;
use super::command::commands;
use crate::plan::model::check_of;

/// The effect of an amendment, the worst last: of several changes the worst counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// Only criteria, failure modes, checks, needs or a verify were added, or globs taken away; or nothing else is asked for.
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

    /// The effect that a log line names in front of what was changed: `loosened: failure mode dropped`.
    pub fn of_line(what: &str) -> Option<Self> {
        let (word, _) = what.split_once(':')?;
        [Effect::Tightened, Effect::Reworded, Effect::Loosened].into_iter().find(|effect| effect.word() == word)
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

/// Another command in place of one that was agreed: nothing says that it asks for as much.
const VERIFY_CHANGED: &str = "verify changed";
const CHECK_CHANGED: &str = "check changed";

impl Amendment {
    /// What turned `old` into `new`; none where the contracts are the same.
    pub fn between(old: &GoalContract, new: &GoalContract) -> Option<Self> {
        if old.digest == new.digest {
            return None;
        }
        let mut changes = changes(old, new);
        changes.sort_by_key(|(effect, _)| std::cmp::Reverse(*effect));
        Some(Amendment {
            effect: changes.first().map_or(Effect::Reworded, |(effect, _)| *effect),
            what: changes.into_iter().map(|(_, what)| what).collect(),
        })
    }

    /// Whether less may be asked for than before: it was loosened, or another command stands in place of one that was agreed.
    pub fn asks_less(&self) -> bool {
        self.effect == Effect::Loosened || self.what.iter().any(|what| matches!(*what, VERIFY_CHANGED | CHECK_CHANGED))
    }
}

impl fmt::Display for Amendment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.effect.word(), self.what.join(", "))
    }
}

type Change = (Effect, &'static str);

fn changes(old: &GoalContract, new: &GoalContract) -> Vec<Change> {
    use Effect::{Loosened, Reworded, Tightened};
    let mut changes: Vec<Change> = Vec::new();
    changes.extend((old.id != new.id).then_some((Reworded, "id changed")));
    changes.extend((old.subject != new.subject).then_some((Reworded, "subject reworded")));
    changes.extend(list(&old.done_when, &new.done_when).map(|turn| match turn {
        Turn::Dropped => (Loosened, "criterion dropped"),
        Turn::Added => (Tightened, "criterion added"),
        Turn::Reworded => (Reworded, "criterion reworded"),
        Turn::Reordered => (Reworded, "criteria reordered"),
    }));
    changes.extend(match (&old.verify, &new.verify) {
        (Some(_), None) => Some((Loosened, "verify dropped")),
        (None, Some(_)) => Some((Tightened, "verify added")),
        (Some(old), Some(new)) => command(old, new, "verify extended", "verify lengthened", VERIFY_CHANGED),
        (None, None) => None,
    });
    changes.extend(failure_modes(&old.failure_modes, &new.failure_modes));
    changes.extend(list(&old.needs, &new.needs).map(|turn| match turn {
        Turn::Dropped => (Loosened, "need dropped"),
        Turn::Added => (Tightened, "need added"),
        Turn::Reworded | Turn::Reordered => (Reworded, "needs changed"),
    }));
    changes.extend((old.kind != new.kind).then(|| match (kind(old), kind(new)) {
        (was, is) if was == is => (Tightened, "kind written out"),
        _ => (Loosened, "kind changed"),
    }));
    // One glob more is more that may be changed, however many were taken away.
    changes.extend(match (without(&new.may_change, &old.may_change), without(&old.may_change, &new.may_change)) {
        (0, 0) => (old.may_change != new.may_change).then_some((Tightened, "may_change reordered")),
        (0, _) => Some((Tightened, "may_change narrowed")),
        _ => Some((Loosened, "may_change widened")),
    });
    changes
}

/// A command line in place of another. If the new command runs all of the old command first and then more, it is
/// `extended`. If it also runs something before or between, it is `longer`: the results of the old command do not apply
/// to it.
fn command(
    old: &str,
    new: &str,
    extended: &'static str,
    longer: &'static str,
    changed: &'static str,
) -> Option<Change> {
    if old == new {
        return None;
    }
    let (was, is) = (commands(old), commands(new));
    let mut left = is.iter();
    Some(if is.starts_with(&was) {
        (Effect::Tightened, extended)
    } else if was.iter().all(|command| left.any(|other| other == command)) {
        (Effect::Tightened, longer)
    } else {
        (Effect::Reworded, changed)
    })
}

/// Failure modes: those that differ in their check alone are compared by that, the others as texts.
fn failure_modes(old: &[String], new: &[String]) -> Vec<Change> {
    let (mut gone, mut came) = (left_of(old, new), left_of(new, old));
    let mut changes: Vec<Change> = Vec::new();
    gone.retain(|was| {
        let Some(at) = came.iter().position(|is| without_check(is) == without_check(was)) else { return true };
        let is = came.remove(at);
        changes.extend(match (check(was), check(is)) {
            (None, Some(_)) => Some((Effect::Tightened, "check added")),
            (Some(_), None) => Some((Effect::Loosened, "check dropped")),
            (Some(was), Some(is)) => command(was, is, "check extended", "check lengthened", CHECK_CHANGED),
            (None, None) => None,
        });
        false
    });
    let checks = |modes: &[&String]| modes.iter().filter(|text| check(text).is_some()).count();
    changes.extend(match (gone.len(), came.len()) {
        (0, 0) if changes.is_empty() => (old != new).then_some((Effect::Reworded, "failure modes reordered")),
        (0, 0) => None,
        (0, _) => Some((Effect::Tightened, "failure mode added")),
        (gone, came) if gone > came => Some((Effect::Loosened, "failure mode dropped")),
        _ => Some((Effect::Reworded, "failure mode reworded")),
    });
    changes.extend((checks(&gone) > checks(&came)).then_some((Effect::Loosened, "check dropped")));
    changes.sort_unstable();
    changes.dedup();
    changes
}

/// A failure mode without its check.
pub fn without_check(mode: &str) -> &str {
    let at = check_of(mode).and_then(|range| mode[..range.start].rfind("(check:"));
    at.map_or(mode, |at| mode[..at].trim_end())
}

fn check(mode: &str) -> Option<&str> {
    check_of(mode).map(|range| &mode[range])
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
    left_of(these, those).len()
}

/// Those of `these` that have no match in `those`, each of which matches once.
fn left_of<'t>(these: &'t [String], those: &[String]) -> Vec<&'t String> {
    let mut left: Vec<&String> = those.iter().collect();
    let has_none =
        |text: &&String| left.iter().position(|other| other == text).map(|at| left.swap_remove(at)).is_none();
    these.iter().filter(has_none).collect()
}

fn kind(contract: &GoalContract) -> &str {
    contract.kind.as_deref().unwrap_or("feature")
}
