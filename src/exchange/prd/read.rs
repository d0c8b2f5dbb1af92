//! The strict reader. It reports every violation of the schema at once.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::{Prd, Status, Story, VERSION};
use crate::error::Error;
use crate::exchange::document::JsonDocument;
use crate::exchange::walk::{Node, Violation, Walk};
use crate::plan::text::{counted, one_line};

/// The reason why a document is not a prd.json.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Every violation.
    pub violations: Vec<Violation>,
    /// A remark if it looks like another format.
    pub hint: Option<&'static str>,
}

impl Refusal {
    /// Converts to an error about the file `name`.
    pub fn error(&self, name: &str) -> Error {
        let count = counted(self.violations.len(), "violation");
        let mut message = format!("`{name}` is not a prd.json of schema version {VERSION}: {count}");
        for violation in &self.violations {
            message += &format!("\n  {violation}");
        }
        let error = Error::input(message);
        let error = match self.hint {
            Some(hint) => error.hint(hint),
            None => error,
        };
        error.hint("`plan export prd --schema` prints the format")
    }
}

const RALPH: &str = "`userStories` and `passes` are the keys of ralph's prd.json, another format";

/// Reads a prd.json.
///
/// # Errors
/// Every violation, with its JSON pointer, or with line and column if only the text shows the place.
pub fn read(source: &[u8]) -> Result<Prd, Refusal> {
    placed(source).map(|(prd, _)| prd)
}

/// Reads a prd.json like [`read`], and also returns the document, which knows the place of each part.
///
/// # Errors
/// As [`read`].
pub fn placed(source: &[u8]) -> Result<(Prd, JsonDocument), Refusal> {
    let noun = |key: &str| match key {
        "user_stories" => "a story",
        "acceptance_criteria" => "a criterion",
        _ => "a value",
    };
    let mut document =
        JsonDocument::read(source, noun).map_err(|violation| Refusal { violations: vec![violation], hint: None })?;
    let mut walk = Walk::default();
    let prd = prd(&mut walk, &Node::root(&document.value));
    walk.violations.append(&mut document.repeated);
    match (prd, walk.violations.is_empty()) {
        (Some(prd), true) => Ok((prd, document)),
        _ => Err(Refusal { hint: is_of_ralph(&document.value).then_some(RALPH), violations: walk.violations }),
    }
}

fn is_of_ralph(value: &Value) -> bool {
    let has_passes = |stories: &Vec<Value>| stories.iter().any(|story| story.get("passes").is_some());
    value.get("userStories").is_some() || value.get("user_stories").and_then(Value::as_array).is_some_and(has_passes)
}

/// Returns the document, or `None` if a part could not be read; the walk holds the violations.
fn prd(walk: &mut Walk, root: &Node<'_>) -> Option<Prd> {
    let object = walk.object(root)?;
    if let Some(version) = walk.required(root, "schema_version") {
        walk.exactly(&version, VERSION);
    }
    let id = walk.required(root, "id").and_then(|node| shown(walk, &node));
    let branch_name = walk.required(root, "branch_name").and_then(|node| shown(walk, &node));
    let stories = walk.required(root, "user_stories").and_then(|node| walk.list(&node, "stories"));
    let nodes = stories.unwrap_or_default();
    let stories: Vec<Option<Story>> = nodes.iter().map(|node| story(walk, node)).collect();
    distinct(walk, &nodes);
    Some(Prd {
        schema_version: VERSION,
        id: id?,
        branch_name: branch_name?,
        user_stories: stories.into_iter().collect::<Option<_>>()?,
        unknown: unknown(object, &["schema_version", "id", "branch_name", "user_stories"]),
    })
}

fn story(walk: &mut Walk, node: &Node<'_>) -> Option<Story> {
    let object = walk.object(node)?;
    let id = walk.required(node, "id").and_then(|node| shown(walk, &node));
    let title = walk.required(node, "title").and_then(|node| shown(walk, &node));
    let criteria = walk.required(node, "acceptance_criteria").and_then(|node| walk.list(&node, "texts"));
    let criteria: Option<Vec<Option<String>>> =
        criteria.map(|criteria| criteria.iter().map(|node| walk.text(node).map(str::to_owned)).collect());
    let priority = walk.required(node, "priority").and_then(|node| walk.whole_number(&node));
    let status = walk.required(node, "status").and_then(|node| walk.one_of(&node, &Status::WORDS));
    // wreckit always writes it, but its list of required keys leaves it out.
    let notes = match node.get("notes") {
        Some(node) => walk.text(&node),
        None => Some(""),
    };
    let known = ["id", "title", "acceptance_criteria", "priority", "status", "notes"];
    Some(Story {
        id: id?,
        title: title?,
        acceptance_criteria: criteria?.into_iter().collect::<Option<_>>()?,
        priority: priority?,
        status: if status? == 0 { Status::Pending } else { Status::Done },
        notes: notes?.to_owned(),
        unknown: unknown(object, &known),
    })
}

/// Returns a name and reports a blank one, because plan.md has no place for it.
fn shown(walk: &mut Walk, node: &Node<'_>) -> Option<String> {
    let text = walk.text(node)?;
    if one_line(text).is_empty() {
        walk.add(node, "is blank");
    }
    Some(text.to_owned())
}

/// Reports a repeated id: ids become goal ids, and those are unique.
fn distinct(walk: &mut Walk, stories: &[Node<'_>]) {
    let mut taken: HashMap<&str, &str> = HashMap::new();
    for story in stories {
        let Some(node) = story.get("id") else { continue };
        let Some(id) = node.value.as_str() else { continue };
        match taken.get(id) {
            Some(first) => walk.add(&node, format!("{id} is taken by {first}")),
            None => drop(taken.insert(id, &story.pointer)),
        }
    }
}

fn unknown(object: &Map<String, Value>, known: &[&str]) -> Map<String, Value> {
    let is_unknown = |(key, _): &(&String, &Value)| !known.contains(&key.as_str());
    object.iter().filter(is_unknown).map(|(key, value)| (key.clone(), value.clone())).collect()
}
