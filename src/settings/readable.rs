//! Whether a client can read what stands in its own settings file already: hooks in a file that it drops are no hooks.

use std::path::Path;

use super::edit::Edit;
use super::json;
use super::obstacle::Obstacle;
use crate::error::{Error, Result};
use crate::host::Host;
use crate::host::setup::{Content, Piece, Scope, SetupRequest};

/// The edits that take out of a file what the client's reader does not take: the client would drop all of it, and the install
/// with it. None where it takes all.
///
/// # Errors
/// [`crate::error::Kind::Input`] where there is such a thing, and it is not asked to be taken out.
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
    let scope = if request.scope == Scope::User { " --scope user" } else { "" };
    let error = Error::input(format!(
        "line {line} of `{}` has {what}: `{name}` cannot read the file with it, and would drop all of it",
        path.display()
    ));
    Err(error.hint(format!(
        "nothing was written; to take it out: plan install {name}{scope} --remove-comments (`plan uninstall {name}{scope}` puts it back)"
    )))
}
