//! Ctrl-C, SIGTERM and SIGHUP: while a program runs, `plan` passes them on; otherwise they have their usual effect.

use std::io::{self, Read, Write as _};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGTERM};
use signal_hook::{SigId, flag, low_level};

use super::poll;

/// While a watch exists, the signals wake it and do not end `plan`.
pub(super) struct Watch {
    signals: UnixStream,
    wake: UnixStream,
    ids: Vec<SigId>,
}

impl Watch {
    /// Begins to watch.
    pub(super) fn begin() -> io::Result<Watch> {
        Watch::of(|_| true)
    }

    /// Begins to watch over a program that is about to start. A signal seen by an earlier watch counts as coming now: it came
    /// between two programs or during a call of git, and the new program must not run as if no one had asked to end.
    pub(super) fn begin_for_program() -> io::Result<Watch> {
        let mut watch = Watch::begin()?;
        if HANDLED.came.load(Ordering::SeqCst) {
            let _ = watch.count();
            (&watch.wake).write_all(&[0])?;
        }
        Ok(watch)
    }

    /// Begins to watch for the wanted signals.
    fn of(is_wanted: impl Fn(i32) -> bool) -> io::Result<Watch> {
        let (signals, wake) = UnixStream::pair()?;
        signals.set_nonblocking(true)?;
        let mut ids = Vec::new();
        for &signal in HANDLED.signals.iter().filter(|signal| is_wanted(**signal)) {
            ids.push(low_level::pipe::register(signal, wake.try_clone()?)?);
            ids.push(flag::register(signal, Arc::clone(&HANDLED.came))?);
        }
        HANDLED.count(1); // only now: until here, a signal has its usual effect
        Ok(Watch { signals, wake, ids })
    }

    /// The number of signals since the last call.
    pub(super) fn count(&mut self) -> usize {
        let mut buffer = [0; 64];
        self.signals.read(&mut buffer).unwrap_or(0)
    }
}

/// While it exists, Ctrl-C, SIGTERM and SIGHUP do not end `plan` but are remembered, so that temporary files can be removed
/// first. A program that runs meanwhile is still ended.
pub struct SignalHold(Mutex<(Watch, bool)>);

impl SignalHold {
    /// Begins to hold.
    ///
    /// # Errors
    /// The system cannot create a pair of sockets.
    pub fn begin() -> io::Result<SignalHold> {
        Ok(SignalHold(Mutex::new((Watch::begin()?, false))))
    }

    /// Begins to hold all three, but counts only SIGTERM and SIGHUP: a Ctrl-C may be meant for another program on the terminal.
    ///
    /// # Errors
    /// As [`SignalHold::begin`].
    pub fn without_ctrl_c() -> io::Result<SignalHold> {
        Ok(SignalHold(Mutex::new((Watch::of(|signal| signal != SIGINT)?, false))))
    }

    /// Whether a signal came since the hold began.
    pub fn is_interrupted(&self) -> bool {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        held.1 |= held.0.count() > 0;
        held.1
    }

    /// Waits until a signal comes.
    pub fn wait(&self) {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        while !held.1 {
            // Without a time limit, this fails only if the descriptor is gone, and then no signal can come.
            if poll::wait([Some(poll::read(&held.0))], None).is_err() {
                return;
            }
            held.1 = held.0.count() > 0;
        }
    }
}

impl AsFd for Watch {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.signals.as_fd()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        HANDLED.count(-1);
        for id in self.ids.drain(..) {
            low_level::unregister(id);
        }
    }
}

struct Handled {
    signals: Vec<i32>,
    /// True while no watch exists: then the handler does the default action of the signal.
    idle: Arc<AtomicBool>,
    /// True once any watch has seen a signal, permanently: a holder of signals ends soon after one.
    came: Arc<AtomicBool>,
    watches: Mutex<isize>,
}

impl Handled {
    fn count(&self, change: isize) {
        let mut watches = self.watches.lock().unwrap_or_else(PoisonError::into_inner);
        *watches += change;
        self.idle.store(*watches == 0, Ordering::SeqCst);
    }
}

static HANDLED: LazyLock<Handled> = LazyLock::new(|| {
    let idle = Arc::new(AtomicBool::new(true));
    let ignored = ignored();
    let mut signals = vec![SIGINT, SIGTERM, SIGHUP];
    // A signal that was ignored at the start (`nohup plan …`, a background job of a script) stays ignored.
    signals.retain(|signal| ignored & (1 << (signal - 1)) == 0);
    signals.retain(|&signal| flag::register_conditional_default(signal, Arc::clone(&idle)).is_ok());
    // Our parent may have set SIGCHLD to be ignored; then there would be no exit status to wait for.
    let _ = flag::register(SIGCHLD, Arc::new(AtomicBool::new(false)));
    Handled { signals, idle, came: Arc::new(AtomicBool::new(false)), watches: Mutex::new(0) }
});

/// The signals that are ignored now, one bit each. Without /proc there is no safe way to find out, so the result is 0.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
