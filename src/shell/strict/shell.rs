//! Suggests a line in place of words that only a shell knows.

use super::refusal::Reason;
use super::{StrictCommand, WordsError, scan};
use crate::shell::quote;

/// Words that `sh` does not have to know.
const OF_BASH: [&str; 6] = ["[[", "function", "local", "popd", "pushd", "source"];

/// Returns a line that means the same without such words; `None` if the error is about something else.
pub(super) fn instead(line: &str, error: &WordsError) -> Option<String> {
    let shell = match error.reason {
        Reason::ShellWord if OF_BASH.contains(&error.found.as_str()) => "bash",
        Reason::ShellWord => "sh",
        Reason::Braces => "bash",
        _ => return None,
    };
    in_folder(line).or_else(|| Some(format!("{shell} -c {}", quote(line))))
}

/// Turns `cd sub && make test` into `make -C sub test`, for programs that have an option for their folder.
fn in_folder(line: &str) -> Option<String> {
    let [cd, command] =
        <[StrictCommand; 2]>::try_from(scan::Scanner::with_shell_words(line).sequence().ok()?.commands).ok()?;
    let [name, folder] = <[&str; 2]>::try_from(cd.argv()).ok()?;
    if name != "cd" || folder.starts_with('-') || !cd.env.is_empty() || !command.env.is_empty() {
        return None;
    }
    let argv = command.argv();
    let (program, arguments) = argv.split_first()?;
    let folder = folder.trim_end_matches('/');
    let manifest = format!("{folder}/Cargo.toml");
    let mut words = match (*program, arguments.first()) {
        ("make" | "git" | "go", _) => vec![program, "-C", folder],
        ("npm", _) => vec![program, "--prefix", folder],
        ("cargo", Some(verb)) if !verb.starts_with(['+', '-']) => vec![program, verb, "--manifest-path", &manifest],
        ("pytest", _) if arguments.iter().all(|word| word.starts_with('-')) => {
            vec![program, "--rootdir", folder, folder]
        }
        _ => return None,
    };
    words.extend(&arguments[usize::from(*program == "cargo")..]);
    Some(words.iter().map(|word| quote(word)).collect::<Vec<_>>().join(" "))
}
