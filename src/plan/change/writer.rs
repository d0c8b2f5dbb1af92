//! Collects the edits of all changes of one call.

use std::collections::{HashMap, HashSet};

use super::ids::Ids;
use super::ranked_edit::{Rank, RankedEdit, blank_before, eol, into_edits, line_at};
use super::shape::Shape;
use super::{Change, next_number};
use crate::error::{Error, Result};
use crate::plan::edit::Edit;
use crate::plan::model::{GoalRef, LogSection, Plan, Span};
use crate::plan::text::{cut, one_line};

/// The most bytes of a log line's text, whoever writes it.
const LINE_BYTES: usize = 4000;
/// From this many changes on, shared ids are looked up in a table.
const FEW: usize = 16;

/// The edits collected so far, and the state needed to collect more.
pub(super) struct EditWriter<'p, 'a> {
    pub(super) plan: &'p Plan<'a>,
    pub(super) edits: Vec<RankedEdit>,
    /// All ids, including those that this call gives.
    pub(super) ids: Ids<'p, 'a>,
    /// Goals of the plan that got an id in this call.
    pub(super) named: HashSet<usize>,
    /// Goal blocks to add.
    pub(super) blocks: Vec<String>,
    /// Goal blocks to add elsewhere, each with the offset in front of which it goes.
    pub(super) placed: Vec<(usize, String)>,
    /// Goals to move to the archive.
    pub(super) archived: Vec<usize>,
    /// Goals to remove.
    pub(super) removed: Vec<usize>,
    /// Goals to move out of the archive.
    pub(super) restored: Vec<usize>,
    /// The expected shape of each goal whose shape changes.
    pub(super) shapes: Vec<Shape>,
    log: Vec<String>,
    number: Option<u32>,
    /// The first two goals with each id; built only if there are many changes or goals are archived.
    pub(super) owners: Option<HashMap<&'a str, (usize, Option<usize>)>>,
}

impl<'p, 'a> EditWriter<'p, 'a> {
    pub(super) fn new(plan: &'p Plan<'a>, changes: usize) -> Self {
        let mut writer = EditWriter {
            plan,
            edits: Vec::new(),
            ids: Ids::new(plan),
            named: HashSet::new(),
            blocks: Vec::new(),
            placed: Vec::new(),
            archived: Vec::new(),
            removed: Vec::new(),
            restored: Vec::new(),
            shapes: Vec::new(),
            log: Vec::new(),
            number: None,
            owners: None,
        };
        if changes > FEW {
            writer.index();
            writer.ids.index();
        }
        writer
    }

    /// Builds the table of ids.
    pub(super) fn index(&mut self) {
        let mut owners: HashMap<&'a str, (usize, Option<usize>)> = HashMap::with_capacity(self.plan.goals.len());
        for goal in self.plan.all_goals() {
            if let Some(id) = goal.id() {
                owners
                    .entry(id)
                    .and_modify(|owner| owner.1 = owner.1.or(Some(goal.index())))
                    .or_insert((goal.index(), None));
            }
        }
        self.owners = Some(owners);
    }

    pub(super) fn change(&mut self, change: &Change) -> Result<()> {
        match change {
            Change::AddGoal(goal) => self.add_goal(goal),
            Change::AddGoalBefore { before, new } => self.add_goal_before(*before, new),
            Change::AddGoalBlock { text } => self.add_block(text),
            Change::SetStatus { goal, status } => self.set_status(*goal, *status),
            Change::SetField { goal, key, values } => self.set_field(*goal, *key, values),
            Change::SetSubject { goal, subject } => self.set_subject(*goal, subject),
            Change::AddId { goal } => self.touch(*goal).map(drop),
            Change::RemoveGoal { goal } => self.remove_goal(*goal),
            Change::AddStep { goal, text, after, run, note } => {
                self.add_step(*goal, text, after, run.as_deref(), note.as_deref())
            }
            Change::SetStepText { step, text } => self.set_step_text(*step, text),
            Change::SetStepParts { step, text, after, run } => {
                self.set_step_parts(*step, text.as_deref(), after.as_deref(), run.as_deref())
            }
            Change::AddNumber { step } => self.add_number(*step),
            Change::SetMark { step, mark, outcome } => self.set_mark(*step, *mark, outcome.as_deref()),
            Change::MoveStep { step, goal, at } => self.move_step(*step, *goal, *at),
            Change::RemoveStep { step } => self.remove_step(*step),
            Change::AppendLog { stamp, text } => self.append_log(stamp, text),
            Change::Archive { goals } => self.archive(goals),
            Change::Restore { goal } => self.restore(*goal),
            Change::SetObjective { text } => self.set_objective(text),
            Change::AddFront { entries } => self.add_front(entries),
            Change::AddIntro { text } => self.add_intro(text),
        }
    }

