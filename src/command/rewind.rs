//! `plan rewind`: goes back to the files and the marks at the end of a step (`CONTRACT.md` §5).

use std::path::{Component, Path, PathBuf};

use serde_json::{Value, json};

use super::{Context, Exit};
use crate::base;
use crate::config;
use crate::contract::activate::Activated;
use crate::contract::checkpoint::{self, Checkpoint, Kind as Moment};
use crate::contract::person;
use crate::contract::rewind::plan_restoration::{self, PlanRestoration};
use crate::contract::rewind::{Journal, Rewind, RewindRequest, RewindTarget, spoken};
use crate::error::{Error, Kind, Result};
use crate::plan::change::Change;
use crate::plan::log::LogLine;
use crate::plan::model::Plan;
use crate::plan::rules::PlanRequest;
use crate::plan::text::counted;
use crate::repo::PathChange;
use crate::shell::quote;
use crate::store::{self, Place};

/// The maximum number of paths of each kind in a preview.
const SHOWN: usize = 8;

/// Go back to the files and marks at the end of a step
///
/// Only a person may do this. It needs checkpoints: contract mode, or `checkpoints: true` in the front matter.
///
/// Shows what would change and asks first. `plan` saves the current files before it changes any. `plan rewind --undo` restores
/// them, but no sign-off. HEAD, branches, the index and ignored files stay as they are.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan rewind 3 --dry-run\n  plan rewind 3\n  plan rewind --undo")]
pub struct Args {
    /// The number of the last step to keep; `0` for the start. Also `before-draft`, `before-clear`, and `@7` for a
    /// checkpoint of `--list`.
    #[arg(required_unless_present_any = ["list", "undo"])]
    step: Option<String>,
    /// Restore only this file or folder; marks in plan.md stay. Repeatable.
    #[arg(long = "path", value_name = "P")]
    paths: Vec<PathBuf>,
    /// List the checkpoints.
    #[arg(long, conflicts_with_all = ["step", "undo", "paths", "yes", "here", "dry_run"])]
    list: bool,
    /// Go back to before the last rewind.
    #[arg(long, conflicts_with_all = ["step", "paths"])]
    undo: bool,
    /// Show what would change, and change nothing.
    #[arg(long)]
    dry_run: bool,
    /// Restore the files of a checkpoint of another branch onto this one.
    #[arg(long)]
    here: bool,
    /// Do not ask.
    #[arg(long)]
    yes: bool,
}

/// Lists checkpoints, shows a preview, or rewinds.
pub fn run(context: &Context, args: &Args) -> Result<Exit> {
    if args.list || args.dry_run {
        let place = context.place()?;
        return if args.list { list(context, &place) } else { preview(context, args, &place) };
    }
    let place = context.writable()?;
    person::require_for(&own_command(args))?;
    rewind(context, args, &place)
}

/// Returns the command line by which a person does the same.
fn own_command(args: &Args) -> String {
    let step = args.step.as_deref().map_or_else(|| "--undo".to_owned(), quote);
    let paths = args.paths.iter().map(|path| format!(" --path {}", quote(&path.to_string_lossy())));
    format!("plan rewind {step}{}{}", paths.collect::<String>(), if args.here { " --here" } else { "" })
}

fn request(context: &Context, args: &Args, place: &Place) -> Result<RewindRequest> {
    let target = match (&args.step, args.undo) {
        (Some(step), false) => RewindTarget::parse(step),
        _ => RewindTarget::Undo,
    };
    let only = args.paths.iter().map(|path| relative(context, place, path)).collect::<Result<_>>()?;
    Ok(RewindRequest { target, only, here: args.here })
}

/// Returns a caller's path relative to the top of the work tree. The path need not exist.
fn relative(context: &Context, place: &Place, path: &Path) -> Result<PathBuf> {
    let cwd = context.cwd.canonicalize().unwrap_or_else(|_| context.cwd.clone());
    let mut whole = PathBuf::new();
    for part in cwd.join(path).components() {
        match part {
            Component::ParentDir => drop(whole.pop()),
            Component::CurDir => {}
            other => whole.push(other),
        }
    }
    let top = place.top.as_deref().unwrap_or(&place.root);
    let below =
        whole.strip_prefix(top).ok().filter(|below| whole.starts_with(&place.root) && !below.as_os_str().is_empty());
    below.map(Path::to_owned).ok_or_else(|| {
        Error::input(format!("`--path {}` is not below the plan's folder, `{}`", path.display(), place.root.display()))
    })
}

