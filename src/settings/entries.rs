//! Finds our entries in a document, and creates the edits that add or remove them.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::edit::{Edit, apply};
use super::json::{self, Item, Step};
use super::obstacle::Obstacle;
use super::toml;
use crate::host::setup::{CallWords, SettingsEntry};

/// Entries and containers that existed before the install and stay after an uninstall.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Preexisting {
    /// Empty containers, with the white space in them.
    empty: Vec<(Vec<String>, String)>,
    /// Entries that look like ours, by their places; a hook's place is its event.
    own: Vec<Vec<String>>,
}

impl Preexisting {
    fn space(&self, path: &[Step]) -> Option<&str> {
        let names = names(path);
        self.empty.iter().find(|(path, _)| *path == names).map(|(_, space)| &**space)
    }

    fn has(&self, path: &[&str], name: &str) -> bool {
        self.own.iter().any(|own| own.iter().eq(path.iter().chain([&name])))
    }
}

/// Adds every missing entry, and corrects the entries that name another program.
///
/// # Errors
/// In one line: the text cannot be read, or something else is in an entry's place.
pub(super) fn install(text: &str, entries: &[SettingsEntry], program: &Program<'_>) -> Result<Vec<Edit>, Obstacle> {
    let mut done = DocumentEdit { text: text.to_owned(), edits: Vec::new() };
    for entry in entries {
        let value = json::value(&done.text)?;
        match entry {
            SettingsEntry::Hook { event, group, call } => {
                match handlers(&value, call).into_iter().find(|(name, _)| name == event) {
                    Some((_, path)) => done.correct(&value, path, call, program)?,
                    None => done.step(|text| json::add(text, &["hooks", event], Item::Element(group)))?,
                }
            }
            SettingsEntry::Member { path, name, value: new, call, yields } => {
                let steps = steps(path, name);
                match json::at(&value, &steps) {
                    Some(found) if calls(found, call) => done.correct(&value, steps, call, program)?,
                    Some(_) if *yields => {}
                    Some(_) => {
                        return Err(Obstacle::Taken(format!(
                            "`{}` is already set to something else",
                            [*path, &[*name]].concat().join(".")
                        )));
                    }
                    None => done.step(|text| json::add(text, path, Item::Member(name, new)))?,
                }
            }
            SettingsEntry::Texts { path, name, texts } => match json::at(&value, &steps(path, name)) {
                None => done
                    .step(|text| json::add(text, path, Item::Member(name, &Value::from(texts.clone()).to_string())))?,
                Some(list) => {
                    let whole: Vec<&str> = path.iter().chain([name]).copied().collect();
                    let has = |text: &str| list.as_array().is_some_and(|list| list.iter().any(|one| one == text));
                    for new in texts.iter().filter(|new| !has(new)) {
                        done.step(|text| json::add(text, &whole, Item::Element(&Value::from(*new).to_string())))?;
                    }
                }
            },
        }
    }
    Ok(done.edits)
}

/// Removes every entry of ours, and the containers that become empty.
///
/// # Errors
/// In one line: the text cannot be read, or an entry cannot be removed by itself.
pub(super) fn uninstall(text: &str, entries: &[SettingsEntry], kept: &Preexisting) -> Result<Vec<Edit>, String> {
    let mut done = DocumentEdit { text: text.to_owned(), edits: Vec::new() };
    let mut gone = ours(&json::value(text)?, entries, kept);
    if !gone.is_empty() {
        done.step(|text| json::remove(text, &gone))?;
    }
    while !gone.is_empty() {
        gone = done.emptied(&gone, kept)?;
        if !gone.is_empty() && done.step(|text| json::remove(text, &gone)).is_err() {
            break;
        }
    }
    Ok(done.edits)
}

/// Returns the empty containers above the places of `entries`, and the entries that look like ours.
pub(super) fn kept(text: &str, entries: &[SettingsEntry]) -> Preexisting {
    let Ok(value) = json::value(text) else { return Preexisting::default() };
    let places = entries.iter().map(|entry| match entry {
        SettingsEntry::Hook { event, .. } => vec!["hooks", event],
        SettingsEntry::Member { path, .. } => path.to_vec(),
        SettingsEntry::Texts { path, name, .. } => path.iter().chain([name]).copied().collect(),
    });
    let key = |key: &&str| Step::Key((*key).to_owned());
    let above = |place: &Vec<&str>| (0..=place.len()).map(|length| place[..length].iter().map(key).collect()).collect();
    let mut paths: Vec<Vec<Step>> = places.flat_map(|place| -> Vec<Vec<Step>> { above(&place) }).collect();
    paths.sort();
    paths.dedup();
    paths.retain(|path| json::at(&value, path).is_some_and(is_empty));
    let spaces = json::hollow(text, &paths).into_iter().map(Option::unwrap_or_default);
    let empty = paths.iter().map(|path| names(path)).zip(spaces).collect();
    Preexisting { empty, own: own(&value, entries) }
}

