//! Three-way merge of a goal: its heading, id, fields and steps are matched by name, everything else is prose.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::merged_text::{BASE, MergedText, settled};
use super::sequence::{Part, Sequence, Sort, written};
use super::{Texts, field, step};
use crate::error::Result;
use crate::plan::model::{GoalRef, Key};

/// The name by which a part of a goal is found in other versions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum GoalName {
    Heading,
    Id,
    Field(usize),
    Step(u32),
    /// Blank lines after another part.
    Blank(u32),
}

/// The kind of a part in its own version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whole {
    Line,
    /// An index of a plan's `fields`.
    Field(usize),
    /// An index of a plan's `steps`.
    Step(usize),
}

struct Atom {
    what: Whole,
    name: Option<GoalName>,
    range: Range<usize>,
}

/// A goal's lines without trailing blank lines, in the versions that have the goal.
pub(super) type Bodies<'p, 'a> = [Option<(GoalRef<'p, 'a>, Range<usize>)>; 3];

/// Merges a goal that both sides changed, or that contains `torn` steps. These become conflicts.
pub(super) fn merge<'a>(
    bodies: &Bodies<'_, 'a>,
    torn: &[HashSet<usize>; 3],
    texts: &mut Texts<'_>,
) -> Result<MergedText> {
    let source = |version: usize| -> Option<&'a [u8]> {
        bodies[version].as_ref().map(|(goal, range)| &goal.plan().source[range.clone()])
    };
    let whole = [source(0), source(1), source(2)];
    if bodies.iter().skip(1).any(Option::is_none) {
        return Ok(MergedText::conflict(whole)); // One side removed it, the other changed it.
    }
    let subjects = [1, 2].map(|side| bodies[side].as_ref().map(|(goal, _)| goal.subject()));
    if bodies[BASE].is_none() && subjects[0] != subjects[1] {
        return Ok(MergedText::conflict(whole)); // Two goals with the same id.
    }
    let by_text = |texts: &mut Texts<'_>| texts(whole.map(Option::unwrap_or_default));
    if bodies.iter().flatten().any(|(goal, _)| goal.fields().iter().any(|field| field.repeated)) {
        return by_text(texts);
    }
    let Some(steps) = step::names(bodies.each_ref().map(|body| body.as_ref().map(|(goal, _)| *goal))) else {
        return by_text(texts);
    };
    let (sequence, wholes) = sequence(bodies, &steps);
    let mut merged = Vec::with_capacity(sequence.parts.len());
    for (index, part) in sequence.parts.iter().enumerate() {
        let of = wholes.get(&(index as u32)).copied().unwrap_or_default();
        let is_torn =
            (0..3).any(|version| matches!(of[version], Some(Whole::Step(step)) if torn[version].contains(&step)));
        merged.push(if is_torn { Some(MergedText::conflict(part.text)) } else { content(bodies, part, of, texts)? });
    }
    match sequence.merge(&merged, texts)? {
        Some(placed) => Ok(written(placed, &merged)),
        None => by_text(texts),
    }
}

/// Returns the merged content of a part; `None` if the part is removed.
fn content(
    bodies: &Bodies<'_, '_>,
    part: &Part<'_>,
    of: [Option<Whole>; 3],
    texts: &mut Texts<'_>,
) -> Result<Option<MergedText>> {
    let text = part.text;
    if matches!(part.sort, Sort::Prose | Sort::Item) {
        return Ok(text.into_iter().flatten().next().map(MergedText::clean));
    }
    if let Some(text) = settled(text) {
        return Ok(text.map(MergedText::clean));
    }
    if part.sort == Sort::Blank {
        return Ok(part.blank().map(MergedText::clean));
    }
    let plan = |version: usize| bodies[version].as_ref().map(|(goal, _)| goal.plan());
    let fields = [0, 1, 2].map(|version| match of[version] {
        Some(Whole::Field(field)) => plan(version).map(|plan| (plan, field)),
        _ => None,
    });
    let steps = [0, 1, 2].map(|version| match of[version] {
        Some(Whole::Step(step)) => plan(version).and_then(|plan| plan.step(step)),
        _ => None,
    });
    Ok(Some(if fields.iter().any(Option::is_some) {
        field::merge(fields, text, texts)?
    } else if steps.iter().any(Option::is_some) {
        step::merge(steps, text, texts)?
    } else {
        MergedText::conflict(text)
    }))
}

