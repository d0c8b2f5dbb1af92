//! The input of a tool, field by field: what is left at the end was not asked for.

use std::ffi::OsString;

use serde_json::{Map, Value};

/// One argument reaches a program only up to 128 KiB (Linux); all together stay below what the system takes.
const MOST: usize = 100_000;

/// The fields that nobody has taken yet.
pub(super) struct Input {
    fields: Map<String, Value>,
    known: Vec<&'static str>,
}

/// Why an input is refused, in one line.
pub(super) type Refusal = String;

impl Input {
    pub(super) fn new(mut fields: Map<String, Value>) -> Self {
        fields.retain(|_, value| !value.is_null());
        Input { fields, known: Vec::new() }
    }

    /// A text; a number counts as one, for models write steps so.
    pub(super) fn text(&mut self, name: &'static str) -> Result<Option<String>, Refusal> {
        self.take(name).map(|value| text(name, value)).transpose()
    }

    /// A text that must be there.
    pub(super) fn needed(&mut self, name: &'static str) -> Result<String, Refusal> {
        self.text(name)?.ok_or_else(|| format!("expected `{name}`, found none"))
    }

    /// Texts; a single one counts as a list of one.
    pub(super) fn list(&mut self, name: &'static str) -> Result<Vec<String>, Refusal> {
        match self.take(name) {
            None => Ok(Vec::new()),
            Some(Value::Array(values)) => values.into_iter().map(|value| text(name, value)).collect(),
            Some(value) => Ok(vec![text(name, value)?]),
        }
    }

    /// True or false; not there is false.
    pub(super) fn flag(&mut self, name: &'static str) -> Result<bool, Refusal> {
        match self.take(name) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(flag),
            Some(other) => Err(format!("expected true or false for `{name}`, found {other}")),
        }
    }

    /// Nothing may be left.
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

/// A command line, put together so that no text can pass for an option.
#[derive(Debug, Default)]
pub(super) struct Argv {
    options: Vec<String>,
    texts: Vec<String>,
}

impl Argv {
    /// The words of the verb.
    pub(super) fn of(verb: &[&str]) -> Self {
        Argv { options: verb.iter().map(|word| (*word).to_owned()).collect(), texts: Vec::new() }
    }

    /// `--name=value`, for each.
    pub(super) fn option(mut self, name: &str, values: impl IntoIterator<Item = String>) -> Self {
        self.options.extend(values.into_iter().map(|value| format!("--{name}={value}")));
        self
    }

    /// `--name`, where it is so.
    pub(super) fn flag(mut self, name: &str, is_set: bool) -> Self {
        self.options.extend(is_set.then(|| format!("--{name}")));
        self
    }

    /// Behind the `--`.
    pub(super) fn texts(mut self, values: impl IntoIterator<Item = String>) -> Self {
        self.texts.extend(values);
        self
    }

    /// The whole, which must not be too long for the system.
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
