//! Fixes the faults that can be fixed without losing anything: ids, files that killed runs left, hooks, attributes, the
//! driver. It never changes a status, a contract, a log line or a record.

use jiff::Timestamp;

use super::file::is_free;
use super::git::repository;
use super::{Context, DoctorFinding, hooks};
use crate::error::Result;
use crate::plan::change::{self, Change};
use crate::plan::lint;
use crate::plan::text::counted;
use crate::repo::Settings;
use crate::repo::merge_driver::{self, DRIVER, NAME, TITLE};
use crate::settings::program;
use crate::store::{self, Place};

/// The maximum number of copies of plan.md that are kept.
const KEPT: usize = 10;
/// The folder of the copies, in the state folder.
const FOLDER: &str = "doctor";

/// A line for each repair, or the error of one that failed.
pub type Fixed = Vec<Result<String>>;

/// Keeps a copy of the present plan.md, beside the nine before it. Returns its path; `None` if there is no plan.md.
///
/// # Errors
/// As [`store::write_state`].
pub fn keep_copy(context: &Context<'_>) -> Result<Option<String>> {
    let (Some(place), Some(Ok(source))) = (context.place(), &context.material.source) else { return Ok(None) };
    let name = format!("{FOLDER}/{}.md", Timestamp::now().strftime("%Y%m%d-%H%M%S-%6f"));
    store::write_state(place, &name, source)?;
    let folder = store::state_folder(place, FOLDER)?;
    let names = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = names.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.retain(|name| name.ends_with(".md"));
    names.sort_unstable();
    for old in names.iter().rev().skip(KEPT) {
        store::remove_state(place, &format!("{FOLDER}/{old}"))?;
    }
    Ok(Some(store::state_file(place, &name).to_string_lossy().into_owned()))
}

/// Mends those of `findings` that are fixable.
pub fn fix(context: &Context<'_>, findings: &[DoctorFinding]) -> Fixed {
    let has = |code: &str| findings.iter().any(|finding| finding.code == code && finding.fixable);
    let mut done = Vec::new();
    if has("hook-dead") {
        done.extend(hooks::correct(context));
    }
    if has("no-driver") {
        done.push(set_driver(context));
    }
    if has("no-attributes") {
        done.push(add_attributes(context));
    }
    if let Some(place) = context.place() {
        if has("leftover") {
            done.push(sweep(place));
        }
        if has("goal-id") || has("step-number") {
            done.push(give_names(context, place));
        }
    }
    done
}

fn set_driver(context: &Context<'_>) -> Result<String> {
    let Some((repo, ..)) = repository(context) else { return Ok(String::new()) };
    let settings = Settings::of_project(repo.git_dir());
    settings.set(repo.top(), NAME, TITLE)?;
    settings.set(repo.top(), DRIVER, &merge_driver::command(&program::path(repo.top())?))?;
    Ok(format!("set {DRIVER} in this clone"))
}

fn add_attributes(context: &Context<'_>) -> Result<String> {
    let Some((repo, _, path)) = repository(context) else { return Ok(String::new()) };
    let line = merge_driver::line(&path);
    merge_driver::put_line(repo.top(), &line)?;
    Ok(format!("added `{line}` to .gitattributes; commit it"))
}

fn sweep(place: &Place) -> Result<String> {
    store::sweep(place)?;
    Ok("moved the files of killed runs to the versions of `plan undo --list`".to_owned())
}

/// Gives ids to goals and numbers to steps.
fn give_names(context: &Context<'_>, place: &Place) -> Result<String> {
    let (mut ids, mut numbers) = (0, 0);
    store::update(place, |source| {
        let plan = place.parse(source)?;
        let changes = if is_free(&plan) { lint::fixes(&plan) } else { Vec::new() };
        ids = changes.iter().filter(|change| matches!(change, Change::AddId { .. })).count();
        numbers = changes.len() - ids;
        change::edits(&plan, &changes)
    })?;
    let given =
        [(ids, "goal", "an id"), (numbers, "step", "a free number")].into_iter().filter(|(count, ..)| *count > 0);
    let given: Vec<String> = given.map(|(count, who, what)| format!("{} {what}", counted(count, who))).collect();
    Ok(format!("{}: gave {}", context.shown(), given.join(", ")))
}
