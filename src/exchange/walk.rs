//! A walk over a JSON value. It reports every violation at once, each with its JSON pointer.

use std::fmt;

use serde_json::{Map, Value};

use crate::plan::text::shortened;

/// The longest text that a message quotes, in characters.
const QUOTED: usize = 40;

/// A part of a document that the format does not allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// A JSON pointer, or line and column; empty for the document itself.
    pub at: String,
    /// A text that names what was found and what was expected.
    pub what: String,
}

impl Violation {
    /// Creates a violation at a place.
    pub fn new(at: impl Into<String>, what: impl Into<String>) -> Self {
        Violation { at: at.into(), what: what.into() }
    }

    /// Returns the parser's syntax error as a violation. The parsed text began after `before`.
    pub fn syntax(before: &str, error: &serde_json::Error) -> Self {
        let said = error.to_string();
        let what = said.rsplit_once(" at line ").map_or(&*said, |(what, _)| what).to_owned();
        let column = match error.line() {
            1 => before.rsplit('\n').next().unwrap_or_default().chars().count() + error.column(),
            _ => error.column(),
        };
        Violation::new(format!("{}:{}", before.matches('\n').count() + error.line(), column.max(1)), what)
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let space = if self.at.is_empty() { "" } else { " " };
        write!(f, "{}{space}{}", self.at, self.what)
    }
}

/// A value and its pointer.
#[derive(Clone, Debug)]
pub struct Node<'v> {
    /// `/user_stories/0/id`; empty for the document.
    pub pointer: String,
    /// The value.
    pub value: &'v Value,
}

impl<'v> Node<'v> {
    /// The root of the document.
    pub fn root(value: &'v Value) -> Self {
        Node { pointer: String::new(), value }
    }

    /// Returns the value of a key, if the node is an object with this key.
    pub fn get(&self, key: &str) -> Option<Node<'v>> {
        let value = self.value.get(key)?;
        Some(Node { pointer: below(&self.pointer, key), value })
    }
}

fn below(pointer: &str, key: &str) -> String {
    format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"))
}

/// The violations so far.
#[derive(Debug, Default)]
pub struct Walk {
    /// The violations, in the order of the walk.
    pub violations: Vec<Violation>,
}

impl Walk {
    /// Adds a violation.
    pub fn add(&mut self, node: &Node<'_>, what: impl Into<String>) {
        self.violations.push(Violation::new(&*node.pointer, what));
    }

    fn unexpected(&mut self, node: &Node<'_>, found: &str, expected: &str) {
        match node.pointer.is_empty() {
            true => self.add(node, format!("{found} where {expected} is expected")),
            false => self.add(node, format!("is {found}, expected {expected}")),
        }
    }

    /// Returns the object, or reports that the node is not one.
    pub fn object<'v>(&mut self, node: &Node<'v>) -> Option<&'v Map<String, Value>> {
        if node.value.is_object() {
            return node.value.as_object();
        }
        self.unexpected(node, &kind(node.value), "an object");
        None
    }

    /// Returns the value of a required key, or reports that the key is missing.
    pub fn required<'v>(&mut self, node: &Node<'v>, key: &str) -> Option<Node<'v>> {
        let found = node.get(key);
        if found.is_none() {
            self.violations.push(Violation::new(below(&node.pointer, key), "is missing"));
        }
        found
    }

    /// Returns the text, or reports that the node is not text.
    pub fn text<'v>(&mut self, node: &Node<'v>) -> Option<&'v str> {
        if !node.value.is_string() {
            self.unexpected(node, &kind(node.value), "text");
        }
        node.value.as_str()
    }

    /// Returns the text, or reports that it is blank or that the node is not text.
    pub fn words<'v>(&mut self, node: &Node<'v>) -> Option<&'v str> {
        let text = self.text(node)?;
        if text.trim().is_empty() {
            self.add(node, "is blank");
            return None;
        }
        Some(text)
    }

    /// Returns the items of a list, or reports that the node is not a list. `of` names the items (`texts`).
    pub fn list<'v>(&mut self, node: &Node<'v>, of: &str) -> Option<Vec<Node<'v>>> {
        let Some(items) = node.value.as_array() else {
            self.unexpected(node, &kind(node.value), &format!("a list of {of}"));
            return None;
        };
        let item = |(at, value)| Node { pointer: format!("{}/{at}", node.pointer), value };
        Some(items.iter().enumerate().map(item).collect())
    }

    /// Returns a whole number, or reports that the node is not one. `1.0` is one, as in JSON Schema.
    pub fn whole_number(&mut self, node: &Node<'_>) -> Option<i64> {
        let whole = |number: f64| (number.fract() == 0.0).then_some(number as i64);
        let found = node.value.as_i64().or_else(|| node.value.as_f64().and_then(whole));
        if found.is_none() {
            let expected = if node.value.is_number() { "a whole number" } else { "a number" };
            self.unexpected(node, &scalar(node.value), expected);
        }
        found
    }

    /// Reports a node that is not exactly this number.
    pub fn exactly(&mut self, node: &Node<'_>, number: i64) {
        if node.value.as_f64() != Some(number as f64) {
            let the = if node.value.is_number() { "" } else { "the number " };
            self.unexpected(node, &scalar(node.value), &format!("{the}{number}"));
        }
    }

    /// Returns the index in `words` of the node's text, or reports a text that is not in `words`.
    pub fn one_of(&mut self, node: &Node<'_>, words: &[&str]) -> Option<usize> {
        let found = node.value.as_str().and_then(|text| words.iter().position(|word| *word == text));
        if found.is_none() {
            let shown = node.value.as_str().map_or_else(|| kind(node.value), quoted);
            self.unexpected(node, &shown, &listed(words));
        }
        found
    }
}

/// Joins words: `command, chat or plan`.
fn listed(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// A value in words, without the content of a text.
fn kind(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(_) => "text".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

/// A value in words, with the content of a text.
fn scalar(value: &Value) -> String {
    value.as_str().map_or_else(|| kind(value), |text| format!("the text {}", quoted(text)))
}

/// A text in quotes, shortened.
fn quoted(text: &str) -> String {
    Value::String(shortened(text, QUOTED)).to_string()
}
