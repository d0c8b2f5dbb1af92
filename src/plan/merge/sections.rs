//! A file as sections: what stands above the first heading, and each heading of level 1 or 2 with what is below it; a log
//! of a deeper level is one too. Sections are the same in two versions by what they are: a goal by its id or subject.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::plan::model::Plan;
use crate::plan::scan::{Kind, Scanner};

/// What a section is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// Front matter and whatever stands above the first heading.
    Front,
    /// `# Plan: …`
    Objective,
    /// An index of [`Plan::goals`].
    Goal(usize),
    /// A log.
    Log,
    /// The heading `# Archive` and what stands between it and the next.
    Archive,
    /// Anything else.
    Text,
}

/// A section of one version.
#[derive(Clone, Debug)]
pub(super) struct Section {
    pub(super) what: What,
    /// Its lines, without the blank ones at its end.
    pub(super) text: Range<usize>,
    /// Where the next begins.
    pub(super) end: usize,
    /// Its heading's text.
    pub(super) heading: Range<usize>,
    pub(super) archived: bool,
}

/// By what a section is known in other versions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Name<'a> {
    Front,
    Objective,
    Archive,
    /// The goal's number in [`Goals`].
    Goal(u32),
    /// The how manieth log, in the archive or not.
    Log(bool, usize),
    /// Heading, the how manieth with this heading, in the archive or not.
    Text(&'a [u8], bool, usize),
}

/// The sections of a plan: they cover every byte. None where a log hangs deeper inside a goal.
pub(super) fn sections(plan: &Plan<'_>) -> Option<Vec<Section>> {
    let source = plan.source;
    let from = plan.front.map_or(0, |front| front.end as usize);
    let goals: HashMap<u32, usize> =
        plan.goals.iter().enumerate().map(|(index, goal)| (goal.heading.start, index)).collect();
    let logs: HashSet<u32> = plan.logs.iter().map(|log| log.heading.start).collect();
    let mut out = vec![Section { what: What::Front, text: 0..0, end: 0, heading: 0..0, archived: false }];
    let mut scanner = Scanner::new(source, from);
    let mut archived = false;
    let mut in_goal = false;
    let mut deep_log: Option<u8> = None;
    while let Some(line) = scanner.line() {
        let Kind::Heading { level, start, end } = line.kind else { continue };
        let at = line.start as u32;
        let is_log = logs.contains(&at);
        if level > 2 && is_log && in_goal {
            return None;
        }
        let ends_log = deep_log.is_some_and(|log| level <= log);
        if level > 2 && !is_log && !ends_log {
            continue;
        }
        deep_log = (level > 2 && is_log).then_some(level);
        let what = match goals.get(&at) {
            Some(goal) => What::Goal(*goal),
            None if is_log => What::Log,
            None if plan.objective_line.is_some_and(|line| line.start == at) => What::Objective,
            None if plan.archive.is_some_and(|archive| archive.start == at) => What::Archive,
            None => What::Text,
        };
        in_goal = matches!(what, What::Goal(_));
        archived |= what == What::Archive;
        out.push(Section { what, text: line.start..line.start, end: line.start, heading: start..end, archived });
    }
    let ends: Vec<usize> =
        out.iter().skip(1).map(|next| next.text.start).chain(std::iter::once(source.len())).collect();
    for (section, end) in out.iter_mut().zip(ends) {
        section.end = end;
        section.text.end = text_end(source, section.text.start, end);
    }
    Some(out)
}

/// Where the blank lines at the end begin.
fn text_end(source: &[u8], start: usize, end: usize) -> usize {
    let visible = start + source[start..end].trim_ascii_end().len();
    match memchr::memchr(b'\n', &source[visible..end]) {
        Some(_) if visible == start => start,
        Some(ending) => visible + ending + 1,
        None => end,
    }
}

