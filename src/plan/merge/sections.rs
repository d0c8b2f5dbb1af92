//! Splits a file into sections: the text above the first heading, and each heading of level 1 or 2 with the text below it.
//! A log of a deeper level is a section too. Sections of two versions are matched by their [`Name`].

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::plan::model::Plan;
use crate::plan::scan::{LineKind, Scanner};

/// The kind of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SectionKind {
    /// Front matter and everything else above the first heading.
    Front,
    /// `# Plan: …`
    Objective,
    /// An index of [`Plan::goals`].
    Goal(usize),
    /// A log.
    Log,
    /// The heading `# Archive` and the text up to the next heading.
    Archive,
    /// Anything else.
    Text,
}

/// A section of one version.
#[derive(Clone, Debug)]
pub(super) struct Section {
    pub(super) kind: SectionKind,
    /// Its lines, without trailing blank lines.
    pub(super) text: Range<usize>,
    /// Where the next section begins.
    pub(super) end: usize,
    /// Its heading's text.
    pub(super) heading: Range<usize>,
    pub(super) archived: bool,
}

/// The name by which a section is found in other versions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Name<'a> {
    Front,
    Objective,
    Archive,
    /// The goal's number, the same in each version.
    Goal(u32),
    /// In the archive or not, and the number of the log there.
    Log(bool, usize),
    /// The heading, in the archive or not, and the number among the sections with this heading there.
    Text(&'a [u8], bool, usize),
}

/// Returns the sections of a plan, which cover every byte. `None` if a log is nested inside a goal.
pub(super) fn sections(plan: &Plan<'_>) -> Option<Vec<Section>> {
    let source = plan.source;
    let from = plan.front.map_or(0, |front| front.end as usize);
    let goals: HashMap<u32, usize> =
        plan.goals.iter().enumerate().map(|(index, goal)| (goal.heading.start, index)).collect();
    let logs: HashSet<u32> = plan.logs.iter().map(|log| log.heading.start).collect();
    let mut out = vec![Section { kind: SectionKind::Front, text: 0..0, end: 0, heading: 0..0, archived: false }];
    let mut scanner = Scanner::new(source, from);
    let mut archived = false;
    let mut in_goal = false;
    let mut deep_log: Option<u8> = None;
    while let Some(line) = scanner.line() {
        let LineKind::Heading { level, start, end } = line.kind else { continue };
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
        let kind = match goals.get(&at) {
            Some(goal) => SectionKind::Goal(*goal),
            None if is_log => SectionKind::Log,
            None if plan.objective_line.is_some_and(|line| line.start == at) => SectionKind::Objective,
            None if plan.archive.is_some_and(|archive| archive.start == at) => SectionKind::Archive,
            None => SectionKind::Text,
        };
        in_goal = matches!(kind, SectionKind::Goal(_));
        archived |= kind == SectionKind::Archive;
        out.push(Section { kind, text: line.start..line.start, end: line.start, heading: start..end, archived });
    }
    let ends: Vec<usize> =
        out.iter().skip(1).map(|next| next.text.start).chain(std::iter::once(source.len())).collect();
    for (section, end) in out.iter_mut().zip(ends) {
        section.end = end;
        section.text.end = text_end(source, section.text.start, end);
    }
    Some(out)
}

/// Returns where the trailing blank lines begin.
fn text_end(source: &[u8], start: usize, end: usize) -> usize {
    let visible = start + source[start..end].trim_ascii_end().len();
    match memchr::memchr(b'\n', &source[visible..end]) {
        Some(_) if visible == start => start,
        Some(ending) => visible + ending + 1,
        None => end,
    }
}

/// Returns the names of a version's sections. Each name is unique.
pub(super) fn names<'a>(source: &'a [u8], sections: &[Section], goals: &[u32]) -> Vec<Name<'a>> {
    let mut logs = [0; 2];
    let mut texts: HashMap<(&[u8], bool), usize> = HashMap::new();
    sections
        .iter()
        .map(|section| match section.kind {
            SectionKind::Front => Name::Front,
            SectionKind::Objective => Name::Objective,
            SectionKind::Archive => Name::Archive,
            SectionKind::Goal(goal) => Name::Goal(goals[goal]),
            SectionKind::Log => {
                let nth = &mut logs[usize::from(section.archived)];
                *nth += 1;
                Name::Log(section.archived, *nth)
            }
            SectionKind::Text => {
                let heading = &source[section.heading.clone()];
                let nth = texts.entry((heading, section.archived)).or_default();
                *nth += 1;
                Name::Text(heading, section.archived, *nth)
            }
        })
        .collect()
}
