//! OpenSpec: the folder `openspec`. Each change in `changes` becomes a task.

use std::collections::{BTreeMap, BTreeSet};

use super::Reader;
use super::files::{ReadOptions, SourceFile};
use super::markdown_lines::{Boxes, MarkdownLineKind, lines, trimmed};
use super::record::{LeftOut, Passage, Task, TaskList, TaskStep};
use crate::error::{Error, Result};

pub(super) const READER: Reader = Reader {
    name: "openspec",
    tool: "OpenSpec",
    wants: |path| path.ends_with(".md") || path.ends_with(".openspec.yaml"),
    beside: &["proposal.md"],
    read,
};

fn read(files: &[SourceFile], _: &ReadOptions) -> Result<TaskList> {
    let mut changes: BTreeMap<&str, Vec<(&str, &SourceFile)>> = BTreeMap::new();
    let mut archived: BTreeSet<&str> = BTreeSet::new();
    for file in files {
        let parts: Vec<&str> = file.path.split('/').collect();
        let Some(at) = parts.iter().rposition(|part| *part == "changes") else { continue };
        match parts[at + 1..] {
            ["archive", name, _, ..] => drop(archived.insert(name)),
            [name, _, ..] => {
                let begin: usize = parts[..at + 2].iter().map(|part| part.len() + 1).sum();
                changes.entry(name).or_default().push((&file.path[begin..], file));
            }
            _ => {}
        }
    }
    if changes.is_empty() && archived.is_empty() {
        return Err(Error::input("expected the folder `changes` of OpenSpec in the path, found none")
            .harmless()
            .hint("name the folder that contains `changes`, by default `openspec`"));
    }
    let mut list = TaskList { tool: READER.tool.to_owned(), ..TaskList::default() };
    for name in archived {
        let boxes = files.iter().find(|file| file.path.ends_with(&format!("changes/archive/{name}/tasks.md")));
        let steps = boxes.map_or(0, |file| {
            lines(&file.text).iter().filter(|line| matches!(line.is, MarkdownLineKind::Box(..))).count()
        });
        list.left_out.push(LeftOut { steps, ..LeftOut::task(name, "archived there") });
    }
    for (name, files) in changes {
        let task = change(name, &files, &mut list);
        list.tasks.push(task);
    }
    Ok(list)
}

fn change(name: &str, files: &[(&str, &SourceFile)], list: &mut TaskList) -> Task {
    let text = |path: &str| files.iter().find(|(below, _)| *below == path).map_or("", |(_, file)| file.text.as_str());
    let proposal = text("proposal.md");
    let mut task =
        Task { id: name.to_owned(), subject: subject(proposal).unwrap_or(name).to_owned(), ..Task::default() };
    let mut specs: Vec<Passage> = Vec::new();
    for (below, file) in files.iter().filter(|(below, _)| is_spec(below)) {
        let spec = Spec::read(&file.text);
        task.done_when.extend(spec.criteria);
        specs.push(Passage::new(&format!("{below}, without its scenarios"), trimmed(&spec.prose)));
    }
    let mut boxes = Boxes::default();
    lines(text("tasks.md")).iter().for_each(|line| boxes.take(line, name));
    task.steps = boxes.steps.iter().map(|step| TaskStep { text: unnumbered(&step.text), ..step.clone() }).collect();
    task.prose.push(Passage::new("", trimmed(proposal)));
    task.prose.append(&mut specs);
    task.prose.push(Passage::new("tasks.md, without its boxes", boxes.prose()));
    if !boxes.odd.is_empty() {
        task.prose.push(Passage::new("Boxes with another mark, here pending", boxes.odd.join("\n")));
    }
    list.left_out.append(&mut boxes.in_code);
    for (below, _) in files {
        let is_read = matches!(*below, "proposal.md" | "tasks.md") || is_spec(below) || below.ends_with(".yaml");
        if !is_read {
            task.prose.push(Passage::new("Not copied", format!("changes/{name}/{below}")));
        }
    }
    task
}

fn is_spec(path: &str) -> bool {
    path.starts_with("specs/") && path.ends_with("spec.md")
}

/// The first heading of level 1 that is not the name of a section.
fn subject(proposal: &str) -> Option<&str> {
    const SECTIONS: [&str; 6] = ["Why", "What Changes", "Capabilities", "Impact", "Proposal", "Tasks"];
    lines(proposal).into_iter().find_map(|line| match line.is {
        MarkdownLineKind::Heading(1, text) if !text.is_empty() && !SECTIONS.contains(&text) => Some(text),
        _ => None,
    })
}

/// Removes a number such as `1.1 ` in front.
fn unnumbered(text: &str) -> String {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let number = &text[..text.len() - rest.len()];
    let is_number = number.contains('.') && number.starts_with(|c: char| c.is_ascii_digit());
    match rest.strip_prefix(' ').filter(|rest| is_number && !rest.trim().is_empty()) {
        Some(rest) => rest.trim_start().to_owned(),
        None => text.to_owned(),
    }
}

/// The level of the heading of a requirement.
const REQUIREMENT: u8 = 3;

/// The criteria and the rest of a `spec.md`.
#[derive(Default)]
struct Spec {
    /// `NAME: WHEN … THEN …` for each scenario. A requirement without one is a criterion itself.
    criteria: Vec<String>,
    /// The other lines.
    prose: String,
}

impl Spec {
    fn read(text: &str) -> Self {
        let mut spec = Spec::default();
        let (mut is_removed, mut is_scenario) = (false, false);
        // The requirement that has no scenario yet.
        let mut bare: Option<String> = None;
        for line in lines(text) {
            let words = line.raw.trim().trim_start_matches(['-', '*', ' ']).replace("**", "");
            if let MarkdownLineKind::Heading(level, text) = line.is {
                is_scenario = false;
                if let Some(name) = text.strip_prefix("Scenario:").filter(|_| !is_removed) {
                    (is_scenario, bare) = (true, None);
                    spec.criteria.push(format!("{}:", name.trim()));
                    continue;
                }
                if level <= REQUIREMENT {
                    spec.criteria.extend(bare.take());
                }
                if level < REQUIREMENT {
                    is_removed = text.starts_with("REMOVED");
                }
                match text.strip_prefix("Requirement:").map(str::trim).filter(|name| !name.is_empty()) {
                    Some(name) if is_removed => spec.criteria.push(format!("removed: {name}")),
                    Some(name) => bare = Some(format!("{name}:")),
                    None => {}
                }
            } else if let Some(last) = spec.criteria.last_mut().filter(|_| is_scenario) {
                *last += &if words.is_empty() { String::new() } else { format!(" {words}") };
                continue;
            } else if let Some(bare) = bare.as_mut().filter(|_| !words.is_empty()) {
                *bare += &format!(" {words}");
            }
            spec.prose += line.raw;
        }
        spec.criteria.extend(bare);
        spec
    }
}
