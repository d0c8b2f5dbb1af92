//! The three-way merge of plan.md (`FORMAT.md` §1; `SIGNOFF.md` §8). It uses the meaning of the lines to decide what git's
//! line merge gets wrong or leaves to a person.
//!
//! ```text
//! file     sections in order; goals are matched by id or subject, other sections by heading
//! goal     heading, id, fields and steps are matched by name; the rest is prose
//! field    the status is joined; a list is merged item by item; anything else is one value
//! step     the mark is joined; number, text and outcome are each merged three-way
//! log      the lines of both sides, each once, by stamp
//! prose    the text merge that the caller passes in (git's own)
//! ```
//!
//! Only parts that both sides changed are merged; every other part is copied from the side that changed it. Input that is
//! not understood (a repeated id, conflict markers, an unclosed fence, parts moved by both sides) is merged as text, as a
//! section or as the whole file. A clean result has the same bytes whichever side is ours.
//!
//! Last, every goal with `status: done` is checked against the log. If its sign-off does not cover the merged contract, the
//! goal becomes active again and the log says why. A goal that was done without a sign-off before the merge, on the side
//! that it comes from, stays done.

mod align;
mod check;
mod field;
mod form;
mod goal;
mod hunk;
mod log;
mod merged_text;
mod reopen;
mod same;
mod sections;
mod sequence;
mod step;

use std::collections::{HashMap, HashSet};

use self::form::Form;
use self::merged_text::settled;
use self::sections::{Name, Section, SectionKind};
use self::sequence::{Placed, Sequence, Sort};
use super::model::Plan;
use super::parse::parse;
use crate::error::Result;

pub use merged_text::{BASE, Chunk, Conflict, Markers, MergedText, OURS, THEIRS, Texts};

/// A merged plan.
#[derive(Clone, Debug)]
pub struct Merged {
    /// The merged text. Every line ending is LF if no version mixes line endings.
    pub text: MergedText,
    /// Names of the goals that are no longer done.
    pub reopened: Vec<String>,
    /// True if the whole file was merged as text.
    pub by_text: bool,
    form: Option<Form>,
}

impl Merged {
    /// The number of conflicts.
    pub fn conflicts(&self) -> usize {
        self.text.conflicts()
    }

    /// The bytes of the merged file.
    pub fn render(&self, markers: &Markers) -> Vec<u8> {
        let text = self.text.render(markers);
        let conflict_at_end = matches!(self.text.chunks().last(), Some(Chunk::Conflict(_)));
        self.form.map_or(text.clone(), |form| form.apply(&text, conflict_at_end))
    }
}

/// Merges `[base, ours, theirs]`; an empty base means that both sides added the file. `stamp` (`YYYY-MM-DD HH:MM`) is the
/// time in log lines about reopened goals.
///
/// # Errors
/// The errors of `texts`.
pub fn merge(versions: [&[u8]; 3], stamp: &str, texts: &mut Texts<'_>) -> Result<Merged> {
    if let Some(text) = settled(versions) {
        return Ok(Merged { text: MergedText::clean(text), reopened: Vec::new(), by_text: false, form: None });
    }
    let (form, bare) = form::split(versions);
    let versions = bare.each_ref().map(Vec::as_slice);
    let mut by_text = false;
    let mut text = match settled(versions) {
        Some(text) => MergedText::clean(text),
        None => match structured(versions, texts)? {
            Some(text) => text,
            None => {
                by_text = true;
                as_text(versions, texts)?
            }
        },
    };
    let reopened = reopen::reopen(&mut text, versions, stamp);
    Ok(Merged { text, reopened, by_text, form: Some(form) })
}

/// Merges by sections. `None` if something is not understood, or if the last check rejects the result.
fn structured(versions: [&[u8]; 3], texts: &mut Texts<'_>) -> Result<Option<MergedText>> {
    if versions.iter().any(|text| check::has_markers(text)) {
        return Ok(None);
    }
    let [Ok(base), Ok(ours), Ok(theirs)] = versions.map(parse) else { return Ok(None) };
    let plans = [base, ours, theirs];
    if plans.iter().any(|plan| plan.unclosed.is_some()) {
        return Ok(None);
    }
    let [Some(base), Some(ours), Some(theirs)] = plans.each_ref().map(sections::sections) else { return Ok(None) };
    let Some(goals) = same::goals(&plans) else { return Ok(None) };
    let torn = step::torn(&plans, &goals);
    let file = File { plans: &plans, sections: [base, ours, theirs], goals, torn };
    let merged = file.merge(texts)?;
    Ok(merged.filter(|merged| check::holds(&plans, merged)))
}

/// Merges the lines of the whole file. The whole file becomes one conflict if the merge would lose or duplicate a line, or
/// change a goal in a way that neither side did.
fn as_text(versions: [&[u8]; 3], texts: &mut Texts<'_>) -> Result<MergedText> {
    let merged = texts(versions)?;
    let wrong = match versions.map(parse) {
        [Ok(base), Ok(ours), Ok(theirs)] if merged.conflicts() == 0 => {
            !check::holds_as_text(&[base, ours, theirs], &merged)
        }
        _ => false,
    };
    Ok(if wrong { MergedText::conflict(versions.map(Some)) } else { merged })
}

