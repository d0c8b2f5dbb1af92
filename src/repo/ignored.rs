//! Finds the files that git ignores, and the rule for each.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::Repo;
use super::error::RepoError;
use super::git::{call_within, environment, failed, program};
use super::ignore_rules::may_ignore;
use crate::error::Result;
use crate::process::capture::Captured;
use crate::shell::quote;

/// The rule that makes git ignore a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ignored {
    /// The file with the rule, as git names it: `.gitignore`, `.git/info/exclude`, or a file of the user.
    pub source: PathBuf,
    /// The line of the rule, counted from 1.
    pub line: usize,
    /// The rule itself.
    pub pattern: String,
}

impl Ignored {
    /// Explains why nobody else has the plan file (`shown` in messages), and gives the command to run.
    pub fn describe(&self, shown: &Path) -> (String, String) {
        let (shown, source, line) = (shown.to_string_lossy(), self.source.display(), self.line);
        let rule = format!("`{source}`, line {line}: `{}`", self.pattern);
        let why = format!("git ignores `{shown}` ({rule}): no commit has it, so nobody else does");
        (why, format!("`git add -f {}` tracks it all the same", quote(&shown)))
    }
}

/// A name that stands for any file of a folder.
pub const ANY: &str = "(any file)";
/// How long git may stay silent while a user waits for a list.
const GLANCE: Duration = Duration::from_secs(1);

/// Returns the rule that makes git ignore `file`, an absolute path in the work tree `top`; `None` if git does not answer in time.
/// One process if a rule may match: git finds the folder by itself, so that its check of the owner (`safe.directory`) applies.
pub fn ignoring(top: &Path, file: &Path) -> Option<Ignored> {
    let program = program(top)?;
    if !may_ignore(&program, top, file) {
        return None;
    }
    let ceiling = top.parent().unwrap_or(top);
    let environment = environment(top)
        .set("GIT_CEILING_DIRECTORIES", ceiling)
        .remove("GIT_WORK_TREE")
        .remove("GIT_LITERAL_PATHSPECS");
    let stdin = [b"./", file.strip_prefix(top).ok()?.as_os_str().as_bytes(), b"\0"].concat();
    let args = ["check-ignore", "-z", "--stdin", "--verbose", "--non-matching"].map(OsStr::new);
    let captured = call_within(Some(GLANCE), &program, top, &environment, &args, &stdin).ok()?;
    let fields: Vec<&[u8]> = captured.stdout.split(|byte| *byte == 0).collect();
    rule(fields.chunks_exact(4).next()?)
}

impl Repo {
    /// Returns for each path whether git ignores it; paths are relative to the top or absolute below it. git never ignores a tracked
    /// file. One process.
    pub fn ignored(&self, paths: &[&Path]) -> Result<Vec<bool>> {
        Ok(self.ignored_by(paths)?.into_iter().map(|rule| rule.is_some()).collect())
    }

    /// Whether the index has this file. One process.
    ///
    /// # Errors
    /// [`Kind::Unknown`](crate::error::Kind) if git fails.
    pub fn is_tracked(&self, path: &Path) -> Result<bool> {
        let args = ["ls-files".as_ref(), "-z".as_ref(), "--cached".as_ref(), "--".as_ref(), path.as_os_str()];
        Ok(!self.git(&args, b"")?.is_empty())
    }

    /// The untracked files that git ignores, relative to the top. A folder that is ignored as a whole is represented by one path
    /// in it that does not exist.
    ///
    /// # Errors
    /// [`Kind::Unknown`](crate::error::Kind) if git fails.
    pub fn all_ignored(&self) -> Result<Vec<PathBuf>> {
        let args = ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"];
        let listed = self.git(&args, b"")?;
        let names = listed.split(|byte| *byte == 0).filter(|name| !name.is_empty());
        let path = |name: &[u8]| PathBuf::from(OsStr::from_bytes(name));
        let paths: Vec<PathBuf> =
            names.map(|name| if name.ends_with(b"/") { path(name).join(ANY) } else { path(name) }).collect();
        // git also lists folders that hold only ignored files; these files are listed as well.
        let asked: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
        let is_ignored = self.ignored(&asked)?;
        Ok(paths.into_iter().zip(is_ignored).filter(|(_, is_ignored)| *is_ignored).map(|(path, _)| path).collect())
    }

