//! What to run, and what became of it.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::time::Duration;

use super::environment::Environment;
use super::sandbox::Sandbox;
use super::tail::Tail;

/// How long a program may take unless told otherwise (`SIGNOFF.md` §2).
pub const DEFAULT_LIMIT: Duration = Duration::from_secs(600);

/// A program to run, with everything that it gets.
#[derive(Clone, Debug)]
pub struct Spec {
    /// Program and arguments; at least one.
    pub argv: Vec<OsString>,
    /// Where it runs; names with a `/` are looked up from here.
    pub cwd: PathBuf,
    /// Its environment; [`Environment::without_git`] unless changed.
    pub env: Environment,
    /// Its input; nothing unless changed.
    pub stdin: Stdin,
    /// Wall clock; then TERM to all, 5 s later KILL.
    pub limit: Duration,
    /// Where its output goes.
    pub output: Output,
    /// Takes away what set-user-id programs would add. Breaks `sudo` and rootless containers: for judges, not for verify.
    pub no_new_privileges: bool,
    /// What the operating system keeps it from; `None`: nothing. Where that cannot be enforced, it is not started.
    pub sandbox: Option<Sandbox>,
    /// The `plan` binary that is started as the launcher; `None`: the one that runs.
    pub launcher: Option<PathBuf>,
}

impl Spec {
    /// A program as stage 1 runs it: no input, no `GIT_*`, 600 s, stdout and stderr together without a log.
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

/// What a program reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stdin {
    /// `/dev/null`.
    Null,
    /// These bytes, then the end. Held in memory; that the program does not read them is no error.
    Bytes(Vec<u8>),
}

/// Where a program's output goes. Memory stays bounded whatever it prints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// stdout and stderr through one pipe, in the order printed: [`RunResult::tail`], and the whole in a file.
    Together {
        /// Created or emptied, mode 0600; over 64 MiB the middle is left out, with a line that says how much.
        log: Option<PathBuf>,
    },
    /// stdout to [`RunResult::stdout`], the end of stderr to [`RunResult::tail`].
    Apart {
        /// Of stdout, the first so many bytes are kept; more is read and dropped.
        stdout_cap: usize,
    },
}

/// What became of a program. Nothing of it runs any more, but where [`RunResult::unkilled`] says so.
#[derive(Clone, Debug, PartialEq)]
pub struct RunResult {
    /// The file that was run; `None` where the name meant none.
    pub program: Option<PathBuf>,
    /// How it ended.
    pub end: End,
    /// Wall clock from start to end, without the time that clearing up took.
    pub seconds: f64,
    /// The end of the output, or of stderr alone where they were apart.
    pub tail: Tail,
    /// What it printed on stdout, where they were apart.
    pub stdout: Vec<u8>,
    /// The log has a gap, or stdout had more than its cap.
    pub truncated: bool,
    /// It ended and left others running, which have been ended since (`verify-leaves-processes`).
    pub left_processes: bool,
    /// Something could not even be killed (a process of another user, a dead file server).
    pub unkilled: bool,
    /// Why the log is not whole: it could not be written.
    pub log_error: Option<String>,
}

/// How a program ended. Only [`End::Exited`] with 0 is a success.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// With this exit code.
    Exited(i32),
    /// By this signal that we did not send.
    Signalled(i32),
    /// Ended by us because the limit passed, even if it exited with 0 afterwards.
    TimedOut,
    /// It never ran; one line that names it and says why.
    NotStarted(String),
    /// By us: Ctrl-C, SIGTERM or SIGHUP came. Write nothing and exit 130.
    Interrupted,
    /// The launcher was killed from below, so nobody knows how it ended.
    Lost,
}
