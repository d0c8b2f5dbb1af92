//! The loop driver asks an agent to continue at each stop, for as many turns as a person allowed (`INJECTION.md` §5).
//!
//! A plan has at most one loop, in a file of the state folder. The decisions in this file use no files, clock or process.

mod budget;
mod control;
mod file;
mod ownership;
mod question;
mod run;
mod stop;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

pub use budget::budget;
pub use control::{LoadedLoop, LoopStatus, clear, has_given, pause, resume, start, status};
pub use question::{Asker, Question};
pub use run::{Halt, LoopRun};

pub(super) use ownership::{on_clear, on_end, on_message};
pub(super) use stop::{StopOutcome, count_guard_push, on_stop, on_verdict};

/// The budget in turns if neither the caller nor the front matter sets one.
const BUDGET: u32 = 20;
/// The largest budget, in turns.
pub const MOST: u32 = 1000;
/// The loop pauses after so many unreadable answers in a row.
const UNREADABLE: u32 = 3;
/// The loop pauses after so many failed calls of the judge in a row.
const FAILED: u32 = 5;
/// The loop pauses after so many stops in a row with the same obstacle.
const BLOCKED: u32 = 3;
/// The most bytes of a reason that are kept.
const REASON: usize = 300;

/// A loop on one plan.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Loop {
    pub(super) version: u32,
    /// The loop's own id: an answer that was asked for an earlier loop decides nothing.
    pub id: String,
    /// The turns it may give.
    pub budget: u32,
    /// The turns it gave.
    pub spent: u32,
    /// Why it is paused.
    pub paused: Option<Pause>,
    /// Unreadable answers of the judge, in a row.
    pub unreadable: u32,
    /// Failed calls of the judge, in a row.
    pub failed: u32,
    /// Stops that [`Loop::reason`] blocked, in a row.
    pub blocked: u32,
    /// The obstacle at the last stop.
    pub reason: String,
    /// What the loop drives; none until a session stops.
    pub driven: Option<LoopTarget>,
    /// The driven session is working on a turn that the loop gave, not on a person's message.
    pub is_given: bool,
    /// The reason that the person was last told, until the loop gives another turn.
    pub told: Option<StopReason>,
}

/// Why a loop gives no turn. The person is told once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// No goal is left.
    NoGoalLeft,
    /// Goals are left, and all of them wait for something unfinished.
    NoGoalReady,
    /// The budget is spent.
    BudgetSpent,
}

/// What a loop drives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LoopTarget {
    /// A session of a host.
    Session {
        /// A digest of the host's name for the session.
        key: String,
        /// The host's name for the session, shortened.
        name: String,
    },
    /// Clients that `plan loop run` starts.
    Run,
}

/// Why a loop is paused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pause {
    /// Who paused it.
    pub by: PausedBy,
    /// In words.
    pub why: String,
}

/// Who paused a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PausedBy {
    /// `plan loop pause`.
    Person,
    /// A person said stop in the driven session. Another message of theirs there resumes the loop.
    Stop,
    /// The same obstacle, three times. A message of a person resumes the loop.
    Blocked,
    /// The loop judge's answers could not be read.
    Unreadable,
    /// Calls of the loop judge failed.
    Failed,
    /// The client of `plan loop run` failed.
    Client,
}

/// The outcome of asking the loop judge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JudgeOutcome {
    /// It answered.
    Answer {
        /// The reply says that nothing is left.
        done: bool,
        /// The reply says that the agent cannot go on by itself.
        blocked: bool,
        /// The judge's reason.
        reason: String,
    },
    /// It answered something else.
    Unreadable(String),
    /// It could not be asked.
    Failed(String),
    /// It was not asked: `loop.judge: off`, or there is nothing to judge.
    NotAsked,
    /// A person interrupted it.
    Interrupted,
}

