//! Plans drafted by an agent: finds their faults, and makes the changes that write them to plan.md (`CONTRACT.md` §6).
//!
//! A draft is read like any plan.md. It needs no ids, step numbers and log: this module adds them.

use std::collections::HashMap;

use super::change::{self, Change};
use super::contract::{Digests, goal_contract};
use super::edit::{Edit, apply};
use super::log::{GoalEvent, events_of};
use super::lookup::NeedNames;
use super::model::{GoalRef, Key, LintFinding, Mark, Plan, Severity, Span, Status, Step};
use super::parse::{parse, split};
use super::rules::{GoalRecords, Standing};
use super::text::{is_hidden, is_joiner, placeholder};
use crate::error::Result;

/// The changes that write a draft.
#[derive(Clone, Debug, Default)]
pub struct DraftChanges {
    /// The changes, with the log lines.
    pub changes: Vec<Change>,
    /// The new goals' ids, in file order.
    pub ids: Vec<String>,
    /// The number of steps of the new goals.
    pub steps: usize,
}

/// Returns the live goals that a new draft replaces: open goals that were never started and have only pending steps.
pub fn replaceable(plan: &Plan<'_>) -> Vec<usize> {
    let is_untouched = |goal: &GoalRef<'_, '_>| {
        let started = |id| events_of(plan, id).any(|event| matches!(event, GoalEvent::Started(_)));
        goal.status() == Status::Open
            && goal.steps().iter().all(|step| step.mark == Mark::Pending)
            && !goal.id().is_some_and(started)
    };
    plan.live_goals().filter(is_untouched).map(GoalRef::index).collect()
}

/// Returns the live goals to archive before a new plan is drafted: those that are cancelled, or signed off in their current form.
pub fn archivable(plan: &Plan<'_>) -> Vec<usize> {
    let (record, mut digests) = (GoalRecords::new(plan), Digests::default());
    let mut is_over = |goal: &GoalRef<'_, '_>| match goal.status() {
        Status::Done => record.standing(*goal, &mut digests) == Standing::SignedOff,
        status => status == Status::Cancelled,
    };
    plan.live_goals().filter(|goal| is_over(goal)).map(GoalRef::index).collect()
}

/// Returns the reasons why a draft cannot be written to `plan` after the goals `gone` are removed: one sentence each, for its author.
pub fn faults(plan: &Plan<'_>, draft: &Plan<'_>, gone: &[usize]) -> Vec<String> {
    let mut faults = Vec::new();
    if let Some(open) = draft.unclosed {
        let line = line_at(draft.source, open.start as usize);
        faults.push(format!("the code fence or comment that `{line}` opens is never closed"));
    }
    if !draft.logs.is_empty() || draft.archive.is_some() {
        faults.push("a draft has no `Log` and no `# Archive`: leave them out, `plan` writes them".to_owned());
    }
    let text = String::from_utf8_lossy(draft.source);
    let is_strange = |c: &char| c.is_control() && !matches!(c, '\n' | '\t') || is_hidden(*c) && !is_joiner(*c);
    if let Some(strange) = text.chars().find(is_strange) {
        faults.push(format!("it contains the invisible character U+{:04X}", u32::from(strange)));
    }
    if draft.goals.is_empty() {
        faults.push("it has no `## Goal: …` heading".to_owned());
    }
    let mut subjects: Vec<String> = Vec::new();
    for goal in draft.all_goals() {
        let subject = goal.subject().to_lowercase();
        let stays = |other: &GoalRef<'_, '_>| !gone.contains(&other.index());
        if subjects.contains(&subject) {
            faults.push(of(goal, "another goal of the draft has the same subject"));
        } else if plan.live_goals().filter(stays).any(|other| other.subject().to_lowercase() == subject) {
            faults.push(of(goal, "the plan has this goal already, and it stays as it is: leave it out"));
        }
        subjects.push(subject);
        faults.extend(goal_faults(goal));
    }
    faults
}

