//! A goal as text: the values of its fields, lists and steps.

use std::borrow::Cow;
use std::ops::Range;

use super::{Field, Goal, GoalKind, Key, Plan, Status, Step};
use crate::plan::glob;

/// One criterion or failure mode: its text, white space folded, and the command of its `(check: …)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailureMode<'a> {
    /// The whole item, the check included.
    pub text: Cow<'a, str>,
    /// The command inside the last `(check: …)`.
    pub check: Option<Cow<'a, str>>,
}

/// A goal together with its plan, which gives access to its parts as text.
#[derive(Clone, Copy, Debug)]
pub struct GoalRef<'p, 'a> {
    pub(super) plan: &'p Plan<'a>,
    pub(super) index: usize,
}

impl<'p, 'a> GoalRef<'p, 'a> {
    /// Position in [`Plan::goals`].
    pub fn index(self) -> usize {
        self.index
    }

    /// The plan it belongs to.
    pub fn plan(self) -> &'p Plan<'a> {
        self.plan
    }

    /// Its spans.
    pub fn raw(self) -> &'p Goal {
        &self.plan.goals[self.index]
    }

    /// Line number of its heading, from 1.
    pub fn line(self) -> usize {
        self.plan.line_of(self.raw().heading.start as usize)
    }

    /// Its id, if it has a valid one.
    pub fn id(self) -> Option<&'a str> {
        self.raw().id.map(|(_, slug)| self.plan.text(slug))
    }

    /// Its id, else its subject: its name in messages and log lines.
    pub fn name(self) -> &'a str {
        self.id().unwrap_or_else(|| self.subject())
    }

    /// Its name in a shell command: its id, else its subject in quotes.
    pub fn typed(self) -> Cow<'a, str> {
        let quoted = || Cow::Owned(format!("'{}'", self.subject().replace('\'', "'\\''")));
        self.id().map_or_else(quoted, Cow::Borrowed)
    }

    /// Its subject.
    pub fn subject(self) -> &'a str {
        self.plan.text(self.raw().subject)
    }

    /// Its fields, including repeated ones.
    pub fn fields(self) -> &'p [Field] {
        let range = &self.raw().fields;
        &self.plan.fields[range.start as usize..range.end as usize]
    }

    /// The field that is read for a key.
    pub fn field(self, key: Key) -> Option<&'p Field> {
        self.fields().iter().find(|field| field.key == key)
    }

    /// A field's value as one line; list items joined with `; `.
    pub fn value(self, key: Key) -> Option<Cow<'a, str>> {
        let mut list = self.list(key);
        match list.len() {
            0 => None,
            1 => list.pop(),
            _ => Some(Cow::Owned(list.join("; "))),
        }
    }

    /// A field's value as a list: the value itself if it is not empty, then its items. Empty if nothing is given.
    pub fn list(self, key: Key) -> Vec<Cow<'a, str>> {
        let Some(field) = self.field(key) else { return Vec::new() };
        let first = self.plan.join(field.value, &field.continuations);
        let items = &self.plan.items[field.items.start as usize..field.items.end as usize];
        std::iter::once(first)
            .chain(items.iter().map(|item| self.plan.join(item.text, &item.continuations)))
            .filter(|text| !text.is_empty())
            .collect()
    }

    /// Its status; an absent or unknown word reads as open.
    pub fn status(self) -> Status {
        self.raw().status
    }

    /// Its acceptance criteria (`done_when`).
    pub fn criteria(self) -> Vec<Cow<'a, str>> {
        self.list(Key::DoneWhen)
    }

    /// Its verify line.
    pub fn verify(self) -> Option<Cow<'a, str>> {
        let field = self.field(Key::Verify)?;
        let line = self.plan.join(field.value, &field.continuations);
        (!line.is_empty()).then_some(line)
    }

    /// Its failure modes, each with its check.
    pub fn failure_modes(self) -> Vec<FailureMode<'a>> {
        self.list(Key::FailureModes)
            .into_iter()
            .map(|text| FailureMode { check: check_of(&text).map(|range| slice(&text, range)), text })
            .collect()
    }

    /// The words of `needs`, for the digest of the contract. [`NeedNames`](crate::plan::lookup::NeedNames) finds the goals that they name.
    pub fn words_of_needs(self) -> Vec<String> {
        self.words(Key::Needs)
    }

    /// Its priority, 1 (core) to 4 (optional); 2 if no valid one is given.
    pub fn priority(self) -> u8 {
        self.value(Key::Priority).and_then(|text| text.parse().ok()).filter(|n| (1..=4).contains(n)).unwrap_or(2)
    }

    /// Its kind; `feature` if no known one is given.
    pub fn kind(self) -> GoalKind {
        self.value(Key::Kind).and_then(|text| GoalKind::from_word(&text)).unwrap_or_default()
    }

    /// The globs it may change.
    pub fn may_change(self) -> Vec<String> {
        self.list(Key::MayChange).iter().flat_map(|text| glob::split(text)).map(str::to_owned).collect()
    }

    /// Its evidence: the default of `--path`.
    pub fn evidence(self) -> Vec<String> {
        self.words(Key::Evidence)
    }

    /// Its steps in file order.
    pub fn steps(self) -> &'p [Step] {
        let range = &self.raw().steps;
        &self.plan.steps[range.start as usize..range.end as usize]
    }

    /// The number of steps that are complete or skipped, and the number of all steps.
    pub fn progress(self) -> (usize, usize) {
        let steps = self.steps();
        (steps.iter().filter(|step| step.mark.is_settled()).count(), steps.len())
    }

    fn words(self, key: Key) -> Vec<String> {
        self.list(key)
            .iter()
            .flat_map(|text| text.split([',', ' ', '\t']))
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    }
}

/// The range of the command inside an item's closing `(check: …)`: from the last `(check:` to the `)` that ends the text.
pub(crate) fn check_of(text: &str) -> Option<Range<usize>> {
    let inner = text.strip_suffix(')')?;
    let start = inner.rfind("(check:")? + "(check:".len();
    let command = inner[start..].trim();
    let offset = start + inner[start..].len() - inner[start..].trim_start().len();
    (!command.is_empty()).then(|| offset..offset + command.len())
}

fn slice<'a>(text: &Cow<'a, str>, range: Range<usize>) -> Cow<'a, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(&text[range]),
        Cow::Owned(text) => Cow::Owned(text[range].to_owned()),
    }
}
