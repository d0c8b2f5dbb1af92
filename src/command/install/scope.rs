//! The option `--scope`.

use crate::host::setup::SetupScope;

/// The owner of the settings that are changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum ScopeOption {
    /// The repository's: its files, and git's configuration of it.
    #[default]
    Project,
    /// The user's own.
    User,
}

impl ScopeOption {
    pub(super) const fn word(self) -> &'static str {
        match self {
            ScopeOption::Project => "project",
            ScopeOption::User => "user",
        }
    }

    pub(super) const fn of_setup(self) -> SetupScope {
        match self {
            ScopeOption::Project => SetupScope::Project,
            ScopeOption::User => SetupScope::User,
        }
    }
}
