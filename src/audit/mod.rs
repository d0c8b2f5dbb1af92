//! `plan audit`: compares the plan file, its log and its records with each other and with an earlier revision (`SIGNOFF.md`
//! §8). Only the rerun runs commands of the plan: that is its purpose.
//!
//! Each file finds one family of findings; [`audit()`] calls them in order.

mod agreed;
mod attestation;
mod attested;
mod commits;
mod contracts;
mod damage;
mod facts;
mod finding;
mod judges;
mod log;
mod past;
pub mod past_contract;
pub mod records;
mod refs;
mod rerun;
pub mod show;
mod signed;
mod since;
mod widened;

use std::cell::OnceCell;
use std::collections::HashSet;
use std::path::Path;

use serde::Serialize;

pub use finding::{AuditFinding, AuditLevel};
use refs::Refs;
pub use rerun::{Rerun, RerunResult};

use self::facts::{AuditFacts, PastPlan};
use self::judges::AcceptedJudge;
use self::past::Past;
use self::since::ComparedFiles;
use crate::error::{Error, Result};
use crate::plan::history::contract_in;
use crate::plan::rules::Standing;
use crate::plan::{Plan, parse};
use crate::repo::Repo;
use crate::signoff::judge::Reference;
use crate::store::{self, Place};

/// The parameters of an audit.
#[derive(Clone, Copy)]
pub struct AuditRequest<'a> {
    /// Where plan.md is.
    pub place: &'a Place,
    /// The goals to audit; empty: all goals.
    pub goals: &'a [String],
    /// The revision to compare with; `None`: the last commit, used only for the log, merge damage and older contracts.
    pub base: Option<&'a str>,
    /// Judges that the audit accepts although the caller of `plan complete` named them.
    pub accepted: &'a [Reference],
    /// If set, the audit runs the verifies of goals done since the base again.
    pub rerun: Option<Rerun<'a>>,
}

/// The result of an audit.
#[derive(Clone, Debug, Default, Serialize)]
pub struct AuditReport {
    /// The plan file relative to the top of the work tree.
    pub file: String,
    /// The revision that the plan was compared with; `None` without a repository or a commit.
    pub base: Option<Base>,
    /// The number of goals with the status done, archived goals included.
    pub done: usize,
    /// The number of these goals that are signed off for their current contract.
    pub signed_off: usize,
    /// The findings and notes, in the order of the plan file.
    pub findings: Vec<AuditFinding>,
    /// The verifies that were run again.
    pub rerun: Vec<RerunResult>,
}

/// The revision that an audit compared the plan with.
#[derive(Clone, Debug, Serialize)]
pub struct Base {
    /// The revision as the caller named it; `None` for the last commit.
    pub rev: Option<String>,
    /// The full id of the commit.
    pub commit: String,
}

impl AuditReport {
    /// Returns the number of findings, without the notes.
    pub fn count(&self) -> usize {
        self.findings.iter().filter(|finding| finding.level == AuditLevel::Finding).count()
    }
}

