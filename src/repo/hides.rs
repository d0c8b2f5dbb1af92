//! Finds everything that makes git show less than there is (`SIGNOFF.md` §3, `git-hides`).

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use super::error::RepoResult;
use super::index::{Flag, Flagged};
use super::{Repo, Tree};
use crate::error::Result;

/// Something that hides files or changes from git.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hide {
    /// An index entry with a flag; the absent files of a sparse checkout do not count.
    Flagged(Flagged),
    /// A ref under `refs/replace/`, which makes git show a different object.
    Replaced(String),
    /// `info/grafts` changes the parents of commits.
    Grafts,
    /// A setting in the repository's own configuration: key and value.
    Setting(String, String),
    /// An untracked file that is hidden by a rule in `info/exclude`, or in the `core.excludesFile` of the repository's
    /// own configuration. No other clone has these rules.
    Excluded(PathBuf),
    /// A tracked file that git sees in another form, because of a filter or an encoding in `info/attributes`, or in the
    /// `core.attributesFile` of the repository's own configuration. No other clone has these attributes.
    Converted(PathBuf),
}

/// The keys in `core` to look for.
const WORDS: [&str; 7] =
    ["sparsecheckout", "excludesfile", "attributesfile", "checkstat", "trustctime", "ignorestat", "fsmonitor"];

impl Repo {
    /// Returns everything that hides something here. The gate judges it: an excluded file matters only if it is a test, a
    /// harness file, loaded automatically, or evidence. One process if the repository's own files may contain such
    /// settings, and one for each rule file that no other clone has.
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
        let mut converted = self.converted(&self.common_dir.join("info/attributes"))?;
        for (_, value) in settings.iter().filter(|(key, _)| key == "core.attributesfile") {
            converted.extend(self.converted(&named_file(value, &self.top))?);
        }
        converted.sort_unstable();
        converted.dedup();
        hides.extend(settings.into_iter().filter(hiding).map(|(key, value)| Hide::Setting(key, value)));
        hides.extend(excluded.into_iter().map(Hide::Excluded));
        hides.extend(converted.into_iter().map(Hide::Converted));
        Ok(hides)
    }

    /// The settings in the repository's own files: keys in lower case, as git prints them, and values. Empty if the files
    /// contain none of [`WORDS`].
    fn own_settings(&self) -> RepoResult<Vec<(String, String)>> {
        if !self.may_set(&WORDS) {
            return Ok(Vec::new());
        }
        let bytes = self.git(&["config", "--null", "--show-scope", "--list"], b"")?;
        let text = String::from_utf8_lossy(&bytes);
        let mut fields = text.split('\0');
        let mut settings = Vec::new();
        while let (Some(scope), Some(setting)) = (fields.next(), fields.next()) {
            if matches!(scope, "local" | "worktree") {
                // A key without `=` has no value; it means true.
                let (key, value) = setting.split_once('\n').unwrap_or((setting, "true"));
                settings.push((key.to_owned(), value.to_owned()));
            }
        }
        Ok(settings)
    }

    /// The untracked files that a rule file hides.
    fn excluded(&self, rules: &Path) -> RepoResult<Vec<PathBuf>> {
        if !has_lines(rules) {
            return Ok(Vec::new());
        }
        let args = ["ls-files", "-z", "--others", "--ignored", "--exclude-from"].map(OsStr::new);
        Ok(paths(&self.git(&[&args[..], &[rules.as_os_str()]].concat(), b"")?))
    }

    /// The tracked files whose form an attribute file changes. git can read its patterns as ignore rules, because both
    /// have the same grammar.
    fn converted(&self, attributes: &Path) -> RepoResult<Vec<PathBuf>> {
        let is_file = attributes.metadata().is_ok_and(|meta| meta.is_file());
        let text = if is_file { fs::read(attributes).unwrap_or_default() } else { Vec::new() };
        let patterns = converting(&text);
        if patterns.is_empty() {
            return Ok(Vec::new());
        }
        let mut args = vec![OsStr::new("ls-files"), "-z".as_ref(), "--cached".as_ref(), "--ignored".as_ref()];
        for pattern in &patterns {
            args.extend([OsStr::new("--exclude"), OsStr::from_bytes(pattern)]);
        }
        Ok(paths(&self.git(&args, b"")?))
    }
}

/// Splits git's output into paths.
fn paths(bytes: &[u8]) -> Vec<PathBuf> {
    let paths = bytes.split(|byte| *byte == 0).filter(|path| !path.is_empty());
    paths.map(|path| PathBuf::from(OsStr::from_bytes(path))).collect()
}

/// The maximum number of patterns to check; in practice no clone has more of its own.
const PATTERNS: usize = 200;

/// The patterns of the lines that change a file's form. A change of line ends does not count.
fn converting(text: &[u8]) -> Vec<Vec<u8>> {
    const FORMS: [&[u8]; 3] = [b"filter", b"ident", b"working-tree-encoding"];
    let lines = || text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.starts_with(b"#"));
    // A macro may stand for one of these attributes.
    let has_macros = lines().any(|line| line.starts_with(b"[attr]"));
    let pattern = |line: &[u8]| {
        let quoted = line.strip_prefix(b"\"");
        let end = match quoted {
            Some(rest) => rest.iter().position(|byte| *byte == b'"')?,
            None => line.iter().position(u8::is_ascii_whitespace)?,
        };
        let (pattern, rest) = quoted.unwrap_or(line).split_at(end);
        let name = |word: &[u8]| word.split(|byte| *byte == b'=').next().unwrap_or_default().to_owned();
        let mut words = rest.split(u8::is_ascii_whitespace).map(name);
        let converts = words.any(|word| has_macros || FORMS.contains(&&*word));
        (converts && !pattern.is_empty() && !line.starts_with(b"[attr]")).then(|| pattern.to_owned())
    };
    lines().filter_map(pattern).take(PATTERNS).collect()
}

fn is_sparsely_absent(flagged: &Flagged) -> bool {
    flagged.flag == Flag::SkipWorktree && flagged.absent
}

/// Settings that make git overlook a changed file or leave it out of lists.
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

/// The file that a setting names: `~/` is the home folder, other relative paths are relative to the top.
fn named_file(value: &str, top: &Path) -> PathBuf {
    match value.strip_prefix("~/").zip(std::env::var_os("HOME")) {
        Some((rest, home)) => PathBuf::from(home).join(rest),
        None => top.join(value),
    }
}

/// Whether the file has a line that is neither empty nor a comment.
fn has_lines(path: &Path) -> bool {
    let is_rule = |line: &[u8]| !line.trim_ascii().is_empty() && !line.starts_with(b"#");
    let is_file = path.metadata().is_ok_and(|meta| meta.is_file());
    is_file && fs::read(path).is_ok_and(|bytes| bytes.split(|byte| *byte == b'\n').any(is_rule))
}
