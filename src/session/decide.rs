//! Chooses the answer to an event and updates the session's state (`INJECTION.md` §2 to §4).

use std::path::Path;

use super::acts::Acts;
use super::change_detection::{PlanChange, hash, refresh};
use super::event::{HookAnswer, Moment, SessionEvent, SessionStart, ToolCall, ToolKind};
use super::mention::{Mention, mention};
use super::messages::{self, Extent};
use super::plan_snapshot::PlanSnapshot;
use super::state::SessionState;
use super::stop_words::says_stop;
use super::tools;
use super::{hold, review, ticks};
use crate::store::Place;

/// How injected text reaches a host's model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InjectionMode {
    /// The text stays in the conversation, so it is given once: at a start, after a prompt, after tools. Each hook call is a turn
    /// (Claude Code reports a whole batch at once), unless [`SessionEvent::turn`] names the turn (Codex reports each tool). These hosts
    /// never pass our own push back to their hooks.
    Kept,
    /// Like [`InjectionMode::Kept`], but the host reports the tools of a turn one by one, and gets no text at a start: it would put
    /// that text into the system prompt, or drop it.
    KeptLater,
    /// The host drops the text after one request, so every request gets it again.
    Transient,
}

/// Returns the answer to `event` and updates `state`.
pub(super) fn decide(
    place: &PlanSnapshot<'_>,
    event: &SessionEvent,
    mode: InjectionMode,
    state: &mut SessionState,
) -> HookAnswer {
    match &event.moment {
        Moment::Start(start) => begin(place, *start, mode, state),
        Moment::Prompt(text) => prompt(place, text, mode, state),
        Moment::Request => request(place, state),
        Moment::After(used) => {
            let folders = [event.cwd.as_deref(), event.project.as_deref(), Some(&*place.root)];
            begin_turn(event.turn.as_deref(), mode, state);
            after(place, used, &folders.into_iter().flatten().collect::<Vec<_>>(), mode, state)
        }
        Moment::Before(tool) => before(place, tool, state),
        Moment::Turn => {
            state.is_counted = false;
            HookAnswer::Nothing
        }
        Moment::Compacting => messages::compaction(place).map(HookAnswer::Context).unwrap_or_default(),
        Moment::Compacted => {
            compacted(state);
            HookAnswer::Nothing
        }
        Moment::Interrupted => {
            state.is_quiet = true;
            HookAnswer::Nothing
        }
        // The loop and the guard handle a stop.
        Moment::Stop(_) | Moment::End => HookAnswer::Nothing,
    }
}

fn begin(place: &PlanSnapshot<'_>, start: SessionStart, mode: InjectionMode, state: &mut SessionState) -> HookAnswer {
    match start {
        // The counters stay: a restart gives an agent no new pushes.
        SessionStart::Compacted => compacted(state),
        SessionStart::Fresh | SessionStart::Cleared => state.is_owed = true,
        // The conversation continues and still contains the text.
        SessionStart::Resumed => {
            state.is_owed |= refresh(place, state).is_none() || state.known != Some(state.seen.bytes)
        }
    }
    match mode {
        InjectionMode::Kept => give(place, state, None),
        InjectionMode::KeptLater | InjectionMode::Transient => HookAnswer::Nothing,
    }
}

fn compacted(state: &mut SessionState) {
    state.is_owed = true;
    state.is_compacted = true;
}

/// True if `text` is our own push. Some hosts pass it to their hooks like a message of the user, inside text that the host or
/// another hook added. With the other hosts, a push inside a longer text is a quotation by the user.
pub(super) fn is_own_push(text: &str, mode: InjectionMode, state: &SessionState) -> bool {
    match mode {
        InjectionMode::Kept => state.sent_on_with.is(text),
        InjectionMode::KeptLater | InjectionMode::Transient => state.sent_on_with.is_in(text),
    }
}

