//! The last look at a merged plan: no line lost, none doubled, and each line read as what it was read as before.

use std::collections::{HashMap, HashSet};

use super::piece::{OURS, Piece, Pieces, THEIRS};
use crate::plan::model::{Key, Plan};
use crate::plan::parse::parse;

/// True where the text has conflict markers of any size: a person's work, or git's, is not finished there.
pub(super) fn has_markers(text: &[u8]) -> bool {
    let begins = |from: usize, marker: &[u8]| {
        memchr::memmem::find_iter(&text[from..], marker)
            .map(|at| at + from)
            .find(|&at| at == 0 || text[at - 1] == b'\n')
    };
    begins(0, b"<<<<<<<").is_some_and(|at| begins(at, b">>>>>>>").is_some())
}

/// What a line was read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
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

/// How often a line stands in each version, and as what.
#[derive(Default)]
struct Seen {
    counts: [usize; 3],
    /// As what it was read, in the archive or not.
    read: HashSet<(Read, bool)>,
}

/// Whether `pieces` may stand for the merge of `plans`.
pub(super) fn holds(plans: &[Plan<'_>; 3], pieces: &Pieces) -> bool {
    let seen = seen(plans);
    let clean = pieces.conflicts() == 0;
    let read_as_before = [OURS, THEIRS].iter().take(if clean { 1 } else { 2 }).all(|side| {
        let text = pieces.side(*side);
        let Ok(plan) = parse(&text) else { return false };
        plan.unclosed.is_none()
            && lines(&plan)
                .all(|(line, read, archived)| seen.get(line).is_none_or(|seen| seen.read.contains(&(read, archived))))
    });
    read_as_before && counts_fit(&seen, pieces, clean)
}

/// Whether every line is there, and none too often.
pub(super) fn keeps_lines(plans: &[Plan<'_>; 3], pieces: &Pieces) -> bool {
    counts_fit(&seen(plans), pieces, pieces.conflicts() == 0)
}

fn seen<'a>(plans: &[Plan<'a>; 3]) -> HashMap<&'a [u8], Seen> {
    let mut seen: HashMap<&[u8], Seen> = HashMap::new();
    for (version, plan) in plans.iter().enumerate() {
        for (line, read, archived) in lines(plan) {
            let seen = seen.entry(line).or_default();
            seen.counts[version] += 1;
            seen.read.insert((read, archived));
        }
    }
    seen
}

/// No line that a side added vanishes, none doubles. The lines that are joined (status, steps) are merged to lines that
/// neither side has; that each of them stands once was seen before.
fn counts_fit(seen: &HashMap<&[u8], Seen>, pieces: &Pieces, clean: bool) -> bool {
    let mut found: HashMap<&[u8], usize> = HashMap::with_capacity(seen.len());
    let mut count = |text| {
        for line in split(text) {
            *found.entry(line).or_default() += 1;
        }
    };
    // What cannot be borrowed twice is read piece by piece; pieces are whole lines.
    let both: Vec<&[u8]> = pieces
        .pieces()
        .iter()
        .flat_map(|piece| match piece {
            Piece::Clean(bytes) => vec![bytes.as_slice()],
            Piece::Conflict(conflict) => vec![conflict.ours.as_slice(), &conflict.theirs],
        })
        .collect();
    both.into_iter().for_each(&mut count);
    let is_joined = |seen: &Seen| seen.read.iter().any(|(read, _)| matches!(read, Read::Status | Read::Step));
    seen.iter().filter(|(_, seen)| !is_joined(seen)).all(|(line, seen)| {
        let [base, ours, theirs] = seen.counts;
        let sum = (ours + theirs).saturating_sub(base);
        let (least, most) = (sum.min(ours.max(theirs)), sum.max(ours.max(theirs)));
        let found = found.get(line).copied().unwrap_or_default();
        if clean { (least..=most).contains(&found) } else { base > 0 || found >= least }
    })
}

/// The lines of a text that hold something, without what ends them.
fn split(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end).filter(|line| !line.is_empty())
}

/// Each line that holds something, with what it was read as, and whether it stands in the archive.
fn lines<'p, 'a>(plan: &'p Plan<'a>) -> impl Iterator<Item = (&'a [u8], Read, bool)> + 'p {
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
        (!line.is_empty()).then_some((line, what, start >= archive))
    })
}