fn goal_faults(goal: GoalRef<'_, '_>) -> Vec<String> {
    let mut faults = Vec::new();
    let mut add = |is_wrong: bool, what: &str| {
        if is_wrong {
            faults.push(of(goal, what));
        }
    };
    add(goal.subject().is_empty(), "it has no subject");
    add(goal.status() != Status::Open, "a drafted goal is `status: open`");
    add(goal.criteria().is_empty(), "it has no `done_when`: add one with a criterion that someone else can check");
    add(goal.failure_modes().is_empty(), "it has no `failure_modes`: name two or three");
    add(goal.steps().is_empty(), "it has no step: add two to seven `- [ ]` lines");
    add(goal.steps().iter().any(|step| step.mark != Mark::Pending), "a drafted step is pending: `- [ ]`");
    let modes = goal.failure_modes();
    let texts = [goal.subject().into()].into_iter().chain(goal.criteria()).chain(goal.verify());
    let steps = goal.steps().iter().map(|step| goal.plan().text(step.text).into());
    for text in texts.chain(modes.into_iter().map(|mode| mode.text)).chain(steps) {
        if let Some(found) = placeholder(&text) {
            let there = if found == text { String::new() } else { format!(" in `{text}`") };
            add(true, &format!("the placeholder `{found}` is left{there}"));
        }
    }
    faults
}

/// Returns a message about a goal.
fn of(goal: GoalRef<'_, '_>, what: &str) -> String {
    format!("goal `{}`: {what}", goal.subject())
}

/// Returns the changes that write a draft without faults to `plan` and remove the goals `replaced`. A new goal with the same subject
/// as a replaced goal gets its id. `objective` is the person's own words for the heading.
///
/// # Errors
/// [`crate::error::Kind::Input`] if the draft cannot be written line by line.
pub fn changes(
    plan: &Plan<'_>,
    draft: &Plan<'_>,
    replaced: &[usize],
    objective: Option<&str>,
    stamp: &str,
) -> Result<DraftChanges> {
    let log = |text: String| Change::AppendLog { stamp: stamp.to_owned(), text };
    let ids = ids(plan, draft, replaced);
    let mut number = change::next_number(plan);
    let numbers: HashMap<u32, u32> =
        draft.steps.iter().zip(number..).filter_map(|(step, new)| Some((step.number?, new))).collect();
    let mut changes: Vec<Change> = objective
        .or_else(|| draft.objective().filter(|_| plan.objective.is_none()))
        .map(|text| Change::SetObjective { text: text.to_owned() })
        .into_iter()
        .collect();
    changes.push(Change::AddIntro { text: intro(draft) });
    for &goal in replaced {
        let Some(raw) = plan.goals.get(goal) else { continue };
        changes.push(Change::RemoveGoal { goal });
        changes.extend(change::removal_line(plan, raw.steps.start as usize..raw.steps.end as usize).map(log));
    }
    for (goal, id) in draft.all_goals().zip(&ids) {
        let text = block(goal, id, &ids, number, &numbers)?;
        number += goal.steps().len() as u32;
        let written = parse(text.as_bytes())?;
        let contract = written.goal(0).map(|goal| goal_contract(goal).digest.short()).unwrap_or_default();
        changes.push(Change::AddGoalBlock { text: text.clone() });
        changes.push(log(GoalEvent::Added { contract: &contract }.of(id).to_string()));
    }
    Ok(DraftChanges { changes, ids, steps: draft.steps.len() })
}

/// Returns the `findings` about the goals `ids` of a plan as sentences that quote the lines: errors, then warnings.
pub fn describe_findings(plan: &Plan<'_>, ids: &[String], findings: &[LintFinding]) -> (Vec<String>, Vec<String>) {
    let (mut errors, mut warnings) = (Vec::new(), Vec::new());
    let is_new = |goal: &GoalRef<'_, '_>| goal.id().is_some_and(|id| ids.iter().any(|new| new == id));
    for goal in plan.live_goals().filter(is_new) {
        let body = goal.raw().body.range();
        for finding in findings.iter().filter(|finding| body.contains(&(finding.span.start as usize))) {
            let list = match finding.severity {
                Severity::Error => &mut errors,
                Severity::Warning => &mut warnings,
                Severity::Note => continue,
            };
            let line = line_at(plan.source, finding.span.start as usize);
            list.push(of(goal, &format!("`{line}`: {}; {}", finding.message, finding.remedy)));
        }
    }
    (errors, warnings)
}

/// Returns the line that contains a byte, trimmed.
fn line_at(source: &[u8], at: usize) -> String {
    let start = memchr::memrchr(b'\n', &source[..at]).map_or(0, |newline| newline + 1);
    let end = memchr::memchr(b'\n', &source[at..]).map_or(source.len(), |newline| at + newline);
    String::from_utf8_lossy(&source[start..end]).trim().to_owned()
}

