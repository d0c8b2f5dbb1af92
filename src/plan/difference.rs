//! Compares two versions of the plan contract for the person who approves (`CONTRACT.md` §1): the changes in words, the worst
//! first, then the removed and added lines, goal by goal.

use std::collections::{HashMap, HashSet};
use std::fmt;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::contract::{AgreedGoal, AgreedStep, Amendment, Effect, PlanContract, ShownLine};
use super::text::counted;
use super::view::{Row, Style};

/// A change of the plan contract, in the words of the log: `step 7 added to docs-1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ContractEdit {
    /// The mode in the front matter.
    Mode,
    /// The objective.
    Objective,
    /// A change of a goal, given by its name.
    Goal(String, GoalEdit),
    /// A change of a step, given by its number or text.
    Step(String, StepEdit),
}

/// A change of a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GoalEdit {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// It is in another place.
    Moved,
    /// Its own contract changed.
    Amended(Amendment),
    /// Its steps are in another order.
    StepsReordered,
}

/// A change of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepEdit {
    /// It is new, in the named goal.
    Added(String),
    /// It is gone.
    Removed,
    /// It is in the named goal now.
    Moved(String),
    /// Its text, its command or its `after` changed.
    Reworded,
}

/// An edit and the reason why it was proposed, shown to the person besides the lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason<'t> {
    /// The edit in words: `step 7 added to docs-1`, `retry step 3`.
    pub what: &'t str,
    /// The reason that was given.
    pub because: Option<&'t str>,
}

impl ContractEdit {
    /// True if the contract requires less, or may do so: a person must not miss it.
    pub fn asks_less(&self) -> bool {
        match self {
            ContractEdit::Mode | ContractEdit::Step(_, StepEdit::Removed) => true,
            ContractEdit::Goal(_, GoalEdit::Removed) => true,
            ContractEdit::Goal(_, GoalEdit::Amended(amendment)) => amendment.asks_less(),
            _ => false,
        }
    }

    /// The order of reading: edits that ask for less first, then reworded goals, then the rest.
    fn rank(&self) -> u8 {
        match self {
            edit if edit.asks_less() => 0,
            ContractEdit::Goal(_, GoalEdit::Amended(amendment)) if amendment.effect == Effect::Reworded => 1,
            _ => 2,
        }
    }
}

impl fmt::Display for ContractEdit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ContractEdit::Mode => f.write_str("mode changed"),
            ContractEdit::Objective => f.write_str("objective reworded"),
            ContractEdit::Goal(name, edit) => match edit {
                GoalEdit::Added => write!(f, "goal {name} added"),
                GoalEdit::Removed => write!(f, "goal {name} removed"),
                GoalEdit::Moved => write!(f, "goal {name} moved"),
                GoalEdit::Amended(amendment) => write!(f, "goal {name} amended ({amendment})"),
                GoalEdit::StepsReordered => write!(f, "steps of {name} reordered"),
            },
            ContractEdit::Step(name, edit) => match edit {
                StepEdit::Added(goal) => write!(f, "step {name} added to {goal}"),
                StepEdit::Removed => write!(f, "step {name} removed"),
                StepEdit::Moved(goal) => write!(f, "step {name} moved to {goal}"),
                StepEdit::Reworded => write!(f, "step {name} reworded"),
            },
        }
    }
}

/// A goal in one of the versions or in both.
enum Pair<'c> {
    Both { old: &'c AgreedGoal, new: &'c AgreedGoal, is_moved: bool },
    Old(&'c AgreedGoal),
    New(&'c AgreedGoal),
}

/// Returns the edits that turn `old` into `new`: edits that ask for less first, then reworded goals, then the rest, each in the
/// order of the plan. Empty if and only if the contracts are the same.
pub fn edits(old: &PlanContract, new: &PlanContract) -> Vec<ContractEdit> {
    let mut edits = Vec::new();
    edits.extend((old.mode != new.mode).then_some(ContractEdit::Mode));
    edits.extend((old.objective != new.objective).then_some(ContractEdit::Objective));
    for pair in pairs(old, new) {
        match pair {
            Pair::Old(goal) => edits.push(ContractEdit::Goal(goal.name().to_owned(), GoalEdit::Removed)),
            Pair::New(goal) => edits.push(ContractEdit::Goal(goal.name().to_owned(), GoalEdit::Added)),
            Pair::Both { old, new, is_moved } => {
                let name = || new.name().to_owned();
                edits.extend(is_moved.then(|| ContractEdit::Goal(name(), GoalEdit::Moved)));
                let amendment = Amendment::between(&old.contract, &new.contract);
                edits.extend(amendment.map(|amendment| ContractEdit::Goal(name(), GoalEdit::Amended(amendment))));
            }
        }
    }
    step_edits(old, new, &mut edits);
    edits.sort_by_key(ContractEdit::rank);
    edits
}

/// Returns the name of a step: its number, or its text if it has no number.
fn step_name(step: &AgreedStep) -> String {
    step.number.map_or_else(|| step.text.clone().unwrap_or_default(), |number| number.to_string())
}

/// Returns the steps of `these`, each with the key of its goal: first the steps of goals that `those` has too, then the steps of all
/// other goals, which are reported with their goal.
fn steps_of<'c>(these: &'c PlanContract, those: &PlanContract) -> (Vec<KeyedStep<'c>>, Vec<KeyedStep<'c>>) {
    let others: HashSet<_> = keys(those).into_iter().collect();
    let goals = these.goals.iter().zip(keys(these));
    goals
        .flat_map(|(goal, key)| goal.steps.iter().map(move |step| (step, key)))
        .partition(|(_, key)| others.contains(key))
}

