//! Imports a planner's plan as one goal with its steps.

use super::{PlannedStep, PlannedSteps, Reply, StepStatus, read};
use crate::error::{Error, Result};
use crate::exchange::{Fate, Passage, ReadOptions, Reader, SourceFile, Task, TaskList, TaskStep};
use crate::plan::model::Mark;
use crate::plan::text::one_line;
use crate::shell::quote;

/// The longest description that is written behind its step, in bytes.
const NOTE: usize = 200;

/// The reader of `plan import planner`.
pub const READER: Reader =
    Reader { name: "planner", tool: "planner", wants: |path| path.ends_with(".json"), beside: &[], read: tasks_of };

fn tasks_of(files: &[SourceFile], options: &ReadOptions) -> Result<TaskList> {
    let [file] = files else {
        let message = format!("expected one file with a planner's JSON, found {}", files.len());
        return Err(Error::input(message).harmless().hint("name one of them"));
    };
    let none = |what: &str, hint: String| {
        Err(Error::input(format!("`{}` is {what}, and no plan", file.path)).harmless().hint(hint))
    };
    match read(file.text.as_bytes()) {
        Ok(Reply::Plan(plan)) => Ok(tasks(&plan, &options.date)),
        Ok(Reply::Command(command)) => {
            let option = format!("--run {}", quote(&command));
            none("one command", format!("give it to a step: `plan step add` takes a goal, a text and `{option}`"))
        }
        Ok(Reply::Chat(_)) => none("a message", "ask the planner for a plan".to_owned()),
        Err(_) if file.is_other_than(READER.name) => Err(file.wrong_format_error("a planner's JSON")),
        Err(violations) => {
            let lines: String = violations.iter().map(|violation| format!("\n  {violation}")).collect();
            Err(Error::input(format!("`{}` is not the JSON of a planner:{lines}", file.path)))
        }
    }
}

/// Returns one task with the steps of a plan. A short description of one line goes behind its step. A longer description, and an id that is
/// not the position, go into the quote. `date` names a plan without a summary.
pub fn tasks(plan: &PlannedSteps, date: &str) -> TaskList {
    let mut list = TaskList { tool: READER.tool.to_owned(), ..TaskList::default() };
    let summary = plan.summary.clone().unwrap_or_else(|| format!("Plan of {date}"));
    let mut task = Task { id: one_line(&summary), subject: summary, ..Task::default() };
    for (at, step) in plan.steps.iter().enumerate() {
        let position = (at + 1).to_string();
        if step.id != position {
            task.prose.push(Passage::new(&format!("Step {position} there"), step.id.clone()));
        }
        let note = step.description.clone().filter(|text| text.len() <= NOTE && one_line(text) == *text);
        if let Some(description) = step.description.as_ref().filter(|_| note.is_none()) {
            task.prose.push(Passage::new(&format!("Step {position}"), description.clone()));
        }
        count(&mut list, step, note.is_some());
        task.steps.push(TaskStep {
            id: step.id.clone(),
            text: step.label().to_owned(),
            mark: mark(step.status),
            after: Vec::new(),
            run: step.command.clone(),
            note,
        });
    }
    let commands = plan.steps.iter().filter(|step| step.command.is_some()).count();
    if commands > 0 {
        let note = format!(
            "{commands} of the steps have a command: `plan step run N` shows it, asks, and runs it without a shell"
        );
        list.notes.push(note);
    }
    list.tasks.push(task);
    list
}

fn count(list: &mut TaskList, step: &PlannedStep, has_note: bool) {
    for key in ["title", "command", "status"] {
        list.fields.count(Fate::Mapped, key);
    }
    if step.description.is_some() {
        list.fields.count(if has_note { Fate::Mapped } else { Fate::Prose }, "description");
    }
    if !step.history.is_empty() {
        list.fields.count(Fate::Dropped, "history");
    }
}

fn mark(status: StepStatus) -> Mark {
    match status {
        StepStatus::Pending => Mark::Pending,
        StepStatus::InProgress => Mark::Active,
        StepStatus::Completed => Mark::Complete,
        StepStatus::Failed => Mark::Failed,
    }
}
