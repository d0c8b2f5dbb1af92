//! Looks up citations in a work tree. It opens nothing outside the tree, nothing in `.git` or a submodule, and not plan.md.

use std::collections::HashSet;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, Instant};

use crate::disk::is_same_file;
use crate::plan::glob::Glob;
use crate::repo::evidence::open_beneath;

/// The maximum size of a file. Nobody would read a larger one as evidence.
const MAX_FILE: u64 = 64 << 20;

/// A work tree, and the results that the prompt showed.
#[derive(Clone, Debug)]
pub struct Disk<'a> {
    top: PathBuf,
    root: PathBuf,
    plan_file: PathBuf,
    files: &'a [PathBuf],
    /// The same files as a set, if git lists them: then there may be other files, which git ignores.
    listed: Option<HashSet<&'a Path>>,
    tail: Option<(usize, &'a str)>,
    checks: &'a [Option<bool>],
    /// The time at which the search must end, and how long it may take in all.
    end: Option<(Instant, Duration)>,
}

impl<'a> Disk<'a> {
    /// Prepares a work tree: its `top`, the plan's `root` in it (both are the same without git), the plan file, and `files`,
    /// the list of the tree's files relative to `top`.
    ///
    /// # Errors
    /// `top` or `root` cannot be resolved, or `root` is not in `top`.
    pub fn new(top: &Path, root: &Path, plan_file: &Path, files: &'a [PathBuf]) -> Result<Self, String> {
        let resolve = |path: &Path| path.canonicalize().map_err(|error| format!("`{}`: {error}", path.display()));
        let (top, root) = (resolve(top)?, resolve(root)?);
        if !root.starts_with(&top) {
            return Err(format!("`{}` is not in `{}`", root.display(), top.display()));
        }
        let plan_file = plan_file.canonicalize().unwrap_or_else(|_| plan_file.to_owned());
        let in_git = top.join(".git").symlink_metadata().is_ok();
        let listed = in_git.then(|| files.iter().map(PathBuf::as_path).collect());
        Ok(Disk { top, root, plan_file, files, listed, tail: None, checks: &[], end: None })
    }

