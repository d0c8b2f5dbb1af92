//! Finds a file that a failed run in the export names, and that the work tree has but the export lacks.

use std::path::{Path, PathBuf};

use crate::lang::folders::is_build;
use crate::repo::export::Layout;

/// How many words of an output are read.
const MOST: usize = 4000;

/// The first path in `output` that exists in the work tree at `top` but not in the layout. Relative paths start at
/// `root` or `top`; paths below `folder` belong to the export.
pub(super) fn missing(output: &str, top: &Path, root: &Path, folder: &Path, layout: &Layout) -> Option<PathBuf> {
    let within = |path: &Path| -> Option<PathBuf> {
        let inner = path.strip_prefix(folder).or_else(|_| path.strip_prefix(top)).ok()?;
        plain(inner)
    };
    let absent = |inner: &PathBuf| {
        layout.get(inner).is_none() && !layout.has_below(inner) && top.join(inner).symlink_metadata().is_ok()
    };
    // A bare word can mean anything.
    let is_path = |word: &&str| word.len() > 1 && word.contains(['/', '.']);
    let words = output.split(|c: char| c.is_whitespace() || "'\"`()[]{}<>,;:=".contains(c));
    for word in words.map(|word| word.trim_end_matches('.')).filter(is_path).take(MOST) {
        let path = Path::new(word);
        let found = match path.is_absolute() {
            true => within(path).filter(absent),
            false => [root, top].iter().find_map(|from| within(&from.join(path)).filter(absent)),
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

/// The path without `.`; none if it is empty or goes up.
fn plain(path: &Path) -> Option<PathBuf> {
    let mut whole = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::Normal(name) => whole.push(name),
            std::path::Component::CurDir => {}
            _ => return None,
        }
    }
    let own = |part: std::path::Component<'_>| {
        let name = part.as_os_str();
        name == ".git" || name == "__pycache__" || is_build(Path::new(name))
    };
    (!whole.as_os_str().is_empty() && !whole.components().any(own)).then_some(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_the_work_tree_has_is_found_by_its_path() {
        let world = tempfile::tempdir().unwrap();
        let (top, folder) = (world.path().join("work"), world.path().join("export"));
        for path in [".env", "build/out.js", "app/data.json", "target/debug/x"] {
            std::fs::create_dir_all(top.join(path).parent().unwrap()).unwrap();
            std::fs::write(top.join(path), "x").unwrap();
        }
        let find = |output: &str| missing(output, &top, &top.join("app"), &folder, &Layout::default());
        assert_eq!(find("cat: .env: No such file"), Some(".env".into()));
        assert_eq!(find("Error: ENOENT, open '../build/out.js'"), None, "not from here");
        assert_eq!(find(&format!("open '{}/build/out.js'", folder.display())), Some("build/out.js".into()));
        assert_eq!(find("FileNotFoundError: 'data.json'."), Some("app/data.json".into()));
        assert_eq!(find("target/debug/x build app 1.2 none.txt"), None);
    }
}
