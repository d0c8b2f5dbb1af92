//! Reads a planner's reply in the forms that models really write: in a fence, after a thought or a sentence, wrapped, with other names for
//! keys. It finds the one object that is meant and converts it to the form of the strict reader. Everything that the strict reader refuses
//! is refused here too.

use serde_json::{Map, Value};

use super::{Reply, read};
use crate::exchange::document::JsonDocument;
use crate::exchange::walk::Violation;

/// The largest reply, in bytes.
const LARGEST: usize = 512 << 10;
/// The most objects that may wrap a reply.
const DEPTH: usize = 3;
/// Keys that wrap a whole reply, as text or as an object. The first is the key of [`SCHEMA`].
const WRAPPERS: [&str; 6] = ["reply", "response", "result", "output", "answer", "json"];
/// The search ends after this many braces that begin no valid JSON.
const BROKEN: usize = 100;
/// Other names for `message`.
const MESSAGES: [&str; 4] = ["response", "text", "content", "answer"];
/// The tags around a model's thoughts.
const THOUGHT: (&str, &str) = ("<think>", "</think>");

/// The JSON schema that a host enforces on its model. Strict modes require every property and allow no other, so the reply is a text in it.
pub const SCHEMA: &str = r#"{
  "type": "object",
  "properties": {
    "reply": {"type": "string", "description": "the JSON object of the prompt, in one of its three forms, as text"}
  },
  "required": ["reply"],
  "additionalProperties": false
}
"#;

/// Reads the answer of a model.
///
/// # Errors
/// Every violation, with its JSON pointer if it has one. An answer with several replies is refused, because the meant one is unknown.
pub fn reply(answer: &[u8]) -> Result<Reply, Vec<Violation>> {
    if answer.len() > LARGEST {
        return Err(alone(format!("the reply is longer than {} KiB", LARGEST >> 10)));
    }
    let text = std::str::from_utf8(answer).map_err(|_| alone("the reply is not UTF-8"))?;
    let mut value = meant(text, DEPTH)?;
    tidy(&mut value);
    let reply = read::walked(&value)?;
    let violations = super::visible::violations(&reply);
    if violations.is_empty() { Ok(reply) } else { Err(violations) }
}

fn alone(what: impl Into<String>) -> Vec<Violation> {
    vec![Violation::new("", what)]
}

/// Returns the one object in a text that is a reply, without its wrapping.
fn meant(text: &str, depth: usize) -> Result<Value, Vec<Violation>> {
    let mut found: Vec<Value> = Vec::new();
    for object in objects(text.trim_end())? {
        let document = JsonDocument::read(object.as_bytes(), |_| "a value").map_err(|violation| vec![violation])?;
        if !document.repeated.is_empty() {
            return Err(document.repeated);
        }
        if !found.contains(&document.value) {
            found.push(document.value);
        }
    }
    match found.len() {
        0 => Err(alone("no JSON object in the reply")),
        1 => unwrapped(found.swap_remove(0), depth),
        count => Err(alone(format!("the reply contains {count} JSON objects that could be the answer, expected one"))),
    }
}

/// Returns the value below the only key of an object that wraps a reply.
fn unwrapped(value: Value, depth: usize) -> Result<Value, Vec<Violation>> {
    let Some((key, inner)) = value.as_object().filter(|map| map.len() == 1).and_then(|map| map.iter().next()) else {
        return Ok(value);
    };
    if depth == 0 || !WRAPPERS.contains(&key.as_str()) {
        return Ok(value);
    }
    match inner {
        Value::Object(_) => unwrapped(inner.clone(), depth - 1),
        Value::String(text) if key == WRAPPERS[0] || text.contains('{') => meant(text, depth - 1),
        _ => Ok(value),
    }
}

