//! The end of the list: the last log line, and the next thing to do.

use super::List;
use crate::plan::log::folded;
use crate::plan::model::{GoalRef, Status};
use crate::plan::rules::{self, PlanState, obstacle, step_to_do, workable};
use crate::plan::view::board::short_stamp;
use crate::plan::view::layout::{self, Row};
use crate::plan::view::{Sink, Style, numbered};

impl List<'_, '_> {
    /// Writes the last log line and the next action.
    pub(super) fn tail(&self, sink: &mut impl Sink) {
        let last = self.plan.log_lines().next_back();
        let next = if rules::state(self.plan) == PlanState::Guide { self.next() } else { self.next_in_order() };
        if last.is_some() || next.is_some() {
            sink.newline();
        }
        if let Some((stamp, text)) = last {
            let text = format!("{}  {}", short_stamp(stamp), folded(text));
            Row::new(6).with(Style::Dim, "last  ").with(Style::Plain, text).put(self.screen, sink);
        }
        if let Some(next) = next {
            Row::new(6).with(Style::Dim, "next  ").with(Style::Plain, next).put(self.screen, sink);
        }
    }

    /// A command as the caller would type it.
    pub(super) fn typed(&self, command: &str) -> String {
        layout::typed(command, &self.listing.options)
    }

    fn next_in_order(&self) -> Option<String> {
        rules::next_in_order(self.plan).map(|next| self.typed(&next))
    }

    fn next(&self) -> Option<String> {
        let Some(goal) = workable(self.plan).into_iter().next() else {
            let waiting = self.plan.live_goals().find(|goal| !goal.status().is_finished())?;
            let missing = self.board.needs.missing(waiting).join(", ");
            return Some(format!("nothing is ready: {} waits for {missing}", waiting.name()));
        };
        if goal.status() == Status::Open {
            let start = self.typed(&format!("plan goal start {}", goal.typed()));
            return Some(self.refused(goal, "starting").unwrap_or(start));
        }
        let (settled, steps) = goal.progress();
        match step_to_do(goal).and_then(|at| self.plan.step(at)) {
            Some(step) => Some(numbered(step)),
            None if steps > 0 && settled == steps => {
                let complete = self.typed(&format!("plan complete {}", goal.typed()));
                Some(self.refused(goal, "its sign-off").unwrap_or(complete))
            }
            None => Some(goal.subject().to_owned()),
        }
    }

    /// The next command if the plan in its current state would refuse the command for `what`.
    fn refused(&self, goal: GoalRef<'_, '_>, what: &str) -> Option<String> {
        let body = goal.raw().body.range();
        let unfit = || self.listing.unfit.iter().find(|span| body.contains(&(span.start as usize))).copied();
        let Some(span) = obstacle(goal).or_else(unfit) else { return self.board.remarks.lost(goal) };
        let line = self.plan.line_of(span.start as usize);
        Some(self.typed(&format!("plan lint   (line {line} keeps {} from {what})", goal.name())))
    }
}
