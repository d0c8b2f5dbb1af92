//! What an audit has to say, and where in the plan file it stands.

use serde::Serialize;

use crate::plan::snippet::Places;
use crate::plan::text;

/// A text of the repository is shown up to so many characters.
const SHOWN: usize = 300;

/// Whether something speaks against the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Something that must not be: exit 1.
    Finding,
    /// Something that a reader should know.
    Note,
}

/// One thing that was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// A stable word such as `hand-ticked`.
    pub code: &'static str,
    /// Whether it counts.
    pub level: Level,
    /// The id of the goal that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    /// Line of the plan file, from 1.
    pub line: usize,
    /// What was expected.
    pub expected: String,
    /// What was seen.
    pub seen: String,
    /// What would resolve it.
    pub resolve: String,
    #[serde(skip)]
    at: usize,
}

impl Finding {
    /// Something that must not be.
    pub(super) fn new(
        code: &'static str,
        at: usize,
        seen: impl Into<String>,
        expected: impl Into<String>,
        resolve: impl Into<String>,
    ) -> Self {
        Finding {
            code,
            level: Level::Finding,
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
        Finding { level: Level::Note, ..Finding::new(code, at, seen, expected, resolve) }
    }

    /// It speaks against the plan.
    pub(super) fn counts(&self) -> bool {
        self.level == Level::Finding
    }

    /// About a goal, if there is one.
    #[must_use]
    pub(super) fn of<'g>(mut self, goal: impl Into<Option<&'g str>>) -> Self {
        self.goal = goal.into().map(str::to_owned);
        self
    }

    /// Only a note, where `note` says so.
    #[must_use]
    pub(super) fn only_note_if(mut self, note: bool) -> Self {
        if note {
            self.level = Level::Note;
        }
        self
    }
}

/// Sorts by place, what counts first where two stand at one place, and fills in the lines.
pub(super) fn placed(mut found: Vec<Finding>, source: &[u8]) -> Vec<Finding> {
    found.sort_by(|one, other| (one.at, one.level, one.code).cmp(&(other.at, other.level, other.code)));
    found.dedup();
    let mut places = Places::new(source);
    for finding in &mut found {
        finding.line = places.of(finding.at).0;
    }
    found
}

/// One line of at most so many characters.
pub(super) fn short(text: &str) -> String {
    text::shortened(&text::one_line(text), SHOWN)
}

/// Some names, the first few of them.
pub(super) fn names<'n>(all: impl IntoIterator<Item = &'n str>) -> String {
    const FIRST: usize = 5;
    let all: Vec<&str> = all.into_iter().collect();
    let shown = all.iter().take(FIRST).copied().collect::<Vec<_>>().join(", ");
    if all.len() > FIRST { format!("{shown} and {} more", all.len() - FIRST) } else { shown }
}
