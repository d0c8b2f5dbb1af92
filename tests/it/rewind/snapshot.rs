//! Everything that a rewind must not lose: each file with its bytes and mode, and the data of git.

use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use crate::support::World;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Snapshot {
    /// Mode and bytes by path, without plan.md and git's own files.
    pub(crate) files: BTreeMap<String, (u32, Vec<u8>)>,
    /// The index byte for byte, HEAD, each ref, hooks and settings.
    pub(crate) git: Vec<(String, Vec<u8>)>,
}

impl Snapshot {
    pub(crate) fn of(world: &World) -> Self {
        let mut files = BTreeMap::new();
        walk(world.root(), world.root(), &mut files);
        files.remove("plan.md");
        let read = |path: &str| (path.to_owned(), std::fs::read(world.path(path)).unwrap_or_default());
        let refs = world.call_program("git", ["for-each-ref"]).run().stdout.into_bytes();
        let git = vec![read(".git/index"), read(".git/HEAD"), read(".git/config"), ("refs".to_owned(), refs)];
        Snapshot { files, git }
    }
}

fn walk(root: &Path, folder: &Path, files: &mut BTreeMap<String, (u32, Vec<u8>)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let meta = path.symlink_metadata().unwrap();
        let name = path.strip_prefix(root).unwrap().as_os_str().as_bytes().escape_ascii().to_string();
        if path == root.join(".git") {
            continue;
        }
        let content = match () {
            () if meta.is_symlink() => path.read_link().unwrap().as_os_str().as_bytes().to_vec(),
            () if meta.is_dir() => {
                walk(root, &path, files);
                // An empty folder counts; other folders show in their files.
                if std::fs::read_dir(&path).unwrap().next().is_some() {
                    continue;
                }
                Vec::new()
            }
            () if meta.is_file() => std::fs::read(&path).unwrap(),
            () => Vec::new(),
        };
        files.insert(name, (meta.mode(), content));
    }
}
