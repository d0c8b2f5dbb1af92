//! Task Master: `tasks.json`, with tags or in the older form without tags, and `state.json` for the current tag.

use serde_json::Value;

use super::Reader;
use super::commands::command_in;
use super::files::{ReadOptions, SourceFile};
use super::json_value::{Object, lenient, priority, value};
use super::record::{Fate, Fields, Passage, Task, TaskList, TaskState, TaskStep};
use crate::error::{Error, Result};
use crate::plan::model::Mark;

pub(super) const READER: Reader = Reader {
    name: "taskmaster",
    tool: "Task Master",
    wants: |path| path.ends_with("tasks.json") && !path.ends_with("-tasks.json") || path.ends_with("state.json"),
    beside: &["state.json", "../state.json"],
    read,
};

const EXPECTED: &str = "the tasks.json of Task Master";

const FATES: [(&str, Fate); 9] = [
    ("id", Fate::Mapped),
    ("title", Fate::Mapped),
    ("priority", Fate::Mapped),
    ("status", Fate::Mapped),
    ("dependencies", Fate::Mapped),
    ("subtasks", Fate::Mapped),
    ("description", Fate::Prose),
    ("details", Fate::Prose),
    ("testStrategy", Fate::Prose),
];

fn read(files: &[SourceFile], options: &ReadOptions) -> Result<TaskList> {
    let file = files.iter().find(|file| file.name() != "state.json").ok_or_else(|| {
        Error::input("expected a tasks.json, found none")
            .harmless()
            .hint("name it, by default `.taskmaster/tasks/tasks.json`")
    })?;
    let root = value(file, EXPECTED)?;
    let Value::Object(tags) = &root else { return Err(file.wrong_format_error(EXPECTED)) };
    let state = files.iter().find(|file| file.name() == "state.json");
    let state = state.and_then(|state| serde_json::from_str::<Value>(&state.text).ok());
    let current = state.as_ref().and_then(|state| state.get("currentTag")?.as_str());
    let mut list = TaskList { tool: READER.tool.to_owned(), ..TaskList::default() };
    let (tag, body) = match tags.get("tasks") {
        Some(Value::Array(_)) => ("", &root),
        _ => {
            let has_tasks = |body: &Value| body.get("tasks").is_some_and(Value::is_array);
            let tag = options.tag.as_deref().or(current.filter(|tag| tags.contains_key(*tag))).unwrap_or("master");
            let found = tags
                .get_key_value(tag)
                .or_else(|| tags.iter().next().filter(|_| tags.len() == 1 && options.tag.is_none()));
            match found.filter(|(_, body)| has_tasks(body)) {
                Some((tag, body)) => (tag.as_str(), body),
                None if tags.values().any(has_tasks) => {
                    let names: Vec<&str> = tags.keys().map(String::as_str).collect();
                    let what = format!("expected the tag `{tag}`, found {}", names.join(", "));
                    return Err(file.error(format_args!("/{tag}"), what).hint("name one: `--tag TAG`"));
                }
                None => return Err(file.wrong_format_error(EXPECTED)),
            }
        }
    };
    for (other, body) in tags.iter().filter(|(other, _)| !tag.is_empty() && *other != tag) {
        let count = body.get("tasks").and_then(Value::as_array).map_or(0, Vec::len);
        list.notes.push(format!("tag `{other}` is not read ({count} tasks): `--tag {other}` imports it"));
    }
    let pointer = if tag.is_empty() {
        "/tasks".to_owned()
    } else {
        format!("/{}/tasks", tag.replace('~', "~0").replace('/', "~1"))
    };
    let tasks = body.get("tasks").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    for (index, object) in Object::list(file, tasks, &pointer)?.into_iter().enumerate() {
        let subtasks = format!("{pointer}/{index}/subtasks");
        list.tasks.push(task(file, object, tag, &subtasks, &mut list.fields)?);
    }
    Ok(list)
}

fn task(file: &SourceFile, object: Object<'_>, tag: &str, pointer: &str, fields: &mut Fields) -> Result<Task> {
    object.count(fields, "", &FATES);
    let named = |id: &str| if tag.is_empty() { id.to_owned() } else { format!("{tag} {id}") };
    let number = object.needed("id")?;
    let status = object.text("status");
    let state = match status.as_str() {
        "in-progress" => TaskState::Active,
        "done" | "completed" | "cancelled" => TaskState::Finished(status.clone()),
        _ => TaskState::Open,
    };
    let mut task = Task {
        id: named(&number),
        subject: object.needed("title")?,
        priority: priority(&object.text("priority")),
        needs: object.texts("dependencies")?.iter().map(|id| named(id)).collect(),
        ..Task::default()
    };
    if state == TaskState::Open && !matches!(status.as_str(), "pending" | "") {
        task.prose.push(Passage::new("Status", status));
    }
    task.state = state;
    passages(&mut task, "", object);
    for sub in Object::list(file, object.items("subtasks")?, pointer)? {
        sub.count(fields, "subtasks.", &FATES);
        let id = sub.needed("id")?;
        let mark = match sub.text("status").as_str() {
            "done" | "completed" => Mark::Complete,
            "in-progress" => Mark::Active,
            "cancelled" => Mark::Skipped,
            _ => Mark::Pending,
        };
        passages(&mut task, &format!("{number}.{id} "), sub);
        let own = |after: &Value| {
            let after = lenient(after);
            after.strip_prefix(&format!("{number}.")).map(str::to_owned).unwrap_or(after)
        };
        let after = sub.items("dependencies")?.iter().map(own).collect();
        task.steps.push(TaskStep { id, text: sub.needed("title")?, mark, after, run: None, note: None });
    }
    Ok(task)
}

/// Adds the prose of a task or subtask, and a test strategy that is a command.
fn passages(task: &mut Task, prefix: &str, object: Object<'_>) {
    for (key, name) in [("description", "Description"), ("details", "Details"), ("testStrategy", "Test strategy")] {
        let text = object.text(key);
        if key == "testStrategy" {
            task.commands.extend(command_in(&text));
        }
        task.prose.push(Passage::new(&format!("{prefix}{name}"), text));
    }
}
