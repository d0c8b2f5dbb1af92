//! Decides which session a loop drives when the user writes to a session, clears it or leaves it.

use std::time::Duration;

use serde_json::json;

use super::control::tell;
use super::file::{load, save};
use super::{Loop, LoopTarget, Pause, PausedBy};
use crate::session::state::{self, LoadedState, digest};
use crate::session::stop_words::says_stop;
use crate::store::Place;

/// The time without a hook call after which a session counts as gone, because not every host reports an end. It is long because
/// a turn without a tool may take a while.
const GONE: Duration = Duration::from_secs(30 * 60);

/// Handles a message of the user in the session. A stop pauses its loop, for every session. Any other message resumes a loop that
/// was paused by a stop or an obstacle, because the obstacle may be gone.
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

/// Handles the end of the session: its loop then waits for the next session that works on the plan.
pub(in crate::session) fn on_end(place: &Place, session: &str) {
    if let Some(found) = load(place).into_loop().filter(|found| found.drives(&digest(place, session), false)) {
        let _ = save(place, &Loop { driven: None, ..found });
    }
}

/// Handles the start of `session` of `host` after another session was cleared, whose end the host does not report. If the loop's
/// session is an idle one of this host, the loop waits for the next session that works on the plan.
pub(in crate::session) fn on_clear(place: &Place, session: &str, host: &str) {
    let Some(found) = load(place).into_loop() else { return };
    let Some(LoopTarget::Session { key, name }) = &found.driven else { return };
    let LoadedState::State(other) = state::load(place, name) else { return };
    if *key != digest(place, session) && other.host == host && (other.has_stopped || other.is_quiet) {
        let _ = save(place, &Loop { driven: None, ..found });
    }
}

/// Releases the loop if its session is gone and its digest is not `own`.
pub(super) fn leave_gone(place: &Place, found: &mut Loop, own: &str) {
    let is_gone = |driven: &LoopTarget| match driven {
        LoopTarget::Session { key, .. } => key != own && !state::is_heard_of(place, key, GONE),
        LoopTarget::Run => false,
    };
    found.driven = found.driven.take().filter(|driven| !is_gone(driven));
}
