//! The account behind the environment: the party that is judged often sets the environment in which `plan` runs.

use std::path::{Path, PathBuf};

use super::{Config, folder, load, load_from};
use crate::error::Result;
use crate::process::account;

/// For tests, in builds with debug assertions alone: `PID:HOME`, the ancestor at which the search for an agent ends and the
/// home of the account. A release reads no such variable.
#[cfg(debug_assertions)]
const PLAN_TEST_ACCOUNT: &str = "PLAN_TEST_ACCOUNT";

/// What the account has set, wherever `HOME` and `XDG_CONFIG_HOME` lead.
#[derive(Clone, Debug, Default)]
pub struct Account {
    /// The configuration in the account's own home.
    pub config: Config,
    /// The account's home and the folder that the environment leads to, where that is not the one in this home.
    pub elsewhere: Option<(PathBuf, PathBuf)>,
}

/// Reads the configuration in the account's own home, by the system's user database: the party that is judged often sets the
/// environment, and with it where [`load`] looks. A user that the database does not know has what [`load`] finds.
pub fn account() -> Result<Account> {
    let home = test_account().map(|(_, home)| home).or_else(account::home);
    let Some(home) = home else { return Ok(Account { config: load()?, elsewhere: None }) };
    let own = home.join(".config/plan");
    let real = |folder: &Path| folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let elsewhere = folder().filter(|folder| real(folder) != real(&own)).map(|folder| (home, folder));
    Ok(Account { config: load_from(&own)?, elsewhere })
}

/// The ancestor at which the search for an agent ends: none, but for tests.
pub fn outermost_ancestor() -> Option<u32> {
    test_account().map(|(pid, _)| pid)
}

#[cfg(debug_assertions)]
fn test_account() -> Option<(u32, PathBuf)> {
    let value = std::env::var(PLAN_TEST_ACCOUNT).ok()?;
    let (pid, home) = value.split_once(':')?;
    Some((pid.parse().ok()?, home.into()))
}

#[cfg(not(debug_assertions))]
const fn test_account() -> Option<(u32, PathBuf)> {
    None
}
