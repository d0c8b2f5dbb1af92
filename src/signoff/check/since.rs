//! The changes since a goal's start: files, contract, tests, and the programs that run verify.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::context::Check;
use super::request::CheckRequest;
use crate::base::{self, Base, CommitUnderStart};
use crate::base::{Runner, StartRecord};
use crate::error::Result;
use crate::gate::facts::{BaseDiff, ChangedFile, StartFacts, Uncommitted};
use crate::gate::harness::{Harness, is_code, is_test};
use crate::plan::contract::GoalContract;
use crate::plan::history;
use crate::plan::log::StartLine;
use crate::plan::parse;
use crate::repo::evidence::Evidence;
use crate::repo::{Changed, Mode, ObjectId, PathChange, Repo, Tree, TreeEntry, changes};
use crate::signoff::text_file::{LARGEST, small, text};

/// The maximum number of changed files to read, tests and code first.
const MOST: usize = 400;

/// The maximum number of records of other starts to read.
const ALIKE: usize = 8;

/// The maximum number of versions of plan.md to search for an old contract.
const VERSIONS: usize = 200;

/// The maximum number of test files to compare with the source, and of bytes in each.
const TESTS: usize = 60;
const TEST_BYTES: usize = 64 << 10;

/// A blob's bytes; `None` if it is missing or too large.
type Blob = Option<Vec<u8>>;

/// The changes since the base, and the files that decide the result of verify.
pub(super) struct ChangesSinceBase {
    pub(super) base: Option<BaseDiff>,
    pub(super) harness: Harness,
    pub(super) tests: Vec<String>,
    starts: BelievedRecords,
}

/// The records of the starts, and what they say against the log.
struct BelievedRecords {
    /// The records of [`StartRecords::starts`]; `None` for a start whose record is missing or not credible.
    records: Vec<Option<StartRecord>>,
    /// How a record differs from the log.
    differs: Option<String>,
    /// Whether another start on the files of the last one saw verify green, where the log says red.
    was_green: bool,
}

pub(super) struct StartRecords<'p> {
    /// The base that the work is compared with.
    pub(super) base: Option<Base>,
    /// The last start in the log and, if it is another one, the first; each with its record.
    starts: Vec<(StartLine<'p>, Option<ObjectId>)>,
    /// The records of other starts on the files of the last one. Their lines may be gone.
    alike: Vec<ObjectId>,
}

/// Finds the base and the goal's own records. Starts two processes if the goal began on a commit's files (see [`base::find`]).
pub(super) fn known<'p>(check: &Check<'p>, repo: &Repo, now: ObjectId) -> Result<StartRecords<'p>> {
    let (plan, id) = (check.goal.plan(), check.id());
    let mut starts: Vec<_> = history::starts(plan, id).into_iter().filter(|start| start.tree != "none").collect();
    let last = starts.pop();
    let is_other =
        |one: &StartLine<'_>| last.is_some_and(|last| (last.contract, last.tree) != (one.contract, one.tree));
    let first = starts.first().copied().filter(is_other);
    let starts: Vec<_> = last.into_iter().chain(first).collect();
    let refs = match starts.is_empty() {
        true => BTreeMap::new(),
        false => repo.list_refs(&format!("refs/plan/starts/{id}/"))?.into_iter().collect(),
    };
    let starts: Vec<_> = starts.into_iter().map(|start| (start, StartRecord::named(&refs, id, &start))).collect();
    let alike = starts.first().map(|(last, own)| {
        StartRecord::alike(&refs, id, last).filter(|other| Some(*other) != *own).take(ALIKE).collect()
    });
    let base = base::find(repo, check.ask.place, check.goal, now)?;
    Ok(StartRecords { base, starts, alike: alike.unwrap_or_default() })
}

