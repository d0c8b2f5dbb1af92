//! `plan undo`: brings back a version that a write replaced.

use serde_json::json;

use super::{Context, Exit};
use crate::base;
use crate::contract::{approved, person};
use crate::error::{Error, Kind, Result};
use crate::plan::log::{LogLine, folded};
use crate::plan::model::Plan;
use crate::plan::parse;
use crate::plan::rules::{self, Approvals, PlanState};
use crate::plan::text::cut;
use crate::shell::quote;
use crate::store::{self, Class, KeptVersion, Place};

/// The maximum number of bytes of a log line that are shown.
const LONGEST: usize = 100;

/// Restore plan.md as it was before the last write
///
/// `plan` keeps the current version, so you can undo an undo. What git brought (a pull, another branch) is taken back only if
/// you name the version.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan undo --list\n  plan undo 1")]
pub struct Args {
    /// The version, by its place in `--list`; by default the newest.
    version: Option<String>,
    /// Show the versions that are kept.
    #[arg(long, conflicts_with = "version")]
    list: bool,
}

/// Lists or restores.
pub fn run(context: &Context, args: &Args) -> Result<Exit> {
    if args.list {
        return list(context);
    }
    context.refuse_inside_judge()?;
    let place = place(context)?;
    let id = args.version.as_deref().map(|word| named(&place, word)).transpose()?;
    refuse_gits(&place, id.is_some())?;
    let before = rewinds(&place);
    let allow = |now: &[u8], then: &[u8]| match is_persons(&place, now, then) {
        true => person::require_for(&own_command(args)).and_then(|()| follow(&place, now, then)),
        false => Ok(()),
    };
    let (restored, notes) = store::undo_restore(&place, id.as_deref(), allow)?;
    context.notes(&notes);
    context.ui.line(&format!("restored the version replaced at {} ({} bytes)", local(&restored), restored.bytes));
    context.ui.line(&format!(
        "its last log line: {}",
        store::read(&place).map_or_else(|_| NO_LINE.to_owned(), |now| last_line(&now))
    ));
    context.ui.line("`plan undo` reverts this; `plan undo --list` shows the other versions");
    if rewinds(&place) < before {
        context.ui.note("note: the files were rewound too: `plan rewind --undo`");
    }
    context.ui.json(&json!({ "restored": described(&restored) }));
    Ok(Exit::Yes)
}

/// Refuses to take back what git brought: a merge, a pull, another branch. The person asks for the last write of `plan`, and that
/// one is part of it or belongs to another branch. A merge that is not finished would lose one side, whatever the person names.
fn refuse_gits(place: &Place, is_named: bool) -> Result<()> {
    let Ok(now) = store::read(place) else { return Ok(()) };
    if parse::conflict(&now).is_some() {
        return place.parse(&now).map(drop);
    }
    let is_by_others = store::undo_list(place)?.first().is_some_and(|version| version.class == Class::Overwritten);
    if !is_named && is_by_others && committed(place)?.is_some_and(|committed| committed == now) {
        return Err(Error::new(
            Kind::No,
            format!("`{}` is as HEAD has it, and `plan` did not write this version", place.shown.display()),
        )
        .hint("`plan undo --list` shows what was there before; `plan undo 1` goes back all the same"));
    }
    Ok(())
}

/// Returns plan.md as it is in HEAD.
fn committed(place: &Place) -> Result<Option<Vec<u8>>> {
    let Some(repo) = base::open(place)? else { return Ok(None) };
    match repo.head()? {
        Some(head) => base::plan_at(&repo, place, head),
        None => Ok(None),
    }
}

/// Returns how many rewinds the log of the present plan.md mentions.
fn rewinds(place: &Place) -> usize {
    let source = store::read(place).unwrap_or_default();
    let Ok(plan) = place.parse(&source) else { return 0 };
    plan.log_lines().filter(|(_, text)| matches!(LogLine::parse(text), Some(LogLine::Rewound { .. }))).count()
}

