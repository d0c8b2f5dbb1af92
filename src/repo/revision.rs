//! Revisions of the history: HEAD, resolving names, common ancestors, reachability.

use std::path::{Path, PathBuf};

use super::error::{RepoError, RepoResult};
use super::git::{failed, said};
use super::ref_files::read;
use super::refs::id_line;
use super::{ObjectId, Repo};
use crate::error::Result;

const REMOTE: &str = "refs/remotes/origin/";
/// Candidates for the default branch of a remote that was added by hand: then git has not recorded it.
const USUAL: [&str; 2] = ["main", "master"];

/// A commit and its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) commit: ObjectId,
    pub(super) tree: ObjectId,
}

impl Repo {
    /// Returns the commit that HEAD names; `None` on a branch without commits. One process.
    ///
    /// # Errors
    /// [`Kind::Unknown`](crate::error::Kind) if HEAD names a commit that is not stored.
    pub fn head(&self) -> Result<Option<ObjectId>> {
        Ok(self.head_and_tree()?.map(|head| head.commit))
    }

    /// Returns the branch that HEAD is on, even one without commits; `None` if HEAD names a commit itself. One process.
    pub fn branch(&self) -> Result<Option<String>> {
        let captured = self.ask(&["symbolic-ref", "--quiet", "HEAD"], b"")?;
        let name = String::from_utf8_lossy(&captured.stdout).trim().to_owned();
        let name = name.strip_prefix("refs/heads/").map_or(name.clone(), str::to_owned);
        Ok(Some(name).filter(|name| captured.status.success() && !name.is_empty()))
    }

    pub(super) fn head_and_tree(&self) -> RepoResult<Option<Head>> {
        let names = ["HEAD^{commit}", "HEAD^{tree}"].map(|name| name.as_bytes().to_vec());
        if let Some([Some(commit), Some(tree)]) = self.object_infos(&names)?.as_deref() {
            return Ok(Some(Head { commit: commit.id, tree: tree.id }));
        }
        let args = ["rev-parse", "HEAD^{commit}", "HEAD^{tree}"];
        let captured = self.ask(&args, b"")?;
        if !captured.status.success() {
            // For a branch without commits and for a missing commit, git prints the same error.
            let names_one = self.ask(&["rev-parse", "--quiet", "--verify", "HEAD"], b"")?.status.success();
            return if names_one { Err(failed(&args, &captured)) } else { Ok(None) };
        }
        let text = String::from_utf8_lossy(&captured.stdout);
        let mut ids = text.lines().map(ObjectId::parse);
        match (ids.next(), ids.next(), ids.next()) {
            (Some(Some(commit)), Some(Some(tree)), None) => Ok(Some(Head { commit, tree })),
            _ => Err(RepoError::Answer { what: "rev-parse", found: text.into_owned() }),
        }
    }

    /// Returns the commit of a REV given by a user; `None` if it names no commit. Options, ranges and control characters are
    /// not accepted. One process.
    pub fn revision(&self, name: &str) -> Result<Option<ObjectId>> {
        let odd = name.is_empty() || name.starts_with(['-', '^']) || name.contains("..");
        if odd || name.chars().any(char::is_control) {
            return Ok(None);
        }
        let commit = format!("{name}^{{commit}}");
        let args = ["rev-parse", "--quiet", "--verify", "--end-of-options", &commit];
        let captured = self.ask(&args, b"")?;
        match captured.status.code() {
            Some(0) => Ok(Some(id_line("rev-parse", &captured.stdout)?)),
            Some(_) => Ok(None),
            None => Err(failed(&args, &captured).into()),
        }
    }

    /// Returns the short target of a symbolic ref: `main` for `HEAD`, `origin/main` for `refs/remotes/origin/HEAD`. One process.
    pub fn symbolic(&self, name: &str) -> Result<Option<String>> {
        let captured = self.ask(&["symbolic-ref", "--quiet", "--short", name], b"")?;
        let short = String::from_utf8_lossy(&captured.stdout).trim_end().to_owned();
        Ok(Some(short).filter(|short| captured.status.success() && !short.is_empty()))
    }

    /// Returns the first parent of this commit; `None` for the first commit. One process.
    pub fn parent(&self, commit: ObjectId) -> Result<Option<ObjectId>> {
        match self.object_infos(&[format!("{commit}~1^{{commit}}").into_bytes()])? {
            Some(found) => Ok(found.into_iter().flatten().next().map(|found| found.id)),
            None => self.revision(&format!("{commit}~1")),
        }
    }

    /// Returns a best common ancestor, where two histories diverged, if there is one. One process.
    pub fn merge_base(&self, one: ObjectId, other: ObjectId) -> Result<Option<ObjectId>> {
        let args = ["merge-base", &one.to_string(), &other.to_string()];
        let captured = self.ask(&args, b"")?;
        match captured.status.code() {
            Some(0) => Ok(Some(id_line("merge-base", &captured.stdout)?)),
            Some(1) if said(&captured).is_empty() => Ok(None),
            _ => Err(failed(&args, &captured).into()),
        }
    }

