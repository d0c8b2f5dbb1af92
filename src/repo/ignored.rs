//! What git ignores, and by which rule.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};

use super::Repo;
use super::git::{environment, failed};
use crate::error::Result;

/// The rule that makes git ignore a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ignored {
    /// The file that the rule stands in, as git names it: `.gitignore`, `.git/info/exclude`, a file of the user's.
    pub source: PathBuf,
    /// Its line, from 1.
    pub line: usize,
    /// The rule itself.
    pub pattern: String,
}

impl Repo {
    /// For each path, relative to the top or absolute below it, whether git ignores it. A tracked file is never
    /// ignored. One process.
    pub fn ignored(&self, paths: &[&Path]) -> Result<Vec<bool>> {
        Ok(self.ignored_by(paths)?.into_iter().map(|rule| rule.is_some()).collect())
    }

    /// For each path the rule that makes git ignore it. One process.
    pub fn ignored_by(&self, paths: &[&Path]) -> Result<Vec<Option<Ignored>>> {
        let mut stdin = Vec::new();
        for path in paths {
            // A name that begins with `:` is none of git's magic.
            stdin.extend_from_slice(b"./");
            stdin.extend_from_slice(self.relative(path)?.as_os_str().as_bytes());
            stdin.push(0);
        }
        if stdin.is_empty() {
            return Ok(Vec::new());
        }
        let args = ["check-ignore", "-z", "--stdin", "--verbose", "--non-matching"];
        let captured = self.ask_with(environment(&self.top).remove("GIT_LITERAL_PATHSPECS"), &args, &stdin)?;
        if !matches!(captured.status.code(), Some(0 | 1)) {
            return Err(failed(&args, &captured).into());
        }
        let fields: Vec<&[u8]> = captured.stdout.split(|byte| *byte == 0).collect();
        let mut rules: Vec<Option<Ignored>> = fields.chunks_exact(4).map(rule).collect();
        rules.resize(paths.len(), None);
        Ok(rules)
    }
}

/// Source, line, pattern, path; a pattern that begins with `!` takes the path back in.
fn rule(fields: &[&[u8]]) -> Option<Ignored> {
    let [source, line, pattern, _path] = fields else { return None };
    let line = std::str::from_utf8(line).ok()?.parse().ok()?;
    let source = PathBuf::from(OsString::from_vec(source.to_vec()));
    let pattern = String::from_utf8_lossy(pattern).into_owned();
    (!pattern.starts_with('!')).then_some(Ignored { source, line, pattern })
}
