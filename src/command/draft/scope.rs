//! The goals that a draft may replace, and how the draft is checked and written.

use crate::agent::draft::Faults;
use crate::error::Result;
use crate::plan::change::{self, Change};
use crate::plan::draft::{self, DraftChanges};
use crate::plan::lint::quality;
use crate::plan::log::LogLine;
use crate::plan::rules::{self, PlanRequest, PlanState};
use crate::plan::{Plan, edit, lint, parse};
use crate::signoff::advice;
use crate::store::Place;

/// The longest objective, in bytes, that goes into the plan's heading as given.
const HEADING: usize = 120;

/// The goals that make room for a draft.
#[derive(Debug, Default)]
pub(super) struct DraftScope {
    /// The goals that are replaced.
    replaced: Vec<usize>,
    /// The goals that move below the archive.
    archived: Vec<usize>,
    /// True if the log has the approval of an earlier plan, which ends now.
    clears: bool,
}

impl DraftScope {
    /// Returns `None` if there are unfinished goals and `force` is not set.
    ///
    /// # Errors
    /// [`crate::error::Kind::Refused`]: the approved plan is in progress.
    pub(super) fn of(plan: &Plan<'_>, force: bool) -> Result<Option<Self>> {
        rules::allow(plan, PlanRequest::Draft)?;
        if rules::unfinished(plan).next().is_some() {
            return Ok(force.then(|| DraftScope { replaced: draft::replaceable(plan), ..DraftScope::default() }));
        }
        let clears = rules::Approvals::read(plan).newest.is_some_and(|(_, approval)| approval.steps.is_some());
        Ok(Some(DraftScope { archived: draft::archivable(plan), clears, ..DraftScope::default() }))
    }
}

/// The data for checking and writing a draft.
pub(super) struct Writing<'a> {
    /// The plan before the draft.
    pub(super) plan: &'a Plan<'a>,
    /// The goals that make room.
    pub(super) scope: &'a DraftScope,
    /// The person's own words, if they gave any.
    pub(super) objective: &'a str,
    /// The time stamp for log lines.
    pub(super) stamp: String,
    /// The place of plan.md.
    pub(super) place: &'a Place,
}

impl Writing<'_> {
    /// Returns the faults of a draft.
    ///
    /// # Errors
    /// Never for a fault of the draft itself: those are returned as faults.
    pub(super) fn check(&self, text: &str) -> Result<Faults> {
        Ok(self.faults(text).unwrap_or_else(|error| Faults { errors: vec![error.message], warnings: Vec::new() }))
    }

    fn faults(&self, text: &str) -> Result<Faults> {
        let parsed = parse(text.as_bytes())?;
        let gone = [self.scope.replaced.as_slice(), self.scope.archived.as_slice()].concat();
        let errors = draft::faults(self.plan, &parsed, &gone);
        if !errors.is_empty() {
            return Ok(Faults { errors, warnings: Vec::new() });
        }
        let drafted = self.changes(&parsed)?;
        let bytes = edit::apply(self.plan.source, &change::edits(self.plan, &drafted.changes)?)?;
        let written = parse(&bytes)?;
        let mut findings = lint::lint(&written);
        findings.extend(advice::findings(&written));
        if rules::state(&written) != PlanState::Guide {
            findings.extend(rules::violations(&written));
        }
        let (mut errors, mut warnings) = draft::describe_findings(&written, &drafted.ids, &findings);
        // Errors that other goals then have: a goal that they need is gone.
        for error in lint::new_errors(self.plan, &written) {
            if !errors.iter().any(|told| told.contains(&error)) {
                errors.push(error);
            }
        }
        let expected = self.plan.goals.len() - self.scope.replaced.len() + drafted.ids.len();
        if written.goals.len() != expected {
            errors.push("a part of it would be read as another goal: put the prose above the first goal".to_owned());
        }
        warnings.extend(quality::dead_references(&parsed, &|path| self.place.line_count(path)));
        Ok(Faults { errors, warnings })
    }

    /// Returns the changes of a draft without faults.
    ///
    /// # Errors
    /// As [`draft::changes`].
    pub(super) fn drafted(&self, text: &str) -> Result<DraftChanges> {
        self.changes(&parse(text.as_bytes())?)
    }

    fn changes(&self, draft: &Plan<'_>) -> Result<DraftChanges> {
        let stays = self.plan.live_goals().count() > self.scope.replaced.len() + self.scope.archived.len();
        let own = Some(self.objective).filter(|text| !text.is_empty() && text.len() <= HEADING);
        let drafts_own = || draft.objective().filter(|_| !self.objective.is_empty());
        let objective = if stays { None } else { own.or_else(drafts_own) };
        let mut drafted = draft::changes(self.plan, draft, &self.scope.replaced, objective, &self.stamp)?;
        let mut first = Vec::new();
        if !self.scope.archived.is_empty() {
            first.push(Change::Archive { goals: self.scope.archived.clone() });
        }
        if self.scope.clears {
            let text = LogLine::Cleared { why: "a new plan was drafted" }.to_string();
            first.push(Change::AppendLog { stamp: self.stamp.clone(), text });
        }
        drafted.changes.splice(0..0, first);
        Ok(drafted)
    }
}