fn prompt(place: &PlanSnapshot<'_>, text: &str, mode: InjectionMode, state: &mut SessionState) -> HookAnswer {
    if is_own_push(text, mode, state) {
        return HookAnswer::Nothing;
    }
    let mention = if state.works { Mention::None } else { mention(place, text) };
    state.works |= mention == Mention::Instruction;
    state.acts = Acts::new(mention == Mention::Question);
    state.is_counted = false;
    (state.pushes, state.pushes_in_all) = (0, 0);
    state.is_told = false;
    state.is_lost = false;
    state.is_quiet = says_stop(text);
    // No host reports that its own goal is met. A stop without tool calls after it means that the goal is met.
    if std::mem::take(&mut state.has_stopped) {
        state.is_driven = false;
    }
    let goal = text.trim_start().strip_prefix("/goal");
    if let Some(rest) = goal.filter(|rest| !rest.starts_with(|c: char| !c.is_whitespace())) {
        state.is_driven = !matches!(rest.trim(), "" | "clear" | "off" | "stop" | "pause");
    }
    state.hold_ended = hold::current(place).map(|hold| hold.id);
    state.feedback = state.feedback.take().or_else(|| review::take_message(place, &state.host, &state.session, text));
    state.turns += 1;
    match mode {
        InjectionMode::Transient => HookAnswer::Nothing,
        InjectionMode::Kept | InjectionMode::KeptLater => {
            ticks::note(place, state);
            let feedback = state.feedback.take();
            give(place, state, feedback)
        }
    }
}

/// Answers a request whose text the host does not keep: the block each time, and the reminder if it is due.
fn request(place: &PlanSnapshot<'_>, state: &mut SessionState) -> HookAnswer {
    state.is_counted = false;
    state.turns += 1;
    ticks::note(place, state);
    if refresh(place, state).is_none() {
        return HookAnswer::Nothing;
    }
    let what = if state.is_owed { Extent::Full } else { Extent::Block };
    let text = messages::text(place, what).unwrap_or_default();
    state.is_owed = false;
    mark_known(state);
    let correction = correction(&text, state);
    // The host drops this text after the request, and the turn may have more requests: `state` keeps the feedback.
    let feedback = state.feedback.clone();
    context(text, joined(correction.into_iter().chain(feedback).chain(due(place, state))))
}