fn preview(context: &Context, args: &Args, place: &Place) -> Result<Exit> {
    let source = store::read(place)?;
    let plan = place.parse(&source)?;
    let rewind = Rewind::prepare(place, &plan, request(context, args, place)?)?;
    let back = PlanBack::of(&rewind, &plan)?;
    show(context, &rewind, &back);
    context.ui.json(&document(&rewind, &back, false));
    Ok(Exit::Yes)
}

fn rewind(context: &Context, args: &Args, place: &Place) -> Result<Exit> {
    let source = store::read(place)?;
    let plan = place.parse(&source)?;
    let mut rewind = Rewind::prepare(place, &plan, request(context, args, place)?)?;
    let back = PlanBack::of(&rewind, &plan)?;
    let is_same = rewind.is_without_files() && back.is_empty() && Journal::read(place)?.is_none();
    if is_same {
        context.ui.line(&format!("nothing to do: everything is as {}", rewind.target.moment()));
        back.stays_open().for_each(|line| context.ui.line(&line));
        context.ui.json(&document(&rewind, &back, false));
        return Ok(Exit::Yes);
    }
    if !args.yes {
        if !context.ui.can_ask() {
            let name = request(context, args, place)?.target.name();
            return Err(Error::new(Kind::Refused, "`rewind` asks before it changes files, and there is no terminal")
                .hint(format!(
                    "`plan rewind {name} --dry-run` shows what it would do; in a terminal, `plan rewind {name}` asks"
                )));
        }
        show(context, &rewind, &back);
        context.ui.flush();
        if !context.ui.confirm(&question(&rewind))? {
            context.ui.line("nothing was rewound");
            context.ui.json(&document(&rewind, &back, false));
            return Ok(Exit::No);
        }
    }
    let activated = carry_out(context, place, &mut rewind)?;
    let files = counted(rewind.files(), "file");
    context.ui.line(&format!("rewound {files} to {}; {}", as_at(&rewind.target), way_back(&rewind)));
    back.stays_open().for_each(|line| context.ui.line(&line));
    if let Some(next) = activated {
        context.ui.line(&format!("→ Step {}: {}", next.step, next.text));
    }
    context.ui.json(&document(&rewind, &back, true));
    Ok(Exit::Yes)
}

/// Writes the files and plan.md under plan.md's lock. If plan.md is saved meanwhile, the closure runs again; the files
/// are already written then. Returns the step that becomes active.
fn carry_out(context: &Context, place: &Place, rewind: &mut Rewind) -> Result<Option<Activated>> {
    let mut is_done = false;
    let written = context.change_as(place, PlanRequest::Person { activates: false }, |plan| {
        let back = PlanBack::of(rewind, plan)?;
        if !is_done {
            rewind.carry_out(plan)?;
            is_done = true;
        }
        Ok(back.gone.changes)
    });
    if let Err(error) = written {
        return Err(rewind.give_up(error));
    }
    // A separate write, because the step that went back may be the one that comes next.
    let activated = match rewind.is_partial() {
        true => None,
        false => context.change_as(place, PlanRequest::Person { activates: true }, |_| Ok(Vec::new()))?.activated,
    };
    rewind.finish()?;
    Ok(activated)
}

/// Names the command that takes the rewind back.
fn way_back(rewind: &Rewind) -> String {
    let Some((journal, end)) = rewind.ends() else { return "`plan rewind --undo` goes back".to_owned() };
    let before = match end {
        "finished" => format!(", `plan rewind @{}` to those before the interrupted rewind", journal.before),
        _ => String::new(),
    };
    format!("the interrupted rewind is {end}, and `plan rewind --undo` goes back to the files of just before{before}")
}

fn question(rewind: &Rewind) -> String {
    match rewind.difference.touched.len() {
        0 => "Put the plan back? The files stay as they are".to_owned(),
        files => format!("Rewind {}?", counted(files, "file")),
    }
}

/// The changes that take plan.md back.
struct PlanBack {
    gone: PlanRestoration,
    /// The steps whose marks change, by name.
    steps: Vec<String>,
}

