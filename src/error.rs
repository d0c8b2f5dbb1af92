//! What went wrong, said once: kind, message and hints apart, and one table from kind to exit code (`CLI.md`, exit codes).

use std::fmt;

use serde::ser::{Serialize, SerializeStruct, Serializer};

/// Why a command ends the way it does. Each kind has one exit code, the same for every command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The honest answer is no: rejected, findings, a check failed, nothing left.
    No,
    /// The call or its input is wrong: usage, unknown or ambiguous id, unparsable verify, bad file.
    Input,
    /// It could not be told: judge missing, timed out, crashed, gave no verdict.
    Unknown,
    /// Refused by the approved contract or by the state.
    Refused,
    /// plan.md changed meanwhile, or its lock was not free in time; nothing written.
    Changed,
    /// Interrupted; nothing written.
    Interrupted,
}

impl Kind {
    /// The process exit code of this kind.
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

    /// The word that `--json` shows for this kind.
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
    /// Decides the exit code.
    pub kind: Kind,
    /// One or more lines, lower case, names in backticks, no final newline.
    pub message: String,
    /// What to do next, a line each.
    pub hints: Vec<String>,
    /// Nothing was changed before it came to this: said behind the message.
    pub is_harmless: bool,
}

impl Error {
    /// An error without hints.
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Error { kind, message: message.into(), hints: Vec::new(), is_harmless: false }
    }

    /// Shorthand for [`Kind::Input`], by far the most frequent.
    pub fn input(message: impl Into<String>) -> Self {
        Error::new(Kind::Input, message)
    }

    /// Says that nothing was changed.
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
    /// `{ "kind": …, "message": …, "hints": […] }`, as under `--json`.
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