    /// Returns for each path whether git would ignore it, tracked or not, if these were the only `.gitignore` files (paths relative
    /// to the top, and bytes). The current rules outside the work tree (`info/exclude`, the user's) still apply. One process;
    /// none for an empty list.
    ///
    /// # Errors
    /// [`Kind::Unknown`](crate::error::Kind) if git fails: a caller that deletes must not go on.
    pub fn ignored_under(&self, rules: &[(PathBuf, Vec<u8>)], paths: &[&Path]) -> Result<Vec<bool>> {
        let scratch = tempfile::tempdir().map_err(|error| RepoError::Write { path: std::env::temp_dir(), error })?;
        for (path, bytes) in rules {
            super::export::check_path(path)?;
            let place = scratch.path().join(path);
            let written = std::fs::create_dir_all(place.parent().unwrap_or(scratch.path()))
                .and_then(|()| std::fs::write(&place, bytes));
            written.map_err(|error| RepoError::Write { path: place.clone(), error })?;
        }
        let environment = environment(scratch.path()).remove("GIT_LITERAL_PATHSPECS").set("GIT_DIR", self.git_dir());
        let args = ["check-ignore", "-z", "--stdin", "--verbose", "--non-matching", "--no-index"];
        let args = args.map(OsStr::new);
        let rules = self
            .rules(paths, |stdin| Ok(super::git::call(&self.program, scratch.path(), &environment, &args, stdin)?))?;
        Ok(rules.into_iter().map(|rule| rule.is_some()).collect())
    }

    /// Returns for each path the rule that makes git ignore it. One process.
    pub fn ignored_by(&self, paths: &[&Path]) -> Result<Vec<Option<Ignored>>> {
        let args = ["check-ignore", "-z", "--stdin", "--verbose", "--non-matching"];
        let environment = environment(&self.top).remove("GIT_LITERAL_PATHSPECS");
        self.rules(paths, |stdin| Ok(self.ask_with(environment, &args, stdin)?))
    }

    fn rules(&self, paths: &[&Path], ask: impl FnOnce(&[u8]) -> Result<Captured>) -> Result<Vec<Option<Ignored>>> {
        let mut stdin = Vec::new();
        for path in paths {
            // A name that begins with `:` must not be read as pathspec magic.
            stdin.extend_from_slice(b"./");
            stdin.extend_from_slice(self.relative(path)?.as_os_str().as_bytes());
            stdin.push(0);
        }
        if stdin.is_empty() {
            return Ok(Vec::new());
        }
        let captured = ask(&stdin)?;
        if !matches!(captured.status.code(), Some(0 | 1)) {
            return Err(failed(&["check-ignore"], &captured).into());
        }
        let fields: Vec<&[u8]> = captured.stdout.split(|byte| *byte == 0).collect();
        let mut rules: Vec<Option<Ignored>> = fields.chunks_exact(4).map(rule).collect();
        rules.resize(paths.len(), None);
        Ok(rules)
    }
}

/// Reads the fields source, line, pattern and path. A pattern that begins with `!` includes the path again.
fn rule(fields: &[&[u8]]) -> Option<Ignored> {
    let [source, line, pattern, _path] = fields else { return None };
    let line = std::str::from_utf8(line).ok()?.parse().ok()?;
    let source = PathBuf::from(OsString::from_vec(source.to_vec()));
    let pattern = String::from_utf8_lossy(pattern).into_owned();
    (!pattern.starts_with('!')).then_some(Ignored { source, line, pattern })
}
