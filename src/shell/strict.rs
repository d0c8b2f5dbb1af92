//! The strict reader. It splits a line into programs and arguments without a shell, by the rules of POSIX for words (`SIGNOFF.md` §2).
//!
//! ```text
//! line       = command *( "&&" command )              ; `&&` needs no blanks around it
//! command    = *( NAME "=" [word] ) word *( word )
//! word       = 1*( plain / "\" any / "'" *any "'" / DQUOTE *( any / "\" ( "$" / "`" / DQUOTE / "\" ) ) DQUOTE )
//! ```
//!
//! An accepted line means the same to a POSIX shell, except for `[` (below). A word that only a shell knows (`cd`, `export`,
//! `!`) is refused in the place of a program, and so are braces that bash would expand (`{1..3}`, `{a,b}`). Every character
//! with a special meaning to a shell is refused by name, including the two that are special between double quotes too: `$` and
//! the backtick. As in a shell, `#` and `~` are special only at the beginning of a word (and `~` at the beginning of an
//! assignment's value, or after a `:` in it): `HEAD~1` and `a#b` are words. `[` is plain, although a shell takes it for a
//! pattern if a file matches, because users write lines such as `pytest x.py::test[a-1]`.

mod refusal;
mod scan;
#[cfg(test)]
mod tests;

pub use refusal::{Reason, WordsError};
pub use scan::is_shell_word;

use crate::shell::quote;

/// Words that `sh` does not have to know.
const OF_BASH: [&str; 6] = ["[[", "function", "local", "popd", "pushd", "source"];

/// Commands that run in order, up to the first that fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequence {
    /// The commands, at least one.
    pub commands: Vec<StrictCommand>,
}

impl Sequence {
    /// Returns the argv of each command.
    pub fn argvs(&self) -> Vec<Vec<&str>> {
        self.commands.iter().map(|command| command.words.iter().map(|word| word.text.as_str()).collect()).collect()
    }
}

/// One program with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrictCommand {
    /// The `NAME=value` assignments in front of the program, in the order written.
    pub env: Vec<(String, String)>,
    /// The program and its arguments, at least one.
    pub words: Vec<Word>,
}

impl StrictCommand {
    /// The program and its arguments as plain text.
    pub fn argv(&self) -> Vec<&str> {
        self.words.iter().map(|word| word.text.as_str()).collect()
    }
}

/// One argument, with quotes and backslashes resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The text that the program receives.
    pub text: String,
    /// True if any part of it was quoted or escaped.
    pub quoted: bool,
}

/// Returns the words that [`split`] finds in a line without any character that is special to a shell; `None` if it refuses the
/// line, or must read it by characters. This is for callers that check many lines: it copies nothing of the line.
pub fn plain_words(line: &str) -> Option<Vec<&str>> {
    // No early exit, so that many bytes are checked at a time.
    if !line.bytes().fold(true, |all, byte| all & (byte == b' ' || scan::is_plain(byte))) {
        return None;
    }
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    words.first().is_some_and(|program| scan::no_program(program, false).is_none()).then_some(words)
}

/// Splits `line`. The error names the character, its column (in characters, from 1), and what to do instead.
pub fn split(line: &str) -> Result<Sequence, WordsError> {
    scan::Scanner::new(line).sequence().map_err(|error| WordsError { instead: instead(line, &error), ..error })
}

/// Returns a line that means the same without such words; `None` if the error is about something else.
fn instead(line: &str, error: &WordsError) -> Option<String> {
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
