//! A running row and its result.

use serde::Serialize;

use super::candidate::Candidate;
use crate::gate::{GateFinding, GateLevel};
use crate::replay::{Replay, Stop};

/// The input of a row: the work that it looks at, and the replay by which it runs verify.
pub(crate) struct Probe<'c, 'j> {
    row: &'static str,
    pub(crate) candidate: &'c Candidate<'c>,
    pub(crate) replay: &'c mut Replay<'j>,
}

impl<'c, 'j> Probe<'c, 'j> {
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

    pub(crate) fn on<'o>(&'o mut self, candidate: &'o Candidate<'o>) -> Probe<'o, 'j> {
        Probe { row: self.row, candidate, replay: &mut *self.replay }
    }

    /// Returns an excuse for the row if verify reads the work tree instead of the export. If a file of the work tree was opened
    /// once, a second run confirms it, because other programs (an editor, an indexer) open files too.
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

/// The status of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RowStatus {
    /// Nothing counts against the work.
    Passed,
    /// Something counts against the work.
    Blocked,
    /// There is nothing for the row to look at.
    NotApplicable,
    /// The row could not decide.
    Unresolved,
    /// The budget ran out before the row decided, or verify could not run in an export.
    NotReached,
}

/// The result of a row. Without a finding, the row passed.
#[derive(Debug, Default)]
pub(crate) struct RowResult {
    pub(crate) finding: Option<GateFinding>,
    /// Whether today's tests were red on the source of the base.
    pub(crate) seen_red: bool,
    /// Whether some of the work belongs to this goal alone.
    pub(crate) own_work: bool,
    /// Whether the row passed although it has a finding, which is only a remark.
    pub(crate) passed: bool,
    /// The reason why the row has nothing to look at, if that is the usual case. Only `--json` shows it.
    pub(crate) idle: Option<String>,
}

impl RowResult {
    /// The result of a row that passed because today's tests were red on the source of the base.
    pub(crate) fn red() -> RowResult {
        RowResult { seen_red: true, ..RowResult::default() }
    }

    pub(crate) fn blocks(&self) -> bool {
        self.status() == RowStatus::Blocked
    }

    pub(super) fn status(&self) -> RowStatus {
        match self.finding.as_ref().map(|finding| finding.level) {
            None if self.idle.is_some() => RowStatus::NotApplicable,
            None => RowStatus::Passed,
            Some(_) if self.passed => RowStatus::Passed,
            Some(GateLevel::Block) => RowStatus::Blocked,
            Some(GateLevel::Lead) => RowStatus::Unresolved,
            Some(GateLevel::Note) => RowStatus::NotApplicable,
        }
    }
}

impl From<GateFinding> for RowResult {
    fn from(finding: GateFinding) -> Self {
        RowResult { finding: Some(finding), ..RowResult::default() }
    }
}

pub(super) const UNRESOLVED: &str = "unresolved";

pub(crate) fn unresolved(rows: &[&str], why: impl std::fmt::Display, resolve: &str) -> GateFinding {
    GateFinding::about(UNRESOLVED, rows, "every gate row to decide", why, resolve)
}

/// The result of a row that has nothing to look at, as a note.
pub(crate) fn not_applicable(row: &str, why: &str) -> RowResult {
    GateFinding::not_applicable(row, why).into()
}

/// The result of a row that has nothing to look at for most work, without a note: one on each sign-off would only be noise.
pub(crate) fn idle(why: &str) -> RowResult {
    RowResult { idle: Some(why.to_owned()), ..RowResult::default() }
}

pub(crate) fn no_base(row: &str) -> RowResult {
    unresolved(&[row], "this clone has no commit and no record of a start", "commit, then start the goal").into()
}

#[derive(Debug)]
pub(crate) enum EarlyEnd {
    Result(Box<RowResult>),
    /// No run can follow.
    Stop(Stop),
}

impl From<RowResult> for EarlyEnd {
    fn from(result: RowResult) -> Self {
        EarlyEnd::Result(Box::new(result))
    }
}

impl From<Stop> for EarlyEnd {
    fn from(stop: Stop) -> Self {
        EarlyEnd::Stop(stop)
    }
}

pub(crate) fn idle_if(is_idle: bool, why: &str) -> Result<(), EarlyEnd> {
    if is_idle { Err(idle(why).into()) } else { Ok(()) }
}

pub(crate) fn pass_if(is_passed: bool) -> Result<(), EarlyEnd> {
    if is_passed { Err(RowResult::default().into()) } else { Ok(()) }
}
