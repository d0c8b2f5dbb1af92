//! Findings about steps: their numbers and `(after …)`.

use super::{ASKED, Findings, lines_of};
use crate::plan::model::{Mark, Plan, Span, Step};

/// A number, whether its step stands above the archive, whether the step is pending, and its index.
type Numbered = (u32, bool, bool, usize);

/// Returns the steps whose number an earlier step has, if no `(after …)` names the number: a new number would redirect it.
pub(super) fn renumberable(plan: &Plan<'_>) -> Vec<usize> {
    let steps = twice(&numbered(plan)).into_iter().filter(|(number, ..)| !plan.afters.contains(number));
    steps.map(|(.., index)| index).collect()
}

/// Returns the steps with a number, sorted by number. Of equals, archived steps come first: they keep theirs, as numbers are never reused.
/// Then come steps that were begun: lines of the log speak of them by their numbers.
fn numbered(plan: &Plan<'_>) -> Vec<Numbered> {
    let steps = plan.steps.iter().enumerate();
    let mut numbers: Vec<Numbered> = steps
        .filter_map(|(index, step)| Some((step.number?, !is_archived(plan, step), step.mark == Mark::Pending, index)))
        .collect();
    numbers.sort_unstable();
    numbers
}

/// Returns the live steps whose number an earlier entry has. Two archived steps may share a number.
fn twice(numbers: &[Numbered]) -> Vec<Numbered> {
    numbers.windows(2).filter(|pair| pair[0].0 == pair[1].0 && pair[1].1).map(|pair| pair[1]).collect()
}

fn is_archived(plan: &Plan<'_>, step: &Step) -> bool {
    plan.goal(step.goal as usize).is_some_and(|goal| goal.raw().archived)
}

pub(super) fn check(plan: &Plan<'_>, found: &mut Findings) {
    // Usually the numbers ascend. One pass shows that, without a table.
    let ascending = plan.steps.iter().filter_map(|step| step.number).is_sorted_by(|one, next| one < next);
    if ascending && plan.afters.is_empty() {
        return;
    }
    let numbers = numbered(plan);
    let twice = twice(&numbers);
    if !twice.is_empty() {
        let lines = lines_of(plan, plan.steps.iter().map(|step| step.line));
        for (number, _, _, index) in twice {
            let first = numbers[numbers.partition_point(|(other, ..)| *other < number)].3;
            found.error(
                "step-number-twice",
                visible(plan, plan.steps[index].rest),
                format!("{number} is already the number of the step in line {}", lines[first]),
                match plan.afters.contains(&number) {
                    true => "give this step a number that was never used, or none",
                    false => "`plan lint --fix` gives this step a free number",
                },
            );
        }
    }
    for step in plan.steps.iter().filter(|step| !step.after.is_empty() && !is_archived(plan, step)) {
        for number in &plan.afters[step.after.start as usize..step.after.end as usize] {
            let span = || visible(plan, step.rest);
            if step.number == Some(*number) {
                found.error(
                    "after-itself",
                    span(),
                    format!("step {number} comes after itself"),
                    "take it out of `(after …)`",
                );
            } else if numbers.binary_search_by_key(number, |(other, ..)| *other).is_err() {
                let meant = if found.list.len() < ASKED { line_at(plan, step, *number) } else { None };
                found.error(
                    "after-unknown",
                    span(),
                    format!("no step has the number {number}"),
                    match meant {
                        Some(line) => {
                            format!("if the step in line {line} is meant, write `{number}. ` in front of its text")
                        }
                        None => "`(after …)` takes numbers of steps in this plan".to_owned(),
                    },
                );
            }
        }
    }
}

/// Returns the line of the step at this position in the same goal, if that step has no number: users count steps by eye.
fn line_at(plan: &Plan<'_>, step: &Step, place: u32) -> Option<usize> {
    let steps = plan.goal(step.goal as usize)?.steps();
    let meant = steps.get((place as usize).checked_sub(1)?).filter(|meant| meant.number.is_none())?;
    Some(plan.line_of(meant.line.start as usize))
}

/// Returns a span without the white space at its end.
fn visible(plan: &Plan<'_>, rest: Span) -> Span {
    let text = plan.text(rest);
    let length = text.trim_end().len();
    Span::new(rest.start as usize..rest.start as usize + length)
}
