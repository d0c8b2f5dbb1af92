//! The last check of a merged plan: no line is lost or doubled, and each line is read as the same kind as before.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::merged_text::{Chunk, MergedText, OURS, THEIRS, settled};
use crate::plan::model::{Key, Plan};
use crate::plan::parse::parse;

/// True if the text has conflict markers of seven or more characters: an earlier merge by git or a person is not finished.
pub(super) fn has_markers(text: &[u8]) -> bool {
    let begins = |from: usize, marker: &[u8]| {
        memchr::memmem::find_iter(&text[from..], marker)
            .map(|at| at + from)
            .find(|&at| at == 0 || text[at - 1] == b'\n')
    };
    begins(0, b"<<<<<<<").is_some_and(|at| begins(at, b">>>>>>>").is_some())
}

/// The kind that a line was read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Read {
    Text,
    Front,
    Objective,
    Goal,
    Id,
    Status,
    Field,
    Item,
    Step,
    Log,
    Archive,
}

impl Read {
    /// Its bit in [`LineCount::read`].
    const fn bit(self, archived: bool) -> u32 {
        1 << (self as u32 * 2 + archived as u32)
    }

    const fn anywhere(self) -> u32 {
        self.bit(false) | self.bit(true)
    }
}

/// How often a line occurs in each version, and its kinds. There is one for each line of the file, so it allocates no memory.
#[derive(Default)]
struct LineCount {
    counts: [u32; 3],
    /// The kinds that it was read as, in the archive or not: a set of [`Read::bit`].
    read: u32,
    /// How often it occurs in the merged text.
    found: u32,
}

/// Whether `merged` is an acceptable merge of `plans`.
pub(super) fn holds(plans: &[Plan<'_>; 3], merged: &MergedText) -> bool {
    let mut seen = seen(plans);
    let clean = merged.conflicts() == 0;
    let read_as_before = [OURS, THEIRS].iter().take(if clean { 1 } else { 2 }).all(|side| {
        let text = merged.side(*side);
        let Ok(plan) = parse(&text) else { return false };
        let archived_since = archived_since(plans, &plan);
        let is_read_as_before = |at: usize, seen: &LineCount, read: Read, archived: bool| {
            let body = archived_since.partition_point(|body| body.end <= at);
            // A log line belongs to no goal, whatever is around it.
            let is_goals = seen.read & Read::Log.anywhere() == 0;
            let moved = archived && is_goals && archived_since.get(body).is_some_and(|body| body.contains(&at));
            seen.read & (read.bit(archived) | if moved { read.bit(false) } else { 0 }) != 0
        };
        plan.unclosed.is_none()
            && (!clean || keeps_names(plans, &plan) && keeps_steps_once(plans, &plan))
            && lines(&plan).all(|(at, line, read, archived)| {
                seen.get(line).is_none_or(|seen| is_read_as_before(at, seen, read, archived))
            })
    });
    read_as_before && counts_fit(&mut seen, merged, clean)
}

/// Whether a clean merge of lines is acceptable: no line is lost or duplicated, and a goal that only one side changed is
/// as on that side.
pub(super) fn holds_as_text(plans: &[Plan<'_>; 3], merged: &MergedText) -> bool {
    counts_fit(&mut seen(plans), merged, true)
        && parse(&merged.side(OURS)).is_ok_and(|plan| keeps_goals(plans, &plan) && keeps_steps_once(plans, &plan))
}

/// True if each goal that a side removed is gone, and each other goal is there: if one side removed a heading, its id must not
/// go to the goal above it.
fn keeps_names(plans: &[Plan<'_>; 3], merged: &Plan<'_>) -> bool {
    let versions = plans.each_ref().map(bodies);
    let merged = bodies(merged);
    versions.iter().flat_map(HashMap::keys).all(|id| {
        let there = versions.each_ref().map(|version| version.contains_key(id));
        settled(there).is_none_or(|there| there == merged.contains_key(id))
    })
}

/// True if a step that occurs once in each version occurs only once, and not in each goal that a side moved it to.
fn keeps_steps_once(plans: &[Plan<'_>; 3], merged: &Plan<'_>) -> bool {
    let versions = plans.each_ref().map(numbers);
    let is_once = |number: &u32| versions.iter().all(|version| version.get(number) == Some(&1));
    numbers(merged).iter().all(|(number, count)| *count == 1 || !is_once(number))
}

/// Counts how often each step number occurs.
fn numbers(plan: &Plan<'_>) -> HashMap<u32, usize> {
    let mut numbers = HashMap::with_capacity(plan.steps.len());
    plan.steps.iter().filter_map(|step| step.number).for_each(|number| *numbers.entry(number).or_default() += 1);
    numbers
}

/// True if each goal that at most one side changed is as on that side. Goals are compared by id; a repeated id is skipped.
fn keeps_goals(plans: &[Plan<'_>; 3], merged: &Plan<'_>) -> bool {
    let [base, ours, theirs] = plans.each_ref().map(bodies);
    let merged = bodies(merged);
    base.iter().all(|(id, before)| {
        let versions = [Some(before), ours.get(id), theirs.get(id)];
        versions.contains(&Some(&None)) || settled(versions).is_none_or(|one| one == merged.get(id))
    })
}

/// Returns the text of each goal with an id, without trailing blank lines; `None` if the id is repeated.
fn bodies<'a>(plan: &Plan<'a>) -> HashMap<&'a str, Option<&'a [u8]>> {
    let mut bodies = HashMap::with_capacity(plan.goals.len());
    for goal in plan.all_goals() {
        let Some(id) = goal.id() else { continue };
        let text = plan.source[goal.raw().body.range()].trim_ascii_end();
        bodies.entry(id).and_modify(|body| *body = None).or_insert(Some(text));
    }
    bodies
}

fn seen<'a>(plans: &[Plan<'a>; 3]) -> HashMap<&'a [u8], LineCount> {
    let most = memchr::memchr_iter(b'\n', plans[OURS].source).count();
    let mut seen: HashMap<&[u8], LineCount> = HashMap::with_capacity(most);
    for (version, plan) in plans.iter().enumerate() {
        for (_, line, read, archived) in lines(plan) {
            let seen = seen.entry(line).or_default();
            seen.counts[version] += 1;
            seen.read |= read.bit(archived);
        }
    }
    seen
}

/// True if no line that a side added is lost, and no line is duplicated. Joined lines (status, steps) are skipped: they may
/// become lines that neither side has, and it was checked before that each of them occurs once.
fn counts_fit(seen: &mut HashMap<&[u8], LineCount>, merged: &MergedText, clean: bool) -> bool {
    // Chunks are whole lines. A line that no version has is not counted.
    let mut count = |text| {
        for line in split(text) {
            if let Some(seen) = seen.get_mut(line) {
                seen.found += 1;
            }
        }
    };
    for chunk in merged.chunks() {
        match chunk {
            Chunk::Clean(bytes) => count(bytes.as_slice()),
            Chunk::Conflict(conflict) => [&conflict.ours, &conflict.theirs].into_iter().for_each(|side| count(side)),
        }
    }
    let joined = Read::Status.anywhere() | Read::Step.anywhere();
    seen.values().filter(|seen| seen.read & joined == 0).all(|seen| {
        let [base, ours, theirs] = seen.counts;
        let sum = ours.saturating_add(theirs).saturating_sub(base);
        let (least, most) = (sum.min(ours.max(theirs)), sum.max(ours.max(theirs)));
        if clean { (least..=most).contains(&seen.found) } else { base > 0 || seen.found >= least }
    })
}

/// The lines of a text that are not blank, without trailing white space.
fn split(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end).filter(|line| !line.is_empty())
}

