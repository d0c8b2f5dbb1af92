//! A person's editor on a file.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::ExitStatus;

use super::attached::attached;
use super::environment::Environment;
use crate::error::{Error, Result};
use crate::shell::strict;

/// Editors that take `FILE:LINE` and would open `+LINE` as a file of its own, each with the option that this needs.
const FILE_AND_LINE: [(&str, Option<&str>); 7] = [
    ("code", Some("--goto")),
    ("code-insiders", Some("--goto")),
    ("codium", Some("--goto")),
    ("cursor", Some("--goto")),
    ("hx", None),
    ("subl", None),
    ("zed", None),
];

/// Runs `$VISUAL`, else `$EDITOR`, else `vi` on `file`, on the terminal of `plan`, and returns how it ended. `line` is where it is
/// to stand, from 1.
///
/// # Errors
/// [`crate::error::Kind::Input`]: the variable holds something else than a program with its arguments.
/// [`crate::error::Kind::Unknown`]: it cannot be started.
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

/// The words that name the file and the line to this editor.
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
