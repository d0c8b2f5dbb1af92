//! Ids of goals and numbers of steps: finds the next free one.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::plan::log::{LogLine, StepEnd};
use crate::plan::model::{GoalRef, Mark, Plan};

/// The ids of a plan, and the ids given during this call.
pub(super) struct Ids<'p, 'a> {
    plan: &'p Plan<'a>,
    given: HashSet<String>,
    slugs: HashMap<String, SlugNumbers>,
    is_indexed: bool,
}

/// The numbers used with one slug.
#[derive(Default)]
struct SlugNumbers {
    taken: HashSet<u32>,
    /// Every smaller number is taken.
    next: u32,
}

impl<'p, 'a> Ids<'p, 'a> {
    pub(super) fn new(plan: &'p Plan<'a>) -> Self {
        Ids { plan, given: HashSet::new(), slugs: HashMap::new(), is_indexed: false }
    }

    /// Reads all ids at once, for a caller that needs many: otherwise each new slug costs one pass over the goals.
    pub(super) fn index(&mut self) {
        self.is_indexed = true;
        for (slug, number) in self.plan.all_goals().filter_map(GoalRef::id).filter_map(numbered) {
            match self.slugs.get_mut(slug) {
                Some(numbers) => drop(numbers.taken.insert(number)),
                None => drop(self.slugs.insert(slug.to_owned(), SlugNumbers { taken: [number].into(), next: 1 })),
            }
        }
    }

    /// Returns the slug with the first number that makes a free id (`FORMAT.md`, id), and marks this id as given.
    pub(super) fn take(&mut self, slug: &str) -> String {
        if !self.slugs.contains_key(slug) {
            let taken = if self.is_indexed { HashSet::new() } else { self.numbers(slug) };
            self.slugs.insert(slug.to_owned(), SlugNumbers { taken, next: 1 });
        }
        let numbers = self.slugs.entry(slug.to_owned()).or_default();
        while numbers.taken.contains(&numbers.next) {
            numbers.next = numbers.next.saturating_add(1);
        }
        let id = format!("{slug}-{}", numbers.next);
        self.give(&id);
        id
    }

    /// Marks an id as given. Returns false if this call has given it before.
    pub(super) fn give(&mut self, id: &str) -> bool {
        if let Some((slug, number)) = numbered(id)
            && let Some(numbers) = self.slugs.get_mut(slug)
        {
            numbers.taken.insert(number);
        } else if let Some((slug, number)) = numbered(id).filter(|_| self.is_indexed) {
            self.slugs.insert(slug.to_owned(), SlugNumbers { taken: [number].into(), next: 1 });
        }
        self.given.insert(id.to_owned())
    }

    fn numbers(&self, slug: &str) -> HashSet<u32> {
        let ids = self.plan.all_goals().filter_map(GoalRef::id).chain(self.given.iter().map(String::as_str));
        ids.filter_map(numbered).filter(|(other, _)| *other == slug).map(|(_, number)| number).collect()
    }
}

/// Splits an id that ends in a number into slug and number.
fn numbered(id: &str) -> Option<(&str, u32)> {
    let (slug, number) = id.rsplit_once('-')?;
    Some((slug, number.parse().ok()?))
}

/// Returns the number for the next new step. No number is given twice: the log still has the numbers of removed steps.
pub fn next_number(plan: &Plan<'_>) -> u32 {
    last_number(plan, &(0..0)).map_or(1, |last| last.saturating_add(1))
}

/// Returns the log line that keeps the numbers of `steps`, which are about to be removed, from being given again. One line is enough,
/// because the highest number covers all lower ones. Returns `None` if another step or a log line has this number or a higher one.
pub fn removal_line(plan: &Plan<'_>, steps: Range<usize>) -> Option<String> {
    let last = plan.steps.get(steps.clone())?.iter().max_by_key(|step| step.number)?;
    let number = last.number.filter(|number| last_number(plan, &steps) < Some(*number))?;
    let end = match last.mark {
        Mark::Complete => StepEnd::Complete,
        Mark::Failed => StepEnd::Failed,
        Mark::Pending | Mark::Active | Mark::Skipped => StepEnd::Skipped,
    };
    Some(LogLine::Step { name: &number.to_string(), end, text: "removed" }.to_string())
}

/// Returns the highest number that was given, according to the log and to the steps outside `gone`.
fn last_number(plan: &Plan<'_>, gone: &Range<usize>) -> Option<u32> {
    let number = |name: &str| name.parse::<u32>().ok();
    let steps = plan.steps.iter().enumerate().filter(|(at, _)| !gone.contains(at)).filter_map(|(_, step)| step.number);
    let logged = plan.log.iter().filter_map(|line| match LogLine::parse(plan.text(line.text))? {
        LogLine::Step { name, .. } => number(name),
        LogLine::Proposed { edit, .. } => edit.step().and_then(number),
        LogLine::Approved(approval) => approval.steps,
        _ => None,
    });
    let logged = logged.filter(|number| *number < 1_000_000);
    steps.chain(logged).max()
}
