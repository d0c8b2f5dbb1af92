//! Queries about a session from outside its hooks: whether a block or a reminder is due (`INJECTION.md` §2, §3), and which model
//! the session uses.

use std::path::PathBuf;

use super::change_detection::refresh;
use super::decide;
use super::plan_snapshot::{PlanBytes, PlanSnapshot};
use super::state::{self, BRIEF, LoadedState, SessionState, States, load};
use crate::config;
use crate::store::{self, Place};

/// The number of turns after which a block is stale.
const STALE: u32 = 20;

/// The condition for printing a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// The plan differs from the version that the session last got.
    Changed,
    /// The session was compacted since its last block.
    Compacted,
    /// Either of these, or 20 turns have passed since the last block.
    Stale,
}

/// True if `session` should get a block now; the block then counts as given. An unknown session has not had a block yet.
pub fn is_due(place: &Place, session: &str, when: When) -> bool {
    with_state(place, session, |state| {
        let source = PlanBytes::default();
        let _ = refresh(&PlanSnapshot::new(place, &source), state);
        let is_changed = state.known != Some(state.seen.bytes);
        let is_due = match when {
            When::Changed => is_changed,
            When::Compacted => state.is_compacted,
            When::Stale => is_changed || state.is_compacted || state.turns >= STALE,
        };
        if is_due {
            state.is_owed = false;
            decide::mark_known(state);
        } else {
            state.turns += 1;
        }
        is_due
    })
    .unwrap_or_default()
}

/// True if `session` should get a reminder now; the reminder then counts as given.
pub fn is_reminder_due(place: &Place, session: &str) -> bool {
    with_state(place, session, |state| {
        let source = PlanBytes::default();
        let seen = PlanSnapshot::new(place, &source);
        refresh(&seen, state).is_some() && decide::is_due(&seen, state)
    })
    .unwrap_or_default()
}

/// The facts that a session's hooks reported about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionFacts {
    /// The host's name for the session's model.
    pub model: Option<String>,
    /// The file with the conversation.
    pub transcript: Option<PathBuf>,
}

/// Returns the facts of a session; empty if no hook ever reported the session.
pub fn session_facts(place: &Place, session: &str) -> SessionFacts {
    match load(place, session) {
        LoadedState::State(state) => SessionFacts { model: state.model, transcript: state.transcript },
        _ => SessionFacts::default(),
    }
}

/// Returns the facts of the session of `host` whose hooks were called last, for a host that does not tell a tool which session
/// calls it.
pub fn latest_facts(place: &Place, host: &str) -> SessionFacts {
    let Ok(entries) = std::fs::read_dir(store::state_file(place, "sessions")) else { return SessionFacts::default() };
    let told = entries.flatten().filter_map(|entry| {
        let state: SessionState = serde_json::from_slice(&state::read(&entry.path()).ok()?).ok()?;
        (state.host == host).then_some((entry.metadata().ok()?.modified().ok()?, state))
    });
    let latest = told.max_by_key(|(time, _)| *time);
    latest.map(|(_, state)| SessionFacts { model: state.model, transcript: state.transcript }).unwrap_or_default()
}

/// Records that a `plan` command wrote to the plan in this session. It skips a session that no hook ever reported, because no
/// hook would push that session.
pub fn record_plan_write(place: &Place, session: &str) {
    if matches!(load(place, session), LoadedState::State(_)) {
        with_state(place, session, |state| {
            state.works = true;
            state.acts.wrote_plan();
        });
    }
}

/// Changes the session's state under the lock. Returns `None` inside a judge, which must leave no trace, and if that fails.
fn with_state<T>(place: &Place, session: &str, change: impl FnOnce(&mut SessionState) -> T) -> Option<T> {
    if config::inside_judge() {
        return None;
    }
    let states = States::lock(place, BRIEF).ok()?;
    let mut state = match states.load(session) {
        LoadedState::State(state) => *state,
        LoadedState::None => {
            SessionState { session: super::state::short(session), is_lost: true, ..SessionState::default() }
        }
        LoadedState::Damaged => SessionState { is_quiet: true, ..SessionState::default() },
        LoadedState::Newer => return None,
    };
    let before = state.clone();
    let value = change(&mut state);
    (state == before || states.save(session, &state)).then_some(value)
}
