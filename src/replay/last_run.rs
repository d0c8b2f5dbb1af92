//! What the last run printed, counted, wrote and lacked.

use std::path::{Path, PathBuf};

use super::missing_files::missing;
use super::{Replay, ReplayRequest};
use crate::lang::closing_lines::Tally;
use crate::lang::uncompiled::says_rust_uncompiled;
use crate::repo::export::Layout;
use crate::verify::stage1;

impl Replay<'_> {
    /// What the last run printed, or the end of a long output.
    pub(crate) fn said_all(&self) -> String {
        let output = self.ran.as_ref().and_then(stage1::Report::output);
        output.map_or_else(|| self.tail(), |(output, _)| output)
    }

    /// Whether the last run ended in an error of the Rust compiler.
    pub(crate) fn says_uncompiled(&self) -> bool {
        says_rust_uncompiled(&self.tail())
    }

    /// The last run.
    pub(crate) fn last_run(&self) -> Option<&stage1::Report> {
        self.ran.as_ref()
    }

    /// The tests of the last run, if its runner counts them.
    pub(crate) fn tally(&self) -> Option<Tally> {
        self.ran.as_ref()?.tally(self.request.line)
    }

    /// Whether the last run printed these words; none if part of its output is missing.
    pub(crate) fn said(&self, words: &str) -> Option<bool> {
        let (output, whole) = self.ran.as_ref()?.output()?;
        (whole || output.contains(words)).then(|| output.contains(words))
    }

    /// Whether the last run wrote the file again, with these bytes.
    pub(crate) fn has_written(&self, path: &Path, bytes: &[u8]) -> bool {
        std::fs::read(self.export.folder().join(path)).is_ok_and(|now| now == bytes)
    }

    /// The end of the last run's output.
    fn tail(&self) -> String {
        self.ran.as_ref().map(|report| report.tail.text().into_owned()).unwrap_or_default()
    }

    /// A file that the last run named, that the work tree has and that `layout` lacks.
    pub(crate) fn missing(&self, layout: &Layout) -> Option<PathBuf> {
        let ReplayRequest { repo, root, .. } = self.request;
        missing(&self.tail(), repo.top(), root, self.export.folder(), layout)
    }

    /// The first file that a filter made different in the work tree, not counting those that are `left_out`.
    pub(crate) fn filtered(&self, left_out: impl Fn(&Path) -> bool) -> Option<&Path> {
        let converts = |path: &&PathBuf| self.request.repo.converts(path).unwrap_or(false);
        let counted = self.export.filtered().iter().filter(|path| !left_out(path));
        counted.take(10).find(converts).map(PathBuf::as_path)
    }
}