    /// Returns the number of commits in `tip` that are not in `from`. One process.
    pub fn commits_past(&self, from: ObjectId, tip: ObjectId) -> Result<usize> {
        let bytes = self.git(&["rev-list", "--count", &format!("{from}..{tip}")], b"")?;
        let text = String::from_utf8_lossy(&bytes).trim().to_owned();
        Ok(text.parse().map_err(|_| RepoError::Answer { what: "rev-list", found: text })?)
    }

    /// Returns the commits that are neither `tip` nor one of its ancestors. One process.
    pub fn unreachable(&self, commits: &[ObjectId], tip: ObjectId) -> Result<Vec<ObjectId>> {
        if commits.is_empty() {
            return Ok(Vec::new());
        }
        let stdin: String = commits.iter().map(|commit| format!("{commit}\n")).collect();
        let bytes = self.git(&["rev-list", "--stdin"], format!("{stdin}^{tip}\n").as_bytes())?;
        let text = String::from_utf8_lossy(&bytes);
        let beyond: std::collections::BTreeSet<ObjectId> = text.lines().filter_map(ObjectId::parse).collect();
        Ok(commits.iter().copied().filter(|commit| beyond.contains(commit)).collect())
    }

    /// Returns the newest commits up to `tip` that changed the file at `path` (relative to the top), at most `most`, newest
    /// first. One process.
    pub(super) fn commits_of(&self, tip: ObjectId, path: &Path, most: usize) -> Result<Vec<ObjectId>> {
        // The first commit has no predecessors to search.
        if self.has_no_parent(tip)? {
            return Ok(vec![tip]);
        }
        let args = ["rev-list".into(), format!("--max-count={most}"), tip.to_string(), "--".to_owned()];
        let mut args: Vec<std::ffi::OsString> = args.into_iter().map(Into::into).collect();
        args.push(path.into());
        let bytes = self.git(&args, b"")?;
        Ok(String::from_utf8_lossy(&bytes).lines().filter_map(ObjectId::parse).collect())
    }

    /// Whether a commit is known to be the first of its history. Uses only the process that is kept open.
    fn has_no_parent(&self, commit: ObjectId) -> Result<bool> {
        /// The maximum size of a commit to read. A message may be long; the parents are before it.
        const LARGEST: u64 = 1 << 20;
        let name = [commit.to_string().into_bytes()];
        let found = self.object_infos(&name)?.and_then(|found| found.into_iter().next().flatten());
        if found.is_none_or(|found| found.size > LARGEST) {
            return Ok(false);
        }
        let mut is_first = false;
        self.read_objects(&name, &mut 0, &mut |_, bytes| {
            let mut head = bytes.unwrap_or_default().split(|byte| *byte == b'\n').take_while(|line| !line.is_empty());
            is_first = head.next().is_some_and(|line| line.starts_with(b"tree "))
                && !head.any(|line| line.starts_with(b"parent "));
            Ok(())
        })?;
        Ok(is_first)
    }

    /// Whether the history here is shallow (`git clone --depth`). No process.
    pub fn is_shallow(&self) -> bool {
        std::fs::metadata(self.common_dir.join("shallow")).is_ok_and(|meta| meta.len() > 0)
    }

    /// Returns the files of a commit or tree whose path ends in `.md`, with their blobs. One process.
    pub fn markdown_files(&self, tree: ObjectId) -> Result<Vec<(PathBuf, ObjectId)>> {
        let files = self.entries(tree)?.into_iter();
        let is_text = |entry: &super::TreeEntry| {
            matches!(entry.mode, super::Mode::File | super::Mode::Executable)
                && entry.path.extension().is_some_and(|end| end.eq_ignore_ascii_case("md"))
        };
        Ok(files.filter(is_text).map(|entry| (entry.path, entry.id)).collect())
    }

    /// Returns the default branch of `origin`: its name there, and its commit as last fetched. `None` if there is none. No process if
    /// git's files can tell.
    pub fn upstream(&self) -> Result<Option<(String, ObjectId)>> {
        let noted = read(&self.common_dir.join(REMOTE).join("HEAD"), 4096).ok();
        let noted = noted.and_then(|bytes| {
            Some(String::from_utf8(bytes).ok()?.trim_end().strip_prefix("ref: ")?.strip_prefix(REMOTE)?.to_owned())
        });
        let branches = noted.map_or_else(|| USUAL.map(str::to_owned).to_vec(), |branch| vec![branch]);
        let names: Vec<String> = branches.iter().map(|branch| format!("{REMOTE}{branch}")).collect();
        let found = self.read_refs(&names)?;
        Ok(branches.into_iter().zip(names).find_map(|(branch, name)| Some((branch, *found.get(&name)?))))
    }
}
