//! GitHub issues, as `gh issue list --json …` prints them.

use serde_json::Value;

use super::Reader;
use super::files::{ReadOptions, SourceFile};
use super::json_value::{Object, items_with, lenient};
use super::markdown_lines::{Boxes, lines};
use super::record::{Fate, Passage, Task, TaskList, TaskState};
use crate::error::Result;
use crate::plan::model::GoalKind;

pub(super) const READER: Reader =
    Reader { name: "github", tool: "GitHub", wants: |path| path.ends_with(".json"), beside: &[], read };

const EXPECTED: &str = "the array of `gh issue list --state all --json number,title,body,state,labels,url`";

const FATES: [(&str, Fate); 12] = [
    ("number", Fate::Mapped),
    ("title", Fate::Mapped),
    ("state", Fate::Mapped),
    ("blockedBy", Fate::Mapped),
    ("subIssues", Fate::Mapped),
    ("issueType", Fate::Mapped),
    ("labels", Fate::Prose),
    ("body", Fate::Prose),
    ("milestone", Fate::Prose),
    ("url", Fate::Prose),
    ("stateReason", Fate::Prose),
    ("parent", Fate::Prose),
];

fn read(files: &[SourceFile], _: &ReadOptions) -> Result<TaskList> {
    let mut list = TaskList { tool: READER.tool.to_owned(), ..TaskList::default() };
    for file in files {
        let issues = items_with(file, EXPECTED, "number")?;
        for object in Object::list(file, &issues, "")? {
            object.count(&mut list.fields, "", &FATES);
            issue(object, &mut list)?;
        }
    }
    Ok(list)
}

fn issue(object: Object<'_>, list: &mut TaskList) -> Result<()> {
    let labels = names(object.get("labels"), "name");
    let reason = object.text("stateReason");
    let repository = repository(&object.text("url"));
    let id = key(repository.as_deref(), &object.needed("number")?);
    let mut task = Task { id, subject: object.needed("title")?, ..Task::default() };
    if object.text("state").eq_ignore_ascii_case("closed") {
        let word = if reason.is_empty() { "closed".to_owned() } else { format!("closed, {}", reason.to_lowercase()) };
        task.state = TaskState::Finished(word);
    }
    let kind = object.get("issueType").and_then(|kind| kind.get("name").map(lenient)).unwrap_or_default();
    let is_bug = labels.iter().chain([&kind]).any(|word| word.eq_ignore_ascii_case("bug"));
    task.kind = is_bug.then_some(GoalKind::Bugfix);
    task.needs = keys(object.get("blockedBy"), repository.as_deref());
    task.needs.extend(keys(object.get("subIssues"), repository.as_deref()));
    let body = object.text("body");
    let mut boxes = Boxes::default();
    lines(&body).iter().for_each(|line| boxes.take(line, &task.id));
    task.steps = boxes.steps;
    list.left_out.extend(boxes.in_code);
    task.prose.push(Passage::new("", body));
    task.prose.push(Passage::new("Labels", labels.join(", ")));
    task.prose.push(Passage::new("Milestone", names(object.get("milestone"), "title").join(", ")));
    task.prose.push(Passage::new("Part of", names(object.get("parent"), "number").join(", ")));
    task.prose.push(Passage::new("Address", object.text("url")));
    list.tasks.push(task);
    Ok(())
}

/// The id of an issue: `owner/name#12`, which tells two repositories apart, or `12` if the export has no address.
fn key(repository: Option<&str>, number: &str) -> String {
    repository.map_or_else(|| number.to_owned(), |repository| format!("{repository}#{number}"))
}

/// The repository of an issue's address: `owner/name`, with the host in front if it is not github.com.
fn repository(url: &str) -> Option<String> {
    let mut parts = url.split_once("://")?.1.split('/');
    let (host, owner, name) = (parts.next()?, parts.next()?, parts.next()?);
    let host = if host.eq_ignore_ascii_case("github.com") { String::new() } else { format!("{host}/") };
    matches!(parts.next(), Some("issues" | "pull")).then(|| format!("{host}{owner}/{name}"))
}

/// The ids of linked issues. Each is in the repository of its own address, or without an address in that of the issue.
fn keys(value: Option<&Value>, own: Option<&str>) -> Vec<String> {
    let key_of = |item: &Value| {
        let other = item.get("url").map(lenient).and_then(|url| repository(&url));
        let number = name(item, "number").filter(|number| !number.is_empty())?;
        Some(key(other.as_deref().or(own), &number))
    };
    items(value).into_iter().filter_map(key_of).collect()
}

/// One field of each object of a list, of the `nodes` of an object, or of a single object.
fn names(value: Option<&Value>, key: &str) -> Vec<String> {
    let names = items(value).into_iter().filter_map(|item| name(item, key));
    names.filter(|name| !name.is_empty()).collect()
}

/// One field of an object, or the value itself if it is not an object.
fn name(item: &Value, key: &str) -> Option<String> {
    item.get(key).or(Some(item).filter(|item| !item.is_object())).map(lenient)
}

fn items(value: Option<&Value>) -> Vec<&Value> {
    match value {
        Some(Value::Array(items)) => items.iter().collect(),
        Some(Value::Object(map)) => match map.get("nodes") {
            Some(Value::Array(items)) => items.iter().collect(),
            _ => value.into_iter().collect(),
        },
        _ => value.into_iter().collect(),
    }
}