    /// Adds what the prompt shows: the part of verify's output (the number of its first line, and its lines), and for each
    /// failure mode whether its check exited 0; `None` without a check.
    #[must_use]
    pub fn showing(self, tail: Option<(usize, &'a str)>, checks: &'a [Option<bool>]) -> Self {
        Disk { tail, checks, ..self }
    }

    /// Sets a time limit from now on. A citation that is not looked up within `limit` does not hold.
    #[must_use]
    pub fn within(mut self, limit: Duration) -> Self {
        self.end = Instant::now().checked_add(limit).map(|end| (end, limit));
        self
    }

    fn in_time(&self) -> Result<(), String> {
        match self.end {
            Some((end, limit)) if Instant::now() >= end => {
                Err(format!("looking it up took longer than {} s", limit.as_secs_f64()))
            }
            _ => Ok(()),
        }
    }

    /// Makes a judge's path relative to the top. Judges like absolute paths, so those into the tree are accepted.
    fn beneath_top(&self, path: &Path) -> Result<PathBuf, String> {
        let outside = || format!("`{}` is outside the repository", path.display());
        let whole = self.root.join(path);
        let mut parts: Vec<Component<'_>> = Vec::new();
        for part in whole.components() {
            match part {
                Component::CurDir => {}
                Component::ParentDir => drop(parts.pop()),
                part => parts.push(part),
            }
        }
        let plain: PathBuf = parts.into_iter().collect();
        let inside = plain.strip_prefix(&self.top).map_err(|_| outside())?;
        in_git(inside, path)?;
        Ok(inside.to_owned())
    }

    /// Returns the real path of a file, with links within the repository followed.
    fn resolved(&self, path: &Path) -> Result<PathBuf, String> {
        let shown = path.display();
        let real = self.top.join(self.beneath_top(path)?).canonicalize().map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => format!("`{shown}`: no such file"),
            _ => format!("`{shown}`: {error}"),
        })?;
        let inside = real.strip_prefix(&self.top).map_err(|_| format!("`{shown}` leads out of the repository"))?;
        in_git(inside, path)?;
        Ok(inside.to_owned())
    }

    /// Returns the content of a regular file of the repository that is not the plan file. An error is one line with the reason.
    pub(super) fn file(&self, path: &Path) -> Result<Vec<u8>, String> {
        self.in_time()?;
        let shown = path.display();
        let inside = self.resolved(path)?;
        let (file, _) = open_beneath(&self.top, &inside)?;
        let metadata = file.metadata().map_err(|error| format!("`{shown}`: {error}"))?;
        if self.plan_file.metadata().is_ok_and(|plan| is_same_file(&plan, &metadata)) {
            return Err(format!("`{shown}` is the plan itself, which is not evidence"));
        }
        if self.listed.as_ref().is_some_and(|listed| !listed.contains(inside.as_path())) {
            return Err(format!("`{shown}` is not in the tree: git ignores it, so nobody else will have it"));
        }
        let mut bytes = Vec::new();
        file.take(MAX_FILE + 1).read_to_end(&mut bytes).map_err(|error| format!("`{shown}`: {error}"))?;
        if bytes.len() as u64 > MAX_FILE {
            return Err(format!("`{shown}` is larger than 64 MiB"));
        }
        Ok(bytes)
    }

    /// Whether anything is at `path`, even a link that points nowhere.
    pub(super) fn is_there(&self, path: &Path) -> Result<bool, String> {
        let inside = self.beneath_top(path)?;
        let (Some(parent), Some(name)) = (inside.parent(), inside.file_name()) else { return Ok(true) };
        // A link on the way must not lead out: a path that does not exist outside is not gone from here.
        let parent = match self.top.join(parent).canonicalize() {
            Ok(parent) => parent,
            Err(error) if is_absence(&error) => return Ok(false),
            Err(error) => return Err(format!("`{}`: {error}", path.display())),
        };
        if !parent.starts_with(&self.top) {
            return Err(format!("`{}` leads out of the repository", path.display()));
        }
        match parent.join(name).symlink_metadata() {
            Ok(_) => Ok(true),
            Err(error) if is_absence(&error) => Ok(false),
            Err(error) => Err(format!("`{}`: {error}", path.display())),
        }
    }

    /// Returns every file of the tree that matches `pattern`, except the plan file.
    pub(super) fn files(&self, pattern: &str) -> Result<Vec<PathBuf>, String> {
        let above =
            Path::new(pattern).components().any(|part| matches!(part, Component::ParentDir | Component::RootDir));
        let (base, pattern) = match above {
            true => (self.top.clone(), self.beneath_top(Path::new(pattern))?),
            false => (self.root.clone(), PathBuf::from(pattern)),
        };
        let glob = match &*pattern.to_string_lossy() {
            "" | "." | "./" => Glob::parse("**"),
            pattern => Glob::parse(pattern),
        };
        let glob = glob.map_err(|error| error.message)?;
        let named = |path: &Path| {
            let below = path.strip_prefix(&base).ok()?;
            glob.covers(below.as_os_str().as_bytes()).then(|| below.to_owned())
        };
        let whole = self.files.iter().map(|file| self.top.join(file));
        let named = whole.filter_map(|path| named(&path).map(|below| (path, below)));
        let searched = named.filter(|(path, _)| *path != self.plan_file && !is_link_or_absent(path));
        Ok(searched.map(|(path, below)| if above { path } else { below }).collect())
    }

    pub(super) fn verify(&self) -> Option<(usize, &str)> {
        self.tail
    }

    pub(super) fn check(&self, number: usize) -> Option<bool> {
        *self.checks.get(number.checked_sub(1)?)?
    }
}

/// Refuses a path that goes through a `.git`, in any case of letters.
fn in_git(inside: &Path, shown: &Path) -> Result<(), String> {
    match inside.components().any(|part| part.as_os_str().eq_ignore_ascii_case(".git")) {
        true => Err(format!("`{}` is in `.git`", shown.display())),
        false => Ok(()),
    }
}

/// Whether the search skips a path: a link (its target is in the tree itself), or a file that was deleted since.
fn is_link_or_absent(path: &Path) -> bool {
    match path.symlink_metadata() {
        Ok(metadata) => !metadata.is_file(),
        Err(error) => is_absence(&error),
    }
}

fn is_absence(error: &std::io::Error) -> bool {
    matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory)
}
