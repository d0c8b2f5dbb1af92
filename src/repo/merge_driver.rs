//! The merge driver of plan.md: two settings of git, and the line of `.gitattributes` that selects it (`gitattributes(5)`).

use std::path::Path;

use super::{MERGE_VERB, attributes};
use crate::error::Result;

/// The setting that holds the command.
pub const DRIVER: &str = "merge.plan.driver";
/// The setting that holds the name.
pub const NAME: &str = "merge.plan.name";
/// The value of the name setting.
pub const TITLE: &str = "plan.md by its goals, steps and log";

/// The line that selects the driver for `path`, relative to the top of the work tree.
pub fn line(path: &Path) -> String {
    format!("{} merge=plan", attributes::pattern(path))
}

/// Adds `line` to the repository's `.gitattributes`. Returns false if the line is there already.
///
/// # Errors
/// As [`attributes::read`] and [`attributes::write`].
pub fn put_line(top: &Path, line: &str) -> Result<bool> {
    let text = attributes::read(top)?;
    let Some(text) = attributes::with(text.as_deref(), line) else { return Ok(false) };
    attributes::write(top, Some(&text))?;
    Ok(true)
}

/// True if an install of `plan` wrote this command.
pub fn is_ours(command: &str) -> bool {
    command.contains(&call())
}

/// The program that our command calls; `None` for a command of others.
pub fn program(command: &str) -> Option<String> {
    let quoted = command.split_once(&call())?.0.replace(r"'\''", "\0");
    Some(quoted.strip_prefix('\'')?.strip_suffix('\'')?.replace('\0', "'").replace("%%", "%"))
}

fn call() -> String {
    format!(" {MERGE_VERB} %O %A %B ")
}

/// The command that git passes to `sh`. It names the program by its absolute path, because another `plan` on `PATH` may not be
/// ours. If the program is missing or fails, git merges the text. Otherwise the work tree would hold our version without markers,
/// and theirs would be lost with the next commit.
pub fn command(program: &str) -> String {
    let program = format!("'{}'", program.replace('\'', r"'\''")).replace('%', "%%");
    format!(
        "{program}{}%L %P %S %X %Y; s=$?; if test $s -gt 1 && test $s -lt 128; then \
         echo 'plan could not merge: merged as plain text; plan install git sets the driver up again' >&2; \
         git merge-file --marker-size=%L -L ours -L base -L theirs %A %O %B; s=$?; fi; exit $s",
        call()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_of_a_command_is_found_whatever_its_name() {
        for name in ["/usr/bin/plan", "/a b/it's/plan", "/50%/plan"] {
            let command = command(name);
            assert!(is_ours(&command), "{command}");
            assert_eq!(program(&command).as_deref(), Some(name));
        }
        assert_eq!(program("mergiraf merge %O %A %B"), None);
    }
}
