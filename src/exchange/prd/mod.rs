//! prd.json, schema version 1: the plan as user stories. Read strictly and written strictly; no other version on any path.
//!
//! [`SCHEMA`] is the format, [`RULES`](quality::RULES) the quality rules, as docs/stories.md has them.

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

/// The schema version that is read and written.
pub const VERSION: i64 = 1;

/// A prd.json.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Prd {
    /// Always [`VERSION`].
    pub schema_version: i64,
    /// The item: a short name of the whole.
    pub id: String,
    /// The branch the work is on.
    pub branch_name: String,
    /// In the order of the file.
    pub user_stories: Vec<Story>,
    /// Keys of the document that the format does not know; written again.
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

/// A user story.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Story {
    /// `US-001`, `US-073-001`, or what else the file says.
    pub id: String,
    /// What will be true.
    pub title: String,
    /// How it is told.
    pub acceptance_criteria: Vec<String>,
    /// 1 (core) to 4 (optional); other numbers are for the quality rules to name.
    pub priority: i64,
    /// Whether it is finished.
    pub status: Status,
    /// Anything else; may be empty.
    pub notes: String,
    /// Keys of the story that the format does not know; written again.
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
    /// The bytes of the file: indented by two, a newline at the end.
    ///
    /// # Errors
    /// What the schema says against it.
    pub fn write(&self) -> Result<String, Refusal> {
        let text = serde_json::to_string_pretty(self).unwrap_or_default() + "\n";
        read(text.as_bytes()).map(|_| text)
    }
}
