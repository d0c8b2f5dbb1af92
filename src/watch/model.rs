//! The effect of keys: takes a state and a key, returns the next state and an action. Uses no file, clock, terminal or process.

use std::collections::{HashMap, HashSet};

use super::filter::ListFilter;
use super::goal::{self, PaneLine};
use super::line_edit::Key;
use super::prompt::{Job, Prompt, PromptAnswer, PromptKind};
use super::version::{ListEntry, PlanVersion};
use crate::plan::lookup::StepRef;
use crate::plan::model::{GoalRef, Mark, Plan};
use crate::plan::rules::step_to_do;

/// The action after a key.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// Only draws a frame.
    Frame,
    /// Runs this command.
    Run(Job),
    /// Stops the sign-off.
    Stop,
    /// Opens the editor at this line.
    Edit(usize),
    /// Redraws the whole screen.
    Redraw,
    /// Suspends the program.
    Suspend,
    /// Ends the program.
    Quit {
        /// Whether Ctrl-C ended it.
        interrupted: bool,
    },
}

/// Commands that are running.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Busy {
    /// Whether a sign-off that a key of this view started is running.
    pub(super) signs_off: bool,
    /// Whether another command is running.
    pub(super) writes: bool,
}

/// The visible state and the user's position in it.
#[derive(Default)]
pub(super) struct ViewState {
    /// Indices of the version's rows that the filter accepts.
    pub(super) rows: Vec<usize>,
    /// The selected row, as an index in `rows`.
    pub(super) selected: usize,
    /// The selected goal's name, to find the goal in the next version.
    name: Option<String>,
    /// The first row on the screen.
    pub(super) top: usize,
    /// The number of rows that fit; set by the drawing code.
    pub(super) page: usize,
    pub(super) filter: ListFilter,
    /// The text of the last search.
    pub(super) find: String,
    /// Whether keys go to the goal instead of the list.
    pub(super) is_open: bool,
    /// The goal's line with the cursor, and its first line on the screen.
    pub(super) line: usize,
    pub(super) goal_top: usize,
    pub(super) goal_page: usize,
    lines: Option<(usize, usize, Vec<PaneLine>)>,
    pub(super) prompt: Option<Prompt>,
    pub(super) is_help: bool,
    /// The output of a command, or the reason why a key did nothing.
    pub(super) message: Vec<String>,
    /// The last command that ran.
    pub(super) command: Option<String>,
    /// `q` was pressed while a sign-off ran.
    is_leaving: bool,
    /// Goals that changed recently, by index.
    pub(super) fresh: HashSet<usize>,
    prints: HashMap<u64, u64>,
}

impl ViewState {
    /// Takes another version: the same goal stays selected, and changed goals are fresh. True if there are any.
    pub(super) fn take(&mut self, version: &PlanVersion<'_, '_>) -> bool {
        let is_first = self.prints.is_empty();
        self.fresh = if is_first { HashSet::new() } else { version.changed(&self.prints).collect() };
        self.prints = version.prints();
        self.lines = None;
        self.filter(version);
        !self.fresh.is_empty()
    }

    /// Ends the freshness of changed goals.
    pub(super) fn settle(&mut self) {
        self.fresh.clear();
    }

    fn filter(&mut self, version: &PlanVersion<'_, '_>) {
        let taken = |entry: &usize| self.filter.takes(version, &version.entries[*entry]);
        self.rows = (0..version.entries.len()).filter(taken).collect();
        let is_it = |entry: &usize| version.goal(*entry).map(GoalRef::name) == self.name.as_deref();
        let found = self.name.is_some().then(|| self.rows.iter().position(is_it)).flatten();
        let last = self.rows.len().saturating_sub(1);
        let selected = found.unwrap_or(self.selected.min(last));
        self.select(version, selected);
    }

    fn select(&mut self, version: &PlanVersion<'_, '_>, row: usize) {
        let goal = self.rows.get(row).and_then(|entry| version.goal(*entry));
        if goal.map(GoalRef::name) != self.name.as_deref() {
            (self.line, self.goal_top) = (0, 0);
        }
        self.selected = row;
        self.name = goal.map(|goal| goal.name().to_owned());
    }

    /// The selected row.
    pub(super) fn entry<'p, 'a>(&self, version: &PlanVersion<'p, 'a>) -> Option<ListEntry<'p, 'a>> {
        version.entries.get(*self.rows.get(self.selected)?).copied()
    }

    /// The selected goal.
    pub(super) fn goal<'p, 'a>(&self, version: &PlanVersion<'p, 'a>) -> Option<GoalRef<'p, 'a>> {
        version.goal(*self.rows.get(self.selected)?)
    }