/// Returns whether only a person may replace `now` by `then` (`CONTRACT.md` §3.2, and law 1 of §3.5): if `now` was
/// agreed with a person or waits for one, or if `then` has an approval that `now` no longer has.
fn is_persons(place: &Place, now: &[u8], then: &[u8]) -> bool {
    // A version that cannot be read has no state, and no command works on it.
    let Ok(then) = place.parse(then) else { return false };
    let now = place.parse(now).ok();
    let log = now.as_ref().map(Approvals::read).unwrap_or_default();
    let state = now.as_ref().map(|plan| rules::state_of(plan, &log));
    if matches!(state, Some(PlanState::Active | PlanState::Proposed)) {
        return true;
    }
    let older = Approvals::read(&then);
    older.holds(&then) && older.newest.is_some_and(|approval| log.newest != Some(approval))
}

/// Records the approval of the version that a person brings back; it is believed from then on (R27).
fn follow(place: &Place, now: &[u8], then: &[u8]) -> Result<()> {
    let newest = |plan: &Plan<'_>| Approvals::read(plan).newest.map(|(_, approval)| approval.contract.to_owned());
    let of = |bytes: &[u8]| place.parse(bytes).ok().as_ref().and_then(newest);
    approved::replace(place, of(now).as_deref(), of(then).as_deref())
}

/// Returns the command line by which a person does the same.
fn own_command(args: &Args) -> String {
    let version = args.version.as_deref().map(|version| format!(" {}", quote(version)));
    format!("plan undo{}", version.unwrap_or_default())
}

/// Returns the place where plan.md is, or was if versions of it are kept.
fn place(context: &Context) -> Result<Place> {
    context.place().or_else(|error| context.lost()?.ok_or(error))
}

/// Returns the id of a version that is named by its place in `--list`, or by its id.
fn named(place: &Place, word: &str) -> Result<String> {
    let versions = store::undo_list(place)?;
    let number = word.parse::<usize>().ok().filter(|number| *number > 0);
    let found = match number {
        Some(number) => versions.get(number - 1),
        None => versions.iter().find(|version| version.id == word),
    };
    found.map(|version| version.id.clone()).ok_or_else(|| {
        Error::input(format!("no version `{word}` is kept; there are {}", versions.len()))
            .hint("`plan undo --list` shows them")
    })
}

fn list(context: &Context) -> Result<Exit> {
    let versions = store::undo_list(&place(context)?)?;
    if !versions.is_empty() {
        context.ui.line("versions of plan.md that were replaced, the newest first; `plan undo N` brings one back");
    }
    for (index, version) in versions.iter().enumerate() {
        let (number, time, why) = (index + 1, local(version), version.class.word());
        context.ui.line(&format!(
            "{number:>3}  {time}  {} bytes  {why}; last log line: {}",
            version.bytes,
            last_line(&store::undo_content(version).unwrap_or_default())
        ));
    }
    if versions.is_empty() {
        context.ui.line("no version has been kept yet");
    }
    context.ui.json(&json!({ "versions": versions.iter().map(described).collect::<Vec<_>>() }));
    Ok(if versions.is_empty() { Exit::No } else { Exit::Yes })
}

/// The text in place of the last line, if a log has no lines.
const NO_LINE: &str = "none";

/// Returns the last line of a version's log, which tells what was done last: `14:33 a-1 started`.
fn last_line(bytes: &[u8]) -> String {
    let line = || {
        let plan = parse::parse(bytes).ok()?;
        let (stamp, text) = plan.log_lines().next_back()?;
        Some(cut(&format!("{stamp} {}", folded(text)), LONGEST))
    };
    line().unwrap_or_else(|| NO_LINE.to_owned())
}

fn local(version: &KeptVersion) -> String {
    version.displaced.to_zoned(crate::config::zone()).strftime("%Y-%m-%d %H:%M:%S").to_string()
}

fn described(version: &KeptVersion) -> serde_json::Value {
    json!({
        "id": version.id, "displaced": version.displaced.to_string(), "bytes": version.bytes,
        "class": version.class.word(), "path": version.path.to_string_lossy(),
    })
}
