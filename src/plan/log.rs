//! The lines that `plan` writes into the log (`CLI.md`, "Log lines that `plan` writes"): one type that writes and reads them.
//!
//! ```text
//! LogLine::parse(text)?.to_string() == text          whatever text is read
//! LogLine::parse(&line.to_string()) == Some(line)    whatever line is written, as long as the free text is one line
//! ```
//!
//! Everything that is derived from the log is derived through this reader. Free text (a reason, an outcome, a judge's name)
//! never decides how a line is read: the parts that do stand in front of it, or are taken from both ends around it.

mod fold;
mod letters;
mod lookalike;
mod proposal;
mod read;
#[cfg(test)]
mod tests;

use std::fmt;

use super::model::{Mark, Plan};

pub use fold::{folded, folded_event};
pub use lookalike::{is_plan_line, looks_signed_off};
pub use proposal::ProposedEdit;

/// How a judge is marked that the caller chose and the user did not (`SIGNOFF.md` §6).
const CALLERS: &str = " (named by caller)";
/// How a judge is marked that was asked with another prompt than the built-in one.
const OWN_PROMPT: &str = " (own prompt)";

/// A line that `plan` writes. A contract, a tree and a commit are the first 12 hex digits of their digests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogLine<'t> {
    /// `<id> …`: what became of a goal.
    Goal {
        /// The goal's id.
        id: &'t str,
        /// What became of it.
        event: GoalEvent<'t>,
    },
    /// `step 3 complete: <outcome>`
    Step {
        /// Its number, else `<goal-id>.<position>`.
        name: &'t str,
        /// What became of it.
        end: StepEnd,
        /// Outcome or reason.
        text: &'t str,
    },
    /// `plan approved by <name> via <way> (contract <digest>[, steps to 12])[: <note>]`
    Approved(Approval<'t>),
    /// `edit proposed: step 7 added to docs-1 because <why>`
    Proposed {
        /// The change.
        edit: ProposedEdit<'t>,
        /// Why.
        because: &'t str,
    },
    /// `edit rejected: <why> (contract <digest>)`
    EditRejected {
        /// Why.
        why: &'t str,
        /// The plan contract that was proposed.
        contract: &'t str,
    },
    /// `rewound to step 3 (checkpoint 7, 14 files: read them again)`
    Rewound {
        /// The step's name; `0` for the start.
        step: &'t str,
        /// The checkpoint's number.
        checkpoint: u32,
        /// How many files were written or deleted.
        files: u32,
    },
    /// `plan cleared: <why>`: what was agreed before it counts no longer.
    Cleared {
        /// Why.
        why: &'t str,
    },
    /// `paused: <reason>`
    Paused {
        /// What blocks.
        reason: &'t str,
    },
    /// `imported 10 goals from Task Master`
    Imported {
        /// How many goals came.
        goals: u32,
        /// The program that they come from.
        tool: &'t str,
    },
}

/// What became of a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoalEvent<'t> {
    /// `added (contract <digest>)`
    Added {
        /// The goal contract.
        contract: &'t str,
    },
    /// `started (contract <digest>, at <commit>, tree <digest>, verify red exit 1)`
    Started(StartLine<'t>),
    /// `amended (loosened: failure mode dropped; contract <old> -> <new>)[ because <why>]`
    Amended(Amended<'t>),
    /// `signed off (verify green 2.1s, gate fast, oracle accept by <judge>, contract <digest>, tree <digest>, at <commit>)`
    SignedOff(SignOff<'t>),
    /// `rejected (verify exit 1): <why>`
    Rejected {
        /// What rejected it.
        by: Rejecter<'t>,
        /// The last line of verify, what the gate saw, or what a judge missed.
        why: &'t str,
    },
    /// `inconclusive (oracle <judge>): <why>`
    Inconclusive {
        /// The judge.
        judge: &'t str,
        /// Why nothing can be told.
        why: &'t str,
    },
    /// `reopened (was done)`, `reopened (merge: signed off for contract <old>, now <new>)`
    Reopened {
        /// What stands in the parentheses.
        why: &'t str,
    },
    /// `cancelled: <reason>`
    Cancelled {
        /// Why it was given up.
        reason: &'t str,
    },
}

/// What a start records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StartLine<'t> {
    /// Of the goal contract.
    pub contract: &'t str,
    /// The commit, with `+` where the files are not its; or `none`.
    pub at: &'t str,
    /// The tree, or `none`.
    pub tree: &'t str,
    /// How verify was seen: `red exit 1`, `green`, `unstartable`, `not run`, `none`.
    pub verify: &'t str,
}

/// How a goal contract was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amended<'t> {
    /// `loosened: failure mode dropped, criterion reworded`
    pub what: &'t str,
    /// The contract before.
    pub old: &'t str,
    /// The contract after.
    pub new: &'t str,
    /// Why, where somebody said so.
    pub because: Option<&'t str>,
}

