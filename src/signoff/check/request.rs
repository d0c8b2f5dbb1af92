//! The parameters of a check.

use std::path::PathBuf;
use std::time::Duration;

use crate::config::Config;
use crate::error::Result;
use crate::gate::Depth;
use crate::signoff::judge::Reference;
use crate::signoff::judge::case::Case;
use crate::signoff::verdict;
use crate::store::Place;
use crate::verify::watch::Watch;

/// The parameters of a sign-off.
#[derive(Clone, Copy)]
pub struct CheckRequest<'a> {
    /// Where plan.md is.
    pub place: &'a Place,
    /// The caller's folder: `--path` and a judge's program are relative to it.
    pub caller: &'a std::path::Path,
    /// The user's configuration.
    pub config: &'a Config,
    /// The goal's id, or its subject.
    pub id: &'a str,
    /// The claim about the work, in the caller's words.
    pub claim: Option<&'a str>,
    /// The evidence files; if empty, the goal's own `evidence`.
    pub paths: &'a [PathBuf],
    /// The judges; all must accept.
    pub judges: &'a [Reference],
    /// How much of the gate runs.
    pub depth: Depth,
    /// How often verify is run.
    pub repeat: u32,
    /// The caller's time limit.
    pub timeout: Option<Duration>,
    /// The user's own prompt.
    pub prompt: Option<&'a str>,
    /// Asks a person.
    pub person: &'a dyn Fn(&Case) -> Result<verdict::Outcome>,
    /// Shows progress.
    pub watch: &'a dyn Watch,
}

/// Returns the first judge as progress names it: `judge claude`, `your answers`.
pub(super) fn next_judge(judges: &[Reference]) -> Option<String> {
    Some(match judges.first()? {
        Reference::Human => "your answers".to_owned(),
        judge => format!("judge {judge}"),
    })
}