    /// Inserts whole lines in front of the line that begins at `at`.
    pub(super) fn insert(&mut self, at: usize, text: impl Into<Vec<u8>>, rank: Rank) {
        self.edits.push(RankedEdit { range: at..at, text: text.into(), rank });
    }

    /// Removes whole lines.
    pub(super) fn remove(&mut self, range: std::ops::Range<usize>, rank: Rank) {
        self.edits.push(RankedEdit { range, text: Vec::new(), rank });
    }

    /// Returns the line ending for new lines at `at`.
    pub(super) fn eol(&self, at: usize) -> &'static str {
        eol(self.plan.source, at)
    }

    /// Returns the next free step number; each number is given once.
    pub(super) fn take_number(&mut self) -> u32 {
        let number = self.number.unwrap_or_else(|| next_number(self.plan));
        self.number = Some(number.saturating_add(1));
        number
    }

    /// Returns a goal that may be written: it has no field twice and no shared id.
    pub(super) fn writable(&self, goal: usize) -> Result<GoalRef<'p, 'a>> {
        let goal = self.plan.goal(goal).ok_or_else(|| Error::input("the goal is no longer there"))?;
        if let Some(second) = goal.fields().iter().find(|field| field.repeated) {
            let line = |start: u32| self.plan.line_of(start as usize);
            let first = goal.field(second.key).map_or(0, |field| line(field.lines.start));
            let (word, second) = (second.key.word(), line(second.lines.start));
            let message = format!("goal `{}` has `{word}` twice, in lines {first} and {second}", goal.name());
            return Err(Error::input(message).hint("remove one of them with an editor"));
        }
        match self.sharer(goal) {
            Some(other) => {
                let message = format!(
                    "the id `{}` is given twice, in lines {} and {}",
                    goal.name(),
                    goal.line().min(other.line()),
                    goal.line().max(other.line())
                );
                Err(Error::input(message).hint("give one of the goals another id with an editor"))
            }
            None => Ok(goal),
        }
    }

    /// Another goal with the same id.
    fn sharer(&self, goal: GoalRef<'p, 'a>) -> Option<GoalRef<'p, 'a>> {
        let id = goal.id()?;
        if let Some(owners) = &self.owners {
            let &(first, second) = owners.get(id)?;
            let other = if first == goal.index() { second? } else { first };
            return self.plan.goal(other);
        }
        self.plan.all_goals().find(|other| other.index() != goal.index() && other.id() == Some(id))
    }

    fn append_log(&mut self, stamp: &str, text: &str) -> Result<()> {
        let text = cut(&one_line(text), LINE_BYTES);
        if text.is_empty() {
            return Err(Error::input("expected a text for the log, found none"));
        }
        self.log.push(format!("{}  {text}", one_line(stamp)));
        Ok(())
    }

    /// Adds the log lines to the last log section. If there is none, returns a new section, which is written as a block.
    fn write_log(&mut self) -> Option<String> {
        if self.log.is_empty() {
            return None;
        }
        let lines = std::mem::take(&mut self.log);
        let Some(section) = self.plan.logs.iter().rfind(|section| !section.archived) else {
            let eol = self.eol(self.end());
            let lines: String = lines.iter().map(|line| format!("- {line}{eol}")).collect();
            return Some(format!("## Log{eol}{lines}"));
        };
        let at = section.insert_at as usize;
        let (eol, bullet) = (self.eol(at), self.bullet(section));
        let text: String = lines.iter().map(|line| format!("{bullet}{line}{eol}")).collect();
        self.insert(at, text, Rank::Log);
        None
    }

    /// Returns the bullet and space of a section's last line, with its indentation if nothing follows below it.
    fn bullet(&self, section: &LogSection) -> &'a str {
        let lines = &self.plan.log[section.lines.start as usize..section.lines.end as usize];
        let Some(last) = lines.last() else { return "- " };
        let prefix = self.plan.text(Span { start: last.line.start, end: last.stamp.start });
        match prefix {
            _ if prefix.contains('\t') => "- ",
            _ if last.line.end == section.insert_at => prefix,
            _ => prefix.trim_start(),
        }
    }

    /// Returns the end of the part above the archive.
    pub(super) fn end(&self) -> usize {
        self.plan.archive.map_or(self.plan.source.len(), |archive| archive.start as usize)
    }

    /// Returns the place for new goals. A log with a deeper heading belongs to the goal above it, so a new goal must not separate them.
    fn goals_at(&self) -> usize {
        let log = self.plan.logs.iter().find(|log| !log.archived && log.level <= 2);
        log.map_or(self.end(), |log| log.heading.start as usize)
    }

    /// Returns all edits, after the last checks.
    pub(super) fn finish(mut self) -> Result<Vec<Edit>> {
        let log = self.write_log();
        let archive = self.write_archive();
        let bytes = |texts: Vec<String>| -> Vec<Vec<u8>> { texts.into_iter().map(String::into_bytes).collect() };
        let mut goals = bytes(std::mem::take(&mut self.blocks));
        goals.extend(self.write_restored());
        let mut points: Vec<(usize, Vec<Vec<u8>>)> = Vec::new();
        let blocks = [
            (self.goals_at(), goals),
            (self.end(), bytes(log.into_iter().collect())),
            (self.plan.source.len(), archive),
        ];
        let placed = std::mem::take(&mut self.placed).into_iter().map(|(at, block)| (at, vec![block.into_bytes()]));
        for (at, blocks) in blocks.into_iter().chain(placed) {
            match points.iter_mut().find(|point| point.0 == at) {
                Some(point) => point.1.extend(blocks),
                None => points.push((at, blocks)),
            }
        }
        for (at, blocks) in points.into_iter().filter(|point| !point.1.is_empty()) {
            self.insert_blocks(at, &blocks);
        }
        self.check_swallowed()?;
        self.check_shapes()?;
        Ok(into_edits(self.plan, self.edits))
    }

    /// Inserts blocks in front of `at`, with one blank line around each.
    fn insert_blocks(&mut self, at: usize, blocks: &[Vec<u8>]) {
        let (source, eol) = (self.plan.source, self.eol(at).as_bytes());
        let mut text = if blank_before(source, self.kept_end(at)) { Vec::new() } else { eol.to_owned() };
        text.extend(blocks.join(eol));
        if !line_at(source, at).trim_ascii().is_empty() {
            text.extend_from_slice(eol);
        }
        self.insert(at, text, Rank::Block);
    }

    /// Refuses additions below an unclosed fence or comment, which would turn them into text.
    fn check_swallowed(&self) -> Result<()> {
        let Some(open) = self.plan.unclosed else { return Ok(()) };
        if self.edits.iter().all(|edit| edit.text.is_empty() || edit.range.start <= open.start as usize) {
            return Ok(());
        }
        Err(self.swallows(open, "a new line"))
    }

    /// The error for text that would be below `open`, a fence or comment that is never closed.
    pub(super) fn swallows(&self, open: Span, what: &str) -> Error {
        let line = self.plan.line_of(open.start as usize);
        Error::input(format!(
            "the code fence or comment that line {line} opens is never closed, so {what} would be text"
        ))
        .hint("close it with an editor")
    }
}
