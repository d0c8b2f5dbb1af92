//! `plan review --reply`: takes the answer of a person who is elsewhere. Also takes the OK of a person in the chat with an agent, which
//! the host's hook passes on by the hidden verb [`AGREE_VERB`](review::AGREE_VERB).

use std::ffi::OsString;
use std::process::ExitCode;

use serde_json::json;

use crate::command::{Context, Exit, decision};
use crate::config;
use crate::contract::approve::Approver;
use crate::contract::person;
use crate::error::{Error, Kind, Result};
use crate::plan::rules::{self, PlanState};
use crate::session::review::{self, Key, Review, TakeOutcome};
use crate::store::{self, Place};
use crate::ui::{Color, Ui};

/// Takes the answer of a person who wrote OK in the chat with an agent, as their whole message. Only a hook of the host passes it on;
/// an agent that starts a hook with a message of its own is taken for the host.
pub fn main(arguments: &[OsString]) -> ExitCode {
    let context = Context::new(Ui::new(false, Color::Never), None, arguments.first().map(Into::into));
    let result = agree(&context, arguments.get(1).and_then(|key| key.to_str()).unwrap_or_default());
    crate::command::end(&context, result)
}

fn agree(context: &Context, key: &str) -> Result<Exit> {
    let place = context.writable()?;
    if !person::is_hook() {
        return Err(Error::new(Kind::Refused, "refused: a hook of the host passes an OK on")
            .hint("approve in a terminal: `plan approve`"));
    }
    let key = Key::of(key)?;
    let name = if config::review_key().is_some() { key.user() } else { decision::name(&place, None) };
    let review = match taken(context, &place, &key)? {
        Ok(review) => review,
        Err(exit) => return Ok(exit),
    };
    approve(context, &place, &key, &review, ("ok", Approver::new(&name, "host", None)))
}

pub(super) fn reply(context: &Context, place: &Place, key: &Key, text: &str) -> Result<Exit> {
    if text.trim().is_empty() {
        return Err(Error::input("expected the person's answer, found empty text"));
    }
    let approves = review::is_approval(text);
    if approves {
        person::require()?;
        allowed(place)?;
    }
    let review = match taken(context, place, key)? {
        Ok(review) => review,
        Err(exit) => return Ok(exit),
    };
    if approves {
        approve(context, place, key, &review, (text, Approver::new(&key.user(), "reply", None)))
    } else {
        changes(context, place, key, &review, text)
    }
}

/// Takes the review that waits; it then waits no longer. Without one, prints why and returns the exit of the command.
fn taken(context: &Context, place: &Place, key: &Key) -> Result<std::result::Result<Review, Exit>> {
    let end = |word, what| none(context, key, word, what).map(Err);
    match review::take(place, key)? {
        TakeOutcome::Review(review) => Ok(Ok(review)),
        TakeOutcome::Expired => end("expired", "the review under this key expired; ask again: `plan review`"),
        TakeOutcome::None => end("none", "no review is pending under this key"),
    }
}

/// Refuses a passed-on answer that would approve a plan in contract mode, unless the user's own settings allow it:
/// anyone who can start `plan` can pass an answer on. The environment does not choose those settings.
fn allowed(place: &Place) -> Result<()> {
    let source = store::read(place)?;
    let is_held = rules::state(&place.parse(&source)?) != PlanState::Guide;
    if !is_held || config::account()?.config.review_reply == Some(true) {
        return Ok(());
    }
    Err(Error::new(Kind::Refused, "refused: an answer that is passed on does not approve a plan in contract mode")
        .hint("approve in a terminal: `plan approve`; for a chat bridge, set `review_reply: true` in your own config.yaml"))
}

fn none(context: &Context, key: &Key, word: &str, what: &str) -> Result<Exit> {
    context.ui.line(&format!("{what} ({})", key.text()));
    context.ui.json(&json!({ "review": word, "key": key.text() }));
    Ok(Exit::No)
}

/// Approves the version that was shown, and no other.
fn approve(context: &Context, place: &Place, key: &Key, review: &Review, (text, by): (&str, Approver)) -> Result<Exit> {
    let written = decision::check(place).and_then(|()| decision::write(context, place, &review.shown, &by));
    match written {
        Ok(Some(written)) => {
            review::record_answer(place, key, review, text)?;
            context.ui.line(&format!("plan approved by {}", by.name));
            written.print_next(context);
            context.ui.json(&json!({ "review": "approved", "key": key.text(), "contract": review.contract }));
            Ok(Exit::Yes)
        }
        Ok(None) => none(
            context,
            key,
            "changed",
            "nothing was approved, because the plan changed since it was shown; ask again: `plan review`",
        ),
        Err(error) => {
            // The write failed: keep the review for another answer.
            review::put(place, key, review)?;
            Err(error)
        }
    }
}

fn changes(context: &Context, place: &Place, key: &Key, review: &Review, text: &str) -> Result<Exit> {
    review::record_answer(place, key, review, text)?;
    let block = review::feedback(place, review, text).unwrap_or_default();
    context.ui.line(block.trim_end());
    context.ui.json(&json!({ "review": "changes", "key": key.text(), "feedback": block }));
    Ok(Exit::Yes)
}
