//! The parsed plan: flat tables of parts, each with its byte range in the source.
//!
//! Nothing here owns text. A [`Span`] points into the source, so a plan of ten thousand goals costs a few
//! allocations, and a change can name exactly the bytes that it affects.

mod goal;
mod key;
mod words;

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashSet;
use std::ops::Range;

pub(crate) use goal::check_of;
pub use goal::{FailureMode, GoalRef};
pub use key::Key;
pub use words::{GoalKind, Mark, Status};

/// A byte range of the source. Files are capped at 64 MiB (`FORMAT.md` §2), so 32 bits hold it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span of `range`.
    pub fn new(range: Range<usize>) -> Self {
        Span { start: range.start as u32, end: range.end as u32 }
    }

    /// The range to index the source with.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// True if the span covers nothing.
    pub fn is_empty(self) -> bool {
        self.start >= self.end
    }
}

/// One `key: value` of a goal, with everything that belongs to it.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its key.
    pub key: Key,
    /// The whole lines: the key's own, its continuation lines, its items; line endings included.
    pub lines: Span,
    /// The text after the colon on the key's own line, trimmed; may be empty.
    pub value: Span,
    /// Continuation lines (indented, no list items), each trimmed: a range of [`Plan::continuations`].
    pub continuations: Range<u32>,
    /// The list items below: a range of [`Plan::items`].
    pub items: Range<u32>,
    /// True for a second field with the same key. It is not read, and it prevents writing.
    pub repeated: bool,
}

/// One `- ` item of a list field.
#[derive(Clone, Debug)]
pub struct Item {
    /// The whole lines, line endings included.
    pub lines: Span,
    /// The text after the bullet on the first line, trimmed.
    pub text: Span,
    /// Continuation lines: a range of [`Plan::continuations`].
    pub continuations: Range<u32>,
}

/// One step: a checkbox item.
#[derive(Clone, Debug)]
pub struct Step {
    /// Index of its goal in [`Plan::goals`].
    pub goal: u32,
    /// The whole first line, line ending included.
    pub line: Span,
    /// The one byte between the brackets.
    pub mark_at: u32,
    /// The meaning of that byte.
    pub mark: Mark,
    /// The number `N` of `N. ` in front of the text.
    pub number: Option<u32>,
    /// The text without number, `(after …)`, `(run: …)` and outcome, trimmed.
    pub text: Span,
    /// The command inside `(run: …)`.
    pub run: Option<Span>,
    /// The numbers of `(after 1, 3)`: a range of [`Plan::afters`].
    pub after: Range<u32>,
    /// The text after the first ` — `, trimmed. It is an outcome, a reason or a note, depending on the mark.
    pub outcome: Option<Span>,
    /// Everything after the checkbox and one space, up to the line ending, untrimmed at the end.
    pub rest: Span,
    /// One past the last line that belongs to it: continuation lines, nested items and steps, code.
    pub end: u32,
}

/// One goal.
#[derive(Clone, Debug)]
pub struct Goal {
    /// From the first byte of its heading line to the next heading of level 1 or 2, or the end.
    pub body: Span,
    /// The heading line, line ending included.
    pub heading: Span,
    /// The text after `Goal:`, trimmed, closing `#`s removed.
    pub subject: Span,
    /// The line of the id comment and the slug inside it, if the slug is valid.
    pub id: Option<(Span, Span)>,
    /// The line of an id comment whose content is not a valid slug.
    pub bad_id: Option<Span>,
    /// Fields in file order: a range of [`Plan::fields`].
    pub fields: Range<u32>,
    /// Steps in file order: a range of [`Plan::steps`].
    pub steps: Range<u32>,
    /// Its status; an absent or unknown word reads as open.
    pub status: Status,
    /// Below `# Archive`.
    pub archived: bool,
    /// True if one of its lines is not a heading, id, field, item or step, but prose or a continuation of the line above.
    pub has_prose: bool,
}

/// One `## Log` section.
#[derive(Clone, Debug)]
pub struct LogSection {
    /// Level of its heading, 1 to 6.
    pub level: u8,
    /// The heading line, line ending included.
    pub heading: Span,
    /// From the end of the heading line to the end of the section.
    pub body: Span,
    /// End of the last line that is not blank (heading line included): where a new line goes.
    pub insert_at: u32,
    /// Its well-formed lines: a range of [`Plan::log`].
    pub lines: Range<u32>,
    /// Below `# Archive`.
    pub archived: bool,
}

/// One `- YYYY-MM-DD HH:MM  text` line.
#[derive(Clone, Debug)]
pub struct LogEntry {
    /// The whole line, line ending included.
    pub line: Span,
    /// `YYYY-MM-DD HH:MM`
    pub stamp: Span,
    /// The text after the stamp, trimmed.
    pub text: Span,
}

/// One flat `key: value` of the front matter.
#[derive(Clone, Debug)]
pub struct FrontEntry {
    /// The whole line.
    pub line: Span,
    /// The key, trimmed.
    pub key: Span,
    /// The value without quotes and comment, trimmed.
    pub value: Span,
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; `lint` still exits with 0.
    Note,
    /// Probably a mistake; counts with `--strict`.
    Warning,
    /// Wrong; `lint` exits with 1.
    Error,
}

/// A problem that reading or linting found, with its place and its remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LintFinding {
    /// A stable word such as `unknown-status`.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// The bytes it is about.
    pub span: Span,
    /// The problem: what was expected and what was found.
    pub message: String,
    /// The remedy: what to do about it.
    pub remedy: String,
}

