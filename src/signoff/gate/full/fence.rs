//! Where a changed program may write: its export, temporary folders, and what tools keep to save work.

use std::path::{Path, PathBuf};

/// Folders for what is of no lasting worth, on the systems that have them.
const TEMPORARY: [&str; 5] = ["/tmp", "/var/tmp", "/dev/shm", "/dev/pts", "/dev/ptmx"];
/// Caches of build tools in the home folder, and the variables that put them elsewhere.
const CACHES: [(&str, &str); 10] = [
    (".cache", "XDG_CACHE_HOME"),
    (".cargo", "CARGO_HOME"),
    ("go", "GOPATH"),
    (".npm", "npm_config_cache"),
    (".gradle", "GRADLE_USER_HOME"),
    (".m2", "MAVEN_USER_HOME"),
    (".nuget", "NUGET_PACKAGES"),
    (".dotnet", "DOTNET_CLI_HOME"),
    ("Library/Caches", "GOCACHE"),
    (".pub-cache", "PUB_CACHE"),
];

/// The folders; those that are not there are left out by the sandbox.
pub(super) fn writable(place: &Path) -> Vec<PathBuf> {
    let home = std::env::var_os("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
    let below_home = home.iter().flat_map(|home| CACHES.iter().map(move |(name, _)| home.join(name)));
    let named = CACHES.iter().filter_map(|(_, variable)| std::env::var_os(variable).map(PathBuf::from));
    let temporary = TEMPORARY.iter().map(PathBuf::from).chain([std::env::temp_dir(), place.to_owned()]);
    // A home folder or a whole disk that is called a cache is none.
    let is_narrow = |path: &PathBuf| path.is_absolute() && home.as_ref().is_none_or(|home| !home.starts_with(path));
    temporary.chain(below_home).chain(named).filter(is_narrow).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neither_the_home_folder_nor_the_root_is_writable() {
        let all = writable(Path::new("/somewhere/export"));
        assert!(all.contains(&PathBuf::from("/somewhere/export")));
        let home = std::env::var_os("HOME").map(PathBuf::from);
        assert!(all.iter().all(|path| *path != Path::new("/") && Some(path) != home.as_ref()), "{all:?}");
    }
}
