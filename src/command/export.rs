//! `plan export`: writes the plan in the formats of other programs.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::{Context, Exit, happened};
use crate::disk::Replacement;
use crate::error::{Error, Kind, Result};
use crate::exchange::{planner, prd};
use crate::plan::model::{GoalRef, Plan, Status};
use crate::plan::view;
use crate::repo::Repo;
use crate::shell::quote;
use crate::store::{self, Place};
use crate::ui::Ui;

/// Write the plan as user stories (prd.json), a goal's steps for a planner, or all as JSON
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan export prd prd.json\n  plan export json plan.json")]
pub struct Args {
    #[command(subcommand)]
    what: ExportFormat,
}

#[derive(Debug, clap::Subcommand)]
enum ExportFormat {
    /// Write the goals as user stories: prd.json, schema version 1
    ///
    /// A story is done only if a sign-off covers the goal's contract. An overwritten file keeps its ids and everything
    /// that plan.md does not have. `plan` names the fields that a story has no place for, with their counts.
    #[command(after_help = "Example:\n  plan export prd prd.json\n  plan export prd --schema")]
    Prd {
        /// The file; `-`, or none, is stdout.
        #[arg(value_name = "FILE")]
        target: Option<PathBuf>,
        /// Print the JSON schema of the format.
        #[arg(long, conflicts_with = "target")]
        schema: bool,
    },
    /// Write the steps of a goal as the state of a planner's plan
    ///
    /// Skipped steps are left out. The history of a step lists its runs in `plan events`. FILE must be new, or hold such a state.
    #[command(after_help = "Example:\n  plan export planner state.json\n  plan export planner --goal cache-layer-1")]
    Planner {
        /// The file; `-`, or none, is stdout.
        #[arg(value_name = "FILE")]
        target: Option<PathBuf>,
        /// The goal; else the active one of the highest priority.
        #[arg(long, value_name = "ID")]
        goal: Option<String>,
    },
    /// Write the whole plan as JSON, as `plan show --json` prints it
    #[command(after_help = "Example:\n  plan export json\n  plan export json plan.json")]
    Json {
        /// The file; `-`, or none, is stdout.
        #[arg(value_name = "FILE")]
        target: Option<PathBuf>,
    },
}

/// Writes the requested export.
pub fn run(context: &Context, args: &Args) -> Result<Exit> {
    match &args.what {
        ExportFormat::Prd { schema: true, .. } => {
            context.ui.script("schema", prd::SCHEMA);
            Ok(Exit::Yes)
        }
        ExportFormat::Prd { target, .. } => stories(context, target.as_deref()),
        ExportFormat::Planner { target, goal } => steps(context, target.as_deref(), goal.as_deref()),
        ExportFormat::Json { target } => whole(context, target.as_deref()),
    }
}

fn stories(context: &Context, file: Option<&Path>) -> Result<Exit> {
    let (place, target) = places(context, file)?;
    let source = store::read(&place)?;
    let plan = place.parse(&source)?;
    let old = target.as_ref().map(|target| target.old(context)).transpose()?.flatten();
    let old = old.as_deref().map(|old| {
        prd::read(old).map_err(|refusal| {
            let other = "another file, or move this one away: it is not written over";
            refusal.error(&target.as_ref().map_or_else(String::new, Target::name)).hint(other)
        })
    });
    let export = prd::export::export(&plan, old.transpose()?.as_ref(), || branch(&place))?;
    let text = export.prd.write().map_err(|refusal| refusal.error("the export"))?;
    let left_out: Map<String, Value> =
        export.left_out.iter().map(|(what, count)| ((*what).into(), (*count).into())).collect();
    match &target {
        None => {
            if !context.ui.is_json() {
                context.ui.json_line(text.trim_end());
            }
            context.ui.json(&json!({ "prd": export.prd, "left_out": left_out, "notes": export.notes }));
        }
        Some(target) => {
            target.put(&text)?;
            let count = match export.prd.user_stories.len() {
                1 => "1 story".to_owned(),
                count => format!("{count} stories"),
            };
            context.ui.line(&format!("wrote {count} to `{}`", target.name()));
            let body = json!({ "file": target.name(), "stories": export.prd.user_stories.len(), "left_out": left_out, "notes": export.notes });
            context.ui.json(&body);
        }
    }
    if !export.left_out.is_empty() {
        let counts: Vec<String> = export.left_out.iter().map(|(what, count)| format!("{what} {count}")).collect();
        context.ui.note(&format!("note: a prd.json has no place for: {}; plan.md keeps them", counts.join(", ")));
    }
    context.notes(&export.notes);
    Ok(Exit::Yes)
}

/// Returns the error that no goal is active, with a command that names an open goal.
fn none_active(plan: &Plan<'_>, file: Option<&Path>) -> Error {
    let error = Error::input("no goal is active");
    let open = plan.live_goals().filter(|goal| goal.status() == Status::Open);
    let file = file.map(|file| format!(" {}", quote(&file.to_string_lossy()))).unwrap_or_default();
    let named = open
        .min_by_key(|goal| goal.priority())
        .map(|goal| format!("plan export planner{file} --goal {}", goal.typed()));
    named.into_iter().fold(error, Error::hint)
}

