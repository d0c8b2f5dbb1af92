//! The launcher as `plan` controls it, and the clean-up if a process below the launcher kills it.

use std::cell::RefCell;
use std::collections::HashSet;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use rustix::process::{Pid, Signal, WaitOptions, getpid, kill_process, waitpid};

use super::child::{SWEEP, VERB};
use super::tree;

/// Returns `launcher`, or else the path of the running `plan` binary.
pub(super) fn own_program(launcher: Option<&Path>) -> io::Result<PathBuf> {
    match launcher {
        Some(launcher) => Ok(launcher.to_owned()),
        // Also correct if the file was replaced meanwhile, as by a verify that builds `plan` itself.
        None if cfg!(target_os = "linux") => Ok("/proc/self/exe".into()),
        None => std::env::current_exe(),
    }
}

/// The launchers of this process that are alive. Other runs must not touch their children.
static LIVE: Mutex<Vec<i32>> = Mutex::new(Vec::new());

/// A launcher that was started. [`Launched::end`] must be called once.
pub(super) struct Launched(Child);

impl Launched {
    pub(super) fn start(
        launcher: Option<&Path>,
        control: UnixStream,
        out: OwnedFd,
        err: OwnedFd,
    ) -> io::Result<Launched> {
        let mut live = live();
        let mut command = Command::new(own_program(launcher)?);
        let child = command.arg(VERB).stdin(OwnedFd::from(control)).stdout(out).stderr(err).spawn()?;
        live.push(child.id() as i32);
        Ok(Launched(child))
    }

    /// Resumes the launcher, if a process below stopped it.
    pub(super) fn wake(&self) {
        if let Some(pid) = Pid::from_raw(self.0.id() as i32) {
            let _ = kill_process(pid, Signal::CONT);
        }
    }

    /// Waits for the launcher. If it is `lost`, ends the processes that it left to us; true if some of them could not be ended.
    pub(super) fn end(mut self, lost: bool) -> bool {
        let _ = self.0.kill(); // it has made its last report, or will make none
        let _ = self.0.wait();
        live().retain(|&pid| pid != self.0.id() as i32);
        lost && !end_orphans()
    }
}

fn live() -> MutexGuard<'static, Vec<i32>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the processes that became our children when a launcher died: our children in another session, with all their
/// descendants, except the launchers of other runs. All other processes that we started are in our own session.
fn end_orphans() -> bool {
    let own = tree::own_session();
    let seen = RefCell::new(HashSet::new());
    let list = || {
        let live = live(); // held during the search: so a launcher is either not started yet, or in the list
        let ours = |child: &tree::Process| child.session != own && !live.contains(&child.pid);
        let orphans = tree::below(getpid().as_raw_pid(), ours);
        seen.borrow_mut().extend(orphans.iter().map(|process| process.pid));
        orphans
    };
    let ended = tree::sweep(list, || !list().is_empty(), Instant::now() + SWEEP);
    for pid in seen.borrow().iter().filter_map(|&pid| Pid::from_raw(pid)) {
        let _ = waitpid(Some(pid), WaitOptions::NOHANG);
    }
    ended
}
