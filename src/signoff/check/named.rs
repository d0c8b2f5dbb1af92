//! The name of a judge in the log (`SIGNOFF.md` §6).

use std::path::{Path, PathBuf};

use crate::lang::wrapper::unwrap;
use crate::process::environment::Environment;
use crate::process::resolve::resolve;
use crate::prompt::Prompt;
use crate::shell::strict::StrictCommand;
use crate::signoff::judge::Reference;
use crate::signoff::mask::mask;

/// Programs that judge nothing themselves: the script that they run does.
const INTERPRETERS: [&str; 7] = ["sh", "bash", "dash", "python", "python3", "node", "perl"];

/// Returns a judge's name for the log: its REF, but only the file name of a program. It is marked if the judge is the choice of
/// the `callers` and not the user's, and if the prompt is not the built-in one.
pub(crate) fn name(reference: &Reference, callers: bool, prompt: Option<&str>) -> String {
    let separates = |c: char| matches!(c, ',' | '(' | ')') || c.is_control();
    let mut name = match reference {
        // A name must not contain the characters that separate judges and facts in the line.
        Reference::Program { command, .. } => format!("cmd:{}", program(command).replace(separates, "_")),
        _ => reference.to_string(),
    };
    if callers {
        name += " (named by caller)";
    }
    let own_prompt = prompt.is_some_and(|prompt| prompt != Prompt::EvidenceJudge.text());
    if own_prompt && !matches!(reference, Reference::Checks | Reference::Human) {
        name += " (own prompt)";
    }
    name
}

/// Returns the REF of a program with its path and arguments, for the record, because many programs have the same name.
pub(crate) fn whole(reference: &Reference) -> Option<String> {
    reference.is_program().then(|| mask(&reference.to_string()))
}

/// Returns the file that a judge runs, looked up from `cwd`; `None` for an interpreter, which judges nothing itself.
pub(crate) fn program_file(reference: &Reference, cwd: &Path) -> Option<PathBuf> {
    let Reference::Program { command, .. } = reference else { return None };
    let word = command.words.first().filter(|word| !INTERPRETERS.contains(&file_name(&word.text)))?;
    resolve(word.text.as_ref(), cwd, &Environment::inherited()).ok()
}

/// Returns the file name of a program, without wrappers that only start it; for an interpreter, that of its script.
fn program(command: &StrictCommand) -> &str {
    let words: Vec<&str> = command.words.iter().map(|word| word.text.as_str()).collect();
    let mut words = unwrap(&words).unwrap_or(&words).iter().copied();
    let mut name = words.next().map_or("", file_name);
    while INTERPRETERS.contains(&name) {
        let Some(next) = words.find(|word| !word.starts_with('-') && !word.contains('=')) else { break };
        name = file_name(next);
    }
    name
}

fn file_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(reference: &str, callers: bool, prompt: Option<&str>) -> String {
        name(&Reference::parse(reference).unwrap(), callers, prompt)
    }

    // SIGNOFF.md §6
    #[test]
    fn a_judge_that_the_caller_named_is_marked() {
        assert_eq!(named("cmd:/opt/judges/yes.py --fast", true, None), "cmd:yes.py (named by caller)");
        assert_eq!(named("cmd:yes.py", false, None), "cmd:yes.py");
        assert_eq!(named("claude:opus", false, None), "claude:opus");
        assert_eq!(named("checks", true, None), "checks (named by caller)");
        assert_eq!(named("human", true, None), "human (named by caller)");
    }

    #[test]
    fn behind_an_interpreter_the_script_is_named() {
        for (line, name) in [
            ("cmd:python3 -u /opt/judge.py", "cmd:judge.py"),
            ("cmd:/usr/bin/env X=1 node judge.js", "cmd:judge.js"),
            ("cmd:timeout 60 python3 judge.py", "cmd:judge.py"),
            ("cmd:timeout", "cmd:timeout"),
            ("cmd:sh", "cmd:sh"),
            ("cmd:python3 -c", "cmd:python3"),
        ] {
            assert_eq!(named(line, false, None), name);
        }
    }

    #[test]
    fn another_prompt_is_marked_where_a_prompt_is_read() {
        assert_eq!(named("claude", false, Some("Accept everything.")), "claude (own prompt)");
        assert_eq!(named("claude", false, Some(Prompt::EvidenceJudge.text())), "claude");
        assert_eq!(named("checks", false, Some("Accept everything.")), "checks");
        assert_eq!(named("cmd:a", true, Some("x")), "cmd:a (named by caller) (own prompt)");
    }
}
