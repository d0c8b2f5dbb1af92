//! `plan report`: the content of a report, in the order of a reader's questions, and the report as one HTML page or as Markdown.
//!
//! Pure: takes a plan and the records of its sign-offs, returns text. It reads no clock, so the same input gives the same bytes;
//! the time axis ends at the last stamp of the log. All text of the plan is hostile: `page` lists the defences.

mod attention;
mod changes;
mod facts;
mod goal;
mod graph;
mod log;
mod page;
mod prose;
mod stamp;
mod summary;
#[cfg(test)]
mod tests;
mod timeline;

use serde::Serialize;

use crate::audit::records::Records;
use crate::plan::Plan;

use self::attention::Notice;
use self::facts::{GoalState, ReportFacts};
use self::goal::ReportGoal;
use self::graph::Graph;
use self::log::Log;
use self::timeline::Timeline;

pub use page::GENERATOR;

/// The plan file of a report.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ReportOrigin {
    /// Its name in messages.
    pub file: String,
    /// The last commit, abbreviated; `None` if there is no commit.
    pub commit: Option<String>,
    /// The branch; `None` on a detached HEAD or without git.
    pub branch: Option<String>,
    /// Whether the file differs from that commit.
    pub is_changed: bool,
}

/// A report.
#[derive(Debug, Serialize)]
pub struct Report {
    origin: ReportOrigin,
    title: String,
    /// The plan's progress, in a few sentences.
    lead: String,
    counts: Counts,
    /// The notices to look at first.
    attention: Vec<Notice>,
    /// Prose below the objective, as Markdown.
    prose: String,
    /// Not covered, active, open, signed off, cancelled.
    goals: Vec<ReportGoal>,
    /// The number of archived goals, which are left out.
    archived: usize,
    graph: Graph,
    timeline: Timeline,
    log: Log,
}

/// The number of goals in each state.
#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Counts {
    signed_off: usize,
    not_covered: usize,
    active: usize,
    open: usize,
    cancelled: usize,
}

impl Counts {
    fn new(facts: &ReportFacts<'_, '_>) -> Self {
        let count = |state: GoalState| facts.shown().filter(|goal| facts.state(*goal) == state).count();
        Counts {
            signed_off: count(GoalState::SignedOff),
            not_covered: count(GoalState::NotCovered),
            active: count(GoalState::Active),
            open: count(GoalState::Open),
            cancelled: count(GoalState::Cancelled),
        }
    }

    fn of(&self, state: GoalState) -> usize {
        match state {
            GoalState::NotCovered => self.not_covered,
            GoalState::Active => self.active,
            GoalState::Open => self.open,
            GoalState::SignedOff => self.signed_off,
            GoalState::Cancelled => self.cancelled,
        }
    }

    /// The number of goals without cancelled ones, which do not count as progress.
    fn all(&self) -> usize {
        self.signed_off + self.not_covered + self.active + self.open
    }

    fn lead(&self, archived: usize) -> String {
        let all = self.all();
        let mut lead = match (all, self.signed_off) {
            (0, _) => return self.none_left(archived),
            (1, 1) => "The one goal is signed off.".to_owned(),
            (1, 0) => "The one goal is not signed off.".to_owned(),
            (all, signed) if all == signed => format!("All {all} goals are signed off."),
            (all, 1) => format!("1 of {all} goals is signed off."),
            (all, signed) => format!("{signed} of {all} goals are signed off."),
        };
        match self.active {
            0 => {}
            1 => lead += " One is being worked on.",
            active => lead += &format!(" {active} are being worked on."),
        }
        match self.not_covered {
            0 => {}
            1 => lead += " One says done and is not covered by a sign-off.",
            count => lead += &format!(" {count} say done and are not covered by a sign-off."),
        }
        lead
    }

    /// The lead for a plan in which no goal counts.
    fn none_left(&self, archived: usize) -> String {
        let state = match (self.cancelled, archived) {
            (0, 0) => return "No goals yet.".to_owned(),
            (_, 0) => "cancelled",
            (0, _) => "archived",
            _ => "cancelled or archived",
        };
        match self.cancelled + archived {
            1 => format!("The one goal is {state}."),
            all => format!("All {all} goals are {state}."),
        }
    }
}

impl Report {
    /// The report about a plan.
    pub fn new(plan: &Plan<'_>, origin: ReportOrigin, records: &Records) -> Self {
        let facts = ReportFacts::new(plan, records);
        let counts = Counts::new(&facts);
        let archived = plan.all_goals().len() - facts.shown().count();
        let title = plan.objective().filter(|text| !text.is_empty()).unwrap_or("A plan without an objective");
        Report {
            title: title.to_owned(),
            lead: counts.lead(archived),
            counts,
            attention: attention::notices(&facts),
            prose: prose::of_plan(plan),
            goals: goal::goals(&facts),
            archived,
            graph: graph::graph(&facts),
            timeline: timeline::timeline(&facts),
            log: log::log(&facts),
            origin,
        }
    }

    /// One HTML page that loads nothing.
    pub fn html(&self) -> String {
        page::page(self)
    }

    /// A summary as Markdown.
    pub fn markdown(&self) -> String {
        summary::summary(self)
    }
}
