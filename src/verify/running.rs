//! Only one check of a goal runs at a time: a second `complete` joins the running one, `--detach` starts one in the background,
//! `--wait` reports its result (`SIGNOFF.md` §1). The files are in the state folder, which anyone can write, so nothing is
//! signed off because of them.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::time::{Duration, Instant, SystemTime};

use serde::{Deserialize, Serialize};

use crate::error::{Error, Kind, Result};
use crate::plan::contract::Digests;
use crate::plan::model::Status;
use crate::plan::rules::{GoalRecords, Standing};
use crate::plan::view::Row;
use crate::process::ancestors::{ancestors, call};
use crate::store::{self, Place, state_error};

/// A reader of a result holds the lock no longer than this. A longer hold counts as a running check.
const BRIEF: Duration = Duration::from_millis(150);

/// The result of a finished check, kept for later callers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StoredResult {
    /// Its exit code.
    pub code: u8,
    /// Its output for users.
    pub text: Vec<Row>,
    /// Its output for `--json`.
    pub report: serde_json::Value,
}

/// The right to check one goal; given back when dropped.
#[derive(Debug)]
pub struct Claim<'p> {
    _lock: File,
    place: &'p Place,
    id: String,
}

/// The answer to a claim.
#[derive(Debug)]
pub enum ClaimOutcome<'p> {
    /// No process checks the goal: go on.
    Granted(Claim<'p>),
    /// The process with this id checks the goal.
    Running(u32),
}

/// Asks for the right to check a goal. Once it is granted, the result of an earlier check is removed.
///
/// # Errors
/// [`Kind::Unknown`] if the state folder cannot be written.
pub fn claim<'p>(place: &'p Place, id: &str) -> Result<ClaimOutcome<'p>> {
    let mut lock = open(place, id)?;
    let end = Instant::now() + BRIEF;
    loop {
        match lock.try_lock() {
            Ok(()) => {
                let _ = std::fs::remove_file(store::state_file(place, &result(id)));
                let written = lock.set_len(0).and_then(|()| write!(lock, "{}", std::process::id()));
                written.map_err(|error| state_error(&place.state, &error))?;
                return Ok(ClaimOutcome::Granted(Claim { _lock: lock, place, id: id.to_owned() }));
            }
            Err(TryLockError::WouldBlock) if Instant::now() >= end => {
                return Ok(ClaimOutcome::Running(holder(&mut lock)));
            }
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(10)),
            Err(TryLockError::Error(error)) => return Err(state_error(&place.state, &error)),
        }
    }
}

impl Claim<'_> {
    /// Saves the result for waiting callers. If it cannot be saved, they get none.
    pub fn leave(&self, stored: &StoredResult) {
        let bytes = serde_json::to_vec(stored).unwrap_or_default();
        let _ = store::write_state(self.place, &result(&self.id), &bytes);
    }
}

/// Returns the process that checks a goal now, and since when; `None` if there is none or it is unknown.
pub fn look(place: &Place, id: &str) -> Option<(u32, SystemTime)> {
    let mut lock = store::look_state(&store::state_file(place, &lock_file(id))).ok()?;
    match lock.try_lock_shared() {
        Err(TryLockError::WouldBlock) => {
            let since = lock.metadata().and_then(|meta| meta.modified()).ok()?;
            Some((holder(&mut lock), since))
        }
        _ => None,
    }
}

