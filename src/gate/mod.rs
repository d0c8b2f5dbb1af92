//! The gate: rows that decide without a model, one file per row. Some findings block, others are leads for the judge
//! (`SIGNOFF.md` §3).

mod alone;
mod approved_tests_red;
mod autoload_added;
mod canary_survived;
mod clean_replay_red;
mod contract_changed;
mod evidence;
pub mod facts;
pub mod full;
mod git_hides;
pub(crate) mod goal_text;
pub mod harness;
mod imports_tests;
mod integrity;
mod items;
pub(crate) mod leads;
mod never_red;
pub mod no_change;
mod no_mutant_killed;
mod no_waits;
mod remedy;
pub mod rows;
mod runner_moved;
mod settings_only;
mod source_text;
pub mod start;
mod subject_spoiled;
mod suppressed;
mod test_aware;
mod test_counts;
pub mod trivial;
mod verify_run;

use std::fmt;
use std::time::Duration;

use serde::Serialize;

use crate::config::{self, Config};

/// True if a measurement (`tests/gate/run.py --ablate`) leaves out the findings with this code.
#[cfg(feature = "ablate")]
fn is_left_out(code: &str) -> bool {
    std::env::var("PLAN_ABLATE").is_ok_and(|left_out| left_out == code)
}

/// Always false: only a build with the feature `ablate` can leave findings out.
#[cfg(not(feature = "ablate"))]
const fn is_left_out(_: &str) -> bool {
    false
}

/// How much of the gate runs. A row may be a lead in the fast gate and block in the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Depth {
    /// Does not run verify again.
    Fast,
    /// Runs as many rows of the full gate as fit into a minute, so that honest users do not wait long.
    #[default]
    Auto,
    /// Runs verify again in clean exports.
    Full,
}

impl Depth {
    /// The values of `--gate`.
    pub const WORDS: [&'static str; 3] = ["auto", "fast", "full"];

    /// Returns the depth for a word of [`Depth::WORDS`], or `None` for another word.
    pub fn from_word(word: &str) -> Option<Self> {
        [Depth::Auto, Depth::Fast, Depth::Full]
            .into_iter()
            .zip(Self::WORDS)
            .find_map(|(depth, own)| (own == word).then_some(depth))
    }

    /// Returns the level of a row that is a lead in the fast gate and blocks in the others.
    pub fn level(self) -> GateLevel {
        match self {
            Depth::Fast => GateLevel::Lead,
            Depth::Auto | Depth::Full => GateLevel::Block,
        }
    }

    /// Returns the total time that the additional runs of verify may take.
    pub fn budget(self, config: &Config) -> Duration {
        Duration::from_secs(match self {
            Depth::Fast => 0,
            Depth::Auto => config.gate_budget_auto.unwrap_or(config::AUTO_GATE_SECONDS),
            Depth::Full => config.gate_budget.unwrap_or(config::GATE_SECONDS),
        })
    }
}

/// The level of a finding, which decides whether it stops the sign-off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum GateLevel {
    /// The goal is rejected, and no model is called.
    Block,
    /// The judge and the reader see it; it does not stop the sign-off.
    Lead,
    /// The judge and the reader see it; it does not count against the work.
    Note,
}

/// The finding of a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GateFinding {
    /// The code of the row in `SIGNOFF.md` §3.
    pub code: &'static str,
    /// The level, which decides whether the finding blocks.
    pub level: GateLevel,
    /// The place, `file` or `file:line`, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The expected state.
    pub expected: String,
    /// The state that the row found.
    pub seen: String,
    /// How to resolve the finding.
    pub resolve: String,
    /// The rows that an `unresolved`, `not-reached` or `not-applicable` finding is about; `seen` begins with them too.
    #[serde(skip)]
    pub rows: Vec<String>,
}

/// A finding lists at most this many rows one by one.
const ROWS_NAMED: usize = 4;

impl GateFinding {
    /// Creates a finding that blocks.
    pub fn block(code: &'static str, expected: &str, seen: impl Into<String>, resolve: &str) -> Self {
        GateFinding {
            code,
            level: GateLevel::Block,
            place: None,
            expected: expected.into(),
            seen: seen.into(),
            resolve: resolve.into(),
            rows: Vec::new(),
        }
    }

    /// Creates a lead.
    pub fn lead(code: &'static str, expected: &str, seen: impl Into<String>, resolve: &str) -> Self {
        GateFinding { level: GateLevel::Lead, ..GateFinding::block(code, expected, seen, resolve) }
    }

    /// Creates a note, which does not count against the work.
    pub fn note(code: &'static str, expected: &str, seen: impl Into<String>, resolve: &str) -> Self {
        GateFinding::lead(code, expected, seen, resolve).level(GateLevel::Note)
    }

    /// Creates a note about a row that has nothing to look at.
    pub fn not_applicable(row: &str, why: &str) -> Self {
        let (expected, resolve) = ("something for the row to look at", "nothing to do");
        GateFinding::about("not-applicable", &[row], expected, why, resolve).level(GateLevel::Note)
    }

    /// Creates a lead that says why these rows decided nothing.
    fn about(code: &'static str, rows: &[&str], expected: &str, why: impl fmt::Display, resolve: &str) -> Self {
        let rows: Vec<String> = rows.iter().copied().map(str::to_owned).collect();
        let seen = format!("{}: {why}", listed(&rows));
        GateFinding { rows, ..GateFinding::lead(code, expected, seen, resolve) }
    }

    /// Sets the level of the finding.
    #[must_use]
    pub fn level(mut self, level: GateLevel) -> Self {
        self.level = level;
        self
    }

    /// Creates a finding that is a lead in the fast gate and blocks in the others.
    pub fn of(depth: Depth, code: &'static str, expected: &str, seen: impl Into<String>, resolve: &str) -> Self {
        GateFinding { level: depth.level(), ..GateFinding::block(code, expected, seen, resolve) }
    }

    /// Sets the place of the finding.
    #[must_use]
    pub fn at(mut self, place: impl Into<String>) -> Self {
        self.place = Some(place.into());
        self
    }

    /// Returns a short form of the finding, without `seen`: `tests-deleted: tests/a.py`, `unresolved: never-red`.
    pub fn brief(&self) -> String {
        match &self.place {
            _ if !self.rows.is_empty() => format!("{}: {}", self.code, listed(&self.rows)),
            Some(place) => format!("{}: {place}", self.code),
            None => self.code.to_owned(),
        }
    }

    /// Returns the finding as one line for the user: `tree-moved: src/a.rs: seen`.
    pub fn line(&self) -> String {
        let place = self.place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default();
        format!("{}: {place}{}", self.code, self.seen)
    }
}

/// Lists a few rows by name; of many rows, only the first one and the number of the others.
fn listed(rows: &[String]) -> String {
    match rows {
        [first, rest @ ..] if rest.len() >= ROWS_NAMED => format!("{first} and {} more rows", rest.len()),
        rows => rows.join(", "),
    }
}
