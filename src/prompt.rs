//! All text that a model reads: the files of `prompts/`, compiled in, and the one way to fill them.
//!
//! A template has gaps `{{name}}`. Filling is strict, so that an override written for an older version, or a slip in a
//! caller, is an error and never a gap in what a judge is told.

use crate::error::{Error, Result};

/// What a model reads of the MCP server's tools, as JSON. Part of an interface, so not the user's to replace.
pub const MCP: &str = include_str!("../prompts/mcp.json");

/// A prompt, in the order in which a plan's life meets them (`REQUIREMENTS.md` P-67).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Prompt {
    /// Plan mode: explore, draft goals in the contract format.
    PlanDrafting,
    /// The frame of the block that an agent is shown (`plan::block`).
    PlanInjection,
    /// The reminder after some turns without a change of plan.md.
    Reminder,
    /// What an agent is told that stopped too early.
    Continuation,
    /// The loop's judge: cheap, may be fooled, bounded by the budget.
    LoopJudge,
    /// The sign-off's judge: the one that must not be fooled.
    EvidenceJudge,
    /// What an agent is told whose host keeps a plan of its own.
    HostPlan,
    /// What an agent in a loop is told that says that nothing is left to do.
    LoopDone,
    /// What plan.md is and how an agent works with it: the text of a skill or a command of a host.
    AgentGuide,
    /// What a person said to a plan that was shown.
    PlanFeedback,
}

impl Prompt {
    /// All, in flow order.
    pub const ALL: [Prompt; 10] = [
        Prompt::PlanDrafting,
        Prompt::PlanInjection,
        Prompt::Reminder,
        Prompt::Continuation,
        Prompt::LoopJudge,
        Prompt::EvidenceJudge,
        Prompt::HostPlan,
        Prompt::LoopDone,
        Prompt::AgentGuide,
        Prompt::PlanFeedback,
    ];

    /// Its file below `prompts/`, and the name under which the user's configuration folder may hold another text.
    pub const fn file_name(self) -> &'static str {
        match self {
            Prompt::PlanDrafting => "1-plan-drafting.md",
            Prompt::PlanInjection => "2-plan-injection.md",
            Prompt::Reminder => "3-reminder.md",
            Prompt::Continuation => "4-continuation.md",
            Prompt::LoopJudge => "5-loop-judge.md",
            Prompt::EvidenceJudge => "6-evidence-judge.md",
            Prompt::HostPlan => "7-host-plan.md",
            Prompt::LoopDone => "8-loop-done.md",
            Prompt::AgentGuide => "9-agent-guide.md",
            Prompt::PlanFeedback => "10-plan-feedback.md",
        }
    }

    /// The gaps of its text: what whoever fills it gives, and what the user's own text must take.
    pub const fn gaps(self) -> &'static [&'static str] {
        match self {
            Prompt::PlanDrafting => &["existing", "objective", "research"],
            Prompt::PlanInjection => &["block", "file", "mode"],
            Prompt::Reminder | Prompt::AgentGuide => &[],
            Prompt::Continuation => &["block", "next", "objective"],
            Prompt::LoopJudge => &["goals", "nonce", "reply"],
            Prompt::EvidenceJudge => &["data", "nonce", "probe", "root"],
            Prompt::HostPlan => &["file", "what"],
            Prompt::LoopDone => &["block", "objective"],
            Prompt::PlanFeedback => &["feedback", "file", "plan"],
        }
    }

    /// The built-in text.
    pub const fn text(self) -> &'static str {
        match self {
            Prompt::PlanDrafting => include_str!("../prompts/1-plan-drafting.md"),
            Prompt::PlanInjection => include_str!("../prompts/2-plan-injection.md"),
            Prompt::Reminder => include_str!("../prompts/3-reminder.md"),
            Prompt::Continuation => include_str!("../prompts/4-continuation.md"),
            Prompt::LoopJudge => include_str!("../prompts/5-loop-judge.md"),
            Prompt::EvidenceJudge => include_str!("../prompts/6-evidence-judge.md"),
            Prompt::HostPlan => include_str!("../prompts/7-host-plan.md"),
            Prompt::LoopDone => include_str!("../prompts/8-loop-done.md"),
            Prompt::AgentGuide => include_str!("../prompts/9-agent-guide.md"),
            Prompt::PlanFeedback => include_str!("../prompts/10-plan-feedback.md"),
        }
    }

    /// The prompt with its gaps filled: from `other`, the text that the user put in its place, else from the built-in one.
    ///
    /// # Errors
    ///
    /// [`crate::error::Kind::Input`] that names the file and the gap: one that `values` does not fill, a value that no gap
    /// takes, a `{{` that is never closed. Where `values` are others than [`Prompt::gaps`], whatever the text takes.
    pub fn fill(self, other: Option<&str>, values: &[(&str, &str)]) -> Result<String> {
        let given = |gap: &&str| values.iter().any(|(name, _)| name == gap);
        if values.len() != self.gaps().len() || !self.gaps().iter().all(given) {
            let found: Vec<&str> = values.iter().map(|(name, _)| *name).collect();
            let (file, gaps) = (self.file_name(), self.gaps().join(", "));
            return Err(Error::input(format!("prompt `{file}` takes {gaps}; it was given {}", found.join(", ")))
                .hint("this is a mistake in `plan`: please report it"));
        }
        fill(other.unwrap_or(self.text()), values).map_err(|slip| slip.error(self.file_name()))
    }
}

/// What is wrong with a template or with what it is filled with.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Slip {
    /// A gap that is not filled, and the line it stands on.
    Unknown(String, usize),
    /// A value that is not used.
    Unused(String),
    /// `{{` without `}}` on the same line.
    Unclosed(usize),
}

impl Slip {
    fn error(self, file: &str) -> Error {
        match self {
            Slip::Unknown(name, line) => Error::input(format!("prompt `{file}`, line {line}: unknown name `{name}`")),
            Slip::Unused(name) => {
                Error::input(format!("prompt `{file}`: `{{{{{name}}}}}` is missing; the prompt must use it"))
            }
            Slip::Unclosed(line) => {
                Error::input(format!("prompt `{file}`, line {line}: `{{{{` is not closed by `}}}}` on its line"))
            }
        }
        .hint("compare it with the built-in prompt, or remove the file to use the built-in one")
    }
}

/// Values are put in as they are and not looked into again: a `{{name}}` inside one stays.
fn fill(template: &str, values: &[(&str, &str)]) -> std::result::Result<String, Slip> {
    let mut filled = String::with_capacity(template.len() + values.iter().map(|(_, value)| value.len()).sum::<usize>());
    let mut used = vec![false; values.len()];
    let mut rest = template;
    while let Some(open) = rest.find("{{") {
        filled.push_str(&rest[..open]);
        let line = || template[..template.len() - rest.len() + open].matches('\n').count() + 1;
        let inner = &rest[open + 2..];
        let close =
            inner.find("}}").filter(|&close| !inner[..close].contains('\n')).ok_or_else(|| Slip::Unclosed(line()))?;
        let name = inner[..close].trim();
        let index = values
            .iter()
            .position(|(known, _)| *known == name)
            .ok_or_else(|| Slip::Unknown(name.to_owned(), line()))?;
        used[index] = true;
        filled.push_str(values[index].1);
        rest = &inner[close + 2..];
    }
    filled.push_str(rest);
    match used.iter().position(|used| !used) {
        Some(index) => Err(Slip::Unused(values[index].0.to_owned())),
        None => Ok(filled),
    }
}

#[cfg(test)]
mod tests;
