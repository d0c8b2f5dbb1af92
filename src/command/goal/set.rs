//! `plan goal set`.

mod amended;

use serde_json::json;

use crate::command::{Context, Exit};
use crate::config;
use crate::error::{Error, Result};
use crate::plan::change::Change;
use crate::plan::contract;
use crate::plan::log::{self, GoalEvent};
use crate::plan::lookup::{Need, NeedNames};
use crate::plan::model::{GoalKind, GoalRef, Key, Plan};
use crate::plan::rules;
use crate::plan::rules::PlanRequest;
use crate::plan::text;
use crate::signoff::advice;
use amended::AmendmentResult;

/// Change a goal's contract
///
/// The log records whether the change loosened, tightened or reworded the contract, with the old and the new digest. An active
/// goal keeps its recorded start. Give `--because` if the goal asks for less than before. `--because` without another option
/// explains a change that was made by hand.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  plan goal set cache-layer-1 --add-done-when \"eviction is counted\"\n  plan goal set \
    cache-layer-1 --add-may-change 'tests/cache/**' --because \"two tests asserted the old key\""
)]
pub(super) struct Args {
    /// The goal: its id, its number in `plan list`, or the beginning of its id or subject.
    id: String,
    /// A new subject; the id stays.
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    subject: Option<String>,
    /// Replaces the criteria; repeatable; `none` removes them all. So it does for the other fields that can be left out.
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    done_when: Vec<String>,
    /// Adds a criterion; repeatable.
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    add_done_when: Vec<String>,
    /// Replaces the command.
    #[arg(long, value_name = "CMD")]
    verify: Option<String>,
    /// Replaces the failure modes; repeatable.
    #[arg(long = "failure-mode", value_name = "T", allow_hyphen_values = true)]
    failure_modes: Vec<String>,
    /// Adds a failure mode. If the text is there already, adds its `(check: …)`. Repeatable.
    #[arg(long = "add-failure-mode", value_name = "T", allow_hyphen_values = true)]
    add_failure_modes: Vec<String>,
    /// Replaces the goals it waits for; repeatable; `none` removes them all.
    #[arg(long, value_name = "ID")]
    needs: Vec<String>,
    /// 1 (core) to 4 (optional).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=4))]
    priority: Option<u8>,
    /// feature, bugfix, refactor, docs, test or chore. For the kinds refactor, test and chore, verify may be green before the work.
    #[arg(long, value_name = "K", value_parser = super::add::kind(), hide_possible_values = true)]
    kind: Option<GoalKind>,
    /// Replaces the globs; repeatable.
    #[arg(long, value_name = "GLOB")]
    may_change: Vec<String>,
    /// Adds a glob; repeatable.
    #[arg(long, value_name = "GLOB")]
    add_may_change: Vec<String>,
    /// Not a field to set; it exists so that the error can name the right command.
    #[arg(long, hide = true)]
    status: Option<String>,
    /// Why the contract changes, or was changed.
    #[arg(long, value_name = "WHY", allow_hyphen_values = true)]
    because: Option<String>,
}

pub(super) fn run(context: &Context, args: &Args) -> Result<Exit> {
    let place = context.writable()?;
    if let Some(status) = &args.status {
        return Err(by_command(status, &args.id));
    }
    refuse_empty(args)?;
    if let Some(verify) = args.verify.as_deref().filter(|verify| *verify != NONE) {
        advice::refuse_unfit(verify)?;
    }
    let because = text::reason(args.because.as_deref())?;
    let stamp = config::stamp()?;
    let (mut amended, mut by_old_subject) = (None, Vec::new());
    let again = context.with_reason();
    let request = PlanRequest::Shape { because: because.as_deref(), again: again.as_deref() };
    context.change_as(&place, request, |plan| {
        let goal = plan.find_goal(&args.id)?;
        let mut changes = changes(plan, goal, args)?;
        let done = AmendmentResult::of(&place, plan, goal, &changes, because.clone())?;
        if let Some(what) = &done.what {
            let event = log::Amended { what, old: &done.old, new: &done.new, because: because.as_deref() };
            let text = GoalEvent::Amended(event).of(&done.id).to_string();
            changes.push(Change::AppendLog { stamp: stamp.clone(), text });
        }
        by_old_subject = if args.subject.is_some() { needing(plan, goal) } else { Vec::new() };
        amended = Some(done);
        Ok(changes)
    })?;
    if let Some(amended) = amended {
        let why = because.map(|why| format!(" because {why}")).unwrap_or_default();
        match &amended.what {
            Some(what) => context.ui.line(&format!("{} amended: {what}{why}", amended.id)),
            None => context.ui.line(&format!("{} changed; its contract is the same", amended.id)),
        }
        amended.note.iter().for_each(|note| context.ui.note(&format!("note: {note}")));
        for other in by_old_subject {
            let (old, id) = (crate::shell::quote(&other), &amended.id);
            context
                .ui
                .note(&format!("note: {other} needs this goal by its old subject: plan goal set {old} --needs {id}"));
        }
        context.ui.json(&json!({ "amended": amended }));
    }
    Ok(Exit::Yes)
}

