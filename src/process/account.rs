//! The home that the system's user database has for this user, whatever the environment says of it.

use std::path::{Path, PathBuf};

use super::capture::capture;
use super::environment::Environment;
use super::launched::own_program;

/// What stands behind `plan` to print its home, as the standard library has it.
pub const VERB: &str = "__home";

/// The account's home; none where the database has no entry for this user.
///
/// The standard library asks the database where `HOME` is not set, and a process cannot safely unset a variable of its own:
/// so `plan` is started once more without it.
pub fn home() -> Option<PathBuf> {
    let environment = Environment::inherited().remove("HOME");
    let said = capture(own_program(None).ok()?, [VERB], Path::new("/"), &environment, b"").ok()?;
    let home = PathBuf::from(String::from_utf8(said.stdout).ok()?);
    home.is_absolute().then_some(home)
}
