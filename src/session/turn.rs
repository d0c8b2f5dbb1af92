//! Handles one event of a session: reads the session's state, decides, and writes the new state.

use std::time::SystemTime;

use super::decide::{self, InjectionMode, decide};
use super::event::{HookAnswer, Moment, SessionEvent, SessionStart};
use super::guard;
use super::loop_driver::{self, JudgeOutcome, Question, StopOutcome};
use super::plan_snapshot::{PlanBytes, PlanSnapshot};
use super::prune::prune;
use super::review::{self, Key};
use super::state::{BRIEF, LoadedState, SessionState, States, load, short};
use super::ticks;
use crate::store::Place;

/// The caller's part in an event: how the client was started, and the slow operations that `turn` may need.
#[derive(Clone, Copy)]
pub struct Driver<'d> {
    /// True if `plan loop run` started the client: it gave the plan as the prompt and handles the end of the turn.
    pub is_run: bool,
    /// Calls the loop judge. This may take a minute, so it is called without the sessions' lock.
    pub judge: &'d dyn Fn(&Question) -> JudgeOutcome,
    /// Returns the time at which a file of the work tree last changed, without ignored files, the plan and the host's own settings;
    /// `None` if that is unknown. This may take a while, so it is called without the sessions' lock.
    pub last_change: &'d dyn Fn() -> Option<SystemTime>,
    /// Passes on the user's approval of the plan whose review is pending under this key, and returns the outcome in words. This may
    /// take a while, so it is called without the sessions' lock.
    pub agree: &'d dyn Fn(&Key) -> Option<String>,
}

/// Returns the answer of `plan` to an `event` of `host`. The answer is empty if the session's state cannot be read or written:
/// repeating a text or pushing forever would be worse.
pub fn turn(place: &Place, host: &str, event: &SessionEvent, mode: InjectionMode, driver: Driver<'_>) -> HookAnswer {
    if event.is_subagent {
        return HookAnswer::Nothing;
    }
    let is_unsure = || matches!(load(place, &event.session), LoadedState::State(state) if state.acts.is_unsure());
    let changed = match &event.moment {
        Moment::Stop(stop) if !stop.is_busy && is_unsure() => (driver.last_change)(),
        _ => None,
    };
    let agreed = match &event.moment {
        Moment::Prompt(text) if !driver.is_run => {
            review::agreed(place, host, &event.session, text).and_then(|key| (driver.agree)(&key))
        }
        _ => None,
    };
    if let Moment::After(tools) = &event.moment {
        let runs = tools.iter().filter_map(|tool| tool.review.as_deref());
        runs.for_each(|run| review::claim(place, host, &event.session, run));
    }
    let source = PlanBytes::default();
    let seen = PlanSnapshot::new(place, &source);
    let outcome = with_state(place, host, event, |state| match &event.moment {
        Moment::Stop(_)
        | Moment::Start(SessionStart::Fresh | SessionStart::Resumed | SessionStart::Cleared)
        | Moment::Prompt(_)
            if driver.is_run =>
        {
            decide::mark_given(&seen, state);
            StopOutcome::Answer(HookAnswer::Nothing)
        }
        Moment::Request if driver.is_run => StopOutcome::Answer(decide::request_of_run(&seen, state)),
        moment => {
            changed.into_iter().for_each(|changed| state.acts.settle(changed));
            state.notice = agreed.as_ref().map(|said| format!("plan: {said}")).or(state.notice.take());
            state.feedback = agreed.or(state.feedback.take());
            let outcome = first(&seen, event, moment, mode, state);
            match outcome {
                StopOutcome::Answer(answer) => StopOutcome::Answer(with_notice(answer, state)),
                StopOutcome::Ask(..) => outcome,
            }
        }
    });
    match outcome {
        None => HookAnswer::Nothing,
        Some(StopOutcome::Answer(answer)) => answer,
        Some(StopOutcome::Ask(question, id)) => {
            let judged = (driver.judge)(&question);
            // A minute may have passed, so the plan is read again.
            let source = PlanBytes::default();
            let seen = PlanSnapshot::new(place, &source);
            with_state(place, host, event, |state| match &event.moment {
                Moment::Stop(stop) => loop_driver::on_verdict(&seen, (&id, &event.session), stop, mode, &judged, state),
                _ => None,
            })
            .flatten()
            .unwrap_or_default()
        }
    }
}

/// Returns the answer together with the pending line for the user.
fn with_notice(answer: HookAnswer, state: &mut SessionState) -> HookAnswer {
    match (state.notice.take(), answer) {
        (None, answer) => answer,
        (Some(line), HookAnswer::Nothing) => HookAnswer::Notice(line),
        (Some(line), HookAnswer::Notice(other)) => HookAnswer::Notice(format!("{line}\n{other}")),
        (Some(line), answer) => HookAnswer::With(Box::new(answer), line),
    }
}

fn first(
    place: &PlanSnapshot<'_>,
    event: &SessionEvent,
    moment: &Moment,
    mode: InjectionMode,
    state: &mut SessionState,
) -> StopOutcome {
    match moment {
        Moment::Stop(stop) => {
            state.has_stopped = true;
            state.works |= state.acts.is_work();
            ticks::note(place, state);
            return loop_driver::on_stop(place, &event.session, stop, mode, state).unwrap_or_else(|| {
                let answer = guard::stop(place, stop, mode, state);
                if matches!(answer, HookAnswer::Push(_)) {
                    loop_driver::count_guard_push(place);
                }
                StopOutcome::Answer(answer)
            });
        }
        Moment::Prompt(text) if !decide::is_own_push(text, mode, state) => {
            loop_driver::on_message(place, &event.session, text);
        }
        Moment::End => loop_driver::on_end(place, &event.session),
        Moment::Start(SessionStart::Cleared) => loop_driver::on_clear(place, &event.session, &state.host),
        Moment::Start(SessionStart::Fresh) => prune(place),
        _ => {}
    }
    StopOutcome::Answer(decide(place, event, mode, state))
}

/// Changes the session's state under the lock. Returns `None` if the lock or the state is unavailable, or the write fails.
fn with_state<T>(
    place: &Place,
    host: &str,
    event: &SessionEvent,
    change: impl FnOnce(&mut SessionState) -> T,
) -> Option<T> {
    let states = States::lock(place, BRIEF).ok()?;
    let mut state = match states.load(&event.session) {
        LoadedState::State(state) => *state,
        LoadedState::None => {
            SessionState { is_owed: true, is_lost: !is_begun_by(&event.moment), ..SessionState::default() }
        }
        // The count of pushes is lost, so there are no pushes until the user writes.
        LoadedState::Damaged => SessionState { is_owed: true, is_quiet: true, ..SessionState::default() },
        LoadedState::Newer => return None,
    };
    let before = state.clone();
    host.clone_into(&mut state.host);
    state.session = short(&event.session);
    state.model = event.model.as_deref().map(short).or(state.model);
    state.transcript = event.transcript.clone().or(state.transcript);
    let value = change(&mut state);
    let is_kept = if state == before { states.heard_of(&event.session) } else { states.save(&event.session, &state) };
    is_kept.then_some(value)
}

/// True if an unknown session with this event may be new.
fn is_begun_by(moment: &Moment) -> bool {
    matches!(
        moment,
        Moment::Start(SessionStart::Fresh | SessionStart::Resumed | SessionStart::Cleared) | Moment::Prompt(_)
    )
}