/// A parsed plan.md. All spans point into `source`.
#[derive(Clone, Debug)]
pub struct Plan<'a> {
    /// The bytes that were read.
    pub source: &'a [u8],
    /// The source as text, if all of it is UTF-8: then single spans need no check.
    pub(super) whole: Option<&'a str>,
    /// The front matter, its two `---` lines included.
    pub front: Option<Span>,
    /// Its entries.
    pub front_entries: Vec<FrontEntry>,
    /// The text of the first `# Plan: …` heading.
    pub objective: Option<Span>,
    /// That heading's line, line ending included.
    pub objective_line: Option<Span>,
    /// All goals, including archived ones, in file order.
    pub goals: Vec<Goal>,
    /// Fields of all goals.
    pub fields: Vec<Field>,
    /// List items of all fields.
    pub items: Vec<Item>,
    /// Continuation lines of fields and items.
    pub continuations: Vec<Span>,
    /// Steps of all goals.
    pub steps: Vec<Step>,
    /// Numbers of all `(after …)`.
    pub afters: Vec<u32>,
    /// All log sections, including archived ones.
    pub logs: Vec<LogSection>,
    /// Their lines.
    pub log: Vec<LogEntry>,
    /// From the `# Archive` heading to the end.
    pub archive: Option<Span>,
    /// The line of a fence or comment that is never closed: everything below it is text.
    pub unclosed: Option<Span>,
    /// The problems that reading found, in file order.
    pub findings: Vec<LintFinding>,
    /// See [`Plan::is_unsettled`].
    pub(super) unsettled: OnceCell<HashSet<u32>>,
}

impl<'a> Plan<'a> {
    /// The text of a span. Spans that the parser hands out are valid UTF-8; any other reads as empty.
    pub fn text(&self, span: Span) -> &'a str {
        match self.whole {
            Some(text) => text.get(span.range()).unwrap_or_default(),
            None => std::str::from_utf8(self.source.get(span.range()).unwrap_or_default()).unwrap_or_default(),
        }
    }

    /// True if a step with this number is neither complete nor skipped. The first call reads the numbers of all steps.
    pub fn is_unsettled(&self, number: u32) -> bool {
        let unsettled = || self.steps.iter().filter(|step| !step.mark.is_settled()).filter_map(|step| step.number);
        self.unsettled.get_or_init(|| unsettled().collect()).contains(&number)
    }

    /// The line number of a byte offset, from 1.
    pub fn line_of(&self, offset: usize) -> usize {
        memchr::memchr_iter(b'\n', &self.source[..offset.min(self.source.len())]).count() + 1
    }

    /// Every goal, including archived ones.
    pub fn all_goals(&self) -> impl DoubleEndedIterator<Item = GoalRef<'_, 'a>> + ExactSizeIterator {
        (0..self.goals.len()).map(|index| GoalRef { plan: self, index })
    }

    /// The goals above the archive, in file order.
    pub fn live_goals(&self) -> impl DoubleEndedIterator<Item = GoalRef<'_, 'a>> {
        self.all_goals().filter(|goal| !goal.raw().archived)
    }

    /// The goal at an index of [`Plan::goals`].
    pub fn goal(&self, index: usize) -> Option<GoalRef<'_, 'a>> {
        (index < self.goals.len()).then_some(GoalRef { plan: self, index })
    }

    /// The goal at an index that comes from a part of this plan.
    pub(super) fn goal_at(&self, index: usize) -> GoalRef<'_, 'a> {
        GoalRef { plan: self, index }
    }

    /// The objective's text.
    pub fn objective(&self) -> Option<&'a str> {
        self.objective.map(|span| self.text(span))
    }

    /// The value of a front matter key; the first value if the key is repeated.
    pub fn front_value(&self, key: &str) -> Option<&'a str> {
        self.front_entries.iter().find(|entry| self.text(entry.key) == key).map(|entry| self.text(entry.value))
    }

    /// True if the front matter has `mode: contract`.
    pub fn is_contract_mode(&self) -> bool {
        self.front_value("mode") == Some("contract")
    }

    /// The log lines above the archive, in file order, as (stamp, text).
    pub fn log_lines(&self) -> impl DoubleEndedIterator<Item = (&'a str, &'a str)> + '_ {
        self.logs
            .iter()
            .filter(|section| !section.archived)
            .flat_map(|section| &self.log[section.lines.start as usize..section.lines.end as usize])
            .map(|line| (self.text(line.stamp), self.text(line.text)))
    }

    /// An item's text with its continuation lines.
    pub(super) fn item_text(&self, item: &Item) -> Cow<'a, str> {
        self.join(item.text, &item.continuations)
    }

    /// The text after a field's colon, with its continuation lines.
    pub(super) fn field_text(&self, field: &Field) -> Cow<'a, str> {
        self.join(field.value, &field.continuations)
    }

    /// One past the last visible byte of an item.
    pub(super) fn item_end(&self, item: &Item) -> usize {
        let last = self.continuations[item.continuations.start as usize..item.continuations.end as usize].last();
        last.copied().unwrap_or(item.text).end as usize
    }

    /// Joins the first line of a value and its continuation lines with single spaces.
    fn join(&self, first: Span, rest: &Range<u32>) -> Cow<'a, str> {
        if rest.is_empty() {
            return Cow::Borrowed(self.text(first));
        }
        let mut joined = String::from(self.text(first));
        for span in &self.continuations[rest.start as usize..rest.end as usize] {
            if !joined.is_empty() {
                joined.push(' ');
            }
            joined.push_str(self.text(*span));
        }
        Cow::Owned(joined)
    }
}
