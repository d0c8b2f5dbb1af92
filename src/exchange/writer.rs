//! Turns records into changes of plan.md: ids and numbers by the plan's own rules, needs that name goals, and quotes that keep every byte.

use std::collections::HashMap;

use super::existing::ImportedGoals;
use super::links::cut_cycles;
use super::record::{Fate, LeftOut, RecordKind, Task, TaskList, TaskState};
use super::report::{FINISHED, ImportReport, LeftNeed, Mapped};
use crate::error::{Error, Result};
use crate::plan::change::{self, Change, NewGoal, NewStep, Quote};
use crate::plan::edit;
use crate::plan::log::LogLine;
use crate::plan::model::{Mark, Plan, Status};
use crate::plan::parse::parse;
use crate::plan::rules::{self, PlanState};
use crate::plan::text::{one_line, plain_line, step_text};

/// The changes that write a list of tasks into plan.md.
#[derive(Clone, Debug, Default)]
pub struct Import {
    /// The changes with one log line; empty if nothing is new.
    pub changes: Vec<Change>,
    /// The report for the user.
    pub report: ImportReport,
}

/// Returns the changes that bring `list` into `plan`. With `finished`, tasks that are finished in the other program come in as open goals.
///
/// # Errors
/// [`crate::error::Kind::Input`] if plan.md cannot take the goals, for example because an unclosed fence swallows them.
pub fn write(plan: &Plan<'_>, list: &TaskList, finished: bool, stamp: &str) -> Result<Import> {
    let mut writer = GoalWriter::new(plan, list, finished);
    let goals = writer.goals();
    let report = writer.report;
    if goals.is_empty() {
        return Ok(Import { changes: Vec::new(), report });
    }
    let log = LogLine::Imported { goals: goals.len() as u32, tool: &report.tool }.to_string();
    let has_none = plan.objective().is_none_or(|own| own == change::NO_OBJECTIVE);
    let objective = list.objective.as_ref().filter(|text| has_none && !one_line(text).is_empty());
    let mut changes: Vec<Change> =
        objective.map(|text| Change::SetObjective { text: text.clone() }).into_iter().collect();
    changes.push(Change::AddFront { entries: list.front.clone() });
    changes.extend(goals.into_iter().map(Change::AddGoal));
    changes.push(Change::AppendLog { stamp: stamp.to_owned(), text: log });
    check(plan, &changes)?;
    Ok(Import { changes, report })
}

/// The target of a task's id.
#[derive(Clone, Copy)]
enum Target {
    /// A new goal, by its index among the new goals.
    New(usize),
    /// A goal of the plan.
    Existing(usize),
    /// A finished task.
    Finished,
}

struct GoalWriter<'p, 'a, 'l> {
    plan: &'p Plan<'a>,
    /// True in guide mode. In contract mode a new goal is open and its steps are pending.
    is_guide: bool,
    /// The tasks that become goals, each with its quotes.
    new: Vec<(&'l Task, Vec<Quote>)>,
    targets: HashMap<&'l str, Target>,
    existing: ImportedGoals,
    report: ImportReport,
}