/// Returns the id of each drafted goal: the id of the goal that it replaces, else a free one.
fn ids(plan: &Plan<'_>, draft: &Plan<'_>, replaced: &[usize]) -> Vec<String> {
    let free = change::free_ids(plan, draft.all_goals().map(GoalRef::subject));
    let kept = |goal: GoalRef<'_, '_>| {
        let same = |old: &GoalRef<'_, '_>| old.subject().to_lowercase() == goal.subject().to_lowercase();
        let old = replaced.iter().filter_map(|index| plan.goal(*index)).find(same)?;
        old.id().map(str::to_owned)
    };
    draft.all_goals().zip(free).map(|(goal, free)| kept(goal).unwrap_or(free)).collect()
}

/// Returns the prose of a draft: everything outside its goals, front matter and objective line.
fn intro(draft: &Plan<'_>) -> String {
    let mut at = draft.front.map_or(0, |front| front.end as usize);
    let mut prose = String::new();
    let objective = draft.objective_line.map(Span::range);
    let mut parts: Vec<_> = objective.into_iter().chain(draft.goals.iter().map(|goal| goal.body.range())).collect();
    parts.push(draft.source.len()..draft.source.len());
    for part in parts {
        prose.push_str(&String::from_utf8_lossy(draft.source.get(at..part.start).unwrap_or_default()));
        at = at.max(part.end);
    }
    prose.trim().to_owned()
}

/// Returns a goal as it is written to the plan: with its id, its status and numbered steps, and with ids in `needs`.
fn block(goal: GoalRef<'_, '_>, id: &str, ids: &[String], first: u32, numbers: &HashMap<u32, u32>) -> Result<String> {
    let (plan, raw) = (goal.plan(), goal.raw());
    let mut edits = Vec::new();
    let own = raw.id.map(|(line, _)| line).or(raw.bad_id);
    edits.extend(own.map(|line| Edit { range: line.range(), text: Vec::new() }));
    let status = if goal.field(Key::Status).is_none() { "status: open\n" } else { "" };
    let heading = raw.heading.end as usize;
    edits.push(Edit { range: heading..heading, text: format!("<!-- id: {id} -->\n{status}").into_bytes() });
    if let Some(field) = goal.field(Key::Needs) {
        let needs = NeedNames::new(plan).of(goal);
        let name = |need: &super::lookup::Need| match need.goals.first() {
            Some(index) => ids.get(*index).cloned().unwrap_or_default(),
            None => need.written.clone(),
        };
        let names: Vec<String> = needs.iter().map(name).collect();
        edits.push(Edit { range: field.lines.range(), text: format!("needs: {}\n", names.join(", ")).into_bytes() });
    }
    for (step, number) in goal.steps().iter().zip(first..) {
        edits.extend(numbered(plan, step, number, numbers));
    }
    let body = raw.body.range();
    edits.retain(|edit| !edit.text.is_empty() || !edit.range.is_empty());
    for edit in &mut edits {
        edit.range = edit.range.start - body.start..edit.range.end - body.start;
    }
    let text = apply(&plan.source[body], &edits)?;
    Ok(format!("{}\n", String::from_utf8_lossy(&text).trim_end()))
}

/// Returns the edits that give a step its number, and put the new numbers of the other steps into its `(after …)`.
fn numbered(plan: &Plan<'_>, step: &Step, number: u32, numbers: &HashMap<u32, u32>) -> Vec<Edit> {
    let (rest, start) = (plan.text(step.rest), step.rest.start as usize);
    let parts = split(rest);
    let from = rest.len() - rest.trim_start().len();
    let old = if parts.number.is_some() { parts.text.start } else { from };
    let mut edits = vec![Edit { range: start + from..start + old, text: format!("{number}. ").into_bytes() }];
    if let Some(after) = parts.after {
        let of = |word: &str| word.parse().ok().and_then(|old: u32| numbers.get(&old).copied());
        let words = rest[after.clone()].split([',', ' ', '\t']).filter(|word| !word.is_empty());
        let new: Vec<String> = words.map(|word| of(word).map_or(word.to_owned(), |new| new.to_string())).collect();
        edits.push(Edit { range: start + after.start..start + after.end, text: new.join(", ").into_bytes() });
    }
    edits
}

#[cfg(test)]
mod tests;
