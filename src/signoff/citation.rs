//! Citations: what a judge says it saw, looked up on the disk (`SIGNOFF.md` §5, the verdict).
//!
//! Pure but for [`Disk`], where they are looked up.

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

/// How far from the line it names a quote may stand.
const NEAR: usize = 20;

/// What a judge points at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Citation {
    /// `path:line "quote"`: the quote stands within 20 lines of that line.
    File {
        /// Relative to the plan's root.
        path: String,
        /// From 1.
        line: usize,
        /// As given; white space is folded when it is looked for.
        quote: String,
    },
    /// `verify:line "quote"`: the same for what stage 1 printed, by the numbers in the prompt.
    Verify {
        /// As numbered in the prompt.
        line: usize,
        /// As given.
        quote: String,
    },
    /// `absent GLOB "text"`: no file of the tree that the glob names holds the text.
    Absent {
        /// Relative to the plan's root.
        glob: String,
        /// As given.
        text: String,
    },
    /// `gone path`: nothing is there.
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

/// Looks up every citation of an answer's met and ruled-out lines. An unreadable one is one that does not hold, and so is one
/// that says nothing about its question.
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
/// One line that says what was looked for and not found.
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

/// No file that the glob names holds the text. A glob that names none shows nothing.
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

/// A failure mode is ruled out by its own check alone; a criterion may point at any.
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
