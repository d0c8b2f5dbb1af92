//! Changes of goals: adds, renames and removes them; sets the objective.

use std::collections::HashSet;

use super::NewGoal;
use super::field::{fit, render};
use super::ids::Ids;
use super::ranked_edit::{Rank, RankedEdit};
use super::step::{behind, rest};
use super::writer::EditWriter;
use crate::error::{Error, Result};
use crate::plan::glob::Glob;
use crate::plan::model::{GoalRef, Key, Plan};
use crate::plan::parse::{BOM, is_id, parse};
use crate::plan::text::{one_line, slug, step_text};

/// Returns the id for a new goal with this subject: its slug and the first free number (`FORMAT.md`, id).
pub fn free_id(plan: &Plan<'_>, subject: &str) -> String {
    Ids::new(plan).take(&slug(subject))
}

/// Returns the ids for new goals with these subjects, if all are written at once.
pub fn free_ids<'s>(plan: &Plan<'_>, subjects: impl Iterator<Item = &'s str>) -> Vec<String> {
    let mut ids = Ids::new(plan);
    ids.index();
    subjects.map(|subject| ids.take(&slug(subject))).collect()
}

/// Returns the id that a goal has once it is written: its own, or the one that this write gives it.
pub fn id_to_be(plan: &Plan<'_>, goal: GoalRef<'_, '_>) -> String {
    goal.id().map_or_else(|| free_id(plan, goal.subject()), str::to_owned)
}

impl<'p, 'a> EditWriter<'p, 'a> {
    /// Returns a goal that is about to be written. It must be writable, and gets an id if it has none.
    pub(super) fn touch(&mut self, goal: usize) -> Result<GoalRef<'p, 'a>> {
        let goal = self.writable(goal)?;
        if goal.id().is_some() || self.named.contains(&goal.index()) {
            return Ok(goal);
        }
        let id = self.ids.take(&slug(goal.subject()));
        match goal.raw().bad_id {
            Some(line) => {
                let text = self.plan.text(line);
                let comment = text.find("<!--").unwrap_or(0)..text.trim_end().len();
                let start = line.start as usize;
                self.edits
                    .push(RankedEdit::inline(start + comment.start..start + comment.end, format!("<!-- id: {id} -->")));
            }
            None => {
                let at = goal.raw().heading.end as usize;
                self.insert(at, format!("<!-- id: {id} -->{}", self.eol(at)), Rank::Id);
            }
        }
        self.named.insert(goal.index());
        // A new line can change how the lines below it are read.
        self.shape(goal.index());
        Ok(goal)
    }

    pub(super) fn add_goal(&mut self, goal: &NewGoal) -> Result<()> {
        let subject = one_line(&goal.subject);
        if subject.is_empty() {
            return Err(no_subject());
        }
        let id = self.id(goal.id.as_deref(), &subject)?;
        let eol = self.eol(self.end());
        let mut text = format!("## Goal: {}{eol}<!-- id: {id} -->{eol}", heading_text(&subject));
        for (key, values) in fields(goal) {
            let values = fit(key, &values)?;
            if !values.is_empty() {
                text.push_str(&render(key, &values, "- ", eol));
            }
        }
        for step in &goal.steps {
            let number = self.take_number();
            let rest = match step.after.is_empty() && step.run.is_none() {
                true => format!("{number}. {}", step_text(&step.text)),
                false => rest(Some(number), &step.text, &step.after, step.run.as_deref())?,
            };
            let note = behind(step.note.as_deref());
            text.push_str(format!("- [{}] {rest}{note}", step.mark.character()).trim_end());
            text.push_str(eol);
        }
        for quote in &goal.quotes {
            quote.write(&mut text, eol);
        }
        self.blocks.push(text);
        Ok(())
    }

    pub(super) fn add_goal_before(&mut self, before: usize, goal: &NewGoal) -> Result<()> {
        let next = self.writable(before)?;
        if next.raw().archived {
            return Err(Error::input(format!("goal `{}` is archived; a new goal goes above the archive", next.name())));
        }
        self.add_goal(goal)?;
        let at = next.raw().heading.start as usize;
        self.placed.extend(self.blocks.pop().map(|block| (at, block)));
        Ok(())
    }

