//! A program under test, marked so that every process that it leaves behind can be found.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use plan::process::capture::capture;
use plan::process::environment::Environment;
use plan::process::interrupt::SignalHold;
use plan::process::run::{Output, RunResult, Spec, run};
use rustix::process::{Signal, getpid, kill_process};
use tempfile::TempDir;

/// A working folder, and a mark in the environment of every program that runs there.
pub(crate) struct World {
    pub(crate) folder: TempDir,
    pub(crate) mark: String,
}

impl World {
    pub(crate) fn new() -> World {
        let folder = crate::support::tempdir();
        let mark = format!("PLAN_TEST_MARK={}", folder.path().display());
        World { folder, mark }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file with these permissions.
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>, mode: u32) -> PathBuf {
        use std::os::unix::fs::PermissionsExt;
        fs::write(self.path(name), content).unwrap();
        fs::set_permissions(self.path(name), fs::Permissions::from_mode(mode)).unwrap();
        self.path(name)
    }

    pub(crate) fn spec<A: AsRef<OsStr>>(&self, argv: impl IntoIterator<Item = A>) -> Spec {
        let (name, value) = self.mark.split_once('=').unwrap();
        let mut spec = Spec::new(argv, self.folder.path());
        spec.env = spec.env.set(name, value);
        spec.limit = Duration::from_secs(60);
        spec.launcher = Some(env!("CARGO_BIN_EXE_plan").into());
        spec
    }

    /// Returns the spec that runs `sh -c script`.
    pub(crate) fn sh_spec(&self, script: &str) -> Spec {
        self.spec(["sh", "-c", script])
    }

    /// Like [`World::sh_spec`], with default signal actions: a shell cannot undo it if the caller of the tests ignores a signal.
    pub(crate) fn obedient_spec(&self, script: &str) -> Spec {
        self.spec(["env", "--default-signal", "sh", "-c", script])
    }

    /// Runs the program and checks that no process is left.
    pub(crate) fn run(&self, spec: &Spec) -> RunResult {
        let ran = run(spec);
        self.nothing_left();
        ran
    }

    pub(crate) fn sh(&self, script: &str) -> RunResult {
        self.run(&self.sh_spec(script))
    }

    /// The command lines of all running processes with the mark.
    pub(crate) fn running(&self) -> Vec<String> {
        let marked = |pid: &Path| {
            let environ = fs::read(pid.join("environ")).unwrap_or_default();
            environ.split(|&byte| byte == 0).any(|variable| variable == self.mark.as_bytes())
        };
        let pids = fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok().map(|entry| entry.path()));
        let own = format!("/proc/{}", std::process::id());
        pids.filter(|pid| pid.as_path() != Path::new(&own) && marked(pid))
            .map(|pid| {
                let line = fs::read(pid.join("cmdline")).unwrap_or_default();
                format!("{} {}", pid.display(), String::from_utf8_lossy(&line).replace('\0', " "))
            })
            .collect()
    }

    pub(crate) fn nothing_left(&self) {
        assert_eq!(self.running(), [""; 0]);
    }

    /// Waits until a condition holds.
    pub(crate) fn until(&self, what: &str, so: impl Fn() -> bool) {
        let deadline = Instant::now() + Duration::from_secs(20);
        while !so() {
            assert!(Instant::now() < deadline, "{what}; running: {:#?}", self.running());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Starts this test binary again as a process that runs `script` and writes the result to the file `ran`.
    pub(crate) fn runner(&self, script: &str) -> Child {
        self.runner_as("run", "", script)
    }

    /// Like [`World::runner`]; `how` is a mode of [`runner`], `ignored` names the signals that it ignores from its start.
    pub(crate) fn runner_as(&self, how: &str, ignored: &str, script: &str) -> Child {
        let ignored = (!ignored.is_empty()).then(|| format!("--ignore-signal={ignored}"));
        // If the tests run in the background of a script, they would pass on that Ctrl-C is ignored.
        let defaults = cfg!(target_os = "linux").then_some("--default-signal=INT,TERM,HUP,CHLD");
        Command::new("env")
            .args(defaults)
            .args(ignored)
            .arg(std::env::current_exe().unwrap())
            .args(["--exact", "process::support::runner", "--nocapture"])
            .env("PLAN_TEST_HOW", how)
            .env("GIT_DIR", "/elsewhere")
            .env("PLAN_TEST_RUNNER", self.folder.path())
            .env("PLAN_TEST_SCRIPT", script)
            .stdout(fs::File::create(self.path("runner.out")).unwrap())
            .stderr(fs::File::create(self.path("runner.err")).unwrap())
            .spawn()
            .unwrap()
    }

    /// The text that the runner wrote.
    pub(crate) fn runner_said(&self) -> String {
        fs::read_to_string(self.path("ran")).unwrap_or_default()
    }
}

/// Not a test: this is the process that [`World::runner`] starts. In a test run it does nothing.
#[test]
fn runner() {
    let Some(folder) = std::env::var_os("PLAN_TEST_RUNNER") else { return };
    let folder = PathBuf::from(folder);
    let script = std::env::var("PLAN_TEST_SCRIPT").unwrap();
    let said = match std::env::var("PLAN_TEST_HOW").unwrap().as_str() {
        "run" => runner_run(&folder, &script),
        "capture" => {
            let environment = Environment::inherited().set("PLAN_TEST_MARK", &folder);
            format!("{:?}", capture("sh", ["-c", &script], &folder, &environment, b""))
        }
        // A signal arrives while signals are held and no program runs; then comes a run.
        "held" => {
            let _held = SignalHold::begin().unwrap();
            kill_process(getpid(), Signal::TERM).unwrap();
            runner_run(&folder, &script)
        }
        // A run, and then other work that takes long.
        "idle" => {
            runner_run(&folder, &script);
            fs::write(folder.join("idle"), "").unwrap();
            std::thread::sleep(Duration::from_secs(30));
            "slept".to_owned()
        }
        other => panic!("{other}"),
    };
    fs::write(folder.join("ran"), said).unwrap();
}

fn runner_run(folder: &Path, script: &str) -> String {
    let mut spec = Spec::new(["sh", "-c", script], folder);
    spec.env = spec.env.set("PLAN_TEST_MARK", folder);
    spec.launcher = Some(env!("CARGO_BIN_EXE_plan").into());
    spec.output = Output::Together { log: Some(folder.join("run.log")) };
    let ran = run(&spec);
    format!("{:?} truncated={} peak={}", ran.end, ran.truncated, peak_kib())
}

/// The peak memory of this process.
pub(crate) fn peak_kib() -> u64 {
    crate::support::own_memory(&fs::read_to_string("/proc/self/status").unwrap())
}