    /// The lines of the selected goal, wrapped to this width.
    pub(super) fn goal_lines(&mut self, version: &PlanVersion<'_, '_>, columns: usize) -> &[PaneLine] {
        let Some(entry) = self.rows.get(self.selected).copied() else { return &[] };
        if self.lines.as_ref().is_none_or(|(of, at, _)| (*of, *at) != (entry, columns)) {
            let lines = match version.entries[entry] {
                ListEntry::Goal(_, goal) => goal::lines(&version.board, goal, columns),
                ListEntry::Remark(at) => goal::remark(&version.board, at, columns),
            };
            self.line = self.line.min(lines.len().saturating_sub(1));
            self.lines = Some((entry, columns, lines));
        }
        self.lines.as_ref().map(|(_, _, lines)| lines.as_slice()).unwrap_or_default()
    }

    /// Shows the output of a command.
    pub(super) fn tell(&mut self, text: impl IntoIterator<Item = String>) {
        self.message = text.into_iter().collect();
    }

    /// Handles pasted text: it may be part of an answer, but never acts as keys.
    pub(super) fn paste(&mut self, text: &str) {
        if let Some(prompt) = self.prompt.as_mut().filter(|prompt| prompt.takes_text()) {
            prompt.line.insert(text);
        }
    }

    /// Handles a key.
    pub(super) fn key(&mut self, version: &PlanVersion<'_, '_>, busy: Busy, key: Key) -> Effect {
        let is_leaving = std::mem::take(&mut self.is_leaving);
        self.message.clear();
        match key {
            Key::Ctrl('c') => return Effect::Quit { interrupted: true },
            Key::Ctrl('z') => return Effect::Suspend,
            Key::Ctrl('l') => return Effect::Redraw,
            _ if self.prompt.is_some() => return self.answer(version, key),
            _ if std::mem::take(&mut self.is_help) => return Effect::Frame,
            Key::Char('q') if busy.signs_off && !is_leaving => {
                self.is_leaving = true;
                return self.say("a sign-off is running: q once more stops it and quits");
            }
            Key::Char('q') => return Effect::Quit { interrupted: false },
            Key::Char('x') if busy.signs_off => return Effect::Stop,
            Key::Char('x') => return self.say("no sign-off that was started here is running"),
            Key::Char('?') => self.is_help = true,
            Key::Tab => self.is_open = !self.is_open && !self.rows.is_empty(),
            Key::Enter => self.is_open = !self.rows.is_empty(),
            Key::Esc | Key::Left if self.is_open => self.is_open = false,
            Key::Esc => self.find.clear(),
            Key::Char('f') => {
                self.filter = self.filter.next();
                self.top = 0;
                self.filter(version);
            }
            Key::Char('/') => self.prompt = Some(Prompt::new(PromptKind::Find)),
            Key::Char('n') => return self.next(version),
            Key::Char('l') => self.prompt = Some(Prompt::new(PromptKind::Log)),
            Key::Char('e') => return Effect::Edit(self.file_line(version)),
            Key::Char('s' | 'c' | ' ') => return self.work(version, busy, key),
            _ => self.go(version, key),
        }
        Effect::Frame
    }

    fn say(&mut self, text: &str) -> Effect {
        self.message = vec![text.to_owned()];
        Effect::Frame
    }

    /// Handles a key that moves.
    fn go(&mut self, version: &PlanVersion<'_, '_>, key: Key) {
        let lines = self.lines.as_ref().map_or(0, |(_, _, lines)| lines.len());
        let (at, all, page) = match self.is_open {
            true => (self.line, lines, self.goal_page),
            false => (self.selected, self.rows.len(), self.page),
        };
        let page = page.saturating_sub(1).max(1);
        let to = match key {
            Key::Char('j') | Key::Down => at + 1,
            Key::Char('k') | Key::Up => at.saturating_sub(1),
            Key::Char('g') | Key::Home => 0,
            Key::Char('G') | Key::End => all,
            Key::PageDown | Key::Ctrl('f' | 'd') => at + page,
            Key::PageUp | Key::Ctrl('b' | 'u') => at.saturating_sub(page),
            _ => return,
        };
        let to = to.min(all.saturating_sub(1));
        match self.is_open {
            true => self.line = to,
            false => self.select(version, to),
        }
    }

