//! The lines that `plan` writes into the log (`CLI.md`, "Log lines that `plan` writes"): one type that writes and reads them.
//!
//! ```text
//! LogLine::parse(text)?.to_string() == text          whatever text is read
//! LogLine::parse(&line.to_string()) == Some(line)    whatever line is written, as long as the free text is one line
//! ```
//!
//! All facts from the log are read through this reader. Free text (a reason, an outcome, a judge's name) never decides how a line
//! is read: the deciding parts come before it, or are taken from both ends around it.

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

/// Marks a judge that the caller chose and the user did not (`SIGNOFF.md` §6).
const CALLERS: &str = " (named by caller)";
/// Marks a judge that was asked with another prompt than the built-in one.
const OWN_PROMPT: &str = " (own prompt)";

/// A line that `plan` writes. Contracts, trees and commits are the first 12 hex digits of their digests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogLine<'t> {
    /// `<id> …`: an event of a goal.
    Goal {
        /// The goal's id.
        id: &'t str,
        /// The event.
        event: GoalEvent<'t>,
    },
    /// `step 3 complete: <outcome>`
    Step {
        /// The step's number, else `<goal-id>.<position>`.
        name: &'t str,
        /// How it ended.
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
    /// `plan cleared: <why>`: agreements from before it no longer count.
    Cleared {
        /// Why.
        why: &'t str,
    },
    /// `paused: <reason>`
    Paused {
        /// The reason for the pause.
        reason: &'t str,
    },
    /// `imported 10 goals from Task Master`
    Imported {
        /// The number of imported goals.
        goals: u32,
        /// The program from which they come.
        tool: &'t str,
    },
}

/// An event of a goal.
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
        /// The stage that rejected it.
        by: Rejecter<'t>,
        /// The last line of verify, the gate's observation, or the criteria that a judge found missing.
        why: &'t str,
    },
    /// `inconclusive (oracle <judge>): <why>`
    Inconclusive {
        /// The judge.
        judge: &'t str,
        /// Why there is no verdict.
        why: &'t str,
    },
    /// `reopened (was done)`, `reopened (merge: signed off for contract <old>, now <new>)`
    Reopened {
        /// The text in the parentheses.
        why: &'t str,
    },
    /// `cancelled: <reason>`
    Cancelled {
        /// Why the goal was given up.
        reason: &'t str,
    },
}

/// The record of a start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StartLine<'t> {
    /// The goal contract.
    pub contract: &'t str,
    /// The commit, with `+` if the files differ from it; or `none`.
    pub at: &'t str,
    /// The tree, or `none`.
    pub tree: &'t str,
    /// The result of verify: `red exit 1`, `green`, `unstartable`, `not run`, `none`.
    pub verify: &'t str,
}

/// A change of a goal contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amended<'t> {
    /// `loosened: failure mode dropped, criterion reworded`
    pub what: &'t str,
    /// The contract before.
    pub old: &'t str,
    /// The contract after.
    pub new: &'t str,
    /// The reason, if one was given.
    pub because: Option<&'t str>,
}

/// The parts of a sign-off line. Each is text from a file that anyone may have written.
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

/// The stage that rejected a sign-off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rejecter<'t> {
    /// Stage 1, with the end of verify: `exit 1`, `killed after 600 s`.
    Verify(&'t str),
    /// A row of the gate, by its code.
    Gate(&'t str),
    /// A judge.
    Oracle(&'t str),
}

/// One missing thing that a rejection names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missing<'t> {
    /// `C2`, `F1`; `None` if no criterion is named.
    pub criterion: Option<&'t str>,
    /// The missing thing, without the criterion's name.
    pub what: &'t str,
    /// The criterion's name and the missing thing together.
    pub whole: &'t str,
}

impl<'t> Rejecter<'t> {
    /// Reads a rejection's reason into missing things: a judge names several criteria, verify and the gate one thing.
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

    /// Describes the stage in words: `the judge claude`.
    pub fn describe(self) -> String {
        match self {
            Rejecter::Verify(end) => format!("verify, {end}"),
            Rejecter::Gate(code) => format!("the gate, {code}"),
            Rejecter::Oracle(judge) => format!("the judge {judge}"),
        }
    }
}

/// The end of a step. Starting a step writes no line.
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
    /// The approver's name, without parentheses.
    pub name: &'t str,
    /// `terminal`, `host`, `reply`, `--yes`.
    pub way: &'t str,
    /// The plan contract.
    pub contract: &'t str,
    /// The highest step number that was approved; contract mode only.
    pub steps: Option<u32>,
    /// The approver's note.
    pub note: Option<&'t str>,
}

/// Returns the events of one goal in the log above the archive, in file order.
pub fn events_of<'p, 'a>(plan: &'p Plan<'a>, id: &'p str) -> impl DoubleEndedIterator<Item = GoalEvent<'a>> + 'p {
    let of_goal = move |(_, text)| LogLine::parse(text)?.goal().filter(|(of, _)| *of == id).map(|(_, event)| event);
    plan.log_lines().filter_map(of_goal)
}

impl<'t> LogLine<'t> {
    /// Returns the goal's id and the event, if the line is about a goal.
    pub fn goal(self) -> Option<(&'t str, GoalEvent<'t>)> {
        if let LogLine::Goal { id, event } = self { Some((id, event)) } else { None }
    }
}

impl<'t> GoalEvent<'t> {
    /// Whether the last of these lines that changed the status of their goal cancelled it.
    pub fn end_cancelled(events: impl DoubleEndedIterator<Item = Self>) -> bool {
        use GoalEvent::{Amended, Cancelled, Inconclusive, Rejected};
        let last = events.rev().find(|event| !matches!(event, Amended(_) | Rejected { .. } | Inconclusive { .. }));
        matches!(last, Some(Cancelled { .. }))
    }

    /// Returns the goal's contract according to this line.
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

    /// True if the line affects whether the goal is signed off (`SIGNOFF.md` §8).
    pub const fn counts(self) -> bool {
        !matches!(self, GoalEvent::Inconclusive { .. } | GoalEvent::Cancelled { .. })
    }

    /// Returns the log line with this event of the goal `id`.
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

    /// Returns each judge's name, whether the caller named the judge, and whether it was asked with another prompt.
    pub fn each_judge(&self) -> impl Iterator<Item = (&'t str, bool, bool)> + use<'t> {
        let strip = |text: &'t str, end| text.strip_suffix(end).map_or((text, false), |rest| (rest, true));
        self.judges.split(", ").map(move |judge| {
            let (judge, own_prompt) = strip(judge, OWN_PROMPT);
            let (judge, callers) = strip(judge, CALLERS);
            (judge, callers, own_prompt)
        })
    }

    /// Returns the commit without the `+` that marks differing files.
    pub fn commit(&self) -> Option<&'t str> {
        Some(self.at.trim_end_matches('+')).filter(|commit| *commit != "none")
    }
}

impl StepEnd {
    /// Returns the log word for a step's new mark; `None` if the step is started.
    pub const fn of(mark: Mark) -> Option<Self> {
        match mark {
            Mark::Complete => Some(StepEnd::Complete),
            Mark::Failed => Some(StepEnd::Failed),
            Mark::Skipped => Some(StepEnd::Skipped),
            Mark::Pending => Some(StepEnd::Retried),
            Mark::Active => None,
        }
    }

    /// Returns the word in the log line.
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
