//! A plan that waits for a person's word, where each message is a session of its own or the person is elsewhere
//! (`INJECTION.md` §6): what was shown to whom and until when an answer counts.
//!
//! One file for each key, read by the call that answers and by the hooks of the session that the answer reaches. An
//! answer is used once: whoever removes the file has it.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::{messages, state};
use crate::config;
use crate::error::{Error, Result};
use crate::plan::block::quoted;
use crate::plan::contract::plan_contract;
use crate::plan::model::Plan;
use crate::plan::text::cut;
use crate::prompt::Prompt;
use crate::store::{self, Place};

/// The version of the file. One of another version is none.
const VERSION: u32 = 1;
/// Bytes that are read of it.
const LARGEST: u64 = 64 << 10;
/// Bytes of the plan that are kept for the answer: an answer and what it is about fit into what a host takes at once.
const KEPT: usize = 6_000;
/// Bytes of an answer.
const ANSWER: usize = 2_000;
/// Bytes of a key.
const LONGEST: usize = 512;
/// What approves, and nothing else does: in any case, trimmed.
const APPROVES: [&str; 11] = ["ok", "okay", "yes", "y", "approve", "approved", "lgtm", "好", "可以", "同意", "确认"];

/// Whom a review waits for: `USER::CHAT`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key(String);

impl Key {
    /// Reads `USER::CHAT`; white space around the parts is dropped.
    ///
    /// # Errors
    /// [`crate::error::Kind::Input`] where a part is blank, or it is longer than 512 bytes.
    pub fn of(text: &str) -> Result<Self> {
        let parts = text.split_once("::").map(|(user, chat)| (user.trim(), chat.trim()));
        match parts.filter(|(user, chat)| !user.is_empty() && !chat.is_empty() && text.len() <= LONGEST) {
            Some((user, chat)) => Ok(Key(format!("{user}::{chat}"))),
            None => Err(Error::input(format!("expected a key `USER::CHAT`, found `{}`", quoted(text, 80)))
                .hint("both parts are needed, and at most 512 bytes in all")),
        }
    }

    /// The key of a host's session: its person is the one who answers there.
    pub fn of_session(host: &str, session: &str) -> Self {
        Key(format!("{host}::{}", state::short(session)))
    }

    /// Who answers, as one word of a log line.
    pub fn user(&self) -> String {
        let user = self.0.split_once("::").map_or("", |(user, _)| user);
        user.split_whitespace().collect::<Vec<_>>().join("-")
    }

    /// As it was given.
    pub fn text(&self) -> &str {
        &self.0
    }

    fn file(&self, place: &Place, what: &str) -> String {
        format!("reviews/{}.{what}", state::digest(place, &self.0))
    }

    fn pending(&self, place: &Place) -> String {
        self.file(place, "json")
    }

    fn answered(&self, place: &Place) -> String {
        self.file(place, "answered.json")
    }
}

/// A plan as it was shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Review {
    version: u32,
    /// Whom it waits for.
    pub key: String,
    /// A name that no other review has.
    pub run_id: String,
    /// The plan's objective.
    pub objective: String,
    /// The plan that was shown, cut where it is long.
    pub plan: String,
    /// The digest of the plan's contract.
    pub contract: String,
    /// Seconds since 1970.
    pub created: u64,
    /// An answer counts before this second.
    pub expires: u64,
}

/// What became of the last review of a key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewAnswer {
    version: u32,
    contract: String,
    /// Whether it was approved as it was shown.
    pub is_approved: bool,
}

/// What a call to ask for a review came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AskOutcome {
    /// It waits, since now or since an earlier call about the same version.
    Pending(Review),
    /// This version was answered already: a review is asked for once.
    AlreadyAnswered(ReviewAnswer),
}

/// What waits under a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TakeOutcome {
    /// This review, which waits no longer.
    Review(Review),
    /// Its time was over.
    Expired,
    /// Nothing.
    None,
}