impl PlanBack {
    fn of(rewind: &Rewind, plan: &Plan<'_>) -> Result<Self> {
        let stamp = config::stamp()?;
        let (target, files) = (&rewind.target, rewind.files_in_all());
        let (mut gone, mut steps) = (PlanRestoration::default(), Vec::new());
        if rewind.is_partial() {
            if files > 0 {
                let text = format!(
                    "{} as {} again (checkpoint {}): read them again",
                    counted(files, "file"),
                    target.moment(),
                    target.number
                );
                gone.changes.push(Change::AppendLog { stamp, text });
            }
            return Ok(PlanBack { gone, steps });
        }
        let then = crate::plan::parse(&target.plan).map_err(|error| {
            Error::input(format!(
                "checkpoint {} is damaged: its plan.md cannot be read: {}",
                target.number, error.message
            ))
        })?;
        let why = format!("rewind to {}", spoken(target.step_name()));
        gone = plan_restoration::changes(plan, &then, &target.tree.short(), &why, &stamp);
        steps.extend(gone.changes.iter().filter_map(|change| match change {
            Change::SetMark { step, .. } => plan.step(*step).map(|step| step.name()),
            _ => None,
        }));
        let line = LogLine::Rewound {
            step: target.step_name(),
            checkpoint: target.number,
            files: u32::try_from(files).unwrap_or(u32::MAX),
        };
        // An interrupted rewind whose line is already written needs no second line.
        let is_told = rewind.is_without_files() && gone.changes.is_empty();
        if !is_told {
            gone.changes.push(Change::AppendLog { stamp, text: line.to_string() });
        }
        Ok(PlanBack { gone, steps })
    }

    fn is_empty(&self) -> bool {
        self.gone.changes.is_empty()
    }

    /// Returns a line for each goal that stays reopened because its sign-off does not come back, with the command that signs it off.
    fn stays_open(&self) -> impl Iterator<Item = String> {
        let goals = self.gone.stays_open.iter();
        goals.map(|goal| format!("{goal} stays reopened; `plan complete {goal}` signs it off again"))
    }
}

/// `the end of step 3 (checkpoint 7, 2026-06-15 14:33)`
fn as_at(target: &Checkpoint) -> String {
    let moment = target.moment();
    let moment = moment.strip_prefix("at ").unwrap_or(&moment);
    format!("{moment} (checkpoint {}, {})", target.number, target.time)
}

/// A path in one line: a line break in a name would look like another row.
fn shown(path: &Path) -> String {
    path.to_string_lossy().replace(char::is_control, "\u{fffd}")
}

fn show(context: &Context, rewind: &Rewind, back: &PlanBack) {
    let ui = &context.ui;
    ui.line(&format!("to {}:", as_at(&rewind.target)));
    for group in rewind.groups() {
        let parts = [(group.deleted, "deleted"), (group.changed, "changed"), (group.new, "new")];
        let parts: Vec<String> =
            parts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect();
        ui.line(&format!("  {}: {}", group.label, parts.join(", ")));
    }
    let all = &rewind.difference.touched;
    for (word, kinds) in [
        ("restore", &[PathChange::Removed][..]),
        ("revert", &[PathChange::Modified, PathChange::Permission]),
        ("delete", &[PathChange::Added]),
    ] {
        let paths: Vec<&PathBuf> =
            all.iter().filter(|(_, change)| kinds.contains(change)).map(|(path, _)| path).collect();
        paths.iter().take(SHOWN).for_each(|path| ui.line(&format!("    {word:<11}{}", shown(path))));
        if let Some(more @ 1..) = paths.len().checked_sub(SHOWN) {
            ui.line(&format!("    {word:<11}and {more} more (`--dry-run --json` names all)"));
        }
    }
    if all.is_empty() {
        ui.line(&format!("  the files are as {} already; only the plan goes back", rewind.target.moment()));
    }
    for (path, why) in rewind.difference.stays.iter().take(SHOWN) {
        ui.line(&format!("  stays: {} ({why})", shown(path)));
    }
    if let Some(more @ 1..) = rewind.difference.stays.len().checked_sub(SHOWN) {
        ui.line(&format!("  stays: {more} more"));
    }
    if let Some((_, end)) = rewind.ends() {
        ui.line(&format!(
            "  after this the interrupted rewind is {end}; the current files are saved first, and \
             `plan rewind --undo` restores them"
        ));
    }
    rewind.notes().iter().for_each(|note| ui.line(&format!("  {note}")));
    if !back.steps.is_empty() {
        let (marks, s) = if back.steps.len() == 1 { ("mark and outcome", "") } else { ("marks and outcomes", "s") };
        ui.line(&format!("  plan.md: {marks} of step{s} {} are restored", back.steps.join(", ")));
    }
    back.gone.reopened.iter().for_each(|goal| ui.line(&format!("  plan.md: goal {goal} is reopened")));
    back.stays_open().for_each(|line| ui.line(&format!("  plan.md: {line}")));
    hint(&rewind.target).iter().for_each(|hint| ui.line(&format!("  {hint}")));
}