/// Compares the files with the base. Calls git twice, and once for each makefile or `package.json` that verify reads.
pub(super) fn files(
    check: &Check<'_>,
    repo: &Repo,
    known: &StartRecords<'_>,
    after: &Tree,
    evidence: &[&Evidence],
) -> Result<ChangesSinceBase> {
    let old = known.base.as_ref().map(|base| base.files.entries.as_slice());
    let harness = harness(check, repo, old);
    let Some((base, old)) = known.base.as_ref().zip(old) else {
        let (_, records) = looked_into(repo, Vec::new(), &[], &harness, known)?;
        let starts = believed(check, known, records);
        return Ok(ChangesSinceBase { base: None, harness, tests: Vec::new(), starts });
    };
    let other_plans = OtherPlans { repo };
    let changed = other_plans.left_out_of(changes(old, &after.entries), old);
    let uncommitted = uncommitted(base, &changed, after, &other_plans);
    let is_lost = |changed: &Changed| base.left_out.iter().any(|left| left.is(&changed.path));
    let lost = changed.iter().filter(|changed| is_lost(changed)).map(|changed| changed.path.clone()).collect();
    let root = root(check.ask, repo);
    let files: Vec<PathBuf> = evidence.iter().map(|file| root.join(&file.path)).collect();
    // Look at the same path first, then at all others, because a copy is as old as its original.
    let is_same = |path: &Path, then: &&TreeEntry| after.entry(path).is_some_and(|entry| entry.id == then.id);
    let same = |path: &PathBuf| {
        let own = old.iter().find(|then| then.path == *path && is_same(path, then));
        own.or_else(|| old.iter().find(|then| is_same(path, then)))
    };
    let same =
        files.iter().zip(evidence).filter_map(|(path, file)| Some((file.path.clone(), same(path)?.path.clone())));
    let same: Vec<(PathBuf, PathBuf)> = same.collect();
    let newest = changed
        .iter()
        .filter(|changed| changed.change != PathChange::Removed && !files.contains(&changed.path))
        .filter_map(|changed| Some((changed.path.clone(), modified(&repo.top().join(&changed.path))?)))
        .max_by_key(|(_, time)| *time);
    let unchanged = changed.is_empty();
    let (changed, records) = looked_into(repo, changed, old, &harness, known)?;
    let starts = believed(check, known, records);
    let tests = tests(repo, after, &harness);
    let origin = base.origin.clone();
    let merged = base.merged.clone();
    let since = BaseDiff { origin, unchanged, uncommitted, merged, lost, same, newest, changed };
    Ok(ChangesSinceBase { base: Some(since), harness, tests, starts })
}

/// Describes a record of a start that no line of the log agrees with: somebody has overwritten the line.
fn differs(check: &Check<'_>, records: &[Option<StartRecord>]) -> Option<String> {
    let lines = history::every_start(check.goal.plan(), check.id());
    let is_told = |record: &StartRecord| {
        let is = |line: &StartLine<'_>| {
            record.contract_digest.starts_with(line.contract) && record.tree.starts_with(line.tree)
        };
        let mut lines = lines.iter().filter(|line| is(line));
        lines.any(|line| line.at == record.at && line.verify == record.seen)
    };
    let record = records.iter().flatten().find(|record| !is_told(record))?;
    Some(format!(
        "its record says it was started at {}, verify {}, and no line of the log does",
        record.at, record.seen
    ))
}

/// Returns the files of a start that were in no commit, and what happened to them since. Starts no process.
fn uncommitted(base: &Base, changed: &[Changed], after: &Tree, other_plans: &OtherPlans<'_>) -> Option<Uncommitted> {
    let CommitUnderStart { commit, files: under, signed } = base.under_start.as_ref()?;
    let own = other_plans.left_out_of(changes(&under.entries, &base.files.entries), &under.entries);
    if own.is_empty() {
        return None;
    }
    let since: HashSet<&PathBuf> = changed.iter().map(|one| &one.path).collect();
    let (new, known): (Vec<&Changed>, Vec<&Changed>) = own.iter().partition(|one| one.change == PathChange::Added);
    Some(Uncommitted {
        commit: commit.clone(),
        files: known.into_iter().map(|one| one.path.clone()).collect(),
        new: new.len(),
        signed: *signed,
        touched: own.iter().any(|one| since.contains(&one.path)),
        put_back: other_plans.left_out_of(changes(&under.entries, &after.entries), &under.entries).is_empty(),
    })
}

