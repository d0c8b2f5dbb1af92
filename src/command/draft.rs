//! `plan draft`: a read-only agent drafts goals; `plan` checks them and writes plan.md (`CONTRACT.md` §6).

mod call;
mod scope;
mod sitting;

use std::path::PathBuf;

use serde_json::json;

use super::{Context, Exit};
use crate::agent::{AgentEnd, AgentFailure, draft as drafter};
use crate::config::{self, Config};
use crate::contract::{checkpoint, person};
use crate::error::{Error, Kind, Result};
use crate::host;
use crate::plan::change::{self, NO_OBJECTIVE, new_plan};
use crate::plan::draft::{self, DraftChanges};
use crate::plan::lint::quality;
use crate::plan::rules::PlanRequest;
use crate::plan::{Plan, edit, parse};
use crate::prompt::Prompt;
use crate::session::{draft as last_draft, events};
use crate::signoff::judge::{Reference, WriteProtection};
use crate::store::{self, Place};
use call::DraftValues;
use scope::{DraftScope, Writing};
use sitting::{Sitting, changed_meanwhile};

/// Have a read-only agent draft goals; `plan` checks and writes them
///
/// The agent reads the repository and answers with goals in the contract format. If the answer has errors,
/// `plan` asks again: the agent has three tries. The draft fails if a file changes meanwhile. Without a plan.md, `plan` writes one in
/// contract mode. If the plan has unfinished goals, `plan` drafts nothing without `--force`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan draft \"calc subtracts and multiplies\" --with claude:opus")]
pub struct Args {
    /// What the plan is for; needs no quotes. By default the objective of plan.md.
    objective: Vec<String>,
    #[arg(help = format!("The agent: {}, with a model if you like, or `cmd:PROGRAM ARG…`. By default the host that you named last, else the host of the session, else the only installed client", host::names()))]
    #[arg(long, value_name = "HOST[:MODEL]")]
    with: Option<String>,
    /// A file with earlier findings, which the agent is given to check.
    #[arg(long, value_name = "FILE")]
    research: Option<PathBuf>,
    /// Draft although goals are there, and replace those that are open and were never started.
    #[arg(long)]
    force: bool,
    /// Print the prompt and the agent's argv, and run nothing.
    #[arg(long)]
    dry_run: bool,
}

/// Drafts, checks and writes; again as long as a person at the menu asks for changes.
pub fn run(context: &Context, args: &Args) -> Result<Exit> {
    if !args.dry_run {
        context.refuse_inside_judge()?;
    }
    let mut sitting = Sitting::default();
    loop {
        if let Some(exit) = once(context, args, &mut sitting)? {
            return Ok(exit);
        }
    }
}

/// Makes one draft. Returns `None` if a person wants another one.
fn once(context: &Context, args: &Args, sitting: &mut Sitting) -> Result<Option<Exit>> {
    let (place, source) = ground(context)?;
    let config = config::load()?;
    let objective = args.objective.join(" ").trim().to_owned();
    let now = source.as_deref().map_or_else(|| new_plan(NO_OBJECTIVE, true, None).into_bytes(), <[u8]>::to_vec);
    let bytes = sitting.before(&now).unwrap_or_else(|| now.clone());
    let plan = place.parse(&bytes)?;
    let Some(scope) = DraftScope::of(&plan, args.force || sitting.words().is_some())? else {
        return nothing(context, &plan).map(Some);
    };
    let call =
        DraftValues::of(context, args.research.as_deref(), &place, &place.parse(&now)?, &objective, sitting.words())?;
    let agent = drafter::choose(args.with.as_deref(), config.draft.as_deref(), &place, &context.cwd)?;
    if !args.dry_run {
        drafter::ready(&agent, &context.cwd)?;
    }
    if config.require_sandbox {
        drafter::require_sandbox(&agent)?;
    }
    let writing =
        Writing { plan: &plan, scope: &scope, objective: &call.title, stamp: config::stamp()?, place: &place };
    let template = config::prompt_override(Prompt::PlanDrafting.file_name())?;
    call.with_request(context, &place, &agent, template.as_deref(), &config, |asked| {
        if args.dry_run {
            let (prompt, argv) = drafter::preview(asked)?;
            context.ui.line(&format!("draft {agent}: {}", argv.join(" ")));
            context.ui.line(&prompt);
            context.ui.json(&json!({ "draft": { "with": agent.to_string(), "argv": argv, "prompt": prompt } }));
            return Ok(Some(Exit::Yes));
        }
        let level = WriteProtection::of(&agent);
        context.ui.note(&format!("drafting with {agent} (sandbox {})", level.describe()));
        if level == WriteProtection::None {
            unprotected(context, &place, &plan, source.is_some());
        }
        let end = drafter::draft(asked, &|text| writing.check(text));
        let drafted = match finished(context, &place, &agent, end)? {
            Finished::Draft(text, tries, is_compared) => (writing.drafted(&text)?, tries, is_compared),
            Finished::Failed(error) => return Err(sitting.way_on(error)),
        };
        match (&source, bytes == now) {
            (Some(_), false) => sitting::rewrite(context, &place, &now, &bytes, &drafted.0)?,
            _ => write(context, &place, source.as_deref(), &bytes, &drafted.0)?,
        }
        last_draft::clear(&place)?;
        remember(context, args.with.as_deref(), &agent, &config);
        sitting.drafted(bytes.clone(), store::read(&place)?);
        report(context, &place, &agent, &drafted, sitting)
    })
}

