//! The log's history of a goal before this run.

mod contracts;
mod starts;

use std::collections::HashSet;

pub use contracts::LoggedContracts;
pub use starts::{BY_HAND, Seen, abandoned_start, every_start, red_stays, seen, starts};

use crate::plan::contract::{GoalContract, goal_contract};
use crate::plan::log::{GoalEvent, LogLine, events_of};
use crate::plan::model::Plan;
use crate::plan::parse;

/// Returns the text of the last log line about this goal, among the lines that `plan` understands.
pub fn last_line<'a>(plan: &Plan<'a>, id: &str) -> Option<&'a str> {
    let is_about = |text: &&str| LogLine::parse(text).and_then(LogLine::goal).is_some_and(|(named, _)| named == id);
    plan.log_lines().rev().map(|(_, text)| text).find(is_about)
}

/// Whether the goal was signed off and then reopened.
pub fn is_reopened(plan: &Plan<'_>, id: &str) -> bool {
    let last = events_of(plan, id).rev().find_map(|event| match event {
        GoalEvent::Reopened { .. } => Some(true),
        GoalEvent::SignedOff(_) | GoalEvent::Added { .. } => Some(false),
        _ => None,
    });
    let is_sign_off = |event| matches!(event, GoalEvent::SignedOff(_));
    last == Some(true) && events_of(plan, id).any(is_sign_off)
}

/// Returns the goals that were signed off with this tree (12 digits) since goal `id` was last started. A goal that was done already
/// and is signed off again does not count: it brings no work. If goal `id` itself was signed off and then reopened by a rewind, no goal
/// counts: its work was done before, and after `plan rewind --undo` the tree is the old one again.
pub fn signed_off_with<'a>(plan: &Plan<'a>, id: &str, tree: &str) -> Vec<&'a str> {
    let (mut found, mut is_signed_off, mut is_rewound) = (Vec::new(), false, false);
    let mut done = HashSet::new();
    for (named, event) in plan.log_lines().filter_map(|(_, text)| LogLine::parse(text)?.goal()) {
        match event {
            GoalEvent::Started(_) if named == id => (found, is_rewound) = (Vec::new(), false),
            GoalEvent::SignedOff(_) if named == id => is_signed_off = true,
            GoalEvent::Reopened { why } if named == id && is_signed_off && why.starts_with("rewind to ") => {
                (found, is_rewound) = (Vec::new(), true);
            }
            GoalEvent::SignedOff(line) => {
                let is_first = done.insert(named);
                if is_first && line.tree == tree && !is_rewound {
                    found.push(named);
                }
            }
            GoalEvent::Reopened { .. } | GoalEvent::Added { .. } => {
                done.remove(named);
            }
            _ => {}
        }
    }
    found
}

/// Finds the contract of goal `id` with this digest in the bytes of a plan file.
pub fn contract_in(bytes: &[u8], id: &str, short: &str) -> Option<GoalContract> {
    // Few versions contain the id; the others need not be parsed.
    memchr::memmem::find(bytes, id.as_bytes())?;
    let plan = parse(bytes).ok()?;
    let contracts = plan.all_goals().filter(|goal| goal.id() == Some(id)).map(goal_contract);
    contracts.into_iter().find(|contract: &GoalContract| contract.digest.is_short(short))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signed(id: &str, tree: &str) -> String {
        format!(
            "{id} signed off (verify green 2.1s, gate full, oracle accept by human:me, contract 0123456789ab, tree {tree}, at none)"
        )
    }

    // P-5
    #[test]
    fn a_goal_that_was_done_already_takes_no_work_from_another() {
        let started = "b-1 started (contract 0123456789ab, at none, tree aaaaaaaaaaaa, verify unstartable)".to_owned();
        let (first, again) = (signed("a-1", "aaaaaaaaaaaa"), signed("a-1", "bbbbbbbbbbbb"));
        let (third, reopened) = (signed("c-1", "bbbbbbbbbbbb"), "a-1 reopened (was done)".to_owned());
        for (lines, found) in [
            (vec![&started, &again], vec!["a-1"]),
            (vec![&first, &started, &again], vec![]),
            (vec![&first, &reopened, &started, &again], vec!["a-1"]),
            (vec![&started, &again, &third], vec!["a-1", "c-1"]),
        ] {
            let log: String = lines.iter().map(|line| format!("- 2026-01-01 10:00  {line}\n")).collect();
            let text = format!("# Plan: x\n\n## Log\n{log}");
            let plan = parse(text.as_bytes()).unwrap();
            assert_eq!(signed_off_with(&plan, "b-1", "bbbbbbbbbbbb"), found, "{lines:?}");
        }
    }
}
