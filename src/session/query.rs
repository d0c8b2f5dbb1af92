//! What a call from outside a hook asks of a session: whether a block or a reminder is to be printed (`INJECTION.md` §2, §3), and
//! which model it runs on.

use std::path::PathBuf;

use super::change_detection::refresh;
use super::decide;
use super::plan_snapshot::PlanSnapshot;
use super::state::{self, BRIEF, LoadedState, State, States, load};
use crate::config;
use crate::store::{self, Place};

/// Turns without a block after which the one before counts as stale.
const STALE: u32 = 20;

/// When a block is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// The plan differs from what this session was last given.
    Changed,
    /// The session was compacted since.
    Compacted,
    /// Either, or 20 turns since.
    Stale,
}

/// Whether `session` is to be given a block now; it counts as given then. A session that nothing is known of was given none.
pub fn is_due(place: &Place, session: &str, when: When) -> bool {
    with_state(place, session, |state| {
        let _ = refresh(&PlanSnapshot::new(place), state);
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

/// Whether `session` is to be reminded now; it counts as reminded then.
pub fn is_reminder_due(place: &Place, session: &str) -> bool {
    with_state(place, session, |state| {
        let seen = PlanSnapshot::new(place);
        refresh(&seen, state).is_some() && decide::is_due(&seen, state)
    })
    .unwrap_or_default()
}

/// What a session told of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionFacts {
    /// Its model, by the host's own name for it.
    pub model: Option<String>,
    /// The file with the conversation.
    pub transcript: Option<PathBuf>,
}

/// What is known of a session; nothing where no hook ever told.
pub fn session_facts(place: &Place, session: &str) -> SessionFacts {
    match load(place, session) {
        LoadedState::State(state) => SessionFacts { model: state.model, transcript: state.transcript },
        _ => SessionFacts::default(),
    }
}

/// What the session of `host` told that a hook last took something down of: for a host whose tools are not told which session
/// calls them.
pub fn latest_facts(place: &Place, host: &str) -> SessionFacts {
    let Ok(entries) = std::fs::read_dir(store::state_file(place, "sessions")) else { return SessionFacts::default() };
    let told = entries.flatten().filter_map(|entry| {
        let state: State = serde_json::from_slice(&state::read(&entry.path()).ok()?).ok()?;
        (state.host == host).then_some((entry.metadata().ok()?.modified().ok()?, state))
    });
    let latest = told.max_by_key(|(time, _)| *time);
    latest.map(|(_, state)| SessionFacts { model: state.model, transcript: state.transcript }).unwrap_or_default()
}

/// Takes down that a session wrote to the plan by a command of ours, where its environment names it. One that no hook ever
/// told of has nobody to be sent on by.
pub fn record_plan_write(place: &Place, session: &str) {
    if matches!(load(place, session), LoadedState::State(_)) {
        with_state(place, session, |state| {
            state.works = true;
            state.acts.wrote_plan();
        });
    }
}

/// None inside a judge, which reads and leaves no trace.
fn with_state<T>(place: &Place, session: &str, change: impl FnOnce(&mut State) -> T) -> Option<T> {
    if config::inside_judge() {
        return None;
    }
    let states = States::lock(place, BRIEF).ok()?;
    let mut state = match states.load(session) {
        LoadedState::State(state) => *state,
        LoadedState::None => State { session: super::state::short(session), is_lost: true, ..State::default() },
        LoadedState::Damaged => State { is_quiet: true, ..State::default() },
        LoadedState::Newer => return None,
    };
    let before = state.clone();
    let value = change(&mut state);
    (state == before || states.save(session, &state)).then_some(value)
}
