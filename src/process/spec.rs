//! The program to run, and the result of the run.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::time::Duration;

use super::environment::Environment;
use super::sandbox::Sandbox;
use super::tail::Tail;

/// The time limit of a program unless changed (`SIGNOFF.md` §2).
pub const DEFAULT_LIMIT: Duration = Duration::from_secs(600);

/// A program to run, with all its settings.
#[derive(Clone, Debug)]
pub struct Spec {
    /// Program and arguments; at least one word.
    pub argv: Vec<OsString>,
    /// The folder in which it runs; names with a `/` are relative to it.
    pub cwd: PathBuf,
    /// Its environment; [`Environment::without_git`] unless changed.
    pub env: Environment,
    /// Its input; empty unless changed.
    pub stdin: Stdin,
    /// The limit of wall clock time; then TERM to all processes, 5 s later KILL.
    pub limit: Duration,
    /// Where its output goes.
    pub output: Output,
    /// Denies the privileges that set-user-id programs would add. Breaks `sudo` and rootless containers: for judges, not for verify.
    pub no_new_privileges: bool,
    /// The sandbox that the operating system enforces; `None`: no sandbox. If it cannot be enforced, the program is not started.
    pub sandbox: Option<Sandbox>,
    /// The `plan` binary that is started as the launcher; `None`: the running one.
    pub launcher: Option<PathBuf>,
}

impl Spec {
    /// A program with the settings of stage 1: no input, no `GIT_*`, 600 s, stdout and stderr together without a log.
    pub fn new<A: AsRef<OsStr>>(argv: impl IntoIterator<Item = A>, cwd: impl Into<PathBuf>) -> Spec {
        Spec {
            argv: argv.into_iter().map(|word| word.as_ref().to_owned()).collect(),
            cwd: cwd.into(),
            env: Environment::without_git(),
            stdin: Stdin::Null,
            limit: DEFAULT_LIMIT,
            output: Output::Together { log: None },
            no_new_privileges: false,
            sandbox: None,
            launcher: None,
        }
    }
}

/// The input of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stdin {
    /// `/dev/null`.
    Null,
    /// These bytes, then the end of input. Held in memory; it is no error if the program does not read them.
    Bytes(Vec<u8>),
}

/// Where a program's output goes. Memory use is bounded, however much it prints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// stdout and stderr through one pipe, in the order printed: the end in [`RunResult::tail`], all of it in a file.
    Together {
        /// Created or emptied, mode 0600. Over 64 MiB the middle is left out, and a line tells how much.
        log: Option<PathBuf>,
    },
    /// stdout to [`RunResult::stdout`], the end of stderr to [`RunResult::tail`].
    Apart {
        /// The maximum number of bytes kept of stdout; more is read and dropped.
        stdout_cap: usize,
    },
}

/// The result of a run. No process of it runs any more, except if [`RunResult::unkilled`] is true.
#[derive(Clone, Debug, PartialEq)]
pub struct RunResult {
    /// The file that was run; `None` if the name could not be resolved.
    pub program: Option<PathBuf>,
    /// How the program ended.
    pub end: End,
    /// Wall clock time from start to end, without the clean-up.
    pub seconds: f64,
    /// The end of the output, or of stderr alone if the outputs were apart.
    pub tail: Tail,
    /// The output on stdout, if the outputs were apart.
    pub stdout: Vec<u8>,
    /// The log has a gap, or stdout had more than its cap.
    pub truncated: bool,
    /// The program left other processes running, which have been ended since (`verify-leaves-processes`).
    pub left_processes: bool,
    /// Some process could not even be killed (a process of another user, a dead file server).
    pub unkilled: bool,
    /// Why the log could not be written completely.
    pub log_error: Option<String>,
}

/// How a program ended. Only [`End::Exited`] with 0 is a success.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The program exited with this code.
    Exited(i32),
    /// A signal that we did not send ended the program.
    Signalled(i32),
    /// Ended by us because the limit passed, even if it exited with 0 afterwards.
    TimedOut,
    /// The program never ran; one line that names it and gives the reason.
    NotStarted(String),
    /// Ended by us because Ctrl-C, SIGTERM or SIGHUP came. The caller must write nothing and exit with 130.
    Interrupted,
    /// A process below killed the launcher, so it is unknown how the program ended.
    Lost,
}
