//! Pending reviews: a plan waits for a person's answer, although each message is a session of its own or the person is elsewhere
//! (`INJECTION.md` §6). A review records the plan that was shown, the person and chat, and the time limit for an answer.
//!
//! Each key has one file. It is read by the call that brings the answer, or by the hooks of the session that gets the answer. An
//! answer is used once: by the process that removed the file.

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

/// The verb of the `plan` command by which a hook passes on an approval. Its arguments are plan.md and the key of the review.
pub const AGREE_VERB: &str = "__agree";

/// The version of the format. A file of another version is ignored.
const VERSION: u32 = 1;
/// The maximum size of the file, in bytes.
const LARGEST: u64 = 64 << 10;
/// The number of bytes of the plan that are stored, so that the plan and the answer fit into one message to a host.
const KEPT: usize = 6_000;
/// The number of bytes of an answer that are used.
const ANSWER: usize = 2_000;
/// The maximum length of a key, in bytes.
const LONGEST: usize = 512;
/// The prefix of a key's chat while its session is unknown. The review's run id follows, in place of the session.
const RUN: &str = "run:";
/// The tag of a review's mark in the transcript.
const MARK: &str = "plan_review_pending";
/// The only answers that approve, ignoring case and surrounding white space.
const APPROVES: [&str; 11] = ["ok", "okay", "yes", "y", "approve", "approved", "lgtm", "好", "可以", "同意", "确认"];

/// The person and chat that a review waits for: `USER::CHAT`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key(String);

impl Key {
    /// Parses `USER::CHAT` and trims the two parts.
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

    /// Returns the key of a host's session. The person who writes in that session answers the review.
    pub fn of_session(host: &str, session: &str) -> Self {
        Key(format!("{host}::{}", state::short(session)))
    }

    /// Returns the key of a call that names the host but not the session, such as a call of an MCP server's tool. The review belongs
    /// to the session to which its mark is shown: `claim`.
    pub fn of_call(host: &str) -> Self {
        Self::of_run(host, &super::hold::new_id())
    }

    fn of_run(host: &str, run: &str) -> Self {
        Key(format!("{host}::{RUN}{run}"))
    }

    fn run(&self) -> Option<&str> {
        self.0.split_once("::")?.1.strip_prefix(RUN)
    }

    /// Returns the user's name as one word, for a log line.
    pub fn user(&self) -> String {
        let user = self.0.split_once("::").map_or("", |(user, _)| user);
        user.split_whitespace().collect::<Vec<_>>().join("-")
    }

    /// Returns the key as text.
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
    /// The key of the person and chat that the review waits for.
    pub key: String,
    /// The review's own id.
    pub run_id: String,
    /// The plan's objective.
    pub objective: String,
    /// The plan that was shown, shortened if it is long.
    pub plan: String,
    /// The digest of the plan's contract.
    pub contract: String,
    /// The version of the plan that the answer approves: [`version`].
    pub shown: String,
    /// The creation time, in seconds since 1970.
    pub created: u64,
    /// The time before which an answer must come, in seconds since 1970.
    pub expires: u64,
}

impl Review {
    /// Returns the mark in the transcript, which [`run_shown`] looks for.
    pub fn mark(&self) -> String {
        let objective = quoted(&self.objective, 200);
        format!("<{MARK}>\nobjective: {objective}\nrun_id: {}\n</{MARK}>", self.run_id)
    }
}

/// Returns the run id of the last review whose mark is in a tool's output, either as text or escaped inside JSON.
pub fn run_shown(output: &str) -> Option<&str> {
    let (before, _) = output.rsplit_once(MARK)?;
    let (_, id) = before.rsplit_once("run_id: ")?;
    let id = id.split(|c: char| !c.is_ascii_hexdigit() && c != '-').next()?;
    (!id.is_empty()).then_some(id)
}

/// Returns the version of a plan that a person decides about: a digest of its contract and of the proposals that only the log contains.
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
    /// True if the plan that was shown was approved.
    pub is_approved: bool,
    /// The person's words about the changes they want; empty for an approval.
    pub words: String,
}

/// The outcome of a request for a review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AskOutcome {
    /// The review is pending. It was created now, or by an earlier call about the same version.
    Pending(Review),
    /// This version was already answered: each version is reviewed once.
    AlreadyAnswered(ReviewAnswer),
}

