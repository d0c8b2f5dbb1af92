//! The reasons why a line cannot be run without a shell, and their messages.

use std::fmt;

use crate::error::Error;

/// The refusal of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordsError {
    /// The column, in characters, from 1; one past the last if something is missing at the end.
    pub column: usize,
    /// The characters at that column; empty if something is missing.
    pub found: String,
    /// The reason for the refusal.
    pub reason: Reason,
    /// A line to write in its place, if one is known.
    pub instead: Option<String>,
}

/// The kinds of refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A character that a shell would act on; the text says how.
    Shell(&'static str),
    /// A word that only a shell knows, in the place of a program.
    ShellWord,
    /// `COMMAND`, a placeholder for a command.
    Placeholder,
    /// Braces that bash would expand into several words.
    Braces,
    /// A quote that is not closed.
    Unfinished,
    /// A backslash with nothing after it.
    LoneBackslash,
    /// Only blanks, or nothing at all.
    Empty,
    /// No program before, between or after `&&`.
    NoCommand,
    /// Assignments and no program.
    OnlyAssignments,
    /// A character that no argument can contain.
    Nul,
}

impl WordsError {
    fn advice(&self) -> &'static str {
        match self.reason {
            Reason::Shell(_) if self.found == "`" && self.column == 1 => {
                "write the command without the backticks around it"
            }
            Reason::ShellWord => "put the line in a script and name the script",
            Reason::Placeholder => "write a command of your project there that fails if the work is wrong",
            Reason::Braces => "quote it if it is meant as text",
            Reason::Shell(_) => {
                "`plan` starts no shell: quote it if it is meant as text, or put the line in a script and name the script"
            }
            Reason::Unfinished => "close the quote, or write `\\` before it if it is meant as text",
            Reason::LoneBackslash => "write `\\\\` for a backslash",
            Reason::Empty | Reason::NoCommand | Reason::OnlyAssignments => {
                "write a program with its arguments; join several with `&&`"
            }
            Reason::Nul => "put the line in a script and name the script",
        }
    }
}

impl fmt::Display for WordsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WordsError { column, found, reason, instead } = self;
        match reason {
            Reason::Shell(meaning) if found == "`" && *column == 1 => {
                write!(f, "the backtick at column 1 would {meaning} in a shell")?;
            }
            Reason::Shell(meaning) => write!(f, "`{found}` at column {column} would {meaning} in a shell")?,
            Reason::ShellWord => {
                write!(f, "`{found}` at column {column} works only in a shell, and `plan` starts no shell")?;
            }
            Reason::Placeholder => write!(f, "`{found}` at column {column} is only a placeholder for a command")?,
            Reason::Braces => write!(f, "`{found}` at column {column} would become several words in bash")?,
            Reason::Unfinished => write!(f, "the quote `{found}` at column {column} is not closed")?,
            Reason::LoneBackslash => write!(f, "the `{found}` at column {column} is at the end of the line")?,
            Reason::Empty => f.write_str("the line is empty")?,
            Reason::NoCommand if found.is_empty() => write!(f, "expected a program at column {column}, after `&&`")?,
            Reason::NoCommand => write!(f, "expected a program before `{found}` at column {column}")?,
            Reason::OnlyAssignments => write!(f, "expected a program at column {column}, after `NAME=value`")?,
            Reason::Nul => write!(f, "a NUL character at column {column} cannot be given to a program")?,
        }
        match (reason, instead) {
            (Reason::ShellWord, Some(line)) => write!(f, "; write `{line}`"),
            (_, Some(line)) => write!(f, "; {}, or write `{line}`", self.advice()),
            (_, None) => write!(f, "; {}", self.advice()),
        }
    }
}

impl std::error::Error for WordsError {}

impl From<WordsError> for Error {
    fn from(error: WordsError) -> Self {
        Error::input(error.to_string())
    }
}
