//! The user's home in the system's user database, independent of the environment.

use std::path::{Path, PathBuf};

use super::capture::capture;
use super::environment::Environment;
use super::launched::own_program;

/// The argument that makes `plan` print its home, as the standard library finds it.
pub const VERB: &str = "__home";

/// Returns the account's home; `None` if the database has no entry for this user.
///
/// The standard library asks the database only if `HOME` is not set, and a process cannot safely unset a variable of its
/// own. So this starts `plan` once more without `HOME`.
pub fn home() -> Option<PathBuf> {
    let environment = Environment::inherited().remove("HOME");
    let said = capture(own_program(None).ok()?, [VERB], Path::new("/"), &environment, b"").ok()?;
    let home = PathBuf::from(String::from_utf8(said.stdout).ok()?);
    home.is_absolute().then_some(home)
}
