//! The last run: its output, its tests, the files that it wrote and the files that it lacked.

use std::path::{Component, Path, PathBuf};

use super::{Replay, ReplayRequest};
use crate::lang::closing_lines::TestTally;
use crate::lang::is_build_folder;
use crate::lang::uncompiled::says_rust_uncompiled;
use crate::repo::export::Layout;
use crate::verify::stage1;

/// The maximum number of words of an output to search for a missing file.
const MOST: usize = 4000;

impl Replay<'_> {
    /// Returns the output of the last run, or the end of a long output.
    pub(crate) fn said_all(&self) -> String {
        self.ran.as_ref().map(|ran| ran.said().0).unwrap_or_default()
    }

    /// Whether the last run ended in an error of the Rust compiler.
    pub(crate) fn says_uncompiled(&self) -> bool {
        says_rust_uncompiled(&self.tail())
    }

    pub(crate) fn last_run(&self) -> Option<&stage1::Report> {
        self.ran.as_ref()
    }

    /// The tests of the last run, if its runner counts them.
    pub(crate) fn tally(&self) -> Option<TestTally> {
        self.ran.as_ref()?.tally(self.request.line)
    }

    /// Whether the last run printed these words; `None` if they may be in a missing part of its output.
    pub(crate) fn said(&self, words: &str) -> Option<bool> {
        let (output, whole) = self.ran.as_ref()?.output()?;
        (whole || output.contains(words)).then(|| output.contains(words))
    }

    /// Whether the last run wrote the file again, with these bytes.
    pub(crate) fn has_written(&self, path: &Path, bytes: &[u8]) -> bool {
        std::fs::read(self.export.folder().join(path)).is_ok_and(|now| now == bytes)
    }

    fn tail(&self) -> String {
        self.ran.as_ref().map(|report| report.tail.text().into_owned()).unwrap_or_default()
    }

    /// Returns a file that the last run named and that is in the work tree, but not in `layout`.
    pub(crate) fn missing(&self, layout: &Layout) -> Option<PathBuf> {
        let ReplayRequest { repo, root, .. } = self.request;
        // Linked files are present.
        let is_linked = |path: &Path| path.ancestors().any(|above| self.dependencies.has(above));
        missing(&self.tail(), repo.top(), root, self.export.folder(), layout, &is_linked)
    }

    /// Ignored files and folders that the last runs had.
    pub(crate) fn copied(&self) -> Vec<String> {
        self.dependencies.copied()
    }

    /// Returns the first file that a filter made different in the work tree, except the files that are `left_out`.
    pub(crate) fn filtered(&self, left_out: impl Fn(&Path) -> bool) -> Option<&Path> {
        let converts = |path: &&PathBuf| self.request.repo.converts(path).unwrap_or(false);
        let counted = self.export.filtered().iter().filter(|path| !left_out(path));
        counted.take(10).find(converts).map(PathBuf::as_path)
    }
}

/// The first path in `output` that exists in the work tree at `top` but not in the layout. Relative paths start at
/// `root` or `top`; paths below `folder` belong to the export.
fn missing(
    output: &str,
    top: &Path,
    root: &Path,
    folder: &Path,
    layout: &Layout,
    is_linked: &dyn Fn(&Path) -> bool,
) -> Option<PathBuf> {
    let within = |path: &Path| -> Option<PathBuf> {
        let inner = path.strip_prefix(folder).or_else(|_| path.strip_prefix(top)).ok()?;
        plain(inner)
    };
    let absent = |inner: &PathBuf| {
        layout.get(inner).is_none()
            && !layout.has_below(inner)
            && !is_linked(inner)
            && top.join(inner).symlink_metadata().is_ok()
    };
    // A bare word can mean anything.
    let is_path = |word: &&str| word.len() > 1 && word.contains(['/', '.']);
    // `make: *** [Makefile:5: .checked] Error 1` names the target that was to be made.
    let lines = output.lines().filter(|line| !line.contains("*** ["));
    let words = lines.flat_map(|line| line.split(|c: char| c.is_whitespace() || "'\"`()[]{}<>,;:=".contains(c)));
    let mut paths = words.map(|word| word.trim_end_matches('.')).filter(is_path).take(MOST);
    // `join` leaves an absolute path as it is.
    paths.find_map(|path| [root, top].iter().find_map(|from| within(&from.join(path)).filter(absent)))
}

/// Returns the path without `.`; `None` if it is empty, goes up, or leads into `.git`, `__pycache__` or a build folder.
fn plain(path: &Path) -> Option<PathBuf> {
    let mut whole = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => whole.push(name),
            Component::CurDir => {}
            _ => return None,
        }
    }
    let own = |part: Component<'_>| {
        let name = part.as_os_str();
        name == ".git" || name == "__pycache__" || is_build_folder(Path::new(name))
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
        for path in [".env", "build/out.js", "app/data.json", "app/linked/a.py", "target/debug/x"] {
            std::fs::create_dir_all(top.join(path).parent().unwrap()).unwrap();
            std::fs::write(top.join(path), "x").unwrap();
        }
        let find = |output: &str| {
            missing(output, &top, &top.join("app"), &folder, &Layout::default(), &|path| path.starts_with("app/linked"))
        };
        assert_eq!(find("cat: .env: No such file"), Some(".env".into()));
        assert_eq!(find("Error: ENOENT, open '../build/out.js'"), None, "not from here");
        assert_eq!(find(&format!("open '{}/build/out.js'", folder.display())), Some("build/out.js".into()));
        assert_eq!(find("FileNotFoundError: 'data.json'."), Some("app/data.json".into()));
        assert_eq!(find("File 'linked/a.py', line 3: KeyError"), None, "it is linked in");
        assert_eq!(find("target/debug/x build app 1.2 none.txt"), None);
        assert_eq!(find("make: *** [Makefile:5: .env] Error 5"), None, "it was to be made");
        assert_eq!(find("make: *** No rule to make target '.env', needed by 'all'."), Some(".env".into()));
    }
}
