//! Three-way merge of a step: number and text, mark, outcome, and the lines that belong to it.

use std::collections::{HashMap, HashSet};

use super::Texts;
use super::merged_text::{BASE, MergedText, OURS, THEIRS, settled};
use super::same::DisjointSets;
use crate::error::Result;
use crate::plan::lookup::StepRef;
use crate::plan::model::{GoalRef, Mark, Plan};
use crate::plan::parse::split;

/// Returns an index for each step of a goal in each version; the same step has the same index. Steps are the same if they
/// have the number of the same base step, or equal number and text. Steps that the two sides added with the same number
/// but different texts are two steps. `None` if two steps of one version would be the same.
pub(super) fn names(goals: [Option<GoalRef<'_, '_>>; 3]) -> Option<[Vec<u32>; 3]> {
    let mut texts: HashMap<(Option<u32>, String, usize), u32> = HashMap::new();
    let mut of_base: HashMap<(u32, usize), u32> = HashMap::new();
    let mut ties = DisjointSets::default();
    let mut out = [const { Vec::new() }; 3];
    for (version, goal) in goals.iter().enumerate() {
        let Some(goal) = goal else { continue };
        let mut numbers: HashMap<u32, usize> = HashMap::new();
        let mut seen: HashMap<(Option<u32>, &str), usize> = HashMap::new();
        for step in goal.raw().steps.clone().filter_map(|index| goal.plan().step(index as usize)) {
            let own = ties.add();
            out[version].push(own);
            let number = step.raw().number;
            let nth = seen.entry((number, step.text())).or_default();
            *nth += 1;
            ties.tie(own, *texts.entry((number, step.text().to_owned(), *nth)).or_insert(own));
            let Some(number) = number else { continue };
            let nth = numbers.entry(number).or_default();
            *nth += 1;
            match of_base.get(&(number, *nth)) {
                Some(base) => ties.tie(own, *base),
                None if version == BASE => drop(of_base.insert((number, *nth), own)),
                None => {}
            }
        }
    }
    ties.settle(out)
}

/// The key that identifies a step among all goals of a plan: its number, else its text.
#[derive(PartialEq, Eq, Hash)]
enum StepKey<'a> {
    Number(u32),
    Text(&'a str),
}

/// Returns the steps of each version that the two sides moved into different goals: the merge cannot tell where they
/// belong. `goals` holds a number for each goal of each version; the same goal has the same number.
pub(super) fn torn(plans: &[Plan<'_>; 3], goals: &[Vec<u32>; 3]) -> [HashSet<usize>; 3] {
    let places = [0, 1, 2].map(|version| places(&plans[version], &goals[version]));
    let mut torn: [HashSet<usize>; 3] = Default::default();
    for (step, base) in &places[BASE] {
        let at = |version: usize| places[version].get(step).copied().flatten();
        let (Some((base, _)), Some((ours, own)), Some((theirs, other))) = (base, at(OURS), at(THEIRS)) else {
            continue;
        };
        if *base != ours && *base != theirs && ours != theirs {
            torn[OURS].insert(own);
            torn[THEIRS].insert(other);
        }
    }
    torn
}

/// Returns the goal and the index of each step of a plan; `None` for a step that occurs twice.
fn places<'a>(plan: &Plan<'a>, goals: &[u32]) -> HashMap<StepKey<'a>, Option<(u32, usize)>> {
    let mut places = HashMap::with_capacity(plan.steps.len());
    for step in plan.all_steps() {
        let known = step.raw().number.map_or(StepKey::Text(step.text()), StepKey::Number);
        let place = goals.get(step.raw().goal as usize).map(|goal| (*goal, step.index()));
        places.entry(known).and_modify(|place| *place = None).or_insert(place);
    }
    places
}

/// The parts of a step's text.
#[derive(Clone, Copy)]
struct Parts<'a> {
    front: &'a [u8],
    mark: Mark,
    mark_byte: u8,
    head: &'a [u8],
    outcome: &'a [u8],
    below: &'a [u8],
}

