//! Tests whether sign-off refuses unfinished work, here and now. False completions are planted in a repository made for that,
//! and go the whole way: verify, gate, judges, with real processes (`CLI.md`, doctor).

use std::path::Path;

use serde::Serialize;

use super::check::{self, CheckReport, CheckRequest, Outcome};
use super::judge::Reference;
use super::judge::case::Case;
use super::verdict;
use crate::config::Config;
use crate::disk::Temporary;
use crate::error::{Error, Kind, Result};
use crate::process::outside::outside;
use crate::repo::Repo;
use crate::store;
use crate::verify::stage1::Ended;
use crate::verify::watch::Watch;

/// A false completion, and its result.
#[derive(Clone, Debug, Serialize)]
pub struct FalseCompletion {
    /// The way in which it is false.
    pub case: &'static str,
    /// The result of its sign-off.
    pub end: End,
    /// The reason, in one line.
    pub why: String,
}

/// The result of a false completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// Refused, as it has to be.
    Refused,
    /// Signed off: no sign-off can be believed here.
    Accepted,
    /// Unknown: no judge, no verdict, or a verify that does not run here.
    Untold,
}

struct Planted {
    case: &'static str,
    id: &'static str,
    /// How verify ends. If it is green, only a judge can refuse the goal.
    verify: Ended,
}

const PLANTED: [Planted; 2] = [
    Planted { case: "verify is red and `done` is claimed", id: "shout-1", verify: Ended::Exit { code: 1 } },
    Planted { case: "verify is green and tests something else", id: "gamed-1", verify: Ended::Green },
];

const FILES: [(&str, &str); 4] = [
    (
        "plan.md",
        "# Plan: Greetings\n\n\
         ## Goal: Shout\n<!-- id: shout-1 -->\nstatus: active\ndone_when: `greet.sh` holds \"--loud\"\nverify: sh test-loud.sh\n\
         failure_modes:\n- the option is named and does nothing: `greet.sh` still holds \"tr a-z A-Z\" (check: grep -q tr greet.sh)\n\n\
         ## Goal: Shout, they say\n<!-- id: gamed-1 -->\nstatus: active\ndone_when: `greet.sh` holds \"--loud\"\nverify: sh test.sh\n\
         failure_modes:\n- the option is named and does nothing: `greet.sh` still holds \"tr a-z A-Z\"\n\n\
         ## Log\n",
    ),
    ("greet.sh", "echo \"Hello, $1\"\n"),
    ("test-loud.sh", "[ \"$(sh greet.sh --loud Ada)\" = \"HELLO, ADA\" ]\n"),
    ("test.sh", "[ \"$(sh greet.sh Ada)\" = \"Hello, Ada\" ] && echo 1 passed\n"),
];

/// Plants a false completion that verify sees and one that only a judge can see, and returns how sign-off treats each.
///
/// `judges` are asked about the second one, each for a real verdict; if empty, `checks` is asked, which costs nothing. `caller`
/// is the folder at which the relative path of a judge's program starts. Nothing outside a temporary folder is touched, and of
/// the caller's repository no program is run except a judge's.
///
/// # Errors
/// [`Kind::Unknown`] if the folder or the repository cannot be made; [`Kind::Interrupted`].
pub fn try_out(
    judges: &[Reference],
    caller: &Path,
    config: &Config,
    watch: &dyn Watch,
) -> Result<Vec<FalseCompletion>> {
    outside(store::repository_top(caller).as_deref(), || {
        let folder = Temporary::make("plan-selftest-").map_err(failed)?;
        let top = folder.folder().join("planted");
        plant(&top)?;
        let checks = [Reference::Checks];
        let judges = if judges.is_empty() { &checks } else { judges };
        let place = store::find(&top, Some(Path::new("plan.md")))?;
        let ask = |id| CheckRequest {
            place: &place,
            caller,
            config,
            id,
            claim: Some("done, all tests pass"),
            paths: &[],
            judges,
            repeat: 1,
            depth: crate::gate::Depth::Fast,
            timeout: None,
            prompt: None,
            person: &nobody,
            watch,
        };
        PLANTED.iter().map(|planted| assess(planted, check::check(&ask(planted.id)))).collect()
    })
}

fn assess(planted: &Planted, result: Result<CheckReport>) -> Result<FalseCompletion> {
    let (end, why) = match result {
        Err(error) if error.kind == Kind::Interrupted => return Err(error),
        Err(error) => (End::Untold, error.message),
        Ok(report) => (end(planted, &report), report.reason),
    };
    Ok(FalseCompletion { case: planted.case, end, why })
}

/// Returns the result. A refusal for another reason than the planted one proves nothing.
fn end(planted: &Planted, report: &CheckReport) -> End {
    let verify = report.verify.as_ref().map(|verify| &verify.ended);
    match report.outcome {
        Outcome::Accepted => End::Accepted,
        Outcome::Rejected if verify == Some(&planted.verify) => End::Refused,
        Outcome::Rejected | Outcome::Inconclusive => End::Untold,
    }
}

fn plant(top: &Path) -> Result<()> {
    std::fs::create_dir(top).map_err(failed)?;
    for (name, text) in FILES {
        std::fs::write(top.join(name), text).map_err(failed)?;
    }
    Repo::throwaway(top)
}

/// Stands in for the person of judge `human`, who is asked nothing here.
fn nobody(_: &Case) -> Result<verdict::Outcome> {
    Ok(verdict::Outcome::Inconclusive { why: "nobody is asked in a self-test".to_owned(), retry: false })
}

fn failed(error: std::io::Error) -> Error {
    Error::new(Kind::Unknown, format!("cannot make a folder for the self-test: {error}"))
}
