//! What a call from outside a hook asks of a session: whether a block or a reminder is to be printed (`INJECTION.md` §2, §3), and
//! which model it runs on.

use std::path::PathBuf;

use super::decide;
use super::look::look;
use super::sight::Sight;
use super::state::{self, BRIEF, Found, State, States, load};
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
    with(place, session, |state| {
        let _ = look(&Sight::new(place), state);
        let is_changed = state.known != Some(state.seen.bytes);
        let is_due = match when {
            When::Changed => is_changed,
            When::Compacted => state.is_compacted,
            When::Stale => is_changed || state.is_compacted || state.turns >= STALE,
        };
        if is_due {
            state.is_owed = false;
            decide::told(state);
        } else {
            state.turns += 1;
        }
        is_due
    })
    .unwrap_or_default()
}

/// Whether `session` is to be reminded now; it counts as reminded then.
pub fn is_reminder_due(place: &Place, session: &str) -> bool {
    with(place, session, |state| {
        let seen = Sight::new(place);
        look(&seen, state).is_some() && decide::is_due(&seen, state)
    })
    .unwrap_or_default()
}

/// What a session told of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// Its model, by the host's own name for it.
    pub model: Option<String>,
    /// The file with the conversation.
    pub transcript: Option<PathBuf>,
}

/// What is known of a session; nothing where no hook ever told.
pub fn about(place: &Place, session: &str) -> About {
    match load(place, session) {
        Found::State(state) => About { model: state.model, transcript: state.transcript },
        _ => About::default(),
    }
}

/// What the session of `host` told that a hook last took something down of: for a host whose tools are not told which session
/// calls them.
pub fn latest(place: &Place, host: &str) -> About {
    let Ok(entries) = std::fs::read_dir(store::state_file(place, "sessions")) else { return About::default() };
    let told = entries.flatten().filter_map(|entry| {
        let state: State = serde_json::from_slice(&state::read(&entry.path()).ok()?).ok()?;
        (state.host == host).then_some((entry.metadata().ok()?.modified().ok()?, state))
    });
    let latest = told.max_by_key(|(time, _)| *time);
    latest.map(|(_, state)| About { model: state.model, transcript: state.transcript }).unwrap_or_default()
}

/// Takes down that a session wrote to the plan by a command of ours, where its environment names it. One that no hook ever
/// told of has nobody to be sent on by.
pub fn works(place: &Place, session: &str) {
    if matches!(load(place, session), Found::State(_)) {
        with(place, session, |state| {
            state.works = true;
            state.acts.wrote_plan();
        });
    }
}

/// None inside a judge, which reads and leaves no trace.
fn with<T>(place: &Place, session: &str, change: impl FnOnce(&mut State) -> T) -> Option<T> {
    if config::inside_judge() {
        return None;
    }
    let states = States::lock(place, BRIEF).ok()?;
    let mut state = match states.load(session) {
        Found::State(state) => *state,
        Found::None => State { session: super::state::short(session), is_lost: true, ..State::default() },
        Found::Damaged => State { is_quiet: true, ..State::default() },
        Found::Newer => return None,
    };
    let before = state.clone();
    let value = change(&mut state);
    (state == before || states.save(session, &state)).then_some(value)
}
