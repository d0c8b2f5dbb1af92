//! Taskwarrior: the output of `task export`.

use serde_json::Value;

use super::Reader;
use super::files::{ReadOptions, SourceFile};
use super::json_value::{Object, items_with, lenient, priority};
use super::record::{Fate, LeftOut, Passage, Task, TaskList, TaskState};
use crate::error::Result;

pub(super) const READER: Reader =
    Reader { name: "taskwarrior", tool: "Taskwarrior", wants: |path| path.ends_with(".json"), beside: &[], read };

const EXPECTED: &str = "the array of `task export`";

const FATES: [(&str, Fate); 14] = [
    ("uuid", Fate::Mapped),
    ("description", Fate::Mapped),
    ("status", Fate::Mapped),
    ("priority", Fate::Mapped),
    ("depends", Fate::Mapped),
    ("start", Fate::Mapped),
    ("annotations", Fate::Prose),
    ("project", Fate::Prose),
    ("tags", Fate::Prose),
    ("due", Fate::Prose),
    ("scheduled", Fate::Prose),
    ("until", Fate::Prose),
    ("wait", Fate::Prose),
    ("recur", Fate::Prose),
];

fn read(files: &[SourceFile], _: &ReadOptions) -> Result<TaskList> {
    let mut list = TaskList { tool: READER.tool.to_owned(), ..TaskList::default() };
    for file in files {
        let tasks = items_with(file, EXPECTED, "uuid")?;
        for object in Object::list(file, &tasks, "")? {
            object.count(&mut list.fields, "", &FATES);
            let (id, subject) = (object.needed("uuid")?, object.needed("description")?);
            let status = object.text("status");
            let left = match status.as_str() {
                "deleted" => Some("deleted there"),
                "recurring" => Some("a template of a recurring task"),
                _ => None,
            };
            match left {
                Some(why) => list.left_out.push(LeftOut::task(format!("{id} {subject}"), why)),
                None => list.tasks.push(task(object, id, subject, &status)?),
            }
        }
    }
    Ok(list)
}

fn task(object: Object<'_>, id: String, subject: String, status: &str) -> Result<Task> {
    let mut task = Task { id, subject, priority: priority(&object.text("priority")), ..Task::default() };
    task.state = match status {
        "completed" => TaskState::Finished(status.to_owned()),
        _ if object.get("start").is_some() => TaskState::Active,
        _ => TaskState::Open,
    };
    if !matches!(status, "pending" | "completed" | "") {
        task.prose.push(Passage::new("Status", status));
    }
    // Older versions write one text with commas.
    task.needs = match object.get("depends") {
        Some(Value::String(text)) => {
            text.split(',').map(|id| id.trim().to_owned()).filter(|id| !id.is_empty()).collect()
        }
        _ => object.texts("depends")?,
    };
    for annotation in object.items("annotations")? {
        let text = annotation.get("description").map_or_else(|| lenient(annotation), lenient);
        task.prose.push(Passage::new("Annotation", text));
    }
    task.prose.push(Passage::new("Project", object.text("project")));
    task.prose.push(Passage::new("Tags", object.texts("tags")?.join(", ")));
    for (key, name) in
        [("due", "Due"), ("scheduled", "Scheduled"), ("until", "Until"), ("wait", "Waits until"), ("recur", "Recurs")]
    {
        task.prose.push(Passage::new(name, object.text(key)));
    }
    Ok(task)
}
