//! What was measured after verify: evidence, digests, and what the gate looks at (`SIGNOFF.md` §1.3 to §1.5).

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::ground::Ground;
use super::{Ask, Report};
use crate::config;
use crate::error::Result;
use crate::repo::evidence::{Evidence, evidence};
use crate::repo::{Change, Ignored, ObjectId, Repo, Tree};
use crate::signoff::base;
use crate::signoff::gate::facts::Base;
use crate::signoff::gate::{self, fast};
use crate::signoff::gate::{Finding, Level, full};
use crate::signoff::history;
use crate::signoff::judge::case::{Case, Mode};
use crate::signoff::{checks, stage1};

/// Larger run logs are not looked through for a runner's closing line; the end of them is.
const OUTPUT: u64 = 4 << 20;

/// The measured facts of a check.
pub(super) struct Facts {
    depth: gate::Depth,
    /// Evidence files, each with the rule that makes git ignore it.
    pub(super) evidence: Vec<(Evidence, Option<Ignored>)>,
    /// The failure modes, with what came of their checks.
    pub(super) modes: Vec<Mode>,
    /// The files after verify and checks.
    pub(super) after: Option<Tree>,
    /// As log lines have it.
    pub(super) tree: String,
    /// As log lines have it.
    pub(super) at: String,
    base: Option<Base>,
    base_tree: Option<ObjectId>,
    output: Option<(String, bool)>,
    seen: history::Seen,
    /// Today's tests were red on the source of the start.
    red_on_base: bool,
}

impl Facts {
    /// The gate's findings, those that block first.
    pub(super) fn findings(&self, ground: &Ground<'_>, verify: Option<&stage1::Report>) -> Vec<Finding> {
        fast::findings(&gate::facts::Facts {
            depth: self.depth,
            goal: ground.goal,
            verify: ground.line.as_ref().zip(verify),
            output: self.output.as_ref(),
            trees: ground.before.as_ref().zip(self.after.as_ref()),
            base: self.base.as_ref(),
            pinned: ground.repo.is_none() || self.base.is_some(),
            evidence: &self.evidence,
            seen: self.seen,
            contract: ground.contract.digest.short(),
            changed_since: ground.changed_since.as_deref(),
            started_with: ground.started_with.as_deref(),
        })
    }

    /// The full gate: verify again, in clean exports.
    ///
    /// # Errors
    /// As [`full::run`].
    pub(super) fn look_deeper(&mut self, ask: &Ask<'_>, ground: &Ground<'_>, report: &mut Report) -> Result<()> {
        let deep = match (&ground.repo, &self.after, &ground.line) {
            (Some(repo), Some(tree), Some(line)) => {
                let clean = tree.submodules.iter().filter(|submodule| !submodule.dirty);
                full::run(&full::Job {
                    repo,
                    root: &ask.place.root.canonicalize().unwrap_or_else(|_| ask.place.root.clone()),
                    line,
                    kind: ground.goal.kind(),
                    may_change: &ground.goal.may_change(),
                    entries: &tree.entries,
                    submodules: &clean.map(|submodule| submodule.path.clone()).collect::<Vec<_>>(),
                    base: self.base_tree,
                    seen: self.seen,
                    limit: ground.limits.verify,
                    budget: Duration::from_secs(ask.config.gate_budget.unwrap_or(config::GATE_SECONDS)),
                    keep: &ask.config.gate_keep,
                    watch: ask.watch,
                })?
            }
            (_, _, None) => full::nothing_to_run("the goal has no verify"),
            _ => full::nothing_to_run("there is no repository to export"),
        };
        self.red_on_base = deep.seen_red;
        report.gate = deep.extent();
        report.not_reached = deep.not_reached().iter().map(|row| (*row).to_owned()).collect();
        report.findings.extend(deep.findings);
        report.findings.sort_by_key(|finding| finding.level != Level::Block);
        Ok(())
    }

    /// Whether verify was seen red, or need not have been.
    pub(super) fn seen_red(&self, ground: &Ground<'_>) -> bool {
        self.seen == history::Seen::Red
            || self.red_on_base
            || ground.goal.kind() == crate::plan::model::GoalKind::Refactor
    }
}

/// Runs the checks and measures everything else.
pub(super) fn gather(ask: &Ask<'_>, ground: &Ground<'_>, verify: Option<&stage1::Report>) -> Result<Facts> {
    let modes = modes(ask, ground)?;
    let mut facts = without_looking(ask, ground)?;
    facts.modes = modes;
    facts.output = verify.and_then(output);
    if let Some(repo) = &ground.repo {
        // What changed is told from the files as they were, not from the index, which verify can have rewritten too.
        let exclude = [ask.place.file.as_path()];
        let after = match &ground.before {
            Some(before) => repo.tree_since(&exclude, before)?,
            None => repo.tree(&exclude)?,
        };
        facts.tree = after.id.short();
        facts.at = base::commit(&after);
        let paths: Vec<PathBuf> = facts.evidence.iter().map(|(file, _)| ask.place.root.join(&file.path)).collect();
        let rules = repo.ignored_by(&paths.iter().map(PathBuf::as_path).collect::<Vec<_>>())?;
        for ((_, ignored), rule) in facts.evidence.iter_mut().zip(rules) {
            *ignored = rule;
        }
        let based = since(ask, ground, repo, &after, &facts.evidence)?;
        (facts.base_tree, facts.base) = based.map_or((None, None), |(tree, base)| (Some(tree), Some(base)));
        facts.after = Some(after);
    }
    Ok(facts)
}

