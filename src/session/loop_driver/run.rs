//! The loop without a host: `plan loop run` calls this module before and after each turn of its client.

use std::fs::File;

use super::control::{begin, run_lock, tell};
use super::file::{load, save};
use super::question::Asker;
use super::stop::{take_in, text};
use super::{JudgeOutcome, Loop, LoopDecision, LoopTarget, PausedBy, Question, budget};
use crate::error::{Error, Kind, Result};
use crate::plan::model::Plan;
use crate::plan::rules;
use crate::session::decide::InjectionMode;
use crate::session::state::{PATIENT, States};
use crate::session::{change_detection, hold, messages};
use crate::store::{self, Place};

/// The number of failed turns in a row after which the loop pauses.
const FAILED_TURNS: u32 = 3;

/// A loop that `plan loop run` drives. A plan has at most one at a time.
#[derive(Debug)]
pub struct LoopRun<'p> {
    place: &'p Place,
    id: String,
    /// The budget. This copy and the copy of `spent` limit the loop, because the client can write the loop's file.
    budget: u32,
    spent: u32,
    next: LoopDecision,
    failed_turns: u32,
    _lock: File,
}

/// The reason why the run ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// No goal is left.
    NothingLeft,
    /// The loop or the plan is paused, with the reason.
    Paused(String),
    /// The budget is spent.
    Spent,
    /// Somebody ended the loop, or started another loop.
    Gone,
}

impl<'p> LoopRun<'p> {
    /// Continues an earlier loop if it has turns left; otherwise starts a new loop. With a `wanted` budget it always starts a new
    /// loop.
    ///
    /// # Errors
    /// [`Kind::Refused`]: another run is active, or a loop that is on drives a session. [`Kind::Input`]: the plan cannot be read.
    /// Otherwise as [`super::start`].
    pub fn begin(place: &'p Place, wanted: Option<u32>) -> Result<Self> {
        let source = store::read(place)?;
        let budget = wanted.unwrap_or(budget(&place.parse(&source)?));
        let _states = States::lock(place, PATIENT)?;
        let Some(run) = run_lock(place)? else {
            return Err(Error::new(Kind::Refused, "refused: another `plan loop run` is running on this plan"));
        };
        let earlier = load(place).into_loop();
        if let Some(Loop { driven: Some(LoopTarget::Session { name, .. }), .. }) =
            earlier.as_ref().filter(|l| l.is_on())
        {
            return Err(Error::new(Kind::Refused, format!("refused: the loop drives session `{name}`"))
                .hint("only one may drive; release the session: `plan loop pause`"));
        }
        let mut taken = match earlier.filter(|earlier| wanted.is_none() && earlier.left() > 0) {
            Some(mut earlier) => {
                earlier.unpause();
                earlier
            }
            None => Loop::new(budget, None),
        };
        taken.driven = Some(LoopTarget::Run);
        begin(place, &taken)?;
        let Loop { id, budget, spent, .. } = taken;
        Ok(LoopRun { place, id, budget, spent, next: LoopDecision::Continue, failed_turns: 0, _lock: run })
    }

    /// Spends a turn. Returns the turn's prompt and the loop afterwards, or the reason why there is no turn.
    ///
    /// # Errors
    /// The plan cannot be read, or the loop cannot be written.
    pub fn turn(&mut self) -> Result<std::result::Result<(String, Loop), Halt>> {
        let _states = States::lock(self.place, PATIENT)?;
        let mut found = match self.standing()? {
            Ok(found) => found,
            Err(halt) => {
                self.tell_end(&halt);
                // The next run reads the number of turns that are left from the file.
                self.own().map_or(Ok(()), |found| save(self.place, &found))?;
                return Ok(Err(halt));
            }
        };
        let source = store::read(self.place)?;
        let plan = self.place.parse(&source)?;
        let Some(text) = text(self.place, &plan, self.next, InjectionMode::Kept) else {
            return Err(Error::input("cannot fill the continuation prompt"));
        };
        found.spend();
        self.spent = found.spent;
        save(self.place, &found)?;
        Ok(Ok((text, found)))
    }

