//! Findings from the run of verify itself: it ran no test, it changed files, it left processes.

use super::GateFinding;
use super::facts::GateFacts;
use crate::lang::closing_lines;
use crate::repo::tracked_changes;
use crate::verify::stage1::{CommandLine, Report};

/// `nothing-ran`: verify is green, and no test ran.
pub(super) fn nothing_ran(facts: &GateFacts<'_>) -> Option<GateFinding> {
    let (line, report) = facts.verify?;
    ran_none(line, report)
}

pub(super) fn ran_none(line: &CommandLine, report: &Report) -> Option<GateFinding> {
    let (output, whole) = report.said();
    let seen = closing_lines::nothing_ran(&line.sequence.argvs(), &output, whole)?;
    let (expected, resolve) = ("at least one test that runs", "make `verify` run tests that exercise the goal");
    Some(GateFinding::block("nothing-ran", expected, seen, resolve))
}

/// Files in which a tool of packages notes the versions that it chose.
const LOCKS: [&str; 9] = [
    "Cargo.lock", "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "go.sum", "uv.lock",
    "poetry.lock", "Gemfile.lock",
];

/// `tree-moved`: verify changed tracked files, so it tests files that it made itself.
pub(super) fn tree_moved(facts: &GateFacts<'_>) -> Option<GateFinding> {
    let (before, after) = facts.trees?;
    facts.verify?;
    let moved = tracked_changes(before, after);
    let first = moved.first()?;
    let more = if moved.len() > 1 { format!(" and {} more", moved.len() - 1) } else { String::new() };
    let seen = format!("verify changed the tracked file `{}`{more}", first.path.display());
    let is_compiled = first.path.extension().is_some_and(|extension| extension == "pyc");
    let are_locks = moved.iter().all(|change| LOCKS.iter().any(|name| change.path.ends_with(name)));
    let resolve = match (is_compiled, are_locks) {
        (true, _) => {
            "take compiled files out of git: `git rm -r -q --cached -- '*.pyc'; echo __pycache__/ >> .gitignore`"
        }
        (_, true) => {
            "keep the new lock file and try again; if verify changes it again, make verify keep it (`--locked`, `npm ci`)"
        }
        (..) => "make verify write to ignored files or to a temporary folder",
    };
    let finding = GateFinding::block("tree-moved", "a verify that does not change tracked files", seen, resolve);
    Some(finding.at(first.path.to_string_lossy()))
}

/// `verify-leaves-processes`: verify exited 0 and left processes running, which `plan` stopped.
pub(super) fn leaves_processes(facts: &GateFacts<'_>) -> Option<GateFinding> {
    let (_, report) = facts.verify?;
    let seen = "verify left processes running; they were stopped";
    let (expected, resolve) = ("a verify that stops every process it starts", "make verify wait for them or stop them");
    report.left_processes.then(|| GateFinding::lead("verify-leaves-processes", expected, seen, resolve))
}
