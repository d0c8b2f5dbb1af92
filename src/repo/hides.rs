//! What makes git show less than there is (`SIGNOFF.md` §3, `git-hides`).

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use super::error::Trouble;
use super::{Repo, Tree};
use crate::error::Result;

/// A flag that tells git to look away from a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flag {
    /// `git update-index --assume-unchanged`, also set by `core.ignoreStat`.
    AssumeUnchanged,
    /// `git update-index --skip-worktree`, also set by a sparse checkout.
    SkipWorktree,
}

/// An index entry with such a flag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flagged {
    /// Relative to the top of the work tree.
    pub path: PathBuf,
    /// Which flag.
    pub flag: Flag,
    /// The file is not on the disk.
    pub absent: bool,
}

/// One thing that hides something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hide {
    /// An index entry; the absent files of a sparse checkout are not among them.
    Flagged(Flagged),
    /// A ref under `refs/replace/`: another object is shown in place of the one named.
    Replaced(String),
    /// `info/grafts` gives commits other parents.
    Grafts,
    /// The repository's own configuration: key and value.
    Setting(String, String),
    /// An untracked file that a rule in `info/exclude` hides, or in the `core.excludesFile` of the repository's own
    /// configuration: places that no other clone has.
    Excluded(PathBuf),
}

impl Repo {
    /// Everything that hides something here, for the gate to judge: an excluded file matters only where it is a test, a
    /// harness, loaded by itself, or evidence. Two processes, one more for each file of rules that no other clone has.
    pub fn hides(&self, tree: &Tree) -> Result<Vec<Hide>> {
        let settings = self.own_settings()?;
        let is_sparse = settings.iter().any(|(key, value)| key == "core.sparsecheckout" && is_true(value));
        let flagged = tree.flagged.iter().filter(|flagged| !(is_sparse && is_sparsely_absent(flagged)));
        let mut hides: Vec<Hide> = flagged.cloned().map(Hide::Flagged).collect();
        hides.extend(self.list_refs("refs/replace")?.into_iter().map(|(name, _)| Hide::Replaced(name)));
        if has_lines(&self.common_dir.join("info/grafts")) {
            hides.push(Hide::Grafts);
        }
        let mut excluded = self.excluded(&self.common_dir.join("info/exclude"))?;
        for (_, value) in settings.iter().filter(|(key, _)| key == "core.excludesfile") {
            excluded.extend(self.excluded(&named_file(value, &self.top))?);
        }
        excluded.sort_unstable();
        excluded.dedup();
        hides.extend(settings.into_iter().filter(hiding).map(|(key, value)| Hide::Setting(key, value)));
        hides.extend(excluded.into_iter().map(Hide::Excluded));
        Ok(hides)
    }

    /// The settings that stand in the repository's own files: key in lower case as git prints it, and value.
    fn own_settings(&self) -> std::result::Result<Vec<(String, String)>, Trouble> {
        let bytes = self.git(&["config", "--null", "--show-scope", "--list"], b"")?;
        let text = String::from_utf8_lossy(&bytes);
        let mut fields = text.split('\0');
        let mut settings = Vec::new();
        while let (Some(scope), Some(setting)) = (fields.next(), fields.next()) {
            if matches!(scope, "local" | "worktree") {
                // A key without `=` has no value, and means true.
                let (key, value) = setting.split_once('\n').unwrap_or((setting, "true"));
                settings.push((key.to_owned(), value.to_owned()));
            }
        }
        Ok(settings)
    }

    /// The untracked files that a file of rules hides.
    fn excluded(&self, rules: &Path) -> std::result::Result<Vec<PathBuf>, Trouble> {
        if !has_lines(rules) {
            return Ok(Vec::new());
        }
        let args = ["ls-files", "-z", "--others", "--ignored", "--exclude-from"].map(OsStr::new);
        let bytes = self.git(&[&args[..], &[rules.as_os_str()]].concat(), b"")?;
        let paths = bytes.split(|byte| *byte == 0).filter(|path| !path.is_empty());
        Ok(paths.map(|path| PathBuf::from(OsStr::from_bytes(path))).collect())
    }
}

fn is_sparsely_absent(flagged: &Flagged) -> bool {
    flagged.flag == Flag::SkipWorktree && flagged.absent
}

/// Settings under which git does not see that a file changed, or does not list it.
fn hiding((key, value): &(String, String)) -> bool {
    match key.as_str() {
        "core.checkstat" => value != "default",
        "core.trustctime" => !is_true(value),
        "core.ignorestat" => is_true(value),
        "core.excludesfile" => true,
        "core.fsmonitor" => !is_true(value) && !is_false(value),
        _ => false,
    }
}

fn is_true(value: &str) -> bool {
    ["true", "yes", "on", "1"].iter().any(|word| value.eq_ignore_ascii_case(word))
}

fn is_false(value: &str) -> bool {
    ["false", "no", "off", "0", ""].iter().any(|word| value.eq_ignore_ascii_case(word))
}

/// The file that a setting names: `~/` is the home, anything else starts from the top.
fn named_file(value: &str, top: &Path) -> PathBuf {
    match value.strip_prefix("~/").zip(std::env::var_os("HOME")) {
        Some((rest, home)) => PathBuf::from(home).join(rest),
        None => top.join(value),
    }
}

/// The file has a line that is neither empty nor a comment.
fn has_lines(path: &Path) -> bool {
    let is_rule = |line: &[u8]| !line.trim_ascii().is_empty() && !line.starts_with(b"#");
    let is_file = path.metadata().is_ok_and(|meta| meta.is_file());
    is_file && fs::read(path).is_ok_and(|bytes| bytes.split(|byte| *byte == b'\n').any(is_rule))
}