/// For a draft without a sandbox: takes a checkpoint if checkpoints are on and plan.md exists. Otherwise nothing can
/// restore the files.
fn unprotected(context: &Context, place: &Place, plan: &Plan<'_>, is_there: bool) {
    if is_there && checkpoint::is_on(plan) {
        let notes = checkpoint::take(place, checkpoint::Kind::BeforeDraft, None);
        notes.iter().for_each(|note| context.ui.note(note));
    } else {
        context.ui.note("note: no checkpoint is taken before this draft; only a commit of yours can bring files back");
    }
}

/// Returns the place of plan.md and its content; without a plan.md, the place where it will be.
fn ground(context: &Context) -> Result<(Place, Option<Vec<u8>>)> {
    let named = context.named_file().is_some();
    let place = if named { None } else { context.find()? };
    let place = place.map_or_else(|| context.new_place(), Ok)?;
    context.refuse_other_tool(&place)?;
    let source = if place.file.exists() { Some(store::read(&place)?) } else { None };
    Ok((place, source))
}

fn nothing(context: &Context, plan: &Plan<'_>) -> Result<Exit> {
    let count = plan.live_goals().count();
    let goals = if count == 1 { "1 goal is".to_owned() } else { format!("{count} goals are") };
    context.ui.line(&format!("nothing drafted: {goals} in the plan already"));
    let untouched = draft::replaceable(plan).len();
    if untouched > 0 {
        context
            .ui
            .line(&format!("`plan draft --force` replaces those that were never started: {untouched} of {count}"));
    }
    context.ui.json(&json!({ "drafted": null, "goals": count, "replaceable": untouched }));
    Ok(Exit::Yes)
}

/// The result of the agent's drafting.
enum Finished {
    Draft(String, usize, bool),
    Failed(Error),
}

/// Reads the end of the drafting, and records a failure.
fn finished(context: &Context, place: &Place, agent: &Reference, end: Result<AgentEnd<String>>) -> Result<Finished> {
    let (why, error) = match end {
        Ok(Ok(answered)) => {
            answered.warnings.iter().for_each(|warning| context.ui.note(&format!("note: {warning}")));
            return Ok(Finished::Draft(answered.value, answered.tries, answered.is_compared));
        }
        Ok(Err(failure)) => {
            let error = failure.error(agent, "draft");
            let error = match failure {
                AgentFailure::Changed(_) => way_back(place, error),
                AgentFailure::Bad { .. } => {
                    error.hint("say more in the objective, or name another agent with `--with HOST[:MODEL]`")
                }
                AgentFailure::Silent(_) => error,
            };
            (failure.brief(agent), error)
        }
        Err(error) if matches!(error.kind, Kind::Interrupted | Kind::Input) => return Err(error),
        Err(error) => (error.message.clone(), error),
    };
    last_draft::record(place, &why)?;
    Ok(Finished::Failed(error))
}

