//! prd.json, schema version 1: the plan as user stories. It is read and written strictly, in no other version.
//!
//! [`SCHEMA`] is the format and [`RULES`](quality::RULES) are the quality rules, as in docs/stories.md.

pub mod export;
mod import;
pub mod lint;
pub mod quality;
mod read;
#[cfg(test)]
mod tests;
mod wording;
mod words;

use serde::Serialize;
use serde_json::{Map, Value};

pub use import::{READER, tasks};
pub use read::{Refusal, placed, read};

/// The JSON schema, as `plan export prd --schema` prints it.
pub const SCHEMA: &str = include_str!("prd.schema.json");

/// The only schema version that is read and written.
pub const VERSION: i64 = 1;

/// A prd.json.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Prd {
    /// Always [`VERSION`].
    pub schema_version: i64,
    /// The item: a short name of the whole work.
    pub id: String,
    /// The branch of the work.
    pub branch_name: String,
    /// The stories, in the order of the file.
    pub user_stories: Vec<Story>,
    /// Keys of the document that the format does not know. They are written back.
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

/// A user story.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Story {
    /// `US-001`, `US-073-001`, or any other id of the file.
    pub id: String,
    /// The outcome: what will be true.
    pub title: String,
    /// The criteria that show the outcome.
    pub acceptance_criteria: Vec<String>,
    /// 1 (core) to 4 (optional). The quality rules report other numbers.
    pub priority: i64,
    /// Whether it is done.
    pub status: Status,
    /// Anything else; may be empty.
    pub notes: String,
    /// Keys of the story that the format does not know. They are written back.
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

/// The status of a story.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Not signed off.
    #[default]
    Pending,
    /// Signed off.
    Done,
}

impl Status {
    /// The words of the format, in the order of the variants.
    pub const WORDS: [&str; 2] = ["pending", "done"];
}

impl Prd {
    /// Returns the file's content, indented by two spaces, with a newline at the end.
    ///
    /// # Errors
    /// The violations of the schema.
    pub fn write(&self) -> Result<String, Refusal> {
        let text = serde_json::to_string_pretty(self).unwrap_or_default() + "\n";
        read(text.as_bytes()).map(|_| text)
    }
}
