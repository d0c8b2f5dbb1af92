//! `plan judge test`: tries a judge on small cases with known answers, and on a false completion that goes through all stages.

mod cases;

use std::path::PathBuf;

use serde::Serialize;
use serde_json::json;

use self::cases::{CASES, Expected, Folder, Trial};
use crate::command::{Context, Exit};
use crate::config;
use crate::error::{Error, Kind, Result};
use crate::plan::{Plan, parse};
use crate::prompt::Prompt;
use crate::signoff::judge::case::Case;
use crate::signoff::judge::{self, Reference, Setting};
use crate::signoff::selftest::{self, End};
use crate::verify::stage1::TimeLimits;
use crate::verify::watch::NoProgress;

/// The result of a case.
#[derive(Debug, Serialize)]
struct TrialResult {
    case: &'static str,
    expected: &'static str,
    /// Equal to `expected` if the judge was right; `inconclusive` if there was no verdict.
    outcome: &'static str,
    why: Vec<String>,
    seconds: f64,
}

impl TrialResult {
    fn print(self, context: &Context) -> Self {
        let right = self.outcome == self.expected;
        let sign = if right { "✓" } else { "✗" };
        context.ui.line(&format!("{sign} {}: {}, {:.1} s", self.case, self.outcome, self.seconds));
        if !right {
            context.ui.line(&format!("    expected {}", self.expected));
            self.why.iter().for_each(|why| context.ui.line(&format!("    {why}")));
        }
        self
    }
}

pub(super) fn run(context: &Context, reference: Option<&str>) -> Result<Exit> {
    context.refuse_inside_judge()?;
    let config = config::load()?;
    let named: Vec<String> = reference.map(str::to_owned).into_iter().collect();
    let judges = judge::choose(&named, &config.judge.list(), &|name| std::env::var_os(name), None)?;
    judge::ready(&judges, &context.cwd)?;
    let mut all = Vec::new();
    for reference in &judges {
        match reference {
            Reference::Human => {
                context.ui.line("human: nothing to try, it is not a program");
                continue;
            }
            Reference::Checks => context.ui.line("checks"),
            _ => {
                context.ui.line(&format!("{reference} (sandbox {})", judge::WriteProtection::of(reference).describe()));
                for trial in &CASES {
                    all.push(attempt(context, &config, reference, trial)?.print(context));
                }
            }
        }
        all.push(whole_way(context, &config, reference)?.print(context));
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

/// Tries one case in its own folder.
fn attempt(context: &Context, config: &config::Config, reference: &Reference, trial: &Trial) -> Result<TrialResult> {
    let folder = Folder::with(trial)?;
    let plan = parse(trial.plan.as_bytes())?;
    let prompt = config::prompt_override(Prompt::EvidenceJudge.file_name())?;
    let files: Vec<PathBuf> = trial.files.iter().map(|(name, _)| PathBuf::from(name)).collect();
    let setting = Setting {
        root: folder.root(),
        top: folder.root(),
        plan_file: &folder.root().join("plan.md"),
        caller: &context.cwd,
        files: &files,
        limit: TimeLimits::of(Some(&plan), config, None).judge,
        prompt: prompt.as_deref(),
        launcher: None,
        watch: &context.ui,
    };
    let judged = judge::ask(reference, &case(&plan, trial)?, &setting)?;
    if !judged.started {
        // The other cases would fail in the same way.
        let why = judged.outcome.reasons().join("; ");
        return Err(Error::new(Kind::Unknown, format!("judge {reference}: {why}"))
            .hint("`plan judge list` shows which judges are installed"));
    }
    let (mut outcome, mut why) = (judged.outcome.word(), judged.outcome.reasons());
    let changed = folder.changed();
    if !changed.is_empty() {
        (outcome, why) = ("wrote", vec![format!("it changed {}", changed.join(", "))]);
    } else if trial.expected == Expected::NothingWritten && outcome != "inconclusive" {
        outcome = Expected::NothingWritten.word();
    }
    Ok(TrialResult { case: trial.name, expected: trial.expected.word(), outcome, why, seconds: judged.seconds })
}

fn case(plan: &Plan<'_>, trial: &Trial) -> Result<Case> {
    let goal = plan.goal(0).ok_or_else(|| Error::input(format!("case `{}` has no goal", trial.name)))?;
    let mut case = Case::of(goal);
    case.claims = vec!["done, all of it".to_owned()];
    case.paths = trial.files.iter().map(|(name, _)| (*name).to_owned()).collect();
    Ok(case)
}

/// Tries the planted false completion: verify, gate, judge, as in `plan complete`.
fn whole_way(context: &Context, config: &config::Config, reference: &Reference) -> Result<TrialResult> {
    let start = std::time::Instant::now();
    let planted = selftest::try_out(std::slice::from_ref(reference), &context.cwd, config, &NoProgress)?;
    let has = |end: End| planted.iter().any(|completion| completion.end == end);
    Ok(TrialResult {
        case: "a false completion, through verify, gate and judge",
        expected: "refused",
        outcome: match (has(End::Accepted), has(End::Untold)) {
            (true, _) => "accepted",
            (false, true) => "inconclusive",
            (false, false) => "refused",
        },
        why: planted
            .iter()
            .filter(|completion| completion.end != End::Refused)
            .map(|completion| format!("{}: {}", completion.case, completion.why))
            .collect(),
        seconds: start.elapsed().as_secs_f64(),
    })
}
