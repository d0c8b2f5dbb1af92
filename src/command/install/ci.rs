//! `plan install ci`: a GitHub Actions job that audits pull requests (`SIGNOFF.md` §8).

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::command::{Context, Exit};
use crate::disk::Replacement;
use crate::error::{Error, Kind, Result};
use crate::repo::audit_job::{self, FOLDERS};
use crate::store::Place;

/// Write `.github/workflows/plan-audit.yml`, which audits pull requests
///
/// The job runs on the merge result, for forks too, without secrets and with a read-only token. Edit it to say where plan
/// is installed from.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan install ci\n  plan install ci --print")]
pub(super) struct Args {
    /// Print the file and write nothing.
    #[arg(long)]
    print: bool,
}

/// Remove `.github/workflows/plan-audit.yml`, if it is as `plan install ci` wrote it
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan uninstall ci")]
pub(super) struct UninstallArgs {}

pub(super) fn run(context: &Context, args: &Args) -> Result<Exit> {
    if args.print {
        context.ui.script("workflow", &text(&present_or_not(context)?)?);
        return Ok(Exit::Yes);
    }
    let place = context.place()?;
    let text = text(&place)?;
    let path = path(&place)?;
    let outcome = match read(&path)? {
        Some(found) if found == text.as_bytes() => "unchanged",
        Some(_) => "different",
        None => write(&place, &path, &text).map(|()| "written")?,
    };
    let shown = context.shown(&path);
    context.ui.line(&match outcome {
        "written" => format!("wrote {shown}\nnext: edit it to say where plan is installed from, then commit it"),
        "unchanged" => format!("{shown} already exists"),
        _ => format!(
            "kept {shown}: its content differs\n`plan install ci --print` shows what would be written; if {shown} is the job of another \
             plan, write this one into a file beside it"
        ),
    });
    context.ui.json(&json!({ "file": path.to_string_lossy(), "outcome": outcome }));
    Ok(if outcome == "different" { Exit::No } else { Exit::Yes })
}

pub(super) fn uninstall(context: &Context, _: &UninstallArgs) -> Result<Exit> {
    let place = present_or_not(context)?;
    let path = path(&place)?;
    let outcome = match read(&path)? {
        None => "absent",
        Some(found) if found == text(&place)?.as_bytes() => {
            fs::remove_file(&path).map_err(|error| trouble("remove", &path, &error))?;
            // Folders that are empty now go too: git does not track empty folders.
            path.ancestors().skip(1).take(FOLDERS.len()).all(|folder| fs::remove_dir(folder).is_ok());
            "removed"
        }
        Some(_) => "different",
    };
    let shown = context.shown(&path);
    context.ui.line(&match outcome {
        "removed" => format!("removed {shown}"),
        "absent" => format!("{shown} does not exist"),
        _ => format!("kept {shown}: it is not as `plan install ci` wrote it; remove it by hand"),
    });
    context.ui.json(&json!({ "file": path.to_string_lossy(), "outcome": outcome }));
    Ok(if outcome == "different" { Exit::No } else { Exit::Yes })
}

/// The place where plan.md is or would be, so that a job can be removed after plan.md is gone.
fn present_or_not(context: &Context) -> Result<Place> {
    match context.find() {
        Ok(Some(place)) => Ok(place),
        _ => context.new_place(),
    }
}

/// The job for this plan file.
fn text(place: &Place) -> Result<String> {
    let top = top(place)?;
    let file = place.file.strip_prefix(top).unwrap_or(&place.file);
    audit_job::text(file).ok_or_else(|| {
        Error::input(format!("a CI job cannot name the plan file `{}`", file.display()))
            .hint("rename the file: no control characters, no `${{`")
    })
}

fn top(place: &Place) -> Result<&Path> {
    place
        .top
        .as_deref()
        .ok_or_else(|| Error::input("there is no git repository here: a CI job needs one").hint("`git init` makes one"))
}

/// The path of the job. Links on the way are refused: they could lead a write out of the repository.
fn path(place: &Place) -> Result<PathBuf> {
    let mut path = top(place)?.to_owned();
    for folder in FOLDERS {
        path.push(folder);
        if fs::symlink_metadata(&path).is_ok_and(|meta| !meta.is_dir()) {
            return Err(Error::input(format!("expected a folder at `{}`, found something else", path.display()))
                .hint("remove it, or write the job by hand: `plan install ci --print`"));
        }
    }
    path.push(audit_job::NAME);
    if fs::symlink_metadata(&path).is_ok_and(|meta| !meta.is_file()) {
        return Err(Error::input(format!("expected a regular file at `{}`, found something else", path.display())));
    }
    Ok(path)
}

fn read(path: &Path) -> Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(trouble("read", path, &error)),
    }
}

fn write(place: &Place, path: &Path, text: &str) -> Result<()> {
    let write = || {
        let folder = path.parent().unwrap_or(&place.root);
        fs::create_dir_all(folder)?;
        Replacement::write(path, text.as_bytes())?.put_into_free_place()
    };
    write().map_err(|error| trouble("write", path, &error))
}

fn trouble(what: &str, path: &Path, error: &io::Error) -> Error {
    Error::new(Kind::Input, format!("cannot {what} `{}`: {error}", path.display()))
}
