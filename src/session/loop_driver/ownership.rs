//! Whose a loop is while people speak, clear and leave.

use std::time::Duration;

use serde_json::json;

use super::control::tell;
use super::file::{load, save};
use super::{Loop, LoopTarget, Pause, PausedBy};
use crate::session::state::{self, LoadedState, digest};
use crate::session::stop_words::says_stop;
use crate::store::Place;

/// A session that no hook told of for so long is gone: not every host tells of an end. A turn without a tool may take a while.
const GONE: Duration = Duration::from_secs(30 * 60);

/// A person spoke to the session. A stop holds its loop still, whoever would take it up; another message goes on, for what
/// blocked it may be gone.
pub(in crate::session) fn on_message(place: &Place, session: &str, text: &str) {
    let is_own = |found: &Loop| found.drives(&digest(place, session), false);
    let Some(before) = load(place).into_loop().filter(is_own) else { return };
    let mut found = Loop { is_given: false, ..before.clone() };
    match (found.paused.as_ref().map(|pause| pause.by), says_stop(text)) {
        (None, true) if found.is_on() => {
            let why = "a person said stop".to_owned();
            found.paused = Some(Pause { by: PausedBy::Stop, why });
            tell(place, "paused", &json!({ "by": PausedBy::Stop }));
        }
        (Some(PausedBy::Blocked | PausedBy::Stop), false) => found.unpause(),
        _ => {}
    }
    if found != before {
        let _ = save(place, &found);
    }
}

/// The session ended: its loop waits for the next one at work.
pub(in crate::session) fn on_end(place: &Place, session: &str) {
    if let Some(found) = load(place).into_loop().filter(|found| found.drives(&digest(place, session), false)) {
        let _ = save(place, &Loop { driven: None, ..found });
    }
}

/// `session` of `host` begins where another one was cleared, and no end of that one is told: a loop of one that stands still
/// waits for the next at work.
pub(in crate::session) fn on_clear(place: &Place, session: &str, host: &str) {
    let Some(found) = load(place).into_loop() else { return };
    let Some(LoopTarget::Session { key, name }) = &found.driven else { return };
    let LoadedState::State(other) = state::load(place, name) else { return };
    if *key != digest(place, session) && other.host == host && (other.has_stopped || other.is_quiet) {
        let _ = save(place, &Loop { driven: None, ..found });
    }
}

/// Takes the loop from a session that is gone, where it is another than the one of digest `own`.
pub(super) fn leave_gone(place: &Place, found: &mut Loop, own: &str) {
    let is_gone = |driven: &LoopTarget| match driven {
        LoopTarget::Session { key, .. } => key != own && !state::is_heard_of(place, key, GONE),
        LoopTarget::Run => false,
    };
    found.driven = found.driven.take().filter(|driven| !is_gone(driven));
}