impl<'p, 'a, 'l> GoalWriter<'p, 'a, 'l> {
    fn new(plan: &'p Plan<'a>, list: &'l TaskList, finished: bool) -> Self {
        let report = ImportReport {
            tool: one_line(&list.tool),
            left_out: list.left_out.clone(),
            fields: list.fields.clone(),
            notes: list.notes.clone(),
            ..ImportReport::default()
        };
        let is_guide = rules::state(plan) == PlanState::Guide;
        let existing = ImportedGoals::of(plan);
        let mut writer = GoalWriter { plan, is_guide, new: Vec::new(), targets: HashMap::new(), existing, report };
        let (mut nuls, mut shared) = (0, 0);
        for task in &list.tasks {
            let quotes = quotes(&writer.report.tool, task, &mut nuls);
            let target = writer.place(task, quotes, finished);
            if !task.id.is_empty() && writer.targets.contains_key(task.id.as_str()) {
                shared += 1;
            } else {
                writer.targets.insert(&task.id, target);
            }
        }
        for (key, value) in &list.front {
            if let Some(own) = plan.front_value(key).filter(|own| *own != plain_line(value)) {
                writer
                    .report
                    .notes
                    .push(format!("`{key}` stays `{own}` in plan.md; the file says `{}`", plain_line(value)));
            }
        }
        if nuls > 0 {
            writer.report.notes.push(format!("plan.md cannot contain a NUL: {nuls} written as `␀`"));
        }
        if shared > 0 {
            writer
                .report
                .notes
                .push(format!("{shared} ids belong to more than one task; a need that names one means the first"));
        }
        if !writer.is_guide && writer.new.iter().any(|(task, _)| is_begun(task)) {
            let note = "in contract mode a new goal is open and its steps are pending: progress in the other program is \
                        not taken over";
            writer.report.notes.push(note.to_owned());
        }
        writer
    }

    /// Decides whether a task becomes a goal, is a goal already, or is left out.
    fn place(&mut self, task: &'l Task, quotes: Vec<Quote>, finished: bool) -> Target {
        let heading = heading(&self.report.tool, task);
        let left = |why: String| LeftOut {
            record: RecordKind::Task,
            name: name(task),
            why,
            fate: Fate::Dropped,
            steps: task.steps.len(),
        };
        if let Some(goal) = self.existing.goal(task, &heading).and_then(|index| self.plan.goal(index)) {
            let differences = self.existing.differences(task, goal, &quotes);
            if !differences.is_empty() {
                self.report.changed.push((one_line(&task.id), goal.name().to_owned(), differences.join(", ")));
            }
            self.report.left_out.push(left("a goal already".to_owned()));
            return Target::Existing(goal.index());
        }
        match &task.state {
            TaskState::Finished(word) if !finished => {
                self.report.left_out.push(left(format!("finished there ({})", one_line(word))));
                Target::Finished
            }
            _ => {
                self.new.push((task, quotes));
                Target::New(self.new.len() - 1)
            }
        }
    }

    fn goals(&mut self) -> Vec<NewGoal> {
        let subjects: Vec<String> = self.new.iter().map(|(task, _)| subject(&self.report.tool, task)).collect();
        let free = change::free_ids(self.plan, subjects.iter().map(String::as_str));
        let ids: Vec<String> =
            self.new.iter().zip(free).map(|((task, _), free)| task.goal_id.clone().unwrap_or(free)).collect();
        let needs = self.needs(&ids);
        let steps = self.steps();
        let mut goals = Vec::with_capacity(ids.len());
        for (((id, subject), needs), steps) in ids.into_iter().zip(subjects).zip(needs).zip(steps) {
            let (task, quotes) = &self.new[goals.len()];
            let is_active = self.is_guide && task.state == TaskState::Active;
            let status = if is_active { Status::Active } else { Status::Open };
            self.report.mapped.push(Mapped {
                task: one_line(&task.id),
                goal: id.clone(),
                subject: subject.clone(),
                status: status.word(),
                steps: steps.len(),
                ticked: steps.iter().filter(|step| step.mark == Mark::Complete).count(),
            });
            self.report.commands.extend(task.commands.iter().map(|text| (id.clone(), text.clone())));
            goals.push(NewGoal {
                subject,
                id: Some(id),
                status,
                done_when: task.done_when.clone(),
                needs,
                priority: task.priority,
                kind: task.kind,
                steps,
                quotes: quotes.clone(),
                ..NewGoal::default()
            });
        }
        goals
    }