/// What a sign-off line says; every part is text of a file that anyone can have written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignOff<'t> {
    /// `green 2.1s`, or `none`.
    pub verify: &'t str,
    /// `fast`, `full`, `3 of 5`.
    pub gate: &'t str,
    /// The judges as one text.
    pub judges: &'t str,
    /// 12 digits.
    pub contract: &'t str,
    /// 12 digits, or `none`.
    pub tree: &'t str,
    /// 12 digits, with or without `+`; or `none`.
    pub at: &'t str,
}

/// Who rejected a sign-off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rejecter<'t> {
    /// Stage 1, with how it ended: `exit 1`, `killed after 600 s`.
    Verify(&'t str),
    /// A row of the gate, by its code.
    Gate(&'t str),
    /// A judge.
    Oracle(&'t str),
}

/// One thing that a rejection says is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missing<'t> {
    /// `C2`, `F1`; none where it names no criterion.
    pub criterion: Option<&'t str>,
    /// What is missing in it, without its name.
    pub what: &'t str,
    /// Both.
    pub whole: &'t str,
}

impl<'t> Rejecter<'t> {
    /// What is missing by the reason of a rejection: a judge names criteria, verify and the gate say one thing.
    pub fn missing(self, why: &'t str) -> Vec<Missing<'t>> {
        let plain = |whole| Missing { criterion: None, what: whole, whole };
        let Some(listed) = why.strip_prefix("missing: ").filter(|_| matches!(self, Rejecter::Oracle(_))) else {
            return vec![plain(why)];
        };
        let read = |whole: &'t str| {
            let (name, rest) = whole.split_once([':', ' '])?;
            let what = rest.trim_start_matches("not met:").trim_start_matches("not ruled out:").trim();
            (!what.is_empty()).then_some(Missing { criterion: Some(name), what, whole })
        };
        listed.split("; ").map(|whole| read(whole).unwrap_or_else(|| plain(whole))).collect()
    }

    /// Who it was, in words: `the judge claude`.
    pub fn describe(self) -> String {
        match self {
            Rejecter::Verify(end) => format!("verify, {end}"),
            Rejecter::Gate(code) => format!("the gate, {code}"),
            Rejecter::Oracle(judge) => format!("the judge {judge}"),
        }
    }
}

/// What became of a step. A start leaves no line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StepEnd {
    /// `complete`
    Complete,
    /// `failed`
    Failed,
    /// `skipped`
    Skipped,
    /// `retried`: pending again.
    Retried,
}

/// An approval of the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Approval<'t> {
    /// Who; without parentheses.
    pub name: &'t str,
    /// `terminal`, `host`, `reply`, `--yes`.
    pub way: &'t str,
    /// The plan contract.
    pub contract: &'t str,
    /// The highest step number that was agreed; contract mode only.
    pub steps: Option<u32>,
    /// What was remarked.
    pub note: Option<&'t str>,
}

/// The events of one goal in the log above the archive, in file order.
pub fn events_of<'p, 'a>(plan: &'p Plan<'a>, id: &'p str) -> impl DoubleEndedIterator<Item = GoalEvent<'a>> + 'p {
    plan.log_lines().filter_map(move |(_, text)| match LogLine::parse(text)? {
        LogLine::Goal { id: named, event } if named == id => Some(event),
        _ => None,
    })
}

impl<'t> LogLine<'t> {
    /// What it says of a goal, with the goal's id.
    pub fn goal(self) -> Option<(&'t str, GoalEvent<'t>)> {
        match self {
            LogLine::Goal { id, event } => Some((id, event)),
            _ => None,
        }
    }
}

impl<'t> GoalEvent<'t> {
    /// The contract that the goal has by this line.
    pub const fn contract(self) -> Option<&'t str> {
        match self {
            GoalEvent::Added { contract } => Some(contract),
            GoalEvent::Started(start) => Some(start.contract),
            GoalEvent::Amended(amended) => Some(amended.new),
            GoalEvent::SignedOff(line) => Some(line.contract),
            GoalEvent::Rejected { .. }
            | GoalEvent::Inconclusive { .. }
            | GoalEvent::Reopened { .. }
            | GoalEvent::Cancelled { .. } => None,
        }
    }

    /// Whether the line has a say in whether the goal is signed off (`SIGNOFF.md` §8).
    pub const fn counts(self) -> bool {
        !matches!(self, GoalEvent::Inconclusive { .. } | GoalEvent::Cancelled { .. })
    }

    /// The line about a goal.
    pub const fn of(self, id: &'t str) -> LogLine<'t> {
        LogLine::Goal { id, event: self }
    }
}

