//! A program that may read everything and write almost nothing (`SIGNOFF.md` §5, read-only three times over).
//!
//! ```text
//! plan ─▶ launcher ─▶ plan __sandbox --level landlock7 --rw DIR … -- argv ─▶ restricts itself, then becomes argv
//! ```
//!
//! `plan` asks the system for the level and never derives it from a version. The wrapper gets the level as an order and
//! starts nothing if it cannot enforce all of it. So the printed and attested level is the level in force.

mod enter;
#[cfg(target_os = "linux")]
mod landlock;
#[cfg(target_os = "linux")]
mod privileges;
#[cfg_attr(not(target_os = "macos"), allow(dead_code, reason = "its text is tested everywhere"))]
mod seatbelt;

#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

pub use enter::enter;

/// The argument that starts `plan` as the wrapper.
pub const VERB: &str = "__sandbox";
/// The wrapper's exit code if it did not start the program, as with env(1) and timeout(1).
pub const REFUSED: u8 = 125;
/// The prefix of its line on stderr in that case.
const MARK: &str = "plan sandbox: ";

/// The oldest Landlock ABI that is accepted: older ones do not forbid truncating a file.
const FLOOR: u8 = 3;

/// The restrictions that the operating system enforces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SandboxLevel {
    /// Linux: Landlock with everything that this ABI can forbid; at least ABI 3.
    Landlock(u8),
    /// macOS: `/usr/bin/sandbox-exec`.
    Seatbelt,
}

impl SandboxLevel {
    /// The best level of this system, determined once; or the reason why there is none.
    pub fn best() -> Result<SandboxLevel, String> {
        static BEST: OnceLock<Result<SandboxLevel, String>> = OnceLock::new();
        BEST.get_or_init(probe).clone()
    }

    fn parse(word: &str) -> Option<SandboxLevel> {
        match word.strip_prefix("landlock") {
            Some(abi) => abi.parse().ok().filter(|&abi| abi >= FLOOR).map(SandboxLevel::Landlock),
            None => (word == "seatbelt").then_some(SandboxLevel::Seatbelt),
        }
    }
}

impl fmt::Display for SandboxLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SandboxLevel::Landlock(abi) => write!(f, "landlock{abi}"),
            SandboxLevel::Seatbelt => f.write_str("seatbelt"),
        }
    }
}

#[cfg(target_os = "linux")]
fn probe() -> Result<SandboxLevel, String> {
    landlock::newest()
        .map(SandboxLevel::Landlock)
        .ok_or_else(|| format!("this kernel has no Landlock of ABI {FLOOR} or newer"))
}

#[cfg(target_os = "macos")]
fn probe() -> Result<SandboxLevel, String> {
    seatbelt::works()
        .then_some(SandboxLevel::Seatbelt)
        .ok_or_else(|| format!("`{}` does not work here", seatbelt::PROGRAM))
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn probe() -> Result<SandboxLevel, String> {
    Err("this system has no sandbox that `plan` knows".to_owned())
}

/// A sandbox for a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sandbox {
    /// The level to enforce. If it cannot be enforced, the program is not started.
    pub level: SandboxLevel,
    /// Folders and files that may be written, absolute. Missing ones are left out.
    pub writable: Vec<PathBuf>,
}

impl Sandbox {
    /// Returns the wrapper's argv for `program`, which the wrapper starts with `argv`.
    pub(super) fn wrap(&self, program: &Path, argv: &[OsString]) -> Vec<OsString> {
        let mut words: Vec<OsString> =
            vec!["plan".into(), VERB.into(), "--level".into(), self.level.to_string().into()];
        words.extend(["--program".into(), program.into()]);
        words.extend(self.writable.iter().flat_map(|path| ["--rw".into(), path.into()]));
        words.push("--".into());
        words.extend_from_slice(argv);
        words
    }
}

/// Finds the reason why the wrapper did not start its program, at the end of the output. `None` if the program itself
/// ended with [`REFUSED`].
pub(super) fn refusal(printed: &str) -> Option<String> {
    let last = printed.trim_end().rsplit('\n').next()?;
    last.strip_prefix(MARK).map(str::to_owned)
}
