//! The strict reader of a planner's JSON. It reports every violation at once.

use std::collections::HashMap;

use serde_json::Value;

use super::{PlannedStep, PlannedSteps, Reply, StepStatus};
use crate::exchange::document::JsonDocument;
use crate::exchange::walk::{Node, Violation, Walk};

/// Reads a reply or a state.
///
/// # Errors
/// Every violation, with its JSON pointer, or with line and column if only the text shows the place.
pub fn read(source: &[u8]) -> Result<Reply, Vec<Violation>> {
    if !source.contains(&b'{') {
        return Err(vec![Violation::new("", "no JSON object in the reply")]);
    }
    let mut document =
        JsonDocument::read(source.trim_ascii_end(), |key| if key == "steps" { "a step" } else { "a value" }).map_err(
            |violation| match violation.what.starts_with("end of file") {
                true => vec![Violation::new("", "the reply ends inside an object")],
                false => vec![violation],
            },
        )?;
    match walked(&document.value) {
        Ok(reply) if document.repeated.is_empty() => Ok(reply),
        Ok(_) => Err(document.repeated),
        Err(mut violations) => {
            violations.append(&mut document.repeated);
            Err(violations)
        }
    }
}

/// Converts a JSON value to a reply or state.
pub(super) fn walked(value: &Value) -> Result<Reply, Vec<Violation>> {
    let mut walk = Walk::default();
    match reply(&mut walk, &Node::root(value)) {
        Some(reply) if walk.violations.is_empty() => Ok(reply),
        _ => Err(walk.violations),
    }
}

fn reply(walk: &mut Walk, root: &Node<'_>) -> Option<Reply> {
    walk.object(root)?;
    // The state of a plan has no mode.
    let mode = match root.get("mode") {
        Some(mode) => walk.one_of(&mode, &["command", "chat", "plan"])?,
        None => 2,
    };
    match mode {
        0 => {
            let command = walk.required(root, "command")?;
            walk.words(&command).map(|text| Reply::Command(text.to_owned()))
        }
        1 => {
            let message = walk.required(root, "message")?;
            walk.words(&message).map(|text| Reply::Chat(text.to_owned()))
        }
        _ => {
            let plan = walk.required(root, "plan")?;
            self::plan(walk, &plan).map(Reply::Plan)
        }
    }
}

fn plan(walk: &mut Walk, node: &Node<'_>) -> Option<PlannedSteps> {
    walk.object(node)?;
    let summary = optional(walk, node, "summary");
    if let Some(revision) = node.get("revision") {
        index(walk, &revision);
    }
    let steps = walk.required(node, "steps")?;
    let nodes = walk.list(&steps, "steps")?;
    if nodes.is_empty() {
        walk.add(&steps, "is empty");
    }
    let steps: Vec<Option<PlannedStep>> = nodes.iter().map(|node| step(walk, node)).collect();
    let mut taken: HashMap<String, &str> = HashMap::new();
    for (node, step) in nodes.iter().zip(&steps) {
        let Some(step) = step else { continue };
        match (taken.get(&step.id), node.get("id")) {
            (Some(first), Some(id)) => walk.add(&id, format!("{} is taken by {first}", step.id)),
            _ => drop(taken.insert(step.id.clone(), &node.pointer)),
        }
    }
    Some(PlannedSteps { summary: summary?, steps: steps.into_iter().collect::<Option<_>>()? })
}

fn step(walk: &mut Walk, node: &Node<'_>) -> Option<PlannedStep> {
    walk.object(node)?;
    let id = walk.required(node, "id").and_then(|id| walk.words(&id).map(str::to_owned));
    let title = optional(walk, node, "title");
    let command = optional(walk, node, "command");
    if let (Some(None), Some(None)) = (&title, &command) {
        walk.add(node, "has neither title nor command");
    }
    let description = optional(walk, node, "description");
    let status = match node.get("status").filter(|status| !status.value.is_null()) {
        Some(status) => walk.one_of(&status, &StepStatus::ALL.map(|(word, _)| word)),
        None => Some(0),
    };
    let history = match node.get("history") {
        Some(history) => walk.list(&history, "numbers"),
        None => Some(Vec::new()),
    };
    let history: Vec<Option<i64>> = history?.iter().map(|node| index(walk, node)).collect();
    Some(PlannedStep {
        id: id?,
        title: title?,
        command: command?,
        description: description?,
        status: StepStatus::ALL[status?].1,
        history: history.into_iter().collect::<Option<_>>()?,
    })
}

/// Returns an optional text: `Some(None)` if it is missing, null or blank, `None` if the value is not text.
#[expect(clippy::option_option, reason = "the two differ: left out, and wrong")]
fn optional(walk: &mut Walk, node: &Node<'_>, key: &str) -> Option<Option<String>> {
    match node.get(key).filter(|node| *node.value != Value::Null) {
        None => Some(None),
        Some(node) => walk.text(&node).map(|text| Some(text.to_owned()).filter(|text| !text.trim().is_empty())),
    }
}

fn index(walk: &mut Walk, node: &Node<'_>) -> Option<i64> {
    let number = walk.whole_number(node)?;
    if number < 0 {
        walk.add(node, format!("is {number}, expected 0 or more"));
    }
    Some(number)
}