/// Waits until a process in the background has begun the check, so that the next caller that waits for the check finds it.
///
/// # Errors
/// [`Kind::Unknown`] if it did not begin, or ended without a result.
pub fn await_claim(place: &Place, id: &str, child: &mut std::process::Child) -> Result<()> {
    for _ in 0..500 {
        let has_ended = child.try_wait().is_ok_and(|ended| ended.is_some());
        // Compare the number that the child writes: trying the lock would take it just when the child may ask for it.
        if holder(&mut open(place, id)?) == child.id() {
            return Ok(());
        }
        if has_ended {
            // It may have joined a check that somebody else began.
            return match store::state_file(place, &result(id)).exists() {
                true => Ok(()),
                false => Err(Error::new(Kind::Unknown, format!("the check of `{id}` ended before it began"))),
            };
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    Err(Error::new(Kind::Unknown, format!("the check of `{id}` did not begin within 5 s")))
}

/// Waits for a running check to end and returns its result.
///
/// # Errors
/// [`Kind::Input`] if no check is running and none has left a result, [`Kind::Unknown`] if it still runs after `limit` or ended
/// without a result, [`Kind::Refused`] inside that check.
pub fn wait(place: &Place, id: &str, limit: Option<Duration>) -> Result<StoredResult> {
    let began = Instant::now();
    let mut lock = open(place, id)?;
    let mut waited = false;
    while let Err(TryLockError::WouldBlock) = lock.try_lock_shared() {
        if !waited && is_inside(holder(&mut lock)) {
            return Err(inside_itself(id));
        }
        waited = true;
        if limit.is_some_and(|limit| began.elapsed() >= limit) {
            return Err(Error::new(Kind::Unknown, format!("the check of `{id}` is still running"))
                .hint(format!("`plan complete {id} --wait` waits for it")));
        }
        // The lock cannot be waited for with a time limit. Nobody notices 50 ms beside a test run.
        std::thread::sleep(Duration::from_millis(50));
    }
    let bytes = std::fs::read(store::state_file(place, &result(id))).ok();
    drop(lock);
    let stored: Option<StoredResult> = bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let stored = stored.ok_or_else(|| match waited {
        true => Error::new(Kind::Unknown, format!("the check of `{id}` ended without a result")),
        false => Error::input(format!("no check of `{id}` is running, and none has left a result")),
    })?;
    // Anyone can write the file, and the goal may have been reopened since, so plan.md decides whether it is signed off.
    if stored.code == 0 && !is_signed_off(place, id)? {
        return Err(Error::new(
            Kind::Unknown,
            format!("a result says that `{id}` is signed off, and plan.md does not"),
        )
        .hint(format!("`plan complete {id}` checks it again")));
    }
    Ok(stored)
}

fn is_signed_off(place: &Place, id: &str) -> Result<bool> {
    let source = crate::store::read(place)?;
    let plan = crate::plan::parse(&source)?;
    let goal = plan.goal_named(id)?;
    let standing = GoalRecords::new(&plan).standing(goal, &mut Digests::default());
    Ok(goal.status() == Status::Done && standing == Standing::SignedOff)
}

/// Returns the refusal of a check that would wait for itself.
pub fn inside_itself(id: &str) -> Error {
    Error::new(Kind::Refused, format!("refused: this command is already running inside the check of `{id}`"))
        .hint("a verify, a check or a judge must not sign off the goal that it checks")
}

/// True if the very same call of `plan`, in the same folder, is among the processes that started this one: the line that it is
/// about to run would start it again, without end.
pub fn is_repeated() -> bool {
    let own = call(std::process::id());
    own.is_some() && ancestors().any(|ancestor| call(ancestor) == own)
}

/// True if this process is the process `pid`, or was started by it, directly or not: a check must not wait for itself.
pub fn is_inside(pid: u32) -> bool {
    pid == std::process::id() || ancestors().any(|ancestor| ancestor == pid)
}

fn open(place: &Place, id: &str) -> Result<File> {
    store::open_state(place, &lock_file(id))
}

fn lock_file(id: &str) -> String {
    format!("checks/{id}.lock")
}

fn result(id: &str) -> String {
    format!("checks/{id}.json")
}

fn holder(lock: &mut File) -> u32 {
    let mut text = String::new();
    let read = lock.rewind().and_then(|()| lock.read_to_string(&mut text));
    read.ok().and_then(|_| text.trim().parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(folder: &std::path::Path) -> Place {
        std::fs::write(folder.join("plan.md"), "").unwrap();
        Place { state: folder.join("state"), ..store::find(folder, None).unwrap() }
    }

    /// Claims a check. It waits, because a child that a parallel test forks holds our descriptors until it becomes its program.
    fn granted<'p>(place: &'p Place, id: &str) -> Claim<'p> {
        for _ in 0..500 {
            if let ClaimOutcome::Granted(claim) = claim(place, id).unwrap() {
                return claim;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("never granted")
    }

    /// Claims a check as if another process held it, because a process that waits for itself is refused.
    fn granted_to_another<'p>(place: &'p Place, id: &str) -> Claim<'p> {
        let claim = granted(place, id);
        std::fs::write(place.state.join(format!("checks/{id}.lock")), "1").unwrap();
        claim
    }

    fn stored(text: &str) -> StoredResult {
        let text = vec![Row::new(0).with(crate::plan::view::Style::Plain, text)];
        StoredResult { code: 1, text, report: serde_json::json!({ "goal": "a-1" }) }
    }

    #[test]
    fn one_check_of_a_goal_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let place = place(folder.path());
        let first = granted(&place, "a-1");
        assert!(matches!(claim(&place, "a-1").unwrap(), ClaimOutcome::Running(pid) if pid == std::process::id()));
        let _other = granted(&place, "b-1");
        assert!(matches!(look(&place, "a-1"), Some((pid, _)) if pid == std::process::id()));
        assert_eq!((look(&place, "c-1"), place.state.join("checks/c-1.lock").exists()), (None, false));
        drop(first);
        granted(&place, "a-1");
    }

    #[test]
    fn who_takes_a_result_is_not_taken_for_a_check() {
        let folder = tempfile::tempdir().unwrap();
        let place = place(folder.path());
        drop(granted(&place, "a-1"));
        let look = open(&place, "a-1").unwrap();
        look.lock_shared().unwrap();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(30));
                drop(look);
            });
            assert!(matches!(claim(&place, "a-1").unwrap(), ClaimOutcome::Granted(_)));
        });
    }

    #[test]
    fn what_is_left_behind_has_begun_once_its_number_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let place = place(folder.path());
        drop(granted(&place, "a-1"));
        let mut child = std::process::Command::new("sleep").arg("50").spawn().unwrap();
        std::fs::write(place.state.join("checks/a-1.lock"), child.id().to_string()).unwrap();
        await_claim(&place, "a-1", &mut child).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        std::fs::write(place.state.join("checks/a-1.lock"), "1").unwrap();
        let error = await_claim(&place, "a-1", &mut child).unwrap_err();
        assert_eq!(error.message, "the check of `a-1` ended before it began");
        // It joined a check of somebody else, which has ended.
        granted(&place, "a-1").leave(&stored("rejected"));
        await_claim(&place, "a-1", &mut child).unwrap();
    }

    #[test]
    fn who_waits_gets_the_result_and_an_old_one_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let place = place(folder.path());
        assert_eq!(wait(&place, "a-1", None).unwrap_err().kind, Kind::Input);
        let first = granted_to_another(&place, "a-1");
        let slow = wait(&place, "a-1", Some(Duration::from_millis(60))).unwrap_err();
        assert_eq!((slow.kind, slow.message.as_str()), (Kind::Unknown, "the check of `a-1` is still running"));
        first.leave(&stored("rejected"));
        drop(first);
        // Later callers get it too, as often as they ask.
        for _ in 0..2 {
            let taken = wait(&place, "a-1", None).unwrap();
            assert_eq!((taken.code, &taken.text, &taken.report["goal"]), (1, &stored("rejected").text, &"a-1".into()));
        }
        let second = granted_to_another(&place, "a-1");
        std::thread::scope(|scope| {
            let waiter = scope.spawn(|| wait(&place, "a-1", None));
            std::thread::sleep(Duration::from_millis(120));
            drop(second);
            let error = waiter.join().unwrap().unwrap_err();
            assert_eq!(error.message, "the check of `a-1` ended without a result");
        });
    }

    #[test]
    fn a_process_is_inside_those_that_started_it() {
        let own = std::process::id();
        assert!(is_inside(own));
        assert!(is_inside(ancestors().next().unwrap()));
        assert!(!is_inside(u32::MAX) && !is_inside(0));
    }
}
