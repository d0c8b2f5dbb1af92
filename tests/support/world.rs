//! A folder of its own with a cleared environment, fixed clock, user and time zone, in which `plan` and git run.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use super::hand::Hand;
use super::leaks;
use super::output::Output;

/// The stamp that log lines get.
pub const NOW: &str = "2026-06-15T14:33";
/// How long one command may take before it is killed and the test fails.
const LIMIT: Duration = Duration::from_secs(60);

/// `<temp>/work` is the working folder, beside it `home`, `bin` (first on PATH) and `tmp` (TMPDIR).
///
/// Dropping it fails the test where a process is still running in it, or a temporary file was left behind.
pub struct World {
    temp: tempfile::TempDir,
    root: PathBuf,
    env: BTreeMap<OsString, OsString>,
    crashes: bool,
    hand: Option<Hand>,
}

impl World {
    /// A world whose working folder is an empty git repository without commits.
    #[must_use]
    pub fn new() -> Self {
        let world = World::without_git();
        world.git(["init", "--quiet"]);
        world
    }

    /// A world without a repository.
    #[must_use]
    pub fn without_git() -> Self {
        let temp = super::tempdir();
        let base = temp.path().canonicalize().unwrap();
        for folder in ["home", "bin", "tmp", "work"] {
            std::fs::create_dir(base.join(folder)).unwrap();
        }
        std::fs::write(base.join("home/.gitconfig"), GIT_CONFIG).unwrap();
        World { env: environment(&base), root: base.join("work"), temp, crashes: false, hand: None }
    }

    /// Sets a variable for every command.
    #[must_use]
    pub fn env(mut self, key: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.env.insert(key.into(), value.into());
        self
    }

    /// Writes a file below the working folder.
    #[must_use]
    pub fn file(self, path: &str, content: impl AsRef<[u8]>) -> Self {
        self.write(path, content);
        self
    }

    /// Puts an executable script first on PATH.
    #[must_use]
    pub fn program(self, name: &str, script: &str) -> Self {
        executable(&self.base().join("bin").join(name), script);
        self
    }

    /// Commits everything, with fixed author and dates.
    #[must_use]
    pub fn committed(self) -> Self {
        self.commit("base");
        self
    }

    /// For tests that kill `plan`: temporary files may be left, processes may not.
    #[must_use]
    pub fn crashes(mut self) -> Self {
        self.crashes = true;
        self
    }

    /// With a [`Hand`] that does what a judge asks for and may not do itself.
    #[must_use]
    pub fn helped(mut self) -> Self {
        self.hand = Some(Hand::start(self.base()));
        self
    }

    /// The folder that holds `home`, `bin`, `tmp` and `work`.
    pub fn base(&self) -> &Path {
        self.root.parent().unwrap()
    }

    /// The working folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A path below the working folder.
    pub fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// Writes a file below the working folder, with the folders above it.
    pub fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    /// Writes an executable script below the working folder.
    pub fn script(&self, path: &str, script: &str) {
        self.write(path, "");
        executable(&self.path(path), script);
    }

    /// A file's text.
    #[track_caller]
    pub fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.path(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
    }

    /// `plan.md`.
    #[track_caller]
    pub fn plan_md(&self) -> String {
        self.read("plan.md")
    }

    /// Runs git and gives back what it printed; fails where git does.
    #[track_caller]
    pub fn git<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(&self, args: I) -> String {
        let output = self.call_program("git", args).run();
        assert_eq!(output.code, 0, "git: {}{}", output.stdout, output.stderr);
        output.stdout
    }

    /// Commits everything.
    pub fn commit(&self, message: &str) {
        self.git(["add", "--all"]);
        self.git(["commit", "--quiet", "--allow-empty", "--message", message]);
    }

    /// Runs `plan`.
    pub fn plan<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(&self, args: I) -> Output {
        self.call(args).run()
    }

    /// Runs `plan`, which says this on one of its streams.
    #[track_caller]
    pub fn told(&self, args: &[&str], expected: &str) {
        let output = self.plan(args);
        let text = format!("{}{}", output.stdout, output.stderr);
        assert!(text.contains(expected), "{args:?}: {text}");
    }

    /// `plan` with these arguments, to be given stdin, variables or a folder before it runs.
    pub fn call<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(&self, args: I) -> Call<'_> {
        self.call_program(env!("CARGO_BIN_EXE_plan"), args)
    }

    /// Another program in the same surroundings.
    pub fn call_program<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(
        &self,
        program: impl AsRef<OsStr>,
        args: I,
    ) -> Call<'_> {
        Call { world: self, command: self.command(program, args), stdin: Vec::new(), limit: LIMIT }
    }

    /// The bare command, for tests that need the child itself.
    pub fn command<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(&self, program: impl AsRef<OsStr>, args: I) -> Command {
        let mut command = Command::new(program);
        command.args(args).env_clear().envs(&self.env).current_dir(&self.root);
        command
    }

    /// `plan`, to be sent signals: they are at their defaults, where a test that runs in the background of a script would
    /// hand on that Ctrl-C is ignored.
    pub fn interruptible<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(&self, args: I) -> Command {
        if cfg!(not(target_os = "linux")) {
            return self.command(env!("CARGO_BIN_EXE_plan"), args);
        }
        let mut command = self.command("env", ["--default-signal=INT,TERM,HUP", env!("CARGO_BIN_EXE_plan")]);
        command.args(args);
        command
    }
}