type Wholes = HashMap<u32, [Option<Whole>; 3]>;

fn sequence<'a>(bodies: &Bodies<'_, 'a>, steps: &[Vec<u32>; 3]) -> (Sequence<'a>, Wholes) {
    let mut sequence = Sequence::default();
    let mut known: HashMap<GoalName, u32> = HashMap::new();
    let mut wholes: Wholes = HashMap::new();
    for (version, body) in bodies.iter().enumerate() {
        let Some((goal, range)) = body else { continue };
        let source = goal.plan().source;
        let mut last = None;
        let mut at = range.start;
        for atom in atoms(*goal, &steps[version], range.end) {
            lines(&mut sequence, &mut known, version, source, at..atom.range.start, &mut last);
            let text = &source[atom.range.clone()];
            let Some(name) = atom.name else { continue };
            let rank = rank(&name);
            let index = sequence.named(known.get(&name).copied(), version, Sort::Named(rank), text, text);
            known.insert(name, index);
            wholes.entry(index).or_default()[version] = Some(atom.what);
            last = Some(index);
            at = atom.range.end;
        }
        lines(&mut sequence, &mut known, version, source, at..range.end, &mut last);
    }
    (sequence, wholes)
}

/// Adds prose line by line. Blank lines after a named part belong to it.
fn lines<'a>(
    sequence: &mut Sequence<'a>,
    known: &mut HashMap<GoalName, u32>,
    version: usize,
    source: &'a [u8],
    range: Range<usize>,
    last: &mut Option<u32>,
) {
    let text = &source[range];
    let mut blank = 0;
    if let Some(part) = *last {
        let lines = text.split_inclusive(|byte| *byte == b'\n');
        blank = lines.take_while(|line| line.trim_ascii().is_empty()).map(<[u8]>::len).sum();
        if blank > 0 {
            let name = GoalName::Blank(part);
            let index = sequence.named(known.get(&name).copied(), version, Sort::Blank, &text[..blank], b"");
            known.insert(name, index);
        }
    }
    for line in text[blank..].split_inclusive(|byte| *byte == b'\n') {
        sequence.line(version, Sort::Prose, line);
        *last = None;
    }
}

/// The order of parts that both sides put in the same place.
fn rank(name: &GoalName) -> u8 {
    match name {
        GoalName::Heading => 0,
        GoalName::Id => 1,
        GoalName::Field(key) => 2 + *key as u8,
        GoalName::Step(_) | GoalName::Blank(_) => 20,
    }
}

/// The named parts of a goal, in file order.
fn atoms(goal: GoalRef<'_, '_>, steps: &[u32], end: usize) -> Vec<Atom> {
    let plan = goal.plan();
    let raw = goal.raw();
    let line = |name: GoalName, range: Range<usize>| Atom { what: Whole::Line, name: Some(name), range };
    let mut atoms = vec![line(GoalName::Heading, raw.heading.range())];
    atoms.extend(raw.id.map(|(id, _)| line(GoalName::Id, id.range())));
    for index in raw.fields.clone() {
        let field = &plan.fields[index as usize];
        let key = Key::ALL.iter().position(|key| *key == field.key).unwrap_or(Key::ALL.len());
        let name = Some(GoalName::Field(key));
        atoms.push(Atom { what: Whole::Field(index as usize), name, range: field.lines.range() });
    }
    for (nth, index) in raw.steps.clone().enumerate() {
        let step = &plan.steps[index as usize];
        let name = steps.get(nth).map(|name| GoalName::Step(*name));
        let range = step.line.start as usize..step.end as usize;
        atoms.push(Atom { what: Whole::Step(index as usize), name, range });
    }
    atoms.sort_by_key(|atom| atom.range.start);
    // The lines that belong to a step end at the next part: a nested step is a part of its own.
    let starts: Vec<usize> = atoms.iter().skip(1).map(|next| next.range.start).chain(std::iter::once(end)).collect();
    for (atom, start) in atoms.iter_mut().zip(starts) {
        atom.range.end = atom.range.end.min(start);
    }
    atoms
}
