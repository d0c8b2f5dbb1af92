//! The fingerprint of everything that a judge must not change, taken before and after its run (`SIGNOFF.md` §5).

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::compare::{PathChange, changes};
use super::disk::{PathKind, hash, look};
use super::error::{RepoError, RepoResult};
use super::id::Format;
use super::{Repo, Tree};
use crate::error::Result;

/// Limits for `info/` and `hooks/`: the depth of folders, and the number of files.
const DEEPEST: usize = 8;
const MOST_FILES: usize = 10_000;

/// The state of a repository: its files without the plan file, HEAD, index entries and flags, branches, tags,
/// replacements, configuration, `info/` and hooks. Remote branches and the refs of `plan` are left out, because other
/// sessions change them.
#[derive(Clone, Debug)]
pub struct Fingerprint {
    tree: Tree,
    head: String,
    refs: BTreeMap<String, String>,
    files: BTreeMap<String, String>,
}

/// The subject of a difference between two fingerprints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Difference {
    /// A file or submodule that existed before.
    Source,
    /// A new file.
    NewFile,
    /// Configuration, `info/`, hooks.
    Settings,
    /// HEAD, the index, a branch, a tag or a replacement.
    State,
}

impl Repo {
    /// Takes the fingerprint for `tree`, which was taken just now. No process if git's own files can tell, otherwise one, or three
    /// on a detached HEAD.
    pub fn fingerprint_of(&self, tree: Tree) -> Result<Fingerprint> {
        const PREFIXES: [&str; 3] = ["refs/heads", "refs/tags", "refs/replace"];
        if let (Some(refs), Some(head)) = (self.refs_in_files(&PREFIXES), self.branch_in_file())
            && refs.contains_key(&head)
        {
            let refs = refs.into_iter().map(|(name, id)| (name, id.to_string())).collect();
            return Ok(Fingerprint { tree, head, refs, files: self.own_files()? });
        }
        // The first character is `*` for the branch of HEAD, otherwise a space.
        let format = "--format=%(HEAD)%(refname) %(objectname) %(symref)";
        let bytes = self.git(&[&["for-each-ref", format][..], &PREFIXES].concat(), b"")?;
        let text = String::from_utf8_lossy(&bytes);
        let pair =
            |line: &str| line.split_once(' ').map(|(name, names)| (name.to_owned(), names.trim_end().to_owned()));
        let refs: BTreeMap<String, String> =
            text.lines().filter_map(|line| pair(line.get(1..).unwrap_or_default())).collect();
        let named = text.lines().find_map(|line| pair(line.strip_prefix('*')?));
        let head = match named {
            Some((branch, _)) => branch,
            None => self.unlisted_head()?,
        };
        Ok(Fingerprint { tree, head, refs, files: self.own_files()? })
    }

    /// Takes a fingerprint without `exclude` (the plan file). One process if git's own files can tell, otherwise two, or four on a
    /// detached HEAD.
    pub fn fingerprint(&self, exclude: &[&Path]) -> Result<Fingerprint> {
        let exclude = self.relatives(exclude)?;
        self.fingerprint_of(self.snapshot(&exclude, 0, None, None)?)
    }

    /// Takes a later fingerprint. Detects changed files by comparing with `before`, because whoever changed a file can also
    /// rewrite the index.
    pub fn fingerprint_since(&self, exclude: &[&Path], before: &Fingerprint) -> Result<Fingerprint> {
        let exclude = self.relatives(exclude)?;
        self.fingerprint_of(self.snapshot(&exclude, 0, Some(&before.tree), None)?)
    }

    /// The value of HEAD if it is not a branch with a commit: a branch without commits, or a commit.
    fn unlisted_head(&self) -> RepoResult<String> {
        let captured = self.ask(&["symbolic-ref", "--quiet", "HEAD"], b"")?;
        let branch = String::from_utf8_lossy(&captured.stdout).trim_end().to_owned();
        let commit = self.head_and_tree()?.map(|head| head.commit.to_string());
        Ok(format!("{branch} {}", commit.unwrap_or_default()).trim().to_owned())
    }

    /// Digests of the files in the git folder that configure git or that it runs.
    fn own_files(&self) -> RepoResult<BTreeMap<String, String>> {
        let mut files = BTreeMap::new();
        for name in ["config", "info", "hooks", "objects/info/alternates"] {
            digest(&self.common_dir.join(name), name, 0, &mut files)?;
        }
        digest(&self.git_dir.join("config.worktree"), "config.worktree", 0, &mut files)?;
        if self.git_dir != self.common_dir {
            digest(&self.git_dir.join("info"), "info of this work tree", 0, &mut files)?;
        }
        Ok(files)
    }
}

