//! Why a settings file is left as it is.

use std::path::Path;

use crate::error::{Error, Kind};

/// What stands in the way of a change, each in one line.
#[derive(Debug)]
pub(super) enum Obstacle {
    /// Something else has the place of ours.
    Taken(String),
    /// What is ours does not stand by itself.
    Joined(String),
    /// The text cannot be read, or not be changed without changing what it means.
    Unfit(String),
}

impl Obstacle {
    pub(super) fn why(&self) -> &str {
        match self {
            Obstacle::Taken(why) | Obstacle::Joined(why) | Obstacle::Unfit(why) => why,
        }
    }

    /// The error for the file at `path`, with what a person can do.
    pub(super) fn at(&self, path: &Path) -> Error {
        let (kind, next) = match self {
            Obstacle::Taken(_) => (Kind::Refused, "rename it or take it out"),
            Obstacle::Joined(_) => (Kind::Input, "delete its lines by hand"),
            Obstacle::Unfit(_) => (Kind::Input, "correct that by hand"),
        };
        Error::new(kind, format!("cannot change `{}`: {}", path.display(), self.why()))
            .hint(format!("nothing was written; {next}, then run it again"))
    }
}

impl From<String> for Obstacle {
    fn from(why: String) -> Self {
        Obstacle::Unfit(why)
    }
}
