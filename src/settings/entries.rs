//! Which entries of a document are ours, what is missing, and how both become edits.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::edit::{Edit, apply};
use super::json::{self, Item, Step};
use super::toml;
use crate::host::setup::{Call, Entry};

/// What stood there before ours came, and stays when ours go.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Kept {
    /// Empty containers, with the space in them.
    empty: Vec<(Vec<String>, String)>,
    /// Entries that look like ours, by their places; of hooks the event.
    own: Vec<Vec<String>>,
}

impl Kept {
    fn space(&self, path: &[Step]) -> Option<&str> {
        let names = names(path);
        self.empty.iter().find(|(path, _)| *path == names).map(|(_, space)| &**space)
    }

    fn has(&self, path: &[&str], name: &str) -> bool {
        self.own.iter().any(|own| own.iter().eq(path.iter().chain([&name])))
    }
}

/// Every entry that is missing, put in; one that names another program, corrected.
///
/// # Errors
/// In one line: the text cannot be read, or something else has an entry's place.
pub(super) fn install(text: &str, entries: &[Entry], wanted: &Program<'_>) -> Result<Vec<Edit>, String> {
    let mut done = Doing { text: text.to_owned(), edits: Vec::new() };
    for entry in entries {
        let value = json::value(&done.text)?;
        match entry {
            Entry::Hook { event, group, call } => {
                match handlers(&value, call).into_iter().find(|(name, _)| name == event) {
                    Some((_, path)) => done.correct(&value, path, call, wanted)?,
                    None => done.step(|text| json::add(text, &["hooks", event], Item::Element(group)))?,
                }
            }
            Entry::Member { path, name, value: new, call, yields } => {
                let steps = steps(path, name);
                match json::at(&value, &steps) {
                    Some(found) if calls(found, call) => done.correct(&value, steps, call, wanted)?,
                    Some(_) if *yields => {}
                    Some(_) => return Err(format!("`{}` is another one", [*path, &[*name]].concat().join("."))),
                    None => done.step(|text| json::add(text, path, Item::Member(name, new)))?,
                }
            }
            Entry::Texts { path, name, texts } => match json::at(&value, &steps(path, name)) {
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

/// Every entry of ours, taken out, and what that leaves empty.
///
/// # Errors
/// In one line: the text cannot be read, or an entry cannot be taken out by itself.
pub(super) fn uninstall(text: &str, entries: &[Entry], kept: &Kept) -> Result<Vec<Edit>, String> {
    let mut done = Doing { text: text.to_owned(), edits: Vec::new() };
    while let Some(path) = next(&json::value(&done.text)?, entries, kept) {
        done.step(|text| json::remove(text, &path))?;
        let mut above = path;
        while above.pop().is_some() {
            let value = json::value(&done.text)?;
            if !json::at(&value, &above).is_some_and(is_empty) {
                break;
            }
            if let Some(space) = kept.space(&above) {
                done.step(|text| json::fill(text, &above, space))?;
                break;
            }
            // A comment in it is a person's.
            if above.is_empty() || done.step(|text| json::remove(text, &above)).is_err() {
                break;
            }
        }
    }
    Ok(done.edits)
}

/// The empty containers above the places of `entries`, and what looks like one of them.
pub(super) fn kept(text: &str, entries: &[Entry]) -> Kept {
    let Ok(value) = json::value(text) else { return Kept::default() };
    let places = entries.iter().map(|entry| match entry {
        Entry::Hook { event, .. } => vec!["hooks", event],
        Entry::Member { path, .. } => path.to_vec(),
        Entry::Texts { path, name, .. } => path.iter().chain([name]).copied().collect(),
    });
    let mut kept = Kept { empty: Vec::new(), own: own(&value, entries) };
    for place in places {
        for length in 0..=place.len() {
            let path: Vec<Step> = place[..length].iter().map(|key| Step::Key((*key).to_owned())).collect();
            if json::at(&value, &path).is_some_and(is_empty) && kept.space(&path).is_none() {
                kept.empty.push((names(&path), json::hollow(text, &path).unwrap_or_default()));
            }
        }
    }
    kept
}

/// The places of what looks like one of `entries`.
fn own(value: &Value, entries: &[Entry]) -> Vec<Vec<String>> {
    let mut places = Vec::new();
    for entry in entries {
        match entry {
            Entry::Hook { call, .. } => {
                places.extend(handlers(value, call).into_iter().map(|(event, _)| vec!["hooks".to_owned(), event]));
            }
            Entry::Member { path, name, call, .. } => {
                let steps = steps(path, name);
                places.extend(json::at(value, &steps).filter(|found| calls(found, call)).map(|_| names(&steps)));
            }
            Entry::Texts { path, name, texts } => {
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

/// True where one of the hooks or members of ours is there.
pub(super) fn is_there(text: &str, entries: &[Entry]) -> bool {
    let worth = |entry: &&Entry| !matches!(entry, Entry::Texts { .. });
    let entries: Vec<Entry> = entries.iter().filter(worth).cloned().collect();
    json::value(text).is_ok_and(|value| next(&value, &entries, &Kept::default()).is_some())
}

/// How this program is named.
#[derive(Clone, Copy, Debug)]
pub(super) struct Program<'p> {
    pub(super) plain: &'p str,
    pub(super) shell: &'p str,
}

struct Doing {
    text: String,
    edits: Vec<Edit>,
}

impl Doing {
    fn step(&mut self, edits: impl FnOnce(&str) -> Result<Vec<Edit>, String>) -> Result<(), String> {
        let edits = edits(&self.text)?;
        self.text = apply(&self.text, &edits).ok_or("an edit does not fit")?;
        self.edits.extend(edits);
        Ok(())
    }

    /// Where the entry at `path` names the program otherwise, as `wanted`. All else in it is a person's to tune.
    fn correct(&mut self, value: &Value, mut path: Vec<Step>, call: Call, wanted: &Program<'_>) -> Result<(), String> {
        let Some(named) = json::at(value, &path).and_then(|entry| named(entry, call)) else { return Ok(()) };
        let text =
            if named.in_shell { format!("{} {}", wanted.shell, call.join(" ")) } else { wanted.plain.to_owned() };
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

/// The first entry of ours in `value` that was not there before ours came.
fn next(value: &Value, entries: &[Entry], kept: &Kept) -> Option<Vec<Step>> {
    let new = |event: &str| !kept.has(&["hooks"], event);
    entries.iter().find_map(|entry| match entry {
        Entry::Hook { call, .. } => handlers(value, call).into_iter().find(|(event, _)| new(event)).map(|(_, path)| {
            let group = &path[..path.len() - 2];
            let alone =
                json::at(value, &path[..path.len() - 1]).and_then(Value::as_array).is_some_and(|few| few.len() == 1);
            if alone { group.to_vec() } else { path.clone() }
        }),
        Entry::Member { path, name, call, .. } => {
            let steps = steps(path, name);
            let is_ours = |found| calls(found, call) && !kept.has(path, name);
            json::at(value, &steps).is_some_and(is_ours).then_some(steps)
        }
        Entry::Texts { path, name, texts } => {
            let mut steps = steps(path, name);
            let list = json::at(value, &steps)?.as_array()?;
            let whole: Vec<&str> = path.iter().chain([name]).copied().collect();
            let is_ours = |one: &str| texts.contains(&one) && !kept.has(&whole, one);
            let index = list.iter().position(|one| one.as_str().is_some_and(is_ours))?;
            steps.push(Step::Index(index));
            Some(steps)
        }
    })
}

/// Every handler below `hooks` that makes this call: its event and its path.
fn handlers(value: &Value, call: Call) -> Vec<(String, Vec<Step>)> {
    let mut found = Vec::new();
    for (event, groups) in value.get("hooks").and_then(Value::as_object).into_iter().flatten() {
        for (at, group) in groups.as_array().into_iter().flatten().enumerate() {
            let handlers = group.get("hooks").and_then(Value::as_array).into_iter().flatten().enumerate();
            for (index, _) in handlers.filter(|(_, handler)| calls(handler, call)) {
                let key = |name: &str| Step::Key(name.to_owned());
                let path = vec![key("hooks"), key(event), Step::Index(at), key("hooks"), Step::Index(index)];
                found.push((event.clone(), path));
            }
        }
    }
    found
}

/// Where an entry names the program.
struct Named {
    below: Vec<Step>,
    /// In one text with the call, for a shell.
    in_shell: bool,
}

fn calls(entry: &Value, call: Call) -> bool {
    named(entry, call).is_some()
}

fn named(entry: &Value, call: Call) -> Option<Named> {
    let command = entry.get("command")?;
    let key = Step::Key("command".to_owned());
    if let Some(words) = command.as_array() {
        let words: Option<Vec<&str>> = words.iter().map(Value::as_str).collect();
        let (program, rest) = words.as_deref()?.split_first()?;
        return (is_plan(program) && rest == call).then(|| Named { below: vec![key, Step::Index(0)], in_shell: false });
    }
    let command = command.as_str()?;
    let arguments: Option<Vec<&str>> = match entry.get("args").and_then(Value::as_array) {
        Some(arguments) => arguments.iter().map(Value::as_str).collect(),
        None => Some(Vec::new()),
    };
    if is_plan(command) && arguments? == call {
        return Some(Named { below: vec![key], in_shell: false });
    }
    let program = command.strip_suffix(&call.join(" "))?.strip_suffix(' ')?;
    let quotes = ['\'', '"'];
    is_plan(program.trim_matches(quotes)).then(|| Named { below: vec![key], in_shell: true })
}

fn is_plan(program: &str) -> bool {
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

/// The table of ours put into a TOML document, or its program corrected.
///
/// # Errors
/// In one line: the text cannot be read, or something else has the table's place.
pub(super) fn install_table(text: &str, path: &str, lines: &str, call: Call) -> Result<Vec<Edit>, String> {
    match toml::at(&toml::table(text)?, path) {
        None => toml::add(text, path, lines),
        Some(found) if !table_calls(found, call) => Err(format!("`{path}` is another one")),
        Some(found) if found.get("command") == toml::table(lines)?.get("command") => Ok(Vec::new()),
        Some(_) => match toml::table(lines)?.get("command").and_then(::toml::Value::as_str) {
            Some(program) => toml::replace(text, path, "command", program),
            None => Ok(Vec::new()),
        },
    }
}

/// The table of ours taken out of a TOML document.
///
/// # Errors
/// In one line: the text cannot be read, or the table does not stand by itself.
pub(super) fn uninstall_table(text: &str, path: &str, call: Call, kept: &Kept) -> Result<Vec<Edit>, String> {
    match toml::at(&toml::table(text)?, path) {
        Some(found) if table_calls(found, call) && !kept.has(&[], path) => toml::remove(text, path),
        _ => Ok(Vec::new()),
    }
}

/// True where the table of ours is there.
pub(super) fn is_table_there(text: &str, path: &str, call: Call) -> bool {
    toml::table(text).is_ok_and(|table| toml::at(&table, path).is_some_and(|found| table_calls(found, call)))
}

/// The table, where one that looks like ours is there.
pub(super) fn kept_table(text: &str, path: &str, call: Call) -> Kept {
    let own = if is_table_there(text, path, call) { vec![vec![path.to_owned()]] } else { Vec::new() };
    Kept { empty: Vec::new(), own }
}

fn table_calls(table: &::toml::Value, call: Call) -> bool {
    serde_json::to_value(table).is_ok_and(|value| calls(&value, call))
}

#[cfg(test)]
mod tests;
