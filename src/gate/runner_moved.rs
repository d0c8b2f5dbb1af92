//! `runner-moved`: other programs or variables run verify than at the goal's start.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use super::facts::GateFacts;
use super::harness::below;
use super::{Depth, GateFinding};
use crate::base::{Program, Runner};
use crate::lang::is_made;
use crate::shell::quote;

pub(super) fn find(facts: &GateFacts<'_>) -> Vec<GateFinding> {
    let Some((then, now)) = facts.start.last.as_ref().map(|last| &last.runner).zip(facts.start.runner.as_ref()) else {
        return Vec::new();
    };
    // On another machine all programs are in other places although nobody moved them.
    let same_machine = then.machine == now.machine;
    let depth = if same_machine { facts.depth } else { Depth::Fast };
    let expected = "the programs and variables that ran verify at the goal's start";
    let finding = |depth, seen: String, resolve: &str| GateFinding::of(depth, "runner-moved", expected, seen, resolve);
    let id = quote(facts.goal.name());
    let renewed = format!("; if the change is intended: `plan goal cancel {id} \"why\"`, then `plan goal start {id}`");
    let compared = now.programs.iter().filter(|program| is_compared(facts, program));
    let mut found: Vec<GateFinding> = compared
        .filter_map(|program| moved(then, program))
        .map(|(seen, folder)| finding(depth, seen, &(put_back(folder, &id) + &renewed)))
        .collect();
    let heeded: Vec<_> = loaders(then, now).into_iter().filter(|(name, _)| facts.harness.heeds(name)).collect();
    if !heeded.is_empty() {
        let seen: Vec<&str> = heeded.iter().map(|(_, seen)| seen.as_str()).collect();
        let names: Vec<&str> = heeded.iter().map(|(name, _)| *name).collect();
        found.push(finding(depth, seen.join(", "), &(unset(then, &names, &id) + &renewed)));
    }
    let inside: Vec<&str> = now.path_inside.difference(&then.path_inside).map(String::as_str).collect();
    if !inside.is_empty() {
        let seen = format!("`PATH` has new folders inside the repository: {}", inside.join(", "));
        found.push(finding(Depth::Fast, seen, "remove them from `PATH`, or name the program in verify by its path"));
    }
    found
}

/// Whether a program is compared. Inside the repository, other rows compare the files of the tree, and builds or installed
/// programs may change. Of the rest, only a script at the beginning of verify counts: no earlier command can have written it.
fn is_compared(facts: &GateFacts<'_>, program: &Program) -> bool {
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

/// The advice how to run verify with the program of the start. `folder` is the folder in which `PATH` found it.
fn put_back(folder: Option<&Path>, id: &str) -> String {
    match folder {
        Some(folder) => {
            let folder = quote(&folder.to_string_lossy());
            format!(
                "the `PATH` has changed; put the folder of the start first: `PATH={folder}:\"$PATH\" \
                 plan complete {id}`"
            )
        }
        None => "put the program of the start back".to_owned(),
    }
}

/// The advice how to run verify with the variables of the start.
fn unset(then: &Runner, names: &[&str], id: &str) -> String {
    if names.iter().any(|name| then.loaders.contains_key(*name)) {
        return format!("give the variables {} the values of the start", names.join(", "));
    }
    let unset: String = names.iter().map(|name| format!(" -u {name}")).collect();
    format!("the environment has changed; without these variables: `env{unset} plan complete {id}`")
}

/// Describes how a program differs from the program of that name at the start. If `PATH` finds another file, adds the old file's folder.
fn moved<'r>(then: &'r Runner, now: &Program) -> Option<(String, Option<&'r Path>)> {
    let was = then.programs.iter().find(|was| was.name == now.name)?;
    let shown =
        |program: &Program| program.path.as_ref().map_or("nothing".to_owned(), |path| format!("`{}`", path.display()));
    let name = &now.name;
    if was.path != now.path {
        let old = was.path.as_deref()?;
        let folder = old.parent().filter(|_| !name.contains('/') && old.exists());
        return Some((format!("`{name}` is {}; at the start it was {}", shown(now), shown(was)), folder));
    }
    let other = was.sha256.is_some() && now.sha256.is_some() && was.sha256 != now.sha256;
    other.then(|| (format!("`{name}` is {} but its content differs from the start", shown(now)), None))
}

/// Returns the loader variables that differ, each with a description.
fn loaders<'n>(then: &'n Runner, now: &'n Runner) -> Vec<(&'n str, String)> {
    let mut said = Vec::new();
    for (name, value) in &now.loaders {
        match then.loaders.get(name) {
            None => said.push((name.as_str(), format!("`{name}` is set now and was not set at the start"))),
            Some(was) if was != value => {
                said.push((name.as_str(), format!("`{name}` has a different value than at the start")))
            }
            Some(_) => {}
        }
    }
    let gone = then.loaders.keys().filter(|name| !now.loaders.contains_key(*name));
    said.extend(gone.map(|name| (name.as_str(), format!("`{name}` is not set now and was set at the start"))));
    said
}
