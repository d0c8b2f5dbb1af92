//! Rows about git: does git have plan.md, and does git merge it as a plan?

use std::path::{Path, PathBuf};

use super::file::first_line;
use super::{Context, DoctorResult, Fault};
use crate::error::Result;
use crate::plan::model::Status;
use crate::plan::parse;
use crate::plan::snippet::place as line_and_column;
use crate::repo::merge_driver::{self, DRIVER};
use crate::repo::{Ignored, Repo, Settings};
use crate::shell::quote;
use crate::store::Place;

/// Returns the repository, the place of plan.md, and its path below the repository's top.
pub(super) fn repository<'c>(context: &Context<'c>) -> Option<(&'c Repo, &'c Place, PathBuf)> {
    let (place, repo) = (context.place()?, context.repo()?);
    Some((repo, place, place.file.strip_prefix(repo.top()).ok()?.to_owned()))
}

/// Turns an answer of git into a look. An error means that the row could not look.
fn looked(answer: Result<Option<Fault>>) -> DoctorResult {
    match answer {
        Ok(fault) => DoctorResult::of(fault),
        Err(error) => DoctorResult::one(Fault::blind(first_line(&error), "git status")),
    }
}

pub(super) fn ignored(context: &Context<'_>) -> DoctorResult {
    let Some((repo, _, path)) = repository(context) else { return DoctorResult::Absent };
    looked(rule(repo, &path).map(|rule| {
        let Ignored { source, line, pattern } = rule?;
        let shown = context.shown();
        let what = format!("{shown} is ignored by {}:{line} `{pattern}`", source.display());
        Some(Fault::new(what, format!("git add -f {}", quote(&shown))))
    }))
}

fn rule(repo: &Repo, path: &Path) -> Result<Option<Ignored>> {
    Ok(repo.ignored_by(&[path])?.pop().flatten())
}

pub(super) fn untracked(context: &Context<'_>) -> DoctorResult {
    if let Some(error) = context.repo_error() {
        return DoctorResult::one(Fault::blind(first_line(error), "git status"));
    }
    if context.place().is_some_and(|place| place.git_dir.is_some()) && context.repo().is_none() {
        return DoctorResult::one(Fault::blind("there is no git on `PATH`", "command -v git"));
    }
    let (Some((repo, _, path)), Some(plan)) = (repository(context), context.plan) else { return DoctorResult::Absent };
    // Before work has begun, a plan may be a sketch.
    let has_begun = !plan.log.is_empty() || plan.live_goals().any(|goal| goal.status() != Status::Open);
    if !has_begun {
        return DoctorResult::FINE;
    }
    looked((|| {
        if repo.is_tracked(&path)? || rule(repo, &path)?.is_some() {
            return Ok(None);
        }
        let shown = context.shown();
        Ok(Some(Fault::new(format!("git does not track {shown}"), format!("git add {}", quote(&shown)))))
    })())
}

/// Returns the command of the driver, from this clone's settings or else the user's.
fn driver(place: &Place) -> Result<Option<String>> {
    let (Some(top), Some(git_dir)) = (&place.top, &place.git_dir) else { return Ok(None) };
    match Settings::of_project(git_dir).get(top, DRIVER)? {
        Some(driver) => Ok(Some(driver)),
        None => Settings::User.get(top, DRIVER),
    }
}

pub(super) fn conflict(context: &Context<'_>) -> DoctorResult {
    let Some(Ok(source)) = &context.material.source else { return DoctorResult::Absent };
    let Some(at) = parse::conflict(source) else { return DoctorResult::FINE };
    let (shown, (line, _)) = (context.shown(), line_and_column(source, at));
    let quoted = quote(&shown);
    // `plan` has merged the file already, so the conflict is a real one. Another merge would drop what is resolved by now.
    let is_merged = repository(context).is_some_and(|(repo, place, path)| {
        driver(place).is_ok_and(|driver| driver.is_some()) && is_selected(repo, &path).unwrap_or(false)
    });
    let fix = match is_merged {
        true => format!("keep one text of each marked place in an editor, then: git add {quoted}"),
        false => format!("plan install git; git checkout --merge {quoted}"),
    };
    DoctorResult::one(Fault::new(format!("{shown}:{line} has a git conflict marker"), fix))
}

fn is_selected(repo: &Repo, path: &Path) -> Result<bool> {
    Ok(repo.merge_attribute(path)? == "plan")
}

pub(super) fn no_driver(context: &Context<'_>) -> DoctorResult {
    let Some((repo, place, path)) = repository(context) else { return DoctorResult::Absent };
    match is_selected(repo, &path) {
        Ok(false) => return DoctorResult::Absent,
        Ok(true) => {}
        Err(error) => return DoctorResult::one(Fault::blind(first_line(&error), "git status")),
    }
    let gone = |driver: &String| merge_driver::program(driver).filter(|program| !Path::new(program).exists());
    let what = |found: Option<String>| match found {
        None => Some("`.gitattributes` names the merge driver, and this clone has none".to_owned()),
        Some(driver) => gone(&driver).map(|program| format!("the merge driver calls `{program}`, which is gone")),
    };
    looked(driver(place).map(|found| Some(Fault::new(what(found)?, "plan install git").fixable(true))))
}

pub(super) fn no_attributes(context: &Context<'_>) -> DoctorResult {
    let Some((repo, place, path)) = repository(context) else { return DoctorResult::Absent };
    // The user's driver is for all repositories; only the clone's driver shows that this repository wants it.
    let git_dir = place.git_dir.as_deref().unwrap_or(repo.git_dir());
    match Settings::of_project(git_dir).get(repo.top(), DRIVER) {
        Ok(Some(driver)) if merge_driver::is_ours(&driver) => {}
        Ok(_) => return DoctorResult::Absent,
        Err(error) => return DoctorResult::one(Fault::blind(first_line(&error), "git config --list")),
    }
    looked(is_selected(repo, &path).map(|is_selected| {
        let what = format!("this clone has the merge driver, and no attribute selects it for {}", context.shown());
        (!is_selected).then(|| Fault::new(what, "plan install git").fixable(true))
    }))
}
