//! `verify-trivial`: a `verify` that cannot fail or looks at nothing (`SIGNOFF.md` §4).
//!
//! Judged by structure: wrappers are taken off, a script given to a shell is taken apart into its commands, code given to an
//! interpreter into its statements; what remains is looked up by what it can find out. A sequence is trivial when every part of it is.
//! What is not understood is never trivial: a wrong refusal would block honest work, and a suspicion is a lead's business.

mod code;
pub(in crate::signoff::gate) mod script;
pub(in crate::signoff) mod wrapper;

/// What is said about a trivial `verify`, to stand behind its line; none where it can find something out.
///
/// `commands` are the argv lists of a split sequence, in order.
pub fn verify_trivial(commands: &[&[&str]]) -> Option<&'static str> {
    let reasons: Option<Vec<Reason>> = commands.iter().map(|argv| reason(argv)).collect();
    let reasons = reasons.filter(|reasons| !reasons.is_empty())?;
    // The strongest thing to say: a part that at least looks at a file explains best why that is not enough.
    let reason = if reasons.contains(&Reason::Looks) { Reason::Looks } else { reasons[0] };
    Some(reason.sentence())
}

/// Whether nothing in the sequence even looks: the part of [`verify_trivial`] that holds for a `(check: …)` too.
pub fn cannot_fail(commands: &[&[&str]]) -> bool {
    !commands.is_empty() && commands.iter().all(|argv| reason(argv).is_some_and(|reason| reason != Reason::Looks))
}

/// Why a command tells nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reason {
    /// Exits 0 whatever the state of the work.
    CannotFail,
    /// Looks only whether something is there.
    Looks,
    /// A program without anything to run; its input is empty.
    NothingToRun,
}

impl Reason {
    const fn sentence(self) -> &'static str {
        match self {
            Reason::CannotFail => "cannot fail, whatever the state of the work",
            Reason::Looks => "only looks whether something is there, it does not try it",
            Reason::NothingToRun => "has nothing to run: its input is empty",
        }
    }
}

fn reason(argv: &[&str]) -> Option<Reason> {
    let argv = wrapper::unwrap(argv)?;
    let Some((program, args)) = argv.split_first() else { return Some(Reason::CannotFail) };
    let name = system_program(program)?;
    if wrapper::is_shell(name) {
        return script::of_shell(args);
    }
    if let Some(reason) = code::of_interpreter(name, args) {
        return reason;
    }
    builtin(name, args)
}

/// Programs that print, look or wait, whatever they are given.
fn builtin(name: &str, args: &[&str]) -> Option<Reason> {
    match name {
        "true" | ":" | "echo" | "printf" | "sleep" | "date" | "pwd" | "cd" | "whoami" | "id" | "hostname" | "uname"
        | "uptime" | "yes" | "clear" | "nproc" | "arch" | "sync" | "umask" | "set" | "export" | "unset" | "wait"
        | "trap" | "tput" | "env" | "basename" | "dirname" | "seq" | "logname" | "tty" | "df" | "ps" | "free"
        | "history" | "alias" | "local" | "declare" => Some(Reason::CannotFail),
        "exit" | "return" => matches!(args, [] | ["0"]).then_some(Reason::CannotFail),
        "test" | "[" | "[[" | "ls" | "dir" | "cat" | "head" | "tail" | "wc" | "stat" | "file" | "du" | "tree"
        | "readlink" | "realpath" | "touch" | "less" | "more" | "nl" | "tac" | "cut" | "od" | "xxd" | "hexdump"
        | "strings" | "bat" | "mkdir" | "rev" | "column" => Some(Reason::Looks),
        "find" => (!args.iter().any(|arg| matches!(*arg, "-exec" | "-execdir" | "-ok" | "-okdir" | "-delete")))
            .then_some(Reason::Looks),
        "tee" => Some(Reason::NothingToRun),
        "git" => git(args),
        _ => None,
    }
}

/// Git commands that report and always succeed.
fn git(args: &[&str]) -> Option<Reason> {
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
        [] => Some(Reason::CannotFail),
        [
            "status" | "log" | "show" | "diff" | "branch" | "tag" | "remote" | "version" | "help" | "reflog"
            | "shortlog" | "ls-files" | "rev-parse",
            options @ ..,
        ] => (!options.iter().any(fails)).then_some(Reason::Looks),
        ["stash", "list", ..] | ["config", "--list" | "-l", ..] => Some(Reason::Looks),
        _ => None,
    }
}

/// The name of a program that the system brings: without a folder, or from one of its folders. A script of the repository may be
/// called `echo` and test a lot.
fn system_program(program: &str) -> Option<&str> {
    const FOLDERS: [&str; 5] = ["/bin", "/usr/bin", "/usr/local/bin", "/sbin", "/usr/sbin"];
    match program.rsplit_once('/') {
        None => Some(program),
        Some((folder, name)) => FOLDERS.contains(&folder).then_some(name),
    }
}

#[cfg(test)]
mod tests;
