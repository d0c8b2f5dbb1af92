//! The report of an import: three lists that add up to the records that were read.

use serde_json::{Value, json};

use super::record::{Fate, Fields, LeftOut, RecordKind};
use crate::plan::text::counted;

/// The most names in a list without `--dry-run`.
const NAMED: usize = 12;

/// The fate of all records.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportReport {
    /// The program.
    pub tool: String,
    /// Tasks that become goals.
    pub mapped: Vec<Mapped>,
    /// All other records.
    pub left_out: Vec<LeftOut>,
    /// The number of needs that were taken over.
    pub needs: usize,
    /// The needs that were left out.
    pub needs_left: Vec<LeftNeed>,
    /// Tasks that are goals already and differ from them: task, goal, difference.
    pub changed: Vec<(String, String, String)>,
    /// Texts that read like a command: goal and text.
    pub commands: Vec<(String, String)>,
    /// The fate of each key.
    pub fields: Fields,
    /// More remarks for the user.
    pub notes: Vec<String>,
}

/// A task that became a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapped {
    /// The task's id in the other program.
    pub task: String,
    /// The goal's id.
    pub goal: String,
    /// The goal's subject.
    pub subject: String,
    /// `open` or `active`.
    pub status: &'static str,
    /// The number of its steps.
    pub steps: usize,
    /// The number of its ticked steps.
    pub ticked: usize,
}

/// A need that was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftNeed {
    /// The task that has the need.
    pub task: String,
    /// The id that it needs.
    pub need: String,
    /// The reason.
    pub why: &'static str,
}

/// The reason for leaving out a need that names a finished task.
pub(super) const FINISHED: &str = "finished there";

impl ImportReport {
    /// The numbers of records that were mapped, kept as prose and dropped.
    pub fn counts(&self) -> [usize; 3] {
        let steps: usize = self.mapped.iter().map(|mapped| mapped.steps).sum();
        let of = |fate| self.of(fate).map(|left| 1 + left.steps).sum();
        [self.mapped.len() + steps, of(Fate::Prose), of(Fate::Dropped)]
    }

    /// The numbers of tasks and steps that were read.
    pub fn read(&self) -> (usize, usize) {
        let is = |record| move |left: &&LeftOut| left.record == record;
        let tasks = self.mapped.len() + self.left_out.iter().filter(is(RecordKind::Task)).count();
        let steps: usize = self.mapped.iter().map(|mapped| mapped.steps).sum();
        let left: usize = self.left_out.iter().map(|left| left.steps).sum();
        (tasks, steps + left + self.left_out.iter().filter(is(RecordKind::Step)).count())
    }

    fn of(&self, fate: Fate) -> impl Iterator<Item = &LeftOut> {
        self.left_out.iter().filter(move |left| left.fate == fate)
    }

    /// The three lists in full, one line per record.
    pub fn lists(&self) -> Vec<String> {
        let [mapped, prose, dropped] = self.counts();
        let (tasks, steps) = self.read();
        let mut lines = vec![format!(
            "{}: {} read: {mapped} mapped, {prose} kept as prose, {dropped} dropped",
            self.tool,
            both(tasks, "task", steps)
        )];
        lines.push(format!("mapped: {}", both(self.mapped.len(), "goal", mapped - self.mapped.len())));
        for one in &self.mapped {
            let steps = if one.steps > 0 { format!("; {}", ticked(one.steps, one.ticked)) } else { String::new() };
            lines.push(format!("  {} -> {}: {} ({}{steps})", one.task, one.goal, one.subject, one.status));
        }
        for (fate, title, count) in [(Fate::Prose, "kept as prose", prose), (Fate::Dropped, "dropped", dropped)] {
            lines.push(format!("{title}: {count}"));
            for left in self.of(fate) {
                let steps =
                    if left.steps > 0 { format!(", with {}", counted(left.steps, "step")) } else { String::new() };
                lines.push(format!("  {}: {}{steps}", left.name, left.why));
            }
        }
        for (fate, title) in
            [(Fate::Mapped, "keys mapped"), (Fate::Prose, "keys kept as prose"), (Fate::Dropped, "keys dropped")]
        {
            let keys: Vec<String> = self.fields.of(fate).map(|(key, count)| format!("{key} ({count})")).collect();
            if !keys.is_empty() {
                lines.push(format!("{title}: {}", keys.join(", ")));
            }
        }
        lines
    }

