//! Checks the names of files in a folder, because a tree can come from anyone who can push.

use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use super::layout::Layout;
use crate::repo::error::RepoError;

/// Refuses a layout that would write outside its folder, into a git folder, or through a link.
pub(super) fn check(layout: &Layout) -> Result<(), RepoError> {
    let mut last: Option<&Path> = None;
    for path in layout.paths() {
        check_path(path)?;
        // Paths are sorted by their components, so the files in a folder directly follow a file with the folder's name.
        if last.is_some_and(|last| path.starts_with(last)) {
            return Err(RepoError::Twice { path: path.to_owned() });
        }
        last = Some(path);
    }
    Ok(())
}

/// Refuses a path that is not a file below its folder, or that is in a git folder. The rules of other systems apply too:
/// there `\\` separates folders and `:` begins a stream (git's own `core.protectNTFS`).
pub(in crate::repo) fn check_path(path: &Path) -> Result<(), RepoError> {
    let bytes = path.as_os_str().as_bytes();
    let is_bad = |name: &[u8]| is_refused(name) || name.split(|byte| *byte == b'\\').any(is_git_elsewhere);
    if bytes.len() > 4096 || bytes.split(|byte| *byte == b'/').any(is_bad) {
        return Err(RepoError::Name { path: path.to_owned() });
    }
    Ok(())
}

/// Whether a path names a file below its folder and outside every git folder, on any file system.
pub fn is_plain_name(path: &Path) -> bool {
    check_path(path).is_ok()
}

/// Whether the name means the git folder on a file system with streams.
fn is_git_elsewhere(name: &[u8]) -> bool {
    let name = name.split(|byte| *byte == b':').next().unwrap_or_default();
    !matches!(name, b"" | b".") && name != b".." && is_refused(name)
}

/// Whether a file system may read the name as nothing, `.`, `..` or `.git`: in any case, with trailing dots or blanks,
/// by its short name, or with ignored characters (git's own `verify_path`).
fn is_refused(name: &[u8]) -> bool {
    if name.is_empty() || name == b"." || name == b".." || name.contains(&0) {
        return true;
    }
    // The fast case for nearly all names, without a copy.
    if name.is_ascii() && !matches!(name[0], b'.' | b'g' | b'G') {
        return false;
    }
    let seen: String = String::from_utf8_lossy(name).chars().filter(|c| !is_passed_over(*c)).collect();
    let name = seen.trim_end_matches(['.', ' ']).to_ascii_lowercase();
    name == ".git" || name == "git~1"
}

fn is_passed_over(c: char) -> bool {
    matches!(c, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_a_folder_too_is_refused() {
        let layout = |paths: &[&str]| {
            let mut layout = Layout::default();
            paths.iter().for_each(|path| layout.add(Path::new(path), Vec::new(), crate::repo::Format::Sha1));
            check(&layout)
        };
        assert!(layout(&["a-b", "a.b", "aa/b", "b/a", "b/ab"]).is_ok());
        assert!(matches!(layout(&["a", "a-b", "a/b/c"]), Err(RepoError::Twice { path }) if path == Path::new("a/b/c")));
    }

    #[test]
    fn names_that_reach_out_or_into_git_are_refused() {
        for bad in [
            "", ".", "..", ".git", ".GIT", ".git ", ".git.", "git~1", ".g\u{200c}it", "a/../b", "/etc/x", "a//b",
            "a/.Git/hooks/x", ".git::$INDEX_ALLOCATION/config", ".git:x", "a\\.git\\hooks", "GIT~1\\config",
        ] {
            assert!(!is_plain_name(Path::new(bad)), "{bad}");
        }
        for good in
            ["a", "a/b.c", ".gitignore", ".github/x", "...", "git", "a b", "a\\b", "a:b", "\\\\..\\x", "-x", ".git2"]
        {
            assert!(is_plain_name(Path::new(good)), "{good}");
        }
    }
}