    /// The ids that each new goal needs. A need that is finished, unknown or closes a cycle is left out and reported.
    fn needs(&mut self, ids: &[String]) -> Vec<Vec<String>> {
        let mut edges = vec![Vec::new(); self.new.len()];
        let mut older = vec![Vec::new(); self.new.len()];
        for (at, (task, _)) in self.new.iter().enumerate() {
            for need in &task.needs {
                // An earlier import may have brought in a task that this list does not mention.
                let earlier = || self.existing.named(&heading_of(&self.report.tool, need)).map(Target::Existing);
                let why = match self.targets.get(need.as_str()).copied().or_else(earlier) {
                    Some(Target::New(other)) if other == at => "a task cannot need itself",
                    Some(Target::New(other)) => {
                        if !edges[at].contains(&other) {
                            edges[at].push(other);
                        }
                        continue;
                    }
                    Some(Target::Existing(goal)) => {
                        let id = self.plan.goal(goal).and_then(|goal| goal.id());
                        let id = id.map(str::to_owned).filter(|id| !older[at].contains(id));
                        older[at].extend(id);
                        continue;
                    }
                    Some(Target::Finished) => FINISHED,
                    None => "no task has this id",
                };
                let (task, need) = (one_line(&task.id), one_line(need));
                self.report.needs_left.push(LeftNeed { task, need, why });
            }
        }
        for (from, to) in cut_cycles(&mut edges) {
            let id = |at: usize| one_line(&self.new[at].0.id);
            self.report.needs_left.push(LeftNeed { task: id(from), need: id(to), why: "it would close a circle" });
        }
        let mut needs = Vec::with_capacity(edges.len());
        for (edges, mut older) in edges.into_iter().zip(older) {
            older.extend(edges.into_iter().map(|other| ids[other].clone()));
            self.report.needs += older.len();
            needs.push(older);
        }
        needs
    }

    /// The steps of each new goal, with the numbers that they get.
    fn steps(&mut self) -> Vec<Vec<NewStep>> {
        let first = change::next_number(self.plan);
        let all =
            || self.new.iter().enumerate().flat_map(|(at, (task, _))| task.steps.iter().map(move |step| (at, step)));
        let mut own: HashMap<(usize, &str), usize> = HashMap::new();
        let mut any: HashMap<&str, usize> = HashMap::new();
        for (index, (at, step)) in all().enumerate().filter(|(_, (_, step))| !step.id.is_empty()) {
            own.entry((at, &step.id)).or_insert(index);
            any.entry(&step.id).or_insert(index);
        }
        let mut left = 0;
        let mut edges: Vec<Vec<usize>> = all()
            .map(|(at, step)| {
                let find = |id: &String| own.get(&(at, id.as_str())).or_else(|| any.get(id.as_str())).copied();
                let found: Vec<usize> = step.after.iter().filter_map(find).collect();
                left += step.after.len() - found.len();
                found
            })
            .collect();
        left += cut_cycles(&mut edges).len();
        let mut goals: Vec<Vec<NewStep>> = vec![Vec::new(); self.new.len()];
        for ((at, step), after) in all().zip(edges) {
            let mut after: Vec<u32> = after.into_iter().map(|index| first.saturating_add(index as u32)).collect();
            after.sort_unstable();
            after.dedup();
            let mark = if self.is_guide { step.mark } else { Mark::Pending };
            let text = step.written().to_owned();
            goals[at].push(NewStep { text, mark, after, run: step.run.clone(), note: step.note.clone() });
        }
        if left > 0 {
            self.report
                .notes
                .push(format!("{left} links between steps left out: they name no step, or would close a circle"));
        }
        goals
    }
}

fn is_begun(task: &Task) -> bool {
    task.state == TaskState::Active || task.steps.iter().any(|step| step.mark != Mark::Pending)
}

/// The name of a task in the report: `5 Offline queue`, or only the id if the id ends with the subject.
fn name(task: &Task) -> String {
    match task.id.ends_with(&task.subject) {
        true => one_line(&task.id),
        false => one_line(&format!("{} {}", task.id, task.subject)),
    }
}

/// The heading above the quote. A later import finds the task by it.
fn heading(tool: &str, task: &Task) -> String {
    heading_of(tool, &task.id)
}

