//! The commands for a loop: start, pause, resume, clear, status (`CLI.md`, Hosts).

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

/// The state of a loop.
#[derive(Debug)]
pub struct LoopStatus {
    /// The content of the loop's file.
    pub found: LoadedLoop,
    /// True if `plan loop run` is running.
    pub is_running: bool,
}

/// Reads the loop and changes nothing.
pub fn status(place: &Place) -> LoopStatus {
    LoopStatus { found: load(place), is_running: is_running(place) }
}

/// True if `session` works on a turn that the loop gave: its requests about the loop then do not come from the user. `session` is
/// `None` if the host does not name its session, which may then be the driven session.
pub fn has_given(place: &Place, session: Option<&str>) -> bool {
    let is_driven = |found: &Loop| match session {
        Some(session) => found.drives(&state::digest(place, session), false),
        None => matches!(found.driven, Some(LoopTarget::Session { .. })),
    };
    load(place).into_loop().is_some_and(|found| found.is_given && is_driven(&found))
}

/// Starts a loop of `budget` turns, in place of an earlier loop. It drives `session`; if that is `None`, it drives the first session
/// that stops while working on the plan.
///
/// # Errors
/// [`Kind::Refused`]: `plan loop run` is running, or a newer version wrote the file. [`Kind::Changed`]: the sessions' lock was
/// not free. [`Kind::Unknown`]: the file cannot be written.
pub fn start(place: &Place, budget: u32, session: Option<&str>) -> Result<Loop> {
    let _states = States::lock(place, PATIENT)?;
    if is_running(place) {
        return Err(Error::new(Kind::Refused, "refused: `plan loop run` is running on this plan")
            .hint("stop it: `plan loop pause`"));
    }
    let new = Loop::new(budget, session.map(|session| driven(place, session)));
    begin(place, &new)?;
    Ok(new)
}

/// Writes a new loop. The caller holds the lock.
pub(super) fn begin(place: &Place, new: &Loop) -> Result<()> {
    if load(place) == LoadedLoop::Newer {
        return Err(newer());
    }
    save(place, new)?;
    // Starting a loop counts as a message of the user, which ends a hold.
    hold::end(place)?;
    tell(place, "started", &json!({ "budget": new.budget }));
    Ok(())
}

/// Pauses the loop. Returns `None` if there is no loop.
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

/// Resumes the loop with the turns that are left. Returns `None` if there is no loop.
///
/// # Errors
/// As [`start`].
pub fn resume(place: &Place, session: Option<&str>) -> Result<Option<Loop>> {
    change(place, |found| {
        found.unpause();
        if !is_running(place) {
            // The earlier session may be gone and would never use the turns.
            found.driven = session.map(|session| driven(place, session));
            found.is_given = false;
        }
        hold::end(place)?;
        tell(place, "resumed", &json!({ "left": found.left() }));
        Ok(())
    })
}

/// Ends the loop. Returns false if there was no loop.
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
    Error::new(Kind::Refused, "refused: a newer version of `plan` wrote the loop")
        .hint("update `plan`, or remove the loop: `plan loop clear`")
}

/// Locks and returns the file that `plan loop run` keeps locked while it runs; `None` if another run holds the lock.
pub(super) fn run_lock(place: &Place) -> Result<Option<File>> {
    let file = store::open_state(place, &format!("{}.run", name(place)))?;
    Ok(flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok().then_some(file))
}

fn is_running(place: &Place) -> bool {
    let path = store::state_file(place, &format!("{}.run", name(place)));
    store::look_state(&path).is_ok_and(|file| flock(&file, FlockOperation::NonBlockingLockShared).is_err())
}