fn steps(context: &Context, file: Option<&Path>, goal: Option<&str>) -> Result<Exit> {
    let (place, target) = places(context, file)?;
    let source = store::read(&place)?;
    let plan = place.parse(&source)?;
    let goal = match goal {
        Some(name) => plan.find_goal(name)?,
        None => {
            let active = plan.live_goals().filter(|goal| goal.status() == Status::Active);
            active.min_by_key(|goal| goal.priority()).ok_or_else(|| none_active(&plan, file))?
        }
    };
    let (state, skipped) = planner::export(goal, &happened::history(&place)).ok_or_else(|| {
        let message = format!("goal `{}` has no step that a planner could see", goal.name());
        Error::input(message).hint(format!("plan step add {} \"text\"", goal.typed()))
    })?;
    let text = format!("{state:#}");
    match &target {
        None if context.ui.is_json() => context.ui.json(&state),
        None => context.ui.json_line(&text),
        Some(target) => {
            let old = target.old(context)?;
            if old.is_some_and(|old| !matches!(planner::read(&old), Ok(planner::Reply::Plan(_)))) {
                return Err(target.is_another("planner's plan"));
            }
            target.put(&(text + "\n"))?;
            context.ui.line(&format!("wrote the steps of `{}` to `{}`", goal.name(), target.name()));
            context.ui.json(&json!({ "file": target.name(), "goal": goal.id(), "skipped": skipped }));
        }
    }
    if skipped > 0 {
        context.ui.note(&format!("note: skipped steps left out: {skipped}"));
    }
    Ok(Exit::Yes)
}

fn whole(context: &Context, file: Option<&Path>) -> Result<Exit> {
    let (place, target) = places(context, file)?;
    let source = store::read(&place)?;
    let plan = place.parse(&source)?;
    let goals: Vec<GoalRef<'_, '_>> = plan.live_goals().collect();
    let text = Ui::document(&view::shown(&plan, &goals));
    match &target {
        None => context.ui.json_line(&text),
        Some(target) => {
            let old = target.old(context)?;
            if old.is_some_and(|old| {
                serde_json::from_slice::<Value>(&old).ok().is_none_or(|old| old.get("goals").is_none())
            }) {
                return Err(target.is_another("plan"));
            }
            target.put(&(text + "\n"))?;
            context.ui.line(&format!("wrote the plan to `{}`", target.name()));
            context.ui.json(&json!({ "file": target.name(), "goals": goals.len() }));
        }
    }
    Ok(Exit::Yes)
}

/// Returns the place of plan.md and the target file; without a file, or for `-`, none: that means stdout. A judge writes no file.
fn places(context: &Context, file: Option<&Path>) -> Result<(Place, Option<Target>)> {
    let Some(file) = file.filter(|file| *file != Path::new("-")) else { return Ok((context.place()?, None)) };
    let place = context.writable()?;
    let target = Target::of(context, file)?;
    if target.path == place.file {
        return Err(Error::input("this file is the plan itself").hint("name another file"));
    }
    Ok((place, Some(target)))
}

/// Returns the branch that HEAD is on; `None` without a repository.
fn branch(place: &Place) -> Result<Option<String>> {
    let (Some(top), Some(git_dir)) = (&place.top, &place.git_dir) else { return Ok(None) };
    match Repo::open(top, git_dir)? {
        Some(repo) => repo.branch(),
        None => Ok(None),
    }
}

/// The file to write, as the caller named it and with its links resolved.
struct Target {
    named: PathBuf,
    path: PathBuf,
}

impl Target {
    fn of(context: &Context, file: &Path) -> Result<Self> {
        let named = context.cwd.join(file);
        let refused = |error: std::io::Error| unwritable(file, &error);
        let path = match named.symlink_metadata() {
            Ok(_) => named.canonicalize().map_err(refused)?,
            Err(_) => {
                let folder = named.parent().unwrap_or(Path::new("/")).canonicalize().map_err(refused)?;
                let name =
                    named.file_name().ok_or_else(|| Error::input(format!("`{}` is not a file", file.display())))?;
                folder.join(name)
            }
        };
        Ok(Target { named: file.to_owned(), path })
    }

    fn name(&self) -> String {
        self.named.to_string_lossy().into_owned()
    }

    /// The error for a file that holds something other than the export.
    fn is_another(&self, what: &str) -> Error {
        Error::input(format!("`{}` exists and is not a {what}: `plan` does not overwrite it", self.name()))
            .hint("name another file, or move this one away")
    }

    /// Returns the bytes of the existing file; `None` if there is no file.
    fn old(&self, context: &Context) -> Result<Option<Vec<u8>>> {
        if self.path.symlink_metadata().is_err() {
            return Ok(None);
        }
        context.read_named(&self.path).map(Some)
    }

    /// Replaces the file in one step; a file with the same text stays untouched.
    fn put(&self, text: &str) -> Result<()> {
        if std::fs::symlink_metadata(&self.path).is_ok_and(|meta| !meta.is_file()) {
            return Err(Error::input(format!("`{}` is not a regular file", self.name())).harmless());
        }
        if std::fs::read(&self.path).is_ok_and(|old| old == text.as_bytes()) {
            return Ok(());
        }
        let put = Replacement::write(&self.path, text.as_bytes()).and_then(Replacement::put);
        put.map_err(|error| unwritable(&self.named, &error))
    }
}

fn unwritable(file: &Path, error: &std::io::Error) -> Error {
    Error::new(Kind::Input, format!("cannot write `{}`: {error}", file.display())).harmless()
}