    /// Returns the question to the judge about a reply. `None` if the loop halts anyway, or the reply is blank.
    ///
    /// # Errors
    /// As [`LoopRun::turn`].
    pub fn question(&self, reply: &str, host: &str, model: Option<&str>) -> Result<Option<Question>> {
        let _states = States::lock(self.place, PATIENT)?;
        if reply.trim().is_empty() || self.standing()?.is_err() {
            return Ok(None);
        }
        let source = store::read(self.place)?;
        Ok(Some(Question::new(&self.place.parse(&source)?, reply, host, Asker::Run(model.map(str::to_owned)))))
    }

    /// Records the judge's outcome.
    ///
    /// # Errors
    /// As [`LoopRun::turn`].
    pub fn take_verdict(&mut self, judged: &JudgeOutcome) -> Result<()> {
        let _states = States::lock(self.place, PATIENT)?;
        self.next = LoopDecision::Continue;
        if let Some(mut found) = self.own() {
            self.next = take_in(self.place, &mut found, judged);
            save(self.place, &found)?;
        }
        Ok(())
    }

    /// Records the end of a turn. `Err` contains the reason why the client failed.
    ///
    /// # Errors
    /// As [`LoopRun::turn`].
    pub fn record_turn(&mut self, turn: std::result::Result<(), &str>) -> Result<()> {
        self.failed_turns = if turn.is_ok() { 0 } else { self.failed_turns + 1 };
        let Err(why) = turn else { return Ok(()) };
        let _states = States::lock(self.place, PATIENT)?;
        if let Some(mut found) = self.own().filter(|_| self.failed_turns >= FAILED_TURNS) {
            found.pause(PausedBy::Client, format!("{FAILED_TURNS} turns failed in a row: {why}"));
            tell(self.place, "paused", &serde_json::json!({ "by": PausedBy::Client, "why": super::short(why) }));
            save(self.place, &found)?;
        }
        Ok(())
    }

    /// Returns the loop, with at most the budget and at least the spent turns that this run knows.
    pub fn own(&self) -> Option<Loop> {
        let mut found = load(self.place).into_loop().filter(|found| found.id == self.id)?;
        found.budget = found.budget.min(self.budget);
        found.spent = found.spent.max(self.spent);
        Some(found)
    }

    fn tell_end(&self, halt: &Halt) {
        let what = match halt {
            Halt::NothingLeft => "no_goal_left",
            Halt::Spent => "budget_spent",
            // The event was written when it happened.
            Halt::Paused(_) | Halt::Gone => return,
        };
        let found = self.own().unwrap_or_default();
        tell(self.place, what, &serde_json::json!({ "spent": found.spent, "budget": found.budget }));
    }

    /// Returns the loop if it continues, otherwise the reason why it does not, in the order of `INJECTION.md` §5.
    fn standing(&self) -> Result<std::result::Result<Loop, Halt>> {
        let Some(found) = self.own() else { return Ok(Err(Halt::Gone)) };
        let source = store::read(self.place)?;
        let plan = self.place.parse(&source)?;
        let halt = if let Some(pause) = &found.paused {
            Some(Halt::Paused(pause.why.clone()))
        } else if rules::unfinished(&plan).next().is_none() {
            Some(Halt::NothingLeft)
        } else if let Some(why) = messages::waiting(&plan) {
            Some(Halt::Paused(why))
        } else if let Some(why) = held(self.place, &plan) {
            Some(Halt::Paused(why))
        } else {
            (found.left() == 0).then_some(Halt::Spent)
        };
        Ok(halt.map_or(Ok(found), Err))
    }
}

/// Returns the reason of the current hold, which began after the loop: the start of the loop ended any earlier hold.
fn held(place: &Place, plan: &Plan<'_>) -> Option<String> {
    let hold = hold::current(place)?;
    let is_of_this = hold.shape.is_none_or(|shape| shape == change_detection::shape(plan));
    is_of_this.then(|| hold.paused.unwrap_or_else(|| "the agent said that the plan is finished".to_owned()))
}
