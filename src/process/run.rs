//! Runs a program that may do anything: verify, checks, judges.

use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::child::{SWEEP, TERM_GRACE};
use super::interrupt::Watch;
use super::launched::{Launched, own_program};
use super::output::Collector;
use super::poll;
use super::resolve::{refusal, resolve};
use super::sandbox;
pub use super::spec::{DEFAULT_LIMIT, End, Output, RunResult, Spec, Stdin};
pub use super::tail::Tail;
use super::wire::{KILL, LaunchReport, Request, TERMINATE};

/// The time between two calls of `tick`.
const TICK: Duration = Duration::from_secs(1);
/// The additional time the launcher may take after its own grace periods before it is given up.
const SLACK: Duration = Duration::from_secs(2);

/// Runs a program to its end, with everything that it started. See [`Spec`] for its settings.
///
/// On Linux all processes that it started are ended too, including daemons in sessions of their own; elsewhere its process
/// group. SIGINT, SIGTERM and SIGHUP to `plan` are passed on as TERM, with KILL after 5 s; a second signal means KILL at
/// once. If `plan` itself is killed, its launcher ends everything.
pub fn run(spec: &Spec) -> RunResult {
    run_with(spec, &mut |_| {})
}

/// Like [`run`], with a call about once a second that gets the time since the start.
pub fn run_with(spec: &Spec, tick: &mut dyn FnMut(Duration)) -> RunResult {
    let mut ran = RunResult {
        program: None,
        end: End::Lost,
        seconds: 0.0,
        tail: Tail::default(),
        stdout: Vec::new(),
        truncated: false,
        left_processes: false,
        unkilled: false,
        log_error: None,
    };
    let name = spec.argv.first().map(|name| name.as_os_str()).unwrap_or_default();
    let program = match resolve(name, &spec.cwd, &spec.env) {
        Ok(program) => program,
        Err(why) => return RunResult { end: End::NotStarted(why), ..ran },
    };
    ran.program = Some(program.clone());
    match Running::start(spec, program) {
        Err(error) => ran.end = End::NotStarted(format!("the launcher of `plan` cannot be started: {error}")),
        Ok(running) => running.finish(spec, &mut ran, tick),
    }
    ran
}

/// Why all processes were told to end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cause {
    Limit,
    Signal,
}

/// A message from the launcher.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LauncherMessage {
    /// The run is not over yet.
    More,
    /// The run is over; see [`LaunchReport::Cleared`].
    Cleared { left: bool, stuck: bool },
    /// No message will ever come.
    Lost,
}

struct Running {
    launcher: Launched,
    control: UnixStream,
    collector: Collector,
    watch: Watch,
    started: Instant,
    received: Vec<u8>,
    /// How and when the program ended.
    ended: Option<(LaunchReport, Instant)>,
    told: Option<Cause>,
    /// Whether KILL was requested.
    killed: bool,
    /// The time to give up on the launcher, once it has something to clear.
    hopeless: Option<Instant>,
}

impl Running {
    fn start(spec: &Spec, program: PathBuf) -> io::Result<Running> {
        #[cfg(target_os = "linux")]
        rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
        let watch = Watch::begin_for_program()?;
        let (collector, out, err) = Collector::new(&spec.output)?;
        let (control, theirs) = UnixStream::pair()?;
        let launcher = Launched::start(spec.launcher.as_deref(), theirs, out, err)?;
        let (program, argv) = match &spec.sandbox {
            Some(sandbox) => (own_program(spec.launcher.as_deref())?, sandbox.wrap(&program, &spec.argv)),
            None => (program, spec.argv.clone()),
        };
        let request = Request {
            program,
            argv,
            cwd: spec.cwd.clone(),
            env: spec.env.vars().into_iter().collect(),
            stdin: match &spec.stdin {
                Stdin::Null => None,
                Stdin::Bytes(bytes) => Some(bytes.clone()),
            },
            no_new_privileges: spec.no_new_privileges,
        };
        let _ = request.write(&control); // if the launcher is gone, reading its answer shows it
        let (started, received) = (Instant::now(), Vec::new());
        let (ended, told, killed, hopeless) = (None, None, false, None);
        Ok(Running { launcher, control, collector, watch, started, received, ended, told, killed, hopeless })
    }

