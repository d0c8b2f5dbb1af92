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
pub mod failed_assertions;
pub mod fast;
mod fewer_tests;
pub mod full;
mod git_hides;
pub mod harness;
pub(in crate::signoff) mod leads;
mod leaves_processes;
mod more_skips;
pub mod mutate;
mod never_red;
mod no_change;
mod no_mutant_killed;
pub mod nothing_ran;
mod open_steps;
mod remedy;
mod rows;
mod runner_moved;
mod start_missing;
pub mod start_uncommitted;
mod tree_moved;
pub mod trivial;
mod unread_item;

use std::time::Duration;

use serde::Serialize;

use crate::config::{self, Config};

/// How much of the gate is asked for; a row may be a lead in the fast gate and a block in the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Depth {
    /// No run of verify is added.
    Fast,
    /// The rows of the full gate, as many as fit into a minute: nobody who is honest waits longer unasked.
    #[default]
    Auto,
    /// Verify is run again, in clean exports.
    Full,
}

impl Depth {
    /// As `--gate` has them.
    pub const WORDS: [&'static str; 3] = ["auto", "fast", "full"];

    /// The depth that a word of [`Depth::WORDS`] names.
    pub fn from_word(word: &str) -> Option<Self> {
        [Depth::Auto, Depth::Fast, Depth::Full]
            .into_iter()
            .zip(Self::WORDS)
            .find_map(|(depth, own)| (own == word).then_some(depth))
    }

    /// The level of a row that is a lead in the fast gate and a block in the others.
    pub fn level(self) -> Level {
        match self {
            Depth::Fast => Level::Lead,
            Depth::Auto | Depth::Full => Level::Block,
        }
    }

    /// How long the runs of verify that a gate adds may take in all.
    pub fn budget(self, config: &Config) -> Duration {
        Duration::from_secs(match self {
            Depth::Fast => 0,
            Depth::Auto => config.gate_budget_auto.unwrap_or(config::AUTO_GATE_SECONDS),
            Depth::Full => config.gate_budget.unwrap_or(config::GATE_SECONDS),
        })
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
    /// For the reader: nothing that speaks against the work.
    Note,
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

    /// A row that has nothing to look at.
    pub fn not_applicable(row: &str, why: &str) -> Self {
        let seen = format!("{row}: {why}");
        Finding::lead("not-applicable", "something that the row can look at", seen, "nothing").level(Level::Note)
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

    /// Its name without what was seen: `tests-deleted: tests/a.py`, `unresolved: never-red`.
    pub fn brief(&self) -> String {
        let of_rows = matches!(self.code, "unresolved" | "not-reached" | "not-applicable");
        let rows = self.seen.split_once(": ").map(|(rows, _)| rows).filter(|_| of_rows);
        match rows.or(self.place.as_deref()) {
            Some(what) => format!("{}: {what}", self.code),
            None => self.code.to_owned(),
        }
    }

    /// One line for people: `tree-moved: src/a.rs: seen; expected …`.
    pub fn line(&self) -> String {
        let place = self.place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default();
        format!("{}: {place}{}", self.code, self.seen)
    }
}
