//! Writes a tree as plain files into a folder of its own. Our own writer does this, so that no filter, conversion or hook of
//! the repository runs and nothing is written outside that folder (`SIGNOFF.md` §3, clean export).

mod bytes;
mod git;
mod layout;
mod names;
mod tidy;

use std::collections::HashMap;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

pub use layout::{Layout, LayoutFile};
pub(super) use names::check_path;
pub use names::is_plain_name;

use super::disk::{PathKind, look};
use super::error::{RepoError, RepoResult};
use super::index::Stat;
use super::tree::Mode;
use super::{ObjectId, Repo};
use crate::error::Result;

/// The maximum number of bytes of an export; more may not fit into a temporary folder beside other work.
const LARGEST: u64 = 4 << 30;
/// The maximum number of files of an export.
const MOST: usize = 500_000;

/// A folder that can be made to hold exactly one [`Layout`] after another.
#[derive(Debug)]
pub struct Export<'r> {
    repo: &'r Repo,
    folder: PathBuf,
    /// The mode of the folder when it was new; all folders in it get this mode.
    mode: Option<u32>,
    /// The written files with their stat data. A file whose stat data differ now was changed since.
    laid: HashMap<PathBuf, (Mode, ObjectId, Stat)>,
    /// The whole second of the last layout's files. Python's caches count seconds, and cargo and make compare times, so
    /// a file that is written again must look newer than all earlier builds.
    second: u64,
    /// Files that got the bytes of the work tree, which are a conversion of the tree's bytes.
    converted: Vec<PathBuf>,
    /// Files whose content on disk differs from the tree although they did not change since, because a filter made them.
    filtered: Vec<PathBuf>,
}

impl<'r> Export<'r> {
    /// An export into `folder`, which must be new and used by nobody else.
    pub fn new(repo: &'r Repo, folder: &Path) -> Self {
        // The first files must not look newer than files that a run creates from them in the same second.
        let second = seconds(SystemTime::now()).saturating_sub(2);
        Export {
            repo,
            folder: folder.to_owned(),
            mode: None,
            laid: HashMap::new(),
            second,
            converted: Vec::new(),
            filtered: Vec::new(),
        }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Files whose form in the work tree follows from the tree's (line ends, git-lfs); exported as in the work tree.
    pub fn converted(&self) -> &[PathBuf] {
        &self.converted
    }

    /// Files whose form in the work tree does not follow from the tree's, because of a filter or a wrong index entry;
    /// exported as in the tree.
    pub fn filtered(&self) -> &[PathBuf] {
        &self.filtered
    }

    /// Makes the folder hold exactly `layout`, and the paths that `keep` selects (relative to the folder, not searched).
    /// Correct files stay; each other file is written with a new, increasing modification time. Follows no link that a run may
    /// have created. At most two processes for objects that are not on disk, and two for each 32 MiB of them.
    ///
    /// # Errors
    /// [`Kind::Input`](crate::error::Kind) for an invalid name or a tree that is too large, `Changed` if a file of the
    /// work tree changed, `Unknown` if writing or git fails.
    pub fn lay(&mut self, layout: &Layout, keep: &dyn Fn(&Path) -> bool) -> Result<()> {
        names::check(layout)?;
        if layout.len() > MOST {
            return Err(RepoError::TooMuch { what: format!("{} files", layout.len()) }.into());
        }
        let right = |path: &Path, stat: Stat| {
            let laid = self.laid.get(path);
            laid.is_some_and(|(mode, id, then)| {
                *then == stat && layout.get(path).is_some_and(|file| file.is(*mode, *id))
            })
        };
        let mode = match self.mode {
            Some(mode) => mode,
            None => {
                let trouble = |error| RepoError::Look { path: self.folder.clone(), error };
                self.folder.symlink_metadata().map_err(trouble)?.mode()
            }
        };
        self.mode = Some(mode);
        let standing = tidy::tidy(&self.folder, mode, layout, &right, keep)?;
        self.laid.retain(|path, _| standing.contains(path));
        let wanted: Vec<(&Path, &LayoutFile)> = layout
            .files()
            .filter(|(path, file)| file.mode() != Mode::Submodule && !self.laid.contains_key(*path))
            .collect();
        if wanted.is_empty() {
            return Ok(());
        }
        self.second = match self.laid.is_empty() {
            true => self.second,
            false => (self.second + 1).max(seconds(SystemTime::now()) + 1),
        };
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(self.second);
        let mut total = 0;
        let mut made = PathBuf::new();
        let (folder, laid) = (&self.folder, &mut self.laid);
        let odd = bytes::each(self.repo, &wanted, &mut |path, file, bytes| {
            total += bytes.len() as u64;
            if total > LARGEST {
                return Err(RepoError::TooMuch { what: format!("more than {LARGEST} bytes") });
            }
            let stat = write(folder, path, file.mode(), bytes, time, &mut made)?;
            laid.insert(path.to_owned(), (file.mode(), file.id(), stat));
            Ok(())
        })?;
        self.converted.extend(odd.converted);
        self.filtered.extend(odd.filtered);
        Ok(())
    }
}

impl Repo {
    /// Returns the bytes of the file at `path` as the export would write them, or a link's text. `None` if there is no file, or
    /// if it is a submodule. At most two processes.
    pub fn content(&self, layout: &Layout, path: &Path) -> Result<Option<Vec<u8>>> {
        let mut content = None;
        let Some(file) = layout.get(path).filter(|file| file.mode() != Mode::Submodule) else { return Ok(None) };
        bytes::each(self, &[(path, file)], &mut |_, _, bytes| {
            content = Some(bytes.to_vec());
            Ok(())
        })?;
        Ok(content)
    }
}

/// Writes one new file or link. [`tidy`] has made sure that the folders above it are real or missing. `made` is the folder of
/// the last file: usually the next file is in it, too.
fn write(
    folder: &Path,
    path: &Path,
    mode: Mode,
    bytes: &[u8],
    time: SystemTime,
    made: &mut PathBuf,
) -> RepoResult<Stat> {
    let whole = folder.join(path);
    let trouble = |error| RepoError::Write { path: whole.clone(), error };
    if let Some(parent) = whole.parent().filter(|parent| parent != made) {
        fs::create_dir_all(parent).map_err(trouble)?;
        parent.clone_into(made);
    }
    if mode == Mode::Link {
        symlink(std::ffi::OsStr::from_bytes(bytes), &whole).map_err(trouble)?;
    } else {
        let bits = if mode == Mode::Executable { 0o777 } else { 0o666 };
        let mut file = OpenOptions::new().write(true).create_new(true).mode(bits).open(&whole).map_err(trouble)?;
        file.write_all(bytes).and_then(|()| file.set_modified(time)).map_err(trouble)?;
    }
    match look(&whole).map_err(trouble)? {
        PathKind::Content(_, stat) => Ok(stat),
        _ => Err(RepoError::Unstable { path: whole }),
    }
}

fn seconds(time: SystemTime) -> u64 {
    time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs()
}
