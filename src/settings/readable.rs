//! Checks that a client can read its own settings file. Hooks in a file that the client ignores would never run.

use std::path::Path;

use super::edit::Edit;
use super::json;
use super::obstacle::Obstacle;
use crate::error::{Error, Result};
use crate::host::Host;
use crate::host::setup::{Content, Piece, SetupRequest, SetupScope};

/// Returns the edits that remove everything that the client's reader does not accept, because the client would ignore the whole
/// file, including our entries. Empty if the reader accepts all of it.
///
/// # Errors
/// [`crate::error::Kind::Input`] if the file has such text and `--remove-comments` was not given.
pub(super) fn readable(
    host: &dyn Host,
    request: &SetupRequest<'_>,
    piece: &Piece,
    path: &Path,
    text: &str,
) -> Result<Vec<Edit>> {
    if !matches!(piece.content, Content::Json(_)) {
        return Ok(Vec::new());
    }
    let parts = json::beyond(text, piece.dialect).map_err(|why| Obstacle::from(why).at(path))?;
    let Some(first) = parts.first().filter(|_| !request.remove_comments) else {
        return json::without(text, &parts).map_err(|why| Obstacle::from(why).at(path));
    };
    let (name, line, what) = (host.name(), first.line(text), first.what);
    let scope = if request.scope == SetupScope::User { " --scope user" } else { "" };
    let error = Error::input(format!(
        "line {line} of `{}` has {what}: `{name}` cannot read that and would ignore the whole file",
        path.display()
    ));
    Err(error.hint(format!(
        "nothing was written; to remove it: plan install {name}{scope} --remove-comments (`plan uninstall {name}{scope}` restores it)"
    )))
}