type KeyedStep<'c> = (&'c AgreedStep, GoalKey<'c>);

fn step_edits(old: &PlanContract, new: &PlanContract, edits: &mut Vec<ContractEdit>) {
    let ((before, gone), (after, came)) = (steps_of(old, new), steps_of(new, old));
    let mut known: HashMap<String, Vec<KeyedStep<'_>>> = HashMap::new();
    for (step, goal) in before.iter().rev() {
        known.entry(step_name(step)).or_default().push((step, *goal));
    }
    // Two steps may share a number by mistake, and one may go while the other stays. So only goals that are gone or new count.
    let numbers = |steps: Vec<KeyedStep<'_>>| steps.into_iter().filter_map(|(step, _)| step.number).collect();
    let (gone, came): (HashSet<u64>, HashSet<u64>) = (numbers(gone), numbers(came));
    let is_in = |numbers: &HashSet<u64>, step: &AgreedStep| step.number.is_some_and(|number| numbers.contains(&number));
    for (step, goal) in &after {
        let name = step_name(step);
        // If several steps share a name, the one in the same goal is taken.
        let same = known.get_mut(&name).and_then(|all| {
            let at = all.iter().rposition(|(_, from)| from == goal).or(all.len().checked_sub(1))?;
            Some(all.remove(at))
        });
        let Some((was, from)) = same else {
            // If its old goal is gone and the step is not, the step moved.
            let edit = match is_in(&gone, step) {
                true => StepEdit::Moved(goal.1.to_owned()),
                false => StepEdit::Added(goal.1.to_owned()),
            };
            edits.push(ContractEdit::Step(name, edit));
            continue;
        };
        if from != *goal {
            edits.push(ContractEdit::Step(name.clone(), StepEdit::Moved(goal.1.to_owned())));
        }
        if was != *step {
            edits.push(ContractEdit::Step(name, StepEdit::Reworded));
        }
    }
    for (step, _) in before {
        let name = step_name(step);
        let left = known.get_mut(&name).is_some_and(|left| left.pop().is_some());
        if left && !is_in(&came, step) {
            edits.push(ContractEdit::Step(name, StepEdit::Removed));
        }
    }
    // Finds goals whose common steps are in another order.
    for pair in pairs(old, new) {
        let Pair::Both { old, new, .. } = pair else { continue };
        let (mut was, mut is): (Vec<_>, Vec<_>) =
            (old.steps.iter().map(step_name).collect(), new.steps.iter().map(step_name).collect());
        let (old_names, new_names): (HashSet<_>, HashSet<_>) =
            (was.iter().cloned().collect(), is.iter().cloned().collect());
        was.retain(|name| new_names.contains(name));
        is.retain(|name| old_names.contains(name));
        if was != is {
            edits.push(ContractEdit::Goal(new.name().to_owned(), GoalEdit::StepsReordered));
        }
    }
}

/// The key of a goal: its id, or its subject if it has no id; equal keys are told apart by a counter.
type GoalKey<'c> = (bool, &'c str, usize);

fn keys(contract: &PlanContract) -> Vec<GoalKey<'_>> {
    let mut counts: HashMap<(bool, &str), usize> = HashMap::new();
    let mut keys = Vec::with_capacity(contract.goals.len());
    for goal in &contract.goals {
        let count = counts.entry((goal.contract.id.is_some(), goal.name())).or_default();
        *count += 1;
        keys.push((goal.contract.id.is_some(), goal.name(), *count));
    }
    keys
}

