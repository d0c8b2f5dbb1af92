//! The findings of an audit, with their places in the plan file.

use serde::Serialize;

use crate::plan::snippet::Places;
use crate::plan::text;

/// The number of characters that are shown of a text from the repository.
const SHOWN: usize = 300;

/// Whether a finding counts against the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AuditLevel {
    /// A problem: exit 1.
    Finding,
    /// Something that a reader should know.
    Note,
}

/// One finding or note.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AuditFinding {
    /// A stable word such as `hand-ticked`.
    pub code: &'static str,
    /// Whether it counts against the plan.
    pub level: AuditLevel,
    /// The id of the goal that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    /// Line of the plan file, from 1.
    pub line: usize,
    /// The expected state.
    pub expected: String,
    /// The state that the audit saw.
    pub seen: String,
    /// The remedy.
    pub resolve: String,
    #[serde(skip)]
    at: usize,
}

impl AuditFinding {
    /// Creates a finding that counts.
    pub(super) fn new(
        code: &'static str,
        at: usize,
        seen: impl Into<String>,
        expected: impl Into<String>,
        resolve: impl Into<String>,
    ) -> Self {
        AuditFinding {
            code,
            level: AuditLevel::Finding,
            goal: None,
            line: 1,
            expected: short(&expected.into()),
            seen: short(&seen.into()),
            resolve: short(&resolve.into()),
            at,
        }
    }

    /// Something that a reader should know.
    pub(super) fn note(
        code: &'static str,
        at: usize,
        seen: impl Into<String>,
        expected: impl Into<String>,
        resolve: impl Into<String>,
    ) -> Self {
        AuditFinding { level: AuditLevel::Note, ..AuditFinding::new(code, at, seen, expected, resolve) }
    }

    pub(super) fn counts(&self) -> bool {
        self.level == AuditLevel::Finding
    }

    /// Sets the goal that the finding is about, if any.
    #[must_use]
    pub(super) fn of<'g>(mut self, goal: impl Into<Option<&'g str>>) -> Self {
        self.goal = goal.into().map(str::to_owned);
        self
    }

    /// Turns the finding into a note if `note` is true.
    #[must_use]
    pub(super) fn only_note_if(mut self, note: bool) -> Self {
        if note {
            self.level = AuditLevel::Note;
        }
        self
    }
}

/// Sorts by place (at the same place, findings come before notes) and fills in the line numbers.
pub(super) fn placed(mut found: Vec<AuditFinding>, source: &[u8]) -> Vec<AuditFinding> {
    found.sort_by(|one, other| (one.at, one.level, one.code).cmp(&(other.at, other.level, other.code)));
    found.dedup();
    let mut places = Places::new(source);
    for finding in &mut found {
        finding.line = places.of(finding.at).0;
    }
    found
}

/// Shortens a text to one line of at most [`SHOWN`] characters.
pub(super) fn short(text: &str) -> String {
    text::shortened(&text::one_line(text), SHOWN)
}

/// Joins the first names, and adds the number of the other names.
pub(super) fn names<'n>(all: impl IntoIterator<Item = &'n str>) -> String {
    const FIRST: usize = 5;
    let all: Vec<&str> = all.into_iter().collect();
    let shown = all.iter().take(FIRST).copied().collect::<Vec<_>>().join(", ");
    if all.len() > FIRST { format!("{shown} and {} more", all.len() - FIRST) } else { shown }
}
