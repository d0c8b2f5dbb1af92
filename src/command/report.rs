//! `plan report`: the whole plan with its verdicts, for people who look rather than read.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};

use serde_json::json;

use super::{Context, Exit};
use crate::audit::records::Records;
use crate::base;
use crate::disk::{Replacement, is_same_file};
use crate::error::{Error, Kind, Result};
use crate::report::{GENERATOR, Report, ReportOrigin};
use crate::store::{self, Place};

/// The number of bytes of a file that are searched for [`GENERATOR`].
const HEAD: u64 = 1024;

/// Print the plan with its verdicts as Markdown, or write it as one HTML page
///
/// The report begins with the goals that need a look. Then come all goals with the judge's citations, the needs between goals, times
/// and the log. The page loads nothing and runs no script. The same plan and records give the same bytes.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan report --html report.html\n  plan report >> \"$GITHUB_STEP_SUMMARY\"")]
pub struct Args {
    /// Write one HTML page to FILE, which must be new or a page of an earlier report; `-` for stdout.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// Prints the report, or writes it.
pub fn run(context: &Context, args: &Args) -> Result<Exit> {
    let place = context.place()?;
    let source = store::read(&place)?;
    let plan = place.parse(&source)?;
    let target = match &args.html {
        Some(file) if file.as_os_str() != "-" => {
            context.refuse_inside_judge()?;
            Some((file, target(context, &place, file)?))
        }
        _ => None,
    };
    let records = Records::of(&place, &plan)?;
    let report = Report::new(&plan, origin(&place, &source)?, &records);
    match (&args.html, target) {
        (_, Some((file, target))) => {
            let page = report.html();
            write(&target, file, page.as_bytes())?;
            context.ui.line(&format!("wrote {}, {} bytes", file.display(), page.len()));
            context.ui.json(&json!({ "file": file.to_string_lossy(), "bytes": page.len() }));
        }
        (Some(_), None) => context.ui.script("html", &report.html()),
        (None, None) if context.ui.is_json() => context.ui.json(&report),
        (None, None) => context.ui.line(report.markdown().trim_end()),
    }
    Ok(Exit::Yes)
}

fn origin(place: &Place, source: &[u8]) -> Result<ReportOrigin> {
    let mut origin = ReportOrigin { file: place.shown.to_string_lossy().into_owned(), ..ReportOrigin::default() };
    if let Some(repo) = base::open(place)? {
        origin.branch = repo.branch()?;
        if let Some(head) = repo.head()? {
            origin.is_changed = repo.file_at(head, &place.file)?.as_deref() != Some(source);
            origin.commit = Some(head.short());
        }
    }
    Ok(origin)
}

/// Returns the path for the page: a new file, or one that an earlier report wrote.
fn target(context: &Context, place: &Place, file: &Path) -> Result<PathBuf> {
    let refused = |why: &str| {
        Error::input(format!("cannot write the report to `{}`: {why}", file.display()))
            .hint("name a new file: plan report --html report.html")
    };
    let name = file.file_name().ok_or_else(|| refused("it names no file"))?;
    let whole = fs::canonicalize(&context.cwd).unwrap_or_else(|_| context.cwd.clone()).join(file);
    let folder = whole.parent().and_then(|folder| fs::canonicalize(folder).ok());
    let folder = folder.filter(|folder| folder.is_dir()).ok_or_else(|| refused("its folder is not there"))?;
    let top = place.top.as_ref().unwrap_or(&place.root);
    if as_named(&whole).starts_with(top) && !folder.starts_with(top) {
        return Err(refused("a link on the way leads out of the repository"));
    }
    let target = folder.join(name);
    let found = match fs::symlink_metadata(&target) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(target),
        found => found.map_err(|error| refused(&error.to_string()))?,
    };
    if fs::metadata(&place.file).is_ok_and(|plan| is_same_file(&plan, &found)) {
        return Err(refused("it is the plan file"));
    }
    if !found.is_file() {
        return Err(refused(if found.is_symlink() { "it is a link" } else { "it is not a regular file" }));
    }
    let mut head = Vec::new();
    let read = fs::File::open(&target).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    read.map_err(|error| refused(&error.to_string()))?;
    let is_ours = head.is_empty() || memchr::memmem::find(&head, GENERATOR.as_bytes()).is_some();
    if is_ours { Ok(target) } else { Err(refused("there is a file that `plan report` did not write")) }
}

/// Returns the path without `.` and `..`, as the caller means it: links are not resolved.
fn as_named(path: &Path) -> PathBuf {
    let mut named = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                named.pop();
            }
            part => named.push(part),
        }
    }
    named
}

fn write(target: &Path, file: &Path, page: &[u8]) -> Result<()> {
    let is_new = fs::symlink_metadata(target).is_err();
    let written =
        Replacement::write(target, page).and_then(|page| if is_new { page.put_into_free_place() } else { page.put() });
    written.map_err(|error| {
        Error::new(Kind::Unknown, format!("cannot write `{}`: {}", file.display(), store::reason(&error)))
    })
}
