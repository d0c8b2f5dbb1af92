//! `greps-own-text`: a verify that only looks for text in files which were written since the goal's start.

use std::path::Path;

use crate::plan::model::GoalKind;
use crate::process::words::{Command, Sequence};
use crate::signoff::gate::Finding;
use crate::signoff::gate::facts::Facts;
use crate::signoff::gate::trivial::wrapper;

/// What this scan found.
pub(super) fn find(facts: &Facts<'_>) -> Vec<Finding> {
    // What is asked of a text can be looked for in it.
    if facts.goal.kind() == GoalKind::Docs {
        return Vec::new();
    }
    let commands = facts.verify.map(|(line, _)| line.sequence.commands.as_slice()).unwrap_or_default();
    let files: Option<Vec<Vec<&str>>> = commands.iter().map(looked_at).collect();
    let files: Vec<&str> = files.unwrap_or_default().into_iter().flatten().collect();
    let changed = |file: &&str| {
        let path = facts.root.join(Path::new(file.trim_start_matches("./")));
        facts.base.is_some_and(|base| base.changed.iter().any(|changed| changed.path == path && changed.now.is_some()))
    };
    if files.is_empty() || !files.iter().all(changed) {
        return Vec::new();
    }
    let seen = format!("verify only looks for text in `{}`, written since the goal's start", files.join("`, `"));
    let mut resolve = "let verify run what should print that text".to_owned();
    if files.iter().all(|file| is_prose(Path::new(file))) {
        let docs = format!("`plan goal set {} --kind docs --because \"why\"`", facts.goal.name());
        resolve += &format!("; where the text itself is the work: {docs}");
    }
    vec![Finding::lead("greps-own-text", "a verify that tries the work", seen, &resolve).at(files[0])]
}

/// Whether a verify does nothing but look for text in what people read.
pub(super) fn looks_at_prose(sequence: &Sequence) -> bool {
    let files: Option<Vec<Vec<&str>>> = sequence.commands.iter().map(looked_at).collect();
    let files: Vec<&str> = files.unwrap_or_default().into_iter().flatten().collect();
    !files.is_empty() && files.iter().all(|file| is_prose(Path::new(file)))
}

/// What people read.
fn is_prose(path: &Path) -> bool {
    const ENDS: [&str; 7] = ["md", "markdown", "rst", "txt", "adoc", "tex", "html"];
    path.extension().is_some_and(|end| ENDS.iter().any(|prose| end.eq_ignore_ascii_case(prose)))
}

/// The files that a command looks for text in; none where it does something else.
fn looked_at(command: &Command) -> Option<Vec<&str>> {
    let argv = command.argv();
    let argv = wrapper::unwrap(&argv)?.to_vec();
    let (program, args) = argv.split_first()?;
    match *program {
        "grep" | "egrep" | "fgrep" | "rg" | "ag" => {
            let given = args.iter().any(|arg| matches!(*arg, "-e" | "-f" | "--regexp"));
            let plain = args.iter().copied().filter(|arg| !arg.starts_with('-'));
            Some(plain.skip(usize::from(!given)).collect())
        }
        "test" | "[" | "cat" | "head" | "tail" | "wc" => {
            Some(args.iter().copied().filter(|arg| arg.contains('.')).collect())
        }
        _ => None,
    }
}
