//! Stage 2: a model or a program that reads the repository and answers for each criterion (`SIGNOFF.md` §5).
//!
//! ```text
//! Case ── prompt ──> judge process ──> answer ── verdict::parse ──> citations looked up ── verdict::outcome ──> JudgeResult
//!                        └────────────────────── once more, if that may help ───────────────────┘
//! ```
//!
//! The caller finds out whether the judge changed something: it takes the repository's fingerprint before and after.

pub mod case;
mod level;
mod model;
mod prompt;
mod question;
mod reference;
mod scratch;
mod session;

#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use level::WriteProtection;
pub use question::{JudgeQuestion, QuestionReply, preview_question, question};
pub use reference::{Reference, choose, of_session, ready};

use self::case::Case;
use self::scratch::Scratch;
use super::citation::{check_all, disk::Disk};
use super::verdict::{self, CitationCheck, JudgeAnswer, Outcome};
use crate::error::{Error, Kind, Result};
use crate::prompt::Prompt;
use crate::verify::watch::Watch;

/// The maximum number of runs. The second one needs a reason.
const RUNS: usize = 2;

/// The settings that all judges of one check share.
pub struct Setting<'a> {
    /// The plan's root: the judge's working folder, to which citations are relative.
    pub root: &'a Path,
    /// The top of the work tree, or the root without git.
    pub top: &'a Path,
    /// The resolved plan file, which is no evidence.
    pub plan_file: &'a Path,
    /// The caller's folder, at which the relative path of a judge's program starts.
    pub caller: &'a Path,
    /// Every file of the tree, relative to `top`; `absent GLOB` searches these.
    pub files: &'a [PathBuf],
    /// The time limit for each run of a judge.
    pub limit: Duration,
    /// The user's own text in place of the built-in prompt.
    pub prompt: Option<&'a str>,
    /// The `plan` binary that starts the judge; `None`: the one that runs.
    pub launcher: Option<&'a Path>,
    /// Receives a note when a judge is asked once more, and about once a second the time that it has worked.
    pub watch: &'a dyn Watch,
}

/// The result of a judge, and the data about it for the attestation.
#[derive(Clone, Debug)]
pub struct JudgeResult {
    /// The outcome.
    pub outcome: Outcome,
    /// The answer of the last run, if it could be read.
    pub answer: Option<JudgeAnswer>,
    /// The model that answered, or that was asked for.
    pub model: Option<String>,
    /// The program that was run.
    pub program: Option<PathBuf>,
    /// The sandbox that kept it from writing.
    pub level: WriteProtection,
    /// How often it was run.
    pub runs: usize,
    /// How long all runs took.
    pub seconds: f64,
    /// False if the system could not start the program.
    pub started: bool,
}

impl JudgeResult {
    /// The result of a judge that was not run as a process: `checks`, `human`.
    pub fn without_process(outcome: Outcome) -> Self {
        JudgeResult {
            outcome,
            answer: None,
            model: None,
            program: None,
            level: WriteProtection::None,
            runs: 0,
            seconds: 0.0,
            started: true,
        }
    }
}

/// Asks a host's or a program's judge. Asks once more if it crashed, gave no verdict, or left something open.
///
/// # Errors
/// [`Kind::Interrupted`]; [`Kind::Input`] for a prompt that cannot be filled; [`Kind::Unknown`] if no scratch folder can be
/// made, or for `checks` and `human`, which are no processes.
pub fn ask(judge: &Reference, case: &Case, setting: &Setting<'_>) -> Result<JudgeResult> {
    let mut judged = JudgeResult { level: WriteProtection::of(judge), ..JudgeResult::without_process(Outcome::Accept) };
    let mut earlier: Option<String> = None;
    loop {
        run(judge, case, setting, earlier.as_deref(), &mut judged)?;
        match &judged.outcome {
            Outcome::Inconclusive { why, retry: true } if judged.runs < RUNS => {
                setting.watch.note(&format!("judge {judge}: {why}; asking once more"));
                earlier = Some(why.clone());
            }
            _ => return Ok(judged),
        }
    }
}

