//! Judges a script of the repository that a `verify` names. A verify that cannot fail often hides in a tiny script.

use super::status::ShellOptions;
use super::{TrivialReason, code, script};
use crate::lang::wrapper::{self, system_program};
use crate::shell::is_shell;

/// The maximum size of a tiny script, in bytes.
pub(super) const TINY: usize = 16 << 10;

/// Why the script that a command runs is trivial. `None` if it runs no script, or a script that may find something out.
/// `read` returns the text of a file by its path from the plan's root.
pub(super) fn reason(argv: &[&str], read: &dyn Fn(&str) -> Option<String>) -> Option<TrivialReason> {
    let argv = wrapper::unwrap(argv)?;
    let (program, args) = argv.split_first()?;
    let tiny = |path: &str| read(path).filter(|text| text.len() <= TINY);
    if program.contains('/') && !program.starts_with('/') {
        let text = tiny(program)?;
        let line = text.lines().next()?.strip_prefix("#!")?;
        let mut words = line.split_whitespace().skip_while(|word| word.ends_with("/env") || *word == "-S");
        let interpreter = words.next()?.rsplit('/').next()?.to_owned();
        let mut options = ShellOptions::default();
        words.for_each(|word| options.take(word, None));
        return of_text(&interpreter, &text, options);
    }
    let name = system_program(program)?;
    if is_shell(name) {
        let script::ShellCall::File(path, options) = script::call(args)? else { return None };
        // `-n` only parses the script, which can fail.
        let reads_only =
            args.iter().take_while(|arg| **arg != path).any(|arg| arg.starts_with('-') && arg.contains('n'));
        return (!reads_only).then(|| of_text(name, &tiny(path)?, options)).flatten();
    }
    if matches!((name, args), ("npm" | "pnpm" | "yarn", ["test" | "t", ..] | ["run", "test", ..])) {
        let package: serde_json::Value = serde_json::from_str(&read("package.json")?).ok()?;
        let steps = ["pretest", "test", "posttest"].map(|name| package["scripts"][name].as_str());
        let reasons: Vec<Option<TrivialReason>> =
            steps.into_iter().flatten().map(|line| script::of_text(line, ShellOptions::default())).collect();
        return reasons.iter().all(Option::is_some).then(|| reasons.into_iter().flatten().next()).flatten();
    }
    let path = args.iter().find(|arg| !arg.starts_with('-'))?;
    let runs_it = code::of_interpreter(name, args) == Some(None) && args.first() == Some(path);
    if runs_it { of_text(name, &tiny(path)?, ShellOptions::default()) } else { None }
}

fn of_text(interpreter: &str, text: &str, options: ShellOptions) -> Option<TrivialReason> {
    if is_shell(interpreter) {
        return match script::of_text(text, options) {
            // Another program may have made the files that the script looks at.
            Some(TrivialReason::Looks) if text.contains('$') => None,
            reason => reason,
        };
    }
    code::of_file(interpreter, text)
}