/// Returns how to take the conversation itself back: a person does that in the host.
fn hint(target: &Checkpoint) -> Option<String> {
    let session = target.session.as_deref()?;
    match target.host.as_deref()? {
        "claude" => Some(format!(
            "the conversation stays: in Claude session {session}, Esc Esc, choose the message after {}",
            target.time
        )),
        "codex" => Some(format!("the conversation stays: `codex resume {session}`")),
        _ => None,
    }
}

fn document(rewind: &Rewind, back: &PlanBack, is_done: bool) -> Value {
    let of = |kinds: &[PathChange]| -> Vec<String> {
        let touched = rewind.difference.touched.iter().filter(|(_, change)| kinds.contains(change));
        touched.map(|(path, _)| path.display().to_string()).collect()
    };
    let stays = rewind.difference.stays.iter();
    let stays: Vec<Value> =
        stays.map(|(path, why)| json!({ "path": path.display().to_string(), "why": why })).collect();
    json!({
        "rewound": is_done,
        "interrupted": rewind.ends().map(|(_, end)| end),
        "step": rewind.target.step_name(),
        "checkpoint": rewind.target.number,
        "comes_back": of(&[PathChange::Removed]),
        "changes": of(&[PathChange::Modified, PathChange::Permission]),
        "goes": of(&[PathChange::Added]),
        "stays": stays,
        "notes": rewind.notes(),
        "steps": back.steps,
        "reopened": back.gone.reopened,
        "stays_open": back.gone.stays_open,
    })
}

fn list(context: &Context, place: &Place) -> Result<Exit> {
    let all = checkpoint::list(place);
    let bytes = base::open(place)?.map_or(0, |repo| repo.kept_bytes());
    let mut documents = Vec::new();
    for one in &all {
        match one {
            Ok(one) => {
                let left_out = match one.left_out.len() {
                    0 => String::new(),
                    files => format!("  {} left out", counted(files, "file")),
                };
                let goal = one.goal.as_deref().map_or_else(String::new, |goal| format!("  {goal}"));
                let number = format!("@{}", one.number);
                context.ui.line(&format!("{number:>5}  {}  {}{goal}{left_out}", one.time, name(one)));
                documents.push(json!({
                    "number": one.number, "kind": one.kind, "step": one.step, "goal": one.goal, "time": one.time,
                    "branch": one.branch, "commit": one.head.map(|id| id.to_string()), "left_out": one.left_out.len(),
                }));
            }
            Err(damaged) => {
                context.ui.line(&format!("{:>5}  {}", format!("@{}", damaged.number), damaged.why));
                documents.push(json!({ "number": damaged.number, "damaged": damaged.why }));
            }
        }
    }
    let total = counted(all.len(), "checkpoint");
    context.ui.line(&format!("{total}; {} KiB of objects of their own", bytes.div_ceil(1024)));
    let interrupted = Journal::read(place)?;
    if let Some(journal) = &interrupted {
        context.ui.line(&format!("{}: {}", journal.describe(place), journal.way_on()));
    }
    let interrupted = interrupted.map(|journal| journal.name);
    context.ui.json(&json!({ "checkpoints": documents, "bytes": bytes, "interrupted": interrupted }));
    Ok(Exit::Yes)
}

fn name(one: &Checkpoint) -> String {
    match one.kind {
        Moment::Start => "start (step 0)".to_owned(),
        Moment::Step => format!("step {}", one.step_name()),
        Moment::Before => "before a rewind".to_owned(),
        Moment::Halfway => "halfway through a rewind".to_owned(),
        kind => kind.word().unwrap_or_default().to_owned(),
    }
}
