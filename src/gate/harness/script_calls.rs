//! The commands of a shell script that verify runs, as far as they can be read without running it.

use super::interpreters::starts_script;
use crate::gate::trivial::script::is_keyword;
use crate::shell::commands::{Redirect, simple_commands};
use crate::shell::lex::{self, ShellToken, ShellTokenKind};

/// How many commands of a script are read. A hostile script may nest groups without end.
const MOST: usize = 1000;

#[derive(Debug, PartialEq, Eq)]
pub(super) struct ScriptCall {
    /// Its words without quotes and without the keywords before it.
    pub(super) words: Vec<String>,
    /// Whether its output goes to another command or a file.
    pub(super) is_fed: bool,
}

/// Returns the commands of a script in their order, each once, whether or not they run in a loop. What a group prints (a loop,
/// `{ … }`) is printed by each of its commands. The commands in `$(…)` are left out: their text is the result of the work. Also
/// returns whether the script may run something else.
pub(super) fn read(script: &str) -> (Vec<ScriptCall>, bool) {
    let tokens = lex::tokens(script);
    if tokens.iter().any(|token| token.open) {
        return (Vec::new(), true);
    }
    let fed = fed_groups(script, &tokens);
    // Where the groups begin that are not closed yet.
    let (mut calls, mut groups) = (Vec::<ScriptCall>::new(), Vec::new());
    for command in simple_commands(script, &tokens).into_iter().take(MOST) {
        let start = command.words.first().map_or(0, |word| word.range.start);
        let is_fed = command.piped
            || command.redirects.iter().any(Redirect::writes)
            || fed.iter().any(|[open, close]| (*open..*close).contains(&start));
        let mut words = command.words.iter().map(|word| word.text.as_str()).peekable();
        while let Some(keyword) = words.next_if(|word| is_keyword(word) || takes_words(word)) {
            match keyword {
                "for" | "select" | "case" | "while" | "until" | "if" | "{" => groups.push(calls.len()),
                "done" | "fi" | "esac" | "}" => {
                    let begin = groups.pop().unwrap_or(0);
                    calls[begin..].iter_mut().for_each(|call| call.is_fed |= is_fed);
                }
                _ => {}
            }
            if takes_words(keyword) {
                words.by_ref().for_each(drop);
            }
        }
        let mut words: Vec<String> = words.map(str::to_owned).collect();
        // A shell without arguments runs its input: `bash < check.sh`.
        if let ([program], [Redirect { op: "<", target: Some(file) }]) =
            (words.as_slice(), command.redirects.as_slice())
            && starts_script(program)
        {
            words.push(file.text.clone());
        }
        calls.extend((!words.is_empty()).then_some(ScriptCall { words, is_fed }));
    }
    let is_open = calls.len() >= MOST || tokens.iter().any(ShellToken::may_run);
    (calls, is_open)
}

/// Whether the words after this one are no command: `for name in a b`, `case $1 in`, `function name`.
fn takes_words(word: &str) -> bool {
    matches!(word, "for" | "select" | "case" | "function")
}

/// The places of each `( … )` whose output goes to another command or a file.
fn fed_groups(script: &str, tokens: &[ShellToken]) -> Vec<[usize; 2]> {
    let op = |token: &ShellToken| match token.kind {
        ShellTokenKind::Op => &script[token.range.clone()],
        _ => "",
    };
    let (mut open, mut found) = (Vec::new(), Vec::new());
    for (at, token) in tokens.iter().enumerate().take(10 * MOST) {
        match op(token) {
            "(" => open.push(token.range.start),
            ")" => {
                let Some(begin) = open.pop() else { continue };
                let (next, target) = (tokens.get(at + 1).map_or("", op), tokens.get(at + 2));
                let writes = Redirect { op: next, target }.writes();
                found.extend((matches!(next, "|" | "|&") || writes).then_some([begin, token.range.start]));
            }
            _ => {}
        }
    }
    found
}
