//! Handles a stop of a session that a loop drives, in two halves. Between them the judge is called, without the sessions' lock.

use serde_json::json;

use super::file::{load, save};
use super::question::Asker;
use super::{JudgeOutcome, Loop, LoopDecision, LoopTarget, Question, StopReason, ownership};
use crate::plan::model::Plan;
use crate::plan::rules::{self, GoalRecords};
use crate::session::change_detection::refresh;
use crate::session::decide::{InjectionMode, is_waiting};
use crate::session::event::{HookAnswer, Stop};
use crate::session::plan_snapshot::PlanSnapshot;
use crate::session::push_fingerprint::PushFingerprint;
use crate::session::state::{SessionState, digest};
use crate::session::{events, messages};
use crate::store::Place;

/// The outcome of a stop.
pub(in crate::session) enum StopOutcome {
    /// The answer to the host.
    Answer(HookAnswer),
    /// The question that the loop judge must answer first, and the id of the loop.
    Ask(Box<Question>, String),
}

/// The first half. Returns `None` if no loop drives the session: then the guard decides.
pub(in crate::session) fn on_stop(
    place: &PlanSnapshot<'_>,
    session: &str,
    stop: &Stop,
    mode: InjectionMode,
    state: &mut SessionState,
) -> Option<StopOutcome> {
    if is_let_go(stop, state) {
        return None;
    }
    let mut found = load(place).into_loop()?;
    let key = digest(place, session);
    ownership::leave_gone(place, &mut found, &key);
    if !found.drives(&key, state.works) || (found.left() == 0 && found.told == Some(StopReason::BudgetSpent)) {
        return None;
    }
    if found.driven.is_none() {
        found.driven = Some(LoopTarget::Session { key, name: state.session.clone() });
    }
    let outcome = at_stop(place, session, stop, mode, state, &mut found);
    if !matches!(outcome, Some(StopOutcome::Ask(..) | StopOutcome::Answer(HookAnswer::Push(_)))) {
        let_stand(place, &mut found);
    }
    Some(outcome.unwrap_or(StopOutcome::Answer(HookAnswer::Nothing)))
}

/// Lets the session stop: its next turn comes from the user, not from the loop.
fn let_stand(place: &Place, found: &mut Loop) {
    if std::mem::take(&mut found.is_given) {
        let _ = save(place, found);
    }
}

/// True if the agent or the host continues by itself, or if the user said stop or interrupted.
fn is_let_go(stop: &Stop, state: &SessionState) -> bool {
    stop.is_busy || state.is_quiet || state.is_driven
}

/// Decides about the stop. Returns `None` if the session may stop without a notice to the user.
fn at_stop(
    place: &PlanSnapshot<'_>,
    session: &str,
    stop: &Stop,
    mode: InjectionMode,
    state: &mut SessionState,
    found: &mut Loop,
) -> Option<StopOutcome> {
    refresh(place, state)?;
    if is_waiting(place, state) || found.paused.is_some() {
        return None;
    }
    let plan = place.plan()?;
    if rules::unfinished(plan).next().is_none() {
        let unsigned = GoalRecords::new(plan).unsigned(plan).len();
        return notify_once(place, found, StopReason::NoGoalLeft, |found| {
            let end = format!("plan: no goal is left; the loop ended after {} of {} turns", found.spent, found.budget);
            match unsigned {
                0 => end,
                1 => format!("{end}; 1 done goal has no matching sign-off; `plan audit` names it"),
                more => format!("{end}; {more} done goals have no matching sign-off; `plan audit` names them"),
            }
        });
    }
    if let Some(why) = messages::waiting(plan) {
        return notify_once(place, found, StopReason::NoGoalReady, |found| {
            format!("plan: {why}; the loop stopped after {} of {} turns", found.spent, found.budget)
        });
    }
    if found.left() == 0 {
        // The guard must not take over until the user writes.
        state.is_quiet = true;
        return notify_once(place, found, StopReason::BudgetSpent, |found| {
            format!(
                "plan: the loop ended, because its budget of {} turns is spent; `plan loop start` starts another",
                found.budget
            )
        });
    }
    if stop.reply.trim().is_empty() {
        // A blank reply does not end the work, and there is nothing to judge.
        return Some(StopOutcome::Answer(push(
            place,
            text(place, plan, LoopDecision::Continue, mode),
            stop,
            state,
            found,
        )));
    }
    save(place, found).ok()?;
    let question = Question::new(plan, &stop.reply, &state.host, Asker::Session(session.to_owned()));
    Some(StopOutcome::Ask(Box::new(question), found.id.clone()))
}

fn notify_once(
    place: &Place,
    found: &mut Loop,
    what: StopReason,
    text: impl Fn(&Loop) -> String,
) -> Option<StopOutcome> {
    if found.told.replace(what) == Some(what) {
        return None;
    }
    save(place, found).ok()?;
    events::append(place, "loop", &json!({ "what": what, "spent": found.spent, "budget": found.budget }));
    Some(StopOutcome::Answer(HookAnswer::Notice(text(found))))
}

