//! `plan import json`: a small schema of our own, for any program that can be made to print it.
//!
//! ```json
//! { "tool": "Jira", "objective": "Faster search", "tasks": [
//!   { "id": "KIOSK-12", "subject": "Implement cache layer", "status": "open", "done_when": ["p95 < 50ms"],
//!     "needs": ["KIOSK-9"], "priority": 1, "kind": "feature", "text": "Markdown, kept as a quote",
//!     "steps": [{ "id": "a", "text": "wire the client", "done": true, "after": [] }] } ] }
//! ```
//!
//! `id` and `subject` are required. A step may be a bare text. The list may be the whole file, and each line may hold one object (JSONL).

use serde_json::Value;

use super::Reader;
use super::files::{ReadOptions, SourceFile};
use super::json_value::{Object, ValuePlace, lenient, priority, syntax, value, word};
use super::record::{Fate, Fields, Passage, Task, TaskList, TaskState, TaskStep};
use crate::error::Result;
use crate::plan::model::{GoalKind, Mark};

pub(super) const READER: Reader = Reader {
    name: "json",
    tool: "JSON",
    wants: |path| path.ends_with(".json") || path.ends_with(".jsonl"),
    beside: &[],
    read,
};

const EXPECTED: &str = "`{ \"tasks\": [{ \"id\", \"subject\" }] }`";

const FATES: [(&str, Fate); 9] = [
    ("id", Fate::Mapped),
    ("subject", Fate::Mapped),
    ("status", Fate::Mapped),
    ("done_when", Fate::Mapped),
    ("needs", Fate::Mapped),
    ("priority", Fate::Mapped),
    ("kind", Fate::Mapped),
    ("steps", Fate::Mapped),
    ("text", Fate::Prose),
];

fn read(files: &[SourceFile], _: &ReadOptions) -> Result<TaskList> {
    let mut list = TaskList { tool: READER.tool.to_owned(), ..TaskList::default() };
    for file in files {
        let lines = lines(file);
        if lines.len() > 1 {
            for (number, line) in lines {
                let value: Value = serde_json::from_str(line).map_err(|error| syntax(file, number, &error))?;
                let object = Object::of(file, &value, ValuePlace::Line(number))?;
                list.tasks.push(task(object, &mut list.fields)?);
            }
            continue;
        }
        let root = value(file, EXPECTED)?;
        let tasks = match &root {
            Value::Array(tasks) => tasks,
            root => {
                let object = Object::of(file, root, ValuePlace::Root)?;
                if let Some(tool) = object.get("tool").map(lenient).filter(|tool| !tool.trim().is_empty()) {
                    list.tool = tool;
                }
                list.objective = list.objective.or(object.get("objective").map(lenient));
                match object.get("tasks") {
                    Some(Value::Array(tasks)) => tasks,
                    Some(other) => return Err(object.error("tasks", format!("expected a list, found {}", word(other)))),
                    None => return Err(file.wrong_format_error(EXPECTED)),
                }
            }
        };
        let pointer = if root.is_array() { "" } else { "/tasks" };
        for object in Object::list(file, tasks, pointer)? {
            list.tasks.push(task(object, &mut list.fields)?);
        }
    }
    Ok(list)
}

/// The objects of a JSONL file, one per line, with their line numbers; empty for any other JSON.
fn lines(file: &SourceFile) -> Vec<(usize, &str)> {
    let lines = file.text.lines().enumerate().map(|(at, line)| (at + 1, line.trim()));
    let lines: Vec<(usize, &str)> = lines.filter(|(_, line)| !line.is_empty()).collect();
    let is_jsonl =
        lines.first().is_some_and(|(_, line)| line.starts_with('{') && line.ends_with('}') && line.len() > 2);
    if is_jsonl && lines.len() > 1 { lines } else { Vec::new() }
}

fn task(object: Object<'_>, fields: &mut Fields) -> Result<Task> {
    object.count(fields, "", &FATES);
    let status = object.text("status");
    let mut task = Task {
        id: object.needed("id")?,
        subject: object.needed("subject")?,
        needs: object.texts("needs")?,
        priority: priority(&object.text("priority")),
        kind: GoalKind::from_word(&object.text("kind")),
        ..Task::default()
    };
    if task.kind.is_none() {
        task.prose.push(Passage::new("Kind", object.text("kind")));
    }
    task.done_when = match object.get("done_when") {
        Some(Value::String(text)) => vec![text.clone()],
        _ => object.texts("done_when")?,
    };
    task.state = match status.to_lowercase().as_str() {
        "" | "open" => TaskState::Open,
        "active" | "in_progress" | "in-progress" | "in progress" => TaskState::Active,
        "done" | "finished" | "completed" | "closed" | "cancelled" => TaskState::Finished(status),
        _ => {
            task.prose.push(Passage::new("Status", status));
            TaskState::Open
        }
    };
    for (index, step) in object.items("steps")?.iter().enumerate() {
        task.steps.push(match step {
            Value::String(text) => TaskStep { text: text.clone(), ..TaskStep::default() },
            Value::Object(map) => {
                let text = |key: &str| map.get(key).map(lenient).unwrap_or_default();
                let is_done = map.get("done").and_then(Value::as_bool).unwrap_or(false);
                let after = map.get("after").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
                TaskStep {
                    id: text("id"),
                    text: text("text"),
                    mark: if is_done { Mark::Complete } else { Mark::Pending },
                    after: after.iter().map(lenient).collect(),
                    run: None,
                    note: None,
                }
            }
            other => {
                let what = format!("expected text or an object, found {}", word(other));
                return Err(object.error(&format!("steps/{index}"), what));
            }
        });
    }
    task.prose.push(Passage::new("", object.text("text")));
    Ok(task)
}
