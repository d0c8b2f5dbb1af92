//! Finds text in a plan that was probably meant differently (`CLI.md`, `plan lint`). No finding stops a plan from being read.
//!
//! The command itself checks whether `verify` can be split into words and whether it is trivial: that knowledge belongs to other
//! modules.

mod agreed;
mod checks;
mod front;
mod goals;
mod log;
mod near;
pub mod quality;
mod steps;

pub use near::Lost;

use std::cell::OnceCell;
use std::collections::HashSet;

use super::change::{self, Change};
use super::model::{GoalRef, Key, LintFinding, Plan, Severity, Span};
use super::rules::GoalRecords;
use super::snippet::Places;

/// The code of the finding about a goal whose id another goal already has.
pub const DUPLICATE_ID: &str = "duplicate-id";

/// The number of findings after which no more suggestions are looked up: each look-up reads the whole plan.
const ASKED: usize = 20;

/// Returns all findings, sorted by place; at the same place, the most severe comes first.
pub fn lint(plan: &Plan<'_>) -> Vec<LintFinding> {
    let mut found = Findings { list: plan.findings.clone() };
    front::check(plan, &mut found);
    goals::check(plan, &mut found);
    steps::check(plan, &mut found);
    log::check(plan, &mut found);
    let lost = near::check(plan, &mut found);
    let lost: HashSet<_> = lost.into_iter().filter_map(|lost| lost.field).collect();
    found.list.retain(|finding| !is_lost(plan, finding, &lost));
    agreed::check(plan, &mut found);
    found.sorted()
}

/// Returns the lines that were meant as a field or a goal which the plan lacks otherwise. Makes one pass over the lines of the plan.
pub fn lost(plan: &Plan<'_>) -> Vec<Lost> {
    near::check(plan, &mut Findings { list: Vec::new() })
}

/// Whether a finding asks for a field that is there, but is not read. Only the finding about its spelling helps then.
fn is_lost(plan: &Plan<'_>, finding: &LintFinding, lost: &HashSet<(usize, Key)>) -> bool {
    let key = match finding.code {
        "no-status" => Key::Status,
        "no-done-when" => Key::DoneWhen,
        "no-failure-modes" => Key::FailureModes,
        _ => return false,
    };
    let goal = plan.goals.partition_point(|goal| goal.body.end <= finding.span.start);
    lost.contains(&(goal, key))
}

/// Returns the findings that are errors, sorted by place, for the task list. Cheaper than [`lint`], because it skips prose.
pub fn errors(plan: &Plan<'_>) -> Vec<LintFinding> {
    let mut found = Findings { list: plan.findings.clone() };
    front::check(plan, &mut found);
    goals::check_errors(plan, &mut found);
    steps::check(plan, &mut found);
    let mut found = found.sorted();
    found.retain(|finding| finding.severity == Severity::Error);
    found
}

/// Returns the changes of `plan lint --fix`: ids for goals without one, and free numbers for steps whose number an earlier step has.
pub fn fixes(plan: &Plan<'_>) -> Vec<Change> {
    let goals = plan.all_goals().filter(|goal| goal.id().is_none()).map(|goal| Change::AddId { goal: goal.index() });
    let steps = steps::renumberable(plan).into_iter().map(|step| Change::AddNumber { step });
    // A goal with a repeated field cannot be written to; that must not stop the fixes of other goals.
    let steps = steps.filter(|step| change::edits(plan, std::slice::from_ref(step)).is_ok());
    goals.chain(steps).collect()
}

/// Returns findings about unfinished goals below `# Archive`: no list shows them, and nobody works on them. A goal without a status
/// and without a contract in the log is left out: it was archived by hand, before anything was logged.
pub fn archived_open(plan: &Plan<'_>) -> Vec<LintFinding> {
    let is_open = |goal: &GoalRef<'_, '_>| goal.raw().archived && !goal.status().is_finished();
    let record = OnceCell::new();
    let is_known = |goal: &GoalRef<'_, '_>| {
        goal.field(Key::Status).is_some() || record.get_or_init(|| GoalRecords::new(plan)).contract(*goal).is_some()
    };
    plan.all_goals().filter(is_open).filter(is_known).map(goals::archived_open).collect()
}

/// Returns the messages of the errors that a changed plan has and the plan before did not have.
pub fn new_errors(plan: &Plan<'_>, after: &Plan<'_>) -> Vec<String> {
    let mut new = errors(after);
    if new.is_empty() {
        return Vec::new();
    }
    let mut before = errors(plan);
    // Each old error excuses one error of the changed plan. Those with the same message go first: the number of a line in a
    // message may have changed with the lines above it, so of the others the code alone is compared.
    for is_by_message in [true, false] {
        new.retain(|error| {
            let same = |old: &LintFinding| old.code == error.code && (!is_by_message || old.message == error.message);
            before.iter().position(same).map(|at| before.swap_remove(at)).is_none()
        });
    }
    new.into_iter().map(|error| error.message).collect()
}

impl Severity {
    /// The word in the output.
    pub const fn word(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// The findings so far.
struct Findings {
    list: Vec<LintFinding>,
}

impl Findings {
    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>, remedy: impl Into<String>) {
        self.add(Severity::Error, code, span, message, remedy);
    }

    fn warning(&mut self, code: &'static str, span: Span, message: impl Into<String>, remedy: impl Into<String>) {
        self.add(Severity::Warning, code, span, message, remedy);
    }

    fn note(&mut self, code: &'static str, span: Span, message: impl Into<String>, remedy: impl Into<String>) {
        self.add(Severity::Note, code, span, message, remedy);
    }

    fn add(
        &mut self,
        severity: Severity,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        self.list.push(LintFinding { code, severity, span, message: message.into(), remedy: remedy.into() });
    }

    fn sorted(mut self) -> Vec<LintFinding> {
        self.list.sort_by_key(|finding| (finding.span.start, std::cmp::Reverse(finding.severity), finding.code));
        self.list
    }
}

/// Returns the line numbers of many spans in one pass; the spans must be in file order.
fn lines_of(plan: &Plan<'_>, spans: impl Iterator<Item = Span>) -> Vec<usize> {
    let mut places = Places::new(plan.source);
    spans.map(|span| places.of(span.start as usize).0).collect()
}

/// Quotes a text for a message: on one line, at most 60 characters.
fn quoted(text: &str) -> String {
    let short: String = text.chars().filter(|c| !c.is_control()).take(60).collect();
    if short.len() < text.len() && short.chars().count() == 60 { format!("`{short}…`") } else { format!("`{short}`") }
}

#[cfg(test)]
mod tests;
