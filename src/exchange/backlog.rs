//! Backlog.md: a folder with one Markdown file (with front matter) per task, and the configuration that names the statuses.

use std::collections::{HashMap, HashSet};

use serde_yaml::Value;

use super::Reader;
use super::files::{ReadOptions, SourceFile};
use super::json_value;
use super::markdown_lines::{list_items, trimmed};
use super::record::{Fate, Fields, LeftOut, Passage, Task, TaskList, TaskState};
use crate::error::{Error, Result};
use crate::plan::model::GoalKind;

pub(super) const READER: Reader = Reader {
    name: "backlog",
    tool: "Backlog.md",
    wants: |path| {
        let is_in = |folder: &str| path.contains(&format!("{folder}/")) || path.starts_with(folder);
        let folders = ["tasks", "drafts", "completed", "milestones"];
        path.ends_with(".md") && folders.iter().any(|folder| is_in(folder)) || is_config(path)
    },
    beside: &["../config.yml", "../../backlog.config.yml"],
    read,
};

const FATES: [(&str, Fate); 11] = [
    ("id", Fate::Mapped),
    ("title", Fate::Mapped),
    ("status", Fate::Mapped),
    ("priority", Fate::Mapped),
    ("dependencies", Fate::Mapped),
    ("parent_task_id", Fate::Mapped),
    ("type", Fate::Mapped),
    ("labels", Fate::Prose),
    ("milestone", Fate::Prose),
    ("references", Fate::Prose),
    ("documentation", Fate::Prose),
];
const DUE: &str = "due_date";

fn is_config(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    matches!(name, "config.yml" | "config.yaml" | "backlog.config.yml" | "backlog.config.yaml")
}

/// The statuses, priorities and milestones of the configuration.
#[derive(Default)]
struct Config {
    statuses: Vec<String>,
    default_status: String,
    priorities: Vec<String>,
    milestones: HashMap<String, String>,
}

fn read(files: &[SourceFile], _: &ReadOptions) -> Result<TaskList> {
    let config = config(files)?;
    let mut list = TaskList { tool: READER.tool.to_owned(), ..TaskList::default() };
    let mut tasks: Vec<(f64, Task)> = Vec::new();
    let mut children: HashMap<String, Vec<String>> = HashMap::new();
    let mut ticks = 0;
    for file in files.iter().filter(|file| !is_config(&file.path) && !is_in(file, "milestones")) {
        let Front { front, body, .. } = front(file)?;
        let text = |key: &str| scalar(front.get(key));
        let (id, subject) = (text("id"), text("title"));
        if id.is_empty() {
            return Err(file.error(1, "expected `id: …` in the front matter, found none"));
        }
        count(&front, &mut list.fields);
        let left = [("archive", "archived there"), ("drafts", "a draft there")];
        if let Some((_, why)) = left.iter().find(|(folder, _)| is_in(file, folder)) {
            list.left_out.push(LeftOut::task(format!("{id} {subject}"), *why));
            continue;
        }
        let mut task = Task { id: id.clone(), subject, ..Task::default() };
        task.needs = items(front.get("dependencies"));
        task.priority = config.priority(&text("priority"));
        task.kind = match text("type").to_lowercase().as_str() {
            "bug" => Some(GoalKind::Bugfix),
            "docs" => Some(GoalKind::Docs),
            _ => None,
        };
        let status = text("status");
        let is_in_completed = is_in(file, "completed");
        task.state = config.state(&status, is_in_completed);
        if task.state == TaskState::Open && !config.is_plain(&status) {
            task.prose.push(Passage::new("Status", status));
        }
        ticks += sections(body, &mut task);
        prose(&front, &config, &mut task);
        let parent = text("parent_task_id");
        if !parent.is_empty() {
            children.entry(parent.to_uppercase()).or_default().push(id);
        }
        tasks.push((text("ordinal").parse().unwrap_or(f64::MAX), task));
    }
    if tasks.is_empty() && list.left_out.is_empty() {
        return Err(Error::input("expected the tasks of Backlog.md, found none")
            .harmless()
            .hint("name the folder of Backlog.md, by default `backlog`"));
    }
    tasks.sort_by(|one, other| one.0.total_cmp(&other.0).then_with(|| number(&one.1.id).cmp(&number(&other.1.id))));
    // The case of an id does not matter.
    let ids: HashMap<String, String> =
        tasks.iter().map(|(_, task)| (task.id.to_uppercase(), task.id.clone())).collect();
    for (_, mut task) in tasks {
        task.needs.extend(children.remove(&task.id.to_uppercase()).unwrap_or_default());
        for need in &mut task.needs {
            if let Some(id) = ids.get(&need.to_uppercase()) {
                need.clone_from(id);
            }
        }
        list.tasks.push(task);
    }
    if ticks > 0 {
        list.notes.push(format!(
            "{ticks} ticked criteria come in without their tick: a criterion is met when the goal is signed off"
        ));
    }
    Ok(list)
}