impl<'t> SignOff<'t> {
    /// Reads a whole sign-off line; the id comes first.
    pub fn read(text: &'t str) -> Option<(&'t str, Self)> {
        match LogLine::parse(text)? {
            LogLine::Goal { id, event: GoalEvent::SignedOff(line) } => Some((id, line)),
            _ => None,
        }
    }

    /// Each judge as it is named, with whether its caller named it and whether it was asked with another prompt.
    pub fn each_judge(&self) -> impl Iterator<Item = (&'t str, bool, bool)> + use<'t> {
        let strip = |text: &'t str, end| text.strip_suffix(end).map_or((text, false), |rest| (rest, true));
        self.judges.split(", ").map(move |judge| {
            let (judge, own_prompt) = strip(judge, OWN_PROMPT);
            let (judge, callers) = strip(judge, CALLERS);
            (judge, callers, own_prompt)
        })
    }

    /// The commit without the mark of files that were not its.
    pub fn commit(&self) -> Option<&'t str> {
        Some(self.at.trim_end_matches('+')).filter(|commit| *commit != "none")
    }
}

impl StepEnd {
    /// What a step's new mark is in the log; none for one that is begun.
    pub const fn of(mark: Mark) -> Option<Self> {
        match mark {
            Mark::Complete => Some(StepEnd::Complete),
            Mark::Failed => Some(StepEnd::Failed),
            Mark::Skipped => Some(StepEnd::Skipped),
            Mark::Pending => Some(StepEnd::Retried),
            Mark::Active => None,
        }
    }

    /// The word in the line.
    pub const fn word(self) -> &'static str {
        match self {
            StepEnd::Complete => "complete",
            StepEnd::Failed => "failed",
            StepEnd::Skipped => "skipped",
            StepEnd::Retried => "retried",
        }
    }
}

impl fmt::Display for LogLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LogLine::Goal { id, event } => write!(f, "{id} {event}"),
            LogLine::Step { name, end, text } => write!(f, "step {name} {}: {text}", end.word()),
            LogLine::Approved(Approval { name, way, contract, steps, note }) => {
                write!(f, "plan approved by {name} via {way} (contract {contract}")?;
                steps.map_or(Ok(()), |steps| write!(f, ", steps to {steps}"))?;
                f.write_str(")")?;
                note.map_or(Ok(()), |note| write!(f, ": {note}"))
            }
            LogLine::Proposed { edit, because } => write!(f, "edit proposed: {edit} because {because}"),
            LogLine::EditRejected { why, contract } => write!(f, "edit rejected: {why} (contract {contract})"),
            LogLine::Rewound { step, checkpoint, files } => {
                let (noun, them) = if *files == 1 { ("file", "it") } else { ("files", "them") };
                write!(f, "rewound to step {step} (checkpoint {checkpoint}, {files} {noun}: read {them} again)")
            }
            LogLine::Cleared { why } => write!(f, "plan cleared: {why}"),
            LogLine::Paused { reason } => write!(f, "paused: {reason}"),
            LogLine::Imported { goals, tool } => {
                write!(f, "imported {goals} {} from {tool}", if *goals == 1 { "goal" } else { "goals" })
            }
        }
    }
}

impl fmt::Display for GoalEvent<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GoalEvent::Added { contract } => write!(f, "added (contract {contract})"),
            GoalEvent::Started(StartLine { contract, at, tree, verify }) => {
                write!(f, "started (contract {contract}, at {at}, tree {tree}, verify {verify})")
            }
            GoalEvent::Amended(Amended { what, old, new, because }) => {
                write!(f, "amended ({what}; contract {old} -> {new})")?;
                because.map_or(Ok(()), |why| write!(f, " because {why}"))
            }
            GoalEvent::SignedOff(SignOff { verify, gate, judges, contract, tree, at }) => write!(
                f,
                "signed off (verify {verify}, gate {gate}, oracle accept by {judges}, contract {contract}, tree {tree}, at {at})"
            ),
            GoalEvent::Rejected { by, why } => match by {
                Rejecter::Verify(end) => write!(f, "rejected (verify {end}): {why}"),
                Rejecter::Gate(code) => write!(f, "rejected (gate {code}): {why}"),
                Rejecter::Oracle(judge) => write!(f, "rejected (oracle {judge}): {why}"),
            },
            GoalEvent::Inconclusive { judge, why } => write!(f, "inconclusive (oracle {judge}): {why}"),
            GoalEvent::Reopened { why } => write!(f, "reopened ({why})"),
            GoalEvent::Cancelled { reason } => write!(f, "cancelled: {reason}"),
        }
    }
}