/// Returns the objects in a text that look like a reply, except inside thoughts.
fn objects(text: &str) -> Result<Vec<&str>, Vec<Violation>> {
    let (mut found, mut other, mut broken): (Vec<&str>, bool, Option<Violation>) = (Vec::new(), false, None);
    let (mut at, mut thought, mut failed) = (0, text.find(THOUGHT.0), 0);
    while let Some(open) = text[at..].find('{').map(|open| at + open).filter(|_| failed < BROKEN) {
        if let Some(start) = thought.filter(|start| *start < open) {
            let Some(end) = text[start..].find(THOUGHT.1).map(|end| start + end + THOUGHT.1.len()) else { break };
            at = end;
            thought = text[end..].find(THOUGHT.0).map(|start| end + start);
            continue;
        }
        let mut values = serde_json::Deserializer::from_str(&text[open..]).into_iter::<Value>();
        match values.next() {
            Some(Ok(Value::Object(map))) => {
                at = open + values.byte_offset();
                // A tag in a text of the object does not begin a thought.
                if thought.is_some_and(|start| start < at) {
                    thought = text[at..].find(THOUGHT.0).map(|start| at + start);
                }
                // After a broken object only an object with a mode counts: every step of the broken one would look like a command.
                match broken.is_none() && is_reply(&map) || map.contains_key("mode") {
                    true => found.push(&text[open..at]),
                    false => other = true,
                }
            }
            Some(Err(error)) if error.is_eof() => return Err(alone("the reply ends inside an object")),
            Some(Err(error)) => {
                broken.get_or_insert_with(|| Violation::syntax(&text[..open], &error));
                (at, failed) = (open + 1, failed + 1);
            }
            _ => break,
        }
    }
    match (found.is_empty(), broken) {
        (true, Some(violation)) => Err(vec![violation]),
        (true, None) if other => Err(vec![Violation::new("/mode", "is missing")]),
        _ => Ok(found),
    }
}

fn is_reply(map: &Map<String, Value>) -> bool {
    let is_known = |key: &str| matches!(key, "mode" | "command" | "cmd" | "message" | "plan");
    map.keys().any(|key| is_known(key) || WRAPPERS.contains(&key.as_str()) || MESSAGES.contains(&key.as_str()))
}

/// Renames keys to the names of the format, and adds ids to steps and a mode to the reply.
fn tidy(value: &mut Value) {
    let Some(map) = value.as_object_mut() else { return };
    rename(map, &["cmd"], "command");
    let is_mode = |map: &Map<String, Value>, mode: &str| map.get("mode").is_some_and(|found| found == mode);
    if map.get("mode").is_none_or(Value::is_null) {
        let message = map.contains_key("message") || MESSAGES.iter().any(|key| map.contains_key(*key));
        let mode = match (map.contains_key("command"), message && !map.contains_key("plan")) {
            (true, _) => "command",
            (_, true) => "chat",
            _ => "plan",
        };
        map.insert("mode".to_owned(), mode.into());
    }
    if is_mode(map, "chat") {
        rename(map, &MESSAGES, "message");
    }
    let steps = map.get_mut("plan").and_then(|plan| plan.get_mut("steps")).and_then(Value::as_array_mut);
    steps.into_iter().for_each(|steps| number(steps));
}

fn rename(map: &mut Map<String, Value>, others: &[&str], name: &str) {
    if map.get(name).is_none_or(Value::is_null)
        && let Some(value) = others.iter().find_map(|other| map.remove(*other))
    {
        map.insert(name.to_owned(), value);
    }
}

/// Turns ids into text, gives a step without an id its position, and removes a blank status.
fn number(steps: &mut [Value]) {
    for step in steps.iter_mut().filter_map(Value::as_object_mut) {
        if let Some(Value::Number(number)) = step.get("id") {
            let number = number.to_string();
            step.insert("id".to_owned(), number.into());
        }
        if step.get("status").and_then(Value::as_str).is_some_and(|status| status.trim().is_empty()) {
            step.remove("status");
        }
    }
    let taken: std::collections::HashSet<String> =
        steps.iter().filter_map(|step| Some(step.get("id")?.as_str()?.to_owned())).collect();
    for (at, step) in steps.iter_mut().enumerate() {
        let Some(step) = step.as_object_mut().filter(|step| step.get("id").is_none_or(Value::is_null)) else {
            continue;
        };
        let position = (at + 1).to_string();
        let id = if taken.contains(&position) { format!("{position}-") } else { position };
        step.insert("id".to_owned(), id.into());
    }
}
