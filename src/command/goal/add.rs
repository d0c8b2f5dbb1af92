//! `plan goal add`.

use std::io::Read;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde_json::json;

use crate::command::{Context, Exit};
use crate::config;
use crate::contract::person;
use crate::error::{Error, Kind, Result};
use crate::plan::change::{self, Change, NewGoal};
use crate::plan::log::GoalEvent;
use crate::plan::model::{GoalKind, Key, Plan};
use crate::plan::rules::{self, PlanRequest, PlanState};
use crate::plan::{contract, parse, text};
use crate::signoff::advice;

/// Add a goal
///
/// The goal goes in before the log, or at the end, and its id is printed.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan goal add \"Implement cache layer\" --done-when \"p95 < 50ms\" \\\n    \
    --verify \"python bench/p95.py --max-ms 50\" \\\n    \
    --failure-mode \"the cache is never used (check: python bench/hits.py)\" --start")]
pub(super) struct Args {
    /// The aim in one line; `-` reads a whole goal block from stdin.
    subject: String,
    /// The id; by default made from the subject.
    #[arg(long)]
    id: Option<String>,
    /// A criterion that must be true; repeatable.
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    done_when: Vec<String>,
    /// The command that checks it, run without a shell.
    #[arg(long, value_name = "CMD")]
    verify: Option<String>,
    /// A way the work could look right and still be wrong; repeatable. It may end in `(check: COMMAND)`: a command that exits 0 if the
    /// work is right in this way.
    #[arg(long = "failure-mode", value_name = "T", allow_hyphen_values = true)]
    failure_modes: Vec<String>,
    /// A step; repeatable.
    #[arg(long = "step", value_name = "T", allow_hyphen_values = true)]
    steps: Vec<String>,
    /// A goal that must be done first; repeatable.
    #[arg(long, value_name = "ID")]
    needs: Vec<String>,
    /// 1 (core) to 4 (optional).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=4))]
    priority: Option<u8>,
    /// feature, bugfix, refactor, docs, test or chore. For the kinds refactor, test and chore, verify may be green before the work.
    #[arg(long, value_name = "K", value_parser = kind(), hide_possible_values = true)]
    kind: Option<GoalKind>,
    /// Tests or settings that the goal is meant to change; repeatable.
    #[arg(long, value_name = "GLOB")]
    may_change: Vec<String>,
    /// Put it in front of this goal; by default behind all others.
    #[arg(long, value_name = "ID")]
    before: Option<String>,
    /// Start it at once.
    #[arg(long)]
    start: bool,
    /// The reason for the change, which then waits for approval. Only in contract mode.
    #[arg(long, value_name = "WHY", allow_hyphen_values = true)]
    because: Option<String>,
}

/// The words of commit messages, each with the kind that it means: agents type them.
const COMMIT_WORDS: [(&str, GoalKind); 12] = [
    ("feat", GoalKind::Feature),
    ("perf", GoalKind::Feature),
    ("fix", GoalKind::Bugfix),
    ("bug", GoalKind::Bugfix),
    ("hotfix", GoalKind::Bugfix),
    ("doc", GoalKind::Docs),
    ("refactoring", GoalKind::Refactor),
    ("tests", GoalKind::Test),
    ("ci", GoalKind::Chore),
    ("build", GoalKind::Chore),
    ("style", GoalKind::Chore),
    ("deps", GoalKind::Chore),
];

/// Parses `--kind`.
pub(super) fn kind() -> impl TypedValueParser<Value = GoalKind> {
    let own = GoalKind::ALL.map(|kind| PossibleValue::new(kind.word()));
    let other = COMMIT_WORDS.map(|(word, _)| PossibleValue::new(word).hide(true));
    PossibleValuesParser::new(own.into_iter().chain(other)).map(|word| {
        let other = || COMMIT_WORDS.into_iter().find(|(other, _)| *other == word).map(|(_, kind)| kind);
        GoalKind::from_word(&word).or_else(other).unwrap_or_default()
    })
}

pub(super) fn run(context: &Context, args: &Args) -> Result<Exit> {
    let place = context.writable()?;
    // An empty line too: a caller who asks for a verify must not end up without one.
    args.verify.as_deref().map_or(Ok(()), advice::refuse_unfit)?;
    super::refuse_split_globs(&args.may_change)?;
    let mut new = if args.subject == "-" { from_stdin(args)? } else { Change::AddGoal(from_args(args)) };
    let stamp = config::stamp()?;
    let mut new_goal = Added::default();
    let (because, again) = (text::reason(args.because.as_deref())?, context.with_reason());
    let request = PlanRequest::Shape { because: because.as_deref(), again: again.as_deref() };
    let written = context.change_as(&place, request, |plan| {
        if args.start && rules::state(plan) != PlanState::Guide {
            return Err(Error::new(
                Kind::Refused,
                "refused: in contract mode a goal begins with its first step, once the plan is approved",
            )
            .hint("leave `--start` out"));
        }
        if let Change::AddGoal(goal) = &mut new {
            goal.needs = super::ids_of(plan, &args.needs)?;
        }
        let new = placed(plan, new.clone(), args.before.as_deref())?;
        new_goal = added(plan, &new)?;
        let text = GoalEvent::Added { contract: &new_goal.contract }.of(&new_goal.name).to_string();
        Ok(vec![new, Change::AppendLog { stamp: stamp.clone(), text }])
    })?;
    let Added { name, contract, .. } = &new_goal;
    context.ui.line(name);
    args.steps.iter().zip(1..).for_each(|(step, at)| context.note_plain_options(&format!("{name}.{at}"), step));
    if args.start {
        let started = super::start::start(context, &place, name, true)?;
        context.ui.json(&json!({ "id": name, "contract": contract, "started": started }));
    } else {
        context.ui.json(&json!({ "id": name, "contract": contract }));
        if !context.ui.is_json() {
            context.ui.note(&next(context, &new_goal, written.state));
        }
    }
    Ok(Exit::Yes)
}