/// What is known without running or measuring anything but the evidence.
pub(super) fn without_looking(ask: &Ask<'_>, ground: &Ground<'_>) -> Result<Facts> {
    let own: Vec<PathBuf> = ground.goal.evidence().into_iter().map(PathBuf::from).collect();
    let paths = if ask.paths.is_empty() { &own } else { ask.paths };
    let mut files: Vec<(Evidence, Option<Ignored>)> = Vec::new();
    for path in paths {
        let file = evidence(&ask.place.root, path)?;
        if is_same_file(&ask.place.root.join(&file.path), &ask.place.file) {
            let what = format!("no evidence: `{}` is the plan itself", path.display());
            return Err(
                crate::error::Error::input(what).hint("name what the work left: a log, a report, a measurement")
            );
        }
        if !files.iter().any(|(known, _)| known.path == file.path) {
            files.push((file, None));
        }
    }
    Ok(Facts {
        depth: ask.depth,
        evidence: files,
        modes: Case::of(ground.goal).failure_modes,
        after: None,
        tree: "none".to_owned(),
        at: "none".to_owned(),
        base: None,
        base_tree: None,
        output: None,
        seen: history::seen(ground.goal.plan(), ground.id()),
        red_on_base: false,
    })
}

/// The failure modes with what their checks came to.
fn modes(ask: &Ask<'_>, ground: &Ground<'_>) -> Result<Vec<Mode>> {
    let mut case = Case::of(ground.goal);
    let at = stage1::Ground { root: &ask.place.root, log: None, limit: ground.limits.verify };
    checks::run(&mut case, &at, ask.watch)?;
    Ok(case.failure_modes)
}

/// The whole output where a log was kept, else nothing.
fn output(report: &stage1::Report) -> Option<(String, bool)> {
    let mut text = String::new();
    let mut whole = true;
    for log in &report.logs {
        let size = std::fs::metadata(log).ok()?.len();
        whole &= size <= OUTPUT;
        text.push_str(&String::from_utf8_lossy(&end_of(log, size)?));
    }
    (!report.logs.is_empty()).then_some((text, whole))
}

fn end_of(log: &Path, size: u64) -> Option<Vec<u8>> {
    use std::io::{Read, Seek, SeekFrom};
    let mut file = std::fs::File::open(log).ok()?;
    file.seek(SeekFrom::Start(size.saturating_sub(OUTPUT))).ok()?;
    let mut bytes = Vec::new();
    file.take(OUTPUT).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// What changed since the goal's start, where its base is pinned.
fn since(
    ask: &Ask<'_>,
    ground: &Ground<'_>,
    repo: &Repo,
    after: &Tree,
    evidence: &[(Evidence, Option<Ignored>)],
) -> Result<Option<(ObjectId, Base)>> {
    let Some(tree) = repo.read_ref(&base::reference(ground.id()))? else { return Ok(None) };
    // An id can have belonged to another goal before, and its base with it.
    if history::began(ground.goal.plan(), ground.id()).is_some_and(|began| tree.short() != began) {
        return Ok(None);
    }
    let changed = repo.changed_files(tree, after)?;
    let within = |file: &Evidence| -> PathBuf {
        let whole = ask.place.root.join(&file.path);
        whole.strip_prefix(repo.top()).map(Path::to_owned).unwrap_or(whole)
    };
    let files: Vec<PathBuf> = evidence.iter().map(|(file, _)| within(file)).collect();
    let is_changed = |path: &PathBuf| changed.iter().any(|changed| changed.path == *path);
    let same = files.iter().zip(evidence).filter(|(path, _)| after.entry(path).is_some() && !is_changed(path));
    let newest = changed
        .iter()
        .filter(|changed| changed.change != Change::Removed && !files.contains(&changed.path))
        .filter_map(|changed| Some((changed.path.clone(), modified(&repo.top().join(&changed.path))?)))
        .max_by_key(|(_, time)| *time);
    let same = same.map(|(_, (file, _))| file.path.clone()).collect();
    Ok(Some((tree, Base { unchanged: changed.is_empty(), same, newest })))
}

/// Two names of one file, links of both kinds included.
fn is_same_file(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |path: &Path| std::fs::metadata(path).ok().map(|data| (data.dev(), data.ino()));
    id(one).is_some_and(|one| id(other) == Some(one))
}

fn modified(path: &Path) -> Option<SystemTime> {
    std::fs::symlink_metadata(path).ok()?.modified().ok()
}