/// Names the checkpoint that was taken before the draft, if there is one.
fn way_back(place: &Place, error: Error) -> Error {
    let newest = checkpoint::list(place).into_iter().last();
    let is_saved = newest.is_some_and(|one| one.is_ok_and(|one| one.kind == checkpoint::Kind::BeforeDraft));
    if is_saved { error.hint("`plan rewind before-draft` restores the files from before the draft") } else { error }
}

/// Writes the goals in one step.
fn write(context: &Context, place: &Place, source: Option<&[u8]>, bytes: &[u8], drafted: &DraftChanges) -> Result<()> {
    let Some(source) = source else {
        let plan = parse(bytes)?;
        let text = edit::apply(bytes, &change::edits(&plan, &drafted.changes)?)?;
        let made = store::create(place, &text)?;
        context.notes(&made.notes);
        events::append(place, "plan_created", &json!({ "goals": drafted.ids }));
        context.note_ignored(place);
        return Ok(());
    };
    context.change_as(place, PlanRequest::Draft, |plan| match plan.source == source {
        true => Ok(drafted.changes.clone()),
        false => Err(changed_meanwhile()),
    })?;
    Ok(())
}

/// Remembers a host that a person named: it drafts from now on. A program is not remembered, because its meaning depends on the folder.
fn remember(context: &Context, with: Option<&str>, agent: &Reference, config: &Config) {
    let name = agent.to_string();
    let is_new = with.is_some() && agent.host().is_some() && config.draft.as_deref() != Some(&*name);
    if !is_new || !person::is_persons() {
        return;
    }
    match config::set_draft(&name) {
        Ok(file) => {
            context.ui.note(&format!("note: `plan draft` asks {name} from now on (`draft` in {})", file.display()));
        }
        Err(error) => context.ui.note(&format!("note: {name} is not remembered: {error}")),
    }
}

fn report(
    context: &Context,
    place: &Place,
    agent: &Reference,
    drafted: &(DraftChanges, usize, bool),
    sitting: &mut Sitting,
) -> Result<Option<Exit>> {
    let (DraftChanges { ids, steps, .. }, tries, is_compared) = drafted;
    let count = |number: usize, one: &str, many: &str| format!("{number} {}", if number == 1 { one } else { many });
    let (goals, told) = (count(ids.len(), "goal", "goals"), count(*steps, "step", "steps"));
    let tried = count(*tries, "try", "tries");
    let rest = if *is_compared { ", nothing else changed" } else { "" };
    let level = WriteProtection::of(agent);
    context.ui.line(&format!("drafted {goals}, {told} with {agent} in {tried}, sandbox {level}{rest}"));
    let source = store::read(place)?;
    let plan = place.parse(&source)?;
    for goal in ids.iter().filter_map(|id| plan.all_goals().find(|goal| goal.id() == Some(id))) {
        let steps = count(goal.steps().len(), "step", "steps");
        context.ui.line(&format!("  {}  {} ({steps})", goal.name(), goal.subject()));
    }
    let lacking: Vec<&str> = quality::sections(&plan).iter().map(|section| section.heading).collect();
    if !lacking.is_empty() {
        let lacking = lacking.join("`, `");
        context.ui.note(&format!("note: the plan has no section `{lacking}`: plan lint --quality"));
    }
    if !is_compared && level == WriteProtection::None {
        context.ui.note("note: without a sandbox and a repository nobody can tell whether the agent changed files");
    }
    // The draft waits for a person; a person who is here is asked at once.
    if plan.is_contract_mode() && !context.ui.is_json() && context.ui.can_ask() && person::is_persons() {
        return sitting.ask(context, place);
    }
    let next = match plan.is_contract_mode() {
        true => "plan review".to_owned(),
        false => format!("plan goal start {}", ids.first().map_or("", String::as_str)),
    };
    context.ui.line(&format!("next: {next}"));
    context.ui.json(&json!({ "drafted": {
        "goals": ids, "steps": steps, "with": agent.to_string(), "tries": tries, "sandbox": level.to_string(),
        "compared": is_compared, "next": next,
    } }));
    Ok(Some(Exit::Yes))
}
