//! Imports stories as goals.

use super::export::NOTES;
use super::quality::is_story_id;
use super::wording;
use super::{Prd, Refusal, Status, Story};
use crate::error::{Error, Result};
use crate::exchange::{Fate, ReadOptions, Reader, SourceFile, Task, TaskList};
use crate::plan::change::Quote;
use crate::plan::text::one_line;

/// The reader of `plan import prd`.
pub const READER: Reader =
    Reader { name: "prd", tool: TOOL, wants: |path| path.ends_with("prd.json"), beside: &[], read };

const TOOL: &str = "prd.json";

/// The longest id of a goal.
const ID_BYTES: usize = 64;

fn read(files: &[SourceFile], _: &ReadOptions) -> Result<TaskList> {
    let [file] = files else {
        let found: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
        let message = format!("expected one prd.json, found {}: {}", files.len(), found.join(", "));
        return Err(Error::input(message).harmless().hint("name one of them"));
    };
    match super::read(file.text.as_bytes()) {
        Ok(prd) => Ok(tasks(&prd)),
        Err(refusal) if is_foreign(&refusal) => Err(file.wrong_format_error("a prd.json of user stories")),
        Err(refusal) => Err(refusal.error(&file.path)),
    }
}

/// True if nothing suggests that the document is meant to be a prd.json.
fn is_foreign(refusal: &Refusal) -> bool {
    let is_missing = |key: &str| refusal.violations.iter().any(|one| one.at == key && one.what == "is missing");
    refusal.hint.is_none() && ["/schema_version", "/user_stories"].into_iter().all(is_missing)
}

/// Returns the stories as tasks for the common writer.
pub fn tasks(prd: &Prd) -> TaskList {
    let front = [("item", &prd.id), ("branch", &prd.branch_name)];
    let mut list = TaskList {
        tool: TOOL.to_owned(),
        front: front.map(|(key, value)| (key.to_owned(), value.clone())).into(),
        ..TaskList::default()
    };
    for key in prd.unknown.keys() {
        list.fields.count(Fate::Dropped, key);
    }
    for story in &prd.user_stories {
        for key in ["id", "title", "acceptance_criteria", "priority", "status"] {
            list.fields.count(Fate::Mapped, key);
        }
        if !story.notes.is_empty() {
            list.fields.count(Fate::Prose, "notes");
        }
        for key in story.unknown.keys() {
            list.fields.count(Fate::Dropped, key);
        }
        list.tasks.push(task(story));
    }
    list.notes = notes(prd);
    list
}

fn task(story: &Story) -> Task {
    let goal_id = Some(story.id.to_ascii_lowercase()).filter(|id| is_story_id(&story.id) && id.len() <= ID_BYTES);
    let words = wording::quoted(story);
    let mut quotes = Vec::new();
    if goal_id.is_none() || !words.is_empty() {
        quotes.push(Quote { heading: wording::heading(&story.id), text: words });
    }
    if !story.notes.is_empty() {
        quotes.push(Quote { heading: NOTES.to_owned(), text: story.notes.clone() });
    }
    Task {
        id: story.id.clone(),
        subject: story.title.clone(),
        done_when: story.acceptance_criteria.clone(),
        priority: u8::try_from(story.priority).ok().filter(|priority| (1..=4).contains(priority)),
        goal_id,
        quotes: Some(quotes),
        is_known_by_subject: true,
        ..Task::default()
    }
}

/// Remarks on the parts that do not come in as they are in the file.
fn notes(prd: &Prd) -> Vec<String> {
    let ids = |is_so: fn(&Story) -> bool| {
        let ids: Vec<&str> =
            prd.user_stories.iter().filter(|story| is_so(story)).map(|story| story.id.as_str()).collect();
        (!ids.is_empty()).then(|| ids.join(", "))
    };
    let done = ids(|story| story.status == Status::Done)
        .map(|ids| format!("done in the file, an open goal here until it is signed off: {ids}"));
    let priorities = ids(|story| !(1..=4).contains(&story.priority))
        .map(|ids| format!("a priority is 1 to 4; 2 instead of another number: {ids}"));
    let blank = ids(|story| story.acceptance_criteria.iter().any(|text| one_line(text).is_empty()))
        .map(|ids| format!("blank criteria left out: {ids}"));
    let unknown: Vec<&str> = prd
        .unknown
        .keys()
        .chain(prd.user_stories.iter().flat_map(|story| story.unknown.keys()))
        .map(String::as_str)
        .collect();
    let unknown = (!unknown.is_empty()).then(|| {
        let mut names = unknown;
        names.sort_unstable();
        names.dedup();
        format!("keys that a prd.json does not have, left out: {}", names.join(", "))
    });
    [done, priorities, blank, unknown].into_iter().flatten().collect()
}
