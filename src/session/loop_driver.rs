//! The loop driver asks an agent to continue at each stop, for as many turns as the user allowed (`INJECTION.md` §5).
//!
//! A plan has at most one loop, stored in a file of the state folder. The decisions in this module use no files, clock or process.

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

/// The default budget, in turns, if neither the caller nor the front matter sets one.
const BUDGET: u32 = 20;
/// The largest budget, in turns.
pub const MOST: u32 = 1000;
/// The number of unreadable answers in a row after which the loop pauses.
const UNREADABLE: u32 = 3;
/// The number of failed calls of the judge in a row after which the loop pauses.
const FAILED: u32 = 5;
/// The number of stops in a row with the same obstacle after which the loop pauses.
const BLOCKED: u32 = 3;
/// The maximum length of a stored reason, in bytes.
const REASON: usize = 300;

/// A loop on one plan.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Loop {
    pub(super) version: u32,
    /// The loop's own id. An answer of the judge for an earlier loop is ignored.
    pub id: String,
    /// The number of turns that the loop may give.
    pub budget: u32,
    /// The number of turns that the loop gave.
    pub spent: u32,
    /// The pause, if the loop is paused.
    pub paused: Option<Pause>,
    /// The number of unreadable answers of the judge in a row.
    pub unreadable: u32,
    /// The number of failed calls of the judge in a row.
    pub failed: u32,
    /// The number of stops in a row that [`Loop::reason`] blocked.
    pub blocked: u32,
    /// The obstacle at the last stop.
    pub reason: String,
    /// The session or run that the loop drives; `None` while the loop waits for a session to stop.
    pub driven: Option<LoopTarget>,
    /// True if the driven session is working on a turn that the loop gave, not on a message of the user.
    pub is_given: bool,
    /// The last reason that was reported to the user, until the loop gives another turn.
    pub told: Option<StopReason>,
}

/// The reason why a loop gives no turn. It is reported to the user once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// No goal is left.
    NoGoalLeft,
    /// Goals are left, but none can be worked on now.
    NoGoalReady,
    /// The budget is spent.
    BudgetSpent,
}

/// The session or run that a loop drives.
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

/// The pause of a loop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pause {
    /// The cause of the pause.
    pub by: PausedBy,
    /// The reason, in words.
    pub why: String,
}

/// The cause of a loop's pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PausedBy {
    /// `plan loop pause`.
    Person,
    /// The user said stop in the driven session. The user's next message there that does not say stop resumes the loop.
    Stop,
    /// The same obstacle blocked the agent three times. A message of the user resumes the loop.
    Blocked,
    /// The loop judge's answers could not be read.
    Unreadable,
    /// Calls of the loop judge failed.
    Failed,
    /// The client of `plan loop run` failed.
    Client,
}

/// The outcome of a call of the loop judge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JudgeOutcome {
    /// The judge answered.
    Answer {
        /// True if the agent's reply says that nothing is left.
        done: bool,
        /// True if the agent's reply says that the agent cannot continue by itself.
        blocked: bool,
        /// The judge's reason.
        reason: String,
    },
    /// The judge's answer could not be read.
    Unreadable(String),
    /// The call of the judge failed.
    Failed(String),
    /// The judge was not called: `loop.judge: off`, or there is nothing to judge.
    NotAsked,
    /// The user interrupted the call.
    Interrupted,
}

/// The loop's decision at a stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LoopDecision {
    /// Ask the agent to continue.
    Continue,
    /// Ask the agent to sign off the goals that it calls done.
    SignOff,
    /// Let the agent stop; [`Loop::paused`] contains the reason.
    Pause,
}

impl Loop {
    /// Returns a new loop of `budget` turns.
    fn new(budget: u32, driven: Option<LoopTarget>) -> Self {
        Loop { version: file::VERSION, id: super::hold::new_id(), budget, driven, ..Loop::default() }
    }

    /// Returns the number of turns that are left.
    pub fn left(&self) -> u32 {
        self.budget.saturating_sub(self.spent)
    }

    /// True if the loop is neither paused nor out of turns.
    pub fn is_on(&self) -> bool {
        self.paused.is_none() && self.left() > 0
    }

    /// True if the loop drives this session, or may start to: the loop is on and drives no session, and this one works on the plan.
    fn drives(&self, key: &str, works: bool) -> bool {
        match &self.driven {
            Some(LoopTarget::Session { key: own, .. }) => own == key,
            Some(LoopTarget::Run) => false,
            None => works && self.is_on(),
        }
    }

    /// Records the loop judge's outcome and decides. Both kinds of failure fail open, because the budget limits the loop anyway.
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

    /// Resumes the loop and resets its counts of events in a row.
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

/// Returns only the words, in lower case, so that differences in case and punctuation do not count.
fn plain(reason: &str) -> String {
    let words = reason.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Returns the beginning of the text on one line, at most [`REASON`] bytes.
fn short(text: &str) -> String {
    let line = crate::plan::text::one_line(text);
    line.char_indices().take_while(|(at, c)| at + c.len_utf8() <= REASON).map(|(_, c)| c).collect()
}
