//! The input of a tool, read field by field. Fields that remain at the end are unknown.

use std::ffi::OsString;

use serde_json::{Map, Value};

/// The maximum number of bytes of all arguments: Linux passes at most 128 KiB in one argument, and a limited sum.
const MOST: usize = 100_000;

/// The fields that have not been read yet.
pub(super) struct Input {
    fields: Map<String, Value>,
    known: Vec<&'static str>,
}

/// The reason why an input is refused, in one line.
pub(super) type Refusal = String;

impl Input {
    pub(super) fn new(mut fields: Map<String, Value>) -> Self {
        fields.retain(|_, value| !value.is_null());
        Input { fields, known: Vec::new() }
    }

    /// Reads a text. A number counts as one, because models write steps as numbers.
    pub(super) fn text(&mut self, name: &'static str) -> Result<Option<String>, Refusal> {
        self.take(name).map(|value| text(name, value)).transpose()
    }

    /// Reads a required text.
    pub(super) fn needed(&mut self, name: &'static str) -> Result<String, Refusal> {
        self.text(name)?.ok_or_else(|| format!("expected `{name}`, found none"))
    }

    /// Reads a list of texts. A single text counts as a list of one.
    pub(super) fn list(&mut self, name: &'static str) -> Result<Vec<String>, Refusal> {
        match self.take(name) {
            None => Ok(Vec::new()),
            Some(Value::Array(values)) => values.into_iter().map(|value| text(name, value)).collect(),
            Some(value) => Ok(vec![text(name, value)?]),
        }
    }

    /// Reads true or false; a missing field is false.
    pub(super) fn flag(&mut self, name: &'static str) -> Result<bool, Refusal> {
        match self.take(name) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(flag),
            Some(other) => Err(format!("expected true or false for `{name}`, found {other}")),
        }
    }

    /// Refuses fields that were not read.
    pub(super) fn finish(self) -> Result<(), Refusal> {
        match self.fields.keys().next() {
            None => Ok(()),
            Some(name) => Err(format!("unknown field `{name}`; this call takes {}", names(&self.known))),
        }
    }

    fn take(&mut self, name: &'static str) -> Option<Value> {
        self.known.push(name);
        self.fields.remove(name)
    }
}

fn names(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn text(name: &str, value: Value) -> Result<String, Refusal> {
    match value {
        Value::String(text) if text.contains('\0') => Err(format!("`{name}` has a NUL character")),
        Value::String(text) => Ok(text),
        Value::Number(number) => Ok(number.to_string()),
        other => Err(format!("expected text for `{name}`, found {other}")),
    }
}

/// A command line in which no text can pass for an option.
#[derive(Debug, Default)]
pub(super) struct Argv {
    options: Vec<String>,
    texts: Vec<String>,
}

impl Argv {
    /// Starts with the words of the verb.
    pub(super) fn of(verb: &[&str]) -> Self {
        Argv { options: verb.iter().map(|word| (*word).to_owned()).collect(), texts: Vec::new() }
    }

    /// Adds `--name=value` for each value.
    pub(super) fn option(mut self, name: &str, values: impl IntoIterator<Item = String>) -> Self {
        self.options.extend(values.into_iter().map(|value| format!("--{name}={value}")));
        self
    }

    /// Adds `--name` if it is set.
    pub(super) fn flag(mut self, name: &str, is_set: bool) -> Self {
        self.options.extend(is_set.then(|| format!("--{name}")));
        self
    }

    /// Adds texts after the `--`.
    pub(super) fn texts(mut self, values: impl IntoIterator<Item = String>) -> Self {
        self.texts.extend(values);
        self
    }

    /// Returns the command line, or refuses it if the system cannot start a line of its length.
    pub(super) fn finish(self) -> Result<Vec<OsString>, Refusal> {
        let separator = (!self.texts.is_empty()).then(|| "--".to_owned());
        let words: Vec<String> = self.options.into_iter().chain(separator).chain(self.texts).collect();
        let bytes: usize = words.iter().map(String::len).sum();
        if bytes > MOST {
            return Err(format!("expected at most {MOST} bytes of input, found {bytes}"));
        }
        Ok(words.into_iter().map(OsString::from).collect())
    }
}
