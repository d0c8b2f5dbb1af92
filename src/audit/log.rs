//! Checks that log lines are only ever added: finds lines of the base that were removed, changed or reordered; lines that
//! only look like sign-offs; approvals that were not given at a terminal (`SIGNOFF.md` §8).

use std::collections::{HashMap, HashSet};

use super::facts::{AuditFacts, AuditLine, lines};
use super::finding::{AuditFinding, names};
use crate::plan::rules::{is_plan_line, looks_signed_off};
use crate::plan::text::counted;

pub(super) fn find(facts: &AuditFacts<'_>, found: &mut Vec<AuditFinding>) {
    for line in &facts.log {
        if looks_signed_off(line.text) {
            let seen = format!("this looks like a sign-off and is not one: {}", line.text);
            let resolve = "remove the line, or restore it as it was written; `plan complete` writes sign-offs";
            let expected = "sign-offs exactly as `plan` writes them";
            found.push(AuditFinding::new("looks-signed-off", line.at, seen, expected, resolve));
        }
        if let Some((_, how)) = line.text.strip_prefix("plan approved by ").and_then(|rest| rest.split_once(" via "))
            && !how.starts_with("terminal")
        {
            let seen = format!("not approved at a terminal: {}", line.text);
            let resolve = "ask who approved it; `plan approve` at a terminal records it again";
            found.push(AuditFinding::note(
                "approval-not-at-terminal", line.at, seen, "an approval at a terminal", resolve,
            ));
        }
    }
    let Some(then) = facts.past else { return };
    let (old, name) = (then.log(), then.past.name());
    gone(facts, &old, &name, found);
    reordered(&old, &facts.log, &name, found);
}

/// Finds lines of the base that are gone; a line that occurred twice must still occur twice. A line that `plan` wrote counts as
/// gone if it is below the archive, because nobody reads it there. A note may be in either log.
fn gone(facts: &AuditFacts<'_>, old: &[AuditLine<'_>], name: &str, found: &mut Vec<AuditFinding>) {
    let now = &facts.log;
    let mut left = places(now);
    let gone: Vec<&AuditLine<'_>> =
        old.iter().filter(|line| left.get_mut(&line.key()).and_then(Vec::pop).is_none()).collect();
    let mut new: Vec<usize> = left.into_values().flatten().collect();
    new.sort_unstable();
    let end = facts.plan.logs.last().map_or(0, |log| log.heading.start as usize);
    let (ours, mut notes): (Vec<&AuditLine<'_>>, Vec<&AuditLine<'_>>) =
        gone.into_iter().partition(|line| is_plan_line(line.text));
    let everywhere = lines(facts.plan, true);
    let archived: HashSet<(&str, &str)> = everywhere.iter().map(AuditLine::key).collect();
    notes.retain(|line| !archived.contains(&line.key()));
    for line in ours {
        let instead = new.iter().position(|at| is_other_version(line, &now[*at]));
        let was = format!("{}  {}", line.stamp, line.text);
        let resolve = "restore it from history: log lines are only ever added";
        let expected = format!("every line that the log had at {name}");
        let finding = match instead.map(|at| &now[new.remove(at)]) {
            Some(other) => {
                let seen = format!("was `{was}` at {name}, is `{}  {}`", other.stamp, other.text);
                AuditFinding::new("log-rewritten", other.at, seen, expected, resolve)
            }
            None if archived.contains(&line.key()) => {
                let seen = format!("moved below `# Archive` since {name}, where it no longer counts: `{was}`");
                AuditFinding::new("log-deleted", end, seen, expected, resolve)
            }
            None => AuditFinding::new("log-deleted", end, format!("gone since {name}: `{was}`"), expected, resolve),
        };
        found.push(finding.of(line.goal()));
    }
    if !notes.is_empty() {
        let seen = format!(
            "{} gone or changed since {name}: {}",
            counted(notes.len(), "note"),
            names(notes.iter().map(|line| line.text))
        );
        let expected = "a log to which lines are only added";
        found.push(AuditFinding::note("notes-changed", end, seen, expected, "nothing, if that was intended"));
    }
}

/// Returns true if a new line is a changed version of an old line: the same text at another time, or at the same time
/// about the same goal with at least a third of the old words.
fn is_other_version(old: &AuditLine<'_>, new: &AuditLine<'_>) -> bool {
    let same_goal = old.goal() == new.goal();
    let kept = || {
        let words: HashSet<&str> = new.text.split_whitespace().collect();
        let all = old.text.split_whitespace().count();
        3 * old.text.split_whitespace().filter(|word| words.contains(word)).count() >= all
    };
    old.text == new.text || old.stamp == new.stamp && same_goal && kept()
}

/// Returns the indices of each line.
fn places<'a>(lines: &[AuditLine<'a>]) -> HashMap<(&'a str, &'a str), Vec<usize>> {
    let mut places: HashMap<_, Vec<usize>> = HashMap::new();
    lines.iter().enumerate().for_each(|(index, line)| places.entry(line.key()).or_default().push(index));
    places
}

/// Finds lines about a goal that both versions have in a different order: the last line decides.
fn reordered(old: &[AuditLine<'_>], now: &[AuditLine<'_>], name: &str, found: &mut Vec<AuditFinding>) {
    let places = places(now);
    // For each goal, the position after the line that was found last; `None` once a line was out of order.
    let mut next: HashMap<&str, Option<usize>> = HashMap::new();
    for line in old {
        let (Some(id), Some(all)) = (line.goal(), places.get(&line.key())) else { continue };
        let from = next.entry(id).or_insert(Some(0));
        let Some(after) = *from else { continue };
        let at = all.partition_point(|place| *place < after);
        *from = all.get(at).map(|place| place + 1);
        if from.is_none() {
            let seen = format!("in a different order than at {name}: {}", line.text);
            let expected = "lines about a goal in the order in which they were written";
            let resolve = "restore the order: the last line about a goal decides";
            let at = all.first().map_or(0, |place| now[*place].at);
            found.push(AuditFinding::new("log-reordered", at, seen, expected, resolve).of(id));
        }
    }
}
