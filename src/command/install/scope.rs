//! The option `--scope`.

use crate::host::setup;

/// The owner of the settings that are changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Scope {
    /// The repository's: its files, and git's configuration of it.
    #[default]
    Project,
    /// The user's own.
    User,
}

impl Scope {
    pub(super) const fn word(self) -> &'static str {
        match self {
            Scope::Project => "project",
            Scope::User => "user",
        }
    }

    pub(super) const fn of_setup(self) -> setup::Scope {
        match self {
            Scope::Project => setup::Scope::Project,
            Scope::User => setup::Scope::User,
        }
    }
}
