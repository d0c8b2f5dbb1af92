//! The files of a folder by their relative path, to be compared as a whole.

use std::collections::BTreeMap;
use std::path::Path;

/// Content by path; a link's content is `-> target`.
pub type Tree = BTreeMap<String, Vec<u8>>;

/// Everything below `root` but `.git`. A folder that is not there is empty.
pub fn read(root: &Path) -> Tree {
    let mut tree = Tree::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
            if path.is_symlink() {
                tree.insert(name, format!("-> {}", std::fs::read_link(&path).unwrap().display()).into_bytes());
            } else if path.is_dir() {
                if !path.ends_with(".git") {
                    folders.push(path);
                }
            } else {
                tree.insert(name, std::fs::read(&path).unwrap());
            }
        }
    }
    tree
}

/// Replaces what is in `root` by `tree`; an empty one removes the folder.
pub fn write(root: &Path, tree: &Tree) {
    if root.exists() {
        std::fs::remove_dir_all(root).unwrap();
    }
    for (name, content) in tree {
        let path = root.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }
}

/// Copies files with their modes and links, as they stand.
pub fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).into_iter().flatten().flatten() {
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if source.is_symlink() {
            std::os::unix::fs::symlink(std::fs::read_link(&source).unwrap(), &target).unwrap();
        } else if source.is_dir() {
            copy(&source, &target);
        } else {
            std::fs::copy(&source, &target).unwrap();
        }
    }
}
