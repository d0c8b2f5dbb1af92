//! Refuses files that cannot be read: the error names line and column and shows the line.

use crate::error::{Error, Result};
use crate::plan::model::Span;
use crate::plan::snippet::{draw_at, place};

/// Largest file that is read (`FORMAT.md` §2).
pub const MAX_BYTES: usize = 64 << 20;

/// Placeholder for the file's name in a remedy: the parser sees only bytes.
pub const FILE: &str = "PLAN_FILE";

const OURS: &[u8] = b"<<<<<<< ";
const SPLIT: &[u8] = b"=======";
const THEIRS: &[u8] = b">>>>>>> ";

/// Checks the whole file: size, NUL bytes, conflict markers.
pub(super) fn whole(source: &[u8]) -> Result<()> {
    if source.len() > MAX_BYTES {
        let message = format!("expected at most {MAX_BYTES} bytes (64 MiB), found {}", source.len());
        return Err(
            at_place(source, MAX_BYTES..MAX_BYTES + 1, &message).hint("move finished goals to a file of their own")
        );
    }
    if let Some(at) = memchr::memchr(0, source) {
        return Err(at_place(source, at..at + 1, "expected text, found a NUL byte")
            .hint("name another file with `--file`, or remove the byte in an editor"));
    }
    match conflict(source) {
        Some(at) => Err(at_place(source, at..at + OURS.len() - 1, "found a git conflict marker")
            .hint("`git diff` shows both sides; resolve the conflict in an editor, then try again")
            .hint(
                "or, if this clone did not merge it with `plan`, `plan install git; git checkout --merge PLAN_FILE`: \
                   `plan` merges the file anew and leaves only the real conflicts",
            )),
        None => Ok(()),
    }
}

/// Refuses the line at `start..end` if it is not UTF-8.
pub(super) fn not_utf8(source: &[u8], start: usize, end: usize) -> Result<()> {
    let Err(error) = std::str::from_utf8(&source[start..end]) else { return Ok(()) };
    let at = start + error.valid_up_to();
    let message = format!("expected UTF-8, found the byte 0x{:02x} in a line that is read as structure", source[at]);
    Err(at_place(source, at..at + 1, &message).hint("save the file as UTF-8, or remove the byte"))
}

/// Builds a refusal; each begins with line and column.
fn at_place(source: &[u8], range: std::ops::Range<usize>, message: &str) -> Error {
    let (line, column) = place(source, range.start);
    Error::input(format!("{line}:{column}: {message}\n{}", draw_at(source, Span::new(range))))
}

/// The first `<<<<<<< ` line that is followed by a `=======` and then a `>>>>>>> ` line, also inside fences and
/// comments: git puts its markers anywhere, and no plan has markers on purpose.
pub fn conflict(source: &[u8]) -> Option<usize> {
    let begins = |at: usize| at == 0 || source[at - 1] == b'\n' || source[..at] == *super::BOM;
    let start = memchr::memmem::find_iter(source, OURS).find(|&at| begins(at))?;
    let mut lines = Lines { source, at: start };
    lines.find(|(_, line)| line.trim_ascii_end() == SPLIT)?;
    lines.find(|(_, line)| line.starts_with(THEIRS))?;
    Some(start)
}

struct Lines<'s> {
    source: &'s [u8],
    at: usize,
}

impl<'s> Iterator for Lines<'s> {
    type Item = (usize, &'s [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let at = self.at;
        let rest = self.source.get(at..).filter(|rest| !rest.is_empty())?;
        let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        self.at = at + length + 1;
        Some((at, &rest[..length]))
    }
}