/// The plan files of other folders of the repository. Like the goal's own plan.md, they are nobody's work as long as only their
/// log, status and marks change: each command changes them.
struct OtherPlans<'r> {
    repo: &'r Repo,
}

impl OtherPlans<'_> {
    fn left_out_of(&self, mut changed: Vec<Changed>, then: &[TreeEntry]) -> Vec<Changed> {
        let is_plan =
            |one: &Changed| one.change == PathChange::Modified && one.path.ends_with("plan.md") && !is_test(&one.path);
        changed.retain(|one| !is_plan(one) || self.has_other_text(&one.path, then).unwrap_or(true));
        changed
    }

    /// Whether more than log, status and marks of this file differs. `None` if it is not the file of a plan with goals, then and now.
    fn has_other_text(&self, path: &Path, then: &[TreeEntry]) -> Option<bool> {
        let id = then.iter().find(|entry| entry.path == path)?.id;
        let then = self.repo.contents(&[id], LARGEST).ok()?.pop().flatten()?;
        let now = small(&self.repo.top().join(path))?;
        let holds_goals = |source: &[u8]| parse::parse(source).is_ok_and(|plan| !plan.goals.is_empty());
        let is_kept = |line: &&str| {
            let begins = ["- 20", "status:", "- [", "## Log"];
            !line.trim().is_empty() && !begins.iter().any(|begin| line.starts_with(begin))
        };
        let [then_text, now_text] = [&then, &now].map(|source| String::from_utf8_lossy(source));
        (holds_goals(&then) && holds_goals(&now))
            .then(|| !then_text.lines().filter(is_kept).eq(now_text.lines().filter(is_kept)))
    }
}

/// Reads the records of the starts, and checks them, because a ref can be made to name anything.
fn believed(check: &Check<'_>, known: &StartRecords<'_>, blobs: Vec<Blob>) -> BelievedRecords {
    let mut blobs = blobs.into_iter();
    let mut read =
        |start: &StartLine<'_>| StartRecord::read(&blobs.next().flatten()?, check.id(), start.contract, start.tree);
    let records: Vec<_> = known.starts.iter().map(|(start, blob)| blob.and_then(|_| read(start))).collect();
    let last = known.starts.first().map(|(last, _)| last).filter(|last| last.verify.starts_with("red "));
    let is_green = |last| known.alike.iter().filter_map(|_| read(last)).any(|other| other.seen == "green");
    let was_green = last.is_some_and(is_green);
    BelievedRecords { differs: differs(check, &records), records, was_green }
}

/// Returns the plan's root, relative to the top.
pub(super) fn root(ask: &CheckRequest<'_>, repo: &Repo) -> PathBuf {
    ask.place.root.strip_prefix(repo.top()).map(Path::to_owned).unwrap_or_default()
}

fn harness(check: &Check<'_>, repo: &Repo, old: Option<&[TreeEntry]>) -> Harness {
    let read = |path: &Path| match old {
        Some(entries) => {
            let entry = entries.iter().find(|entry| entry.path == path)?;
            repo.contents(&[entry.id], LARGEST).ok()?.pop().flatten()
        }
        None => small(&repo.top().join(path)),
    };
    let sequence = check.line.as_ref().map(|line| &line.sequence);
    Harness::of(sequence, &root(check.ask, repo), &check.goal.may_change(), &read)
}

