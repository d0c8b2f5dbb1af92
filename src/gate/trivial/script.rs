//! Splits a shell script into commands, to see whether any of them could find something out.

use super::status::{ShellOptions, is_thrown_away};
use super::{TrivialReason, reason};
use crate::shell::commands::{SimpleCommand, simple_commands};
use crate::shell::lex::{self, ShellToken};

/// The input that a shell runs, according to its arguments.
pub(in crate::gate) enum ShellCall<'a> {
    /// The script of `-c SCRIPT`.
    Script(&'a str, ShellOptions),
    /// A script file.
    File(&'a str, ShellOptions),
    /// An empty input, so that nothing runs.
    Nothing,
}

/// Reads a shell's arguments; `None` if it does not understand them.
pub(in crate::gate) fn call<'a>(args: &[&'a str]) -> Option<ShellCall<'a>> {
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
            // In joined letters, `o` takes the next word: `-euo pipefail -c`.
            [option, more @ ..] if option.starts_with('-') && !option.starts_with("--") => {
                options.take(option, more.first().copied());
                match (option.contains('c'), option.contains('o')) {
                    (true, false) => return Some(ShellCall::Script(more.first()?, options)),
                    (true, true) => return Some(ShellCall::Script(more.get(1)?, options)),
                    (false, true) => rest = more.get(1..)?,
                    (false, false) => rest = more,
                }
            }
            [option, more @ ..] if option.starts_with("--") || option.starts_with('+') => rest = more,
            [file, ..] => return Some(ShellCall::File(file, options)),
        }
    }
}

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

/// Why a script is trivial: every simple command in it is trivial, and the script does not always fail.
fn of_script(script: &str) -> Option<TrivialReason> {
    let commands = calls(script)?;
    let mut reasons = Vec::new();
    let mut red = false;
    for command in &commands {
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
        "if" | "then" | "elif" | "else" | "fi" | "esac" | "do" | "done" | "while" | "until" | "{" | "}" | "!" | "time"
    )
}

/// Returns the words of the simple commands of a script, without quotes. `None` if the script has a substitution, a here
/// document, a function or a loop over words, which may run anything.
fn calls(script: &str) -> Option<Vec<Vec<String>>> {
    let tokens = lex::tokens(script);
    // `<(a)` and `<<<` feed a command from somewhere else.
    let is_fed = |pair: &[ShellToken]| matches!(&script[pair[0].range.start..pair[1].range.end], "<(" | "<<<");
    if tokens.iter().any(ShellToken::may_run) || tokens.windows(2).any(is_fed) {
        return None;
    }
    let commands = simple_commands(script, &tokens).into_iter().filter(|command| !command.words.is_empty());
    let call = |command: SimpleCommand<'_>| {
        let words: Vec<String> = command.words.iter().map(|word| word.text.clone()).collect();
        let is_loop = matches!(words[0].as_str(), "for" | "case" | "select" | "function");
        (!is_loop).then_some(words)
    };
    commands.map(call).collect()
}
