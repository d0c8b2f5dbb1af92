//! The loop: an agent is sent on at each stop, for as many turns as a person allowed (`INJECTION.md` §5).
//!
//! One loop a plan, in a file of the state folder. What follows from what is decided here, without files, clock or process.

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

/// Turns where neither the caller nor the front matter says how many.
const BUDGET: u32 = 20;
/// Turns at most.
pub const MOST: u32 = 1000;
/// Answers in a row that cannot be read, then it pauses.
const UNREADABLE: u32 = 3;
/// Calls of the judge in a row that fail, then it pauses.
const FAILED: u32 = 5;
/// Stops in a row that are blocked by the same, then it pauses.
const BLOCKED: u32 = 3;
/// Bytes of a reason that are kept.
const REASON: usize = 300;

/// A loop on one plan.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Loop {
    pub(super) version: u32,
    /// Which loop this is: what was asked for one that ended meanwhile decides nothing.
    pub id: String,
    /// How many turns it may give.
    pub budget: u32,
    /// How many it gave.
    pub spent: u32,
    /// Why it holds still.
    pub paused: Option<Pause>,
    /// Answers of the judge that could not be read, in a row.
    pub unreadable: u32,
    /// Calls of the judge that failed, in a row.
    pub failed: u32,
    /// Stops that were blocked by [`Loop::reason`], in a row.
    pub blocked: u32,
    /// What blocked the last one.
    pub reason: String,
    /// Who is driven; none before anybody stopped.
    pub driven: Option<LoopTarget>,
    /// Who is driven is at work on a turn that the loop gave, not on what a person said.
    pub is_given: bool,
    /// What the person was told of it last, until another turn is given.
    pub told: Option<StopReason>,
}

/// Why a loop gives no turn, as the person is told once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// No goal is left.
    NoGoalLeft,
    /// Goals are left, and all of them wait for what is not done.
    NoGoalReady,
    /// The budget is spent.
    BudgetSpent,
}

/// Who a loop drives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LoopTarget {
    /// A session of a host.
    Session {
        /// Which one: a digest of the host's name for it.
        key: String,
        /// The host's name for it, shortened.
        name: String,
    },
    /// Clients that `plan loop run` starts.
    Run,
}

/// Why a loop holds still.
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
    /// A person's stop in the session that is driven. Another message of theirs there ends it.
    Stop,
    /// The same obstacle, three times. A message of a person ends it.
    Blocked,
    /// Answers of the loop judge that nobody can read.
    Unreadable,
    /// Calls of the loop judge that failed.
    Failed,
    /// The client that `plan loop run` starts failed.
    Client,
}

/// What came of asking the loop judge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JudgeOutcome {
    /// It answered.
    Answer {
        /// The reply says that nothing is left.
        done: bool,
        /// The reply says that it cannot go on by itself.
        blocked: bool,
        /// Why, in its words.
        reason: String,
    },
    /// It answered something else.
    Unreadable(String),
    /// It could not be asked.
    Failed(String),
    /// `loop.judge: off`, or there is nothing to judge.
    NotAsked,
    /// A person ended it.
    Interrupted,
}

/// What a loop does at a stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LoopDecision {
    /// The agent is sent on.
    Continue,
    /// It is sent on to sign off what it calls done.
    SignOff,
    /// It is let go; [`Loop::paused`] says why.
    Pause,
}

impl Loop {
    /// A loop of so many turns.
    fn new(budget: u32, driven: Option<LoopTarget>) -> Self {
        Loop { version: file::VERSION, id: super::hold::unlike_any(), budget, driven, ..Loop::default() }
    }

    /// Turns that are left.
    pub fn left(&self) -> u32 {
        self.budget.saturating_sub(self.spent)
    }

    /// Neither paused nor at its end.
    pub fn is_on(&self) -> bool {
        self.paused.is_none() && self.left() > 0
    }

    /// Whether it is this session that it drives, or may take: one at work on the plan, where it drives none yet.
    fn drives(&self, key: &str, works: bool) -> bool {
        match &self.driven {
            Some(LoopTarget::Session { key: own, .. }) => own == key,
            Some(LoopTarget::Run) => false,
            None => works && self.is_on(),
        }
    }

    /// Takes in what the loop judge said. Both kinds of failure fail open: the budget is the backstop.
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

    /// Whether the same has blocked it often enough.
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

    /// Goes on: what was counted in a row begins anew.
    fn unpause(&mut self) {
        self.paused = None;
        (self.unreadable, self.failed, self.blocked) = (0, 0, 0);
        self.reason.clear();
        self.told = None;
    }

    /// A turn is given.
    fn spend(&mut self) {
        self.spent = self.spent.saturating_add(1).min(self.budget);
    }
}

/// What two wordings of one reason have in common.
fn plain(reason: &str) -> String {
    let words = reason.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ").to_lowercase()
}

/// One line, short enough to be kept.
fn short(text: &str) -> String {
    let line = crate::plan::text::one_line(text);
    line.char_indices().take_while(|(at, c)| at + c.len_utf8() <= REASON).map(|(_, c)| c).collect()
}
