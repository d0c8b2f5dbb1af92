//! What a session is answered, and what of it is remembered (`INJECTION.md` §2 to §4).

use std::path::Path;

use super::acts::Acts;
use super::change_detection::{PlanChange, hash, refresh};
use super::event::{Answer, Event, Moment, Start, Tool};
use super::mention::{Mention, mention};
use super::messages::{self, Extent};
use super::plan_snapshot::PlanSnapshot;
use super::state::State;
use super::stop_words::says_stop;
use super::tools;
use super::{hold, review, ticks};
use crate::store::Place;

/// Which way text reaches the model of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// It stays in the conversation, so that it is given once: at a start, after a prompt, after tools. Each call of the hook is
    /// a turn (Claude Code tells of a whole batch at once), unless [`Event::turn`] says which it is (Codex tells of each tool). What
    /// such a host was sent on with is never handed to its hooks.
    Kept,
    /// As [`Way::Kept`], but tools are told of one by one within a turn, and a start takes none: what is said there would stand in the system prompt, or nowhere.
    KeptLater,
    /// It is gone after one request, so that it is given with each.
    Transient,
}

/// The answer to `event`; what is to be remembered is put into `state`.
pub(super) fn decide(place: &PlanSnapshot<'_>, event: &Event, way: Way, state: &mut State) -> Answer {
    match &event.moment {
        Moment::Start(start) => begin(place, *start, way, state),
        Moment::Prompt(text) => prompt(place, text, way, state),
        Moment::Request => request(place, state),
        Moment::After(used) => {
            let folders = [event.cwd.as_deref(), event.project.as_deref(), Some(&*place.root)];
            begin_turn(event.turn.as_deref(), way, state);
            after(place, used, &folders.into_iter().flatten().collect::<Vec<_>>(), way, state)
        }
        Moment::Before(tool) => before(place, tool, state),
        Moment::Turn => {
            state.is_counted = false;
            Answer::Nothing
        }
        Moment::Compacted => {
            compacted(state);
            Answer::Nothing
        }
        Moment::Interrupted => {
            state.is_quiet = true;
            Answer::Nothing
        }
        // A stop is for the loop and the guard.
        Moment::Stop(_) | Moment::End => Answer::Nothing,
    }
}

fn begin(place: &PlanSnapshot<'_>, start: Start, way: Way, state: &mut State) -> Answer {
    match start {
        // What went on before goes on: a restart gives an agent no new pushes.
        Start::Compacted => compacted(state),
        Start::Fresh | Start::Cleared => state.is_owed = true,
        // What was said stands in the conversation that goes on.
        Start::Resumed => state.is_owed |= refresh(place, state).is_none() || state.known != Some(state.seen.bytes),
    }
    match way {
        Way::Kept => give(place, state, None),
        Way::KeptLater | Way::Transient => Answer::Nothing,
    }
}

fn compacted(state: &mut State) {
    state.is_owed = true;
    state.is_compacted = true;
}

/// What it was sent on with, handed to a hook like a message of a person: with something around it that the host or another
/// hook put there. Where no host does that, a person quotes it.
pub(super) fn is_own_push(text: &str, way: Way, state: &State) -> bool {
    match way {
        Way::Kept => state.sent_on_with.is(text),
        Way::KeptLater | Way::Transient => state.sent_on_with.is_in(text),
    }
}

fn prompt(place: &PlanSnapshot<'_>, text: &str, way: Way, state: &mut State) -> Answer {
    if is_own_push(text, way, state) {
        return Answer::Nothing;
    }
    let mention = if state.works { Mention::None } else { mention(place, text) };
    state.works |= mention == Mention::Instruction;
    state.acts = Acts::new(mention == Mention::Question);
    state.is_counted = false;
    (state.pushes, state.pushes_in_all) = (0, 0);
    state.is_told = false;
    state.is_lost = false;
    state.is_quiet = says_stop(text);
    // No host says when its goal is met: its turn ended then. While it is not, work goes on after each stop.
    if std::mem::take(&mut state.has_stopped) {
        state.is_driven = false;
    }
    let goal = text.trim_start().strip_prefix("/goal");
    if let Some(rest) = goal.filter(|rest| !rest.starts_with(|c: char| !c.is_whitespace())) {
        state.is_driven = !matches!(rest.trim(), "" | "clear" | "off" | "stop" | "pause");
    }
    state.hold_ended = hold::current(place).map(|hold| hold.id);
    state.feedback = review::take_message(place, &state.host, &state.session, text);
    state.turns += 1;
    match way {
        Way::Transient => Answer::Nothing,
        Way::Kept | Way::KeptLater => {
            ticks::note(place, state);
            let feedback = state.feedback.take();
            give(place, state, feedback)
        }
    }
}

/// A request that takes text for itself alone: the block each time, the reminder where it is due.
fn request(place: &PlanSnapshot<'_>, state: &mut State) -> Answer {
    state.is_counted = false;
    state.turns += 1;
    ticks::note(place, state);
    if refresh(place, state).is_none() {
        return Answer::Nothing;
    }
    let what = if state.is_owed { Extent::Full } else { Extent::Block };
    let text = messages::text(place, what).unwrap_or_default();
    state.is_owed = false;
    mark_known(state);
    let correction = correction(&text, state);
    // It is gone after this request, and the turn has more.
    let feedback = state.feedback.clone();
    context(text, joined(correction.into_iter().chain(feedback).chain(due(place, state))))
}

