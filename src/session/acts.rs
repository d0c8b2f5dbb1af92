//! What a session did since the last message of a person. Two questions hang on it: does the session work on the plan, and did
//! it do anything that a push may follow (`INJECTION.md` §4)?

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::tools::{self, CallEffects, Effect};
use crate::store::Place;

/// What the session did since the last message of a person.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Acts {
    /// When the person wrote: milliseconds since 1970.
    spoken: u64,
    /// The person asked about the plan. (If they say what to do with it, the session works on the plan from then on.)
    is_asked_about: bool,
    /// Whether it changed files or the plan.
    effect: Effect,
    /// When the plan was first read.
    read: Option<u64>,
    /// Whether it changed files after that.
    effect_after: Effect,
    /// It was pushed once although its reply ended with a question.
    pub(super) is_question_pushed: bool,
}

impl Acts {
    /// Starts anew, with a message of a person.
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

    /// True if the calls do not tell what they changed: then the files have to.
    pub(super) fn is_unsure(&self) -> bool {
        self.effect == Effect::Possible || (self.read.is_some() && self.effect_after == Effect::Possible)
    }

    /// Decides the open cases by the time at which a file of the work tree last changed.
    pub(super) fn settle(&mut self, changed: SystemTime) {
        let is_since = |since: u64| changed >= UNIX_EPOCH + Duration::from_millis(since);
        if self.effect == Effect::Possible && is_since(self.spoken) {
            self.effect = Effect::Sure;
        }
        if self.effect_after == Effect::Possible && self.read.is_some_and(is_since) {
            self.effect_after = Effect::Sure;
        }
    }

    /// Whether it changed files or the plan.
    pub(super) fn is_act(&self) -> bool {
        self.effect == Effect::Sure
    }

    /// True if this was work on the plan: the person asked about the plan and something changed, or the session read the plan and
    /// then changed files.
    pub(super) fn is_work(&self) -> bool {
        (self.is_asked_about && self.is_act()) || (self.read.is_some() && self.effect_after == Effect::Sure)
    }
}

/// The kernel stamps files with a clock that lags by up to one tick.
const TICK: Duration = Duration::from_millis(10);

/// Milliseconds since 1970, less a tick: a file that is written after this call has no earlier stamp.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH + TICK);
    since.ok().and_then(|since| since.as_millis().try_into().ok()).unwrap_or_default()
}
