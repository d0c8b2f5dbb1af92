//! An attack that is tried inside the sandbox and then outside.

use std::process::{Child, Command, Stdio};

use plan::process::sandbox::SandboxLevel;

use crate::support::World;
use crate::support::output::Output;

/// Lines of `sh` in the work tree that end with 0 if the attack worked.
///
/// `$RW` is the only writable folder, `$OUTSIDER` the number of a process outside the sandbox; `victim` is a tracked file, `folder` an
/// empty folder.
pub(super) struct Attack {
    pub(super) name: &'static str,
    pub(super) lines: &'static str,
    /// The first Landlock ABI that stops the attack.
    pub(super) since: u8,
    /// A requirement that not every system meets; if the control fails because of it, the attack is skipped.
    pub(super) needs: Option<&'static str>,
}

/// The Landlock ABI in force; `None`, with a message, if there is none to test.
pub(crate) fn abi() -> Option<u8> {
    match SandboxLevel::best() {
        Ok(SandboxLevel::Landlock(abi)) => Some(abi),
        other => {
            println!("skipped: no Landlock here: {other:?}");
            None
        }
    }
}

/// A repository with a commit, a writable folder, and an unrelated process.
pub(super) struct Target {
    pub(super) world: World,
    outsider: Child,
}

impl Target {
    pub(super) fn new() -> Target {
        let world = World::new().file("victim", "line\n").file("notes.txt", "notes\n").committed();
        std::fs::create_dir(world.path("folder")).unwrap();
        std::fs::create_dir(world.base().join("rw")).unwrap();
        let outsider = Command::new("sleep").arg("1000").stdout(Stdio::null()).spawn().unwrap();
        Target { world, outsider }
    }

    /// Runs `sh -c LINES` in the sandbox, with `rw` writable.
    #[track_caller]
    pub(super) fn inside(&self, lines: &str) -> Output {
        let rw = self.world.base().join("rw");
        let words: [&std::ffi::OsStr; 7] = [
            "__sandbox".as_ref(),
            "--rw".as_ref(),
            rw.as_ref(),
            "--".as_ref(),
            "sh".as_ref(),
            "-c".as_ref(),
            lines.as_ref(),
        ];
        self.with_variables(self.world.call(words))
    }

    /// The same without a sandbox.
    #[track_caller]
    pub(super) fn outside(&self, lines: &str) -> Output {
        self.with_variables(self.world.call_program("sh", ["-c", lines]))
    }

    #[track_caller]
    fn with_variables(&self, call: crate::support::world::Call<'_>) -> Output {
        let rw = self.world.base().join("rw");
        call.env("RW", &rw).env("TMPDIR", &rw).env("OUTSIDER", self.outsider.id().to_string()).run()
    }

    /// Every file of the work tree and of `.git`: path, kind, content.
    pub(super) fn seen(&self) -> Vec<String> {
        let lines = "find . -printf '%p %y %l\\n' -type f -exec cksum {} + | sort";
        self.outside(lines).stdout.lines().map(str::to_owned).collect()
    }

    /// The number of a process outside the sandbox.
    pub(super) fn outsider(&self) -> u32 {
        self.outsider.id()
    }

    /// False if somebody ended the outsider.
    pub(super) fn outsider_lives(&mut self) -> bool {
        self.outsider.try_wait().unwrap().is_none()
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        let _ = self.outsider.kill();
        let _ = self.outsider.wait();
    }
}

impl Attack {
    /// The attack must fail and change nothing inside, and work outside.
    #[track_caller]
    pub(super) fn try_both(&self, abi: u8) {
        if abi < self.since {
            println!("skipped {}: held back since ABI {}, this is {abi}", self.name, self.since);
            return;
        }
        let mut target = Target::new();
        let before = target.seen();
        let inside = target.inside(self.lines);
        assert_ne!(inside.code, 0, "{}: it worked inside: {inside:?}", self.name);
        assert!(!inside.stderr.contains("plan sandbox"), "{}: it was not even tried: {inside:?}", self.name);
        assert_eq!(target.seen(), before, "{}: something changed: {inside:?}", self.name);
        assert!(target.outsider_lives(), "{}", self.name);
        let outside = target.outside(self.lines);
        match self.needs {
            Some(needs) if outside.code != 0 => println!("skipped {}: needs {needs}: {}", self.name, outside.stderr),
            _ => assert_eq!(outside.code, 0, "{}: it works not even outside: {outside:?}", self.name),
        }
    }
}
