//! Limits where a mutant may write: its export, temporary folders and build caches, but never the repository.

use std::path::{Path, PathBuf};

use crate::process::sandbox::{Sandbox, SandboxLevel};
use crate::repo::Repo;

/// Temporary folders, on the systems that have them.
const TEMPORARY: [&str; 5] = ["/tmp", "/var/tmp", "/dev/shm", "/dev/pts", "/dev/ptmx"];
/// Caches of build tools in the home folder.
const CACHES: [&str; 10] =
    [".cache", ".cargo", "go", ".npm", ".gradle", ".m2", ".nuget", ".dotnet", "Library/Caches", ".pub-cache"];
/// The variables that move caches.
const VARIABLES: [&str; 10] = [
    "XDG_CACHE_HOME", "CARGO_HOME", "GOPATH", "npm_config_cache", "GRADLE_USER_HOME", "MAVEN_USER_HOME",
    "NUGET_PACKAGES", "DOTNET_CLI_HOME", "GOCACHE", "PUB_CACHE",
];

/// The sandbox that mutants run in. It exists only after verify was green in it.
#[derive(Clone, Debug)]
pub(crate) struct WriteSandbox {
    pub(super) sandbox: Sandbox,
}

impl WriteSandbox {
    /// A sandbox around a run in the gate's own folder `place`, in which the folders `logs` may be written too.
    pub(super) fn around(level: SandboxLevel, place: &Path, repo: &Repo, logs: Vec<PathBuf>) -> WriteSandbox {
        let kept = [repo.top(), repo.git_dir(), repo.common_dir()].map(real);
        WriteSandbox { sandbox: Sandbox { level, writable: writable(place, &kept).into_iter().chain(logs).collect() } }
    }
}

/// Returns the writable folders. Folders that contain one of `kept`, or are in one, are skipped, because a sandbox cannot
/// protect part of a writable folder. The sandbox itself skips folders that do not exist.
fn writable(place: &Path, kept: &[PathBuf]) -> Vec<PathBuf> {
    let home = std::env::var_os("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
    let below_home = home.iter().flat_map(|home| CACHES.iter().map(move |name| home.join(name)));
    let named = VARIABLES.iter().filter_map(|variable| std::env::var_os(variable).map(PathBuf::from));
    let temporary = TEMPORARY.iter().map(PathBuf::from).chain([std::env::temp_dir()]);
    // A home folder or a whole disk does not count as a cache.
    let is_narrow = |path: &PathBuf| path.is_absolute() && home.as_ref().is_none_or(|home| !home.starts_with(path));
    let all = temporary.chain(below_home).chain(named).filter(is_narrow);
    // Links are resolved now, so a link that later leads to the repository is not followed.
    let apart = all.map(|path| real(&path)).filter(|path| !kept.iter().any(|kept| overlap(path, kept)));
    std::iter::once(place.to_owned()).chain(apart).collect()
}

fn overlap(one: &Path, other: &Path) -> bool {
    one.starts_with(other) || other.starts_with(one)
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neither_the_home_folder_nor_the_root_is_writable() {
        let all = writable(Path::new("/somewhere/export"), &[]);
        assert!(all.contains(&PathBuf::from("/somewhere/export")));
        let home = std::env::var_os("HOME").map(PathBuf::from);
        assert!(all.iter().all(|path| *path != Path::new("/") && Some(path) != home.as_ref()), "{all:?}");
    }

    #[test]
    fn what_holds_the_repository_or_lies_in_it_is_not_writable() {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path().canonicalize().unwrap();
        let place = std::env::temp_dir().join("plan-gate-0");
        let all = writable(&place, std::slice::from_ref(&top));
        assert!(all.contains(&place), "{all:?}");
        assert!(!all.iter().any(|path| overlap(path, &top)), "{all:?}");
        let cache = PathBuf::from("/var/tmp");
        assert!(writable(&place, &[]).contains(&real(&cache)));
        assert!(!writable(&place, &[real(&cache).join("repo")]).contains(&real(&cache)));
    }
}
