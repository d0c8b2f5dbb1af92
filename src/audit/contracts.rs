//! Finds contracts that were changed since the base or by hand, and goals that are gone (`SIGNOFF.md` §8). A goal that was
//! done since the base must keep the contract that it had at the base.

use std::collections::HashSet;

use super::facts::{AuditFacts, status_at};
use super::finding::AuditFinding;
use super::signed::is_cancelled_with_reason;
use super::since::goal_then;
use crate::plan::contract::{Amendment, Effect, GoalContract, goal_contract};
use crate::plan::history::LoggedContracts;
use crate::plan::log::{Amended, GoalEvent};
use crate::plan::model::{GoalRef, Plan, Status};
use crate::plan::rules::Standing;

const EXPECTED: &str = "a contract that is changed only with `plan goal set`, which logs each change";

pub(super) fn find(facts: &AuditFacts<'_>, found: &mut Vec<AuditFinding>) {
    let base = facts.base().and_then(|then| Some((then.plan?, then.past.name())));
    let known = facts.base().map(|then| then.known()).unwrap_or_default();
    let unsigned: HashSet<usize> =
        facts.done.iter().filter(|done| done.standing != Standing::SignedOff).map(|done| done.goal.index()).collect();
    for goal in facts.plan.all_goals() {
        let Some(id) = goal.id() else { continue };
        let old = base.as_ref().and_then(|(plan, name)| Some((goal_then(plan, goal)?, name)));
        let told = old.is_some_and(|(old, name)| since(facts, &known, old, goal, name, found));
        if !told {
            by_hand(facts, id, goal, unsigned.contains(&goal.index()), found);
        }
    }
    if let Some((plan, name)) = &base {
        hidden(facts, plan, name, found);
        removed(facts, plan, name, found);
        given_up(facts, plan, name, found);
    }
}

/// Compares a goal's contract with its contract at the base; returns true if it was changed.
fn since(
    facts: &AuditFacts<'_>,
    known: &HashSet<(&str, &str)>,
    old: GoalRef<'_, '_>,
    goal: GoalRef<'_, '_>,
    name: &str,
    found: &mut Vec<AuditFinding>,
) -> bool {
    // A goal without an id at the base may have got one since.
    let (was, is) = (goal_contract(old).with_id(goal.id().unwrap_or_default()), goal_contract(goal));
    let Some(change) = Amendment::between(&was, &is) else { return false };
    let (id, at) = (goal.name(), status_at(goal));
    let digests = format!("{} -> {}", was.digest.short(), is.digest.short());
    let is_done = goal.status() == Status::Done;
    if !is_explained(facts, known, id, &was, &is) {
        let seen = format!("the contract of {id} was changed by hand since {name}: {change} ({digests})");
        let has_started = || facts.about(id).any(|line| matches!(line.event(), Some(GoalEvent::Started(_))));
        let is_draft = !is_done && old.status() == Status::Open && !has_started();
        let needs_none = is_draft || change.effect == Effect::Tightened;
        let finding = AuditFinding::new("contract-unexplained", at, seen, EXPECTED, explain(id)).of(id);
        found.push(finding.only_note_if(needs_none));
        return true;
    }
    let seen = format!("the contract of {id} was amended since {name}: {change} ({digests})");
    let expected = format!("the contract at {name}");
    let resolve = format!(
        "merge the changed contract into {name} before you complete the goal: whoever merges it agrees to the change"
    );
    let counts = is_done && change.effect != Effect::Tightened;
    found.push(AuditFinding::new("contract-changed", at, seen, expected, resolve).of(id).only_note_if(!counts));
    true
}