fn heading_of(tool: &str, id: &str) -> String {
    format!("From {tool} {id}")
}

fn subject(tool: &str, task: &Task) -> String {
    let subject = one_line(&task.subject);
    if subject.is_empty() { one_line(&format!("{tool} {}", task.id)) } else { subject }
}

/// The quotes of a task. A NUL becomes `␀`, since plan.md cannot hold a NUL.
fn quotes(tool: &str, task: &Task, nuls: &mut usize) -> Vec<Quote> {
    let whole = || vec![Quote { heading: heading(tool, task), text: prose(task) }];
    let mut quotes = task.quotes.clone().unwrap_or_else(whole);
    for quote in &mut quotes {
        let count = quote.text.matches('\0').count();
        if count > 0 {
            *nuls += count;
            quote.text = quote.text.replace('\0', "␀");
        }
    }
    quotes
}

/// All prose of a task as one text.
fn prose(task: &Task) -> String {
    let mut text = String::new();
    for passage in task.prose.iter().filter(|passage| !passage.text.is_empty()) {
        if !text.is_empty() {
            text.push_str("\n\n");
        }
        match passage.name.as_str() {
            "" => {}
            name if passage.text.contains('\n') => text += &format!("**{name}**\n\n"),
            name => text += &format!("**{name}** "),
        }
        text.push_str(&passage.text);
    }
    text
}

/// Reads the plan with the changes applied. Each new goal must be there as intended, and the rest must have kept its shape.
fn check(plan: &Plan<'_>, changes: &[Change]) -> Result<()> {
    let after = edit::apply(plan.source, &change::edits(plan, changes)?)?;
    let after = parse(&after).map_err(|error| Error {
        message: format!("the goals cannot be written into plan.md: {}", error.message),
        ..error
    })?;
    let news: HashMap<&str, &NewGoal> = changes
        .iter()
        .filter_map(|change| match change {
            Change::AddGoal(new) => Some((new.id.as_deref()?, new)),
            _ => None,
        })
        .collect();
    let mut quotes: HashMap<usize, Vec<Quote>> = HashMap::new();
    for (goal, quote) in change::quotes(&after) {
        quotes.entry(goal).or_default().push(quote);
    }
    let mut found = 0;
    for goal in after.all_goals() {
        let Some(new) = goal.id().and_then(|id| news.get(id)) else { continue };
        found += 1;
        let steps: Vec<String> = goal.steps().iter().map(|step| after.text(step.text).to_owned()).collect();
        let meant: Vec<String> = new.steps.iter().map(|step| step_text(&step.text)).collect();
        let has_command = |step: &crate::plan::model::Step| step.run.is_some();
        let commands = goal.steps().iter().filter(|step| has_command(step)).count();
        let notes = goal.steps().iter().map(|step| step.outcome.map(|note| after.text(note)));
        let is_same = goal.status() == new.status
            && steps == meant
            && goal.verify().is_none()
            && goal.failure_modes().is_empty()
            && commands == new.steps.iter().filter(|step| step.run.is_some()).count()
            && notes.eq(new.steps.iter().map(|step| step.note.as_deref()))
            && quotes
                .remove(&goal.index())
                .unwrap_or_default()
                .iter()
                .map(|quote| &quote.text)
                .eq(new.quotes.iter().map(|quote| &quote.text));
        if !is_same {
            return Err(unfit(&new.subject));
        }
    }
    let is_whole = found == news.len()
        && after.goals.len() == plan.goals.len() + news.len()
        && after.log.len() == plan.log.len() + 1
        && after.archive.is_some() == plan.archive.is_some();
    if is_whole { Ok(()) } else { Err(unfit(&format!("{} goals", news.len()))) }
}

fn unfit(what: &str) -> Error {
    Error::input(format!("`{what}` cannot be written so that plan.md reads it as it was meant"))
        .harmless()
        .hint("`plan lint` shows what is left unclosed in plan.md")
}
