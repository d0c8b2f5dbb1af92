//! beads: the `issues.jsonl` that `bd`, `br` and `bd export` write.

use std::collections::HashMap;

use serde_json::Value;

use super::Reader;
use super::files::{ReadOptions, SourceFile};
use super::json_value::{Object, ValuePlace, lenient, syntax};
use super::markdown_lines::list_items;
use super::record::{Fate, LeftOut, Passage, Task, TaskList, TaskState};
use crate::error::Result;
use crate::plan::model::GoalKind;

pub(super) const READER: Reader =
    Reader { name: "beads", tool: "beads", wants: |path| path.ends_with("issues.jsonl"), beside: &[], read };

const EXPECTED: &str = "the issues.jsonl of beads, one object per line";

const FATES: [(&str, Fate); 17] = [
    ("id", Fate::Mapped),
    ("title", Fate::Mapped),
    ("status", Fate::Mapped),
    ("priority", Fate::Mapped),
    ("issue_type", Fate::Mapped),
    ("dependencies", Fate::Mapped),
    ("parent", Fate::Mapped),
    ("acceptance_criteria", Fate::Mapped),
    ("description", Fate::Prose),
    ("design", Fate::Prose),
    ("notes", Fate::Prose),
    ("comments", Fate::Prose),
    ("labels", Fate::Prose),
    ("external_ref", Fate::Prose),
    ("due_at", Fate::Prose),
    ("close_reason", Fate::Prose),
    ("defer_until", Fate::Prose),
];

fn read(files: &[SourceFile], _: &ReadOptions) -> Result<TaskList> {
    let mut list = TaskList { tool: READER.tool.to_owned(), ..TaskList::default() };
    let mut children: HashMap<String, Vec<String>> = HashMap::new();
    for file in files {
        let text = file.text.trim_start_matches('\u{feff}');
        if !text.trim_start().starts_with('{') && !text.trim().is_empty() {
            return Err(file.wrong_format_error(EXPECTED));
        }
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        for (at, line) in lines {
            let value: Value = match serde_json::from_str(line) {
                Ok(value) => value,
                // A JSON document over several lines is of another format.
                Err(_) if at == 0 && line.trim() == "{" => return Err(file.wrong_format_error(EXPECTED)),
                Err(error) => return Err(syntax(file, at + 1, &error)),
            };
            let object = Object::of(file, &value, ValuePlace::Line(at + 1))?;
            issue(object, at + 1, &mut list, &mut children)?;
        }
    }
    for task in &mut list.tasks {
        task.needs.extend(children.remove(&task.id).unwrap_or_default());
    }
    Ok(list)
}

fn issue(
    object: Object<'_>,
    line: usize,
    list: &mut TaskList,
    children: &mut HashMap<String, Vec<String>>,
) -> Result<()> {
    if let Some(kind) = object.get("_type").map(lenient).filter(|kind| kind != "issue") {
        list.left_out.push(LeftOut::task(format!("line {line}"), format!("a {kind}, no issue")));
        return Ok(());
    }
    object.count(&mut list.fields, "", &FATES);
    let (id, subject) = (object.needed("id")?, object.needed("title")?);
    let status = object.text("status");
    let is_ephemeral = object.get("ephemeral").and_then(Value::as_bool) == Some(true);
    if status == "tombstone" || is_ephemeral {
        let why = if is_ephemeral { "ephemeral there" } else { "deleted there (tombstone)" };
        list.left_out.push(LeftOut::task(format!("{id} {subject}"), why));
        return Ok(());
    }
    let mut task = Task { subject, done_when: list_items(&object.text("acceptance_criteria")), ..Task::default() };
    task.priority = match object.text("priority").as_str() {
        "0" | "1" => Some(1),
        "2" => Some(2),
        "3" => Some(3),
        "4" => Some(4),
        _ => None,
    };
    task.kind = (object.text("issue_type") == "bug").then_some(GoalKind::Bugfix);
    task.state = match status.as_str() {
        "in_progress" | "hooked" => TaskState::Active,
        "closed" => TaskState::Finished(status.clone()),
        _ => TaskState::Open,
    };
    if task.state == TaskState::Open && !matches!(status.as_str(), "open" | "") {
        task.prose.push(Passage::new("Status", status));
    }
    let parent = object.text("parent");
    if !parent.is_empty() {
        children.entry(parent).or_default().push(id.clone());
    }
    for (key, name) in [("description", "Description"), ("design", "Design"), ("notes", "Notes")] {
        task.prose.push(Passage::new(name, object.text(key)));
    }
    links(object, &id, &mut task, children)?;
    for comment in object.items("comments")? {
        let author = comment.get("author").map(lenient).filter(|author| !author.is_empty());
        let text = comment.get("text").map_or_else(|| lenient(comment), lenient);
        let name = author.map_or("Comment".to_owned(), |author| format!("Comment of {}", author.replace('\n', " ")));
        task.prose.push(Passage::new(&name, text));
    }
    task.prose.push(Passage::new("Labels", object.texts("labels")?.join(", ")));
    for (key, name) in [
        ("external_ref", "External reference"),
        ("due_at", "Due"),
        ("defer_until", "Deferred until"),
        ("close_reason", "Closed because"),
    ] {
        task.prose.push(Passage::new(name, object.text(key)));
    }
    task.id = id;
    list.tasks.push(task);
    Ok(())
}

/// Reads the links of an issue: objects with a kind, or a flat list of ids. A kind that implies no order becomes a line of prose.
fn links(object: Object<'_>, id: &str, task: &mut Task, children: &mut HashMap<String, Vec<String>>) -> Result<()> {
    for link in object.items("dependencies")? {
        let Value::Object(map) = link else {
            task.needs.push(lenient(link));
            continue;
        };
        let text = |key: &str| map.get(key).map(lenient).unwrap_or_default();
        let on = text("depends_on_id");
        if on.is_empty() {
            return Err(object.error("dependencies", "expected `depends_on_id` in each, found none"));
        }
        match text("type").as_str() {
            "blocks" | "" => task.needs.push(on),
            "parent-child" => children.entry(on).or_default().push(id.to_owned()),
            kind => task.prose.push(Passage::new("Link", format!("{kind} {on}"))),
        }
    }
    Ok(())
}
