//! Compares two versions of a goal contract: loosened, tightened or reworded (`SIGNOFF.md` §3, `contract-changed`).

use std::fmt;

use super::GoalContract;
use super::command::commands;
use crate::plan::model::check_of;

/// The effect of an amendment, the worst last: the worst of several changes counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// Only criteria, failure modes, checks, needs or a verify were added, or globs removed; or the requirements are the same.
    Tightened,
    /// The wording changed; a reader has to look.
    Reworded,
    /// The contract requires less, or allows more changes.
    Loosened,
}

impl Effect {
    /// Returns the word in the log line.
    pub const fn word(self) -> &'static str {
        match self {
            Effect::Tightened => "tightened",
            Effect::Reworded => "reworded",
            Effect::Loosened => "loosened",
        }
    }

    /// Reads the effect in front of the changes in a log line: `loosened: failure mode dropped`.
    pub fn of_line(what: &str) -> Option<Self> {
        let (word, _) = what.split_once(':')?;
        [Effect::Tightened, Effect::Reworded, Effect::Loosened].into_iter().find(|effect| effect.word() == word)
    }
}

/// An amendment: its effect, and its changes, the worst first.
///
/// Displayed as in the log line: `loosened: failure mode dropped, criterion reworded`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Amendment {
    /// The worst effect of all changes.
    pub effect: Effect,
    /// Each change in words, the worst first, then in the contract's order.
    pub what: Vec<&'static str>,
}

/// Another command replaces an agreed one: nothing shows that it requires as much.
const VERIFY_CHANGED: &str = "verify changed";
const CHECK_CHANGED: &str = "check changed";

impl Amendment {
    /// Returns the amendment that turns `old` into `new`; `None` if the contracts are the same.
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

    /// Whether the contract may require less than before: it was loosened, or another command replaces an agreed one.
    pub fn asks_less(&self) -> bool {
        self.effect == Effect::Loosened || self.what.iter().any(|what| matches!(*what, VERIFY_CHANGED | CHECK_CHANGED))
    }
}

impl fmt::Display for Amendment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.effect.word(), self.what.join(", "))
    }
}

type NamedEffect = (Effect, &'static str);

fn changes(old: &GoalContract, new: &GoalContract) -> Vec<NamedEffect> {
    use Effect::{Loosened, Reworded, Tightened};
    let mut changes: Vec<NamedEffect> = Vec::new();
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
    // One more glob allows more changes, however many globs were removed.
    changes.extend(match (without(&new.may_change, &old.may_change), without(&old.may_change, &new.may_change)) {
        (0, 0) => (old.may_change != new.may_change).then_some((Tightened, "may_change reordered")),
        (0, _) => Some((Tightened, "may_change narrowed")),
        _ => Some((Loosened, "may_change widened")),
    });
    changes
}

/// Compares a command line with the one that replaces it. If the new line runs all of the old line first and then more, it
/// is `extended`. If it also runs something before or between, it is `longer`: the results of the old line do not apply to
/// it.
fn command(
    old: &str,
    new: &str,
    extended: &'static str,
    longer: &'static str,
    changed: &'static str,
) -> Option<NamedEffect> {
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

/// Compares failure modes: by their check if only the check differs, else as texts.
fn failure_modes(old: &[String], new: &[String]) -> Vec<NamedEffect> {
    let (mut gone, mut came) = (left_of(old, new), left_of(new, old));
    let mut changes: Vec<NamedEffect> = Vec::new();
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

/// Returns a failure mode without its check.
pub fn without_check(mode: &str) -> &str {
    let at = check_of(mode).and_then(|range| mode[..range.start].rfind("(check:"));
    at.map_or(mode, |at| mode[..at].trim_end())
}

fn check(mode: &str) -> Option<&str> {
    check_of(mode).map(|range| &mode[range])
}

/// The change of a list.
enum Turn {
    /// More entries are gone than are new.
    Dropped,
    /// All old entries, and more.
    Added,
    /// At least one old entry is gone, and at least as many are new.
    Reworded,
    /// The same entries in another order.
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

/// The number of `these` without a match in `those`. Each entry of `those` matches only once.
fn without(these: &[String], those: &[String]) -> usize {
    left_of(these, those).len()
}

/// Returns the entries of `these` without a match in `those`. Each entry of `those` matches only once.
fn left_of<'t>(these: &'t [String], those: &[String]) -> Vec<&'t String> {
    let mut left: Vec<&String> = those.iter().collect();
    let has_none =
        |text: &&String| left.iter().position(|other| other == text).map(|at| left.swap_remove(at)).is_none();
    these.iter().filter(has_none).collect()
}

fn kind(contract: &GoalContract) -> &str {
    contract.kind.as_deref().unwrap_or("feature")
}