/// Reads the changed files, then and now, and the blobs of the starts, all with the same two processes.
fn looked_into(
    repo: &Repo,
    changed: Vec<Changed>,
    old: &[TreeEntry],
    harness: &Harness,
    known: &StartRecords<'_>,
) -> Result<(Vec<ChangedFile>, Vec<Blob>)> {
    let mut order: Vec<usize> = (0..changed.len()).collect();
    let weight = |path: &Path| match path {
        path if harness.is_harness(path) || harness.is_mixed(path) => 0,
        path if is_code(path) => 1,
        _ => 2,
    };
    order.sort_by_key(|index| weight(&changed[*index].path));
    order.truncate(MOST);
    order.sort_unstable();
    let is_file = |entry: &&TreeEntry| matches!(entry.mode, Mode::File | Mode::Executable);
    let then = |index: &usize| old.iter().find(|entry| entry.path == changed[*index].path).filter(is_file);
    let olds: Vec<(usize, ObjectId)> = order.iter().filter_map(|index| Some((*index, then(index)?.id))).collect();
    let records = known.starts.iter().filter_map(|(_, blob)| *blob).chain(known.alike.iter().copied());
    let mut ids: Vec<(ObjectId, u64)> = records.map(|id| (id, StartRecord::LARGEST)).collect();
    let starts = ids.len();
    ids.extend(olds.iter().map(|(_, id)| (*id, LARGEST)));
    let mut records = repo.contents_within(&ids)?;
    let contents = records.split_off(starts);
    let file = |Changed { path, change }| ChangedFile { path, change, then: None, now: None, link: None };
    let mut files: Vec<ChangedFile> = changed.into_iter().map(file).collect();
    for ((index, _), bytes) in olds.iter().zip(contents) {
        files[*index].then = bytes.and_then(text);
    }
    for index in order {
        let path = repo.top().join(&files[index].path);
        files[index].now = small(&path).and_then(text);
        files[index].link = std::fs::read_link(path).ok();
    }
    Ok((files, records))
}

/// Returns the present texts of the test files.
fn tests(repo: &Repo, after: &Tree, harness: &Harness) -> Vec<String> {
    let paths = after.entries.iter().map(|entry| entry.path.as_path());
    let tests = paths.filter(|path| is_code(path) && harness.is_harness(path));
    let texts = tests.take(TESTS).filter_map(|path| small(&repo.top().join(path)));
    texts.filter(|bytes| bytes.len() <= TEST_BYTES).filter_map(text).collect()
}

/// Returns the facts about the start, and the same facts now. Starts a process only to find an old contract.
pub(super) fn started(check: &Check<'_>, repo: &Repo, since: &ChangesSinceBase) -> Result<StartFacts> {
    let records = &since.starts.records;
    let last = records.first().cloned().flatten();
    let line = check.line.as_ref();
    let same_verify = |record: &StartRecord| record.verify.as_deref() == line.map(|line| line.text.as_str());
    let first = records.get(1).cloned().flatten().filter(same_verify);
    // The merge of the remote's branch may have brought other tests, or fewer.
    let has_other_tests = since.base.as_ref().and_then(|base| base.merged.as_ref()).is_some_and(|merged| {
        merged
            .files
            .iter()
            .any(|path| since.harness.is_harness(path) || path.extension().is_some_and(|end| end == "rs"))
    });
    let counted = first.or_else(|| last.clone().filter(same_verify)).filter(|_| !has_other_tests);
    let tests_then = counted.and_then(|record| record.tests);
    let wanted = check.started_with.as_deref().or(check.changed_since.as_deref());
    let recorded = last.as_ref().and_then(StartRecord::goal_contract);
    let contract = match wanted {
        None => None,
        Some(wanted) => match recorded.filter(|contract| contract.digest.is_short(wanted)) {
            Some(contract) => Some(contract),
            None => committed(check, repo, wanted)?,
        },
    };
    Ok(StartFacts {
        missing: !records.is_empty() && last.is_none(),
        differs: since.starts.differs.clone(),
        was_green: since.starts.was_green,
        tests_then,
        tests_now: line.zip(check.report.verify.as_ref()).and_then(|(line, report)| report.tally(line)),
        runner: line.map(|line| Runner::now(&line.sequence, &check.ask.place.root, repo.top())),
        last: last.filter(|record| record.verify.is_some()),
        contract,
        present: Some(check.contract.clone()),
    })
}

/// Finds the contract with this digest in the committed versions of plan.md.
fn committed(check: &Check<'_>, repo: &Repo, digest: &str) -> Result<Option<GoalContract>> {
    let Ok(file) = check.ask.place.file.strip_prefix(repo.top()) else { return Ok(None) };
    let versions = repo.versions(file, VERSIONS, LARGEST * 4)?;
    Ok(versions.iter().find_map(|bytes| history::contract_in(bytes, check.id(), digest)))
}

fn modified(path: &Path) -> Option<SystemTime> {
    std::fs::symlink_metadata(path).ok()?.modified().ok()
}
