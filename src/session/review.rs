//! Pending reviews: a plan waits for a person's answer, where each message is a session of its own or the person is elsewhere
//! (`INJECTION.md` §6). A review records what was shown to whom, and how long an answer counts.
//!
//! Each key has one file. The call that brings the answer reads it, or the hooks of the session that the answer reaches. An
//! answer is used once: it belongs to the process that removed the file.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::{messages, state};
use crate::config;
use crate::error::{Error, Result};
use crate::plan::block::quoted;
use crate::plan::contract::{Digest, plan_contract};
use crate::plan::model::Plan;
use crate::plan::rules::{Approvals, PlanState, state};
use crate::plan::text::cut;
use crate::prompt::Prompt;
use crate::store::{self, Place};

/// What stands behind `plan` where a hook passes an OK on; then plan.md and the key of the review.
pub const AGREE_VERB: &str = "__agree";

/// The version of the format. A file of another version is ignored.
const VERSION: u32 = 1;
/// The most bytes that are read of the file.
const LARGEST: u64 = 64 << 10;
/// The most bytes of the plan that are kept, so that the plan and the answer fit into one message to a host.
const KEPT: usize = 6_000;
/// The most bytes of an answer.
const ANSWER: usize = 2_000;
/// The most bytes of a key.
const LONGEST: usize = 512;
/// A key's chat begins with this while its session is unknown; the run stands for it.
const RUN: &str = "run:";
/// The tag of the mark in the transcript.
const MARK: &str = "plan_review_pending";
/// The answers that approve, trimmed and in any case. Nothing else does.
const APPROVES: [&str; 11] = ["ok", "okay", "yes", "y", "approve", "approved", "lgtm", "好", "可以", "同意", "确认"];

/// The person and chat that a review waits for: `USER::CHAT`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key(String);

impl Key {
    /// Reads `USER::CHAT`; white space around the parts is dropped.
    ///
    /// # Errors
    /// [`crate::error::Kind::Input`] if a part is blank or the key is longer than 512 bytes.
    pub fn of(text: &str) -> Result<Self> {
        let parts = text.split_once("::").map(|(user, chat)| (user.trim(), chat.trim()));
        match parts.filter(|(user, chat)| !user.is_empty() && !chat.is_empty() && text.len() <= LONGEST) {
            Some((user, chat)) => Ok(Key(format!("{user}::{chat}"))),
            None => Err(Error::input(format!("expected a key `USER::CHAT`, found `{}`", quoted(text, 80)))
                .hint("neither part may be blank; at most 512 bytes in all")),
        }
    }

    /// The key of a host's session: the person who writes there answers.
    pub fn of_session(host: &str, session: &str) -> Self {
        Key(format!("{host}::{}", state::short(session)))
    }

    /// The key of a call that tells the host and not the session, as a tool of an MCP server. The review waits for the session
    /// that is shown its mark: `claim`.
    pub fn of_call(host: &str) -> Self {
        Self::of_run(host, &super::hold::new_id())
    }

    fn of_run(host: &str, run: &str) -> Self {
        Key(format!("{host}::{RUN}{run}"))
    }

    fn run(&self) -> Option<&str> {
        self.0.split_once("::")?.1.strip_prefix(RUN)
    }

    /// The user's name as one word, for a log line.
    pub fn user(&self) -> String {
        let user = self.0.split_once("::").map_or("", |(user, _)| user);
        user.split_whitespace().collect::<Vec<_>>().join("-")
    }

    /// The key as text.
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

/// A plan that was shown and waits for an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Review {
    version: u32,
    /// The key that it waits under.
    pub key: String,
    /// The review's own id.
    pub run_id: String,
    /// The plan's objective.
    pub objective: String,
    /// The plan that was shown, cut if it is long.
    pub plan: String,
    /// The digest of the plan's contract.
    pub contract: String,
    /// What is approved by the answer: [`version`].
    pub shown: String,
    /// Seconds since 1970.
    pub created: u64,
    /// An answer must come before this second.
    pub expires: u64,
}

