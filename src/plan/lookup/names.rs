//! Finds a goal by id, subject, number in the list, or any unique beginning of id or subject.

use std::collections::HashSet;

use super::SHOWN;
use crate::error::{Error, Result};
use crate::plan::model::{GoalRef, Plan};
use crate::plan::snippet::Places;

/// The least similarity, from 0 to 1, at which one name is suggested for another.
const ALIKE: f64 = 0.6;
/// The longest name in bytes that is compared: a comparison takes the product of both lengths.
const LONGEST: usize = 120;
/// The most names that a message suggests.
const MEANT: usize = 3;

/// The numbers of goals in the list: their places in the file, without archived goals. A goal has no number if the number is the id
/// or the subject of another goal.
#[derive(Debug)]
pub struct GoalNumbers {
    of: Vec<Option<usize>>,
}

impl GoalNumbers {
    /// Numbers the goals of a plan.
    pub fn new(plan: &Plan<'_>) -> Self {
        let is_number = |name: &&str| name.bytes().all(|byte| byte.is_ascii_digit());
        let names = plan.all_goals().flat_map(|goal| goal.id().into_iter().chain([goal.subject()]));
        let taken: HashSet<&str> = names.filter(is_number).collect();
        let mut last = 0;
        let number = |goal: GoalRef<'_, '_>| {
            last += usize::from(!goal.raw().archived);
            let is_taken = |number: &usize| !taken.is_empty() && taken.contains(number.to_string().as_str());
            Some(last).filter(|number| !goal.raw().archived && !is_taken(number))
        };
        GoalNumbers { of: plan.all_goals().map(number).collect() }
    }

    /// Returns the number of a goal.
    pub fn of(&self, goal: GoalRef<'_, '_>) -> Option<usize> {
        self.of.get(goal.index()).copied().flatten()
    }

    /// Returns the highest number.
    pub fn highest(&self) -> usize {
        self.of.iter().rev().find_map(|number| *number).unwrap_or(0)
    }
}

impl<'a> Plan<'a> {
    /// Returns the goal that a user calls `name`: the goal with this id or subject ([`Plan::goal_named`]), else the goal with this
    /// number in the list, else the only goal whose id or subject begins with it, in any case. Goals above the archive come first.
    ///
    /// A beginning never ends inside a number: `load-1` is not the beginning of `load-12`.
    ///
    /// # Errors
    /// [`crate::error::Kind::Input`] if no goal or more than one matches, with the candidates.
    pub fn find_goal(&self, name: &str) -> Result<GoalRef<'_, 'a>> {
        let name = name.trim();
        if let Some(goal) = self.exact(name)? {
            return Ok(goal);
        }
        if let Ok(number) = name.parse::<usize>() {
            let numbers = GoalNumbers::new(self);
            let numbered = self.live_goals().find(|goal| numbers.of(*goal) == Some(number));
            return numbered.ok_or_else(|| self.no_goal(name));
        }
        let folded = name.to_lowercase();
        let begins = |text: &str| {
            let rest = text.to_lowercase().strip_prefix(&folded).map(str::to_owned);
            let is_digit = |character: Option<char>| character.is_some_and(|character| character.is_ascii_digit());
            rest.is_some_and(|rest| !(is_digit(folded.chars().last()) && is_digit(rest.chars().next())))
        };
        let is_meant = |goal: &GoalRef<'_, '_>| begins(goal.subject()) || goal.id().is_some_and(begins);
        for archived in [false, true].into_iter().filter(|_| !name.is_empty()) {
            let goals = self.all_goals().filter(|goal| goal.raw().archived == archived);
            let found: Vec<_> = goals.filter(is_meant).collect();
            if let Some(goal) = self.only(name, "start with", &found)? {
                return Ok(goal);
            }
        }
        Err(self.no_goal(name))
    }

    /// Returns the goal with exactly this id, else with this subject in any case: for names that `plan` itself recorded.
    ///
    /// # Errors
    /// [`crate::error::Kind::Input`] if no goal or more than one matches, with the candidates.
    pub fn goal_named(&self, name: &str) -> Result<GoalRef<'_, 'a>> {
        self.exact(name)?.ok_or_else(|| self.no_goal(name))
    }