/// The second half: handles the judge's outcome for `stop` in the loop `id`. Returns `None` if the session may stop without a
/// notice to the user. The loop, the session and the plan may have changed since the first half.
pub(in crate::session) fn on_verdict(
    place: &PlanSnapshot<'_>,
    (id, session): (&str, &str),
    stop: &Stop,
    mode: InjectionMode,
    judged: &JudgeOutcome,
    state: &mut SessionState,
) -> Option<HookAnswer> {
    let found = load(place).into_loop().filter(|found| found.id == id && found.is_on());
    let mut found = found.filter(|found| found.drives(&digest(place, session), state.works))?;
    let seen = refresh(place, state);
    let is_held = *judged == JudgeOutcome::Interrupted || is_let_go(stop, state) || is_waiting(place, state);
    let has_next = |plan: &&Plan<'_>| rules::next(plan).is_some() && messages::waiting(plan).is_none();
    let Some(plan) = seen.filter(|_| !is_held).and_then(|_| place.plan()).filter(has_next) else {
        let_stand(place, &mut found);
        return None;
    };
    let next = take_in(place, &mut found, judged);
    if next != LoopDecision::Pause {
        return Some(push(place, text(place, plan, next, mode), stop, state, &mut found));
    }
    found.is_given = false;
    save(place, &found).ok()?;
    let why = found.paused.map(|pause| pause.why).unwrap_or_default();
    Some(HookAnswer::Notice(format!("plan: the loop is paused: {why}; `plan loop resume` continues it")))
}

/// Records the judge's outcome in the loop, writes it to the event log, and returns the decision.
pub(super) fn take_in(place: &Place, found: &mut Loop, judged: &JudgeOutcome) -> LoopDecision {
    let next = found.take_verdict(judged);
    let said = match judged {
        JudgeOutcome::Answer { done, blocked, reason } => {
            json!({ "what": "judged", "done": done, "blocked": blocked, "reason": super::short(reason) })
        }
        JudgeOutcome::Unreadable(why) => {
            json!({ "what": "unreadable", "why": super::short(why), "count": found.unreadable })
        }
        JudgeOutcome::Failed(why) => json!({ "what": "failed", "why": super::short(why), "count": found.failed }),
        JudgeOutcome::NotAsked | JudgeOutcome::Interrupted => return next,
    };
    events::append(place, "loop", &said);
    if let Some(pause) = &found.paused {
        events::append(place, "loop", &json!({ "what": "paused", "by": pause.by, "why": pause.why }));
    }
    next
}

/// Gives one more turn.
fn push(place: &Place, text: Option<String>, stop: &Stop, state: &mut SessionState, found: &mut Loop) -> HookAnswer {
    let Some(text) = text else { return HookAnswer::Nothing };
    found.spend();
    found.is_given = true;
    found.told = None;
    if save(place, found).is_err() {
        return HookAnswer::Nothing;
    }
    state.known = Some(state.seen.bytes);
    state.sent_on_with = PushFingerprint::of(&text);
    let what = json!({ "session": state.session, "count": found.spent, "budget": found.budget,
        "reply_bytes": stop.reply.len(), "by": "loop" });
    events::append(place, "continuation", &what);
    HookAnswer::Push(text)
}

/// Returns the text of the agent's next turn. It omits the block if the next request brings the block anyway.
pub(super) fn text(place: &Place, plan: &Plan<'_>, next: LoopDecision, mode: InjectionMode) -> Option<String> {
    let has_block = mode != InjectionMode::Transient;
    match next {
        LoopDecision::SignOff => messages::sign_off(place, plan, has_block),
        LoopDecision::Continue | LoopDecision::Pause => messages::continuation(place, plan, has_block),
    }
}

/// Spends a turn of the loop for a push by the guard, in whichever session of the plan it happened.
pub(in crate::session) fn count_guard_push(place: &Place) {
    if let Some(mut found) = load(place).into_loop().filter(Loop::is_on) {
        found.spend();
        let _ = save(place, &found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store;

    // If the state cannot be saved, the turn is not given.
    #[test]
    fn a_turn_that_cannot_be_written_down_is_not_given() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("plan.md"), "# Plan: x\n").unwrap();
        let found = store::look(folder.path(), None).unwrap().unwrap();
        let homeless = Place { state: std::path::PathBuf::new(), ..found };
        let (mut state, mut found) = (SessionState::default(), Loop::new(3, None));
        let answer = push(&homeless, Some("go on".to_owned()), &Stop::default(), &mut state, &mut found);
        assert_eq!((answer, state), (HookAnswer::Nothing, SessionState::default()));
    }
}
