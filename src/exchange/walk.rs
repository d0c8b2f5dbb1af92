//! A walk over a JSON value that names every violation at once, each by its JSON pointer.

use std::fmt;

use serde_json::{Map, Value};

use crate::plan::text::shortened;

/// Longest text that a message quotes, in characters.
const QUOTED: usize = 40;

/// What a document has that its format does not allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// A JSON pointer, else line and column; empty for the document itself.
    pub at: String,
    /// What was found and what was expected.
    pub what: String,
}

impl Violation {
    /// A violation at a place.
    pub fn new(at: impl Into<String>, what: impl Into<String>) -> Self {
        Violation { at: at.into(), what: what.into() }
    }

    /// What a JSON parser says of the text behind `before`.
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
    /// What stands there.
    pub value: &'v Value,
}

impl<'v> Node<'v> {
    /// The document.
    pub fn root(value: &'v Value) -> Self {
        Node { pointer: String::new(), value }
    }

    /// The value of a key, where this is an object that has it.
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
    /// In the order of the walk.
    pub violations: Vec<Violation>,
}

impl Walk {
    /// Adds one.
    pub fn add(&mut self, node: &Node<'_>, what: impl Into<String>) {
        self.violations.push(Violation::new(&*node.pointer, what));
    }

    fn unexpected(&mut self, node: &Node<'_>, found: &str, expected: &str) {
        match node.pointer.is_empty() {
            true => self.add(node, format!("{found} where {expected} is expected")),
            false => self.add(node, format!("is {found}, expected {expected}")),
        }
    }

    /// The object that stands there.
    pub fn object<'v>(&mut self, node: &Node<'v>) -> Option<&'v Map<String, Value>> {
        if node.value.is_object() {
            return node.value.as_object();
        }
        self.unexpected(node, &kind(node.value), "an object");
        None
    }

    /// The value of a key that must be there.
    pub fn required<'v>(&mut self, node: &Node<'v>, key: &str) -> Option<Node<'v>> {
        let found = node.get(key);
        if found.is_none() {
            self.violations.push(Violation::new(below(&node.pointer, key), "is missing"));
        }
        found
    }

    /// The text that stands there.
    pub fn text<'v>(&mut self, node: &Node<'v>) -> Option<&'v str> {
        if !node.value.is_string() {
            self.unexpected(node, &kind(node.value), "text");
        }
        node.value.as_str()
    }

    /// The text that stands there, which must show something.
    pub fn words<'v>(&mut self, node: &Node<'v>) -> Option<&'v str> {
        let text = self.text(node)?;
        if text.trim().is_empty() {
            self.add(node, "is blank");
            return None;
        }
        Some(text)
    }

    /// The items of the list that stands there; `of` says what they are (`texts`).
    pub fn list<'v>(&mut self, node: &Node<'v>, of: &str) -> Option<Vec<Node<'v>>> {
        let Some(items) = node.value.as_array() else {
            self.unexpected(node, &kind(node.value), &format!("a list of {of}"));
            return None;
        };
        let item = |(at, value)| Node { pointer: format!("{}/{at}", node.pointer), value };
        Some(items.iter().enumerate().map(item).collect())
    }

    /// The whole number that stands there; `1.0` is one, as JSON Schema has it.
    pub fn whole_number(&mut self, node: &Node<'_>) -> Option<i64> {
        let whole = |number: f64| (number.fract() == 0.0).then_some(number as i64);
        let found = node.value.as_i64().or_else(|| node.value.as_f64().and_then(whole));
        if found.is_none() {
            let expected = if node.value.is_number() { "a whole number" } else { "a number" };
            self.unexpected(node, &scalar(node.value), expected);
        }
        found
    }

    /// That number and no other.
    pub fn exactly(&mut self, node: &Node<'_>, number: i64) {
        if node.value.as_f64() != Some(number as f64) {
            let the = if node.value.is_number() { "" } else { "the number " };
            self.unexpected(node, &scalar(node.value), &format!("{the}{number}"));
        }
    }

    /// The place of the text that stands there among `words`.
    pub fn one_of(&mut self, node: &Node<'_>, words: &[&str]) -> Option<usize> {
        let found = node.value.as_str().and_then(|text| words.iter().position(|word| *word == text));
        if found.is_none() {
            let shown = node.value.as_str().map_or_else(|| kind(node.value), quoted);
            self.unexpected(node, &shown, &listed(words));
        }
        found
    }
}

/// `command, chat or plan`
fn listed(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// What a value is, in words.
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

/// The same with the words of a text, for a place of a number.
fn scalar(value: &Value) -> String {
    value.as_str().map_or_else(|| kind(value), |text| format!("the text {}", quoted(text)))
}

/// A text between quotes, cut.
fn quoted(text: &str) -> String {
    Value::String(shortened(text, QUOTED)).to_string()
}