/// The outcome of taking a review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TakeOutcome {
    /// The review, which is no longer pending.
    Review(Review),
    /// The review had expired.
    Expired,
    /// No review was pending.
    None,
}

/// Requests a review of `plan`, which is shown as `text`. An answer is accepted for `minutes`.
///
/// # Errors
/// As [`store::write_state`].
pub fn ask(place: &Place, key: &Key, plan: &Plan<'_>, text: &str, minutes: u64) -> Result<AskOutcome> {
    let (contract, shown) = (plan_contract(plan).to_string(), version(plan));
    let now = now();
    if let Some(review) = pending(place, key).filter(|review| review.shown == shown && now < review.expires) {
        return Ok(AskOutcome::Pending(review));
    }
    // A plan in contract mode that waits for a review is not approved, whatever the earlier answer was: its log decides.
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

/// Takes the review that is pending under `key`. If several processes do so at once, only one gets it.
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

/// Records the person's answer to the version that `review` showed.
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

/// Returns the block to put in front of the agent's next message: the plan that was shown, and the person's answer.
pub fn feedback(place: &Place, review: &Review, text: &str) -> Option<String> {
    feedback_on(place, &review.plan, text)
}

/// Returns the same block for a person who answers at once. `plan` is the text that was shown to them.
pub fn feedback_on(place: &Place, plan: &str, text: &str) -> Option<String> {
    let plan = lines(&cut(plan, KEPT));
    let said = lines(&cut(text.trim(), ANSWER));
    let file = quoted(&place.shown.to_string_lossy(), 200);
    messages::fill(Prompt::PlanFeedback, &[("plan", &plan), ("feedback", &said), ("file", &file)])
}

/// Assigns the review `run` to the session that its mark was shown to, if the call that requested the review did not know its session.
pub(super) fn claim(place: &Place, host: &str, session: &str, run: &str) {
    let Ok(TakeOutcome::Review(review)) = take(place, &Key::of_run(host, run)) else { return };
    let key = Key::of_session(host, session);
    let _ = put(place, &key, &Review { key: key.0.clone(), ..review });
}

/// Returns the key of the review that this message in the session approves. `None` if the message says more, or if no review is
/// pending. The process that acts on the approval takes the review.
pub(super) fn agreed(place: &Place, host: &str, session: &str, text: &str) -> Option<Key> {
    let key = is_approval(text).then(|| key_here(host, session))?;
    pending(place, &key).map(|_| key)
}

/// Returns the feedback block for a person's message in the session, if a review waits for it. An approval is not feedback: the
/// caller of [`agreed`] has acted on it, or the review stays pending.
pub(super) fn take_message(place: &Place, host: &str, session: &str, text: &str) -> Option<String> {
    let key = key_here(host, session);
    let is_feedback = !is_approval(text);
    let Ok(TakeOutcome::Review(review)) = is_feedback.then(|| take(place, &key))? else { return None };
    let _ = record_answer(place, &key, &review, text);
    feedback(place, &review, text)
}

/// True if a review waits for a person's answer. Until then, the agent is not asked to continue.
pub(super) fn is_awaited(place: &Place, host: &str, session: &str) -> bool {
    pending(place, &key_here(host, session)).is_some_and(|review| now() < review.expires)
}

/// Returns the key that the host's caller set, otherwise the session's own key.
fn key_here(host: &str, session: &str) -> Key {
    config::review_key().and_then(|key| Key::of(&key).ok()).unwrap_or_else(|| Key::of_session(host, session))
}

fn pending(place: &Place, key: &Key) -> Option<Review> {
    // The digest is so short that somebody could construct two keys with the same digest.
    read(place, &key.pending(place)).filter(|review: &Review| review.version == VERSION && review.key == key.0)
}

fn read<T: serde::de::DeserializeOwned>(place: &Place, name: &str) -> Option<T> {
    let bytes = store::read_state(&store::state_file(place, name), LARGEST).ok()?;
    serde_json::from_slice(&bytes).ok()
}

/// Escapes each line so that it cannot end the block or hide text.
fn lines(text: &str) -> String {
    text.lines().map(|line| quoted(line.trim_end(), usize::MAX)).collect::<Vec<_>>().join("\n")
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map(|since| since.as_secs()).unwrap_or_default()
}
