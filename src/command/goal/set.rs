//! `plan goal set`.

use serde_json::json;

use crate::command::{Context, Exit};
use crate::config;
use crate::error::{Error, Kind, Result};
use crate::plan::change::{self, Change};
use crate::plan::contract::{self, Amendment};
use crate::plan::log::{self, GoalEvent};
use crate::plan::model::{GoalKind, GoalRef, Key, Plan};
use crate::plan::rules;
use crate::plan::{edit, parse};
use crate::signoff::advice;

/// Change a goal's contract
///
/// What the change did (loosened, tightened, reworded) goes into the log with the old and the new digest.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan goal set cache-layer-1 --add-done-when \"eviction is counted\"")]
pub(super) struct Args {
    /// The goal's id, or its subject where that is unique.
    id: String,
    /// A new subject; the id stays.
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    subject: Option<String>,
    /// Replaces the criteria; may be given more than once.
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    done_when: Vec<String>,
    /// Adds a criterion; may be given more than once.
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    add_done_when: Vec<String>,
    /// Replaces the command.
    #[arg(long, value_name = "CMD")]
    verify: Option<String>,
    /// Replaces the failure modes; may be given more than once.
    #[arg(long = "failure-mode", value_name = "T", allow_hyphen_values = true)]
    failure_modes: Vec<String>,
    /// Replaces the goals it waits for; may be given more than once.
    #[arg(long, value_name = "ID")]
    needs: Vec<String>,
    /// 1 (core) to 4 (optional).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=4))]
    priority: Option<u8>,
    /// feature, bugfix, refactor, docs, test or chore.
    #[arg(long, value_name = "K", value_parser = super::add::kind)]
    kind: Option<GoalKind>,
    /// Replaces the globs; may be given more than once.
    #[arg(long, value_name = "GLOB")]
    may_change: Vec<String>,
}

/// What a change of a contract was.
#[derive(Clone, Debug, serde::Serialize)]
struct Amended {
    id: String,
    what: Option<String>,
    old: String,
    new: String,
}

pub(super) fn run(context: &Context, args: &Args) -> Result<Exit> {
    let place = context.writable()?;
    if let Some(verify) = args.verify.as_deref().filter(|verify| !verify.trim().is_empty()) {
        advice::refuse_unfit(verify)?;
    }
    let stamp = config::stamp()?;
    let mut amended = None;
    context.change(&place, |plan| {
        rules::check_mode(plan)?;
        let goal = plan.find_goal(&args.id)?;
        let mut changes = changes(plan, goal, args)?;
        let done = amendment(plan, goal, &changes)?;
        if let Some(what) = &done.what {
            let event = log::Amended { what, old: &done.old, new: &done.new, because: None };
            let text = GoalEvent::Amended(event).of(&done.id).to_string();
            changes.push(Change::AppendLog { stamp: stamp.clone(), text });
        }
        amended = Some(done);
        Ok(changes)
    })?;
    if let Some(amended) = amended {
        match &amended.what {
            Some(what) => context.ui.line(&format!("{} amended: {what}", amended.id)),
            None => context.ui.line(&format!("{} changed; its contract is the same", amended.id)),
        }
        context.ui.json(&json!({ "amended": amended }));
    }
    Ok(Exit::Yes)
}

fn changes(plan: &Plan<'_>, goal: GoalRef<'_, '_>, args: &Args) -> Result<Vec<Change>> {
    if goal.raw().archived {
        return Err(Error::new(
            Kind::Refused,
            format!("`{}` is archived; archived goals are not changed", goal.name()),
        ));
    }
    let at = goal.index();
    let mut changes = Vec::new();
    if goal.id().is_none() {
        changes.push(Change::AddId { goal: at });
    }
    if let Some(subject) = &args.subject {
        changes.push(Change::SetSubject { goal: at, subject: subject.clone() });
    }
    let mut field = |key, values: Vec<String>| changes.push(Change::SetField { goal: at, key, values });
    if !args.done_when.is_empty() {
        field(Key::DoneWhen, [args.done_when.clone(), args.add_done_when.clone()].concat());
    } else if !args.add_done_when.is_empty() {
        let old = goal.criteria().into_iter().map(|text| text.into_owned());
        field(Key::DoneWhen, old.chain(args.add_done_when.iter().cloned()).collect());
    }
    if let Some(verify) = &args.verify {
        field(Key::Verify, vec![verify.clone()]);
    }
    if !args.failure_modes.is_empty() {
        field(Key::FailureModes, args.failure_modes.clone());
    }
    if !args.needs.is_empty() {
        for need in &args.needs {
            let known = plan.all_goals().any(|other| other.id() == Some(need) && other.index() != at);
            if !known {
                return Err(Error::input(format!("`--needs {need}`: no other goal has this id")));
            }
        }
        field(Key::Needs, vec![args.needs.join(", ")]);
    }
    if let Some(priority) = args.priority {
        field(Key::Priority, vec![priority.to_string()]);
    }
    if let Some(kind) = args.kind {
        field(Key::Kind, vec![kind.word().to_owned()]);
    }
    if !args.may_change.is_empty() {
        super::refuse_split_globs(&args.may_change)?;
        field(Key::MayChange, vec![args.may_change.join(", ")]);
    }
    if changes.is_empty() {
        return Err(
            Error::input("expected something to change, found no option").hint("`plan goal set --help` lists them")
        );
    }
    Ok(changes)
}

/// Compares the contract before with the one that the changes lead to.
fn amendment(plan: &Plan<'_>, goal: GoalRef<'_, '_>, changes: &[Change]) -> Result<Amended> {
    let after = edit::apply(plan.source, &change::edits(plan, changes)?)?;
    let after = parse::parse(&after)?;
    let changed = after.goal(goal.index()).ok_or_else(|| Error::input("the goal is gone after the change"))?;
    if changes.iter().any(|change| matches!(change, Change::SetField { key: Key::FailureModes, .. })) {
        advice::refuse_unfit_checks(changed)?;
    }
    let (old, new) = (contract::goal_contract(goal), contract::goal_contract(changed));
    Ok(Amended {
        id: changed.name().to_owned(),
        what: Amendment::between(&old, &new).map(|amendment| amendment.to_string()),
        old: old.digest.short(),
        new: new.digest.short(),
    })
}