/// Returns the goals that need `goal` by its subject.
fn needing(plan: &Plan<'_>, goal: GoalRef<'_, '_>) -> Vec<String> {
    let names = NeedNames::new(plan);
    let is_meant = |need: &Need| need.goals == [goal.index()] && goal.id() != Some(&need.written);
    let others = plan.live_goals().filter(|other| names.of(*other).iter().any(is_meant));
    others.map(|other| other.name().to_owned()).collect()
}

/// Returns the error that names the command for the requested status.
fn by_command(status: &str, name: &str) -> Error {
    let name = crate::shell::quote(name);
    let error = Error::input("`goal set` changes the contract, not the status");
    match status {
        "done" => error.hint(format!("`plan complete {name}` checks the goal and signs it off")),
        "active" => error.hint(format!("plan goal start {name}")),
        "cancelled" => error.hint(format!("plan goal cancel {name} \"why\"")),
        _ => error.hint("`plan complete`, `plan goal start` and `plan goal cancel` change it"),
    }
}

fn changes(plan: &Plan<'_>, goal: GoalRef<'_, '_>, args: &Args) -> Result<Vec<Change>> {
    if goal.raw().archived {
        return Err(rules::not_changed(goal));
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
        field(Key::DoneWhen, [given(&args.done_when), args.add_done_when.clone()].concat());
    } else if !args.add_done_when.is_empty() {
        let old = goal.criteria().into_iter().map(|text| text.into_owned());
        field(Key::DoneWhen, old.chain(args.add_done_when.iter().cloned()).collect());
    }
    if let Some(verify) = &args.verify {
        field(Key::Verify, given(std::slice::from_ref(verify)));
    }
    if !(args.failure_modes.is_empty() && args.add_failure_modes.is_empty()) {
        let mut modes = given(&args.failure_modes);
        if args.failure_modes.is_empty() {
            modes = goal.failure_modes().into_iter().map(|mode| mode.text.into_owned()).collect();
        }
        args.add_failure_modes.iter().for_each(|mode| add_mode(&mut modes, mode));
        field(Key::FailureModes, modes);
    }
    if !args.needs.is_empty() {
        let needs = super::ids_of(plan, &given(&args.needs))?;
        if needs.iter().any(|need| goal.id() == Some(need)) {
            return Err(Error::input(format!("`--needs`: `{}` cannot need itself", goal.name())));
        }
        field(Key::Needs, if needs.is_empty() { Vec::new() } else { vec![needs.join(", ")] });
    }
    if let Some(priority) = args.priority {
        field(Key::Priority, vec![priority.to_string()]);
    }
    if let Some(kind) = args.kind {
        field(Key::Kind, vec![kind.word().to_owned()]);
    }
    if !(args.may_change.is_empty() && args.add_may_change.is_empty()) {
        super::refuse_split_globs(&args.may_change)?;
        super::refuse_split_globs(&args.add_may_change)?;
        let mut globs = if args.may_change.is_empty() { goal.may_change() } else { given(&args.may_change) };
        globs.extend(args.add_may_change.iter().filter(|glob| !globs.contains(glob)).cloned().collect::<Vec<_>>());
        field(Key::MayChange, if globs.is_empty() { Vec::new() } else { vec![globs.join(", ")] });
    }
    if changes.is_empty() && args.because.is_none() {
        return Err(
            Error::input("expected something to change, found no option").hint("`plan goal set --help` lists them")
        );
    }
    Ok(changes)
}

/// The value that removes a field.
const NONE: &str = "none";

/// The values to set: no value for `none`.
fn given(values: &[String]) -> Vec<String> {
    if values == [NONE] { Vec::new() } else { values.to_vec() }
}

/// Refuses an empty value: a variable of the shell may be unset, and the contract would lose a part unseen.
fn refuse_empty(args: &Args) -> Result<()> {
    let verify = args.verify.as_slice();
    for (option, values) in [
        ("--done-when", args.done_when.as_slice()),
        ("--verify", verify),
        ("--failure-mode", &args.failure_modes),
        ("--needs", &args.needs),
        ("--may-change", &args.may_change),
        ("--add-done-when", &args.add_done_when),
        ("--add-failure-mode", &args.add_failure_modes),
        ("--add-may-change", &args.add_may_change),
    ] {
        if values.iter().any(|value| value.trim().is_empty()) {
            let error = Error::input(format!("`{option}` is empty"));
            return Err(if option.starts_with("--add") {
                error
            } else {
                error.hint(format!("`{option} none` removes the field"))
            });
        }
    }
    Ok(())
}

/// Adds a failure mode. It replaces the mode whose text differs only in the check.
fn add_mode(modes: &mut Vec<String>, mode: &str) {
    let bare = |mode: &str| contract::without_check(mode.trim()).to_owned();
    match modes.iter_mut().find(|old| bare(old) == bare(mode)) {
        Some(old) => mode.clone_into(old),
        None => modes.push(mode.to_owned()),
    }
}