    /// Returns the requested id if it is valid and free, or a free id if none was requested.
    fn id(&mut self, asked: Option<&str>, subject: &str) -> Result<String> {
        let Some(id) = asked else { return Ok(self.ids.take(&slug(subject))) };
        if !is_id(id.as_bytes()) {
            return Err(Error::input(format!(
                "`{id}` is not an id: expected a lower-case letter or digit, then up to 63 of `a-z 0-9 _ -`"
            )));
        }
        let stays = |goal: &GoalRef<'_, '_>| !self.removed.contains(&goal.index());
        let other = match &self.owners {
            Some(owners) => owners
                .get(id)
                .into_iter()
                .flat_map(|(first, second)| [Some(*first), *second])
                .flatten()
                .filter_map(|index| self.plan.goal(index))
                .find(stays),
            None => self.plan.all_goals().filter(stays).find(|goal| goal.id() == Some(id)),
        };
        if let Some(other) = other {
            let message = format!("the id `{id}` is taken by the goal in line {}", other.line());
            return Err(Error::input(message).hint("give another with `--id`, or none"));
        }
        if !self.ids.give(id) {
            return Err(Error::input(format!("the id `{id}` is given twice")));
        }
        Ok(id.to_owned())
    }

    pub(super) fn add_block(&mut self, text: &str) -> Result<()> {
        let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
        let text = text.trim_matches('\n').trim_end();
        let block = parse(text.as_bytes())?;
        let goal = whole_goal(&block)?;
        let mut text = format!("{text}\n");
        match (goal.id(), goal.raw().bad_id) {
            (Some(id), _) => {
                self.id(Some(id), "")?;
            }
            (None, Some(line)) => {
                return Err(Error::input(format!("line {}: the id does not fit", block.line_of(line.start as usize)))
                    .hint("an id is a lower-case letter or digit, then up to 63 of `a-z 0-9 _ -`"));
            }
            (None, None) => {
                let id = self.id(None, goal.subject())?;
                let at = (goal.raw().heading.end as usize).min(text.len());
                text.insert_str(at, &format!("<!-- id: {id} -->\n"));
            }
        }
        goal.may_change().iter().try_for_each(|text| Glob::parse(text).map(drop))?;
        let mut given = HashSet::new();
        let twice = block.steps.iter().filter_map(|step| step.number).find(|number| !given.insert(*number));
        if let Some(number) = twice {
            return Err(Error::input(format!("the number {number} is given to two steps of the goal"))
                .hint("leave the numbers out, or give each step its own"));
        }
        let clash = block
            .steps
            .iter()
            .filter_map(|step| step.number)
            .find(|number| self.plan.steps.iter().any(|step| step.number == Some(*number)));
        if let Some(number) = clash {
            return Err(Error::input(format!("the number {number} belongs to another step of the plan"))
                .hint(format!("number the steps from {}, or leave the numbers out", super::next_number(self.plan))));
        }
        let eol = self.eol(self.end());
        self.blocks.push(if eol == "\n" { text } else { text.replace('\n', eol) });
        Ok(())
    }

    pub(super) fn set_subject(&mut self, goal: usize, subject: &str) -> Result<()> {
        let subject = heading_text(&one_line(subject));
        if subject.is_empty() {
            return Err(no_subject());
        }
        let goal = self.touch(goal)?;
        self.set_heading(goal.raw().subject.range(), &subject);
        Ok(())
    }

    pub(super) fn set_objective(&mut self, text: &str) -> Result<()> {
        let text = heading_text(&one_line(text));
        if text.is_empty() {
            return Err(Error::input("expected an objective, found none"));
        }
        if let Some(objective) = self.plan.objective {
            self.set_heading(objective.range(), &text);
            return Ok(());
        }
        let bom = if self.plan.source.starts_with(BOM) { BOM.len() } else { 0 };
        let at = self.plan.front.map_or(bom, |front| front.end as usize);
        let eol = self.eol(at);
        let gap = if at < self.plan.source.len() { eol } else { "" };
        self.insert(at, format!("# Plan: {text}{eol}{gap}"), Rank::Block);
        Ok(())
    }