impl Review {
    /// The mark in the transcript, for which [`run_shown`] looks.
    pub fn mark(&self) -> String {
        let objective = quoted(&self.objective, 200);
        format!("<{MARK}>\nobjective: {objective}\nrun_id: {}\n</{MARK}>", self.run_id)
    }
}

/// The run id of the last review whose mark stands in the output of a tool: as text, or as JSON in which it is escaped.
pub fn run_shown(output: &str) -> Option<&str> {
    let (before, _) = output.rsplit_once(MARK)?;
    let (_, id) = before.rsplit_once("run_id: ")?;
    let id = id.split(|c: char| !c.is_ascii_hexdigit() && c != '-').next()?;
    (!id.is_empty()).then_some(id)
}

/// The version of a plan that a person decides about: the digest of its contract, and of the proposals that only the log tells of.
pub fn version(plan: &Plan<'_>) -> String {
    let contract = plan_contract(plan).to_string();
    let log = Approvals::read(plan);
    let lines: String = log.by_line().map(|one| format!("\n{} {} {}", one.stamp, one.edit, one.because)).collect();
    if lines.is_empty() { contract } else { Digest::of(format!("{contract}{lines}").as_bytes()).to_string() }
}

/// The answer to the last review of a key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewAnswer {
    version: u32,
    shown: String,
    /// True if the plan was approved as it was shown.
    pub is_approved: bool,
    /// What the person wants changed; empty for an approval.
    pub words: String,
}

/// The outcome of asking for a review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AskOutcome {
    /// The review waits, since now or since an earlier call about the same version.
    Pending(Review),
    /// This version was already answered: a review is asked for once.
    AlreadyAnswered(ReviewAnswer),
}

/// The outcome of taking a review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TakeOutcome {
    /// The review. It no longer waits.
    Review(Review),
    /// The review had expired.
    Expired,
    /// No review waited.
    None,
}

/// Asks for a review of `plan`, shown as `text`. An answer counts for `minutes`.
///
/// # Errors
/// As [`store::write_state`].
pub fn ask(place: &Place, key: &Key, plan: &Plan<'_>, text: &str, minutes: u64) -> Result<AskOutcome> {
    let (contract, shown) = (plan_contract(plan).to_string(), version(plan));
    let now = now();
    if let Some(review) = pending(place, key).filter(|review| review.shown == shown && now < review.expires) {
        return Ok(AskOutcome::Pending(review));
    }
    // A plan in contract mode that waits was not approved, whatever was answered: its log says so.
    let still_counts = |before: &ReviewAnswer| !before.is_approved || state(plan) == PlanState::Guide;
    let before: Option<ReviewAnswer> = read(place, &key.answered(place));
    let before = before.filter(|before| before.version == VERSION && before.shown == shown);
    if let Some(before) = before.filter(still_counts) {
        return Ok(AskOutcome::AlreadyAnswered(before));
    }
    let review = Review {
        version: VERSION,
        key: key.0.clone(),
        run_id: key.run().map_or_else(super::hold::new_id, str::to_owned),
        objective: plan.objective().unwrap_or_default().to_owned(),
        plan: cut(text, KEPT),
        contract,
        shown,
        created: now,
        expires: now.saturating_add(minutes.saturating_mul(60)),
    };
    put(place, key, &review)?;
    Ok(AskOutcome::Pending(review))
}

/// Takes the review that waits under `key`. If several processes do so at once, one gets it.
///
/// # Errors
/// [`crate::error::Kind::Unknown`] if the file cannot be removed.
pub fn take(place: &Place, key: &Key) -> Result<TakeOutcome> {
    let Some(review) = pending(place, key) else { return Ok(TakeOutcome::None) };
    if !store::remove_state(place, &key.pending(place))? {
        return Ok(TakeOutcome::None);
    }
    Ok(if now() < review.expires { TakeOutcome::Review(review) } else { TakeOutcome::Expired })
}

/// Puts a review back.
///
/// # Errors
/// As [`store::write_state`].
pub fn put(place: &Place, key: &Key, review: &Review) -> Result<()> {
    store::write_state(place, &key.pending(place), &serde_json::to_vec(review).unwrap_or_default())
}

