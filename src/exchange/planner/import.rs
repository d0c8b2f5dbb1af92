//! A planner's plan to one goal with its steps.

use super::{PlannedStep, PlannedSteps, Reply, StepStatus, read};
use crate::error::{Error, Result};
use crate::exchange::{Fate, Passage, ReadOptions, Reader, SourceFile, Task, TaskList, TaskStep};
use crate::plan::model::Mark;
use crate::plan::text::one_line;

/// `plan import planner`
pub const READER: Reader =
    Reader { name: "planner", tool: "planner", wants: |path| path.ends_with(".json"), beside: &[], read: tasks_of };

fn tasks_of(files: &[SourceFile], _: &ReadOptions) -> Result<TaskList> {
    let [file] = files else {
        let message = format!("expected one file with a planner's JSON, found {}", files.len());
        return Err(Error::input(message).harmless().hint("name one of them"));
    };
    let none = |what: &str, hint: String| {
        Err(Error::input(format!("`{}` is {what}, and no plan", file.path)).harmless().hint(hint))
    };
    match read(file.text.as_bytes()) {
        Ok(Reply::Plan(plan)) => Ok(tasks(&plan)),
        Ok(Reply::Command(_)) => none("one command", "plan step add GOAL \"text\" --run COMMAND".to_owned()),
        Ok(Reply::Chat(_)) => none("a message", "ask the planner for a plan".to_owned()),
        Err(violations) => {
            let lines: String = violations.iter().map(|violation| format!("\n  {violation}")).collect();
            Err(Error::input(format!("`{}` is no planner's JSON:{lines}", file.path)))
        }
    }
}

fn tasks(plan: &PlannedSteps) -> TaskList {
    let mut list = TaskList { tool: READER.tool.to_owned(), ..TaskList::default() };
    let summary = plan.summary.clone().unwrap_or_else(|| "A planner's plan".to_owned());
    let mut task = Task { id: one_line(&summary), subject: summary, ..Task::default() };
    for (at, step) in plan.steps.iter().enumerate() {
        let position = (at + 1).to_string();
        if step.id != position {
            task.prose.push(Passage::new(&format!("Step {position} there"), step.id.clone()));
        }
        if let Some(description) = &step.description {
            task.prose.push(Passage::new(&format!("Step {position}"), description.clone()));
        }
        count(&mut list, step);
        task.steps.push(TaskStep {
            id: step.id.clone(),
            text: step.label().to_owned(),
            mark: mark(step.status),
            after: Vec::new(),
            run: step.command.clone(),
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

fn count(list: &mut TaskList, step: &PlannedStep) {
    for key in ["title", "command", "status"] {
        list.fields.count(Fate::Mapped, key);
    }
    if step.description.is_some() {
        list.fields.count(Fate::Prose, "description");
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