/// Which goals of three versions are the same goal.
#[derive(Debug, Default)]
pub(super) struct Goals {
    /// For each goal its index in `[base, ours, theirs]`.
    pub(super) places: Vec<[Option<usize>; 3]>,
    /// For each version's goals their index in `places`.
    pub(super) of: [Vec<u32>; 3],
}

/// Goals are the same by id; one that has none, by its subject in any case. None where an id, or the subject of a goal
/// without one, stands twice in a version.
pub(super) fn match_goals(plans: &[Plan<'_>; 3]) -> Option<Goals> {
    let mut goals = Goals::default();
    let mut ids: HashMap<&str, u32> = HashMap::new();
    let mut subjects: HashMap<String, Vec<u32>> = HashMap::new();
    let mut has_id: Vec<bool> = Vec::new();
    for (version, plan) in plans.iter().enumerate() {
        let mut of = vec![None; plan.goals.len()];
        for goal in plan.all_goals() {
            let Some(known) = goal.id().and_then(|id| ids.get(id)) else { continue };
            let place = &mut goals.places[*known as usize][version];
            if place.is_some() {
                return None;
            }
            *place = Some(goal.index());
            of[goal.index()] = Some(*known);
        }
        // Two goals with one id that no other version has.
        let mut new_ids: HashSet<&str> = HashSet::new();
        for goal in plan.all_goals().filter(|goal| of[goal.index()].is_none()) {
            if goal.id().is_some_and(|id| !new_ids.insert(id)) {
                return None;
            }
        }
        let twice = subjects_twice(plan);
        for goal in plan.all_goals() {
            if of[goal.index()].is_some() {
                continue;
            }
            let subject = goal.subject().to_lowercase();
            if goal.id().is_none() && twice.contains(&subject) {
                return None;
            }
            let same = subjects.get(&subject).and_then(|known| {
                let free = |index: &&u32| {
                    goals.places[**index as usize][version].is_none()
                        && (goal.id().is_none() || !has_id[**index as usize])
                };
                let mut found = known.iter().filter(free);
                found.next().copied().filter(|_| found.next().is_none())
            });
            let index = same.unwrap_or_else(|| {
                goals.places.push([None; 3]);
                has_id.push(false);
                subjects.entry(subject).or_default().push(goals.places.len() as u32 - 1);
                goals.places.len() as u32 - 1
            });
            goals.places[index as usize][version] = Some(goal.index());
            if let Some(id) = goal.id() {
                has_id[index as usize] = true;
                ids.insert(id, index);
            }
            of[goal.index()] = Some(index);
        }
        goals.of[version] = of.into_iter().collect::<Option<Vec<u32>>>()?;
    }
    Some(goals)
}

fn subjects_twice(plan: &Plan<'_>) -> HashSet<String> {
    let mut seen: HashMap<String, u32> = HashMap::with_capacity(plan.goals.len());
    for goal in plan.all_goals() {
        *seen.entry(goal.subject().to_lowercase()).or_default() += 1;
    }
    seen.into_iter().filter(|(_, count)| *count > 1).map(|(subject, _)| subject).collect()
}

/// The names of a version's sections, each once.
pub(super) fn names<'a>(source: &'a [u8], sections: &[Section], goals: &[u32]) -> Vec<Name<'a>> {
    let mut logs = [0; 2];
    let mut texts: HashMap<(&[u8], bool), usize> = HashMap::new();
    sections
        .iter()
        .map(|section| match section.what {
            What::Front => Name::Front,
            What::Objective => Name::Objective,
            What::Archive => Name::Archive,
            What::Goal(goal) => Name::Goal(goals[goal]),
            What::Log => {
                let nth = &mut logs[usize::from(section.archived)];
                *nth += 1;
                Name::Log(section.archived, *nth)
            }
            What::Text => {
                let heading = &source[section.heading.clone()];
                let nth = texts.entry((heading, section.archived)).or_default();
                *nth += 1;
                Name::Text(heading, section.archived, *nth)
            }
        })
        .collect()
}