/// Combines the outcomes of several judges: any reject rejects, or else any inconclusive is inconclusive (`SIGNOFF.md` §5).
pub fn combine(judged: &[JudgeResult]) -> Outcome {
    let mut missing = Vec::new();
    let mut open = Vec::new();
    for one in judged {
        match &one.outcome {
            Outcome::Accept => {}
            Outcome::Reject { missing: more } => missing.extend(more.iter().cloned()),
            Outcome::Inconclusive { why, .. } => open.push(why.clone()),
        }
    }
    match (missing.is_empty(), open.is_empty() && !judged.is_empty()) {
        (false, _) => Outcome::Reject { missing },
        (true, true) => Outcome::Accept,
        (true, false) if open.is_empty() => {
            Outcome::Inconclusive { why: "no judge was asked".to_owned(), retry: false }
        }
        (true, false) => Outcome::Inconclusive { why: open.join("; "), retry: false },
    }
}

/// Returns the output of `--dry-run`: the prompt with the nonce and the probe's path left open, and the argv.
///
/// # Errors
/// As [`ask`].
pub fn preview(judge: &Reference, case: &Case, setting: &Setting<'_>) -> Result<(String, Vec<OsString>)> {
    let case = Case { verify: None, ..case.clone() };
    let run = prompt::Run { nonce: "NONCE", probe: Path::new("SCRATCH/probe"), root: setting.root, earlier: None };
    let prompt = prompt::fill(setting.prompt, &case, &run)?;
    Ok((prompt, session::call(judge, setting, Path::new("SCRATCH"), session::VERDICT)?.argv))
}

/// Returns the text of the prompt before it is filled, for its digest: the user's own, or else the built-in one.
pub fn template(own: Option<&str>) -> &str {
    own.unwrap_or(Prompt::EvidenceJudge.text())
}

/// Runs the judge once and stores the result in `judged`.
fn run(
    judge: &Reference,
    case: &Case,
    setting: &Setting<'_>,
    earlier: Option<&str>,
    judged: &mut JudgeResult,
) -> Result<()> {
    let scratch = Scratch::new(setting.top)?;
    let run = prompt::Run { nonce: &scratch.nonce, probe: &scratch.probe, root: setting.root, earlier };
    let prompt = prompt::fill(setting.prompt, case, &run)?;
    let heard = session::run(judge, judged.level, setting, &scratch.path, session::VERDICT, prompt)?;
    let (nonce, token) = scratch.end()?;
    judged.runs += 1;
    judged.seconds += heard.seconds;
    judged.started = heard.started;
    judged.model = heard.model.or(judged.model.take());
    judged.program = heard.program.or(judged.program.take());
    let said = heard.said.and_then(|(bytes, form)| {
        let read = verdict::parse(&bytes, form, &nonce, case.asked());
        // The author of a judge without a usable answer looks for its standard error.
        let last = if heard.last.is_empty() { "" } else { "; its standard error ends with" };
        read.map_err(|why| session::Silence { why: format!("{why}{last}{}", heard.last), retry: true })
    });
    (judged.outcome, judged.answer) = match said {
        Err(session::Silence { why, retry }) => (Outcome::Inconclusive { why, retry }, None),
        Ok(answer) => {
            let checked = look_up(&answer, case, setting)?;
            (verdict::outcome(&answer, case.asked(), &token, &checked), Some(answer))
        }
    };
    Ok(())
}

fn look_up(answer: &JudgeAnswer, case: &Case, setting: &Setting<'_>) -> Result<Vec<CitationCheck>> {
    let disk = Disk::new(setting.top, setting.root, setting.plan_file, setting.files)
        .map_err(|why| Error::new(Kind::Unknown, format!("citations cannot be looked up: {why}")))?;
    let checks = case.checks();
    let shown = case.verify.as_ref().map(|verify| verify.shown());
    // The search may take as long as a judge may, and no longer: an answer may ask for every file of a large tree.
    let disk = disk.showing(shown.as_ref().map(|(first, text)| (*first, text.as_str())), &checks).within(setting.limit);
    Ok(check_all(answer, case, &disk))
}