/// The loop's decision at a stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LoopDecision {
    /// Ask the agent to continue.
    Continue,
    /// Ask it to sign off the goals it calls done.
    SignOff,
    /// Let it stop; [`Loop::paused`] says why.
    Pause,
}

impl Loop {
    /// A new loop of `budget` turns.
    fn new(budget: u32, driven: Option<LoopTarget>) -> Self {
        Loop { version: file::VERSION, id: super::hold::new_id(), budget, driven, ..Loop::default() }
    }

    /// The turns that are left.
    pub fn left(&self) -> u32 {
        self.budget.saturating_sub(self.spent)
    }

    /// True if it is neither paused nor out of turns.
    pub fn is_on(&self) -> bool {
        self.paused.is_none() && self.left() > 0
    }

    /// True if it drives this session, or may take it: a session that works on the plan, while the loop drives none.
    fn drives(&self, key: &str, works: bool) -> bool {
        match &self.driven {
            Some(LoopTarget::Session { key: own, .. }) => own == key,
            Some(LoopTarget::Run) => false,
            None => works && self.is_on(),
        }
    }

    /// Records the loop judge's outcome and decides. Both kinds of failure fail open: the budget is the backstop.
    fn take_verdict(&mut self, judged: &JudgeOutcome) -> LoopDecision {
        match judged {
            JudgeOutcome::NotAsked | JudgeOutcome::Interrupted => LoopDecision::Continue,
            JudgeOutcome::Answer { done, blocked, reason } => {
                (self.unreadable, self.failed) = (0, 0);
                match (self.is_stuck(*blocked, reason), done) {
                    (true, _) => self.pause(PausedBy::Blocked, format!("blocked {BLOCKED} times: {}", self.reason)),
                    (false, true) => LoopDecision::SignOff,
                    (false, false) => LoopDecision::Continue,
                }
            }
            JudgeOutcome::Unreadable(why) => {
                (self.unreadable, self.failed) = (self.unreadable + 1, 0);
                match self.unreadable >= UNREADABLE {
                    true => {
                        self.pause(PausedBy::Unreadable, format!("{UNREADABLE} unreadable answers in a row: {why}"))
                    }
                    false => LoopDecision::Continue,
                }
            }
            JudgeOutcome::Failed(why) => {
                self.failed += 1;
                match self.failed >= FAILED {
                    true => self.pause(PausedBy::Failed, format!("{FAILED} failed calls in a row: {why}")),
                    false => LoopDecision::Continue,
                }
            }
        }
    }

    /// True if the same obstacle has blocked the agent [`BLOCKED`] times.
    fn is_stuck(&mut self, blocked: bool, reason: &str) -> bool {
        let reason = short(reason);
        let is_same = plain(&reason) == plain(&self.reason);
        self.blocked = match (blocked, is_same) {
            (false, _) => 0,
            (true, true) => self.blocked + 1,
            (true, false) => 1,
        };
        self.reason = if blocked { reason } else { String::new() };
        self.blocked >= BLOCKED
    }

    fn pause(&mut self, by: PausedBy, why: String) -> LoopDecision {
        self.paused = Some(Pause { by, why: short(&why) });
        LoopDecision::Pause
    }

    /// Resumes the loop: all counts in a row begin anew.
    fn unpause(&mut self) {
        self.paused = None;
        (self.unreadable, self.failed, self.blocked) = (0, 0, 0);
        self.reason.clear();
        self.told = None;
    }

    /// Counts one turn.
    fn spend(&mut self) {
        self.spent = self.spent.saturating_add(1).min(self.budget);
    }
}

/// The words alone, in lower case, so that small differences in wording do not count.
fn plain(reason: &str) -> String {
    let words = reason.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ").to_lowercase()
}

/// The beginning of the text on one line, short enough to be kept.
fn short(text: &str) -> String {
    let line = crate::plan::text::one_line(text);
    line.char_indices().take_while(|(at, c)| at + c.len_utf8() <= REASON).map(|(_, c)| c).collect()
}
