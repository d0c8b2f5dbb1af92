//! What a session did since a person last spoke to it: whether it works on the plan, and whether it did anything that a push may
//! follow (`INJECTION.md` §4).

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::event::Tool;
use super::tools::{self, Effect};
use crate::store::Place;

/// Since the last message of a person.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Acts {
    /// When they spoke: milliseconds since 1970.
    spoken: u64,
    /// They asked about the plan. A message that says what to do with it makes the session one that works on it, for good.
    is_asked_about: bool,
    /// Whether files changed, or the plan.
    effect: Effect,
    /// When the plan was first read.
    read: Option<u64>,
    /// Whether files changed after that.
    effect_after: Effect,
    /// It was sent on though its reply ended with a question.
    pub(super) is_question_pushed: bool,
}

impl Acts {
    /// A person spoke.
    pub(super) fn new(is_asked_about: bool) -> Self {
        Acts { spoken: now(), is_asked_about, ..Acts::default() }
    }

    /// Tools were used, in this order.
    pub(super) fn used(&mut self, used: &[Tool], place: &Place, folders: &[&Path]) {
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

    /// A command of ours wrote to the plan.
    pub(super) fn wrote_plan(&mut self) {
        self.effect = Effect::Sure;
    }

    /// Whether only the files can tell what it did.
    pub(super) fn is_unsure(&self) -> bool {
        self.effect == Effect::Possible || (self.read.is_some() && self.effect_after == Effect::Possible)
    }

    /// The files of the work tree were looked at: when the last of them changed.
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

    /// Whether what it did is work on the plan: the person asked about it and something changed, or it read the plan and then
    /// changed files.
    pub(super) fn is_work(&self) -> bool {
        (self.is_asked_about && self.is_act()) || (self.read.is_some() && self.effect_after == Effect::Sure)
    }
}

/// The times of files lag behind by a tick of the kernel.
const TICK: Duration = Duration::from_millis(10);

/// From when on a file is written after this moment.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH + TICK);
    since.ok().and_then(|since| since.as_millis().try_into().ok()).unwrap_or_default()
}
