//! What decides without a model: one file a check, findings that block and leads for the judge (`SIGNOFF.md` §3).

mod approved_tests_red;
mod autoload_added;
mod base_missing;
mod canary_survived;
mod check_red;
mod clean_replay_red;
mod contract_changed;
mod evidence_ignored;
mod evidence_old;
pub mod facts;
pub mod failed;
pub mod fast;
mod fewer_tests;
pub mod full;
mod git_hides;
pub mod harness;
mod leads;
mod leaves_processes;
mod more_skips;
pub mod mutate;
mod never_red;
mod no_change;
mod no_mutant_killed;
pub mod nothing_ran;
mod open_steps;
mod remedy;
mod runner_moved;
mod start_missing;
pub mod start_uncommitted;
mod tree_moved;
pub mod trivial;
mod unread_item;

use serde::Serialize;

/// How much of the gate is asked for; a row may be a lead at one depth and a block at the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Depth {
    /// No run of verify is added.
    #[default]
    Fast,
    /// Verify is run again, in clean exports.
    Full,
}

impl Depth {
    /// The level of a row that is a lead at `fast` and a block at `full`.
    pub fn level(self) -> Level {
        match self {
            Depth::Fast => Level::Lead,
            Depth::Full => Level::Block,
        }
    }
}

/// Whether a finding stops the sign-off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Rejected; no model is called.
    Block,
    /// For the judge and the reader.
    Lead,
}

/// What a check saw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The row of `SIGNOFF.md` §3.
    pub code: &'static str,
    /// Whether it blocks.
    pub level: Level,
    /// `file` or `file:line`, where it has a place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// What was expected.
    pub expected: String,
    /// What was seen.
    pub seen: String,
    /// What would resolve it.
    pub resolve: String,
}

impl Finding {
    /// A finding that blocks.
    pub fn block(code: &'static str, expected: &str, seen: impl Into<String>, resolve: &str) -> Self {
        Finding {
            code,
            level: Level::Block,
            place: None,
            expected: expected.into(),
            seen: seen.into(),
            resolve: resolve.into(),
        }
    }

    /// A finding that is only a lead.
    pub fn lead(code: &'static str, expected: &str, seen: impl Into<String>, resolve: &str) -> Self {
        Finding { level: Level::Lead, ..Finding::block(code, expected, seen, resolve) }
    }

    /// At another level.
    #[must_use]
    pub fn level(mut self, level: Level) -> Self {
        self.level = level;
        self
    }

    /// A finding of a row that is a lead in the fast gate and blocks in the full one.
    pub fn of(depth: Depth, code: &'static str, expected: &str, seen: impl Into<String>, resolve: &str) -> Self {
        Finding { level: depth.level(), ..Finding::block(code, expected, seen, resolve) }
    }

    /// At a place.
    #[must_use]
    pub fn at(mut self, place: impl Into<String>) -> Self {
        self.place = Some(place.into());
        self
    }

    /// One line for people: `tree-moved: src/a.rs: seen; expected …`.
    pub fn line(&self) -> String {
        let place = self.place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default();
        format!("{}: {place}{}", self.code, self.seen)
    }
}
