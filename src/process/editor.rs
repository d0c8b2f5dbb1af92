//! Opens a file in the user's editor.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::ExitStatus;

use super::attached::attached;
use super::environment::Environment;
use crate::error::{Error, Result};
use crate::shell::strict;

/// Editors that accept `FILE:LINE`, and would open `+LINE` as a separate file. Each has the option that `FILE:LINE` needs.
const FILE_AND_LINE: [(&str, Option<&str>); 7] = [
    ("code", Some("--goto")),
    ("code-insiders", Some("--goto")),
    ("codium", Some("--goto")),
    ("cursor", Some("--goto")),
    ("hx", None),
    ("subl", None),
    ("zed", None),
];

/// Runs `$VISUAL`, or else `$EDITOR`, or else `vi` on `file`, on the terminal of `plan`, and returns its exit status. `line` is
/// the line of the cursor, counted from 1.
///
/// # Errors
/// [`crate::error::Kind::Input`]: the variable does not hold one program with its arguments.
/// [`crate::error::Kind::Unknown`]: the editor cannot be started.
pub fn edit(file: &Path, line: Option<usize>, cwd: &Path) -> Result<ExitStatus> {
    let of = |variable: &str| std::env::var(variable).ok().filter(|line| !line.trim().is_empty());
    let told = of("VISUAL").or_else(|| of("EDITOR")).unwrap_or_else(|| "vi".to_owned());
    let unfit = || Error::input(format!("`$EDITOR`: expected one program with its arguments, found `{told}`"));
    let sequence = strict::split(&told).map_err(|_| unfit())?;
    let [command] = &sequence.commands[..] else { return Err(unfit()) };
    let argv = command.argv();
    let (program, rest) = argv.split_first().ok_or_else(unfit)?;
    let mut args: Vec<OsString> = rest.iter().map(OsString::from).collect();
    args.extend(place(program, file.as_os_str(), line));
    attached(OsStr::new(program), &args, cwd, &Environment::inherited().set_all(command.env.clone()))
}

/// The arguments that tell this editor the file and the line.
fn place(program: &str, file: &OsStr, line: Option<usize>) -> Vec<OsString> {
    let Some(line) = line else { return vec![file.to_owned()] };
    let name = Path::new(program).file_name().unwrap_or_default();
    match FILE_AND_LINE.iter().find(|(known, _)| name == *known) {
        Some((_, option)) => {
            let mut both = file.to_owned();
            both.push(format!(":{line}"));
            option.iter().map(OsString::from).chain([both]).collect()
        }
        None => vec![format!("+{line}").into(), file.to_owned()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_editor_is_told_the_line_as_it_takes_it() {
        let words = |program: &str, line| place(program, OsStr::new("a b.md"), line).join(OsStr::new("|"));
        assert_eq!(words("vi", Some(12)), "+12|a b.md");
        assert_eq!(words("/usr/bin/nano", Some(12)), "+12|a b.md");
        assert_eq!(words("/opt/bin/code", Some(12)), "--goto|a b.md:12");
        assert_eq!(words("hx", Some(12)), "a b.md:12");
        assert_eq!(words("code", None), "a b.md");
    }
}
