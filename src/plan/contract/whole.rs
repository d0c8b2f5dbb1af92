//! The plan contract in parts, read from its canonical form, and its text for people (`CONTRACT.md` §1).
//!
//! ```text
//! Plan: Faster search
//! mode: contract
//!
//! Goal: Implement cache layer
//!   id: cache-layer-1
//!   done_when: p95 < 50ms
//!   failure_modes:
//!     - cache bypassed
//!     - bench too small
//!   3. load test
//!     after: 1, 2
//!     run: make load
//! ```
//!
//! Law: different contracts have different texts. So the text is made from the canonical form alone, each value is on one line, and
//! a character that a terminal or a reader does not show is written as `\u{1b}`; an empty value is `\u{}`.

use std::fmt::Write as _;

use serde_json::Value;

use super::{Digest, GoalContract, plan_contract_json};
use crate::error::{Error, Result};
use crate::plan::model::Plan;
use crate::plan::text::is_hidden;

/// The plan's contract, as it is shown, compared and approved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanContract {
    /// `guide` or `contract`.
    pub mode: String,
    /// The plan's objective.
    pub objective: Option<String>,
    /// The goals above the archive, in file order.
    pub goals: Vec<AgreedGoal>,
    /// The digest of the canonical form.
    pub digest: Digest,
}

/// A goal of the contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgreedGoal {
    /// Its own contract.
    pub contract: GoalContract,
    /// Its steps, in file order.
    pub steps: Vec<AgreedStep>,
    /// Each key of its contract with its values, as the canonical form has them.
    parts: Vec<(String, Vec<String>)>,
}

/// A step of the contract.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AgreedStep {
    /// Its number.
    pub number: Option<u64>,
    /// Its text.
    pub text: Option<String>,
    /// Its command.
    pub command: Option<String>,
    /// The numbers of the steps that must be done first.
    pub after: Vec<u64>,
}

/// A line of the shown text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownLine {
    /// 0 for the plan and its goals, 1 for a field or step, 2 for a part of a field or step.
    pub depth: usize,
    /// `done_when:`, `3.`, `-`; never text of the plan.
    pub label: String,
    /// The value; `None` for a label with a list below it.
    pub value: Option<String>,
}

impl PlanContract {
    /// Returns the current contract of a plan.
    ///
    /// # Errors
    /// [`crate::error::Kind::Input`] if the canonical form cannot be read back, so that nothing is ever shown in part.
    pub fn of(plan: &Plan<'_>) -> Result<Self> {
        PlanContract::read(&plan_contract_json(plan))
            .ok_or_else(|| Error::input("the plan's contract cannot be shown: its canonical form is not read back"))
    }

    fn read(json: &str) -> Option<Self> {
        let entries: Vec<Value> = serde_json::from_str(json).ok()?;
        let mut contract = PlanContract {
            mode: String::new(),
            objective: None,
            goals: Vec::new(),
            digest: Digest::of(json.as_bytes()),
        };
        for entry in &entries {
            let (key, rest) = entry.as_array()?.split_first()?;
            match (key.as_str()?, rest) {
                ("mode", [Value::String(mode)]) => contract.mode.clone_from(mode),
                ("objective", [Value::String(text)]) => contract.objective = Some(text.clone()),
                ("goal", [goal, steps @ ..]) => contract.goals.push(AgreedGoal::read(goal, steps)?),
                _ => return None,
            }
        }
        Some(contract)
    }

    /// Returns the whole contract as lines, with `None` for the blank line between goals.
    pub fn lines(&self) -> Vec<Option<ShownLine>> {
        let mut lines: Vec<_> = self.head().into_iter().map(Some).collect();
        for goal in &self.goals {
            if !lines.is_empty() {
                lines.push(None);
            }
            lines.extend(goal.lines().into_iter().map(Some));
        }
        lines
    }

    /// Returns the lines above the first goal. Guide mode is not shown, because it is the default.
    pub fn head(&self) -> Vec<ShownLine> {
        let objective = self.objective.as_deref().map(|text| ShownLine::new(0, "Plan:", text));
        let mode = (self.mode != "guide").then(|| ShownLine::new(0, "mode:", &self.mode));
        objective.into_iter().chain(mode).collect()
    }

    /// Returns the whole contract as text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for line in self.lines() {
            if let Some(line) = line {
                let _ = write!(text, "{line}");
            }
            text.push('\n');
        }
        text
    }

    /// Returns the whole contract as Markdown: a heading for each goal, a list item for each line below it.
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        for line in self.lines() {
            if let Some(line) = line {
                text.push_str(&line.markdown());
            }
            text.push('\n');
        }
        text
    }
}

