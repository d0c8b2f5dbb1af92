//! Findings about the baseline that the work is compared with, and whether it is the goal's start.

use std::path::PathBuf;

use super::GateFinding;
use super::facts::GateFacts;
use crate::base::BaseOrigin;
use crate::plan::history;

/// The code of the finding about a start on uncommitted files. It does not count against a goal by itself.
pub const UNCOMMITTED: &str = "start-uncommitted";
/// The remedy for a start line that contradicts the records of this clone.
pub const DIFFERS: &str = "if it was started in another clone: `plan audit --fetch origin`, after its author has run \
     `plan audit --push origin`; else restore the log line as `plan` wrote it";
/// How many files a finding names.
const NAMED: usize = 5;

/// `base-merged`: changes that came with the remote's default branch do not count against the goal.
pub(super) fn base_merged(facts: &GateFacts<'_>) -> Option<GateFinding> {
    let merged = facts.base?.merged.as_ref()?;
    let (branch, commit, names) = (&merged.branch, &merged.commit, named(&merged.files).join(", "));
    let seen = format!(
        "since the start, {branch} {commit} changed {names}: these files are compared with their versions there"
    );
    let resolve =
        format!("nothing to do; in another clone, `plan audit --base {branch} --rerun` uses the remote's own files");
    Some(GateFinding::note("base-merged", "work of this goal alone", seen, &resolve))
}

/// `base-missing`: the files of the start are not available, and other files replace them in the comparison.
/// `never-started`: the goal was never started.
pub(super) fn base_missing(facts: &GateFacts<'_>) -> Option<GateFinding> {
    if !facts.in_repository {
        return without_repository(facts);
    }
    let lead =
        |code, seen: String, resolve: &str| GateFinding::lead(code, "the files at the goal's start", seen, resolve);
    let start = format!("`plan goal start {}` before the work is done", facts.goal.name());
    let Some(since) = facts.base else {
        let seen = "this clone has no commit and no record of a start, so the changes cannot be determined";
        return Some(lead("base-missing", seen.to_owned(), &start));
    };
    match &since.origin {
        BaseOrigin::Start | BaseOrigin::StartedLate(_) | BaseOrigin::NeverStarted(_) | BaseOrigin::Revision(_) => {
            let path = since.lost.first()?;
            let seen =
                format!("`{}` was too large to keep at the start, so its changes cannot be determined", path.display());
            Some(lead("base-missing", seen, "commit the file before the start, or let git ignore it"))
        }
        BaseOrigin::Lost(commit) => {
            let seen = format!(
                "the files of the start are not in this clone; the work is compared with commit {commit} instead"
            );
            let resolve = format!(
                "complete the goal in the clone where it was started; if that is gone, somebody who reads the changes \
                 decides: `plan complete {} --judge human`",
                facts.goal.typed()
            );
            Some(lead("base-missing", seen, &resolve))
        }
        BaseOrigin::BroughtAlong(commit) => {
            let seen = format!(
                "the goal was never started, and one commit holds both the goal and its work; the work is compared with the commit before it, {commit}"
            );
            Some(lead("never-started", seen, &start))
        }
    }
}

/// Blocks if the goal was started in a repository and there is none now: it was moved away, or verify and judge would see a copy.
fn without_repository(facts: &GateFacts<'_>) -> Option<GateFinding> {
    let starts = history::starts(facts.goal.plan(), facts.goal.id()?);
    let start = starts.iter().find(|start| start.tree != "none")?;
    let seen = format!("the goal was started in a git repository (at {}), and there is none here now", start.at);
    Some(GateFinding::block("base-missing", "the repository of the goal's start", seen, "put `.git` back"))
}

/// `start-missing`: the log names a start whose record is not in this clone, so the rows that need the record decide
/// nothing. `start-differs`: the record contradicts the log, or another one of the same files does.
pub(super) fn missing(facts: &GateFacts<'_>) -> Option<GateFinding> {
    if let Some(seen) = &facts.start.differs {
        let (expected, resolve) = ("a log line that agrees with the record of the start", DIFFERS);
        return Some(GateFinding::of(facts.depth, "start-differs", expected, seen, resolve));
    }
    if facts.start.was_green {
        let seen = "the log says that verify was red at the start; a record says that it was green on the same files";
        let resolve = "ask a judge that reads: it can be a matter of the machine, such as a service that was down";
        return Some(GateFinding::lead("start-differs", "one result of verify on the same files", seen, resolve));
    }
    let seen = "the record is not in this clone, so `fewer-tests`, `more-skips` and `runner-moved` are unresolved";
    let resolve = "`plan audit --fetch origin`, after its author has run `plan audit --push origin`";
    // Without a base, nothing of the start is available, and `base-missing` reports that.
    let is_missing = facts.start.missing && facts.base.is_some();
    is_missing.then(|| GateFinding::lead("start-missing", "the record of the goal's start", seen, resolve))
}

/// `start-uncommitted`: the files at the start differed from the commit under it. Rows that compare with the start also
/// compare with that commit, or only with that commit if the start came after the work.
pub(super) fn uncommitted(facts: &GateFacts<'_>) -> Option<GateFinding> {
    let since = facts.base?;
    if let BaseOrigin::StartedLate(commit) = &since.origin {
        let seen = format!(
            "the goal was started after its work: verify was green then, on files that were in no commit, and nothing has \
             changed since; the work is compared with commit {commit}"
        );
        let resolve = "nothing for this goal; start the next goal before its work";
        return Some(GateFinding::lead(UNCOMMITTED, "a start before the work", seen, resolve));
    }
    let uncommitted = since.uncommitted.as_ref().filter(|uncommitted| !uncommitted.signed)?;
    let mut differ = named(&uncommitted.files);
    // The names of uncommitted new files stay private.
    differ.extend((uncommitted.new > 0).then(|| match uncommitted.new {
        1 => "a new file".to_owned(),
        new => format!("{new} new files"),
    }));
    let seen = format!("at the start the files differed from commit {}: {}", uncommitted.commit, differ.join(", "));
    let resolve = "nothing for this goal; commit your files before the next start";
    Some(GateFinding::lead(UNCOMMITTED, "a start on committed files", seen, resolve))
}

/// `started-before`: a goal with this id was started on other files, given up and added again. No goal accounts for the
/// changes in between, which may include weaker tests.
pub(super) fn before(facts: &GateFacts<'_>) -> Vec<GateFinding> {
    let (plan, id) = (facts.goal.plan(), facts.goal.id().unwrap_or_default());
    let Some(own) = history::starts(plan, id).into_iter().next() else { return Vec::new() };
    let Some(before) = history::abandoned_start(plan, id).filter(|before| before.tree != own.tree) else {
        return Vec::new();
    };
    let at = before.at.trim_end_matches('+');
    let seen = format!("{id} was started at {at}, given up, and added again at {}: its tests may have changed", own.at);
    let ask = format!("ask a judge that reads: `plan complete {id} --judge human`, or an agent's name");
    // The earlier start may have been on no commit.
    let resolve = if at == "none" { ask } else { format!("read `git diff {at}`, and {ask}") };
    vec![GateFinding::lead("started-before", "a goal that is compared with its first start", seen, &resolve)]
}

/// Lists the first of these files and the number of the others.
fn named(files: &[PathBuf]) -> Vec<String> {
    let mut names: Vec<String> = files.iter().take(NAMED).map(|path| format!("`{}`", path.display())).collect();
    let more = files.len().saturating_sub(NAMED);
    names.extend((more > 0).then(|| format!("{more} more")));
    names
}