    fn exact(&self, name: &str) -> Result<Option<GoalRef<'_, 'a>>> {
        for archived in [false, true] {
            let goals = || self.all_goals().filter(|goal| goal.raw().archived == archived);
            let found: Vec<_> = goals().filter(|goal| goal.id() == Some(name)).collect();
            if let Some(goal) = self.only(name, "have the id", &found)? {
                return Ok(Some(goal));
            }
        }
        let folded = name.to_lowercase();
        let same = |goal: &GoalRef<'_, '_>| {
            let subject = goal.subject();
            subject.eq_ignore_ascii_case(name) || !subject.is_ascii() && subject.to_lowercase() == folded
        };
        for archived in [false, true] {
            let found: Vec<_> = self.all_goals().filter(|goal| goal.raw().archived == archived && same(goal)).collect();
            if let Some(goal) = self.only(name, "have the subject", &found)? {
                return Ok(Some(goal));
            }
        }
        Ok(None)
    }

    /// Returns the only goal found, `None` if there is none, or an error that lists several.
    fn only<'p>(&self, name: &str, what: &str, found: &[GoalRef<'p, 'a>]) -> Result<Option<GoalRef<'p, 'a>>> {
        if found.len() < 2 {
            return Ok(found.first().copied());
        }
        let mut places = Places::new(self.source);
        let mut error = Error::input(format!("{} goals {what} `{name}`", found.len()));
        for goal in found.iter().take(SHOWN) {
            let (line, _) = places.of(goal.raw().heading.start as usize);
            let id = goal.id().map_or_else(|| "no id".to_owned(), |id| format!("`{id}`"));
            error = error.hint(format!("line {line}: {id}, {}", goal.subject()));
        }
        let last = match what {
            "have the id" => "give one of them another id with an editor",
            "have the subject" => "name the goal by its id or its number in `plan list --all`",
            _ => "type more of it, or the whole id",
        };
        Err(error.hint(last))
    }

    fn no_goal(&self, name: &str) -> Error {
        const NONE: &str = "there are no goals yet: `plan goal add \"subject\"` adds one";
        if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit()) {
            let error = Error::input(format!("no goal has the number {name}"));
            return error.hint(if self.goals.is_empty() { NONE } else { "`plan list --all` shows the numbers" });
        }
        let error = Error::input(format!("no goal has the id or subject `{name}`"));
        let meant: Vec<String> = self.meant(name).iter().map(|name| format!("`{name}`")).collect();
        if !meant.is_empty() {
            return error.hint(format!("did you mean {}?", meant.join(" or ")));
        }
        let names: Vec<String> = self.live_goals().take(SHOWN + 1).map(|goal| format!("`{}`", goal.name())).collect();
        match names.len() {
            0 if self.goals.is_empty() => error.hint(NONE),
            0 => error.hint("`plan goal list --all` shows the archived goals"),
            count if count > SHOWN => error.hint("`plan list` shows the goals"),
            _ => error.hint(format!("the goals are {}", names.join(", "))),
        }
    }

    /// Returns the goals whose names are close to a name that no goal has: first names that contain it, then similar spellings.
    pub(in crate::plan) fn meant(&self, name: &str) -> Vec<&'a str> {
        let folded = name.to_lowercase();
        let likeness = |text: &str| {
            if text.len().max(folded.len()) > LONGEST {
                return 0.0;
            }
            let text = text.to_lowercase();
            // Users often type an id without its number.
            let bare = text.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('-');
            let holds = folded.chars().count() > 2 && text.contains(&folded);
            let like = |other| strsim::normalized_damerau_levenshtein(&folded, other);
            if holds { 1.0 } else { like(&text).max(like(bare)) }
        };
        let rate = |goal: GoalRef<'_, 'a>| {
            let best = goal.id().map_or(0.0, likeness).max(likeness(goal.subject()));
            (best >= ALIKE).then(|| (best, goal.name()))
        };
        let mut near: Vec<_> = self.live_goals().filter_map(rate).collect();
        near.sort_by(|left, right| right.0.total_cmp(&left.0));
        near.into_iter().take(MEANT).map(|(_, name)| name).collect()
    }
}