/// Returns true if the log lines since the base, which are not in `known`, lead from the contract `was` to the contract `is`.
fn is_explained(
    facts: &AuditFacts<'_>,
    known: &HashSet<(&str, &str)>,
    id: &str,
    was: &GoalContract,
    is: &GoalContract,
) -> bool {
    let mut current = was.digest.short();
    let (mut earlier, mut new): (HashSet<&str>, _) = (HashSet::new(), LoggedContracts::default());
    for line in facts.about(id) {
        let Some(event) = line.event() else { continue };
        let is_known = known.contains(&line.key());
        if !is_known {
            new.take(event);
        }
        match event {
            _ if is_known => {}
            GoalEvent::Amended(amended) if amended.old == current || covers(&amended, &earlier) => {
                amended.new.clone_into(&mut current);
            }
            // A start states the contract that it begins with.
            GoalEvent::Started(_) | GoalEvent::Added { .. } => {
                event.contract().unwrap_or_default().clone_into(&mut current);
            }
            _ => {}
        }
        earlier.extend(event.contract());
    }
    new.way_from(&current, |contract| is.digest.is_short(contract)).is_some()
}

/// Returns true if an amendment has a reason and begins at an earlier contract: it explains every change since that contract.
fn covers(amended: &Amended<'_>, earlier: &HashSet<&str>) -> bool {
    amended.because.is_some() && earlier.contains(amended.old)
}

fn explain(id: &str) -> String {
    format!("`plan goal set {id} --because \"why\"`, or put the old contract back")
}

/// Finds changes of a contract that the goal's own log lines do not explain, whatever the base is.
fn by_hand(facts: &AuditFacts<'_>, id: &str, goal: GoalRef<'_, '_>, is_unsigned: bool, found: &mut Vec<AuditFinding>) {
    let history = ContractHistory::of(facts, id);
    let at = status_at(goal);
    let resolve = explain(id);
    for (line, from, to) in &history.gaps {
        let seen = format!("the contract of {id} was changed by hand, and the log does not say so ({from} -> {to})");
        let finding = AuditFinding::new("contract-unexplained", *line, seen, EXPECTED, &*resolve).of(id);
        found.push(finding.only_note_if(goal.status() == Status::Cancelled));
    }
    let is_logged = || {
        let now = goal_contract(goal).digest;
        history.contracts.way(|contract| now.is_short(contract)).is_some()
    };
    // For a done goal, the check of its sign-off reports the same.
    let logged = history.contracts.last.filter(|_| !is_unsigned && !is_logged());
    if let Some(logged) = logged.filter(|_| matches!(goal.status(), Status::Open | Status::Active)) {
        let seen =
            format!("the contract of {id} was changed by hand since it was logged: {}", facts.change(goal, logged));
        let finding = AuditFinding::new("contract-unexplained", at, seen, EXPECTED, resolve).of(id);
        let change = facts.contract(id, logged).and_then(|old| Amendment::between(&old, &goal_contract(goal)));
        let asks_more = change.is_some_and(|change| change.effect == Effect::Tightened);
        found.push(finding.only_note_if(history.started.is_none() || asks_more));
    }
    if let Some((line, text)) = history.softened.filter(|_| goal.status() == Status::Done) {
        let seen = format!("softened after its start: {text}");
        let expected = "the contract that the goal was started with";
        found.push(AuditFinding::note("contract-softened", line, seen, expected, "read what was dropped").of(id));
    }
}

/// The history of a goal's contract, according to the log.
#[derive(Default)]
struct ContractHistory<'s> {
    contracts: LoggedContracts<'s>,
    /// The contract of the last start.
    started: Option<&'s str>,
    /// Amendments whose old contract is not the contract that was logged before: line, from, to.
    gaps: Vec<(usize, &'s str, &'s str)>,
    /// The last amendment after the start that asked for less.
    softened: Option<(usize, &'s str)>,
}

impl<'s> ContractHistory<'s> {
    fn of(facts: &AuditFacts<'s>, id: &str) -> Self {
        let mut history = ContractHistory::default();
        let mut earlier: HashSet<&str> = HashSet::new();
        for line in facts.about(id) {
            let Some(event) = line.event() else { continue };
            match event {
                GoalEvent::Added { .. } => (history, earlier) = (ContractHistory::default(), HashSet::new()),
                GoalEvent::Started(start) => {
                    history.started = Some(start.contract);
                    history.softened = None;
                }
                GoalEvent::Amended(amended) if history.started.is_some() => {
                    let gap = history.contracts.last.filter(|last| amended.old != *last && !covers(&amended, &earlier));
                    history.gaps.extend(gap.map(|last| (line.at, last, amended.old)));
                    if Effect::of_line(amended.what) == Some(Effect::Loosened) {
                        history.softened = Some((line.at, line.text));
                    }
                }
                _ => {}
            }
            history.contracts.take(event);
            earlier.extend(event.contract());
        }
        history
    }
}

