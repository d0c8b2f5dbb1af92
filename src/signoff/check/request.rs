//! What is asked of a check, and by whom.

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
    /// What is claimed.
    pub claim: Option<&'a str>,
    /// Where to look; none: the goal's own `evidence`.
    pub paths: &'a [PathBuf],
    /// Who judges; all must accept.
    pub judges: &'a [Reference],
    /// How much of the gate runs.
    pub depth: Depth,
    /// How often verify is run.
    pub repeat: u32,
    /// The caller's limit.
    pub timeout: Option<Duration>,
    /// The user's own prompt.
    pub prompt: Option<&'a str>,
    /// Asks a person.
    pub person: &'a dyn Fn(&Case) -> Result<verdict::Outcome>,
    /// Who watches.
    pub watch: &'a dyn Watch,
}

/// Who judges, as progress names it: `judge claude`, `your answers`.
pub(super) fn next_judge(judges: &[Reference]) -> Option<String> {
    Some(match judges.first()? {
        Reference::Human => "your answers".to_owned(),
        judge => format!("judge {judge}"),
    })
}
