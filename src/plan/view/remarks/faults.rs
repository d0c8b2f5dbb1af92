//! Faults of the file itself: lint errors, and lines that were meant as a field or a goal but are read as something else.

use std::collections::HashMap;

use crate::plan::lint;
use crate::plan::model::{GoalRef, LintFinding, Plan, Span, Status};
use crate::plan::snippet::Places;
use crate::plan::text::counted;

/// The command that reports each of these lines and what to write there.
const LINT: &str = "plan lint";

/// A remark about a goal or the plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The full sentence for `--json`, with the goal's name and digests.
    pub sentence: String,
    /// The text that is shown below the goal, without digests.
    pub short: String,
    /// The command that fixes it.
    pub command: Option<String>,
}

/// The faults of a plan.
#[derive(Debug, Default)]
pub(super) struct Faults {
    /// For each index of a goal: the first line that was meant as a field, its message, and the number of such lines.
    lost: HashMap<usize, (Span, String, usize)>,
    /// For each index of a goal: the remark that another goal has the same id.
    shared: HashMap<usize, Remark>,
    /// All other remarks, each with the index of the goal that contains it.
    pub(super) others: Vec<(Option<usize>, Remark)>,
}

impl Faults {
    pub(super) fn new(plan: &Plan<'_>) -> Self {
        let (mut faults, mut places) = (Faults::default(), Places::new(plan.source));
        let mut told = |finding: &LintFinding| {
            let (line, _) = places.of(finding.span.start as usize);
            format!("line {line}: {}", finding.message)
        };
        let (errors, lost) = (lint::errors(plan), lint::lost(plan));
        for finding in &errors {
            let sentence = told(finding);
            let at = plan.goals.partition_point(|goal| goal.body.end <= finding.span.start);
            let goal = plan.goals.get(at).filter(|goal| goal.body.start <= finding.span.start && !goal.archived);
            let command = Some(finding.remedy.clone()).filter(|_| finding.code == lint::DUPLICATE_ID);
            let remark = Remark { short: sentence.clone(), sentence, command };
            match goal.filter(|_| remark.command.is_some()) {
                Some(_) => drop(faults.shared.insert(at, remark)),
                None => faults.others.push((goal.map(|_| at), remark)),
            }
        }
        faults.share(plan, &errors);
        for lost in lost {
            let sentence = told(&lost.finding);
            match lost.field {
                Some((goal, _)) => faults.lost.entry(goal).or_insert((lost.finding.span, sentence, 0)).2 += 1,
                None => {
                    let sentence = format!("{sentence} ({LINT})");
                    faults.others.push((None, Remark { short: sentence.clone(), sentence, command: None }));
                }
            }
        }
        faults
    }

    /// Adds the remark about a shared id to the first goal with this id too.
    fn share(&mut self, plan: &Plan<'_>, errors: &[LintFinding]) {
        let mut by_id: HashMap<&str, Remark> = HashMap::new();
        for finding in errors.iter().filter(|finding| finding.code == lint::DUPLICATE_ID) {
            let id = plan.text(finding.span);
            by_id.entry(id).or_insert_with(|| {
                let sentence = format!("another goal has the id `{id}` too");
                Remark { short: sentence.clone(), sentence, command: Some(finding.remedy.clone()) }
            });
        }
        if by_id.is_empty() {
            return;
        }
        for goal in plan.live_goals() {
            let twice = goal.id().and_then(|id| by_id.get(id));
            if let Some(remark) = twice.filter(|_| !self.shared.contains_key(&goal.index())) {
                self.shared.insert(goal.index(), remark.clone());
            }
        }
    }

    /// Returns the faults to mend in the file before anything else is done about a goal, then the other remarks about it. A goal with
    /// a shared id gets no other remarks: the log does not tell which of the goals it means. While a field is not read, no other
    /// command is shown: it would record that the field was dropped.
    pub(super) fn before(&self, goal: GoalRef<'_, '_>, others: impl FnOnce() -> Vec<Remark>) -> Vec<Remark> {
        let mut found = match self.shared.get(&goal.index()) {
            Some(shared) => vec![shared.clone()],
            None => others(),
        };
        let is_calm = goal.status() == Status::Cancelled || goal.status() == Status::Done && found.is_empty();
        if let Some((_, sentence, count)) = self.lost.get(&goal.index()).filter(|_| !is_calm) {
            found.iter_mut().for_each(|other| other.command = None);
            let more =
                if *count > 1 { format!(" (and {} more)", counted(count - 1, "such line")) } else { String::new() };
            let sentence = format!("{sentence}{more}");
            found.insert(0, Remark { short: sentence.clone(), sentence, command: Some(LINT.to_owned()) });
        }
        found
    }

    /// The next command for a goal with a line that was meant as a field.
    pub(super) fn lost(&self, goal: GoalRef<'_, '_>) -> Option<String> {
        let (span, ..) = self.lost.get(&goal.index())?;
        let line = goal.plan().line_of(span.start as usize);
        Some(format!("{LINT}   (line {line} of {} is not read as it was meant)", goal.name()))
    }
}
