//! Citations: the places that a judge quotes are looked up on the disk (`SIGNOFF.md` §5, the verdict).
//!
//! Everything here is pure, except [`Disk`], which looks them up.

pub mod disk;
mod quote;
pub(crate) mod read;
mod worth;

#[cfg(test)]
mod tests;

use std::path::Path;

use self::disk::Disk;
use super::judge::case::Case;
use super::verdict::{CitationCheck, Id, JudgeAnswer};

pub use worth::leads;

/// The maximum number of lines between a quote and the line that it names.
const NEAR: usize = 20;

/// A citation of a judge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Citation {
    /// `path:line "quote"`: the quote is within 20 lines of that line.
    File {
        /// Relative to the plan's root.
        path: String,
        /// From 1.
        line: usize,
        /// As given; the search folds white space.
        quote: String,
    },
    /// `verify:line "quote"`: the same for the output of stage 1, with the line numbers of the prompt.
    Verify {
        /// As numbered in the prompt.
        line: usize,
        /// As given.
        quote: String,
    },
    /// `absent GLOB "text"`: no file of the tree that matches the glob contains the text.
    Absent {
        /// Relative to the plan's root.
        glob: String,
        /// As given.
        text: String,
    },
    /// `gone path`: nothing is at this path.
    Gone {
        /// Relative to the plan's root.
        path: String,
    },
    /// `check N`: the command of failure mode N exited 0.
    Check {
        /// From 1.
        number: usize,
    },
}

/// Looks up every citation in the met and ruled-out lines of an answer. A citation that cannot be read does not hold, and
/// neither does one that says nothing about its question.
pub fn check_all(answer: &JudgeAnswer, case: &Case, disk: &Disk<'_>) -> Vec<CitationCheck> {
    let mut checked = Vec::new();
    for line in answer.lines.iter().filter(|line| line.holds && !line.text.is_empty()) {
        let id = line.id;
        match read::citations(&line.text) {
            Ok(citations) => {
                let results = citations
                    .iter()
                    .map(|citation| check(citation, id, disk).and_then(|()| worth::says_something(citation, id, case)));
                checked.extend(results.map(|result| CitationCheck { id, result }));
            }
            Err(why) => checked.push(CitationCheck { id, result: Err(why) }),
        }
    }
    checked
}

/// Looks up one citation of the answer to `id`.
///
/// # Errors
/// One line about what was searched for and not found.
pub fn check(citation: &Citation, id: Id, disk: &Disk<'_>) -> Result<(), String> {
    match citation {
        Citation::File { path, line, quote } => {
            let bytes = disk.file(Path::new(path))?;
            quote::near(&String::from_utf8_lossy(&bytes), 1, path, *line, quote)
        }
        Citation::Verify { line, quote } => {
            let (first, text) = disk.verify().ok_or("there is no output of `verify` to cite")?;
            quote::near(text, first, "verify", *line, quote)
        }
        Citation::Absent { glob, text } => absent(glob, text, disk),
        Citation::Gone { path } => match disk.is_there(Path::new(path))? {
            true => Err(format!("`{path}` is there")),
            false => Ok(()),
        },
        Citation::Check { number } => passed(*number, id, disk),
    }
}

/// Checks that no file that matches the glob contains the text. A glob without a matching file proves nothing.
fn absent(glob: &str, text: &str, disk: &Disk<'_>) -> Result<(), String> {
    let needle = quote::Needle::new(text).ok_or("`absent` needs a text, found none")?;
    let files = disk.files(glob)?;
    if files.is_empty() {
        return Err(format!("`{glob}` names no file"));
    }
    for path in files {
        if needle.stands_in(&String::from_utf8_lossy(&disk.file(&path)?)) {
            return Err(format!("`{text}` is in `{}`", path.display()));
        }
    }
    Ok(())
}

/// Looks up the result of a check. A failure mode needs its own check; a criterion may cite any.
fn passed(number: usize, id: Id, disk: &Disk<'_>) -> Result<(), String> {
    if matches!(id, Id::FailureMode(own) if own != number) {
        return Err(format!("`check {number}` belongs to F{number}"));
    }
    match disk.check(number) {
        Some(true) => Ok(()),
        Some(false) => Err(format!("the check of F{number} did not exit 0")),
        None => Err(format!("F{number} has no check")),
    }
}
