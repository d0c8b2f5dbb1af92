//! Decides from the text of the rules whether any rule can match a file: usually none can, and then git need not run.

use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use super::open::{common_dir, git_dir};
use super::ref_files::{may_set, read};
use super::settings::{Settings, own_folder, path_in};

/// The maximum number of bytes of a file to read here. For a larger file, git must decide.
const LARGEST: u64 = 256 << 10;

/// False if no rule can match `file` (absolute, in the work tree `top`) or a folder above it. `program` is git.
pub(super) fn may_ignore(program: &Path, top: &Path, file: &Path) -> bool {
    let Some(git_dir) = git_dir(top).and_then(|found| found.canonicalize().ok()) else { return true };
    let common_dir = common_dir(&git_dir);
    if may_set(&common_dir, &git_dir, &["excludesfile"]) || own_settings(program).iter().any(|file| names_rules(file)) {
        return true;
    }
    let Ok(below) = file.strip_prefix(top) else { return true };
    let names: Vec<Vec<u8>> = below.iter().map(|name| name.as_bytes().to_ascii_lowercase()).collect();
    let folders = file.ancestors().skip(1).take(names.len()).map(|folder| folder.join(".gitignore"));
    let files = folders.chain([common_dir.join("info/exclude")]).chain(own_folder().map(|own| own.join("ignore")));
    files.into_iter().any(|file| match read(&file, LARGEST) {
        Ok(text) => text.split(|byte| *byte == b'\n').any(|rule| may_match(rule, &names)),
        Err(error) => !is_absent(&error),
    })
}

/// The configuration files of the user and of the system, as far as their paths are known without git.
fn own_settings(program: &Path) -> Vec<PathBuf> {
    let beside = || program.ancestors().nth(2).unwrap_or(program).join("etc/gitconfig");
    let system =
        path_in("GIT_CONFIG_SYSTEM").map_or_else(|| vec!["/etc/gitconfig".into(), beside()], |file| vec![file]);
    Settings::User.files().into_iter().chain(system).collect()
}

/// Whether a configuration file may name a file of rules, or include another configuration.
fn names_rules(file: &Path) -> bool {
    match read(file, LARGEST) {
        Ok(text) => {
            let text = text.to_ascii_lowercase();
            [&b"excludesfile"[..], b"include"].iter().any(|word| memchr::memmem::find(&text, word).is_some())
        }
        Err(error) => !is_absent(&error),
    }
}

/// Whether the file holds no rules: it does not exist, or is a device such as `/dev/null`.
fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::InvalidData)
}

/// Whether a rule may match one of these names (lower case). Compares only the text before its first and after its last wildcard.
fn may_match(rule: &[u8], names: &[Vec<u8>]) -> bool {
    let rule = rule.trim_ascii_end().to_ascii_lowercase();
    if rule.is_empty() || rule.starts_with(b"#") {
        return false;
    }
    if rule.contains(&b'\\') {
        return true;
    }
    let rule = rule.strip_prefix(b"!").unwrap_or(&rule);
    let rule = rule.strip_suffix(b"/").unwrap_or(rule);
    let last = rule.rsplit(|byte| *byte == b'/').next().unwrap_or(rule);
    let is_wild = |byte: &u8| b"*?[]".contains(byte);
    match (last.iter().position(is_wild), last.iter().rposition(is_wild)) {
        (Some(first), Some(end)) => {
            names.iter().any(|name| name.starts_with(&last[..first]) && name.ends_with(&last[end + 1..]))
        }
        _ => names.iter().any(|name| *name == last),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_cannot_match_is_passed_over() {
        let names = [b"docs".to_vec(), b"plan.md".to_vec()];
        for rule in [
            "plan.md", "/docs/plan.md", "docs/", "docs", "*.md", "*", "**", "**/plan.md", "p?an.md", "[p]lan.md",
            "!plan.md", "PLAN.md", "docs/*", "docs/**", "plan.*", "pl\\an.md", "*n.md  ", "/docs/",
        ] {
            assert!(may_match(rule.as_bytes(), &names), "{rule}");
        }
        for rule in
            ["", "  ", "# *", "*.log", "target/", "/target", "node_modules", "plans/", "*.mdx", "docs/x", "plan.md/x"]
        {
            assert!(!may_match(rule.as_bytes(), &names), "{rule}");
        }
    }
}
