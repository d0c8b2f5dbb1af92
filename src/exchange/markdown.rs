//! Plain checklists: a heading with boxes below it becomes a task, and its boxes become the steps.

use std::collections::HashMap;

use super::Reader;
use super::files::{ReadOptions, SourceFile};
use super::markdown_lines::{Boxes, MarkdownLineKind, lines};
use super::record::{LeftOut, Passage, Task, TaskList, TaskState};
use crate::error::Result;

pub(super) const READER: Reader =
    Reader { name: "markdown", tool: "Markdown", wants: |path| path.ends_with(".md"), beside: &[], read };

const EXPECTED: &str = "a checklist with boxes (`- [ ] text`)";

fn read(files: &[SourceFile], _: &ReadOptions) -> Result<TaskList> {
    let mut list = TaskList { tool: READER.tool.to_owned(), ..TaskList::default() };
    for file in files {
        let before = list.tasks.len() + list.left_out.len();
        sections(file, &mut list);
        if files.len() == 1 && list.tasks.len() + list.left_out.len() == before {
            return Err(file.wrong_format_error(EXPECTED));
        }
    }
    if list.tasks.is_empty() && list.left_out.is_empty() {
        return Err(files.first().map_or_else(
            || crate::error::Error::input(format!("expected {EXPECTED}")),
            |file| file.wrong_format_error(EXPECTED),
        ));
    }
    Ok(list)
}

fn sections(file: &SourceFile, list: &mut TaskList) {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let text = file.text.trim_start_matches('\u{feff}');
    let stem = file.name().rsplit_once('.').map_or(file.name(), |(stem, _)| stem);
    let mut title = stem.to_owned();
    let mut boxes = Boxes::default();
    let mut end = |title: &str, boxes: Boxes| {
        if boxes.steps.is_empty() {
            list.left_out.extend(boxes.in_code.into_iter().map(|left| LeftOut { fate: super::Fate::Dropped, ..left }));
            return;
        }
        let count = seen.entry(title.to_owned()).or_default();
        *count += 1;
        let again = if *count > 1 { format!(" ({count})") } else { String::new() };
        let is_over = boxes.is_all_ticked();
        let mut task = Task {
            id: format!("{} {title}{again}", file.name()),
            subject: title.to_owned(),
            prose: vec![Passage::new("", boxes.prose())],
            ..Task::default()
        };
        if is_over {
            task.state = TaskState::Finished("every box is ticked".to_owned());
        }
        if !boxes.odd.is_empty() {
            task.prose.push(Passage::new("Boxes with another mark", boxes.odd.join("\n")));
        }
        task.steps = boxes.steps;
        list.left_out.extend(boxes.in_code);
        list.tasks.push(task);
    };
    for line in lines(text) {
        match line.is {
            MarkdownLineKind::Heading(_, heading) => {
                end(&title, std::mem::take(&mut boxes));
                title = if heading.is_empty() { stem.to_owned() } else { heading.to_owned() };
            }
            _ => boxes.take(&line, file.name()),
        }
    }
    end(&title, boxes);
}
