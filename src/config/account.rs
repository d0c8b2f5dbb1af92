//! The configuration of the user's account. The judged party often sets the environment in which `plan` runs, so the environment
//! does not decide which configuration counts.

use std::path::{Path, PathBuf};

use super::{Config, folder, load, load_from};
use crate::error::Result;
use crate::process::account;
use crate::shell::quote;

/// For tests, only in builds with debug assertions: `PID:HOME`, the ancestor at which the search for an agent ends, and the home of
/// the account. A release does not read this variable.
#[cfg(debug_assertions)]
const PLAN_TEST_ACCOUNT: &str = "PLAN_TEST_ACCOUNT";

/// The account's settings, independent of `HOME` and `XDG_CONFIG_HOME`.
#[derive(Clone, Debug, Default)]
pub struct Account {
    /// The configuration in the account's own home.
    pub config: Config,
    /// The account's home and the environment's configuration folder, if that folder is not in this home.
    pub elsewhere: Option<(PathBuf, PathBuf)>,
}

/// Reads the configuration in the account's own home, which the system's user database names: the judged party often sets the
/// environment, and so decides where [`load`] looks. For a user that the database does not know, the result is that of [`load`].
pub fn account() -> Result<Account> {
    let home = test_account().map(|(_, home)| home).or_else(account::home);
    let Some(home) = home else { return Ok(Account { config: load()?, elsewhere: None }) };
    let own = home.join(".config/plan");
    let real = |folder: &Path| folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let elsewhere = folder().filter(|folder| real(folder) != real(&own)).map(|folder| (home, folder));
    Ok(Account { config: load_from(&own)?, elsewhere })
}

/// Returns the commands that make a judge the user's own, wherever the environment leads: one sets it in the account's
/// configuration, the other asks it.
pub fn own_judge_commands(goal: &str, judge: &str) -> (String, String) {
    let (set, complete) = (format!("plan judge set {judge}"), format!("plan complete {goal}"));
    match account().ok().and_then(|account| account.elsewhere) {
        None => (set, complete),
        // `complete` reads the environment's configuration, so the judge is named in its command.
        Some((home, _)) => {
            let home = quote(&home.to_string_lossy());
            (format!("env -u XDG_CONFIG_HOME HOME={home} {set}"), format!("{complete} --judge {judge}"))
        }
    }
}

/// Returns the ancestor at which the search for an agent ends. Only tests set one.
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
