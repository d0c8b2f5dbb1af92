//! Counts the lines of a file in the repository, to check a place like `src/search.rs:12` against it.

use std::fs;
use std::io::Read as _;
use std::path::Path;

use super::place::Place;
use crate::plan::parse::MAX_BYTES;

impl Place {
    /// Returns the number of lines of the file at `path`, relative to the plan's folder. `None` if it is no regular file in the
    /// repository, or is over 64 MiB.
    pub fn line_count(&self, path: &str) -> Option<usize> {
        let file = self.root.join(Path::new(path)).canonicalize().ok()?;
        let top = self.top.as_deref().unwrap_or(&self.root);
        let meta = fs::metadata(&file).ok().filter(fs::Metadata::is_file)?;
        if !file.starts_with(top) || meta.len() > MAX_BYTES as u64 {
            return None;
        }
        let (mut lines, mut last, mut buffer) = (0, b'\n', vec![0; 64 << 10]);
        let mut file = fs::File::open(file).ok()?.take(MAX_BYTES as u64);
        loop {
            match file.read(&mut buffer).ok()? {
                0 => return Some(lines + usize::from(last != b'\n')),
                read => {
                    lines += memchr::memchr_iter(b'\n', &buffer[..read]).count();
                    last = buffer[read - 1];
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::store;

    #[test]
    fn only_files_of_the_repository_have_lines() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("repository");
        std::fs::create_dir_all(root.join(".git")).unwrap();
        std::fs::write(root.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
        for (name, text) in [("plan.md", ""), ("two.rs", "a\nb"), ("one.rs", "a\n"), ("../outside.rs", "a\n")] {
            std::fs::write(root.join(name), text).unwrap();
        }
        std::os::unix::fs::symlink("../outside.rs", root.join("link.rs")).unwrap();
        let place = store::find(&root, None).unwrap();
        let top = place.top.clone();
        let place = store::Place { top: top.or(Some(place.root.clone())), ..place };
        let counts = ["two.rs", "one.rs", "plan.md", ".", "gone.rs", "../outside.rs", "link.rs"];
        assert_eq!(counts.map(|path| place.line_count(path)), [Some(2), Some(1), Some(0), None, None, None, None]);
    }
}
