//! Splits a shell script into commands, as far as needed to see whether any command could find something out.

use super::status::{ShellOptions, is_thrown_away};
use super::{TrivialReason, reason};

/// What a shell does with its arguments.
pub(super) enum ShellCall<'a> {
    /// `-c SCRIPT`
    Script(&'a str, ShellOptions),
    /// A file.
    File(&'a str, ShellOptions),
    /// It reads an empty input and runs nothing.
    Nothing,
}

/// Reads a shell's arguments; none if it does not understand them.
pub(super) fn call<'a>(args: &[&'a str]) -> Option<ShellCall<'a>> {
    let mut options = ShellOptions::default();
    let mut rest = args;
    loop {
        match rest {
            [] | ["-" | "-s" | "/dev/null", ..] => return Some(ShellCall::Nothing),
            ["-o" | "+o" | "-O" | "+O" | "--rcfile" | "--init-file", value, more @ ..] => {
                options.take(rest[0], Some(value));
                rest = more;
            }
            ["--", more @ ..] => rest = more,
            // `-euo pipefail -c`: joined letters, where `o` takes the next word.
            [option, more @ ..] if option.starts_with('-') && !option.starts_with("--") => {
                options.take(option, more.first().copied());
                match (option.contains('c'), option.contains('o')) {
                    (true, false) => return Some(ShellCall::Script(more.first()?, options)),
                    (true, true) => return Some(ShellCall::Script(more.get(1)?, options)),
                    (false, true) => rest = more.get(1..)?,
                    (false, false) => rest = more,
                }
            }
            [option, more @ ..] if option.starts_with("--") => rest = more,
            [file, ..] => return Some(ShellCall::File(file, options)),
        }
    }
}

/// Why a shell with these arguments is trivial.
pub(super) fn of_shell(args: &[&str]) -> Option<TrivialReason> {
    match call(args)? {
        ShellCall::Nothing => Some(TrivialReason::NothingToRun),
        ShellCall::Script(script, options) => of_text(script, options),
        ShellCall::File(..) => None,
    }
}

/// Why the text of a script is trivial: nothing in it finds anything out, or it discards the result.
pub(super) fn of_text(script: &str, options: ShellOptions) -> Option<TrivialReason> {
    of_script(script).or_else(|| is_thrown_away(script, options).then_some(TrivialReason::ThrownAway))
}

/// Trivial if each simple command is, and the exit status does not end in a fixed failure.
fn of_script(script: &str) -> Option<TrivialReason> {
    let commands = calls(script)?;
    let mut reasons = Vec::new();
    let mut red = false;
    for (command, _) in &commands {
        let negated = command.first().is_some_and(|word| word == "!");
        let words: Vec<&str> = command.iter().map(String::as_str).filter(|word| !is_keyword(word)).collect();
        if words.is_empty() {
            continue;
        }
        match words.as_slice() {
            ["exit" | "return", status] if *status != "0" => return None,
            ["false"] => red = !negated,
            ["eval", rest @ ..] => reasons.push(of_script(&rest.join(" "))?),
            words => {
                reasons.push(reason(words)?);
                red = negated;
            }
        }
    }
    if red {
        return None;
    }
    Some(if reasons.contains(&TrivialReason::Looks) { TrivialReason::Looks } else { TrivialReason::CannotFail })
}

pub(in crate::gate) fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "if" | "then" | "elif" | "else" | "fi" | "do" | "done" | "while" | "until" | "{" | "}" | "!" | "time"
    )
}

/// The simple commands of a script: their words without quotes, and whether their output goes to another command or a
/// file. None if the script has a substitution, a here document, a function or a loop over words, which may run
/// anything.
pub(in crate::gate) fn calls(script: &str) -> Option<Vec<(Vec<String>, bool)>> {
    let mut reader = Reader::default();
    let mut chars = script.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\'' => loop {
                match chars.next()? {
                    '\'' => {
                        reader.word.get_or_insert_default();
                        break;
                    }
                    c => reader.push(c),
                }
            },
            '"' => loop {
                match chars.next()? {
                    '"' => {
                        reader.word.get_or_insert_default();
                        break;
                    }
                    '`' => return None,
                    '$' if chars.peek() == Some(&'(') => return None,
                    '\\' => reader.push(chars.next()?),
                    c => reader.push(c),
                }
            },
            '\\' => reader.push(chars.next()?),
            '`' => return None,
            '$' if chars.peek() == Some(&'(') => return None,
            '<' if matches!(chars.peek(), Some('<' | '(')) => return None,
            '>' | '<' => {
                reader.redirect();
                reader.writes = c == '>';
                while matches!(chars.peek(), Some('>' | '&' | '|')) {
                    chars.next();
                }
            }
            '#' if reader.word.is_none() => {
                while chars.peek().is_some_and(|c| *c != '\n') {
                    chars.next();
                }
            }
            '|' if chars.peek() != Some(&'|') => {
                reader.fed = true;
                reader.end_command();
            }
            '|' => {
                chars.next();
                reader.end_command();
            }
            ';' | '\n' | '&' | '(' | ')' => reader.end_command(),
            c if c.is_whitespace() => reader.end_word(),
            c => reader.push(c),
        }
    }
    reader.end_command();
    let unknown = |(words, _): &(Vec<String>, bool)| {
        matches!(words.first().map(String::as_str), Some("for" | "case" | "select" | "function"))
    };
    (!reader.commands.iter().any(unknown)).then_some(reader.commands)
}

#[derive(Default)]
struct Reader {
    commands: Vec<(Vec<String>, bool)>,
    words: Vec<String>,
    word: Option<String>,
    /// The output of the command is redirected.
    fed: bool,
    /// That word is a file that is written.
    writes: bool,
    /// The next word is the target of a redirection, not part of the command.
    target: bool,
}

impl Reader {
    fn push(&mut self, c: char) {
        self.word.get_or_insert_default().push(c);
    }

    /// `2>`: the number belongs to the redirection.
    fn redirect(&mut self) {
        if self.word.as_ref().is_some_and(|word| word.chars().all(|c| c.is_ascii_digit())) {
            self.word = None;
        }
        self.end_word();
        self.target = true;
    }

    fn end_word(&mut self) {
        let Some(word) = self.word.take() else { return };
        if !std::mem::take(&mut self.target) {
            self.words.push(word);
        } else if self.writes && word != "/dev/null" && !word.bytes().all(|byte| byte.is_ascii_digit()) {
            self.fed = true;
        }
    }

    fn end_command(&mut self) {
        self.end_word();
        self.target = false;
        let fed = std::mem::take(&mut self.fed);
        if !self.words.is_empty() {
            self.commands.push((std::mem::take(&mut self.words), fed));
        }
    }
}