/// Three versions of a file.
struct File<'p, 'a> {
    plans: &'p [Plan<'a>; 3],
    sections: [Vec<Section>; 3],
    /// A number for each goal of each version; the same goal has the same number.
    goals: [Vec<u32>; 3],
    /// The steps that both sides moved to different goals.
    torn: [HashSet<usize>; 3],
}

/// A section's index in each version that has it.
type Places = [Option<usize>; 3];

impl<'a> File<'_, 'a> {
    fn merge(&self, texts: &mut Texts<'_>) -> Result<Option<MergedText>> {
        let (sequence, places) = self.sequence();
        let mut merged = Vec::with_capacity(places.len());
        for (part, place) in sequence.parts.iter().zip(&places) {
            merged.push(match settled(part.text).filter(|_| !self.is_torn(place)) {
                Some(text) => text.map(MergedText::clean),
                None => Some(self.section(place, part.text, texts)?),
            });
        }
        let Some(placed) = sequence.merge(&merged, texts)? else { return Ok(None) };
        let mut order = Vec::with_capacity(placed.len());
        for one in placed {
            let Placed::Part(part) = one else { return Ok(None) };
            order.push(part as usize);
        }
        let mut out = MergedText::default();
        let last = order.iter().rposition(|part| merged[*part].as_ref().is_some_and(|m| !m.chunks().is_empty()));
        for (at, part) in order.into_iter().enumerate() {
            let Some(merged) = merged[part].take() else { continue };
            let empty = merged.chunks().is_empty();
            out.append(merged);
            let gap = self.gap(&places[part]);
            let apart = gap.is_empty() && !empty && last.is_some_and(|last| at < last) && !self.is_tight(&places[part]);
            out.push(if apart { b"\n" } else { gap });
        }
        Ok(Some(out))
    }

    /// Returns the sections as named parts, with the places of each.
    fn sequence(&self) -> (Sequence<'a>, Vec<Places>) {
        let mut sequence = Sequence::default();
        let mut places: Vec<Places> = Vec::new();
        let mut known: HashMap<Name<'a>, u32> = HashMap::new();
        for (version, plan) in self.plans.iter().enumerate() {
            let sections = &self.sections[version];
            let names = sections::names(plan.source, sections, &self.goals[version]);
            for (index, (section, name)) in sections.iter().zip(names).enumerate() {
                let text = &plan.source[section.text.clone()];
                let sort = Sort::Named(rank(section.kind));
                let part = sequence.named(known.get(&name).copied(), version, sort, text, text);
                known.insert(name, part);
                places.resize(places.len().max(part as usize + 1), [None; 3]);
                places[part as usize][version] = Some(index);
            }
        }
        (sequence, places)
    }

    /// Merges a section that both sides changed, or that one side removed and the other changed.
    fn section(&self, places: &Places, text: [Option<&[u8]>; 3], texts: &mut Texts<'_>) -> Result<MergedText> {
        let of = |version: usize| places[version].map(|index| &self.sections[version][index]);
        let kind = [1, 2, 0].into_iter().find_map(of).map_or(SectionKind::Text, |section| section.kind);
        match kind {
            SectionKind::Goal(_) => {
                let body = |version: usize| {
                    let section = of(version)?;
                    let SectionKind::Goal(goal) = section.kind else { return None };
                    Some((self.plans[version].goal(goal)?, section.text.clone()))
                };
                goal::merge(&[body(0), body(1), body(2)], &self.torn, texts)
            }
            SectionKind::Log => {
                let body = |version: usize| Some((&self.plans[version], of(version)?.text.clone()));
                log::merge(&[body(0), body(1), body(2)], texts)
            }
            _ if places[OURS].is_none() || places[THEIRS].is_none() => Ok(MergedText::conflict(text)),
            _ => texts(text.map(Option::unwrap_or_default)),
        }
    }

    /// Whether one side moved a step into this goal that the other side moved elsewhere.
    fn is_torn(&self, places: &Places) -> bool {
        [OURS, THEIRS].into_iter().any(|side| {
            let section = places[side].map(|index| &self.sections[side][index]);
            let Some(SectionKind::Goal(goal)) = section.map(|section| section.kind) else { return false };
            self.torn[side].iter().any(|step| self.plans[side].steps[*step].goal as usize == goal)
        })
    }

    /// The blank lines after a section.
    fn gap(&self, places: &Places) -> &'a [u8] {
        let gaps = [0, 1, 2].map(|version| {
            let section = &self.sections[version][places[version]?];
            Some(&self.plans[version].source[section.text.end..section.end])
        });
        let one = match gaps {
            [_, Some(gap), None] | [_, None, Some(gap)] => Some(gap),
            _ => settled(gaps).unwrap_or(gaps[OURS].max(gaps[THEIRS])),
        };
        one.unwrap_or_default()
    }

    /// True if a version has no blank line between this section and the next one.
    fn is_tight(&self, places: &Places) -> bool {
        (0..3).any(|version| {
            places[version].is_some_and(|index| {
                let sections = &self.sections[version];
                index + 1 < sections.len() && sections[index].text.end == sections[index].end
            })
        })
    }
}

/// The order of sections that both sides put in the same place. The archive is last, because it contains everything after it.
fn rank(kind: SectionKind) -> u8 {
    match kind {
        SectionKind::Front => 0,
        SectionKind::Objective => 1,
        SectionKind::Goal(_) => 2,
        SectionKind::Text => 3,
        SectionKind::Log => 4,
        SectionKind::Archive => 5,
    }
}

#[cfg(test)]
mod tests;
