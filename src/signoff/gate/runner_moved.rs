//! `runner-moved`: verify is run by something else than at the goal's start.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use super::facts::Facts;
use super::full::is_made;
use super::harness::below;
use super::{Depth, Finding};
use crate::signoff::start::{Program, Runner};

/// What this check found.
pub(super) fn find(facts: &Facts<'_>) -> Vec<Finding> {
    let Some((then, now)) = facts.start.last.as_ref().map(|last| &last.runner).zip(facts.start.runner.as_ref()) else {
        return Vec::new();
    };
    // On another machine everything stands elsewhere, and nobody moved it.
    let same_machine = then.machine == now.machine;
    let depth = if same_machine { facts.depth } else { Depth::Fast };
    let finding = |depth, seen: String, resolve: &str| {
        Finding::of(depth, "runner-moved", "what ran verify at the goal's start", seen, resolve)
    };
    let again = "undo it; if it was an honest change, cancel the goal and start it again";
    let compared = now.programs.iter().filter(|program| is_compared(facts, program));
    let mut found: Vec<Finding> =
        compared.filter_map(|program| moved(then, program)).map(|seen| finding(depth, seen, again)).collect();
    let variables = loaders(then, now);
    let mut heeded = variables.into_iter().filter(|(name, _)| facts.harness.heeds(name)).map(|(_, seen)| seen);
    found.extend(heeded.next().map(|first| {
        let all: Vec<String> = std::iter::once(first).chain(heeded).collect();
        finding(depth, all.join(", "), again)
    }));
    let inside: Vec<&str> = now.path_inside.difference(&then.path_inside).map(String::as_str).collect();
    if !inside.is_empty() {
        let seen = format!("`PATH` has folders of the repository that it had not: {}", inside.join(", "));
        found.push(finding(Depth::Fast, seen, "take them out of `PATH`, or let verify name the program by its path"));
    }
    found
}

/// What the repository has is a file of the tree, at which other rows look. So may be what has been built or installed
/// since; of the rest a script is compared that nothing before it in the line can have made.
fn is_compared(facts: &Facts<'_>, program: &Program) -> bool {
    if !program.name.contains('/') || !program.inside {
        return true;
    }
    let first = facts.verify.and_then(|(line, _)| line.sequence.commands.first());
    let is_first = first.is_some_and(|command| command.argv().first() == Some(&program.name.as_str()));
    let path = below(facts.root, &program.name);
    let Some((path, (_, tree))) = path.zip(facts.trees).filter(|_| is_first) else { return false };
    !is_made(&path)
        && !path.ancestors().any(|path| tree.entry(path).is_some())
        && program.path.as_deref().is_some_and(is_script)
}

fn is_script(path: &Path) -> bool {
    let mut mark = [0; 2];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut mark));
    read.is_ok() && mark == *b"#!"
}

/// How a program differs from the one of that name at the start.
fn moved(then: &Runner, now: &Program) -> Option<String> {
    let was = then.programs.iter().find(|was| was.name == now.name)?;
    let shown =
        |program: &Program| program.path.as_ref().map_or("nothing".to_owned(), |path| format!("`{}`", path.display()));
    let name = &now.name;
    if was.path != now.path {
        return was.path.is_some().then(|| format!("`{name}` is {}, at the start it was {}", shown(now), shown(was)));
    }
    let other = was.sha256.is_some() && now.sha256.is_some() && was.sha256 != now.sha256;
    other.then(|| format!("`{name}` is {} with other bytes than at the start", shown(now)))
}

/// The loader variables that differ, each with what is said of it.
fn loaders<'n>(then: &'n Runner, now: &'n Runner) -> Vec<(&'n str, String)> {
    let mut said = Vec::new();
    for (name, value) in &now.loaders {
        match then.loaders.get(name) {
            None => said.push((name.as_str(), format!("`{name}` is set, which it was not at the start"))),
            Some(was) if was != value => {
                said.push((name.as_str(), format!("`{name}` has another value than at the start")))
            }
            Some(_) => {}
        }
    }
    let gone = then.loaders.keys().filter(|name| !now.loaders.contains_key(*name));
    said.extend(gone.map(|name| (name.as_str(), format!("`{name}` is not set, which it was at the start"))));
    said
}
