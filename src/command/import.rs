//! `plan import`: turns the tasks of another program into goals.

mod folder;

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;

use super::{Context, Exit, confirmed};
use crate::config;
use crate::error::{Error, Result};
use crate::exchange::{self, Import, ImportReport, READERS, ReadOptions};
use crate::plan::rules::PlanRequest;
use crate::plan::text;
use crate::shell::quote;
use crate::store;

/// The maximum number of commands that are shown.
const SHOWN: usize = 5;
/// The only reader whose tasks have tags.
const TAGGED: &str = "taskmaster";

/// Import the tasks of another program as goals
///
/// An import runs nothing and marks nothing done. It leaves finished tasks out (a done story of a prd.json becomes an
/// open goal) and turns prose into a quote. A second import of the same tasks adds nothing.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  plan import taskmaster .taskmaster --dry-run\n  plan import taskmaster .taskmaster"
)]
pub struct Args {
    /// The program that wrote the tasks; `json` for any other.
    #[arg(value_parser = PossibleValuesParser::new(READERS.map(|reader| reader.name)))]
    tool: String,
    /// Its file, or the folder that holds its files; `-` is stdin.
    path: PathBuf,
    /// Show the three lists (mapped, kept as prose, dropped) and write nothing.
    #[arg(long)]
    dry_run: bool,
    /// Import finished tasks too, as open goals.
    #[arg(long)]
    finished: bool,
    /// The tag to read; only Task Master has tags.
    #[arg(long, value_name = "TAG")]
    tag: Option<String>,
    /// The reason for the change, which then waits for approval. Only in contract mode.
    #[arg(long, value_name = "WHY", allow_hyphen_values = true)]
    because: Option<String>,
}

/// Reads the files, writes the goals in one write, and prints what became of every record.
pub fn run(context: &Context, args: &Args) -> Result<Exit> {
    let place = if args.dry_run { context.place() } else { context.writable() };
    let place = place.map_err(|error| match context.named_file().is_none() && matches!(context.find(), Ok(None)) {
        true => Error { hints: vec![format!("`plan init && {}`", again(args, args.dry_run))], ..error },
        false => error,
    })?;
    let reader = READERS.iter().find(|reader| reader.name == args.tool);
    let reader = reader.ok_or_else(|| Error::input(format!("no reader is called `{}`", args.tool)))?;
    if args.tag.is_some() && reader.name != TAGGED {
        return Err(Error::input(format!("{} has no tags", reader.tool)).hint(again(args, args.dry_run)));
    }
    let files =
        folder::read(&context.cwd, &args.path, reader, &place.file).map_err(|error| with_options(args, error))?;
    let stamp = config::stamp()?;
    let date = stamp.split(' ').next().unwrap_or_default().to_owned();
    let read = (reader.read)(&files, &ReadOptions { tag: args.tag.clone(), date });
    let mut list = read.map_err(|error| with_options(args, error))?;
    drop(files);
    list.notes.extend(confirmed::shell_needing(&list));
    if args.dry_run {
        let source = store::read(&place)?;
        let import = exchange::write(&place.parse(&source)?, &list, args.finished, &stamp)?;
        print(context, args, &import.report);
        return Ok(Exit::Yes);
    }
    let (because, again) = (text::reason(args.because.as_deref())?, context.with_reason());
    let mut report = ImportReport::default();
    context.change_as(&place, PlanRequest::Shape { because: because.as_deref(), again: again.as_deref() }, |plan| {
        let Import { changes, report: made } = exchange::write(plan, &list, args.finished, &stamp)?;
        report = made;
        Ok(changes)
    })?;
    print(context, args, &report);
    Ok(Exit::Yes)
}

/// Returns the command line that asks for the same import.
fn again(args: &Args, dry_run: bool) -> String {
    format!("plan import {} {}{}", args.tool, quote(&args.path.to_string_lossy()), options(args, &args.tool, dry_run))
}

/// Returns the options of this call that `tool` takes.
fn options(args: &Args, tool: &str, dry_run: bool) -> String {
    let mut line = if args.finished { " --finished".to_owned() } else { String::new() };
    let mut add = |option: &str, value: &str| line += &format!(" {option} {}", quote(value));
    args.tag.iter().filter(|_| tool == TAGGED).for_each(|tag| add("--tag", tag));
    args.because.iter().for_each(|why| add("--because", why));
    line + if dry_run { " --dry-run" } else { "" }
}

/// Adds the options of this call to the command that a reader's error names.
fn with_options(args: &Args, mut error: Error) -> Error {
    for hint in &mut error.hints {
        if let Some(rest) = hint.strip_prefix("plan import ") {
            *hint += &options(args, rest.split(' ').next().unwrap_or_default(), args.dry_run);
        }
    }
    error
}

fn print(context: &Context, args: &Args, report: &ImportReport) {
    context.ui.json(&report.json(args.dry_run));
    if context.ui.is_json() {
        return;
    }
    let line = |text: &str| context.ui.line(text);
    if args.dry_run {
        report.lists().iter().for_each(|text| line(text));
    } else if report.mapped.is_empty() {
        line(&format!("nothing imported from {}: no task is new", report.tool));
    } else {
        line(&format!("imported {} from {}", report.imported(), report.tool));
    }
    if !args.dry_run {
        report.summary().iter().for_each(|text| line(text));
    }
    report.remarks().iter().for_each(|text| line(text));
    for (goal, command) in report.commands.iter().take(SHOWN) {
        line(&format!("reads like a check, and is not run: plan goal set {goal} --verify {}", quote(command)));
    }
    if report.commands.len() > SHOWN {
        line(&format!("{} more texts read like a check", report.commands.len() - SHOWN));
    }
    if args.dry_run {
        context.ui.note(&format!("nothing was written; next: {}", again(args, false)));
    } else if let Some(first) = report.mapped.first() {
        context.ui.note(&format!("next: plan show {}", first.goal));
    }
}