/// Audits a plan.
///
/// # Errors
/// [`Kind::Input`](crate::error::Kind) if the plan file cannot be read (conflict markers are a finding), or if a goal or
/// revision does not exist; [`Kind::Unknown`](crate::error::Kind) if the history is cut off or the base's plan file cannot
/// be read.
pub fn audit(ask: &AuditRequest<'_>) -> Result<AuditReport> {
    let repo = crate::base::open_with_git(ask.place)?;
    let source = store::read(ask.place)?;
    let file = file(ask.place);
    let past = match (&repo, ask.base) {
        (Some(repo), base) => Past::of(repo, ask.place, base, &source)?,
        (None, None) => None,
        (None, Some(_)) => {
            return Err(Error::input("`--base` names a revision, and there is no git repository here")
                .hint("run it where the plan's repository is, or without `--base`"));
        }
    };
    let base = past.as_ref().map(|past| Base { rev: past.rev.clone(), commit: past.commit.to_string() });
    if let Some(at) = parse::conflict(&source) {
        let findings = finding::placed(vec![damage::unread(at)], &source);
        return Ok(AuditReport { file, base, findings, ..AuditReport::default() });
    }
    let plan = ask.place.parse(&source)?;
    let then = past.as_ref().map(Past::plan).transpose()?.flatten();
    let refs = repo.as_ref().map(Refs::of).transpose()?;
    let accepted: Vec<AcceptedJudge> =
        ask.accepted.iter().map(|judge| AcceptedJudge::of(judge, &ask.place.root)).collect();
    // Read at the first use, and only once.
    let versions = OnceCell::new();
    let read = || repo.as_ref().map(|repo| past::versions(repo, &ask.place.file)).unwrap_or_default();
    let older = |id: &str, short: &str| versions.get_or_init(read).iter().find_map(|one| contract_in(one, id, short));
    let past = past.as_ref().map(|past| PastPlan { past, plan: then.as_ref() });
    let facts = AuditFacts::new(&plan, &file, refs.as_ref(), past, &older);
    let wanted = wanted(ask, &plan)?;
    let is_wanted = |goal: &str| wanted.as_ref().is_none_or(|wanted| wanted.contains(goal));
    let mut found = checks(&facts, &accepted, repo.as_ref())?;
    let compared = ComparedFiles::of(&facts, repo.as_ref(), ask.place)?;
    if let Some((compared, repo)) = compared.as_ref().zip(repo.as_ref()) {
        since::find(&facts, compared, repo, ask.place, &mut found);
    }
    let mut report = AuditReport { base, done: facts.done.len(), file: file.clone(), ..AuditReport::default() };
    report.signed_off = facts.done.iter().filter(|done| done.standing == Standing::SignedOff).count();
    if let Some(again) = &ask.rerun {
        let repo = repo.as_ref().ok_or_else(rerun::no_repository)?;
        report.rerun = rerun::run(&facts, repo, ask.place, again, compared.as_ref(), is_wanted, &mut found)?;
    }
    if let Some((compared, repo)) = compared.as_ref().zip(repo.as_ref()) {
        widened::excuse(&facts, compared, (repo, ask.place), &report.rerun, &mut found)?;
    }
    found.retain(|finding| finding.goal.as_deref().is_none_or(is_wanted));
    report.findings = finding::placed(found, &source);
    Ok(report)
}

/// Returns the ids of the goals to audit; `None` means all goals.
fn wanted(ask: &AuditRequest<'_>, plan: &Plan<'_>) -> Result<Option<HashSet<String>>> {
    let goals = ask.goals.iter().map(|name| plan.find_goal(name).map(|goal| goal.name().to_owned()));
    if ask.goals.is_empty() { Ok(None) } else { goals.collect::<Result<_>>().map(Some) }
}

fn checks(facts: &AuditFacts<'_>, accepted: &[AcceptedJudge], repo: Option<&Repo>) -> Result<Vec<AuditFinding>> {
    let mut found = Vec::new();
    damage::find(facts, &mut found);
    signed::done(facts, &mut found);
    signed::cancelled(facts, &mut found);
    agreed::find(facts, &mut found);
    attested::find(facts, &mut found);
    judges::find(facts, accepted, &mut found);
    log::find(facts, &mut found);
    contracts::find(facts, &mut found);
    if let Some(repo) = repo {
        commits::find(facts, repo, &mut found)?;
    }
    found.extend(base_notes(facts));
    Ok(found)
}

/// Returns notes that tell a reader what the plan was compared with.
fn base_notes(facts: &AuditFacts<'_>) -> Vec<AuditFinding> {
    let Some(then) = facts.base() else { return Vec::new() };
    let (past, name) = (then.past, then.past.name());
    let mut notes = Vec::new();
    if past.beside.is_some() {
        let seen =
            format!("{name} is not an ancestor of HEAD; compared with {}, where the two diverged", past.commit.short());
        let resolve = "nothing on a branch; a merge result has its base as an ancestor";
        notes.push(AuditFinding::note("base-beside", 0, seen, "a base that HEAD descends from", resolve));
    }
    if let Some(moved) = &past.moved {
        let seen = format!("the plan was `{}` at {name}", moved.display());
        let expected = format!("`{}`", facts.file);
        // Verify runs in the plan's folder, so a rerun looks at other files than the goal of the base did.
        let is_elsewhere = moved.parent() != Path::new(&facts.file).parent() && !since::done_since(facts).is_empty();
        notes.push(match is_elsewhere {
            true => AuditFinding::new("plan-moved", 0, seen, expected, attested::NOT_MOVED),
            false => AuditFinding::note("plan-moved", 0, seen, expected, attested::MOVED),
        });
    } else if past.source.is_none() {
        let seen = format!("there is no plan file at {name}: everything in this one is new");
        notes.push(AuditFinding::note("plan-new", 0, seen, "a plan file to compare with", "read it as a whole"));
    }
    notes
}

/// Returns the plan file relative to the top of the work tree, as annotations and records name it.
fn file(place: &Place) -> String {
    let top = place.top.as_deref().unwrap_or(&place.root);
    place.file.strip_prefix(top).unwrap_or(&place.file).to_string_lossy().into_owned()
}
