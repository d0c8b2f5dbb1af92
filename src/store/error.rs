//! Errors and notes of this room: their wording is all here.

use std::fs::Metadata;
use std::io;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

use rustix::io::Errno;

use crate::error::{Error, Kind};

/// The plan file, or its folder, could not be `done` (read, written, found).
pub(super) fn plan(done: &str, file: &Path, error: &io::Error) -> Error {
    let shown = file.display();
    let found = Error::input(format!("`{shown}` could not be {done}: {}", reason(error)));
    match Errno::from_io_error(error) {
        Some(Errno::NOSPC | Errno::DQUOT) => {
            found.hint("the file is as it was: free some space on its file system, then run it again")
        }
        Some(Errno::ROFS) => found.hint("the file is as it was: mount its file system for writing, or work on a copy"),
        Some(Errno::ACCESS) => found.hint(format!("look at the permissions of `{shown}` and of its folder (`ls -ld`)")),
        Some(Errno::PERM) => found.hint(format!(
            "`{shown}` or its folder may be immutable (`lsattr -d`) or belong to someone else (`ls -ld`)"
        )),
        Some(Errno::BUSY) => found.hint(format!(
            "`{shown}` is a mount point of its own: mount its folder instead, a file is replaced by renaming"
        )),
        Some(Errno::LOOP) => found.hint("a symbolic link took its place, or links lead in a circle (`ls -l`)"),
        _ => found,
    }
}

/// The state folder could not be used, mostly because a sandbox guards the git directory. Only errors of the state folder
/// have [`Kind::Unknown`] in this room, so that a caller can tell them apart (`SIGNOFF.md` §1).
pub fn state(path: &Path, error: &io::Error) -> Error {
    let shown = path.display();
    let found = Error::new(Kind::Unknown, format!("`{shown}` could not be written: {}", reason(error))).harmless();
    match Errno::from_io_error(error) {
        Some(Errno::NOSPC | Errno::DQUOT) => found.hint("free some space on its file system, then run it again"),
        Some(Errno::ROFS | Errno::ACCESS | Errno::PERM) => {
            found.hint("in an agent's sandbox: call the tool of `plan mcp` instead, or run it outside the sandbox")
        }
        Some(Errno::ISDIR) => found.hint("move that folder away: `plan` keeps a file of its own there"),
        _ => found,
    }
}

/// A file of the state folder could not be removed.
pub(super) fn unremoved(path: &Path, error: &io::Error) -> Error {
    let found = Error::new(Kind::Unknown, format!("`{}` could not be removed: {}", path.display(), reason(error)));
    match Errno::from_io_error(error) {
        Some(Errno::ISDIR) => found.hint("move that folder away: `plan` keeps a file of its own there"),
        _ => found.hint("check the permissions of its folder (`ls -ld`), then remove it by hand"),
    }
}

/// The state folder, or a file in it, is a link or another kind of file.
pub(super) fn state_taken(path: &Path) -> Error {
    Error::new(Kind::Unknown, format!("`{}` is not a folder of `plan`'s own", path.display()))
        .harmless()
        .hint("move it away: `plan` keeps its lock and its undo copies there, and follows no symbolic link")
}

/// There is neither a repository nor a home.
pub(super) fn homeless() -> Error {
    Error::new(Kind::Unknown, "there is no git repository and no `HOME` to keep the lock and undo copies in")
        .harmless()
        .hint("run `git init` here, or set `XDG_STATE_HOME` to an absolute path")
}

pub(super) fn locked(lock: &Path, seconds: u64) -> Error {
    Error::new(
        Kind::Changed,
        format!("another `plan` is writing: `{}` was not free within {seconds} s; nothing was written", lock.display()),
    )
    .hint("run it again; `fuser` on that path names the process that holds it")
}

pub(super) fn nameless(file: &Path) -> Error {
    Error::input(format!("`{}` names no file", file.display())).hint("name the plan file itself, `docs/plan.md`")
}

pub(super) fn exists(file: &Path) -> Error {
    Error::input(format!("`{}` already exists; nothing was written", file.display())).hint("`plan` shows it")
}

pub(super) fn dangling(file: &Path, link: &Path) -> Error {
    let target = std::fs::read_link(link).map(|to| format!(" to `{}`", to.display())).unwrap_or_default();
    Error::input(format!("`{}` is a symbolic link{target}, and its target does not exist", file.display()))
        .hint("fix the link, or remove it and run `plan init`")
}

pub(super) fn not_a_file(file: &Path, meta: &Metadata) -> Error {
    let kind = meta.file_type();
    let what = if kind.is_dir() {
        "a folder"
    } else if kind.is_fifo() {
        "a named pipe"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    };
    Error::input(format!("`{}` is {what}, expected a regular file", file.display())).hint(
        match kind.is_dir() && !file.ends_with("plan.md") {
            true => format!("name the file in it: `--file {}`", file.join("plan.md").display()),
            false => "move it away, or name another file with `--file`".to_owned(),
        },
    )
}