/// Returns the goals of both versions in the order of the new version; a removed goal keeps its old place.
fn pairs<'c>(old: &'c PlanContract, new: &'c PlanContract) -> Vec<Pair<'c>> {
    let (was, is) = (keys(old), keys(new));
    let stays: HashSet<_> = is.iter().copied().collect();
    let places: HashMap<_, _> = was.iter().copied().zip(0..).collect();
    let mut pairs = Vec::new();
    for op in capture_diff_slices(Algorithm::Myers, &was, &is) {
        let (gone, came) = (op.old_range(), op.new_range());
        if let DiffOp::Equal { .. } = op {
            let both = gone.zip(came).map(|(old_at, new_at)| (&old.goals[old_at], &new.goals[new_at]));
            pairs.extend(both.map(|(old, new)| Pair::Both { old, new, is_moved: false }));
            continue;
        }
        pairs.extend(gone.filter(|at| !stays.contains(&was[*at])).map(|at| Pair::Old(&old.goals[at])));
        pairs.extend(came.map(|at| match places.get(&is[at]) {
            Some(from) => Pair::Both { old: &old.goals[*from], new: &new.goals[at], is_moved: true },
            None => Pair::New(&new.goals[at]),
        }));
    }
    pairs
}

/// Returns the difference for people: the edits in words with their reasons, then the lines.
pub fn rows(old: &PlanContract, new: &PlanContract, reasons: &[Reason<'_>]) -> Vec<Row> {
    let mut rows = headline(old, new, reasons);
    rows.push(Row::new(0));
    let (was, is) = (old.head(), new.head());
    lines(&was, &is, &mut rows);
    for pair in pairs(old, new) {
        rows.push(Row::new(0));
        match pair {
            Pair::Both { old, new, .. } if old == new => rows.push(folded(new)),
            Pair::Both { old, new, .. } => lines(&old.lines(), &new.lines(), &mut rows),
            Pair::Old(goal) => lines(&goal.lines(), &[], &mut rows),
            Pair::New(goal) => lines(&[], &goal.lines(), &mut rows),
        }
    }
    rows
}

/// Returns the whole contract, for a person who sees it for the first time.
pub fn whole(contract: &PlanContract) -> Vec<Row> {
    let row = |line: Option<ShownLine>| line.map_or_else(|| Row::new(0), |line| row(&line, "", Style::Plain));
    contract.lines().into_iter().map(row).collect()
}

/// Returns the changes in words, each with the reason that was given for it. Proposals that do not change the contract, such as
/// `retry step 3`, and reasons for edits that were changed again since, follow.
fn headline(old: &PlanContract, new: &PlanContract, reasons: &[Reason<'_>]) -> Vec<Row> {
    let mut left: Vec<&Reason<'_>> = reasons.iter().collect();
    let mut rows = Vec::new();
    for edit in edits(old, new) {
        let words = edit.to_string();
        let (sign, style) = if edit.asks_less() { ("! ", Style::Warning) } else { ("  ", Style::Plain) };
        let mut row = Row::new(4).with(style, sign).with(style, &words);
        while let Some(at) = left.iter().position(|reason| reason.what == words) {
            row = with_reason(row, left.remove(at));
        }
        rows.push(row);
    }
    for reason in left {
        rows.push(with_reason(Row::new(4).with(Style::Plain, "  proposed: ").with(Style::Plain, reason.what), reason));
    }
    rows
}

fn with_reason(row: Row, reason: &Reason<'_>) -> Row {
    match reason.because {
        Some(why) => row.with(Style::Dim, format!(" — because {why}")),
        None => row,
    }
}

/// Returns `  Goal: Write docs — unchanged, 3 steps`.
fn folded(goal: &AgreedGoal) -> Row {
    let heading = goal.lines().into_iter().next().map(|line| line.to_string()).unwrap_or_default();
    let steps = match goal.steps.len() {
        0 => String::new(),
        count => format!(", {}", counted(count, "step")),
    };
    Row::new(4).with(Style::Dim, format!("  {heading} — unchanged{steps}"))
}

/// Adds the lines of both versions: removed lines with `-`, added lines with `+`.
fn lines(old: &[ShownLine], new: &[ShownLine], rows: &mut Vec<Row>) {
    let text = |lines: &[ShownLine]| lines.iter().map(ShownLine::to_string).collect::<Vec<_>>();
    for op in capture_diff_slices(Algorithm::Myers, &text(old), &text(new)) {
        if let DiffOp::Equal { .. } = op {
            rows.extend(new[op.new_range()].iter().map(|line| row(line, "  ", Style::Plain)));
            continue;
        }
        rows.extend(old[op.old_range()].iter().map(|line| row(line, "- ", Style::Removed)));
        rows.extend(new[op.new_range()].iter().map(|line| row(line, "+ ", Style::Added)));
    }
}

fn row(line: &ShownLine, sign: &str, style: Style) -> Row {
    let style = if style == Style::Plain && line.depth == 0 { Style::Title } else { style };
    Row::new(sign.len() + 2 * line.depth + 2).with(style, format!("{sign}{line}"))
}

#[cfg(test)]
mod tests;