/// Places the goal in front of the goal that `--before` names.
fn placed(plan: &Plan<'_>, new: Change, before: Option<&str>) -> Result<Change> {
    match (before, new) {
        (None, new) => Ok(new),
        (Some(before), Change::AddGoal(new)) => {
            let before = plan
                .find_goal(before)
                .map_err(|error| Error { message: format!("`--before`: {}", error.message), ..error })?;
            Ok(Change::AddGoalBefore { before: before.index(), new })
        }
        (Some(_), _) => Err(Error::input("`--before` needs a goal from options, and `-` reads one from stdin")
            .hint("leave `--before` out, and move the goal with an editor")),
    }
}

fn from_args(args: &Args) -> NewGoal {
    NewGoal {
        subject: args.subject.clone(),
        id: args.id.clone(),
        done_when: args.done_when.clone(),
        verify: args.verify.clone(),
        failure_modes: args.failure_modes.clone(),
        priority: args.priority,
        kind: args.kind,
        may_change: args.may_change.clone(),
        steps: args.steps.iter().map(Into::into).collect(),
        ..NewGoal::default()
    }
}

/// The maximum size of a goal from stdin, in bytes.
const LONGEST: u64 = 1 << 20;

/// Reads a goal block as it would be in plan.md. Options are refused, because they would be a second way to say the same.
fn from_stdin(args: &Args) -> Result<Change> {
    let lists = [&args.done_when, &args.failure_modes, &args.steps, &args.needs, &args.may_change];
    let given = lists.iter().any(|list| !list.is_empty())
        || args.verify.is_some()
        || args.id.is_some()
        || args.priority.is_some()
        || args.kind.is_some();
    if given {
        return Err(Error::input("`-` reads the whole goal from stdin")
            .hint("write the fields there, and leave the options out"));
    }
    let mut text = String::new();
    std::io::stdin()
        .take(LONGEST + 1)
        .read_to_string(&mut text)
        .map_err(|error| Error::input(format!("cannot read a goal from stdin: {error}")))?;
    if text.len() as u64 > LONGEST {
        return Err(Error::input(format!("expected a goal of at most {LONGEST} bytes (1 MiB), found more"))
            .hint("put a longer text into a file that the goal names"));
    }
    Ok(Change::AddGoalBlock { text })
}

/// Returns the next action after a goal was added: fill in what it lacks for a sign-off, else start it. In contract
/// mode: add its first step, then get a person's approval, for which an agent asks.
fn next(context: &Context, added: &Added, state: PlanState) -> String {
    let name = &added.name;
    let typed = |command: &str| context.typed(command);
    match advice::completing(name, &added.lacking) {
        _ if state != PlanState::Guide && !added.has_steps => {
            format!("needed before an approval: {}", typed(&format!("plan step add {name} \"task\"")))
        }
        Some(command) => super::needed(&typed(&command), &added.lacking),
        None if state == PlanState::Guide => format!("next: {}", typed(&format!("plan goal start {name}"))),
        None if person::is_persons() => format!("next: {}", typed("plan approve")),
        None => format!("next: {}   (a person approves)", typed("plan review")),
    }
}

/// A goal that is about to be written.
#[derive(Default)]
struct Added {
    name: String,
    contract: String,
    /// The fields that the goal lacks for a sign-off.
    lacking: Vec<Key>,
    has_steps: bool,
}

/// Reads the goal from the very lines that will be in the file.
fn added(plan: &Plan<'_>, new: &Change) -> Result<Added> {
    let text: Vec<u8> =
        change::edits(plan, std::slice::from_ref(new))?.into_iter().flat_map(|edit| edit.text).collect();
    let block = parse::parse(&text)?;
    let goal = block.goal(0).ok_or_else(|| Error::input("expected a goal, found none"))?;
    if let Some(verify) = goal.verify() {
        advice::refuse_unfit(&verify)?;
    }
    advice::refuse_unfit_checks(goal)?;
    if goal.status().is_finished() {
        return Err(Error::input(format!("a new goal is open or active, found `status: {}`", goal.status().word()))
            .hint("`plan complete` signs a goal off, `plan goal cancel` gives it up"));
    }
    Ok(Added {
        name: goal.name().to_owned(),
        contract: contract::goal_contract(goal).digest.short(),
        lacking: advice::lacking(goal),
        has_steps: !goal.steps().is_empty(),
    })
}