/// The same in a client that `plan loop run` started: its prompt holds the plan as it was then, and it does not stand there
/// twice. It comes where it is another by now, or the prompt is gone.
pub(super) fn request_of_run(place: &PlanSnapshot<'_>, state: &mut State) -> Answer {
    let (known, is_compacted) = (state.known, state.is_compacted);
    if refresh(place, state).is_some() && known == Some(state.seen.bytes) && !is_compacted {
        state.is_counted = false;
        ticks::note(place, state);
        let more = state.correction.take().into_iter().chain(due(place, state));
        return context(String::new(), joined(more));
    }
    let answer = request(place, state);
    (state.known, state.is_compacted) = (known, is_compacted);
    answer
}

/// Tools ran in `turn`, which is another than the one before, or the same.
fn begin_turn(turn: Option<&str>, way: Way, state: &mut State) {
    match turn.map(|turn| hash(turn.as_bytes())) {
        Some(turn) if turn == state.turn => {}
        Some(turn) => (state.turn, state.is_counted) = (turn, false),
        None => state.is_counted &= way != Way::Kept,
    }
}

fn after(place: &PlanSnapshot<'_>, used: &[Tool], folders: &[&Path], way: Way, state: &mut State) -> Answer {
    state.has_stopped &= used.is_empty();
    state.acts.used(used, place, folders);
    if let Some(is_driven) = tools::goal_of_host(used) {
        state.is_driven = is_driven;
    }
    let is_ours = tools::write_plan(used, place, folders);
    state.works |= is_ours;
    // Nobody was sent on for a plan that was not there.
    state.is_lost = state.is_lost && !tools::make_plan(used, place, folders);
    let changed = refresh(place, state);
    if changed == Some(PlanChange::Yes) && is_ours {
        // It knows what it wrote.
        state.known = Some(state.seen.bytes);
    }
    if way != Way::Transient {
        ticks::note(place, state);
    }
    if changed == Some(PlanChange::No) && !state.is_counted && tools::modify(used) {
        state.idle += 1;
        state.is_counted = true;
    }
    if way != Way::Transient {
        state.turns += 1;
    }
    let offer = offer(place, used, state);
    match way {
        // With the next request.
        Way::Transient => offer.map(Answer::Context).unwrap_or_default(),
        Way::Kept | Way::KeptLater => {
            let more = offer.or_else(|| due(place, state));
            give(place, state, more)
        }
    }
}

/// A goal of the host's own is not complete while a goal of the plan that the session works on is not signed off.
fn before(place: &PlanSnapshot<'_>, tool: &Tool, state: &State) -> Answer {
    if !tools::completes_goal(tool) || !state.works || is_held(place, state) {
        return Answer::Nothing;
    }
    messages::unfinished(place, state).map(Answer::Deny).unwrap_or_default()
}

/// What the model does not know yet, and `more`.
fn give(place: &PlanSnapshot<'_>, state: &mut State, more: Option<String>) -> Answer {
    let is_known = refresh(place, state).is_none() || (!state.is_owed && state.known == Some(state.seen.bytes));
    let mut text = String::new();
    if !is_known {
        let what = if state.is_owed { Extent::Full } else { Extent::Block };
        text = messages::text(place, what).unwrap_or_default();
        state.is_owed = false;
        mark_known(state);
    }
    let correction = correction(&text, state);
    context(text, joined(correction.into_iter().chain(more)))
}

/// What the model is to be told of goals made done by hand, beside `text`: a block says it itself.
fn correction(text: &str, state: &mut State) -> Option<String> {
    state.correction.take().filter(|_| text.is_empty())
}

/// The model was given the plan from elsewhere.
pub(super) fn mark_given(place: &PlanSnapshot<'_>, state: &mut State) {
    if refresh(place, state).is_some() {
        state.is_owed = false;
        mark_known(state);
    }
}

/// The model knows the plan as it is.
pub(super) fn mark_known(state: &mut State) {
    state.known = Some(state.seen.bytes);
    state.is_compacted = false;
    state.turns = 0;
}

fn joined(texts: impl Iterator<Item = String>) -> Option<String> {
    texts.reduce(|all, text| format!("{all}\n{text}"))
}

fn context(text: String, more: Option<String>) -> Answer {
    match (text.is_empty(), more) {
        (true, None) => Answer::Nothing,
        (true, Some(more)) => Answer::Context(more),
        (false, None) => Answer::Context(text),
        (false, Some(more)) => Answer::Context(format!("{text}\n{more}")),
    }
}

/// The reminder, where it is due.
fn due(place: &PlanSnapshot<'_>, state: &mut State) -> Option<String> {
    if is_due(place, state) { messages::reminder() } else { None }
}

/// Whether the reminder is due; the next one is as many turns away again. While the plan is held or waits, or a person said stop,
/// nobody is told to keep working.
pub(super) fn is_due(place: &PlanSnapshot<'_>, state: &mut State) -> bool {
    let every = state.seen.remind_every;
    let is_due = state.seen.has_active && every > 0 && state.idle >= every;
    if is_due {
        state.idle = 0;
    }
    let waits = || is_waiting(place, state) || place.plan().is_some_and(|plan| messages::waiting(&plan).is_some());
    is_due && !state.is_quiet && !waits()
}

/// That a plan of the host's own could become goals: once a session.
fn offer(place: &Place, used: &[Tool], state: &mut State) -> Option<String> {
    let what = tools::plan_of_host(used).filter(|_| !state.is_offered)?;
    state.is_offered = true;
    messages::offer(place, what)
}

/// Whether the plan was paused, or called finished, and no person spoke since.
fn is_held(place: &Place, state: &State) -> bool {
    hold::current(place).is_some_and(|hold| {
        state.hold_ended.as_ref() != Some(&hold.id) && hold.shape.is_none_or(|shape| shape == state.seen.shape)
    })
}

/// Whether a person is to speak first: the plan is held, or waits for their word.
pub(super) fn is_waiting(place: &Place, state: &State) -> bool {
    is_held(place, state) || review::is_awaited(place, &state.host, &state.session)
}
