//! A temporary repository for trials.

use std::ffi::OsStr;
use std::path::Path;

use super::Repo;
use super::error::{RepoError, RepoResult};
use super::git::{call, environment, failed, program};
use crate::error::Result;

impl Repo {
    /// Makes `top` a repository with all its files in one commit. The user's git settings do not apply to it.
    ///
    /// # Errors
    /// [`Kind::Unknown`](crate::error::Kind) if there is no git program or git fails.
    pub fn throwaway(top: &Path) -> Result<()> {
        Ok(make(top)?)
    }
}

fn make(top: &Path) -> RepoResult<()> {
    let program = program(top).ok_or_else(|| RepoError::Git {
        what: "init".to_owned(),
        ended: "not started".to_owned(),
        said: "there is no `git` on `PATH`".to_owned(),
    })?;
    let mut environment = environment(top)
        .set("GIT_DIR", top.join(".git"))
        .set("GIT_CONFIG_GLOBAL", "/dev/null")
        .set("GIT_CONFIG_NOSYSTEM", "1");
    for who in ["AUTHOR", "COMMITTER"] {
        environment =
            environment.set(format!("GIT_{who}_NAME"), "plan").set(format!("GIT_{who}_EMAIL"), "plan@localhost");
    }
    let git = |args: &[&str]| {
        let args: Vec<&OsStr> = args.iter().map(OsStr::new).collect();
        let captured = call(&program, top, &environment, &args, b"")?;
        match captured.status.success() {
            true => Ok(String::from_utf8_lossy(&captured.stdout).trim().to_owned()),
            false => Err(failed(&args, &captured)),
        }
    };
    git(&["init", "--quiet", "--template="])?;
    git(&["add", "--all"])?;
    let tree = git(&["write-tree"])?;
    let commit = git(&["commit-tree", "-m", "made by plan", &tree])?;
    git(&["update-ref", "HEAD", &commit])?;
    Ok(())
}
