//! `plan judge test`: a judge on three small cases whose answers are known.

use std::path::Path;

use serde::Serialize;
use serde_json::json;

use crate::command::{Context, Exit};
use crate::config;
use crate::error::{Error, Kind, Result};
use crate::plan::{Plan, parse};
use crate::prompt::Prompt;
use crate::signoff::judge::case::Case;
use crate::signoff::judge::{self, Reference, Setting};
use crate::signoff::stage1::Limits;

/// A case: what is in the plan, and whether it must be accepted.
struct Trial {
    name: &'static str,
    plan: &'static str,
    accept: bool,
}

const FILE: (&str, &str) = ("greeting.txt", "Hello, Ada\nGoodbye, Ada\n");

const TRIALS: [Trial; 3] = [
    Trial {
        name: "true: the file says so",
        plan: "## Goal: Greet Ada\ndone_when: `greeting.txt` holds \"Hello, Ada\"\n\
               failure_modes:\n- the farewell was lost: `greeting.txt` still holds \"Goodbye, Ada\"\n",
        accept: true,
    },
    Trial {
        name: "false: the file says something else",
        plan: "## Goal: Greet Grace\ndone_when: `greeting.txt` holds \"Hello, Grace\"\n\
               failure_modes:\n- the farewell was lost: `greeting.txt` still holds \"Goodbye, Ada\"\n",
        accept: false,
    },
    Trial {
        name: "no artifact: the file that is to show it is not there",
        plan: "## Goal: Measure\ndone_when: `report.txt` holds \"p95 47 ms\"\n\
               failure_modes:\n- measured on an idle machine: `report.txt` holds \"load 8\"\n",
        accept: false,
    },
];

/// How a case went.
#[derive(Debug, Serialize)]
struct Tried {
    case: &'static str,
    expected: &'static str,
    outcome: &'static str,
    why: Vec<String>,
    seconds: f64,
}

pub(super) fn run(context: &Context, reference: Option<&str>) -> Result<Exit> {
    context.refuse_inside_judge()?;
    let config = config::load()?;
    let named: Vec<String> = reference.map(str::to_owned).into_iter().collect();
    let judges = judge::choose(&named, &config.judge.list(), &|name| std::env::var_os(name))?;
    let folder = folder()?;
    let mut all = Vec::new();
    for reference in &judges {
        if matches!(reference, Reference::Checks | Reference::Human) {
            context.ui.line(&format!("{reference}: nothing to try, it is no program"));
            continue;
        }
        context.ui.line(&format!("{reference} (sandbox {})", judge::Level::of(reference).told()));
        for trial in &TRIALS {
            all.push(attempt(context, &config, reference, trial, &folder)?);
        }
    }
    context.ui.json(&json!({ "judges": judges.iter().map(ToString::to_string).collect::<Vec<_>>(), "cases": all }));
    let wrong = all.iter().any(|tried| tried.outcome != tried.expected && tried.outcome != "inconclusive");
    let open = all.iter().any(|tried| tried.outcome == "inconclusive");
    Ok(if wrong {
        Exit::No
    } else if open {
        Exit::Unknown
    } else {
        Exit::Yes
    })
}

/// A folder with the one file that the cases are about.
fn folder() -> Result<tempfile::TempDir> {
    let made = tempfile::Builder::new().prefix("plan-judge-test-").tempdir();
    let written = made.and_then(|folder| {
        std::fs::write(folder.path().join(FILE.0), FILE.1)?;
        Ok(folder)
    });
    written.map_err(|error| Error::new(Kind::Unknown, format!("cannot make a folder for the cases: {error}")))
}

fn attempt(
    context: &Context,
    config: &config::Config,
    reference: &Reference,
    trial: &Trial,
    folder: &tempfile::TempDir,
) -> Result<Tried> {
    let plan = parse(trial.plan.as_bytes())?;
    let case = case(&plan, trial)?;
    let root = folder.path().canonicalize().unwrap_or_else(|_| folder.path().to_owned());
    let prompt = config::prompt_override(Prompt::EvidenceJudge.file_name())?;
    let setting = Setting {
        root: &root,
        top: &root,
        plan_file: &root.join("plan.md"),
        caller: &context.cwd,
        files: &[Path::new(FILE.0).to_owned()],
        limit: Limits::of(&plan, config, None).judge,
        prompt: prompt.as_deref(),
        launcher: None,
        watch: &context.ui,
    };
    let judged = judge::ask(reference, &case, &setting)?;
    let (outcome, why) = (judged.outcome.word(), judged.outcome.reasons());
    let expected = if trial.accept { "accept" } else { "reject" };
    let sign = if outcome == expected { "✓" } else { "✗" };
    context.ui.line(&format!("{sign} {}: {outcome}, {:.1} s", trial.name, judged.seconds));
    if outcome != expected {
        context.ui.line(&format!("    expected {expected}"));
        why.iter().for_each(|why| context.ui.line(&format!("    {why}")));
    }
    Ok(Tried { case: trial.name, expected, outcome, why, seconds: judged.seconds })
}

fn case(plan: &Plan<'_>, trial: &Trial) -> Result<Case> {
    let goal = plan.goal(0).ok_or_else(|| Error::input(format!("case `{}` has no goal", trial.name)))?;
    let mut case = Case::of(goal);
    case.claims = vec!["done, all of it".to_owned()];
    Ok(case)
}
