//! The guard asks an agent that stops too early to continue, a limited number of times (`INJECTION.md` §4).

use serde_json::json;

use super::change_detection::refresh;
use super::decide::{InjectionMode, is_waiting};
use super::event::{HookAnswer, Stop};
use super::events;
use super::messages;
use super::plan_snapshot::PlanSnapshot;
use super::push_fingerprint::PushFingerprint;
use super::question::ends_with_question;
use super::state::SessionState;
use crate::plan::model::Plan;
use crate::plan::rules;

/// The maximum number of pushes between two messages of the user, as a multiple of `nudges`. A reset of `pushes` does not raise it.
const IN_ALL: u32 = 4;

/// Returns the answer to an agent that ended its turn.
pub(super) fn stop(place: &PlanSnapshot<'_>, stop: &Stop, mode: InjectionMode, state: &mut SessionState) -> HookAnswer {
    if stop.is_busy || state.is_quiet || state.is_driven || !state.works || !state.acts.is_act() {
        return HookAnswer::Nothing;
    }
    // Another hook pushed the agent, or our own count of pushes is lost.
    if state.is_lost || (stop.is_again && state.pushes_in_all == 0) {
        return HookAnswer::Nothing;
    }
    if refresh(place, state).is_none() || is_waiting(place, state) {
        return HookAnswer::Nothing;
    }
    let Some(plan) = place.plan() else { return HookAnswer::Nothing };
    let nudges = nudges(plan);
    if nudges == 0 {
        return HookAnswer::Nothing;
    }
    if rules::unfinished(plan).next().is_none() || (is_simple(plan) && !plan.is_contract_mode()) {
        return HookAnswer::Nothing;
    }
    if let Some(why) = messages::waiting(plan) {
        return once(state, |_| Some(format!("plan: {why}")));
    }
    if is_simple(plan) {
        return HookAnswer::Nothing;
    }
    if state.pushes >= nudges || state.pushes_in_all >= IN_ALL * nudges {
        return once(state, |state| Some(let_go(plan, state)));
    }
    // The first push mentions `plan pause "question"`. An agent that still ends with a question afterwards needs the answer.
    if ends_with_question(&stop.reply) && std::mem::replace(&mut state.acts.is_question_pushed, true) {
        return HookAnswer::Nothing;
    }
    let Some(text) = messages::continuation(place, plan, mode != InjectionMode::Transient) else {
        return HookAnswer::Nothing;
    };
    // A blank reply does not end the work and costs no push, but `pushes_in_all` also stops a client that never says anything.
    state.pushes += u32::from(!stop.reply.trim().is_empty());
    state.pushes_in_all += 1;
    state.known = Some(state.seen.bytes);
    state.sent_on_with = PushFingerprint::of(&text);
    let what = json!({ "session": state.session, "count": state.pushes_in_all, "reply_bytes": stop.reply.len() });
    events::append(place, "continuation", &what);
    HookAnswer::Push(text)
}

/// Lets the agent stop and tells the user why, once until the user writes again.
fn once(state: &mut SessionState, why: impl FnOnce(&SessionState) -> Option<String>) -> HookAnswer {
    if state.is_told {
        return HookAnswer::Nothing;
    }
    let why = why(state);
    state.is_told = why.is_some();
    why.map(HookAnswer::Notice).unwrap_or_default()
}

fn let_go(plan: &Plan<'_>, state: &SessionState) -> String {
    let left = match rules::unfinished(plan).count() {
        1 => "1 goal is".to_owned(),
        count => format!("{count} goals are"),
    };
    let times = state.pushes_in_all;
    format!(
        "plan: {left} not signed off; the agent was asked to continue {times} times; \
         it stopped each time and will not be asked again until you write"
    )
}

/// Returns `nudges` of the front matter: the number of pushes before an agent may stop. Default and maximum 5.
fn nudges(plan: &Plan<'_>) -> u32 {
    plan.front_value("nudges").and_then(|text| text.parse().ok()).map_or(5, |nudges: u32| nudges.min(5))
}

/// True if the plan has at most one goal and one step, unless the front matter says otherwise. A simple plan needs no guard.
fn is_simple(plan: &Plan<'_>) -> bool {
    match plan.front_value("complexity") {
        Some("simple") => true,
        Some("complex") => false,
        _ => plan.live_goals().nth(1).is_none() && plan.all_steps().nth(1).is_none(),
    }
}