impl Drop for World {
    fn drop(&mut self) {
        drop(self.hand.take());
        let left = leaks::end_processes(self.base());
        let files = if self.crashes { Vec::new() } else { leaks::files(self.base()) };
        if !std::thread::panicking() {
            assert!(left.is_empty(), "still running in the world: {left:#?}");
            assert!(files.is_empty(), "left behind in the world: {files:#?}");
        }
    }
}

/// One command before it runs.
#[must_use = "a call does nothing until it runs"]
pub struct Call<'w> {
    world: &'w World,
    command: Command,
    stdin: Vec<u8>,
    limit: Duration,
}

impl Call<'_> {
    /// Sets its stdin; empty by default.
    pub fn stdin(mut self, bytes: impl AsRef<[u8]>) -> Self {
        self.stdin = bytes.as_ref().to_vec();
        self
    }

    /// One more variable.
    pub fn env(mut self, key: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.command.env(key, value);
        self
    }

    /// Another working folder, relative to the world's.
    pub fn dir(mut self, path: &str) -> Self {
        self.command.current_dir(self.world.path(path));
        self
    }

    /// Another time limit.
    pub fn limit(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }

    /// Runs it to its end. Output goes to files: a child that keeps a pipe open cannot hold the test.
    #[track_caller]
    pub fn run(mut self) -> Output {
        let mut input = tempfile::tempfile().unwrap();
        input.write_all(&self.stdin).unwrap();
        input.rewind().unwrap();
        let (out, err) = (tempfile::tempfile().unwrap(), tempfile::tempfile().unwrap());
        self.command.stdin(input).stdout(stdio(&out)).stderr(stdio(&err));
        let mut child = self.command.spawn().unwrap_or_else(|e| panic!("{:?}: {e}", self.command));
        let pid = rustix::process::Pid::from_child(&child);
        let (ended, wait) = mpsc::channel::<()>();
        let limit = self.limit;
        let watchdog = std::thread::spawn(move || {
            let late = wait.recv_timeout(limit) == Err(mpsc::RecvTimeoutError::Timeout);
            late.then(|| rustix::process::kill_process(pid, rustix::process::Signal::KILL)).is_some()
        });
        let status = child.wait().unwrap();
        drop(ended);
        let late = watchdog.join().unwrap();
        let output = Output::new(self.world.base(), status, text(out), text(err));
        assert!(!late, "killed after {limit:?}: {:?}\n{}{}", self.command, output.stdout, output.stderr);
        output
    }
}

const GIT_CONFIG: &str = "[user]\n\tname = Ada\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n\
    [commit]\n\tgpgSign = false\n[protocol \"file\"]\n\tallow = always\n";

fn environment(base: &Path) -> BTreeMap<OsString, OsString> {
    let home = base.join("home");
    let path = std::env::join_paths([base.join("bin"), git_folder(), "/usr/bin".into(), "/bin".into()]).unwrap();
    let mut env: BTreeMap<OsString, OsString> = [
        ("HOME", home.clone()),
        ("XDG_CONFIG_HOME", home.join(".config")),
        ("XDG_STATE_HOME", home.join(".local/state")),
        ("XDG_DATA_HOME", home.join(".local/share")),
        ("XDG_CACHE_HOME", home.join(".cache")),
        ("TMPDIR", base.join("tmp")),
    ]
    .map(|(key, path)| (key.into(), path.into()))
    .into();
    for (key, value) in [
        ("LANG", "C.UTF-8"),
        ("TZ", "UTC"),
        ("NO_COLOR", "1"),
        ("COLUMNS", "100"),
        ("PLAN_NOW", NOW),
        ("GIT_CONFIG_NOSYSTEM", "1"),
        ("GIT_AUTHOR_DATE", "2026-06-01T12:00:00Z"),
        ("GIT_COMMITTER_DATE", "2026-06-01T12:00:00Z"),
    ] {
        env.insert(key.into(), value.into());
    }
    env.insert("PATH".into(), path);
    // Whoever runs the tests may be an agent, and has another home.
    let account = format!("{}:{}", std::process::id(), base.join("home").display());
    env.insert("PLAN_TEST_ACCOUNT".into(), account.into());
    env
}

/// The folder of the git that the person running the tests uses: the newest one may stand outside /usr/bin.
fn git_folder() -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).find(|p| p.is_absolute() && p.join("git").is_file()).unwrap_or("/usr/bin".into())
}

fn executable(path: &Path, script: &str) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::write(path, script).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

fn stdio(file: &std::fs::File) -> Stdio {
    Stdio::from(file.try_clone().unwrap())
}

fn text(mut file: std::fs::File) -> String {
    let mut bytes = Vec::new();
    file.rewind().unwrap();
    file.read_to_end(&mut bytes).unwrap();
    String::from_utf8_lossy(&bytes).into_owned()
}
