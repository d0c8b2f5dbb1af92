//! Reads the whole output of a run from its logs.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;

use super::{CommandLine, Report};
use crate::lang::closing_lines::{self, TestTally};

/// The maximum number of bytes to read of a log; only the end of a larger log is read.
const MOST: u64 = 4 << 20;

impl Report {
    /// Returns the output of all programs, and whether it is whole; `None` if no log was kept.
    pub fn output(&self) -> Option<(String, bool)> {
        let mut text = String::new();
        let mut whole = true;
        for log in &self.logs {
            let size = std::fs::metadata(log).ok()?.len();
            whole &= size <= MOST;
            text.push_str(&String::from_utf8_lossy(&end_of(log, size)?));
        }
        (!self.logs.is_empty()).then_some((text, whole))
    }

    /// Returns [`Report::output`], or the end of the output if no log was kept.
    pub fn said(&self) -> (String, bool) {
        self.output().unwrap_or_else(|| (self.tail.text().into_owned(), !self.tail.is_cut()))
    }

    /// Returns the tests of a run of `line`, if its runner says how many there were.
    pub fn tally(&self, line: &CommandLine) -> Option<TestTally> {
        let (output, whole) = self.said();
        closing_lines::tally(&line.sequence.argvs(), &output, whole)
    }
}

fn end_of(log: &Path, size: u64) -> Option<Vec<u8>> {
    let mut file = File::open(log).ok()?;
    file.seek(SeekFrom::Start(size.saturating_sub(MOST))).ok()?;
    let mut bytes = Vec::new();
    file.take(MOST).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}
