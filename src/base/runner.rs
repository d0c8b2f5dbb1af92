//! The runner of a verify, besides the repository: the files that its programs resolve to, and the variables that make
//! a loader load something else.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::lang::loaders::is_loader;
use crate::lang::wrapper;
use crate::plan::contract::Digest;
use crate::process::environment::Environment;
use crate::process::resolve::resolve;
use crate::shell::strict::{Sequence, StrictCommand};

/// The size in bytes above which a program is identified by its path alone.
const HUGE: u64 = 64 << 20;

/// The programs and variables that run a verify, at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Runner {
    /// SHA-256 of the machine's own names; empty if it has none.
    #[serde(default)]
    pub machine: String,
    /// The programs of the line, including those that only start another one.
    #[serde(default)]
    pub programs: Vec<Program>,
    /// Loader variables that are set, with the SHA-256 of their values.
    #[serde(default)]
    pub loaders: BTreeMap<String, String>,
    /// Folders of `PATH` inside the repository, relative to its top.
    #[serde(default)]
    pub path_inside: BTreeSet<String>,
}

/// A program and the file that it resolves to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// The name in the line.
    pub name: String,
    /// The file; `None` if there was none.
    pub path: Option<PathBuf>,
    /// True if the file is in the repository.
    #[serde(default)]
    pub inside: bool,
    /// The file's SHA-256; `None` if the file is huge or cannot be read.
    pub sha256: Option<String>,
}

impl Runner {
    /// Returns the present runner of a line that runs in `root`, in the repository whose top is `top`.
    pub fn now(sequence: &Sequence, root: &Path, top: &Path) -> Self {
        let environment = Environment::without_git();
        let mut programs: Vec<Program> = Vec::new();
        for command in &sequence.commands {
            for name in names(command) {
                if !programs.iter().any(|known| known.name == name) {
                    programs.push(program(name, command, root, top));
                }
            }
        }
        let loaders = environment.vars().into_iter().filter_map(|(name, value)| {
            let name = name.to_str().filter(|name| is_loader(name))?.to_owned();
            (!value.is_empty()).then(|| (name, Digest::of(value.as_bytes()).to_string()))
        });
        Runner { machine: machine(), programs, loaders: loaders.collect(), path_inside: path_inside(&environment, top) }
    }
}

/// Returns `argv[0]` and, behind `env` or `timeout`, the program that they start.
fn names(command: &StrictCommand) -> Vec<&str> {
    let argv = command.argv();
    let inner = wrapper::unwrap(&argv).and_then(|argv| argv.first().copied());
    let mut names: Vec<&str> = argv.first().copied().into_iter().chain(inner).collect();
    names.dedup();
    names
}

fn program(name: &str, command: &StrictCommand, root: &Path, top: &Path) -> Program {
    let environment = Environment::without_git().set_all(command.env.clone());
    let found = resolve(OsStr::new(name), root, &environment).ok();
    let real = found.as_deref().and_then(|path| path.canonicalize().ok());
    let inside = found.iter().chain(&real).any(|path| path.starts_with(top));
    Program { name: name.to_owned(), sha256: real.as_deref().and_then(sha256), path: found, inside }
}

fn path_inside(environment: &Environment, top: &Path) -> BTreeSet<String> {
    let path = environment.get("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).filter_map(|folder| {
        let real = folder.canonicalize().ok()?;
        Some(real.strip_prefix(top).ok()?.to_string_lossy().into_owned())
    });
    folders.collect()
}

/// Returns the SHA-256 of a file that is not huge.
fn sha256(path: &Path) -> Option<String> {
    let file = std::fs::File::open(path).ok()?;
    let meta = file.metadata().ok()?;
    if !meta.is_file() || meta.len() > HUGE {
        return None;
    }
    let mut hasher = Sha256::new();
    std::io::copy(&mut file.take(HUGE + 1), &mut hasher).ok()?;
    Some(format!("{:x}", hasher.finalize()))
}

/// Returns a digest that identifies the machine: another machine has other files under other names, although nobody moved anything.
fn machine() -> String {
    let named = ["/etc/machine-id", "/proc/sys/kernel/hostname", "/etc/hostname"].map(std::fs::read);
    let named: Vec<u8> = named.into_iter().flatten().flatten().collect();
    if named.is_empty() { String::new() } else { Digest::of(&named).to_string() }
}