pub(super) fn outside(file: &Path, target: &Path, bound: &Path) -> Error {
    let (shown, target, bound) = (file.display(), target.display(), bound.display());
    Error::input(format!("`{shown}` leads to `{target}`, expected a file of the work tree `{bound}`"))
        .hint("name the file itself with `--file`, if that is the plan you mean")
}

pub(super) fn folder(folder: &Path, error: &io::Error) -> Error {
    Error::input(format!("the folder `{}` could not be used: {}", folder.display(), reason(error)))
        .hint("look at it with `ls -ld`")
}

pub(super) fn too_long(file: &Path, limit: u64) -> Error {
    Error::input(format!("`{}` is longer than {} MiB", file.display(), limit >> 20)).hint("is this the right file?")
}

pub(super) fn unstable(file: &Path) -> Error {
    Error::new(Kind::Changed, format!("`{}` changes faster than it can be read; nothing was written", file.display()))
        .hint("another program is saving it: run it again when that is done")
}

pub(super) fn write_protected(file: &Path) -> Error {
    Error::input(format!("`{}` is write-protected; nothing was written", file.display()))
        .hint(format!("`chmod u+w {}` makes it writable, if that is what you want", file.display()))
}

pub(super) fn gone(file: &Path) -> Error {
    Error::new(Kind::Changed, format!("`{}` was removed or moved meanwhile; nothing was written", file.display()))
        .hint("run it again where the file is now")
}

/// Someone saved while `plan` wrote, and the change does not fit their version. `why` is the error of the change itself.
pub(super) fn overtaken(file: &Path, why: Option<&Error>) -> Error {
    let shown = file.display();
    let found = Error::new(
        Kind::Changed,
        format!("`{shown}` was saved by someone else meanwhile; their version is kept, nothing was written"),
    );
    match why.filter(|why| why.kind != Kind::Changed) {
        Some(why) => found.hint(format!("the change does not apply to their version: {}", why.message)),
        None => found.hint("run it again when they are done"),
    }
}

/// Like [`overtaken`], but their version was made from ours, which was in place for a moment, and holds a part of it.
pub(super) fn overtaken_in_part(file: &Path) -> Error {
    let shown = file.display();
    Error::new(
        Kind::Changed,
        format!(
            "`{shown}` was saved by someone else meanwhile; their version is kept, and part of your change is in it"
        ),
    )
    .hint(format!("see the missing part with `git diff {shown}`, then add it"))
}

pub(super) fn bad_edits(file: &Path, why: &str) -> Error {
    Error::input(format!("the change to `{}` {why}; nothing was written", file.display()))
        .hint("this is a mistake in `plan`: please report it")
}

pub(super) fn no_version(file: &Path) -> Error {
    Error::new(Kind::No, format!("no other version of `{}` is kept", file.display()))
        .hint("`plan` keeps versions from its first write on; `git log` has the committed ones")
}

/// Note: a version was kept that its author may look for.
pub(super) fn kept(file: &Path, what: &str) -> String {
    format!("a version of `{}` {what} is kept: `plan undo --list`", file.display())
}

/// Note: someone wrote into a version that had been replaced.
pub(super) fn late(file: &Path) -> String {
    let shown = file.display();
    format!(
        "a program wrote into an older version of `{shown}` that it had open; those lines are not in `{shown}`, but are \
         kept: `plan undo --list`"
    )
}

/// Note: a write gave plan.md a new file, and another name (a hard link) still refers to the old one.
pub(super) fn linked(file: &Path, inode: u64) -> String {
    let shown = file.display();
    format!(
        "`{shown}` had another name (a hard link), which keeps the version before: `find . -xdev -inum {inode}` names it, \
         `ln -f {shown} NAME` makes the two one file again"
    )
}

/// Note: the file is in its place, but its folder may not be on the disk yet.
pub(super) fn unflushed(file: &Path, error: &io::Error) -> String {
    format!("`{}` is written, but a power failure could undo it: {}", file.display(), reason(error))
}

/// Note: text is lost that was saved into the displaced version during the write.
pub(super) fn lost(file: &Path, error: &io::Error) -> String {
    format!("text that was saved into `{}` during this write could not be kept: {}", file.display(), reason(error))
}

/// Note: a displaced version could not be moved to the backups.
pub(super) fn stays(path: &Path, error: &io::Error) -> String {
    format!("the earlier version is still at `{}`; it could not be moved: {}", path.display(), reason(error))
}

/// The system's error text, without the error number.
pub fn reason(error: &io::Error) -> String {
    let text = match Errno::from_io_error(error) {
        Some(Errno::NOSPC) => "no space left on its file system".to_owned(),
        Some(Errno::DQUOT) => "the disk quota is used up".to_owned(),
        Some(Errno::ROFS) => "its file system is read-only".to_owned(),
        Some(Errno::ACCESS) => "permission denied".to_owned(),
        Some(Errno::PERM) => "operation not permitted".to_owned(),
        Some(Errno::LOOP) => "it is a symbolic link, expected a regular file".to_owned(),
        _ => error.to_string(),
    };
    text.split(" (os error").next().unwrap_or(&text).to_lowercase()
}