/// True if the file is in a folder of this name, at any depth.
fn is_in(file: &SourceFile, name: &str) -> bool {
    file.folder().split('/').any(|part| part == name)
}

/// The numbers in an id: 11 and 2 of `TASK-11.2`.
fn number(id: &str) -> Vec<u64> {
    id.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect()
}

impl Config {
    fn state(&self, status: &str, is_completed: bool) -> TaskState {
        let word = status.to_lowercase();
        let is = |other: &str| other.eq_ignore_ascii_case(status);
        let done = self.statuses.iter().find(|status| status.eq_ignore_ascii_case("done")).or(self.statuses.last());
        let is_given_up =
            ["won't do", "wont do", "cancelled", "canceled", "rejected", "abandoned"].contains(&word.as_str());
        if is_completed || is_given_up || done.map_or(word == "done", |done| is(done)) {
            return TaskState::Finished(if status.is_empty() { "completed".to_owned() } else { status.to_owned() });
        }
        let is_active = word.contains("progress") || word.contains("review");
        if is_active && !self.is_plain(status) { TaskState::Active } else { TaskState::Open }
    }

    /// True for the default status and all statuses before it: the task has not begun.
    fn is_plain(&self, status: &str) -> bool {
        let at = |word: &str| self.statuses.iter().position(|other| other.eq_ignore_ascii_case(word));
        let default = if self.default_status.is_empty() { "To Do" } else { &self.default_status };
        status.is_empty()
            || status.eq_ignore_ascii_case(default)
            || at(status).is_some_and(|status| at(default).is_some_and(|default| status < default))
    }

    fn priority(&self, word: &str) -> Option<u8> {
        let place = || self.priorities.iter().position(|other| other.eq_ignore_ascii_case(word));
        let known = matches!(word.to_lowercase().as_str(), "high" | "medium" | "low");
        if known { json_value::priority(word) } else { place().map(|place| (place + 1).min(4) as u8) }
    }
}

fn config(files: &[SourceFile]) -> Result<Config> {
    let mut config = Config::default();
    if let Some(file) = files.iter().find(|file| is_config(&file.path)) {
        let value = yaml(file, &file.text, 1)?;
        config.statuses = items(value.get("statuses"));
        config.default_status = scalar(value.get("default_status"));
        config.priorities = items(value.get("priorities"));
    }
    for file in files.iter().filter(|file| is_in(file, "milestones") && !is_config(&file.path)) {
        if let Ok(Front { front, .. }) = front(file) {
            config.milestones.insert(scalar(front.get("id")), scalar(front.get("title")));
        }
    }
    Ok(config)
}

/// A file, split into front matter and body.
struct Front<'t> {
    front: Value,
    body: &'t str,
}

fn front(file: &SourceFile) -> Result<Front<'_>> {
    let text = file.text.trim_start_matches('\u{feff}');
    let rest = text.strip_prefix("---\n").or_else(|| text.strip_prefix("---\r\n"));
    let Some(rest) = rest else { return Err(file.wrong_format_error("a task of Backlog.md, which begins with `---`")) };
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        if line.trim_end() == "---" {
            return Ok(Front { front: yaml(file, &rest[..at], 2)?, body: &rest[at + line.len()..] });
        }
        at += line.len();
    }
    Err(file.error(text.lines().count(), "expected `---` at the end of the front matter, found the end of the file"))
}

/// Parses YAML. `first` is the line of the file in which `text` begins.
fn yaml(file: &SourceFile, text: &str, first: usize) -> Result<Value> {
    if let Some(name) = repeated(text) {
        return Err(file.error(first, format!("expected no YAML aliases, found `*{name}`")));
    }
    let value: Value = serde_yaml::from_str(text).map_err(|error| {
        let line = error.location().map_or(first, |place| place.line() + first - 1);
        let what = error.to_string();
        let what = what.split(" at line ").next().unwrap_or_default().to_owned();
        file.error(line, format!("not YAML: {what}"))
    })?;
    if value.is_mapping() { Ok(value) } else { Err(file.error(first, "expected `key: value` lines, found none")) }
}