/// Asks for a review of `plan`, shown as `text`; an answer counts for `minutes`.
///
/// # Errors
/// As [`store::write_state`].
pub fn ask(place: &Place, key: &Key, plan: &Plan<'_>, text: &str, minutes: u64) -> Result<AskOutcome> {
    let contract = plan_contract(plan).to_string();
    let now = now();
    if let Some(review) = pending(place, key).filter(|review| review.contract == contract && now < review.expires) {
        return Ok(AskOutcome::Pending(review));
    }
    let before: Option<ReviewAnswer> = read(place, &key.answered(place));
    if let Some(before) = before.filter(|before| before.version == VERSION && before.contract == contract) {
        return Ok(AskOutcome::AlreadyAnswered(before));
    }
    let review = Review {
        version: VERSION,
        key: key.0.clone(),
        run_id: super::hold::unlike_any(),
        objective: plan.objective().unwrap_or_default().to_owned(),
        plan: cut(text, KEPT),
        contract,
        created: now,
        expires: now.saturating_add(minutes.saturating_mul(60)),
    };
    put(place, key, &review)?;
    Ok(AskOutcome::Pending(review))
}

/// Takes what waits under `key`: of several who do so at once, one has it.
///
/// # Errors
/// [`crate::error::Kind::Unknown`] where the file cannot be removed.
pub fn take(place: &Place, key: &Key) -> Result<TakeOutcome> {
    let Some(review) = pending(place, key) else { return Ok(TakeOutcome::None) };
    if !store::remove_state(place, &key.pending(place))? {
        return Ok(TakeOutcome::None);
    }
    Ok(if now() < review.expires { TakeOutcome::Review(review) } else { TakeOutcome::Expired })
}

/// Puts back what was taken.
///
/// # Errors
/// As [`store::write_state`].
pub fn put(place: &Place, key: &Key, review: &Review) -> Result<()> {
    store::write_state(place, &key.pending(place), &serde_json::to_vec(review).unwrap_or_default())
}

/// Takes down that this version was answered.
///
/// # Errors
/// As [`store::write_state`].
pub fn record_answer(place: &Place, key: &Key, review: &Review, is_approved: bool) -> Result<()> {
    let answered = ReviewAnswer { version: VERSION, contract: review.contract.clone(), is_approved };
    store::write_state(place, &key.answered(place), &serde_json::to_vec(&answered).unwrap_or_default())
}

/// Whether an answer approves.
pub fn is_approval(text: &str) -> bool {
    APPROVES.contains(&text.trim().to_lowercase().as_str())
}

/// What stands in front of the next message to the agent: what was shown, and what the person said to it.
pub fn feedback(place: &Place, review: &Review, text: &str) -> Option<String> {
    let plan = lines(&review.plan);
    let said = lines(&cut(text.trim(), ANSWER));
    let file = quoted(&place.shown.to_string_lossy(), 200);
    messages::fill(Prompt::PlanFeedback, &[("plan", &plan), ("feedback", &said), ("file", &file)])
}

/// A message of a person reached the session: the feedback, where a review waits for it.
pub(super) fn take_message(place: &Place, host: &str, session: &str, text: &str) -> Option<String> {
    let key = key_here(host, session);
    let Ok(TakeOutcome::Review(review)) = take(place, &key) else { return None };
    let _ = record_answer(place, &key, &review, is_approval(text));
    feedback(place, &review, text)
}

/// Whether a person's word is waited for: nobody is sent on until it is there.
pub(super) fn is_awaited(place: &Place, host: &str, session: &str) -> bool {
    pending(place, &key_here(host, session)).is_some_and(|review| now() < review.expires)
}

/// What the caller of the host named, else the session's own.
fn key_here(host: &str, session: &str) -> Key {
    config::review_key().and_then(|key| Key::of(&key).ok()).unwrap_or_else(|| Key::of_session(host, session))
}

fn pending(place: &Place, key: &Key) -> Option<Review> {
    // Two keys may have one digest only where somebody made them so.
    read(place, &key.pending(place)).filter(|review: &Review| review.version == VERSION && review.key == key.0)
}

fn read<T: serde::de::DeserializeOwned>(place: &Place, name: &str) -> Option<T> {
    let bytes = store::read_state(&store::state_file(place, name), LARGEST).ok()?;
    serde_json::from_slice(&bytes).ok()
}

/// Each line without what could end the block or hide.
fn lines(text: &str) -> String {
    text.lines().map(|line| quoted(line.trim_end(), usize::MAX)).collect::<Vec<_>>().join("\n")
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map(|since| since.as_secs()).unwrap_or_default()
}
