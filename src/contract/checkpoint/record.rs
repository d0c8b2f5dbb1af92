//! The content of a checkpoint.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use crate::repo::{Mode, ObjectId, RawTree, Repo};
use crate::store::Place;

/// The moment of a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The plan was approved: step 0.
    Start,
    /// A step was completed or skipped.
    Step,
    /// Before a rewind, or its undo.
    Before,
    /// Before an interrupted rewind is finished or undone: the files are half rewound.
    Halfway,
    /// Before `plan clear`.
    BeforeClear,
    /// Before `plan draft`, if no sandbox confines the agent.
    BeforeDraft,
}

impl Kind {
    /// The kind in words: `of step 3`, `before the rewind`.
    pub fn of(self, step: Option<&str>) -> String {
        match self {
            Kind::Start => "of the start".to_owned(),
            Kind::Step => format!("of step {}", step.unwrap_or("?")),
            Kind::Before => "before the rewind".to_owned(),
            Kind::Halfway => "halfway through the rewind".to_owned(),
            Kind::BeforeClear => "before `plan clear`".to_owned(),
            Kind::BeforeDraft => "before `plan draft`".to_owned(),
        }
    }

    /// The word that `plan rewind` takes; `None` for a step, which is named by its number.
    pub const fn word(self) -> Option<&'static str> {
        match self {
            Kind::Start => Some("start"),
            Kind::BeforeClear => Some("before-clear"),
            Kind::BeforeDraft => Some("before-draft"),
            Kind::Step | Kind::Before | Kind::Halfway => None,
        }
    }
}

/// A file that is not in the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Relative to the top.
    pub path: PathBuf,
    /// The reason.
    pub why: String,
}

/// A submodule, or another repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeparateRepo {
    /// Relative to the top.
    pub path: PathBuf,
    /// A submodule's commit.
    pub commit: Option<ObjectId>,
    /// True if its files differ from its commit.
    pub dirty: bool,
}

/// One checkpoint. Paths are relative to the top of the work tree.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// From 1.
    pub number: u32,
    /// The moment.
    pub kind: Kind,
    /// The step that ended last, by its name.
    pub step: Option<String>,
    /// Its goal.
    pub goal: Option<String>,
    /// The time, in the form of log lines.
    pub time: String,
    /// The time, in seconds since 1970.
    pub taken: u64,
    /// The files, without plan.md.
    pub tree: ObjectId,
    /// The commit at HEAD.
    pub head: Option<ObjectId>,
    /// The branch.
    pub branch: Option<String>,
    /// The bytes of plan.md.
    pub plan: Vec<u8>,
    /// The digest of the plan contract, 12 digits.
    pub contract: String,
    /// The host that was running.
    pub host: Option<String>,
    /// The session of the host.
    pub session: Option<String>,
    /// The permission bits of most plain files, most executables and most folders.
    pub usual: [u16; 3],
    /// The permission bits of the other files.
    pub bits: BTreeMap<PathBuf, u16>,
    /// The permission bits of the other folders.
    pub folders: BTreeMap<PathBuf, u16>,
    /// Files that are not in the tree. A rewind never touches them.
    pub left_out: Vec<LeftOut>,
    /// Files that a sparse checkout left absent. They stay absent.
    pub absent: Vec<PathBuf>,
    /// Submodules and other repositories. A rewind never touches them.
    pub apart: Vec<SeparateRepo>,
    /// Before a rewind: the files that the rewind creates.
    pub created: Vec<PathBuf>,
    /// Before a rewind: folders without a file that the rewind fills.
    pub hollow: Vec<PathBuf>,
}

impl Checkpoint {
    pub(super) fn without_bits() -> Self {
        Checkpoint {
            number: 0,
            kind: Kind::Step,
            step: None,
            goal: None,
            time: String::new(),
            taken: 0,
            tree: ObjectId::parse(&"0".repeat(40)).unwrap_or_else(|| unreachable!("40 digits are an id")),
            head: None,
            branch: None,
            plan: Vec::new(),
            contract: String::new(),
            host: None,
            session: None,
            usual: [0o644, 0o755, 0o755],
            bits: BTreeMap::new(),
            folders: BTreeMap::new(),
            left_out: Vec::new(),
            absent: Vec::new(),
            apart: Vec::new(),
            created: Vec::new(),
            hollow: Vec::new(),
        }
    }

    /// The moment in words: `at the end of step 3`, `at the start`, `before the rewind`.
    pub fn moment(&self) -> String {
        match self.kind {
            Kind::Start => "at the start".to_owned(),
            Kind::Step => format!("at the end of step {}", self.step_name()),
            kind => kind.of(None),
        }
    }

    /// The step that ended last; `0` for the start.
    pub fn step_name(&self) -> &str {
        self.step.as_deref().unwrap_or("0")
    }

    /// The permission bits of the file at `path`.
    pub fn bits_of(&self, path: &Path, mode: Mode) -> u16 {
        let usual = self.usual[usize::from(mode == Mode::Executable)];
        self.bits.get(path).copied().unwrap_or(usual)
    }

    pub(super) fn take_bits(&mut self, files: &RawTree) {
        let of = |wanted: Mode| {
            let all = files.tree.entries.iter().zip(&files.bits);
            all.filter(move |(entry, _)| entry.mode == wanted).map(|(_, bits)| *bits)
        };
        self.usual = [
            most(of(Mode::File)).unwrap_or(0o644),
            most(of(Mode::Executable)).unwrap_or(0o755),
            most(files.folders.values().copied()).unwrap_or(0o755),
        ];
        for (entry, bits) in files.tree.entries.iter().zip(&files.bits) {
            let usual = match entry.mode {
                Mode::File => self.usual[0],
                Mode::Executable => self.usual[1],
                Mode::Link | Mode::Submodule => continue,
            };
            if *bits != usual {
                self.bits.insert(entry.path.clone(), *bits);
            }
        }
        let odd = files.folders.iter().filter(|(_, bits)| **bits != self.usual[2]);
        self.folders = odd.map(|(path, bits)| (path.clone(), *bits)).collect();
    }
}

/// The value that occurs most often.
fn most(values: impl Iterator<Item = u16>) -> Option<u16> {
    let mut counts: BTreeMap<u16, usize> = BTreeMap::new();
    values.for_each(|value| *counts.entry(value).or_default() += 1);
    counts.into_iter().max_by_key(|(_, count)| *count).map(|(value, _)| value)
}

/// The name under which the tree with these 12 digits is kept.
pub(super) fn kept_name(repo: &Repo, place: &Place, tree: &str) -> String {
    format!("{}{tree}", kept_prefix(repo, place))
}

/// The common start of the names for this plan in this work tree. Linked work trees share the folder of the names.
pub(super) fn kept_prefix(repo: &Repo, place: &Place) -> String {
    format!("checkpoint-{}-{}-", work_tree(repo.git_dir(), repo.common_dir()), place.key())
}

/// Names a work tree: `main`, or digits for a linked work tree.
pub(super) fn work_tree(git_dir: &Path, common_dir: &Path) -> String {
    use sha2::Digest as _;
    match git_dir.strip_prefix(common_dir).ok().filter(|below| !below.as_os_str().is_empty()) {
        None => "main".to_owned(),
        Some(below) => format!("{:x}", sha2::Sha256::digest(below.as_os_str().as_encoded_bytes()))[..12].to_owned(),
    }
}

pub(super) fn now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs()
}
