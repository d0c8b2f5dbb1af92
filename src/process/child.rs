//! The launcher, `plan __child`: starts one program for [`run`](super::run::run) and leaves no process of it behind.
//!
//! ```text
//! plan ──request──▶ launcher (own session, adopts orphans) ──▶ program (own group) ──▶ its children, daemons …
//!      ◀──reports──     │ program ended: E     none of them left: C
//!      ──T, K, EOF──▶   │ T: TERM to all, 5 s later KILL.  K, or `plan` is gone: KILL at once
//! ```
//!
//! The launcher is a process between `plan` and the program. On Linux only an ancestor that adopts orphans
//! (`PR_SET_CHILD_SUBREAPER`) can find a daemon that left the group and the session, and a separate process notices when
//! `plan` itself is killed. Several launchers can run at once without mixing up their orphans. On systems other than
//! Linux the launcher ends only the group of the program: a daemon in a session of its own escapes.

use std::io::{self, Read};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Resource, Rlimit, Signal, WaitOptions};
use signal_hook::consts::SIGCHLD;

use super::feed::Feed;
use super::poll;
use super::tree;
use super::wire::{KILL, LaunchReport, Request, TERMINATE};

/// The argument that starts `plan` as a launcher.
pub const VERB: &str = "__child";

/// From TERM to KILL (`SIGNOFF.md` §2).
pub(super) const TERM_GRACE: Duration = Duration::from_secs(5);
/// How long other processes may take to end by themselves after the program; then they count as left behind.
const LINGER: Duration = Duration::from_millis(200);
/// From TERM to KILL for processes that were left behind.
const CLEAR: Duration = Duration::from_secs(1);
/// How long to try killing processes before giving up.
pub(super) const SWEEP: Duration = Duration::from_secs(10);

/// Serves one request, which it reads from stdin, a socket. The exit code carries no information; the reports do.
pub fn main() -> u8 {
    u8::from(serve().is_err())
}

fn serve() -> io::Result<()> {
    let control = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    let request = Request::read(&control)?;
    enclose(request.no_new_privileges)?;
    let (ended, wake) = UnixStream::pair()?;
    ended.set_nonblocking(true)?;
    signal_hook::low_level::pipe::register(SIGCHLD, wake)?;
    match start(&request) {
        Err(error) => {
            LaunchReport::NotStarted(error.raw_os_error().unwrap_or(rustix::io::Errno::INVAL.raw_os_error()))
                .write(&control)?;
            LaunchReport::Cleared { left: false, stuck: false }.write(&control)
        }
        Ok((program, stdin)) => {
            let feed = Feed::new(stdin, request.stdin.unwrap_or_default())?;
            Launcher { control, ended, program, feed, status: None, phase: Phase::Running }.serve()
        }
    }
}

/// Sets up the launcher; the program inherits it: its own session and so no controlling terminal, no core files, and only
/// the first three descriptors open.
fn enclose(no_new_privileges: bool) -> io::Result<()> {
    let _ = rustix::process::setsid(); // fails only if this process leads a session already
    rustix::process::setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?;
    close_fds::set_fds_cloexec(3, &[]);
    #[cfg(target_os = "linux")]
    {
        rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
        // The signal resumes us if a process below has stopped us: otherwise we would not notice that `plan` is gone.
        rustix::process::set_parent_process_death_signal(Some(Signal::CONT))?;
        if no_new_privileges {
            rustix::thread::set_no_new_privs(true)?;
        }
        // No process below may attach to us and send reports in our name. For the program, this ends with its exec.
        rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable)?;
    }
    #[cfg(not(target_os = "linux"))]
    let _ = no_new_privileges;
    Ok(())
}

fn start(request: &Request) -> io::Result<(Pid, Option<ChildStdin>)> {
    let mut command = Command::new(&request.program);
    if let Some((name, arguments)) = request.argv.split_first() {
        command.arg0(name).args(arguments);
    }
    command.current_dir(&request.cwd).env_clear().envs(request.env.iter().map(|(name, value)| (name, value)));
    command.stdin(if request.stdin.is_some() { Stdio::piped() } else { Stdio::null() });
    // The program gets a group of its own: `kill 0` in a script must not reach us.
    let mut child = command.process_group(0).spawn()?;
    let program = Pid::from_raw(child.id() as i32).ok_or(io::ErrorKind::InvalidData)?;
    Ok((program, child.stdin.take()))
}

