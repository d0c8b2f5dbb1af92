//! `plan complete`: checks a goal and signs it off. No other command signs a goal off.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::json;

use super::{Context, Exit};
use crate::config::{self, Config};
use crate::contract::person;
use crate::error::Result;
use crate::gate::Depth;
use crate::plan::rules::{self, GoalMove, PlanRequest, PlanState};
use crate::process::detach;
use crate::prompt::Prompt;
use crate::session::events;
use crate::shell::quote;
use crate::signoff::check::{self, CheckReport, CheckRequest, Outcome};
use crate::signoff::human::{self, Terminal};
use crate::signoff::judge::case::Case;
use crate::signoff::judge::{self, Reference};
use crate::signoff::report_text;
use crate::signoff::verdict::Outcome as Verdict;
use crate::store::{self, Place};
use crate::ui;
use crate::verify::running::{self, ClaimOutcome, StoredResult};

/// Sign a goal off: its verify must pass, the gate must not block, and a judge must agree
///
/// Exit 0: accepted, the goal is done. Exit 1: rejected; the report says what is missing, and the goal stays as it was. Exit 3:
/// undecided (no judge, time-out, no verdict).
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Example:\n  plan complete cache-layer-1 --evidence \"p95 is 47 ms\" --path bench/p95.log\n  \
                  plan complete cache-layer-1 --gate full")]
pub struct Args {
    /// The goal: its id, its number in `plan list`, or the beginning of its id or subject.
    id: String,
    /// What you claim, in one line. It is shown to the judge as a claim.
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    evidence: Option<String>,
    /// A file that supports the claim; repeatable.
    #[arg(long = "path", value_name = "P")]
    paths: Vec<PathBuf>,
    /// A judge: claude, codex, pi, gemini, opencode, qwen, checks, human or cmd:PROGRAM; repeatable, and all must accept. The log
    /// marks a judge that is not your own setting.
    #[arg(long = "judge", value_name = "REF")]
    judges: Vec<String>,
    /// The depth of the gate: `fast` runs no program; `auto` runs verify again, in clean copies of the files, for at most 60 s;
    /// `full` does so for at most 600 s. By default `auto`, in contract mode `full`.
    #[arg(long, value_name = "GATE", value_parser = Depth::WORDS)]
    gate: Option<String>,
    /// Run verify N times; all must be green.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeat: u32,
    /// A shorter limit for verify and for each run of a judge, in seconds.
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(1..))]
    timeout: Option<u64>,
    /// Start the check in the background and return at once; `--wait` reports the result.
    #[arg(long, conflicts_with_all = ["wait", "dry_run"])]
    detach: bool,
    /// Wait for a running check, or report the result of the last one; wait at most S seconds.
    #[arg(long, value_name = "S", num_args = 0..=1)]
    #[expect(clippy::option_option, reason = "clap's shape for an option whose value may be left out")]
    wait: Option<Option<u64>>,
    /// Print the judge's prompt and argv, and run nothing.
    #[arg(long)]
    dry_run: bool,
}

impl Args {
    /// Returns the command line that asks for the same sign-off again, without a time limit that was too short.
    fn again(&self, report: &CheckReport) -> String {
        let mut line = format!("plan complete {}", quote(&report.goal));
        let mut add = |flag: &str, value: &str| line += &format!(" {flag} {}", quote(value));
        self.evidence.iter().for_each(|claim| add("--evidence", claim));
        self.paths.iter().for_each(|path| add("--path", &path.to_string_lossy()));
        self.judges.iter().for_each(|judge| add("--judge", judge));
        if self.repeat > 1 {
            add("--repeat", &self.repeat.to_string());
        }
        if let Some(limit) = self.timeout.filter(|_| !report.may_have_timed_out()) {
            add("--timeout", &limit.to_string());
        }
        self.gate.iter().for_each(|gate| add("--gate", gate));
        line
    }
}

/// Runs the check in the background process that `--detach` started.
pub fn run_detached(context: &Context, args: &Args) -> Result<Exit> {
    detach::settle();
    run(context, &Args { detach: false, ..args.clone() })
}

/// Runs, joins, starts or awaits the check.
pub fn run(context: &Context, args: &Args) -> Result<Exit> {
    let place = if args.dry_run { context.place()? } else { context.writable()? };
    if args.dry_run {
        return dry_run(context, args, &place);
    }
    let request = PlanRequest::Goal { to: GoalMove::Complete, goal: &args.id, because: None };
    let id = context.give_id(&place, &args.id, args.wait.is_none().then_some(request))?;
    if let Some(limit) = args.wait {
        return report(context, &running::wait(&place, &id, limit.map(Duration::from_secs))?);
    }
    match running::claim(&place, &id)? {
        ClaimOutcome::Running(pid) => join(context, &place, &id, pid, args.detach),
        ClaimOutcome::Granted(claim) if args.detach => {
            judges(context, args, &place)?;
            context.note_ignored(&place);
            // The background process takes the claim itself.
            drop(claim);
            // The option goes in front of all words, because any of them may be the text of a claim.
            let mut child = detach::start("--detached", std::env::args_os().skip(1))?;
            running::await_claim(&place, &id, &mut child)?;
            let pid = child.id();
            context.ui.line(&format!("checking {id} in the background (process {pid})"));
            context.ui.line(&format!("`plan complete {id} --wait` reports the result"));
            context.ui.json(&json!({ "goal": id, "detached": true, "process": pid }));
            Ok(Exit::Yes)
        }
        ClaimOutcome::Granted(claim) => {
            let result = check(context, args, &place, &id);
            if let Ok(report) = &result {
                let what = json!({ "goal": id, "outcome": report.outcome, "judges": args.judges });
                events::append(&place, "signoff", &what);
            }
            let stored = stored(context, &result, args);
            claim.leave(&stored);
            match result {
                Ok(done) => {
                    let exit = report(context, &stored)?;
                    if done.outcome == Outcome::Accepted {
                        go_on(context, &place)?;
                    }
                    Ok(exit)
                }
                Err(error) => Err(error),
            }
        }
    }
}