/// Returns the places of entries that look like one of `entries`.
fn own(value: &Value, entries: &[SettingsEntry]) -> Vec<Vec<String>> {
    let mut places = Vec::new();
    for entry in entries {
        match entry {
            SettingsEntry::Hook { call, .. } => {
                places.extend(handlers(value, call).into_iter().map(|(event, _)| vec!["hooks".to_owned(), event]));
            }
            SettingsEntry::Member { path, name, call, .. } => {
                let steps = steps(path, name);
                places.extend(json::at(value, &steps).filter(|found| calls(found, call)).map(|_| names(&steps)));
            }
            SettingsEntry::Texts { path, name, texts } => {
                let steps = steps(path, name);
                let list = json::at(value, &steps).and_then(Value::as_array).into_iter().flatten();
                let ours = list.filter_map(Value::as_str).filter(|one| texts.contains(one));
                places.extend(ours.map(|one| [names(&steps), vec![one.to_owned()]].concat()));
            }
        }
    }
    places.sort();
    places.dedup();
    places
}

/// Returns true if one of our hooks or members is there.
pub(super) fn is_there(text: &str, entries: &[SettingsEntry]) -> bool {
    let worth = |entry: &&SettingsEntry| !matches!(entry, SettingsEntry::Texts { .. });
    let entries: Vec<SettingsEntry> = entries.iter().filter(worth).cloned().collect();
    json::value(text).is_ok_and(|value| !ours(&value, &entries, &Preexisting::default()).is_empty())
}

/// Returns the `entries` that are already there, whatever program they name.
pub(super) fn present(text: &str, entries: &[SettingsEntry]) -> Vec<SettingsEntry> {
    let Ok(value) = json::value(text) else { return Vec::new() };
    let is_there = |entry: &&SettingsEntry| match entry {
        SettingsEntry::Hook { event, call, .. } => handlers(&value, call).iter().any(|(name, _)| name == event),
        SettingsEntry::Member { path, name, call, .. } => {
            json::at(&value, &steps(path, name)).is_some_and(|found| calls(found, call))
        }
        SettingsEntry::Texts { .. } => false,
    };
    entries.iter().filter(is_there).cloned().collect()
}

/// The name of this program in settings: as a word, and quoted for a shell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Program<'p> {
    pub(super) plain: &'p str,
    pub(super) shell: &'p str,
}

struct DocumentEdit {
    text: String,
    edits: Vec<Edit>,
}

impl DocumentEdit {
    fn step(&mut self, edits: impl FnOnce(&str) -> Result<Vec<Edit>, String>) -> Result<(), String> {
        let edits = edits(&self.text)?;
        self.text = apply(&self.text, &edits).ok_or("an edit does not fit")?;
        self.edits.extend(edits);
        Ok(())
    }

    /// Returns the containers that became empty when `gone` was removed, to be removed too. Containers that were empty before the
    /// install get their white space back.
    fn emptied(&mut self, gone: &[Vec<Step>], kept: &Preexisting) -> Result<Vec<Vec<Step>>, String> {
        // Containers in a list are skipped: an index may point at another entry now, and a list that lost one entry may hold more.
        let is_fixed = |above: &&[Step]| above.iter().all(|step| matches!(step, Step::Key(_)));
        let above = gone.iter().filter_map(|path| path.split_last()).map(|(_, above)| above).filter(is_fixed);
        let mut above: Vec<Vec<Step>> = above.map(<[Step]>::to_vec).collect();
        above.sort();
        above.dedup();
        let mut empty = Vec::new();
        // A container with a comment is not empty: a person wrote the comment.
        for (space, path) in json::hollow(&self.text, &above).into_iter().zip(above) {
            match (space, kept.space(&path)) {
                (Some(_), Some(space)) => self.step(|text| json::fill(text, &path, space))?,
                (Some(_), None) if !path.is_empty() => empty.push(path),
                _ => {}
            }
        }
        Ok(empty)
    }

