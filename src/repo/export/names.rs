//! Valid names for files in a folder. A tree can come from anyone who can push.

use std::os::unix::ffi::OsStrExt as _;

use super::layout::Layout;
use crate::repo::error::RepoError;

/// Refuses a layout that would write outside its folder, into a git folder, or through a link.
pub(super) fn check(layout: &Layout) -> Result<(), RepoError> {
    for path in layout.paths() {
        let bytes = path.as_os_str().as_bytes();
        if bytes.len() > 4096 || bytes.split(|byte| *byte == b'/').any(is_refused) {
            return Err(RepoError::Name { path: path.to_owned() });
        }
        if path.ancestors().skip(1).any(|above| layout.get(above).is_some()) {
            return Err(RepoError::Twice { path: path.to_owned() });
        }
    }
    Ok(())
}

/// Whether a file system may read the name as nothing, `.`, `..` or `.git`: in any case, with trailing dots or blanks,
/// by its short name, or with ignored characters (git's own `verify_path`).
fn is_refused(name: &[u8]) -> bool {
    if name.is_empty() || name == b"." || name == b".." || name.contains(&0) {
        return true;
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
    use std::path::Path;

    use super::*;

    fn is_plain(path: &Path) -> bool {
        !path.as_os_str().as_bytes().split(|byte| *byte == b'/').any(is_refused)
    }

    #[test]
    fn names_that_reach_out_or_into_git_are_refused() {
        for bad in [
            "",
            ".",
            "..",
            ".git",
            ".GIT",
            ".git ",
            ".git.",
            "git~1",
            ".g\u{200c}it",
            "a/../b",
            "/etc/x",
            "a//b",
            "a/.Git/hooks/x",
        ] {
            assert!(!is_plain(Path::new(bad)), "{bad}");
        }
        for good in ["a", "a/b.c", ".gitignore", ".github/x", "...", "git", "a b", "-x", ".git2"] {
            assert!(is_plain(Path::new(good)), "{good}");
        }
    }
}
