//! `verify-trivial`: a `verify` that cannot fail or looks at nothing (`SIGNOFF.md` §4).
//!
//! The row looks at structure. It unwraps wrappers, splits a shell script into commands and inline code into statements,
//! and looks up what each part can detect. A sequence is trivial if every part is. A part that the row does not
//! understand is never trivial, because a wrong refusal would block honest work; suspicions are leads.

mod code;
mod file;
pub(in crate::gate) mod script;
mod status;

use super::{GateFinding, is_left_out};
use crate::lang::runs_none;
use crate::lang::wrapper::{self, system_program};
use crate::shell::is_shell;
use crate::shell::strict::Sequence;
use crate::verify::stage1::CommandLine;

/// Returns a finding if `verify` cannot fail. Looks at the line before it runs, and at the scripts of the repository
/// that it runs. `read` returns the text of a file by its path from the plan's root.
pub fn find(line: &CommandLine, read: &dyn Fn(&str) -> Option<String>) -> Option<GateFinding> {
    if is_left_out("verify-trivial") {
        return None;
    }
    let why = format!("`{}` {}", line.text, verify_trivial(&line.sequence.argvs(), read)?);
    let expected = "a command that fails until the goal is reached";
    let resolve = "make `verify` run a test or a script that exercises what the goal asks for";
    Some(GateFinding::block("verify-trivial", expected, why, resolve))
}

/// Returns why a `verify` is trivial, as the end of a sentence that begins with its line; `None` if it can detect something.
///
/// `commands` are the argv lists of a split sequence, in order. The scripts of the repository that they run are checked too.
pub fn verify_trivial(commands: &[Vec<&str>], read: &dyn Fn(&str) -> Option<String>) -> Option<&'static str> {
    let reasons: Option<Vec<TrivialReason>> = commands.iter().map(|argv| reason_within(argv, read)).collect();
    let reasons = reasons?;
    // A part that runs or looks at something explains best why that is not enough.
    let strong = [TrivialReason::ThrownAway, TrivialReason::RunsNone, TrivialReason::Looks]
        .into_iter()
        .find(|reason| reasons.contains(reason));
    strong.or(reasons.first().copied()).map(TrivialReason::sentence)
}

/// Whether every part of the sequence is trivial and none looks at anything. This also applies to a `(check: …)`.
pub fn cannot_fail(sequence: &Sequence, read: &dyn Fn(&str) -> Option<String>) -> bool {
    let is_idle = |argv: &Vec<&str>| reason_within(argv, read).is_some_and(|reason| reason != TrivialReason::Looks);
    sequence.argvs().iter().all(is_idle)
}

/// The reason why a command can detect nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TrivialReason {
    CannotFail,
    Looks,
    NothingToRun,
    ThrownAway,
    RunsNone,
}

impl TrivialReason {
    const fn sentence(self) -> &'static str {
        match self {
            TrivialReason::CannotFail => "cannot fail, whatever the state of the work",
            TrivialReason::Looks => "only checks that something exists; it runs nothing",
            TrivialReason::NothingToRun => "has nothing to run: its input is empty",
            TrivialReason::ThrownAway => "cannot fail: it discards the exit status of what it runs",
            TrivialReason::RunsNone => "lists tests and runs none",
        }
    }
}

/// [`reason`] for the command, or for the script of the repository that it runs.
fn reason_within(argv: &[&str], read: &dyn Fn(&str) -> Option<String>) -> Option<TrivialReason> {
    reason(argv).or_else(|| file::reason(argv, read))
}

fn reason(argv: &[&str]) -> Option<TrivialReason> {
    let argv = wrapper::unwrap(argv)?;
    let Some((program, args)) = argv.split_first() else { return Some(TrivialReason::CannotFail) };
    let name = system_program(program)?;
    if is_shell(name) {
        return script::of_shell(args);
    }
    if runs_none(argv) {
        return Some(TrivialReason::RunsNone);
    }
    if let Some(reason) = code::of_interpreter(name, args) {
        return reason;
    }
    builtin(name, args)
}

/// Returns the reason for a program that only prints, looks or waits, if its arguments do not change that.
fn builtin(name: &str, args: &[&str]) -> Option<TrivialReason> {
    match name {
        "true" | ":" | "echo" | "printf" | "sleep" | "date" | "pwd" | "cd" | "whoami" | "id" | "hostname" | "uname"
        | "uptime" | "yes" | "clear" | "nproc" | "arch" | "sync" | "umask" | "set" | "export" | "unset" | "trap"
        | "tput" | "env" | "basename" | "dirname" | "seq" | "logname" | "tty" | "df" | "ps" | "free" | "history"
        | "alias" | "local" | "declare" => Some(TrivialReason::CannotFail),
        // With an argument, it returns the status of that process.
        "wait" => args.is_empty().then_some(TrivialReason::CannotFail),
        "exit" | "return" => matches!(args, [] | ["0"]).then_some(TrivialReason::CannotFail),
        "test" | "[" | "[[" | "ls" | "dir" | "cat" | "head" | "tail" | "wc" | "stat" | "file" | "du" | "tree"
        | "readlink" | "realpath" | "touch" | "less" | "more" | "nl" | "tac" | "cut" | "od" | "xxd" | "hexdump"
        | "strings" | "bat" | "mkdir" | "rev" | "column" | "cp" | "mv" | "ln" | "uniq" | "tr" | "paste" | "fold"
        | "fmt" | "base64" | "which" | "type" | "hash" => Some(TrivialReason::Looks),
        // With a check option, they can fail.
        "sort" | "md5sum" | "sha1sum" | "sha256sum" | "sha512sum" | "cksum" => {
            let letters = |arg: &str| arg.starts_with('-') && !arg.starts_with("--");
            let checks = |arg: &&str| arg.starts_with("--c") || letters(arg) && arg.contains(['c', 'C']);
            (!args.iter().any(checks)).then_some(TrivialReason::Looks)
        }
        "cmp" | "diff" => same_twice(args).then_some(TrivialReason::CannotFail),
        "find" => (!args.iter().any(|arg| matches!(*arg, "-exec" | "-execdir" | "-ok" | "-okdir" | "-delete")))
            .then_some(TrivialReason::Looks),
        "tee" => Some(TrivialReason::NothingToRun),
        "git" => git(args),
        _ => None,
    }
}

fn same_twice(args: &[&str]) -> bool {
    let names: Vec<&str> = args.iter().copied().filter(|arg| !arg.starts_with('-')).collect();
    let plain = |name: &str| name.trim_start_matches("./").to_owned();
    matches!(names.as_slice(), [one, other] if plain(one) == plain(other))
}

/// Returns the reason for a git command that only reports and always succeeds.
fn git(args: &[&str]) -> Option<TrivialReason> {
    let mut rest = args;
    loop {
        match rest {
            ["-C" | "-c" | "--git-dir" | "--work-tree", _, more @ ..] => rest = more,
            [option, more @ ..] if option.starts_with('-') => rest = more,
            _ => break,
        }
    }
    let fails =
        |arg: &&str| matches!(*arg, "--exit-code" | "--quiet" | "-q" | "--check" | "--error-unmatch" | "--verify");
    match rest {
        [] => Some(TrivialReason::CannotFail),
        [
            "status" | "log" | "show" | "diff" | "branch" | "tag" | "remote" | "version" | "help" | "reflog"
            | "shortlog" | "ls-files" | "rev-parse",
            options @ ..,
        ] => (!options.iter().any(fails)).then_some(TrivialReason::Looks),
        ["stash", "list", ..] | ["config", "--list" | "-l", ..] => Some(TrivialReason::Looks),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
