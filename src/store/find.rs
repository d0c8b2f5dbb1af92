//! Finds plan.md for a caller that needs one, and suggests a next step if there is none.

use std::path::Path;

use super::other_tool::OtherPlan;
use super::place::{Place, look};
use crate::error::{Error, Result};

/// Finds the plan: `file` (from `--file` or `PLAN_FILE`), otherwise the nearest `plan.md` in `cwd` or above it, up to the
/// repository root. Without git only `cwd` is searched (`CLI.md`, Everywhere). `file` is relative to `cwd`.
///
/// # Errors
/// [`crate::error::Kind::Input`]: there is no plan; it is not a regular file; it is a symbolic link that leads nowhere or
/// out of the repository.
pub fn find(cwd: &Path, file: Option<&Path>) -> Result<Place> {
    match look(cwd, file)? {
        Some(place) => Ok(place),
        None => {
            let other = if file.is_none() { OtherPlan::below(cwd) } else { None };
            Err(no_plan(file, other.as_ref()))
        }
    }
}

/// The error for a missing plan. `other` is a plan.md of another tool; it is only looked for if the caller named no file.
fn no_plan(file: Option<&Path>, other: Option<&OtherPlan>) -> Error {
    let message = match file {
        Some(file) => format!("there is no `{}`", file.display()),
        None => "there is no `plan.md` in this folder or above it in the repository".to_owned(),
    };
    match other {
        Some(other) => Error::input(format!("{message}; {}", other.describe())).hint(format!("`{}`", other.command)),
        None => Error::input(message).hint("`plan init \"objective\"` writes one"),
    }
}