/// Records everything at `path` and below it.
fn digest(path: &Path, name: &str, depth: usize, files: &mut BTreeMap<String, String>) -> RepoResult<()> {
    let trouble = |error| RepoError::Look { path: path.to_owned(), error };
    let state = match look(path) {
        Ok(PathKind::Absent) => return Ok(()),
        Ok(PathKind::Folder) if depth < DEEPEST && files.len() < MOST_FILES => {
            for entry in fs::read_dir(path).map_err(trouble)? {
                let file_name = entry.map_err(trouble)?.file_name();
                let name = format!("{name}/{}", file_name.to_string_lossy());
                digest(&path.join(file_name), &name, depth + 1, files)?;
            }
            "folder".to_owned()
        }
        Ok(PathKind::Folder) => "folder, not looked into".to_owned(),
        Ok(PathKind::Special) => "special".to_owned(),
        Ok(PathKind::Content(..)) => match hash(path, Format::Sha256, u64::MAX) {
            Ok((mode, id)) => format!("{} {id}", mode.octal()),
            Err(RepoError::Look { error, .. }) => format!("unreadable: {error}"),
            Err(trouble) => return Err(trouble),
        },
        Err(error) => format!("unreadable: {error}"),
    };
    files.insert(name.to_owned(), state);
    Ok(())
}

impl Fingerprint {
    /// The files at the time of the fingerprint. HEAD is not filled in.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The differences, one line each, with names in backticks; empty if there are none.
    pub fn changed(before: &Fingerprint, after: &Fingerprint) -> Vec<String> {
        Fingerprint::differences(before, after).into_iter().map(|(_, line)| line).collect()
    }

    /// The lines of [`Fingerprint::changed`], each with its subject.
    pub fn differences(before: &Fingerprint, after: &Fingerprint) -> Vec<(Difference, String)> {
        let mut lines: Vec<(Difference, String)> = changes(&before.tree.entries, &after.tree.entries)
            .into_iter()
            .map(|changed| {
                let kind = if changed.change == PathChange::Added { Difference::NewFile } else { Difference::Source };
                (kind, format!("file `{}` {}", changed.path.display(), word(changed.change)))
            })
            .collect();
        let of = |kind: Difference, all: Vec<String>| all.into_iter().map(move |line| (kind, line));
        lines.extend(of(Difference::Source, below(&before.tree, &after.tree)));
        if before.tree.skipped != after.tree.skipped {
            lines.push((Difference::Source, "a file that git leaves out of trees changed".to_owned()));
        }
        if before.head != after.head {
            lines.push((Difference::State, format!("`HEAD` moved from `{}` to `{}`", before.head, after.head)));
        }
        if before.tree.index != after.tree.index {
            lines.push((Difference::State, "index entries or their flags changed".to_owned()));
        }
        lines.extend(of(Difference::State, differences(&before.refs, &after.refs, "ref")));
        lines.extend(of(Difference::Settings, differences(&before.files, &after.files, "git's own")));
        lines
    }
}

/// Submodules whose files changed.
fn below(before: &Tree, after: &Tree) -> Vec<String> {
    let paths: BTreeSet<&PathBuf> = before.submodules.iter().chain(&after.submodules).map(|one| &one.path).collect();
    let at = |tree: &Tree, path: &Path| tree.submodules.iter().find(|one| one.path == path).cloned();
    let differ = paths.into_iter().filter(|path| at(before, path) != at(after, path));
    differ.map(|path| format!("submodule `{}` changed", path.display())).collect()
}

fn differences(before: &BTreeMap<String, String>, after: &BTreeMap<String, String>, what: &str) -> Vec<String> {
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let line = |name: &String| match (before.get(name), after.get(name)) {
        (Some(old), Some(new)) if old == new => None,
        (Some(_), Some(_)) => Some(format!("{what} `{name}` modified")),
        (None, _) => Some(format!("{what} `{name}` added")),
        (_, None) => Some(format!("{what} `{name}` removed")),
    };
    names.into_iter().filter_map(line).collect()
}

fn word(change: PathChange) -> &'static str {
    match change {
        PathChange::Added => "added",
        PathChange::Removed => "removed",
        PathChange::Modified => "modified",
        PathChange::Permission => "made executable or not executable",
    }
}
