//! HEAD: its commit and the tree of that commit.

use super::error::{RepoError, RepoResult};
use super::git::failed;
use super::{ObjectId, Repo};
use crate::error::Result;

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
    ///
    /// # Errors
    /// [`Kind::Unknown`](crate::error::Kind) if git cannot run.
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
}