    /// Replaces the text after a heading's colon.
    fn set_heading(&mut self, range: std::ops::Range<usize>, text: &str) {
        if self.plan.source[range.clone()] != *text.as_bytes() {
            let space = if self.plan.source[range.start - 1] == b':' { " " } else { "" };
            self.edits.push(RankedEdit::inline(range, format!("{space}{text}")));
        }
    }

    pub(super) fn remove_goal(&mut self, goal: usize) -> Result<()> {
        let goal = self.writable(goal)?;
        self.check_removal(&[goal.index()])?;
        self.keeps_log(goal.index())?;
        for part in super::archive::parts(self.plan, goal.index()) {
            self.remove(part, Rank::Block);
        }
        self.removed.push(goal.index());
        Ok(())
    }

    /// Adds prose below the objective if only blank lines follow the objective up to the next heading.
    pub(super) fn add_intro(&mut self, text: &str) -> Result<()> {
        let text = text.replace("\r\n", "\n");
        let Some(at) = self.plan.objective_line.map(|line| line.end as usize) else { return Ok(()) };
        let below = &self.plan.source[at..];
        let blank = below.len() - below.trim_ascii_start().len();
        let is_free = below.trim_ascii().is_empty() || below[blank..].starts_with(b"#");
        if !is_free || text.trim().is_empty() {
            return Ok(());
        }
        let eol = self.eol(at);
        let text = text.trim().replace('\n', eol);
        let gap = if blank == 0 && !below.is_empty() { eol } else { "" };
        self.insert(at, format!("{eol}{text}{eol}{gap}"), Rank::Block);
        Ok(())
    }
}

/// Returns a subject as a heading writes it: a run of `#` at its end is escaped, because it would be read as the heading's closing.
pub(super) fn heading_text(text: &str) -> String {
    let bare = text.trim_end_matches('#');
    match bare.len() < text.len() && (bare.is_empty() || bare.ends_with(' ')) {
        true => format!("{bare}\\{}", &text[bare.len()..]),
        false => text.to_owned(),
    }
}

fn fields(goal: &NewGoal) -> [(Key, Vec<String>); Key::ALL.len()] {
    let one = |value: Option<String>| value.into_iter().collect();
    Key::ALL.map(|key| {
        let values = match key {
            Key::Status => vec![goal.status.word().to_owned()],
            Key::DoneWhen => goal.done_when.clone(),
            Key::Verify => one(goal.verify.clone()),
            Key::FailureModes => goal.failure_modes.clone(),
            Key::Needs => goal.needs.clone(),
            Key::Priority => one(goal.priority.map(|priority| priority.to_string())),
            Key::Kind => one(goal.kind.map(|kind| kind.word().to_owned())),
            Key::MayChange => goal.may_change.clone(),
            Key::Evidence => goal.evidence.clone(),
        };
        (key, values)
    })
}

/// Returns the goal of a block that must contain exactly this goal and nothing else.
fn whole_goal<'b, 's>(block: &'b Plan<'s>) -> Result<GoalRef<'b, 's>> {
    let refuse = |what: &str| Err(Error::input(format!("expected one whole goal block from `## Goal:` on, {what}")));
    let Some(goal) = block.goal(0) else { return refuse("found no such heading") };
    let body = goal.raw().body;
    if body.start > 0 {
        return refuse("found something before it");
    }
    if body.end as usize != block.source.len() {
        return refuse(&format!("found another section in line {}", block.line_of(body.end as usize)));
    }
    if goal.subject().is_empty() {
        return refuse("found no subject");
    }
    if let Some(log) = block.logs.first() {
        let line = block.line_of(log.heading.start as usize);
        return refuse(&format!("found a log in line {line}; only commands such as `plan log` write the log"));
    }
    match block.unclosed {
        Some(open) => refuse(&format!(
            "found a fence or comment in line {} that is never closed",
            block.line_of(open.start as usize)
        )),
        None => Ok(goal),
    }
}

fn no_subject() -> Error {
    Error::input("expected a subject for the goal, found none")
        .hint("say what will be true: `plan goal add \"Sort is stable\"`")
}
