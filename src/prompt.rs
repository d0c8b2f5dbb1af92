//! All texts that a model reads: the files of `prompts/`, compiled in, and the only way to fill them.
//!
//! A template has gaps `{{name}}`. Filling is strict: an override for an older version, or a mistake in a caller, is an error. A
//! judge never reads a prompt with a gap.

use crate::error::{Error, Result};

/// The descriptions of the MCP server's tools, as JSON. They are part of an interface, so users cannot replace them.
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
    /// The push for an agent that stopped too early.
    Continuation,
    /// The loop judge: cheap, may be fooled, bounded by the budget.
    LoopJudge,
    /// The sign-off judge: it must not be fooled.
    EvidenceJudge,
    /// The offer to an agent whose host keeps a plan of its own.
    HostPlan,
    /// The push for an agent in a loop that says that nothing is left to do.
    LoopDone,
    /// The guide to plan.md: the text of a host's skill or command.
    AgentGuide,
    /// A person's answer to a plan that was shown.
    PlanFeedback,
    /// The lines that a host's summary of the conversation must keep.
    Compaction,
    /// The planner of `plan ask`: one command, words, or steps.
    Ask,
}

impl Prompt {
    /// All prompts, in flow order.
    pub const ALL: [Prompt; 12] = [
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
        Prompt::Compaction,
        Prompt::Ask,
    ];

    /// Returns the name of the file in `prompts/`. The user's configuration folder may have another text under the same name.
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
            Prompt::Compaction => "11-compaction.md",
            Prompt::Ask => "12-ask.md",
        }
    }

    /// Returns the gaps that the text must use, the user's own text too. The caller fills all of them, and all of [`Prompt::offered`].
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
            Prompt::Compaction => &["file", "state"],
            Prompt::Ask => &["found", "notes", "request"],
        }
    }

    /// Returns the gaps that the text may use.
    pub const fn offered(self) -> &'static [&'static str] {
        match self {
            Prompt::PlanDrafting => {
                &["base_branch", "branch", "completion_signal", "id", "nonce", "overview", "path", "section", "title"]
            }
            Prompt::Ask => &["nonce", "path"],
            _ => &[],
        }
    }

    /// True if the text has this gap: the user's own text `other`, or else the built-in one.
    pub fn uses(self, other: Option<&str>, gap: &str) -> bool {
        let mut names = other.unwrap_or(self.text()).split("{{").skip(1).filter_map(|rest| rest.split_once("}}"));
        names.any(|(name, _)| name.trim() == gap)
    }

    /// Returns the built-in text.
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
            Prompt::Compaction => include_str!("../prompts/11-compaction.md"),
            Prompt::Ask => include_str!("../prompts/12-ask.md"),
        }
    }

    /// Returns the prompt with its gaps filled, from the user's own text `other` or else the built-in one.
    ///
    /// # Errors
    ///
    /// [`crate::error::Kind::Input`] with the file and the gap: a gap without a value, a needed gap that is missing, or a `{{`
    /// that is never closed. Also if `values` differ from [`Prompt::gaps`] and [`Prompt::offered`], whatever the text uses.
    pub fn fill(self, other: Option<&str>, values: &[(&str, &str)]) -> Result<String> {
        let given = |gap: &&str| values.iter().any(|(name, _)| name == gap);
        let all = [self.gaps(), self.offered()].concat();
        if values.len() != all.len() || !all.iter().all(given) {
            let found: Vec<&str> = values.iter().map(|(name, _)| *name).collect();
            let (file, gaps) = (self.file_name(), all.join(", "));
            return Err(Error::input(format!("prompt `{file}` takes {gaps}; it was given {}", found.join(", ")))
                .hint("this is a mistake in `plan`: please report it"));
        }
        fill(other.unwrap_or(self.text()), values, self.gaps()).map_err(|slip| slip.error(self.file_name()))
    }
}

/// A mistake in a template or in its values.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Slip {
    /// A gap without a value, and its line.
    Unknown(String, usize),
    /// A needed gap that the text does not use.
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

/// Fills the gaps; the `needed` ones must be there. Values are inserted unchanged: a `{{name}}` inside a value stays.
fn fill(template: &str, values: &[(&str, &str)], needed: &[&str]) -> std::result::Result<String, Slip> {
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
    let mut unused = values.iter().zip(used).filter(|((name, _), used)| !used && needed.contains(name));
    match unused.next() {
        Some(((name, _), _)) => Err(Slip::Unused((*name).to_owned())),
        None => Ok(filled),
    }
}

#[cfg(test)]
mod tests;
