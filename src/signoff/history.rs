//! What the log says about a goal before this run: its starts, and how its contract was changed.

mod starts;

pub use starts::{Seen, every_start, red_stays, seen, starts};

use crate::plan::log::{GoalEvent, LogLine, events_of};
use crate::plan::model::Plan;

/// How a goal's contract came to be what it is since the goal was started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Amended {
    /// One line each, oldest first.
    pub told: Vec<String>,
    /// The contract that the log named before a change by hand which a later amendment covers up.
    pub by_hand: Option<String>,
    /// The contract of the last start.
    pub started: Option<String>,
}

/// Reads the amendments of one goal from the log. What was changed before the first start was a draft.
pub fn amended(plan: &Plan<'_>, id: &str) -> Amended {
    let mut amended = Amended::default();
    let mut last: Option<&str> = None;
    for event in events_of(plan, id) {
        let started = amended.started.is_some();
        match (event, last) {
            (GoalEvent::Added { .. }, _) => amended = Amended::default(),
            (GoalEvent::Started(start), Some(last)) if started && last != start.contract => {
                amended.told.push(format!("started again with another contract ({last} -> {})", start.contract));
            }
            (GoalEvent::Amended(line), _) if started => {
                if let Some(last) = last.filter(|last| line.old != *last) {
                    amended.told.push(format!("changed by hand, which the log does not say ({last} -> {})", line.old));
                    amended.by_hand = Some(last.to_owned());
                }
                amended.told.push(event.to_string());
            }
            _ => {}
        }
        if let GoalEvent::Started(start) = event {
            (amended.started, amended.by_hand) = (Some(start.contract.to_owned()), None);
        }
        last = event.contract().or(last);
    }
    amended
}

/// The last log text that names the goal as the subject of a line of ours.
pub fn last_line<'a>(plan: &Plan<'a>, id: &str) -> Option<&'a str> {
    let is_about = |text: &&str| LogLine::parse(text).and_then(LogLine::goal).is_some_and(|(named, _)| named == id);
    plan.log_lines().rev().map(|(_, text)| text).find(is_about)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::parse;

    // P-12, P-74
    #[test]
    fn amendments_are_told_and_do_not_cover_a_change_by_hand() {
        let of = |lines: &[&str]| {
            let log: String = lines.iter().map(|line| format!("- 2026-01-01 10:00  {line}\n")).collect();
            amended(&parse(format!("# Plan: x\n\n## Log\n{log}").as_bytes()).unwrap(), "a-1")
        };
        let (a, b, c) = ("aaaaaaaaaaaa", "bbbbbbbbbbbb", "cccccccccccc");
        let started = |contract: &str| format!("a-1 started (contract {contract}, at none, tree none, verify green)");
        let to = |old: &str, new: &str| format!("a-1 amended (tightened: criterion added; contract {old} -> {new})");
        assert_eq!(of(&[&to(a, b), &started(c)]).told, [""; 0], "a draft");
        let honest = of(&[&started(a), &to(a, b)]);
        assert_eq!(honest.told, [format!("amended (tightened: criterion added; contract {a} -> {b})")]);
        assert_eq!(honest.by_hand, None);
        let covered = of(&[&started(a), &to(b, c)]);
        assert_eq!(covered.told[0], format!("changed by hand, which the log does not say ({a} -> {b})"));
        assert_eq!(covered.by_hand.as_deref(), Some(a));
        let again = of(&[&started(a), "a-1 cancelled: x", "a-1 reopened (was cancelled)", &started(b)]);
        assert_eq!(again.told, [format!("started again with another contract ({a} -> {b})")]);
    }
}