/// Records the person's answer to this version, as they wrote it.
///
/// # Errors
/// As [`store::write_state`].
pub fn record_answer(place: &Place, key: &Key, review: &Review, text: &str) -> Result<()> {
    let is_approved = is_approval(text);
    let words = if is_approved { String::new() } else { cut(text.trim(), ANSWER) };
    let answered = ReviewAnswer { version: VERSION, shown: review.shown.clone(), is_approved, words };
    store::write_state(place, &key.answered(place), &serde_json::to_vec(&answered).unwrap_or_default())
}

/// True if the answer approves.
pub fn is_approval(text: &str) -> bool {
    APPROVES.contains(&text.trim().to_lowercase().as_str())
}

/// The block for the front of the agent's next message: the plan that was shown, and the person's answer.
pub fn feedback(place: &Place, review: &Review, text: &str) -> Option<String> {
    feedback_on(place, &review.plan, text)
}

/// The same where a person answers at once: `plan` as it was shown to them.
pub fn feedback_on(place: &Place, plan: &str, text: &str) -> Option<String> {
    let plan = lines(&cut(plan, KEPT));
    let said = lines(&cut(text.trim(), ANSWER));
    let file = quoted(&place.shown.to_string_lossy(), 200);
    messages::fill(Prompt::PlanFeedback, &[("plan", &plan), ("feedback", &said), ("file", &file)])
}

/// A session was shown the mark of the review `run`: if the call that asked for it did not know the session, it is this one's.
pub(super) fn claim(place: &Place, host: &str, session: &str, run: &str) {
    let Ok(TakeOutcome::Review(review)) = take(place, &Key::of_run(host, run)) else { return };
    let key = Key::of_session(host, session);
    let _ = put(place, &key, &Review { key: key.0.clone(), ..review });
}

/// The key of the review that a person agrees to with this message in the session; none if they say more, or nothing waits. Who
/// acts on it takes the review.
pub(super) fn agreed(place: &Place, host: &str, session: &str, text: &str) -> Option<Key> {
    let key = is_approval(text).then(|| key_here(host, session))?;
    pending(place, &key).map(|_| key)
}

/// A person's message reached the session: if a review waits for it, this is the feedback block. One that agrees is no feedback:
/// whoever saw that it was [`agreed`] has acted on it, or the review waits on.
pub(super) fn take_message(place: &Place, host: &str, session: &str, text: &str) -> Option<String> {
    let key = key_here(host, session);
    let is_feedback = !is_approval(text);
    let Ok(TakeOutcome::Review(review)) = is_feedback.then(|| take(place, &key))? else { return None };
    let _ = record_answer(place, &key, &review, text);
    feedback(place, &review, text)
}

/// True if a review waits for a person: nothing asks the agent to continue meanwhile.
pub(super) fn is_awaited(place: &Place, host: &str, session: &str) -> bool {
    pending(place, &key_here(host, session)).is_some_and(|review| now() < review.expires)
}

/// The key that the host's caller set, else the session's own.
fn key_here(host: &str, session: &str) -> Key {
    config::review_key().and_then(|key| Key::of(&key).ok()).unwrap_or_else(|| Key::of_session(host, session))
}

fn pending(place: &Place, key: &Key) -> Option<Review> {
    // The digest is short enough that two keys with the same one could be made on purpose.
    read(place, &key.pending(place)).filter(|review: &Review| review.version == VERSION && review.key == key.0)
}

fn read<T: serde::de::DeserializeOwned>(place: &Place, name: &str) -> Option<T> {
    let bytes = store::read_state(&store::state_file(place, name), LARGEST).ok()?;
    serde_json::from_slice(&bytes).ok()
}

/// Each line, escaped so that it cannot end the block or hide text.
fn lines(text: &str) -> String {
    text.lines().map(|line| quoted(line.trim_end(), usize::MAX)).collect::<Vec<_>>().join("\n")
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map(|since| since.as_secs()).unwrap_or_default()
}
