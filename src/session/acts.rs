//! The session's activity since the user's last message. It answers two questions: does the session work on the plan, and did
//! it do anything that justifies a push (`INJECTION.md` §4)?

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::tools::{self, CallEffects, Effect};
use crate::store::Place;

/// The session's activity since the user's last message.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Acts {
    /// The time of the user's message, in milliseconds since 1970.
    spoken: u64,
    /// True if the message asks about the plan. (A message with an instruction about the plan sets `SessionState::works` instead.)
    is_asked_about: bool,
    /// Whether the session changed files or the plan.
    effect: Effect,
    /// The time at which the session first read the plan after the message, in milliseconds since 1970.
    read: Option<u64>,
    /// Whether the session changed files after it read the plan.
    effect_after: Effect,
    /// True if the session was already pushed once after a reply that ended with a question.
    pub(super) is_question_pushed: bool,
}

impl Acts {
    /// Returns an empty record that starts now, at a message of the user.
    pub(super) fn new(is_asked_about: bool) -> Self {
        Acts { spoken: now(), is_asked_about, ..Acts::default() }
    }

    /// Records tool calls, in the order in which they ran.
    pub(super) fn used(&mut self, used: &[CallEffects<'_>], place: &Place, folders: &[&Path]) {
        for tool in used {
            if self.read.is_none() && tools::reads_plan(tool, place, folders) {
                self.read = Some(now());
            }
            let effect = tools::effect(tool, place, folders);
            self.effect = self.effect.max(effect);
            if self.read.is_some() {
                self.effect_after = self.effect_after.max(effect);
            }
        }
    }

    /// Records that a `plan` command wrote to the plan.
    pub(super) fn wrote_plan(&mut self) {
        self.effect = Effect::Sure;
    }

    /// True if the tool calls do not show whether they changed files. The caller then checks the files' times.
    pub(super) fn is_unsure(&self) -> bool {
        self.effect == Effect::Possible || (self.read.is_some() && self.effect_after == Effect::Possible)
    }

    /// Resolves each [`Effect::Possible`] by `changed`, the time at which a file of the work tree last changed.
    pub(super) fn settle(&mut self, changed: SystemTime) {
        let is_since = |since: u64| changed >= UNIX_EPOCH + Duration::from_millis(since);
        if self.effect == Effect::Possible && is_since(self.spoken) {
            self.effect = Effect::Sure;
        }
        if self.effect_after == Effect::Possible && self.read.is_some_and(is_since) {
            self.effect_after = Effect::Sure;
        }
    }

    /// True if the session changed files or the plan.
    pub(super) fn is_act(&self) -> bool {
        self.effect == Effect::Sure
    }

    /// True if the session worked on the plan: the user asked about the plan and something changed, or the session read the plan
    /// and then changed files.
    pub(super) fn is_work(&self) -> bool {
        (self.is_asked_about && self.is_act()) || (self.read.is_some() && self.effect_after == Effect::Sure)
    }
}

/// The kernel's clock for file times lags by up to one tick.
const TICK: Duration = Duration::from_millis(10);

/// The current time in milliseconds since 1970, minus one tick, so that a file written after this call never has an earlier time.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH + TICK);
    since.ok().and_then(|since| since.as_millis().try_into().ok()).unwrap_or_default()
}
