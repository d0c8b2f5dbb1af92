//! What a person does with a loop: start, pause, resume, clear, look (`CLI.md`, Hosts).

use std::fs::File;

use rustix::fs::{FlockOperation, flock};
use serde_json::{Value, json};

pub use super::file::LoadedLoop;
use super::file::{load, name, save};
use super::{Loop, LoopTarget, Pause, PausedBy};
use crate::error::{Error, Kind, Result};
use crate::session::events;
use crate::session::hold;
use crate::session::state::{self, PATIENT, States};
use crate::store::{self, Place};

/// A loop as it stands.
#[derive(Debug)]
pub struct LoopStatus {
    /// What its file holds.
    pub found: LoadedLoop,
    /// `plan loop run` is at work.
    pub is_running: bool,
}

/// Looks, and changes nothing.
pub fn status(place: &Place) -> LoopStatus {
    LoopStatus { found: load(place), is_running: is_running(place) }
}

/// Whether `session` is at work on a turn that the loop gave it: what it asks of the loop then is not what a person asks. None:
/// a session of a host that does not name it, which may be the one.
pub fn has_given(place: &Place, session: Option<&str>) -> bool {
    let is_driven = |found: &Loop| match session {
        Some(session) => found.drives(&state::digest(place, session), false),
        None => matches!(found.driven, Some(LoopTarget::Session { .. })),
    };
    load(place).into_loop().is_some_and(|found| found.is_given && is_driven(&found))
}

/// Begins a loop of `budget` turns, in place of one that is there. `session`: the one that it is to drive; none: the first
/// that stops at work.
///
/// # Errors
/// [`Kind::Refused`]: `plan loop run` is at work, a newer version wrote the file. [`Kind::Changed`]: the sessions' lock was
/// not free. [`Kind::Unknown`]: it cannot be written.
pub fn start(place: &Place, budget: u32, session: Option<&str>) -> Result<Loop> {
    let _states = States::lock(place, PATIENT)?;
    if is_running(place) {
        return Err(Error::new(Kind::Refused, "refused: `plan loop run` is at work on this plan"));
    }
    let new = Loop::new(budget, session.map(|session| driven(place, session)));
    begin(place, &new)?;
    Ok(new)
}

/// Under the lock.
pub(super) fn begin(place: &Place, new: &Loop) -> Result<()> {
    if load(place) == LoadedLoop::Newer {
        return Err(newer());
    }
    save(place, new)?;
    // Who starts a loop speaks.
    hold::end(place)?;
    tell(place, "started", &json!({ "budget": new.budget }));
    Ok(())
}

/// Holds it still. None: there is no loop.
///
/// # Errors
/// As [`start`].
pub fn pause(place: &Place) -> Result<Option<Loop>> {
    change(place, |found| {
        let why = "by `plan loop pause`".to_owned();
        found.paused = Some(Pause { by: PausedBy::Person, why });
        tell(place, "paused", &json!({ "by": PausedBy::Person }));
        Ok(())
    })
}

/// Goes on, with what is left of the budget. None: there is no loop.
///
/// # Errors
/// As [`start`].
pub fn resume(place: &Place, session: Option<&str>) -> Result<Option<Loop>> {
    change(place, |found| {
        found.unpause();
        if !is_running(place) {
            // A session that is gone would never take it up.
            found.driven = session.map(|session| driven(place, session));
            found.is_given = false;
        }
        hold::end(place)?;
        tell(place, "resumed", &json!({ "left": found.left() }));
        Ok(())
    })
}

/// Ends it. False: there was none.
///
/// # Errors
/// As [`start`].
pub fn clear(place: &Place) -> Result<bool> {
    let _states = States::lock(place, PATIENT)?;
    let was = store::remove_state(place, &name(place))?;
    if was {
        tell(place, "cleared", &json!({}));
    }
    Ok(was)
}

fn change(place: &Place, change: impl FnOnce(&mut Loop) -> Result<()>) -> Result<Option<Loop>> {
    let _states = States::lock(place, PATIENT)?;
    match load(place) {
        LoadedLoop::Newer => Err(newer()),
        LoadedLoop::None | LoadedLoop::Damaged => Ok(None),
        LoadedLoop::Loop(mut found) => {
            change(&mut found)?;
            save(place, &found)?;
            Ok(Some(*found))
        }
    }
}

pub(super) fn tell(place: &Place, what: &str, more: &Value) {
    let mut event = json!({ "what": what });
    if let (Value::Object(event), Value::Object(more)) = (&mut event, more) {
        event.extend(more.clone());
    }
    events::append(place, "loop", &event);
}

fn driven(place: &Place, session: &str) -> LoopTarget {
    LoopTarget::Session { key: state::digest(place, session), name: state::short(session) }
}

fn newer() -> Error {
    Error::new(Kind::Refused, "refused: the loop was written by a newer version of `plan`")
}

/// The file that `plan loop run` holds locked while it is at work.
pub(super) fn run_lock(place: &Place) -> Result<Option<File>> {
    let file = store::open_state(place, &format!("{}.run", name(place)))?;
    Ok(flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok().then_some(file))
}

fn is_running(place: &Place) -> bool {
    let path = store::state_file(place, &format!("{}.run", name(place)));
    store::look_state(&path).is_ok_and(|file| flock(&file, FlockOperation::NonBlockingLockShared).is_err())
}