fn join(context: &Context, place: &Place, id: &str, pid: u32, detach: bool) -> Result<Exit> {
    if running::is_inside(pid) {
        return Err(running::inside_itself(id));
    }
    if detach {
        context.ui.line(&format!("{id} is being checked already (process {pid})"));
        context.ui.json(&json!({ "goal": id, "detached": true, "process": pid }));
        return Ok(Exit::Yes);
    }
    context.ui.note(&format!("{id} is being checked already (process {pid}); waiting for its result"));
    report(context, &running::wait(place, id, None)?)
}

/// Returns how much of the gate runs, in a sign-off or its rehearsal, for the word of `--gate`.
pub(super) fn depth(gate: Option<&str>, place: &Place) -> Result<Depth> {
    if let Some(word) = gate {
        return Ok(Depth::from_word(word).unwrap_or_default());
    }
    let source = store::read(place)?;
    let is_held = rules::state(&place.parse(&source)?) != PlanState::Guide;
    Ok(if is_held { Depth::Full } else { Depth::default() })
}

/// Activates the next step after a sign-off, if it only waited for the sign-off (`CONTRACT.md` §3.1).
fn go_on(context: &Context, place: &Place) -> Result<()> {
    let source = store::read(place)?;
    if rules::next_activation(&place.parse(&source)?).is_none() {
        return Ok(());
    }
    let written = context.change_as(place, PlanRequest::Person { activates: true }, |_| Ok(Vec::new()))?;
    if let Some(next) = written.activated {
        context.ui.line(&format!("→ Step {}: {}", next.step, next.text));
    }
    Ok(())
}

fn check(context: &Context, args: &Args, place: &Place, id: &str) -> Result<CheckReport> {
    with_ask(context, args, place, id, |ask| ask_nobody_else(ask.judges).and_then(|()| check::check(ask)))
}

/// Returns the judges of this call: from its options, the settings or the session.
fn chosen(args: &Args, config: &Config, place: &Place) -> Result<Vec<Reference>> {
    judge::choose(&args.judges, &config.judge.list(), &|name| std::env::var_os(name), Some(place))
}

/// Refuses at the start what could only fail at the end: a judge that is not installed, or a person who cannot be asked.
fn judges(context: &Context, args: &Args, place: &Place) -> Result<()> {
    let judges = chosen(args, &config::load()?, place)?;
    judge::ready(&judges, &context.cwd)?;
    ask_nobody_else(&judges)
}

/// Refuses the judge `human` unless a person at this terminal can be asked.
fn ask_nobody_else(judges: &[Reference]) -> Result<()> {
    match judges.contains(&Reference::Human) {
        true => person::require().and_then(|()| human::require_terminal(ui::is_terminal())),
        false => Ok(()),
    }
}

/// Builds the request of a check and passes it to `run`.
fn with_ask<T>(
    context: &Context,
    args: &Args,
    place: &Place,
    id: &str,
    run: impl FnOnce(&CheckRequest<'_>) -> Result<T>,
) -> Result<T> {
    let config = config::load()?;
    let judges = chosen(args, &config, place)?;
    let paths: Vec<PathBuf> = args.paths.iter().map(|path| context.cwd.join(path)).collect();
    let prompt = config::prompt_override(Prompt::EvidenceJudge.file_name())?;
    run(&CheckRequest {
        place,
        caller: &context.cwd,
        config: &config,
        id,
        claim: args.evidence.as_deref(),
        paths: &paths,
        judges: &judges,
        depth: depth(args.gate.as_deref(), place)?,
        repeat: args.repeat,
        timeout: args.timeout.map(Duration::from_secs),
        prompt: prompt.as_deref(),
        person: &|case| {
            context.ui.flush();
            ask_person(case, context.ui.screen().columns)
        },
        watch: &context.ui,
    })
}

fn ask_person(case: &Case, columns: Option<usize>) -> Result<Verdict> {
    let (mut answers, mut screen) = ui::conversation();
    let is_terminal = ui::is_terminal();
    human::ask(case, &mut Terminal { answers: &mut answers, screen: &mut screen, is_terminal, columns })
}

fn dry_run(context: &Context, args: &Args, place: &Place) -> Result<Exit> {
    let dry = with_ask(context, args, place, &context.goal_name(place, &args.id)?, check::dry_run)?;
    for judge in &dry {
        context.ui.line(&format!("judge {}: {}", judge.judge, judge.argv.join(" ")));
        context.ui.line(&judge.prompt);
    }
    context.ui.json(&json!({ "judges": dry }));
    Ok(Exit::Yes)
}

/// Returns the result for calls that wait: exactly what this run prints.
fn stored(context: &Context, result: &Result<CheckReport>, args: &Args) -> StoredResult {
    match result {
        Ok(report) => StoredResult {
            code: match report.outcome {
                Outcome::Accepted => 0,
                Outcome::Rejected => 1,
                Outcome::Inconclusive => 3,
            },
            text: context.rows_in_place(report_text::complete(report, &args.again(report))),
            report: serde_json::to_value(report).unwrap_or_default(),
        },
        Err(error) => StoredResult {
            code: error.kind.code(),
            text: report_text::failure(error),
            report: json!({ "error": error }),
        },
    }
}

fn report(context: &Context, stored: &StoredResult) -> Result<Exit> {
    context.ui.rows(&stored.text);
    context.ui.json(&stored.report);
    Ok(Exit::Code(stored.code))
}