    /// Makes the entry at `path` name the program as `program` does. The rest of the entry belongs to its owner.
    fn correct(
        &mut self,
        value: &Value,
        mut path: Vec<Step>,
        call: CallWords,
        program: &Program<'_>,
    ) -> Result<(), String> {
        let Some(named) = json::at(value, &path).and_then(|entry| named(entry, call)) else { return Ok(()) };
        let text =
            if named.in_shell { format!("{} {}", program.shell, call.join(" ")) } else { program.plain.to_owned() };
        path.extend(named.below);
        if json::at(value, &path).and_then(Value::as_str) == Some(&text) {
            return Ok(());
        }
        self.step(|whole| json::replace(whole, &path, &text))
    }
}

fn steps(path: &[&str], name: &str) -> Vec<Step> {
    path.iter().copied().chain([name]).map(|key| Step::Key(key.to_owned())).collect()
}

/// Returns every entry of ours in `value` that did not exist before the install, each once.
fn ours(value: &Value, entries: &[SettingsEntry], kept: &Preexisting) -> Vec<Vec<Step>> {
    let mut found = Vec::new();
    for entry in entries {
        match entry {
            SettingsEntry::Hook { call, .. } => found.extend(hooks(value, call, kept)),
            SettingsEntry::Member { path, name, call, .. } => {
                let steps = steps(path, name);
                let is_ours = |found| calls(found, call) && !kept.has(path, name);
                found.extend(json::at(value, &steps).is_some_and(is_ours).then_some(steps));
            }
            SettingsEntry::Texts { path, name, texts } => {
                let steps = steps(path, name);
                let list = json::at(value, &steps).and_then(Value::as_array).into_iter().flatten().enumerate();
                let whole: Vec<&str> = path.iter().chain([name]).copied().collect();
                let is_ours = |one: &str| texts.contains(&one) && !kept.has(&whole, one);
                let ours = list.filter(|(_, one)| one.as_str().is_some_and(is_ours));
                found.extend(ours.map(|(index, _)| [&steps[..], &[Step::Index(index)]].concat()));
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

/// Returns the paths of our handlers; if a group has no other handlers, the path of the group.
fn hooks(value: &Value, call: CallWords, kept: &Preexisting) -> Vec<Vec<Step>> {
    let found = handlers(value, call).into_iter().filter(|(event, _)| !kept.has(&["hooks"], event));
    let paths: Vec<Vec<Step>> = found.map(|(_, path)| path).collect();
    let group = |path: &[Step]| path.len() - 2;
    let groups = paths.chunk_by(|one, next| one[..group(one)] == next[..group(next)]);
    let gone = |few: &[Vec<Step>]| {
        let first = &few[0];
        let all = json::at(value, &first[..first.len() - 1]).and_then(Value::as_array).map_or(0, Vec::len);
        if all == few.len() { vec![first[..group(first)].to_vec()] } else { few.to_vec() }
    };
    groups.flat_map(gone).collect()
}

/// Returns the event and the path of every handler below `hooks` that makes this call.
fn handlers(value: &Value, call: CallWords) -> Vec<(String, Vec<Step>)> {
    handlers_that(value, |handler| calls(handler, call))
}

/// Returns the event and the path of every handler below `hooks` that `fits` accepts.
pub(super) fn handlers_that(value: &Value, fits: impl Fn(&Value) -> bool) -> Vec<(String, Vec<Step>)> {
    let mut found = Vec::new();
    for (event, groups) in value.get("hooks").and_then(Value::as_object).into_iter().flatten() {
        for (at, group) in groups.as_array().into_iter().flatten().enumerate() {
            let handlers = group.get("hooks").and_then(Value::as_array).into_iter().flatten().enumerate();
            for (index, _) in handlers.filter(|(_, handler)| fits(handler)) {
                let key = |name: &str| Step::Key(name.to_owned());
                let path = vec![key("hooks"), key(event), Step::Index(at), key("hooks"), Step::Index(index)];
                found.push((event.clone(), path));
            }
        }
    }
    found
}

/// The place where an entry names the program.
struct ProgramMention {
    below: Vec<Step>,
    /// True if program and arguments are one string, for a shell.
    in_shell: bool,
}

fn calls(entry: &Value, call: CallWords) -> bool {
    named(entry, call).is_some()
}

fn named(entry: &Value, call: CallWords) -> Option<ProgramMention> {
    let command = entry.get("command")?;
    let key = Step::Key("command".to_owned());
    if let Some(words) = command.as_array() {
        let words: Option<Vec<&str>> = words.iter().map(Value::as_str).collect();
        let (program, rest) = words.as_deref()?.split_first()?;
        return (is_plan(program) && rest == call)
            .then(|| ProgramMention { below: vec![key, Step::Index(0)], in_shell: false });
    }
    let command = command.as_str()?;
    let arguments: Option<Vec<&str>> = match entry.get("args").and_then(Value::as_array) {
        Some(arguments) => arguments.iter().map(Value::as_str).collect(),
        None => Some(Vec::new()),
    };
    if is_plan(command) && arguments? == call {
        return Some(ProgramMention { below: vec![key], in_shell: false });
    }
    let program = command.strip_suffix(&call.join(" "))?.strip_suffix(' ')?;
    let quotes = ['\'', '"'];
    is_plan(program.trim_matches(quotes)).then(|| ProgramMention { below: vec![key], in_shell: true })
}

pub(super) fn is_plan(program: &str) -> bool {
    Path::new(program).file_name().is_some_and(|name| name == "plan")
}

fn is_empty(value: &Value) -> bool {
    value.as_array().is_some_and(Vec::is_empty) || value.as_object().is_some_and(serde_json::Map::is_empty)
}

fn names(path: &[Step]) -> Vec<String> {
    let name = |step: &Step| match step {
        Step::Key(key) => key.clone(),
        Step::Index(index) => index.to_string(),
    };
    path.iter().map(name).collect()
}

/// Adds our table to a TOML document, or corrects its program.
///
/// # Errors
/// In one line: the text cannot be read, or something else is in the table's place.
pub(super) fn install_table(text: &str, path: &str, lines: &str, call: CallWords) -> Result<Vec<Edit>, Obstacle> {
    match toml::at(&toml::table(text)?, path) {
        None => Ok(toml::add(text, path, lines)?),
        Some(found) if !table_calls(found, call) => {
            Err(Obstacle::Taken(format!("`{path}` is already set to something else")))
        }
        Some(found) => {
            let (wanted, mut edits) = (toml::table(lines)?, Vec::new());
            if let Some(program) = wanted.get("command").filter(|program| Some(*program) != found.get("command")) {
                edits = toml::replace(text, path, "command", program)?;
            }
            // Our list may have grown. The rest of the table belongs to its owner.
            for (key, list) in wanted.iter().filter(|(key, _)| *key != "args") {
                let Some(list) = list.as_array() else { continue };
                let has = found.get(key).and_then(::toml::Value::as_array).cloned().unwrap_or_default();
                let missing = list.iter().filter(|one| !has.contains(one));
                let whole = ::toml::Value::Array(has.iter().chain(missing).cloned().collect());
                if Some(&whole) != found.get(key) {
                    let now = apply(text, &edits).ok_or_else(|| "an edit does not fit".to_owned())?;
                    edits.extend(toml::replace(&now, path, key, &whole)?);
                }
            }
            Ok(edits)
        }
    }
}

/// Removes our table from a TOML document.
///
/// # Errors
/// In one line: the text cannot be read, or the table cannot be separated from others.
pub(super) fn uninstall_table(
    text: &str,
    path: &str,
    call: CallWords,
    kept: &Preexisting,
) -> Result<Vec<Edit>, Obstacle> {
    match toml::at(&toml::table(text)?, path) {
        Some(found) if table_calls(found, call) && !kept.has(&[], path) => toml::remove(text, path),
        _ => Ok(Vec::new()),
    }
}

/// Returns true if our table is there.
pub(super) fn is_table_there(text: &str, path: &str, call: CallWords) -> bool {
    toml::table(text).is_ok_and(|table| toml::at(&table, path).is_some_and(|found| table_calls(found, call)))
}

/// Returns the table as preexisting, if a table that looks like ours is there.
pub(super) fn kept_table(text: &str, path: &str, call: CallWords) -> Preexisting {
    let own = if is_table_there(text, path, call) { vec![vec![path.to_owned()]] } else { Vec::new() };
    Preexisting { empty: Vec::new(), own }
}

fn table_calls(table: &::toml::Value, call: CallWords) -> bool {
    serde_json::to_value(table).is_ok_and(|value| calls(&value, call))
}

#[cfg(test)]
mod tests;
