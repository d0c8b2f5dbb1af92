//! Rows about a prd.json beside plan.md, if it is in the format that `plan` reads and writes.

use std::collections::BTreeMap;

use super::{Context, DoctorResult, Fault};
use crate::exchange::prd::{self, Status, Story};
use crate::store;

/// The name of the file.
const NAME: &str = "prd.json";
/// The maximum number of bytes that are read.
const LARGEST: u64 = 16 << 20;
/// The maximum number of stories that are named.
const NAMED: usize = 3;

/// Returns the file's bytes. `None` if it is missing or in another tool's format, because other tools have a prd.json too.
fn file(context: &Context<'_>) -> Option<Vec<u8>> {
    let bytes = store::read_state(&context.any_place()?.root.join(NAME), LARGEST).ok()?;
    let has = |key: &str| memchr::memmem::find(&bytes, key.as_bytes()).is_some();
    (has("\"user_stories\"") || has("\"schema_version\"")).then_some(bytes)
}

pub(super) fn valid(context: &Context<'_>) -> DoctorResult {
    let Some(bytes) = file(context) else { return DoctorResult::Absent };
    let Err(refusal) = prd::read(&bytes) else { return DoctorResult::FINE };
    if refusal.hint.is_some() {
        return DoctorResult::Absent;
    }
    let first = refusal.violations.first().map(ToString::to_string).unwrap_or_default();
    let more = match refusal.violations.len().saturating_sub(1) {
        0 => String::new(),
        more => format!(" (and {more} more)"),
    };
    DoctorResult::one(Fault::new(format!("{NAME}: {first}{more}"), format!("plan lint --stories {NAME}")))
}

pub(super) fn in_step(context: &Context<'_>) -> DoctorResult {
    let Some(old) = file(context).and_then(|bytes| prd::read(&bytes).ok()) else { return DoctorResult::Absent };
    if context.other_plan().is_some() {
        // The prd.json is that tool's own.
        return DoctorResult::Absent;
    }
    let import = format!("plan import prd {NAME}");
    let Some(plan) = context.plan else {
        let what = format!("{NAME} has stories, and there is no plan.md");
        let command = format!("plan init && {import}");
        return if context.unread.is_some() {
            DoctorResult::Absent
        } else {
            DoctorResult::one(Fault::new(what, command))
        };
    };
    let Ok(export) = prd::export::export(plan, Some(&old), || Ok(None)) else { return DoctorResult::Absent };
    let new = by_id(&export.prd.user_stories);
    let old = by_id(&old.user_stories);
    // A story that is finished elsewhere leaves nothing to do here: an import leaves it out.
    let only_there = |id: &&str| !new.contains_key(id) && old[id].status != Status::Done;
    let there: Vec<&str> = old.keys().copied().filter(only_there).collect();
    if !there.is_empty() {
        let what = format!("{NAME} has stories without a goal in plan.md: {}", named(&there));
        return DoctorResult::one(Fault::new(what, import));
    }
    let differ: Vec<&str> = new.iter().filter(|(id, story)| old.get(*id) != Some(story)).map(|(id, _)| *id).collect();
    if differ.is_empty() {
        return DoctorResult::FINE;
    }
    let what = format!("{NAME} and plan.md differ about {}", named(&differ));
    DoctorResult::one(Fault::new(what, format!("plan export prd {NAME}")))
}

fn by_id(stories: &[Story]) -> BTreeMap<&str, &Story> {
    stories.iter().map(|story| (&*story.id, story)).collect()
}

fn named(ids: &[&str]) -> String {
    let more = match ids.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}{more}", ids[..ids.len().min(NAMED)].join(", "))
}