impl<'a> Parts<'a> {
    /// Splits `text`, the bytes of the step's part, which begin with its line.
    fn of(step: StepRef<'_, 'a>, text: &'a [u8]) -> Self {
        let raw = step.raw();
        let start = raw.line.start as usize;
        let place = |at: u32| at as usize - start;
        let mark = place(raw.mark_at);
        let rest = step.plan().text(raw.rest);
        let head = place(raw.rest.start) + split(rest).head_end;
        let line = raw.line.range().len();
        Parts {
            front: &text[..mark],
            mark: raw.mark,
            mark_byte: text[mark],
            head: &text[mark + 1..head],
            outcome: &text[head..line],
            below: &text[line..],
        }
    }
}

/// Merges a step that both sides changed, or that one side removed and the other changed.
pub(super) fn merge(
    steps: [Option<StepRef<'_, '_>>; 3],
    text: [Option<&[u8]>; 3],
    texts: &mut Texts<'_>,
) -> Result<MergedText> {
    let parts = |version: usize| steps[version].zip(text[version]).map(|(step, text)| Parts::of(step, text));
    let (Some(ours), Some(theirs)) = (parts(1), parts(2)) else { return Ok(MergedText::conflict(text)) };
    // If both sides added the step, the base is a new step: pending, without an outcome.
    let ending = if ours.outcome.ends_with(b"\r\n") { b"\r\n".as_slice() } else { b"\n" };
    let fresh = Parts { mark: Mark::Pending, mark_byte: b' ', outcome: ending, below: b"", ..ours };
    let base = parts(0).unwrap_or(fresh);
    let added = steps[0].is_none();
    let front =
        if added && ours.front != theirs.front { None } else { settled([base.front, ours.front, theirs.front]) };
    let head = if added && ours.head != theirs.head { None } else { settled([base.head, ours.head, theirs.head]) };
    let mark = mark([&base, &ours, &theirs]);
    let outcome = settled([base.outcome, ours.outcome, theirs.outcome]);
    let below = match settled([base.below, ours.below, theirs.below]) {
        Some(below) => MergedText::clean(below),
        None => texts([base.below, ours.below, theirs.below])?,
    };
    let mut out = match (front, mark, head, outcome) {
        (Some(front), Some(mark), Some(head), Some(outcome)) => {
            MergedText::clean(&[front, &[mark], head, outcome].concat())
        }
        _ => MergedText::conflict([0, 1, 2].map(|version| {
            let line = steps[version].map_or(0, |step| step.raw().line.range().len());
            text[version].map(|text| &text[..line])
        })),
    };
    out.append(below);
    Ok(out)
}

/// Joins the marks. The side that got further wins; a finished step that both sides reopened is active; two different ends conflict.
fn mark(parts: [&Parts<'_>; 3]) -> Option<u8> {
    let [base, ours, theirs] = parts.map(|parts| parts.mark);
    let wanted = join(base, ours, theirs)?;
    let bytes = settled(parts.map(|parts| parts.mark_byte));
    let byte_of = |byte: u8| Mark::from_byte(byte) == Some(wanted);
    bytes.filter(|byte| byte_of(*byte)).or_else(|| Some(wanted.character() as u8))
}

fn join(base: Mark, ours: Mark, theirs: Mark) -> Option<Mark> {
    settled([base, ours, theirs]).or(match (base, ours, theirs) {
        (Mark::Pending, Mark::Active, further) | (Mark::Pending, further, Mark::Active) => Some(further),
        (Mark::Complete | Mark::Failed | Mark::Skipped, Mark::Active, Mark::Pending)
        | (Mark::Complete | Mark::Failed | Mark::Skipped, Mark::Pending, Mark::Active) => Some(Mark::Active),
        _ => None,
    })
}
