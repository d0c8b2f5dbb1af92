//! `greps-own-text`: a verify that only searches for text in files written since the goal's start.

use std::path::Path;

use crate::gate::GateFinding;
use crate::gate::facts::GateFacts;
use crate::lang::wrapper;
use crate::plan::model::GoalKind;
use crate::shell::strict::{Sequence, StrictCommand};

pub(super) fn find(facts: &GateFacts<'_>) -> Vec<GateFinding> {
    // For documents, the text itself is the work.
    if facts.goal.kind() == GoalKind::Docs {
        return Vec::new();
    }
    let commands = facts.verify.map(|(line, _)| line.sequence.commands.as_slice()).unwrap_or_default();
    let files: Option<Vec<Vec<&str>>> = commands.iter().map(looked_at).collect();
    let mut files: Vec<&str> = files.unwrap_or_default().into_iter().flatten().collect();
    files.dedup();
    let changed = |file: &&str| {
        let path = facts.root.join(Path::new(file.trim_start_matches("./")));
        facts.base.is_some_and(|base| base.changed.iter().any(|changed| changed.path == path && changed.now.is_some()))
    };
    if files.is_empty() || !files.iter().all(changed) {
        return Vec::new();
    }
    let seen =
        format!("verify only looks for text in `{}`, which was written since the goal's start", files.join("`, `"));
    let mut resolve = "make verify run the program that prints this text".to_owned();
    if files.iter().all(|file| is_prose(Path::new(file))) {
        let docs = format!("`plan goal set {} --kind docs --because \"why\"`", facts.goal.name());
        resolve += &format!("; if the text itself is the work: {docs}");
    }
    vec![GateFinding::lead("greps-own-text", "a verify that exercises the work", seen, &resolve).at(files[0])]
}

/// Whether a verify only searches for text in prose.
pub(crate) fn looks_at_prose(sequence: &Sequence) -> bool {
    let files: Option<Vec<Vec<&str>>> = sequence.commands.iter().map(looked_at).collect();
    let files: Vec<&str> = files.unwrap_or_default().into_iter().flatten().collect();
    !files.is_empty() && files.iter().all(|file| is_prose(Path::new(file)))
}

pub(in crate::gate) fn is_prose(path: &Path) -> bool {
    const ENDS: [&str; 7] = ["md", "markdown", "rst", "txt", "adoc", "tex", "html"];
    path.extension().is_some_and(|end| ENDS.iter().any(|prose| end.eq_ignore_ascii_case(prose)))
}

/// Returns the files that a command searches for text; `None` if it does anything else.
fn looked_at(command: &StrictCommand) -> Option<Vec<&str>> {
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