/// Finds unfinished goals that were above the archive at the base and are below it now: nobody sees them there.
fn hidden(facts: &AuditFacts<'_>, base: &Plan<'_>, name: &str, found: &mut Vec<AuditFinding>) {
    let open = facts.plan.all_goals().filter(|goal| goal.raw().archived && !goal.status().is_finished());
    for goal in open {
        let is_same = |old: &GoalRef<'_, '_>| match goal.id() {
            Some(id) => old.id() == Some(id),
            None => old.subject() == goal.subject(),
        };
        if !base.live_goals().any(|old| is_same(&old)) {
            continue;
        }
        let (id, status) = (goal.name(), goal.status().word());
        let seen = format!("{id} is {status} and is now below `# Archive`; at {name} it was above it");
        let expected = "unfinished goals above the archive";
        let resolve = format!(
            "`plan goal start {0}` brings it back; `plan goal cancel {0} \"reason\"` says why it is not done",
            goal.typed()
        );
        found.push(AuditFinding::new("archived-open", status_at(goal), seen, expected, resolve).of(id));
    }
}

/// Notes the goals that were open at the base and are cancelled now: the work of another goal may have taken their tests out.
fn given_up(facts: &AuditFacts<'_>, base: &Plan<'_>, name: &str, found: &mut Vec<AuditFinding>) {
    let cancelled = facts.plan.all_goals().filter(|goal| goal.status() == Status::Cancelled);
    // Without a reason in the log, this is the finding `hand-cancelled`.
    for goal in cancelled.filter(|goal| is_cancelled_with_reason(facts, *goal)) {
        let Some(old) = goal_then(base, goal).filter(|old| !old.status().is_finished()) else { continue };
        let (id, was) = (goal.name(), old.status().word());
        let seen = format!("{id} ({}) was {was} at {name}, and is cancelled now", goal.subject());
        let resolve = "read the reason in the log, and what became of its tests";
        let expected = format!("the unfinished goals of {name}");
        found.push(AuditFinding::note("goal-cancelled", status_at(goal), seen, expected, resolve).of(id));
    }
}

/// Finds goals of the base that are gone; a goal that was finished is only a note.
fn removed(facts: &AuditFacts<'_>, base: &Plan<'_>, name: &str, found: &mut Vec<AuditFinding>) {
    let subjects: HashSet<&str> = facts.plan.all_goals().map(GoalRef::subject).collect();
    let ids: HashSet<&str> = facts.plan.all_goals().filter_map(GoalRef::id).collect();
    for goal in base.all_goals() {
        let is_here = match goal.id() {
            Some(id) => ids.contains(id),
            None => subjects.contains(goal.subject()),
        };
        if is_here {
            continue;
        }
        let unmet = !goal.status().is_finished();
        let seen = match subjects.contains(goal.subject()) {
            true => {
                format!("{}: the goal had another id at {name}, so its log lines no longer belong to it", goal.name())
            }
            false => {
                format!("{} ({}) was removed; it was {} at {name}", goal.name(), goal.subject(), goal.status().word())
            }
        };
        let resolve = match subjects.contains(goal.subject()) {
            true => format!("give it its id again: `<!-- id: {} -->` below its heading", goal.name()),
            false => format!("put it back; if it is not to be done, `plan goal cancel {} \"reason\"`", goal.typed()),
        };
        let expected = format!("every unfinished goal of {name}");
        found.push(AuditFinding::new("goal-removed", 0, seen, expected, resolve).of(goal.name()).only_note_if(!unmet));
    }
}
