//! Exports goals as stories.

use std::collections::{HashMap, HashSet};

use super::quality::{is_story_id, story_id};
use super::wording::Wording;
use super::{Prd, Status as StoryStatus, Story, VERSION};
use crate::error::{Error, Result};
use crate::plan::change::{Quote, quotes};
use crate::plan::model::{GoalKind, GoalRef, Plan, Status};
use crate::plan::text::slug;
use crate::plan::view::{GoalView, goal_views};
use crate::shell::quote;

/// The heading of the quote that holds a story's notes.
pub(super) const NOTES: &str = "Notes";

/// The export of a plan as a prd.json.
#[derive(Clone, Debug)]
pub struct Export {
    /// The file's content.
    pub prd: Prd,
    /// The parts of the plan that a prd.json cannot hold, each with its count: `verify`, 3.
    pub left_out: Vec<(&'static str, usize)>,
    /// Remarks on stories of the overwritten file that lose their status or id, or are removed; one line each.
    pub notes: Vec<String>,
}

/// The goals that become stories, in file order: all except cancelled and archived goals.
pub fn story_goals<'p, 'a>(plan: &'p Plan<'a>) -> Vec<GoalRef<'p, 'a>> {
    plan.live_goals().filter(|goal| goal.status() != Status::Cancelled).collect()
}

/// Exports the stories of a plan. `old` is the file to overwrite; its ids, names and unknown keys are kept. `branch` is called only if
/// neither plan.md nor `old` names a branch.
///
/// # Errors
/// [`crate::error::Kind::Input`] if the item or the branch has no name.
pub fn export(plan: &Plan<'_>, old: Option<&Prd>, branch: impl FnOnce() -> Result<Option<String>>) -> Result<Export> {
    let front = |key| plan.front_value(key).filter(|value| !value.is_empty()).map(str::to_owned);
    let objective = plan.objective().filter(|text| !text.is_empty());
    let id = front("item").or_else(|| old.map(|old| old.id.clone())).or_else(|| objective.map(slug));
    let id = id.ok_or_else(|| {
        Error::input("a prd.json has an `id`, and plan.md names none: it has no objective")
            .hint("begin plan.md with a line `# Plan: …`")
    })?;
    let branch_name = match front("branch").or_else(|| old.map(|old| old.branch_name.clone())) {
        Some(name) => name,
        None => branch()?.ok_or_else(|| {
            Error::input("a prd.json has a `branch_name`, and HEAD is on no branch")
                .hint(format!("git switch -c {}", quote(&id)))
                .hint(format!("or write `branch: {id}` between two `---` lines at the top of plan.md"))
        })?,
    };
    let goals = story_goals(plan);
    let views = goal_views(plan, goals.iter().copied());
    let mut quoted: HashMap<usize, Vec<Quote>> = HashMap::new();
    for (goal, quote) in quotes(plan) {
        quoted.entry(goal).or_default().push(quote);
    }
    let quotes_of = |goal: &GoalRef<'_, '_>| quoted.get(&goal.index()).map_or(&[][..], Vec::as_slice);
    let stories: Vec<Story> = goals.iter().zip(&views).map(|(goal, view)| story(view, quotes_of(goal))).collect();
    let mut prd = Prd { schema_version: VERSION, id, branch_name, user_stories: stories, ..Prd::default() };
    let notes = old.map_or_else(Vec::new, |old| keep(&mut prd, old));
    number(&mut prd.user_stories, old);
    Ok(Export { prd, left_out: left_out(plan, &views), notes })
}

/// Converts a goal to a story. The id is empty if the story has none yet.
fn story(goal: &GoalView, quotes: &[Quote]) -> Story {
    let notes = quotes.iter().find(|quote| quote.heading == NOTES);
    let from = quotes.iter().find_map(Wording::read);
    let (from, mut wording) = from.map_or_else(Default::default, |(id, wording)| (Some(id), wording));
    let own = goal.id.as_ref().map(|id| id.to_ascii_uppercase()).filter(|id| is_story_id(id));
    Story {
        id: from.or(own).unwrap_or_default(),
        title: wording.title(&goal.subject),
        acceptance_criteria: goal.done_when.iter().map(|text| wording.criterion(text)).collect(),
        priority: goal.priority.into(),
        status: if goal.signed_off { StoryStatus::Done } else { StoryStatus::Pending },
        notes: notes.map(|quote| quote.text.clone()).unwrap_or_default(),
        ..Story::default()
    }
}

/// Copies from the overwritten file everything that plan.md does not have: story ids (matched by title), notes, unknown
/// keys.
fn keep(prd: &mut Prd, old: &Prd) -> Vec<String> {
    prd.unknown = old.unknown.clone();
    let titles: HashSet<String> = prd.user_stories.iter().map(|story| story.title.clone()).collect();
    let mut given: HashSet<String> = prd.user_stories.iter().map(|story| story.id.clone()).collect();
    // Stories may share a title; then they match in file order.
    let mut by_title: HashMap<&str, Vec<&Story>> = HashMap::new();
    old.user_stories.iter().for_each(|story| by_title.entry(&*story.title).or_default().push(story));
    let by_id: HashMap<&str, &Story> = old.user_stories.iter().map(|story| (&*story.id, story)).collect();
    let (mut undone, mut moved, mut kept) = (Vec::new(), Vec::new(), HashSet::new());
    for story in &mut prd.user_stories {
        let renamed = || by_id.get(&*story.id).filter(|old| !titles.contains(&old.title));
        let alike = by_title.get(&*story.title).into_iter().flatten();
        let Some(old) = alike.chain(renamed()).find(|old| !kept.contains(&*old.id)) else { continue };
        kept.insert(&*old.id);
        match story.id.as_str() {
            "" if given.insert(old.id.clone()) => story.id.clone_from(&old.id),
            id if id == old.id => {}
            _ => moved.push(&*old.id),
        }
        story.unknown = old.unknown.clone();
        if story.notes.is_empty() {
            story.notes.clone_from(&old.notes);
        }
        if old.status == StoryStatus::Done && story.status == StoryStatus::Pending {
            undone.push(&*old.id);
        }
    }
    let gone = old.user_stories.iter().map(|story| &*story.id).filter(|id| !kept.contains(id)).collect();
    let lists: [(&str, Vec<&str>); 3] = [
        ("done in the file, but not signed off here, so now pending", undone),
        ("in the file, but not a goal in plan.md, so now removed", gone),
        ("ids of stories that got another id, because a goal of plan.md has this one", moved),
    ];
    let told = lists.into_iter().filter(|(_, ids)| !ids.is_empty());
    told.map(|(what, ids)| format!("{what}: {}", ids.join(", "))).collect()
}

/// Gives the first free `US-NNN` to each story that has no id or repeats the id of an earlier story.
fn number(stories: &mut [Story], old: Option<&Prd>) {
    let olds = old.into_iter().flat_map(|old| &old.user_stories).map(|story| story.id.clone());
    let mut taken: HashSet<String> = stories.iter().map(|story| story.id.clone()).chain(olds).collect();
    let mut given: HashSet<String> = HashSet::new();
    let mut next = 1;
    for story in stories {
        if !story.id.is_empty() && given.insert(story.id.clone()) {
            continue;
        }
        while !taken.insert(story_id(next)) {
            next += 1;
        }
        story.id = story_id(next);
        given.insert(story.id.clone());
    }
}

/// Counts the parts of the plan that a story cannot hold.
fn left_out(plan: &Plan<'_>, goals: &[GoalView]) -> Vec<(&'static str, usize)> {
    let sum = |of: fn(&GoalView) -> usize| goals.iter().map(of).sum::<usize>();
    let counts = [
        ("verify", sum(|goal| usize::from(goal.verify.is_some()))),
        ("failure_modes", sum(|goal| goal.failure_modes.len())),
        ("needs", sum(|goal| goal.needs.len())),
        ("kind", sum(|goal| usize::from(goal.kind != GoalKind::default().word()))),
        ("may_change", sum(|goal| goal.may_change.len())),
        ("evidence", sum(|goal| goal.evidence.len())),
        ("steps", sum(|goal| goal.steps.len())),
        ("cancelled goals", plan.live_goals().filter(|goal| goal.status() == Status::Cancelled).count()),
        ("archived goals", plan.all_goals().filter(|goal| goal.raw().archived).count()),
    ];
    counts.into_iter().filter(|(_, count)| *count > 0).collect()
}