    fn finish(mut self, spec: &Spec, ran: &mut RunResult, tick: &mut dyn FnMut(Duration)) {
        let heard = self.watch_over(spec, tick).unwrap_or(LauncherMessage::Lost);
        let took = self.ended.map_or_else(Instant::now, |(_, at)| at).duration_since(self.started);
        ran.seconds = took.as_secs_f64();
        ran.end = match (self.told, self.ended) {
            (Some(Cause::Signal), _) => End::Interrupted,
            (Some(Cause::Limit), _) => End::TimedOut,
            (None, Some((LaunchReport::Exited(code), _))) => End::Exited(code),
            (None, Some((LaunchReport::Signalled(signal), _))) => End::Signalled(signal),
            (None, Some((LaunchReport::NotStarted(errno), _))) => End::NotStarted(not_started(spec, ran, errno)),
            (None, _) => End::Lost,
        };
        // A process that killed the launcher after the program's end counts as left behind by the program.
        ran.left_processes = matches!(heard, LauncherMessage::Lost | LauncherMessage::Cleared { left: true, .. })
            && self.ended.is_some();
        ran.unkilled = self.launcher.end(heard == LauncherMessage::Lost)
            || matches!(heard, LauncherMessage::Cleared { stuck: true, .. });
        self.collector.finish(ran);
        if spec.sandbox.is_some() && ran.end == End::Exited(sandbox::REFUSED.into()) {
            ran.end = sandbox::refusal(&ran.tail.text()).map_or(ran.end.clone(), End::NotStarted);
        }
    }

    /// Waits until the launcher reports that no process is left, or is lost.
    fn watch_over(&mut self, spec: &Spec, tick: &mut dyn FnMut(Duration)) -> io::Result<LauncherMessage> {
        let deadline = self.started.checked_add(spec.limit);
        let mut next_tick = self.started + TICK;
        loop {
            let now = Instant::now();
            if self.hopeless.is_some_and(|hopeless| now >= hopeless) {
                return Ok(LauncherMessage::Lost);
            }
            let limit = deadline.filter(|_| self.ended.is_none() && self.told.is_none());
            if limit.is_some_and(|limit| now >= limit) {
                self.tell(TERMINATE, Cause::Limit);
                continue;
            }
            if now >= next_tick {
                tick(now.duration_since(self.started));
                next_tick = now + TICK;
            }
            let until = [Some(next_tick), limit, self.hopeless].into_iter().flatten().min();
            let [out, err] = self.collector.wants();
            let [signal, report, out, err] =
                poll::wait([Some(poll::read(&self.watch)), Some(poll::read(&self.control)), out, err], until)?;
            if signal {
                self.pass_on();
            }
            self.collector.read([out, err]);
            if report {
                match self.listen() {
                    LauncherMessage::More => {}
                    last => return Ok(last),
                }
            }
        }
    }

    fn tell(&mut self, order: u8, cause: Cause) {
        self.told = Some(cause);
        let grace = if order == KILL { Duration::ZERO } else { TERM_GRACE };
        self.hopeless = Some(Instant::now() + grace + SWEEP + SLACK);
        let _ = self.control.write_all(&[order]);
        self.launcher.wake();
    }

    /// The first signal means TERM; a second one, or one after the limit, KILL; one more gives up on the launcher.
    fn pass_on(&mut self) {
        for _ in 0..self.watch.count() {
            match (self.told, self.killed) {
                (None, _) => self.tell(TERMINATE, Cause::Signal),
                (Some(_), false) => {
                    self.tell(KILL, Cause::Signal);
                    self.killed = true;
                }
                (Some(_), true) => self.hopeless = Some(Instant::now()),
            }
        }
    }

    /// Reads and handles messages of the launcher.
    fn listen(&mut self) -> LauncherMessage {
        let mut buffer = [0; 64];
        match self.control.read(&mut buffer) {
            Ok(count) if count > 0 => self.received.extend_from_slice(&buffer[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            _ => return LauncherMessage::Lost,
        }
        while let Some(report) = LaunchReport::take(&mut self.received) {
            if let LaunchReport::Cleared { left, stuck } = report {
                return LauncherMessage::Cleared { left, stuck };
            }
            let now = Instant::now();
            self.ended = Some((report, now));
            self.hopeless = self.hopeless.or(Some(now + TERM_GRACE + SWEEP + SLACK));
        }
        LauncherMessage::More
    }
}

fn not_started(spec: &Spec, ran: &RunResult, errno: i32) -> String {
    let name = spec.argv.first().map(|name| name.as_os_str()).unwrap_or_default();
    let file = ran.program.as_deref().unwrap_or(name.as_ref());
    refusal(name, file, &spec.cwd, &io::Error::from_raw_os_error(errno))
}
