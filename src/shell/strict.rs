//! The strict reader: a line split into programs and their arguments, by the rules that POSIX gives words, without a shell (`SIGNOFF.md` §2).
//!
//! ```text
//! line       = command *( "&&" command )              ; `&&` needs no blanks around it
//! command    = *( NAME "=" [word] ) word *( word )
//! word       = 1*( plain / "\" any / "'" *any "'" / DQUOTE *( any / "\" ( "$" / "`" / DQUOTE / "\" ) ) DQUOTE )
//! ```
//!
//! A line that is accepted means the same to a POSIX shell, but for `[` (below). Where the program should stand, a word
//! that only a shell knows (`cd`, `export`, `!`) is refused, and so are braces that bash would expand (`{1..3}`,
//! `{a,b}`). Every character that means more to a shell is refused by name, including the two that POSIX does not quote
//! between double quotes: `$` and the backtick. As in a shell, `#` and `~` are special only where a word begins (and
//! `~` where the value of an assignment, or a part of it after `:`, begins): `HEAD~1` and `a#b` are words. `[` is
//! plain, though a shell takes it for a pattern where a file fits it: `pytest x.py::test[a-1]` is a line that people
//! write.

mod refusal;
mod scan;
mod shell;
#[cfg(test)]
mod tests;

pub use refusal::{Reason, WordsError};
pub use scan::is_shell_word;

/// Commands that are run in order and stopped at the first that fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequence {
    /// At least one.
    pub commands: Vec<Command>,
}

impl Sequence {
    /// The argv lists.
    pub fn argvs(&self) -> Vec<Vec<&str>> {
        self.commands.iter().map(|command| command.words.iter().map(|word| word.text.as_str()).collect()).collect()
    }
}

/// One program with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The `NAME=value` in front of the program, in the order written.
    pub env: Vec<(String, String)>,
    /// The program and its arguments, at least one.
    pub words: Vec<Word>,
}

impl Command {
    /// The program and its arguments as plain text.
    pub fn argv(&self) -> Vec<&str> {
        self.words.iter().map(|word| word.text.as_str()).collect()
    }
}

/// One argument, quotes and backslashes resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// What the program gets.
    pub text: String,
    /// True where any part of it was quoted or escaped.
    pub quoted: bool,
}

/// The words that [`split`] finds in a line without a character that means anything to a shell; none where it refuses the line, or
/// must read it by characters. For whoever asks about many lines: nothing of the line is copied.
pub fn plain_words(line: &str) -> Option<Vec<&str>> {
    // Without an early end, so that many bytes are looked at at a time.
    if !line.bytes().fold(true, |all, byte| all & (byte == b' ' || scan::is_plain(byte))) {
        return None;
    }
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    words.first().is_some_and(|program| scan::no_program(program, false).is_none()).then_some(words)
}

/// Splits `line`. The error says which character, at which column (in characters, from 1), and what to do instead.
pub fn split(line: &str) -> Result<Sequence, WordsError> {
    scan::Scanner::new(line).sequence().map_err(|error| WordsError { instead: shell::instead(line, &error), ..error })
}