/// The bodies of archived goals that a version has above the archive, in file order: their lines have moved to the archive.
fn archived_since(plans: &[Plan<'_>; 3], merged: &Plan<'_>) -> Vec<Range<usize>> {
    let live: HashSet<&str> = plans.iter().flat_map(|plan| plan.live_goals().filter_map(|goal| goal.id())).collect();
    let archived =
        merged.all_goals().filter(|goal| goal.raw().archived && goal.id().is_some_and(|id| live.contains(id)));
    archived.map(|goal| goal.raw().body.range()).collect()
}

/// Each line that is not blank, with its place, its kind, and whether it is in the archive.
fn lines<'p, 'a>(plan: &'p Plan<'a>) -> impl Iterator<Item = (usize, &'a [u8], Read, bool)> + 'p {
    let mut read: Vec<(u32, Read)> = Vec::new();
    read.extend(plan.front_entries.iter().map(|entry| (entry.line.start, Read::Front)));
    read.extend(plan.objective_line.map(|line| (line.start, Read::Objective)));
    read.extend(plan.goals.iter().map(|goal| (goal.heading.start, Read::Goal)));
    read.extend(plan.goals.iter().filter_map(|goal| Some((goal.id?.0.start, Read::Id))));
    let field = |key| if key == Key::Status { Read::Status } else { Read::Field };
    read.extend(plan.fields.iter().map(|one| (one.lines.start, field(one.key))));
    read.extend(plan.items.iter().map(|item| (item.lines.start, Read::Item)));
    read.extend(plan.steps.iter().map(|step| (step.line.start, Read::Step)));
    read.extend(plan.log.iter().map(|line| (line.line.start, Read::Log)));
    let archive = plan.archive.map_or(usize::MAX, |archive| archive.start as usize);
    read.extend(plan.archive.map(|archive| (archive.start, Read::Archive)));
    read.sort_unstable();
    let mut read = read.into_iter().peekable();
    let mut at = 0;
    plan.source.split_inclusive(|byte| *byte == b'\n').filter_map(move |line| {
        let start = at;
        at += line.len();
        let mut what = Read::Text;
        while let Some((_, found)) = read.next_if(|(place, _)| (*place as usize) < at) {
            what = found;
        }
        let line = line.trim_ascii_end();
        (!line.is_empty()).then_some((start, line, what, start >= archive))
    })
}
