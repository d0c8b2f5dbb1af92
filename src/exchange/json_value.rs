//! JSON records: each part knows its JSON pointer, so that an error names its place.

use serde_json::{Map, Value};

use super::files::SourceFile;
use super::record::{Fate, Fields};
use crate::error::{Error, Result};

/// An object of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Object<'v> {
    file: &'v SourceFile,
    map: &'v Map<String, Value>,
    /// The place. The full pointer is written only for an error.
    at: ValuePlace<'v>,
}

/// The place of a value in the file.
#[derive(Clone, Copy, Debug)]
pub(super) enum ValuePlace<'v> {
    /// The value is the whole file.
    Root,
    /// The value has its own line, counted from 1.
    Line(usize),
    /// The value is in a list: the list's pointer and the index.
    Item(&'v str, usize),
}

impl std::fmt::Display for ValuePlace<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ValuePlace::Root => Ok(()),
            ValuePlace::Line(line) => write!(f, "{line}"),
            ValuePlace::Item(list, index) => write!(f, "{list}/{index}"),
        }
    }
}

/// Returns the JSON of a file.
///
/// # Errors
/// With line and column, if the file is not JSON.
pub(super) fn value(file: &SourceFile, expected: &str) -> Result<Value> {
    let text = file.text.trim_start_matches('\u{feff}');
    if !text.trim_start().starts_with(['{', '[']) {
        return Err(file.wrong_format_error(expected));
    }
    serde_json::from_str(text).map_err(|error| syntax(file, error.line(), &error))
}

/// Returns the items of a file that is one list. The first object must have `key`, which tells the format.
///
/// # Errors
/// As [`value`], and if the file has another format.
pub(super) fn items_with(file: &SourceFile, expected: &str, key: &str) -> Result<Vec<Value>> {
    match value(file, expected)? {
        Value::Array(items) if items.first().is_none_or(|item| !item.is_object() || item.get(key).is_some()) => {
            Ok(items)
        }
        _ => Err(file.wrong_format_error(expected)),
    }
}

/// Returns the error for a syntax error in line `line` of the file.
pub(super) fn syntax(file: &SourceFile, line: usize, error: &serde_json::Error) -> Error {
    let text = error.to_string();
    let what = text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what);
    file.error(format!("{line}:{}", error.column()), format!("not JSON: {what}"))
        .hint("export the tasks again: the file may be cut off")
}

impl<'v> Object<'v> {
    /// Returns the object at a place.
    pub(super) fn of(file: &'v SourceFile, value: &'v Value, at: ValuePlace<'v>) -> Result<Self> {
        match value {
            Value::Object(map) => Ok(Object { file, map, at }),
            other => Err(file.error(at, format!("expected an object, found {}", word(other)))),
        }
    }

    /// Returns the objects of the list at `pointer`.
    pub(super) fn list(file: &'v SourceFile, list: &'v [Value], pointer: &'v str) -> Result<Vec<Self>> {
        list.iter()
            .enumerate()
            .map(|(index, value)| Object::of(file, value, ValuePlace::Item(pointer, index)))
            .collect()
    }

    /// Returns the text of a required key; it must not be blank.
    pub(super) fn needed(&self, key: &str) -> Result<String> {
        match self.map.get(key).map(|value| (value, scalar(value))) {
            Some((_, Some(text))) if !text.trim().is_empty() => Ok(text),
            Some((_, Some(_))) => Err(self.error(key, "expected text, found none")),
            Some((value, None)) => Err(self.error(key, format!("expected text, found {}", word(value)))),
            None => Err(self.error(key, "expected text, found no such key")),
        }
    }

    /// Returns text, also of a number; any other value as JSON; empty if the key is missing or null.
    pub(super) fn text(&self, key: &str) -> String {
        self.map.get(key).map(lenient).unwrap_or_default()
    }

    /// Returns the value of a key, or `None` if it is missing or null.
    pub(super) fn get(&self, key: &str) -> Option<&'v Value> {
        self.map.get(key).filter(|value| !value.is_null())
    }

    /// Returns the items of a list; empty if the key is missing or null.
    pub(super) fn items(&self, key: &str) -> Result<&'v [Value]> {
        match self.get(key) {
            None => Ok(&[]),
            Some(Value::Array(list)) => Ok(list),
            Some(other) => Err(self.error(key, format!("expected a list, found {}", word(other)))),
        }
    }

    /// Returns the texts of a list, without the empty ones.
    pub(super) fn texts(&self, key: &str) -> Result<Vec<String>> {
        Ok(self.items(key)?.iter().map(lenient).filter(|text| !text.is_empty()).collect())
    }

    /// Counts the fate of each key, with `prefix` in front of its name. A key that is not in `fates` is dropped.
    pub(super) fn count(&self, fields: &mut Fields, prefix: &str, fates: &[(&str, Fate)]) {
        for (key, value) in self.map {
            let is_empty = match value {
                Value::Null => true,
                Value::String(text) => text.is_empty(),
                Value::Array(list) => list.is_empty(),
                Value::Object(map) => map.is_empty(),
                Value::Bool(_) | Value::Number(_) => false,
            };
            if !is_empty {
                let fate = fates.iter().find(|(name, _)| name == key).map_or(Fate::Dropped, |(_, fate)| *fate);
                match prefix {
                    "" => fields.count(fate, key),
                    _ => fields.count(fate, &format!("{prefix}{key}")),
                }
            }
        }
    }

    /// Returns an error about a key.
    pub(super) fn error(&self, key: &str, what: impl std::fmt::Display) -> Error {
        match self.at {
            ValuePlace::Line(line) => self.file.error(line, format!("`{key}`: {what}")),
            at => self.file.error(format!("{at}/{key}"), what),
        }
    }
}

/// Text as it is, a number as it is written, `None` for any other value.
pub(super) fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Any value as text.
pub(super) fn lenient(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        other => scalar(other).unwrap_or_else(|| other.to_string()),
    }
}

/// The type of a value, for messages.
pub(super) fn word(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// Maps the usual words for a priority to 1 to 4.
pub(super) fn priority(word: &str) -> Option<u8> {
    match word.trim().to_lowercase().as_str() {
        "critical" | "urgent" | "highest" | "high" | "h" => Some(1),
        "medium" | "normal" | "m" => Some(2),
        "low" | "l" => Some(3),
        "lowest" | "optional" => Some(4),
        number => number.parse().ok().filter(|number| (1..=4).contains(number)),
    }
}