/// Returns the first name that is both an anchor (`&name`) and an alias (`*name`): YAML would repeat its value. A few kilobytes of aliases
/// can expand to gigabytes, and Backlog.md writes none.
fn repeated(text: &str) -> Option<&str> {
    let is_in_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let names = |sign: char| {
        let rests = text.split(sign).skip(1);
        rests.map(|rest| rest.split(|c| !is_in_name(c)).next().unwrap_or_default()).filter(|name| !name.is_empty())
    };
    let anchors: HashSet<&str> = names('&').collect();
    names('*').find(|name| anchors.contains(name))
}

fn scalar(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => serde_yaml::to_string(other).unwrap_or_default().trim_end().to_owned(),
    }
}

fn items(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::Sequence(items)) => {
            items.iter().map(|item| scalar(Some(item))).filter(|item| !item.is_empty()).collect()
        }
        other => Some(scalar(other)).filter(|item| !item.is_empty()).into_iter().collect(),
    }
}

fn count(front: &Value, fields: &mut Fields) {
    for (key, value) in front.as_mapping().into_iter().flatten() {
        let key = scalar(Some(key));
        let is_empty = value.is_null() || value.as_sequence().is_some_and(|items| items.is_empty());
        if !is_empty {
            let fate = FATES.iter().find(|(name, _)| *name == key).map_or(Fate::Dropped, |(_, fate)| *fate);
            fields.count(if key == DUE { Fate::Prose } else { fate }, &key);
        }
    }
}

fn prose(front: &Value, config: &Config, task: &mut Task) {
    for (key, name) in [
        ("labels", "Labels"),
        ("milestone", "Milestone"),
        (DUE, "Due"),
        ("references", "References"),
        ("documentation", "Documentation"),
    ] {
        let values = items(front.get(key)).join(", ");
        let values =
            if key == "milestone" { config.milestones.get(&values).cloned().unwrap_or(values) } else { values };
        task.prose.push(Passage::new(name, values));
    }
}

const SECTIONS: [&str; 7] = [
    "Description", "Acceptance Criteria", "Definition of Done", "Implementation Plan", "Implementation Notes",
    "Final Summary", "Comments",
];

/// Takes criteria and prose from a body. A heading between section markers is text, since anybody may have written it. Returns the number
/// of ticked criteria.
fn sections(body: &str, task: &mut Task) -> usize {
    let (mut name, mut text, mut is_marked, mut ticks) = ("", String::new(), false, 0);
    let mut end = |name: &str, text: &str| {
        if matches!(name, "Acceptance Criteria" | "Definition of Done") {
            ticks += text.lines().filter(|line| line.trim_start().starts_with("- [x]")).count();
            task.done_when.extend(list_items(text).iter().map(|item| criterion(item)));
        } else {
            task.prose.push(Passage::new(name, trimmed(text)));
        }
    };
    for line in body.split_inclusive('\n') {
        let trimmed = line.trim();
        let marker = trimmed.strip_prefix("<!--").and_then(|rest| rest.strip_suffix("-->")).map(str::trim);
        let is_marker = |end: &str| {
            marker.is_some_and(|marker| {
                let is_known = ["SECTION:", "AC:", "DOD:", "COMMENTS:"].iter().any(|known| marker.starts_with(known));
                is_known && marker.ends_with(end)
            })
        };
        if is_marker(":BEGIN") || is_marker(":END") {
            is_marked = is_marker(":BEGIN");
            continue;
        }
        let heading = trimmed.strip_prefix("## ").filter(|_| !is_marked).map(str::trim);
        match heading.and_then(|heading| SECTIONS.into_iter().find(|section| *section == heading)) {
            Some(section) => {
                end(name, &text);
                (name, text) = (section, String::new());
            }
            None => text.push_str(line),
        }
    }
    end(name, &text);
    ticks
}

/// Removes `#1` in front.
fn criterion(item: &str) -> String {
    let rest = item.strip_prefix('#').map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
    rest.and_then(|rest| rest.strip_prefix(' ')).unwrap_or(item).to_owned()
}
