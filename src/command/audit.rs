//! `plan audit`: checks sign-offs for reviewers and CI, and moves their records between clones.

use serde_json::json;

use super::{Context, Exit};
use crate::audit::{self, AuditReport, AuditRequest, Rerun, show};
use crate::base;
use crate::config::{self, Config};
use crate::error::{Error, Kind, Result};
use crate::plan::text::counted;
use crate::repo::Transfer;
use crate::shell::quote;
use crate::signoff::judge::Reference;

/// Check the plan against its log, records and history: is every done goal signed off?
///
/// Every done goal must be signed off for its current contract. With `--base`, contracts come from that revision:
/// the audit finds what was loosened, rewritten or removed since. Exit 1 if there is a finding, with a line for each. Exit 3 if the
/// clone lacks history.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan audit --base origin/main\n  plan audit --push origin")]
pub struct Args {
    /// Only findings about these goals, each named by its id or unique subject.
    #[arg(value_name = "ID")]
    goals: Vec<String>,
    /// The revision to compare with: a branch, tag or commit.
    #[arg(long, value_name = "REV", allow_hyphen_values = true)]
    base: Option<String>,
    /// Run verify again, in clean copies, with the full gate, for the goals done since REV; without REV, for all done goals.
    #[arg(long)]
    rerun: bool,
    /// Accept this judge, called with exactly these words, although the caller named it; repeatable.
    #[arg(long = "accept-judge", value_name = "REF", value_parser = Reference::parse)]
    accepted: Vec<Reference>,
    /// The output format.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: AuditFormat,
    /// Push the records of sign-offs to this remote; nothing is audited.
    #[arg(long, value_name = "REMOTE", allow_hyphen_values = true, conflicts_with_all = ["goals", "base", "rerun", "fetch"])]
    push: Option<String>,
    /// Fetch the records of sign-offs from this remote; nothing is audited.
    #[arg(long, value_name = "REMOTE", allow_hyphen_values = true, conflicts_with_all = ["goals", "base", "rerun"])]
    fetch: Option<String>,
}

/// The values of `--format`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum AuditFormat {
    /// For people.
    #[default]
    Text,
    /// One JSON document, as with `--json`.
    Json,
    /// Annotations of a GitHub Actions job.
    Github,
}

impl Args {
    /// True if the caller asks for one JSON document.
    pub fn is_json(&self) -> bool {
        self.format == AuditFormat::Json
    }
}

/// Runs the audit, or moves records.
pub fn run(context: &Context, args: &Args) -> Result<Exit> {
    if let Some(remote) = &args.push {
        context.refuse_inside_judge()?;
        return transfer(context, "pushed", remote, |repo, remote| repo.push_records(remote));
    }
    if let Some(remote) = &args.fetch {
        context.refuse_inside_judge()?;
        return transfer(context, "fetched", remote, |repo, remote| repo.fetch_records(remote));
    }
    let place = match (context.place(), &args.base) {
        (Err(error), Some(base)) => return Err(removed(context, args, base)?.unwrap_or(error)),
        (place, _) => place?,
    };
    let config = match args.rerun {
        true => context.refuse_inside_judge().and_then(|()| config::load())?,
        false => Config::default(),
    };
    let ask = AuditRequest {
        place: &place,
        goals: &args.goals,
        base: args.base.as_deref(),
        accepted: &args.accepted,
        rerun: args.rerun.then_some(Rerun { config: &config, watch: &context.ui }),
    };
    let report = audit::audit(&ask)?;
    print(context, args, &report);
    Ok(if report.count() == 0 { Exit::Yes } else { Exit::No })
}

/// Returns the finding that plan.md is gone, if the revision to compare with has it.
fn removed(context: &Context, args: &Args, base: &str) -> Result<Option<Error>> {
    let place = context.new_place()?;
    let Some(repo) = base::open(&place)? else { return Ok(None) };
    let Some(commit) = repo.revision(base)? else { return Ok(None) };
    if base::plan_at(&repo, &place, commit)?.is_none() {
        return Ok(None);
    }
    let shown = place.shown.to_string_lossy();
    let message = format!("{shown} is gone, and {base} has it: none of its goals can be audited");
    if args.format == AuditFormat::Github {
        context.ui.line(&show::gone(&shown, &message));
    }
    let bring_back = format!("git checkout {} -- {}", quote(base), quote(&shown));
    Ok(Some(Error::new(Kind::No, message).hint(bring_back)))
}

fn print(context: &Context, args: &Args, report: &AuditReport) {
    match args.format {
        AuditFormat::Github => context.ui.line(show::github(report).trim_end()),
        AuditFormat::Text | AuditFormat::Json => context.ui.rows(&show::text(report)),
    }
    context.ui.json(report);
}

fn transfer(
    context: &Context,
    word: &str,
    remote: &str,
    transfer: impl Fn(&crate::repo::Repo, &str) -> Result<Transfer>,
) -> Result<Exit> {
    let place = context.place()?;
    let repo = base::open(&place)?.ok_or_else(|| {
        Error::input("there is no git repository here, so there are no records")
            .hint("run it where the plan's repository is")
    })?;
    let Transfer { new, same, different } = transfer(&repo, remote)?;
    context.ui.line(&format!("{} {word}, {same} already there", counted(new.len(), "record")));
    for name in &different {
        context.ui.line(&format!("! {name} is a different record there; both are kept"));
    }
    context.ui.json(&json!({ word: new, "same": same, "different": different }));
    Ok(if different.is_empty() { Exit::Yes } else { Exit::No })
}
