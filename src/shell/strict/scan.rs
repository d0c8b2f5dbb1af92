//! The splitter: one pass over the characters.

use std::str::Chars;

use super::{Reason, Sequence, StrictCommand, Word, WordsError};
use crate::shell::is_name;

/// Words that a shell handles itself. A program of that name (macOS has a `/usr/bin/cd`) does nothing useful.
const BUILT_IN: [&str; 28] = [
    "!", ".", ":", "[[", "alias", "bg", "case", "cd", "eval", "exec", "exit", "export", "fg", "for", "function", "if",
    "local", "popd", "pushd", "read", "return", "set", "source", "trap", "ulimit", "unset", "until", "while",
];

pub(super) struct Scanner<'a> {
    rest: Chars<'a>,
    /// The column of the next character, from 1.
    column: usize,
    /// Whether words of the shell are accepted in the place of a program.
    shell_words: bool,
    /// Whether plain characters are read many at a time. Only a test turns this off, to see that the result is the same.
    by_runs: bool,
}

/// A word while it is read.
#[derive(Default)]
struct Draft {
    text: String,
    quoted: bool,
    /// The length of NAME if the word so far is `NAME=…` with nothing quoted in `NAME=`.
    name: Option<usize>,
    column: usize,
    /// The last `{` that is not quoted: its column, and the length of the text up to and including it.
    brace: Option<(usize, usize)>,
}

enum Token {
    Word(Draft),
    And { column: usize },
    End,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(line: &'a str) -> Self {
        Scanner { rest: line.chars(), column: 1, shell_words: false, by_runs: true }
    }

    /// Like `new`, but accepts words of the shell in the place of a program.
    pub(super) fn with_shell_words(line: &'a str) -> Self {
        Scanner { shell_words: true, ..Scanner::new(line) }
    }

    #[cfg(test)]
    pub(super) fn by_characters(line: &'a str) -> Self {
        Scanner { by_runs: false, ..Scanner::new(line) }
    }

    pub(super) fn sequence(mut self) -> Result<Sequence, WordsError> {
        let mut commands = Vec::new();
        loop {
            let (command, end) = self.command(commands.is_empty())?;
            commands.push(command);
            if matches!(end, Token::End) {
                return Ok(Sequence { commands });
            }
        }
    }

    /// Reads one command, and returns it with the token that ended it.
    fn command(&mut self, first: bool) -> Result<(StrictCommand, Token), WordsError> {
        let mut command = StrictCommand { env: Vec::new(), words: Vec::new() };
        loop {
            match self.token(command.words.is_empty())? {
                Token::Word(Draft { text, quoted, name, column, .. }) => {
                    let is_first = command.words.is_empty();
                    if is_first && let Some(reason) = no_program(&text, self.shell_words) {
                        return Err(refuse(column, &text, reason));
                    }
                    match name.filter(|_| is_first) {
                        Some(length) => command.env.push((text[..length].to_owned(), text[length + 1..].to_owned())),
                        None => command.words.push(Word { text, quoted }),
                    }
                }
                end if !command.words.is_empty() => return Ok((command, end)),
                _ if !command.env.is_empty() => return Err(refuse(self.column, "", Reason::OnlyAssignments)),
                Token::And { column } => return Err(refuse(column, "&&", Reason::NoCommand)),
                Token::End if first => return Err(refuse(1, "", Reason::Empty)),
                Token::End => return Err(refuse(self.column, "", Reason::NoCommand)),
            }
        }
    }

    /// Reads the next token. `assigning`: a word may be `NAME=value` here.
    fn token(&mut self, assigning: bool) -> Result<Token, WordsError> {
        while matches!(self.peek(), Some(' ' | '\t')) {
            self.next();
        }
        match self.peek() {
            None => Ok(Token::End),
            Some('&') => self.and(),
            Some(_) => self.word(assigning).map(Token::Word),
        }
    }

    fn and(&mut self) -> Result<Token, WordsError> {
        let column = self.column;
        self.next();
        if !self.next_if('&') {
            return Err(refuse(column, "&", Reason::Shell("run the command before it in the background")));
        }
        Ok(Token::And { column })
    }

    fn word(&mut self, assigning: bool) -> Result<Draft, WordsError> {
        let mut draft = Draft { column: self.column, ..Draft::default() };
        let mut begins = true;
        loop {
            begins &= !(self.by_runs && self.plain(&mut draft));
            let Some(c) = self.peek() else { break };
            let column = self.column;
            match c {
                ' ' | '\t' | '&' => break,
                _ => self.next(),
            };
            match c {
                '\'' => self.single(column, &mut draft)?,
                '"' => self.double(column, &mut draft)?,
                '\\' => {
                    draft.quoted = true;
                    match self.next() {
                        None => return Err(refuse(column, "\\", Reason::LoneBackslash)),
                        Some('\n') => return Err(refuse(column, "\\", Reason::Shell(CONTINUE))),
                        Some(escaped) => self.push(escaped, &mut draft)?,
                    }
                }
                '=' if assigning && !draft.quoted && draft.name.is_none() && is_name(&draft.text) => {
                    draft.name = Some(draft.text.len());
                    draft.text.push('=');
                }
                _ => {
                    // A shell expands `~` directly after `NAME=` of an assignment, and after a `:` in its value.
                    let is_value = |length: usize| draft.text.len() == length + 1 || draft.text.ends_with(':');
                    let home = c == '~' && draft.name.is_some_and(is_value);
                    self.check_plain(c, column, begins || home)?;
                    self.push(c, &mut draft)?;
                    check_braces(c, column, &mut draft)?;
                }
            }
            begins = false;
        }
        Ok(draft)
    }