    /// The records that were left out, in a few lines, grouped by the reason.
    pub fn summary(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (fate, title) in [(Fate::Dropped, "left out"), (Fate::Prose, "kept as prose")] {
            let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
            for left in self.of(fate) {
                match reasons.iter_mut().find(|(why, _)| *why == left.why) {
                    Some((_, names)) => names.push(&left.name),
                    None => reasons.push((&left.why, vec![&left.name])),
                }
            }
            for (why, names) in reasons.iter().take(NAMED) {
                let more = names.len().saturating_sub(NAMED);
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                let shown = &names[..names.len().min(NAMED)];
                lines.push(format!("{title}, {why}: {}{more}", shown.join("; ")));
            }
            if reasons.len() > NAMED {
                lines.push(format!("{title} for {} other reasons: `--dry-run` names all", reasons.len() - NAMED));
            }
        }
        lines
    }

    /// Remarks on needs that were left out and on tasks that changed, then the notes; one line each.
    pub fn remarks(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let finished = self.needs_left.iter().filter(|left| left.why == FINISHED).count();
        if finished > 0 {
            lines.push(format!("{} left out: finished there", counted(finished, "need")));
        }
        for left in self.needs_left.iter().filter(|left| left.why != FINISHED).take(NAMED) {
            lines.push(format!("{} needs {}: left out, {}", left.task, left.need, left.why));
        }
        let more = (self.needs_left.len() - finished).saturating_sub(NAMED);
        if more > 0 {
            lines.push(format!("{} more left out", counted(more, "need")));
        }
        for (task, goal, what) in self.changed.iter().take(NAMED) {
            lines.push(format!("{task} changed since it became {goal}, which stays as it is: {what}"));
        }
        if self.changed.len() > NAMED {
            lines.push(format!("{} more changed since they became goals", self.changed.len() - NAMED));
        }
        lines.extend(self.notes.iter().cloned());
        lines
    }

    /// The report as JSON, for programs.
    pub fn json(&self, is_dry_run: bool) -> Value {
        let [mapped, prose, dropped] = self.counts();
        let (tasks, steps) = self.read();
        let left = |fate| -> Vec<Value> {
            self.of(fate).map(|left| json!({ "record": left.name, "why": left.why, "steps": left.steps })).collect()
        };
        let keys = |fate| {
            self.fields.of(fate).map(|(key, count)| (key.to_owned(), count.into())).collect::<serde_json::Map<_, _>>()
        };
        let goals: Vec<Value> = self
            .mapped
            .iter()
            .map(|one| {
                json!({ "task": one.task, "id": one.goal, "subject": one.subject, "status": one.status,
                    "steps": one.steps, "ticked": one.ticked })
            })
            .collect();
        let needs_left: Vec<Value> = self
            .needs_left
            .iter()
            .map(|left| json!({ "task": left.task, "need": left.need, "why": left.why }))
            .collect();
        let changed: Vec<Value> =
            self.changed.iter().map(|(task, goal, what)| json!({ "task": task, "id": goal, "what": what })).collect();
        json!({
            "tool": self.tool, "dry_run": is_dry_run,
            "read": { "tasks": tasks, "steps": steps },
            "counts": { "mapped": mapped, "kept_as_prose": prose, "dropped": dropped },
            "mapped": goals, "kept_as_prose": left(Fate::Prose), "dropped": left(Fate::Dropped),
            "keys": { "mapped": keys(Fate::Mapped), "kept_as_prose": keys(Fate::Prose), "dropped": keys(Fate::Dropped) },
            "needs": self.needs, "needs_left_out": needs_left, "changed": changed, "notes": self.notes,
        })
    }

    /// The import in a few words: `10 goals, 5 steps (2 ticked)`.
    pub fn imported(&self) -> String {
        let (steps, done) = self.mapped.iter().fold((0, 0), |sum, one| (sum.0 + one.steps, sum.1 + one.ticked));
        let goals = counted(self.mapped.len(), "goal");
        if steps > 0 { format!("{goals}, {}", ticked(steps, done)) } else { goals }
    }
}

fn both(count: usize, noun: &str, steps: usize) -> String {
    format!("{}, {}", counted(count, noun), counted(steps, "step"))
}

fn ticked(steps: usize, done: usize) -> String {
    let steps = counted(steps, "step");
    if done > 0 { format!("{steps} ({done} ticked)") } else { steps }
}
