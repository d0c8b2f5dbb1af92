//! The error type: kind, message and hints are separate, and one table maps each kind to its exit code (`CLI.md`, exit codes).

use std::fmt;

use serde::ser::{Serialize, SerializeStruct, Serializer};

/// The reason why a command fails. Each kind has one exit code, the same for every command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The answer is no: rejected, findings, a check failed, nothing left.
    No,
    /// The call or its input is wrong: usage, unknown or ambiguous id, unparsable verify, bad file.
    Input,
    /// The answer cannot be known: the judge is missing, timed out, crashed, or gave no verdict.
    Unknown,
    /// Refused by the approved contract or by the state.
    Refused,
    /// plan.md changed meanwhile, or its lock was not free in time; nothing written.
    Changed,
    /// Interrupted; nothing written.
    Interrupted,
}

impl Kind {
    /// Returns the process exit code of this kind.
    pub const fn code(self) -> u8 {
        match self {
            Kind::No => 1,
            Kind::Input => 2,
            Kind::Unknown => 3,
            Kind::Refused => 4,
            Kind::Changed => 5,
            Kind::Interrupted => 130,
        }
    }

    /// Returns the word that `--json` shows for this kind.
    pub const fn word(self) -> &'static str {
        match self {
            Kind::No => "no",
            Kind::Input => "input",
            Kind::Unknown => "unknown",
            Kind::Refused => "refused",
            Kind::Changed => "changed",
            Kind::Interrupted => "interrupted",
        }
    }
}

/// An error as a person reads it: what was expected and found, where, and what to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The kind, which decides the exit code.
    pub kind: Kind,
    /// One or more lines, lower case, names in backticks, no final newline.
    pub message: String,
    /// The next things to do, a line each.
    pub hints: Vec<String>,
    /// True if nothing was changed before the error; the text then ends with that.
    pub is_harmless: bool,
}

impl Error {
    /// Creates an error without hints.
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Error { kind, message: message.into(), hints: Vec::new(), is_harmless: false }
    }

    /// Creates an error of the most frequent kind, [`Kind::Input`].
    pub fn input(message: impl Into<String>) -> Self {
        Error::new(Kind::Input, message)
    }

    /// Marks the error as one before which nothing was changed.
    #[must_use]
    pub fn harmless(mut self) -> Self {
        self.is_harmless = true;
        self
    }

    /// Adds a line that says what to do next.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }
}

impl Serialize for Error {
    /// Serializes as under `--json`: `{ "kind": …, "message": …, "hints": […] }`.
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Error", 3)?;
        fields.serialize_field("kind", self.kind.word())?;
        fields.serialize_field("message", &self.to_string())?;
        fields.serialize_field("hints", &self.hints)?;
        fields.end()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        f.write_str(if self.is_harmless { "; nothing was changed" } else { "" })
    }
}

impl std::error::Error for Error {}

/// The result of everything that a command does.
pub type Result<T> = std::result::Result<T, Error>;
