//! A row at work.

use super::candidate::Candidate;
use super::row_result::{EarlyEnd, RowResult, unresolved};
use crate::replay::{Replay, Stop};

/// What a row looks at, and where it runs verify.
pub(crate) struct Probe<'c, 'j> {
    row: &'static str,
    pub(crate) candidate: &'c Candidate<'c>,
    pub(crate) replay: &'c mut Replay<'j>,
}

impl<'c, 'j> Probe<'c, 'j> {
    /// The result of the row with this code.
    pub(super) fn run(
        row: &'static str,
        look: impl FnOnce(&mut Probe<'_, 'j>) -> Result<RowResult, EarlyEnd>,
        candidate: &'c Candidate<'c>,
        replay: &'c mut Replay<'j>,
    ) -> Result<RowResult, Stop> {
        look(&mut Probe { row, candidate, replay }).or_else(|end| match end {
            EarlyEnd::Result(result) => Ok(*result),
            EarlyEnd::Stop(stop) => Err(stop),
        })
    }

    /// The same row on other work.
    pub(crate) fn on<'o>(&'o mut self, candidate: &'o Candidate<'o>) -> Probe<'o, 'j> {
        Probe { row: self.row, candidate, replay: &mut *self.replay }
    }

    /// An excuse for the row: verify does not run on the export. If the work tree was opened once, a second run confirms
    /// it, because other programs open files too, such as an editor or an indexer.
    pub(crate) fn reads_elsewhere(&mut self) -> Result<Option<RowResult>, Stop> {
        let resolve = "make verify load files by relative paths, and stop other programs that read the work tree";
        Ok(self.replay.reads(&self.candidate.last)?.map(|read| {
            let read = read.display();
            let why = format!("`{read}` in the work tree is opened whenever verify runs in the clean export");
            unresolved(&[self.row], why, resolve).into()
        }))
    }

    /// Ends the row if there is such an excuse.
    pub(crate) fn confirm_export(&mut self) -> Result<(), EarlyEnd> {
        self.reads_elsewhere()?.map_or(Ok(()), |lead| Err(lead.into()))
    }
}
