//! planning-with-files: `task_plan.md`. Each phase becomes a task.

use super::Reader;
use super::files::{ReadOptions, SourceFile};
use super::markdown_lines::{Boxes, MarkdownLineKind, lines, trimmed};
use super::record::{Passage, Task, TaskList, TaskState};
use crate::error::{Error, Result};
use crate::plan::model::Mark;

pub(super) const READER: Reader = Reader {
    name: "planning-with-files",
    tool: "planning-with-files",
    wants: |path| {
        matches!(path.rsplit('/').next(), Some("task_plan.md" | ".active_plan" | "findings.md" | "progress.md"))
    },
    beside: &["findings.md", "progress.md"],
    read,
};

const EXPECTED: &str = "the task_plan.md of planning-with-files, with `### Phase N: …` headings";

fn read(files: &[SourceFile], _: &ReadOptions) -> Result<TaskList> {
    let others = ["findings.md", "progress.md", ".active_plan"];
    let plans: Vec<&SourceFile> = files.iter().filter(|file| !others.contains(&file.name())).collect();
    let active = files.iter().find(|file| file.name() == ".active_plan").map(|file| file.text.trim());
    let is_active = |file: &&&SourceFile| active.is_some_and(|name| file.folder().ends_with(name) && !name.is_empty());
    let missing = || {
        Error::input("expected a task_plan.md, found none")
            .harmless()
            .hint("name the folder that contains it, such as `.planning`")
    };
    let file = plans.iter().find(is_active).or_else(|| plans.last()).ok_or_else(missing)?;
    let mut list = TaskList { tool: READER.tool.to_owned(), ..TaskList::default() };
    for other in plans.iter().filter(|other| other.path != file.path) {
        list.notes.push(format!("{} is not read: the plan in use is {}", other.path, file.path));
    }
    for other in files.iter().filter(|other| others[..2].contains(&other.name()) && other.folder() == file.folder()) {
        list.notes.push(format!("{} is not copied", other.path));
    }
    phases(file, &mut list)?;
    Ok(list)
}

fn phases(file: &SourceFile, list: &mut TaskList) -> Result<()> {
    let mut title = String::new();
    let mut about = String::new();
    let mut found: Vec<(Task, Boxes)> = Vec::new();
    let mut is_in = false;
    for line in lines(file.text.trim_start_matches('\u{feff}')) {
        if let MarkdownLineKind::Heading(level, text) = line.is {
            let phase = text.strip_prefix("Phase ").and_then(|rest| rest.split_once(':')).filter(|_| level == 3);
            is_in = phase.is_some() || is_in && level > 3;
            if let Some((number, subject)) = phase {
                let mut task = Task { id: format!("{title} Phase {}", number.trim()), ..Task::default() };
                task.subject = subject.trim().to_owned();
                task.needs = found.last().map(|(before, _)| before.id.clone()).into_iter().collect();
                found.push((task, Boxes::default()));
                continue;
            }
            if let Some(name) = text.strip_prefix("Task Plan:").filter(|_| level == 1 && title.is_empty()) {
                name.trim().clone_into(&mut title);
                continue;
            }
        }
        match found.last_mut().filter(|_| is_in) {
            Some((task, boxes)) => match status(line.raw) {
                Some(word) => set(task, word),
                None => boxes.take(&line, &task.id),
            },
            None => about.push_str(line.raw),
        }
    }
    if found.is_empty() {
        return Err(file.wrong_format_error(EXPECTED));
    }
    if title.starts_with('[') {
        return Err(file.error(1, "the template was never filled in: there is nothing to import"));
    }
    let mut about = Some(trimmed(&about));
    for (mut task, boxes) in found {
        let is_over = matches!(task.state, TaskState::Finished(_));
        let open = boxes.steps.iter().filter(|step| step.mark != Mark::Complete).count();
        if is_over && open > 0 {
            list.notes.push(format!("{} is complete there, and {open} of its boxes not ticked", task.id));
        }
        task.prose.push(Passage::new("", boxes.prose()));
        if !is_over {
            task.prose.push(Passage::new("The rest of the plan", about.take().unwrap_or_default()));
        }
        list.left_out.extend(boxes.in_code);
        task.steps = boxes.steps;
        list.tasks.push(task);
    }
    list.objective = Some(title).filter(|title| !title.is_empty());
    Ok(())
}

/// Returns the word of a line such as `- **Status:** in_progress`.
fn status(line: &str) -> Option<&str> {
    line.trim().trim_start_matches(['-', '*', ' ']).strip_prefix("Status:**").map(str::trim)
}

fn set(task: &mut Task, word: &str) {
    match word {
        "complete" => task.state = TaskState::Finished(word.to_owned()),
        "in_progress" => task.state = TaskState::Active,
        "pending" | "" => {}
        other => task.prose.push(Passage::new("Status", other)),
    }
}
