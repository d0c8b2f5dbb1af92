//! One event of a session, from what is remembered of it to what is remembered then.

use super::decide::{Way, decide};
use super::event::{Answer, Event, Moment, Start};
use super::prune::prune;
use super::state::{Found, State, States, short};
use crate::store::Place;

/// What `host` is answered to `event`. Nothing where what the session did so far cannot be known, or what it does now not be
/// remembered: a host that is told twice, or sent on for ever, is worse than one that is told nothing.
pub fn turn(place: &Place, host: &str, event: &Event, way: Way) -> Answer {
    if event.is_subagent {
        return Answer::Nothing;
    }
    let Some(states) = States::lock(place) else { return Answer::Nothing };
    let mut state = match states.load(&event.session) {
        Found::State(state) => *state,
        Found::None => State { is_owed: true, ..State::default() },
        // How often it was sent on is lost: it is not sent on before a person speaks.
        Found::Damaged => State { is_owed: true, is_quiet: true, ..State::default() },
        Found::Newer => return Answer::Nothing,
    };
    let before = state.clone();
    host.clone_into(&mut state.host);
    state.session = short(&event.session);
    state.model = event.model.as_deref().map(short).or(state.model);
    state.transcript = event.transcript.clone().or(state.transcript);
    let answer = decide(place, event, way, &mut state);
    if matches!(event.moment, Moment::Start(Start::Fresh)) {
        prune(place);
    }
    if state != before && !states.save(&event.session, &state) {
        return Answer::Nothing;
    }
    answer
}
