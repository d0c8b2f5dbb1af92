//! Counts over a plan's goals and log: how often sign-offs were accepted and rejected, and how long goals took.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::log::{GoalEvent, LogLine, Rejecter, StepEnd};
use super::model::{Mark, Plan};

/// The counts of a plan.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Stats {
    /// Goals by their status, including archived goals.
    pub goals: BTreeMap<&'static str, usize>,
    /// Sign-offs; a reopened goal may have several.
    pub sign_offs: usize,
    /// Goals that were signed off at least once.
    pub signed_off: usize,
    /// Goals that were not rejected before their first sign-off.
    pub first_try: usize,
    /// Rejections by their reason: `verify exit 1`, `gate trivial`, `oracle claude`.
    pub rejections: BTreeMap<String, usize>,
    /// Checks in which a judge gave no verdict.
    pub inconclusive: usize,
    /// Reopenings of goals.
    pub reopened: usize,
    /// Steps by their end: `complete`, `failed`, `skipped`, `retried`.
    pub steps: BTreeMap<&'static str, usize>,
    /// Amendments of the contracts of running goals.
    pub amendments: usize,
    /// Amendments that loosened the contract.
    pub loosened: usize,
    /// Approvals of the plan.
    pub approvals: usize,
    /// Proposed changes of an approved contract.
    pub proposals: usize,
    /// Rewinds.
    pub rewinds: usize,
    /// Pauses.
    pub pauses: usize,
    /// The stamps of the first start of a goal and of its first sign-off, for each goal that has both.
    #[serde(skip)]
    pub courses: Vec<(String, String)>,
}

/// The course of one goal, as far as the log was read.
#[derive(Default)]
struct Course<'p> {
    started: Option<&'p str>,
    is_rejected: bool,
    is_signed_off: bool,
}

impl Stats {
    /// Counts a plan.
    pub fn of(plan: &Plan<'_>) -> Self {
        let mut stats = Stats::default();
        plan.all_goals().for_each(|goal| *stats.goals.entry(goal.status().word()).or_default() += 1);
        // Complete and skipped steps are counted by their marks, because the log has only the ends with a text.
        for step in plan.steps.iter().filter(|step| step.mark.is_settled()) {
            let word = if step.mark == Mark::Complete { StepEnd::Complete } else { StepEnd::Skipped }.word();
            *stats.steps.entry(word).or_default() += 1;
        }
        let mut courses: HashMap<&str, Course<'_>> = HashMap::new();
        for (stamp, text) in plan.log_lines() {
            match LogLine::parse(text) {
                Some(LogLine::Goal { id, event }) => stats.goal(courses.entry(id).or_default(), stamp, event),
                Some(LogLine::Step { end, .. }) if !matches!(end, StepEnd::Complete | StepEnd::Skipped) => {
                    *stats.steps.entry(end.word()).or_default() += 1;
                }
                Some(LogLine::Approved(_)) => stats.approvals += 1,
                Some(LogLine::Proposed { .. }) => stats.proposals += 1,
                Some(LogLine::Rewound { .. }) => stats.rewinds += 1,
                Some(LogLine::Paused { .. }) => stats.pauses += 1,
                _ => {}
            }
        }
        stats
    }

    fn goal<'p>(&mut self, course: &mut Course<'p>, stamp: &'p str, event: GoalEvent<'_>) {
        match event {
            GoalEvent::Started(_) => drop(course.started.get_or_insert(stamp)),
            GoalEvent::SignedOff(_) => {
                self.sign_offs += 1;
                if std::mem::replace(&mut course.is_signed_off, true) {
                    return;
                }
                self.signed_off += 1;
                self.first_try += usize::from(!course.is_rejected);
                self.courses.extend(course.started.map(|started| (started.to_owned(), stamp.to_owned())));
            }
            GoalEvent::Rejected { by, .. } => {
                course.is_rejected = true;
                let reason = match by {
                    Rejecter::Verify(ended) => format!("verify {ended}"),
                    Rejecter::Gate(code) => format!("gate {code}"),
                    Rejecter::Oracle(judge) => format!("oracle {judge}"),
                };
                *self.rejections.entry(reason).or_default() += 1;
            }
            GoalEvent::Inconclusive { .. } => self.inconclusive += 1,
            GoalEvent::Reopened { .. } => self.reopened += 1,
            GoalEvent::Amended(amended) => {
                self.amendments += 1;
                self.loosened += usize::from(amended.what.contains("loosened"));
            }
            GoalEvent::Added { .. } | GoalEvent::Cancelled { .. } => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::parse;

    const LOG: &str = "\
# Plan: p

## Goal: A
<!-- id: a-1 -->
status: done
- [x] 1. one — ok
- [x] 2. two
- [-] 3. three
- [ ] 4. four

## Goal: B
<!-- id: b-1 -->
status: active

## Log
- 2026-06-15 10:00  a-1 started (contract 0123456789ab, at none, tree none, verify red exit 1)
- 2026-06-15 10:01  step 1 complete: ok
- 2026-06-15 10:02  a-1 rejected (verify exit 1): no
- 2026-06-15 10:03  a-1 rejected (gate trivial): no
- 2026-06-15 10:04  a-1 rejected (verify exit 1): no
- 2026-06-15 10:05  a-1 amended (loosened: failure mode dropped; contract 0123456789ab -> 1123456789ab)
- 2026-06-15 12:05  a-1 signed off (verify green 2.1s, gate fast, oracle accept by checks, contract 0123456789ab, tree none, at none)
- 2026-06-15 12:06  b-1 started (contract 0123456789ab, at none, tree none, verify none)
- 2026-06-15 12:16  b-1 signed off (verify none, gate fast, oracle accept by checks, contract 0123456789ab, tree none, at none)
- 2026-06-15 12:17  b-1 reopened (was done)
- 2026-06-15 12:18  rewound to step 3 (checkpoint 7, 14 files: read them again)
- 2026-06-15 12:19  somebody's own line: rejected (verify exit 1): no
";

    #[test]
    fn the_log_is_counted() {
        let stats = Stats::of(&parse(LOG.as_bytes()).unwrap());
        assert_eq!((stats.sign_offs, stats.signed_off, stats.first_try), (2, 2, 1));
        let rejections: Vec<(&str, usize)> = stats.rejections.iter().map(|(why, count)| (&**why, *count)).collect();
        assert_eq!(rejections, [("gate trivial", 1), ("verify exit 1", 2)]);
        assert_eq!((stats.amendments, stats.loosened, stats.reopened, stats.rewinds), (1, 1, 1, 1));
        let courses: Vec<(&str, &str)> = stats.courses.iter().map(|(from, to)| (&from[11..], &to[11..])).collect();
        assert_eq!(courses, [("10:00", "12:05"), ("12:06", "12:16")]);
        // One of the two complete steps left no line in the log.
        assert_eq!((stats.steps.get("complete"), stats.steps.get("skipped")), (Some(&2), Some(&1)));
        assert_eq!(Stats::of(&parse(b"# Plan: p\n").unwrap()), Stats::default());
    }
}