/// Answers a request of a client that `plan loop run` started. The client's prompt already contains the plan, so the block is
/// added only if the plan has changed since or the prompt was compacted away.
pub(super) fn request_of_run(place: &PlanSnapshot<'_>, state: &mut SessionState) -> HookAnswer {
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

/// Records the turn in which tools ran, and whether it is a new turn.
fn begin_turn(turn: Option<&str>, mode: InjectionMode, state: &mut SessionState) {
    match turn.map(|turn| hash(turn.as_bytes())) {
        Some(turn) if turn == state.turn => {}
        Some(turn) => (state.turn, state.is_counted) = (turn, false),
        None => state.is_counted &= mode != InjectionMode::Kept,
    }
}

fn after(
    place: &PlanSnapshot<'_>,
    used: &[ToolCall],
    folders: &[&Path],
    mode: InjectionMode,
    state: &mut SessionState,
) -> HookAnswer {
    state.has_stopped &= used.is_empty();
    let calls = tools::CallEffects::all(used, place);
    state.acts.used(&calls, place, folders);
    if let Some(is_driven) = tools::goal_of_host(used) {
        state.is_driven = is_driven;
    }
    let is_ours = tools::write_plan(&calls, place, folders);
    state.works |= is_ours;
    // If the session created the plan just now, there were no earlier pushes whose count could be lost.
    state.is_lost = state.is_lost && !tools::make_plan(&calls, place, folders);
    let changed = refresh(place, state);
    if changed == Some(PlanChange::Yes) && is_ours {
        // The session knows its own edit.
        state.known = Some(state.seen.bytes);
    }
    if mode != InjectionMode::Transient {
        ticks::note(place, state);
    }
    if changed == Some(PlanChange::No) && !state.is_counted && tools::modify(&calls) {
        state.idle += 1;
        state.is_counted = true;
    }
    if mode != InjectionMode::Transient {
        state.turns += 1;
    }
    let offer = offer(place, used, state);
    match mode {
        // The next request brings the block.
        InjectionMode::Transient => offer.map(HookAnswer::Context).unwrap_or_default(),
        InjectionMode::Kept | InjectionMode::KeptLater => {
            let more = offer.or_else(|| due(place, state));
            give(place, state, more)
        }
    }
}

/// Denies the completion of the host's own goal if the session works on the plan and a goal is active or marked done by hand.
fn before(place: &PlanSnapshot<'_>, tool: &ToolCall, state: &SessionState) -> HookAnswer {
    if tool.kind != ToolKind::EndsGoal || !state.works || is_held(place, state) {
        return HookAnswer::Nothing;
    }
    messages::unfinished(place, state).map(HookAnswer::Deny).unwrap_or_default()
}

/// Gives the model the plan, if it does not know the current version, and `more`.
fn give(place: &PlanSnapshot<'_>, state: &mut SessionState, more: Option<String>) -> HookAnswer {
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

/// Takes the note on goals that were marked done by hand. Returns `None` if `text` contains a block, which says the same.
fn correction(text: &str, state: &mut SessionState) -> Option<String> {
    state.correction.take().filter(|_| text.is_empty())
}

/// Records that the model got the plan in another way.
pub(super) fn mark_given(place: &PlanSnapshot<'_>, state: &mut SessionState) {
    if refresh(place, state).is_some() {
        state.is_owed = false;
        mark_known(state);
    }
}

/// Records that the model knows the current plan.
pub(super) fn mark_known(state: &mut SessionState) {
    state.known = Some(state.seen.bytes);
    state.is_compacted = false;
    state.turns = 0;
}

fn joined(texts: impl Iterator<Item = String>) -> Option<String> {
    texts.reduce(|all, text| format!("{all}\n{text}"))
}

fn context(text: String, more: Option<String>) -> HookAnswer {
    match (text.is_empty(), more) {
        (true, None) => HookAnswer::Nothing,
        (true, Some(more)) => HookAnswer::Context(more),
        (false, None) => HookAnswer::Context(text),
        (false, Some(more)) => HookAnswer::Context(format!("{text}\n{more}")),
    }
}

/// Returns the reminder, if it is due.
fn due(place: &PlanSnapshot<'_>, state: &mut SessionState) -> Option<String> {
    if is_due(place, state) { messages::reminder() } else { None }
}

/// True if the reminder is due; its count then restarts. It is never due while the plan is held or waits for a person, or after
/// the user said stop: the agent should not be told to keep working then.
pub(super) fn is_due(place: &PlanSnapshot<'_>, state: &mut SessionState) -> bool {
    let every = state.seen.remind_every;
    let is_due = state.seen.has_active && every > 0 && state.idle >= every;
    if is_due {
        state.idle = 0;
    }
    let waits = || is_waiting(place, state) || place.plan().is_some_and(|plan| messages::waiting(plan).is_some());
    is_due && !state.is_quiet && !waits()
}

/// Returns the offer to turn the host's own plan into goals. It is made once per session.
fn offer(place: &Place, used: &[ToolCall], state: &mut SessionState) -> Option<String> {
    let what = tools::plan_of_host(used).filter(|_| !state.is_offered)?;
    state.is_offered = true;
    messages::offer(place, what)
}

/// True if the plan was paused or called finished, and no person has written since.
fn is_held(place: &Place, state: &SessionState) -> bool {
    hold::current(place).is_some_and(|hold| {
        state.hold_ended.as_ref() != Some(&hold.id) && hold.shape.is_none_or(|shape| shape == state.seen.shape)
    })
}

/// True if a person must write before the agent continues: the plan is held, or a review waits for an answer.
pub(super) fn is_waiting(place: &Place, state: &SessionState) -> bool {
    is_held(place, state) || review::is_awaited(place, &state.host, &state.session)
}