impl AgreedGoal {
    fn read(goal: &Value, steps: &[Value]) -> Option<Self> {
        let contract = GoalContract::read(&goal.to_string())?;
        let part = |part: &Value| {
            let (key, values) = part.as_array()?.split_first()?;
            let values: Option<Vec<_>> = values.iter().map(|value| value.as_str().map(str::to_owned)).collect();
            Some((key.as_str()?.to_owned(), values?))
        };
        let parts: Option<Vec<_>> = goal.as_array()?.iter().map(part).collect();
        let steps: Option<Vec<_>> = steps.iter().map(AgreedStep::read).collect();
        Some(AgreedGoal { contract, steps: steps?, parts: parts? })
    }

    /// Returns its id, else its subject.
    pub fn name(&self) -> &str {
        self.contract.id.as_deref().unwrap_or(&self.contract.subject)
    }

    /// Returns the goal as lines, its heading first.
    pub fn lines(&self) -> Vec<ShownLine> {
        let subject = self.parts.iter().find(|(key, _)| key == "subject").and_then(|(_, values)| values.first());
        let mut lines =
            vec![ShownLine { depth: 0, label: "Goal:".to_owned(), value: subject.map(|text| visible(text)) }];
        for (key, values) in self.parts.iter().filter(|(key, _)| key != "subject") {
            let label = format!("{key}:");
            if let [value] = &values[..] {
                lines.push(ShownLine::new(1, &label, value));
            } else {
                lines.push(ShownLine { depth: 1, label, value: None });
                lines.extend(values.iter().map(|value| ShownLine::new(2, "-", value)));
            }
        }
        lines.extend(self.steps.iter().flat_map(AgreedStep::lines));
        lines
    }
}

impl AgreedStep {
    fn read(step: &Value) -> Option<Self> {
        let mut read = AgreedStep::default();
        for part in step.as_array()? {
            let (key, values) = part.as_array()?.split_first()?;
            match (key.as_str()?, values) {
                ("number", [number]) => read.number = Some(number.as_u64()?),
                ("text", [Value::String(text)]) => read.text = Some(text.clone()),
                ("command", [Value::String(line)]) => read.command = Some(line.clone()),
                ("after", numbers) => {
                    read.after = numbers.iter().map(Value::as_u64).collect::<Option<_>>()?;
                }
                _ => return None,
            }
        }
        Some(read)
    }

    /// Returns the step as lines: its text, the steps that it comes after, its command.
    pub fn lines(&self) -> Vec<ShownLine> {
        let label = self.number.map_or_else(|| "step:".to_owned(), |number| format!("{number}."));
        let mut lines = vec![ShownLine { depth: 1, label, value: self.text.as_deref().map(visible) }];
        if !self.after.is_empty() {
            let numbers: Vec<String> = self.after.iter().map(u64::to_string).collect();
            lines.push(ShownLine::new(2, "after:", &numbers.join(", ")));
        }
        lines.extend(self.command.as_deref().map(|line| ShownLine::new(2, "run:", line)));
        lines
    }
}

impl ShownLine {
    fn new(depth: usize, label: &str, value: &str) -> Self {
        ShownLine { depth, label: label.to_owned(), value: Some(visible(value)) }
    }

    /// Returns the line as Markdown, with the value escaped so that nothing in it is markup.
    fn markdown(&self) -> String {
        let front = match (self.depth, &*self.label) {
            (0, "Plan:") => "# Plan:",
            (0, "Goal:") => "## Goal:",
            (0, label) => label,
            (1, label) => &format!("- {label}"),
            (_, "-") => "  -",
            (_, label) => &format!("  - {label}"),
        };
        let value = self.value.as_deref().map(|value| format!(" {}", unmarked(value))).unwrap_or_default();
        format!("{front}{value}")
    }
}

impl std::fmt::Display for ShownLine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:indent$}{}", "", self.label, indent = 2 * self.depth)?;
        self.value.as_ref().map_or(Ok(()), |value| write!(f, " {value}"))
    }
}

/// Returns a value with every character that a reader would not see written out. Different values stay different.
fn visible(value: &str) -> String {
    if value.is_empty() {
        return "\\u{}".to_owned();
    }
    let mut out = String::with_capacity(value.len());
    for (at, character) in value.char_indices() {
        let is_blank = character.is_whitespace() && character != ' ';
        let is_escape = character == '\\' && value[at + 1..].starts_with("u{");
        if character.is_control() || is_hidden(character) || is_blank || is_escape {
            let _ = write!(out, "\\u{{{:x}}}", u32::from(character));
        } else {
            out.push(character);
        }
    }
    out
}

/// Escapes a value so that Markdown finds no markup in it.
fn unmarked(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    for character in value.chars() {
        if matches!(character, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '&' | '~' | '|' | '#' | '!') {
            out.push('\\');
        }
        out.push(character);
    }
    out
}