    /// Handles a key that works on the selected goal.
    fn work(&mut self, version: &PlanVersion<'_, '_>, busy: Busy, key: Key) -> Effect {
        let Some(goal) = self.goal(version) else { return self.say("no goal is selected") };
        if busy.writes {
            return self.say("a command is still running");
        }
        let name = goal.name();
        self.prompt = Some(Prompt::new(match key {
            Key::Char('s') => PromptKind::Confirm(Job::new(["goal", "start", name])),
            Key::Char('c') if busy.signs_off => return self.say("a sign-off is running already; x stops it"),
            Key::Char('c') => PromptKind::Evidence { goal: name.to_owned() },
            _ => match self.step(version, goal) {
                Err(why) => return self.say(&why),
                Ok(step) => {
                    let name = step.name();
                    match step.raw().mark {
                        Mark::Pending => PromptKind::Confirm(Job::new(["step", "start", &name])),
                        Mark::Active => PromptKind::Outcome { step: name },
                        Mark::Failed => PromptKind::Confirm(Job::new(["step", "retry", &name])),
                        mark @ (Mark::Complete | Mark::Skipped) => {
                            let told = format!("step {name} is {}; `plan step retry {name}` puts it back", mark.word());
                            return self.say(&told);
                        }
                    }
                }
            },
        }));
        Effect::Frame
    }

    /// The step under the cursor of an open goal, else the step to do.
    fn step<'p, 'a>(&self, version: &PlanVersion<'p, 'a>, goal: GoalRef<'p, 'a>) -> Result<StepRef<'p, 'a>, String> {
        let plan: &'p Plan<'a> = version.plan();
        let pointed = self.cursor_line().and_then(|line| line.step);
        let step = pointed.or_else(|| step_to_do(goal)).and_then(|index| plan.step(index));
        step.ok_or_else(|| match goal.progress() {
            (_, 0) => "this goal has no steps".to_owned(),
            _ => "every step of this goal is settled; c signs it off".to_owned(),
        })
    }

    fn cursor_line(&self) -> Option<&PaneLine> {
        let (_, _, lines) = self.lines.as_ref().filter(|_| self.is_open)?;
        lines.get(self.line)
    }

    /// The current line in plan.md.
    fn file_line(&self, version: &PlanVersion<'_, '_>) -> usize {
        let of_cursor = self.cursor_line().and_then(|line| line.at);
        of_cursor.or_else(|| self.goal(version).map(GoalRef::line)).unwrap_or(1)
    }

    /// Selects the next search result or, without a search, the goal to work on next.
    fn next(&mut self, version: &PlanVersion<'_, '_>) -> Effect {
        if !self.find.is_empty() {
            return self.found(version);
        }
        let Some(goal) = version.next() else { return self.say("nothing is left to work on") };
        let is_it = |entry: &usize| version.goal(*entry).is_some_and(|other| other.index() == goal.index());
        match self.rows.iter().position(is_it) {
            Some(row) => self.select(version, row),
            None => return self.say(&format!("next is {}, which the filter leaves out (f)", goal.name())),
        }
        Effect::Frame
    }

    /// Selects the next row with the searched text; after the last row it continues at the top.
    fn found(&mut self, version: &PlanVersion<'_, '_>) -> Effect {
        let wanted = self.find.to_lowercase();
        let has = |row: &usize| {
            let goal = version.goal(self.rows[*row]);
            let has = |text: &str| text.to_lowercase().contains(&wanted);
            goal.is_some_and(|goal| has(goal.subject()) || goal.id().is_some_and(has))
        };
        let behind = self.selected + 1;
        match (behind..self.rows.len()).chain(0..behind.min(self.rows.len())).find(has) {
            Some(row) => self.select(version, row),
            None => return self.say(&format!("no goal here has `{}`", self.find)),
        }
        Effect::Frame
    }

    /// Handles a key while a prompt is open.
    fn answer(&mut self, version: &PlanVersion<'_, '_>, key: Key) -> Effect {
        let Some(prompt) = &mut self.prompt else { return Effect::Frame };
        match key {
            Key::Esc => self.prompt = None,
            Key::Enter => {
                let Some(answer) = prompt.answer() else { return Effect::Frame };
                self.prompt = None;
                match answer {
                    PromptAnswer::Next(next) => self.prompt = Some(next),
                    PromptAnswer::Find(text) => {
                        self.find = text;
                        return if self.find.is_empty() { Effect::Frame } else { self.found(version) };
                    }
                    PromptAnswer::Run(job) => {
                        self.command = Some(job.shown());
                        return Effect::Run(job);
                    }
                }
            }
            // The prompt takes no text, so any other key closes it.
            _ if !prompt.takes_text() => self.prompt = None,
            _ => {
                prompt.trouble = None;
                prompt.line.key(key);
            }
        }
        Effect::Frame
    }
}