#[derive(Clone, Copy)]
enum Phase {
    /// The program runs.
    Running,
    /// All processes were asked to end, because of the limit or Ctrl-C.
    Ending(Instant),
    /// The program ended, but other processes have not ended yet.
    Lingering(Instant),
    /// These other processes were asked to end.
    Clearing(Instant),
}

struct Launcher {
    control: UnixStream,
    ended: UnixStream,
    program: Pid,
    feed: Feed<'static>,
    /// How the program ended; `None` while it runs.
    status: Option<LaunchReport>,
    phase: Phase,
}

impl Launcher {
    fn serve(mut self) -> io::Result<()> {
        while self.any_left() {
            let until = match self.phase {
                Phase::Running => None,
                Phase::Ending(until) | Phase::Lingering(until) | Phase::Clearing(until) => Some(until),
            };
            if until.is_some_and(|until| Instant::now() >= until) {
                match self.phase {
                    Phase::Lingering(_) => {
                        self.signal(Signal::TERM);
                        self.phase = Phase::Clearing(Instant::now() + CLEAR);
                    }
                    _ => break,
                }
                continue;
            }
            let wants = [Some(poll::read(&self.ended)), Some(poll::read(&self.control)), self.feed.want()];
            let [_, control, writable] = poll::wait(wants, until)?;
            if control && !self.obey() {
                break;
            }
            if writable {
                self.feed.write();
            }
        }
        self.clear()
    }

    /// Collects ended children; reports the end of the program. True while any process is left.
    fn any_left(&mut self) -> bool {
        let _ = (&self.ended).read(&mut [0; 64]);
        let children = self.reap();
        if self.status.is_some() && matches!(self.phase, Phase::Running) {
            self.phase = Phase::Lingering(Instant::now() + LINGER);
        }
        match cfg!(target_os = "linux") {
            true => children,
            false => children || rustix::process::test_kill_process_group(self.program).is_ok(),
        }
    }

    /// Collects ended children. True while there are children, including adopted ones.
    fn reap(&mut self) -> bool {
        loop {
            match rustix::process::wait(WaitOptions::NOHANG) {
                Ok(Some((pid, status))) if pid == self.program => {
                    let report = match (status.exit_status(), status.terminating_signal()) {
                        (Some(code), _) => LaunchReport::Exited(code),
                        (None, signal) => LaunchReport::Signalled(signal.unwrap_or_default()),
                    };
                    self.status = Some(report);
                    let _ = report.write(&self.control); // if nobody listens, `obey` notices it
                }
                Ok(Some(_)) | Err(rustix::io::Errno::INTR) => {}
                Ok(None) => return true,
                Err(_) => return false,
            }
        }
    }

    /// Obeys an order of `plan`. False if everything must be killed at once.
    fn obey(&mut self) -> bool {
        let mut order = [0];
        match self.control.read(&mut order) {
            Ok(1) if order[0] == TERMINATE => {
                self.signal(Signal::TERM);
                self.phase = Phase::Ending(Instant::now() + TERM_GRACE);
                true
            }
            Ok(1) if order[0] != KILL => true,
            Ok(_) => false,
            Err(error) => error.kind() == io::ErrorKind::Interrupted,
        }
    }

    /// Sends `signal` to all processes below.
    fn signal(&self, signal: Signal) {
        // As long as the group's number cannot belong to another group, the group is signalled at once, without a search.
        let group = self.status.is_none() || cfg!(not(target_os = "linux"));
        if group {
            let _ = rustix::process::kill_process_group(self.program, signal);
        }
        let program = self.program.as_raw_pid();
        list()
            .into_iter()
            .filter(|process| !group || process.group != program)
            .for_each(|process| process.signal(signal));
    }

    /// Kills the remaining processes and makes the last report.
    fn clear(mut self) -> io::Result<()> {
        let left = matches!(self.phase, Phase::Clearing(_));
        if self.any_left() {
            self.signal(Signal::KILL);
        }
        let reap = || {
            tree::kill_children();
            self.any_left()
        };
        let cleared = tree::sweep(list, reap, Instant::now() + SWEEP);
        LaunchReport::Cleared { left, stuck: !cleared }.write(&self.control)
    }
}

fn list() -> Vec<tree::Process> {
    tree::below(rustix::process::getpid().as_raw_pid(), |_| true)
}
