//! Notices that a reader should look at first.

use serde::Serialize;

use super::facts::{GoalState, ReportFacts};
use super::stamp;
use crate::plan::log::GoalEvent;
use crate::plan::model::GoalRef;
use crate::plan::rules;

/// The most notices that are shown; the others are counted.
const MOST: usize = 20;

/// A notice.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Notice {
    /// `Not covered`, `Rejected twice`, `To look at`.
    pub(super) label: String,
    /// Whether the goal is done but not covered by a sign-off.
    pub(super) is_bad: bool,
    /// The goal's subject, name and anchor in the page.
    pub(super) goal: Option<(String, String, String)>,
    pub(super) sentences: Vec<String>,
    /// The command that fixes it.
    pub(super) command: Option<String>,
}

/// All notices: the reason why the plan is held, goals that are not covered, repeated rejections, then all others.
pub(super) fn notices(facts: &ReportFacts<'_, '_>) -> Vec<Notice> {
    let mut notices: Vec<Notice> = rules::held(facts.plan)
        .map(|held| Notice {
            label: "The plan waits".to_owned(),
            sentences: vec![held.to_string()],
            ..Notice::default()
        })
        .into_iter()
        .collect();
    let (mut bad, mut others) = (Vec::new(), Vec::new());
    for (goal, remark) in &facts.remarks {
        let goal = goal.and_then(|index| facts.plan.goal(index));
        let is_bad = goal.is_some_and(|goal| facts.state(goal) == GoalState::NotCovered);
        let label = if is_bad { "Not covered" } else { "To look at" };
        let notice = Notice {
            label: label.to_owned(),
            is_bad,
            goal: goal.map(|goal| named(facts, goal)),
            sentences: vec![remark.short.clone()],
            command: remark.command.clone(),
        };
        if is_bad { &mut bad } else { &mut others }.push(notice);
    }
    notices.append(&mut bad);
    notices.extend(facts.shown().filter_map(|goal| rejected(facts, goal)));
    notices.append(&mut others);
    if notices.len() > MOST {
        let more = notices.len() - MOST;
        notices.truncate(MOST);
        let label = format!("{more} more");
        notices.push(Notice { label, command: Some("plan list --all".to_owned()), ..Notice::default() });
    }
    notices
}

fn named(facts: &ReportFacts<'_, '_>, goal: GoalRef<'_, '_>) -> (String, String, String) {
    (goal.subject().to_owned(), goal.name().to_owned(), facts.anchor(goal).to_owned())
}

/// The notice about an active goal that was rejected more than once since its start.
fn rejected(facts: &ReportFacts<'_, '_>, goal: GoalRef<'_, '_>) -> Option<Notice> {
    if facts.state(goal) != GoalState::Active {
        return None;
    }
    let history = facts.history(goal);
    let start =
        history.iter().rposition(|dated| matches!(dated.event, GoalEvent::Started(_) | GoalEvent::SignedOff(_)));
    let rejections = || {
        history[start.map_or(0, |at| at + 1)..].iter().filter_map(|dated| match dated.event {
            GoalEvent::Rejected { by, why } => Some((dated.at, by, why)),
            _ => None,
        })
    };
    let count = rejections().count();
    let (at, by, why) = rejections().next_back().filter(|_| count > 1)?;
    let times = if count == 2 { "twice".to_owned() } else { format!("{count} times") };
    Some(Notice {
        label: format!("Rejected {times}"),
        is_bad: false,
        goal: Some(named(facts, goal)),
        sentences: vec![format!("Last by {}, {}: {why}", by.describe(), stamp::day_and_time(at))],
        command: None,
    })
}