    fn single(&mut self, column: usize, draft: &mut Draft) -> Result<(), WordsError> {
        draft.quoted = true;
        loop {
            match self.next() {
                None => return Err(refuse(column, "'", Reason::Unfinished)),
                Some('\'') => return Ok(()),
                Some(c) => self.push(c, draft)?,
            }
        }
    }

    fn double(&mut self, open: usize, draft: &mut Draft) -> Result<(), WordsError> {
        draft.quoted = true;
        loop {
            let column = self.column;
            match self.next() {
                None => return Err(refuse(open, "\"", Reason::Unfinished)),
                Some('"') => return Ok(()),
                Some('`') => return Err(refuse(column, "`", Reason::Shell(SUBSTITUTE))),
                Some('$') if self.peek().is_some_and(expands) => {
                    return Err(refuse(column, "$", Reason::Shell(EXPAND_QUOTED)));
                }
                Some('\\') => match self.peek().filter(|c| "$`\"\\\n".contains(*c)) {
                    Some('\n') => return Err(refuse(column, "\\", Reason::Shell(CONTINUE))),
                    Some(escaped) => {
                        self.next();
                        self.push(escaped, draft)?;
                    }
                    None => draft.text.push('\\'),
                },
                Some(c) => self.push(c, draft)?,
            }
        }
    }

    /// Refuses a character that a shell would act on outside quotes. `begins`: `#` and `~` are special here.
    fn check_plain(&mut self, c: char, column: usize, begins: bool) -> Result<(), WordsError> {
        let (found, meaning) = match c {
            '|' if self.next_if('|') => ("||", "run the next command only after a failure"),
            '|' => ("|", "pipe the output into another program"),
            ';' => (";", "begin another command even if this one failed"),
            '<' => ("<", "read from a file"),
            '>' => (">", "write to a file"),
            '(' => ("(", "begin a subshell"),
            ')' => (")", "end a subshell"),
            '$' => ("$", "insert the value of a variable"),
            '`' => ("`", SUBSTITUTE),
            '*' => ("*", "insert the names of matching files"),
            '?' => ("?", "insert the names of matching files"),
            '~' if begins => ("~", "insert a home folder"),
            '#' if begins => ("#", "begin a comment"),
            '\n' => ("\\n", "begin another command"),
            '\r' => ("\\r", "become part of the argument"),
            _ => return Ok(()),
        };
        Err(refuse(column, found, Reason::Shell(meaning)))
    }

    fn push(&self, c: char, draft: &mut Draft) -> Result<(), WordsError> {
        if c == '\0' {
            return Err(refuse(self.column - 1, "\0", Reason::Nul));
        }
        draft.text.push(c);
        Ok(())
    }

    /// Reads the next characters that have no meaning to a shell in any place: nearly all of most lines. Returns whether there were any.
    fn plain(&mut self, draft: &mut Draft) -> bool {
        let rest = self.rest.as_str();
        let length = rest.bytes().take_while(|byte| is_plain(*byte)).count();
        draft.text.push_str(&rest[..length]);
        self.rest = rest[length..].chars();
        self.column += length;
        length > 0
    }

    fn peek(&self) -> Option<char> {
        self.rest.clone().next()
    }

    fn next_if(&mut self, wanted: char) -> bool {
        let is_wanted = self.peek() == Some(wanted);
        if is_wanted {
            self.next();
        }
        is_wanted
    }

    fn next(&mut self) -> Option<char> {
        let c = self.rest.next()?;
        self.column += 1;
        Some(c)
    }
}

/// Whether a character has no meaning to a shell in any place.
pub(super) fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'/' | b':' | b',')
}

/// Whether a program's name is a word of the shell.
pub fn is_shell_word(program: &str) -> bool {
    BUILT_IN.contains(&program)
}

/// Returns the reason why a word cannot be a program; `None` if it can.
pub(super) fn no_program(word: &str, shell_words: bool) -> Option<Reason> {
    match word {
        // Help and remedies write it in the place of a command, and it was pasted from there.
        "COMMAND" => Some(Reason::Placeholder),
        _ => (!shell_words && is_shell_word(word)).then_some(Reason::ShellWord),
    }
}

/// Refuses `{a,b}` and `{1..3}`, because only their author knows whether they are meant as text.
fn check_braces(c: char, column: usize, draft: &mut Draft) -> Result<(), WordsError> {
    match (c, draft.brace) {
        ('{', _) => draft.brace = Some((column, draft.text.len())),
        ('}', Some((column, behind))) => {
            let inner = &draft.text[behind..draft.text.len() - 1];
            let is_range = inner.split_once("..").is_some_and(|(from, to)| !from.is_empty() && !to.is_empty());
            if inner.contains(',') || is_range {
                return Err(refuse(column, &draft.text[behind - 1..], Reason::Braces));
            }
            draft.brace = None;
        }
        _ => {}
    }
    Ok(())
}

const SUBSTITUTE: &str = "insert the output of another command";
const CONTINUE: &str = "join the next line to this one";
const EXPAND_QUOTED: &str = "insert the value of a variable, even between double quotes,";

fn refuse(column: usize, found: &str, reason: Reason) -> WordsError {
    WordsError { column, found: found.to_owned(), reason, instead: None }
}

/// True if a shell expands `$` in front of this character.
fn expands(next: char) -> bool {
    next.is_ascii_alphanumeric() || "_{([@*#?-$!".contains(next)
}
