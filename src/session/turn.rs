//! One event of a session, from what is remembered of it to what is remembered then.

use std::time::SystemTime;

use super::decide::{self, Way, decide};
use super::event::{Answer, Event, Moment, Start};
use super::guard;
use super::looping::{self, Judged, Outcome, Question};
use super::prune::prune;
use super::sight::Sight;
use super::state::{BRIEF, Found, State, States, load, short};
use super::ticks;
use crate::store::Place;

/// What drives a session beside its host.
#[derive(Clone, Copy)]
pub struct Driver<'d> {
    /// `plan loop run` started the client, gave it the plan as its prompt and sees to the end of the turn.
    pub is_run: bool,
    /// Asks the loop judge. It may take a minute, and is called without the sessions' lock.
    pub judge: &'d dyn Fn(&Question) -> Judged,
    /// When a file of the work tree that git does not ignore last changed, the plan and the host's own settings aside. None where
    /// that cannot be told. It may take a while, and is called without the sessions' lock.
    pub last_change: &'d dyn Fn() -> Option<SystemTime>,
}

/// What `host` is answered to `event`. Nothing where what the session did so far cannot be known, or what it does now not be
/// remembered: a host that is told twice, or sent on for ever, is worse than one that is told nothing.
pub fn turn(place: &Place, host: &str, event: &Event, way: Way, driver: Driver<'_>) -> Answer {
    if event.is_subagent {
        return Answer::Nothing;
    }
    let is_unsure = || matches!(load(place, &event.session), Found::State(state) if state.acts.is_unsure());
    let changed = match &event.moment {
        Moment::Stop(stop) if !stop.is_busy && is_unsure() => (driver.last_change)(),
        _ => None,
    };
    let seen = Sight::new(place);
    let outcome = with_state(place, host, event, |state| match &event.moment {
        Moment::Stop(_) | Moment::Start(Start::Fresh | Start::Resumed | Start::Cleared) | Moment::Prompt(_)
            if driver.is_run =>
        {
            decide::told_of(&seen, state);
            Outcome::Answer(Answer::Nothing)
        }
        Moment::Request if driver.is_run => Outcome::Answer(decide::request_of_run(&seen, state)),
        moment => {
            changed.into_iter().for_each(|changed| state.acts.settle(changed));
            let outcome = first(&seen, event, moment, way, state);
            match outcome {
                Outcome::Answer(answer) => Outcome::Answer(noticed(answer, state)),
                Outcome::Ask(..) => outcome,
            }
        }
    });
    match outcome {
        None => Answer::Nothing,
        Some(Outcome::Answer(answer)) => answer,
        Some(Outcome::Ask(question, id)) => {
            let judged = (driver.judge)(&question);
            // A minute may have gone by.
            let seen = Sight::new(place);
            with_state(place, host, event, |state| match &event.moment {
                Moment::Stop(stop) => looping::judged(&seen, (&id, &event.session), stop, way, &judged, state),
                _ => None,
            })
            .flatten()
            .unwrap_or_default()
        }
    }
}

/// The answer with what the person is to be told besides.
fn noticed(answer: Answer, state: &mut State) -> Answer {
    match (state.notice.take(), answer) {
        (None, answer) => answer,
        (Some(line), Answer::Nothing) => Answer::Notice(line),
        (Some(line), Answer::Notice(other)) => Answer::Notice(format!("{line}\n{other}")),
        (Some(line), answer) => Answer::With(Box::new(answer), line),
    }
}

fn first(place: &Sight<'_>, event: &Event, moment: &Moment, way: Way, state: &mut State) -> Outcome {
    match moment {
        Moment::Stop(stop) => {
            state.has_stopped = true;
            state.works |= state.acts.is_work();
            ticks::note(place, state);
            return looping::stopped(place, &event.session, stop, way, state).unwrap_or_else(|| {
                let answer = guard::stop(place, stop, way, state);
                if matches!(answer, Answer::Push(_)) {
                    looping::nudged(place);
                }
                Outcome::Answer(answer)
            });
        }
        Moment::Prompt(text) if !decide::is_own_push(text, way, state) => {
            looping::spoken(place, &event.session, text);
        }
        Moment::End => looping::ended(place, &event.session),
        Moment::Start(Start::Cleared) => looping::cleared(place, &event.session, &state.host),
        Moment::Start(Start::Fresh) => prune(place),
        _ => {}
    }
    Outcome::Answer(decide(place, event, way, state))
}

/// Does this with what is remembered of the session, under the lock. None where that cannot be had, or not be written.
fn with_state<T>(place: &Place, host: &str, event: &Event, change: impl FnOnce(&mut State) -> T) -> Option<T> {
    let states = States::lock(place, BRIEF).ok()?;
    let mut state = match states.load(&event.session) {
        Found::State(state) => *state,
        Found::None => State { is_owed: true, is_lost: !is_begun_by(&event.moment), ..State::default() },
        // How often it was sent on is lost: it is not sent on before a person speaks.
        Found::Damaged => State { is_owed: true, is_quiet: true, ..State::default() },
        Found::Newer => return None,
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

/// Whether a session that nothing is known of may be a new one.
fn is_begun_by(moment: &Moment) -> bool {
    matches!(moment, Moment::Start(Start::Fresh | Start::Resumed | Start::Cleared) | Moment::Prompt(_))
}
