//! The reasons why a settings file cannot be changed.

use std::path::Path;

use crate::error::{Error, Kind};

/// The reason that prevents a change, in one line.
#[derive(Debug)]
pub(super) enum Obstacle {
    /// Something else is in the place of our entry.
    Taken(String),
    /// Our entry cannot be separated from others.
    Joined(String),
    /// The text cannot be read, or cannot be changed without changing its meaning.
    Unfit(String),
}

impl Obstacle {
    pub(super) fn why(&self) -> &str {
        match self {
            Obstacle::Taken(why) | Obstacle::Joined(why) | Obstacle::Unfit(why) => why,
        }
    }

    /// Returns the error for the file at `path`, with a hint.
    pub(super) fn at(&self, path: &Path) -> Error {
        let (kind, next) = match self {
            Obstacle::Taken(_) => (Kind::Refused, "rename or remove it"),
            Obstacle::Joined(_) => (Kind::Input, "delete its lines by hand"),
            Obstacle::Unfit(_) => (Kind::Input, "fix that by hand"),
        };
        Error::new(kind, format!("cannot change `{}`: {}", path.display(), self.why()))
            .hint(format!("nothing was written; {next}, then run the command again"))
    }
}

impl From<String> for Obstacle {
    fn from(why: String) -> Self {
        Obstacle::Unfit(why)
    }
}
