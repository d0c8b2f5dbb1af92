//! `plan review`: asks a person to decide about the plan, at this terminal or elsewhere (`INJECTION.md` §6, `CONTRACT.md` §3.2).

pub mod answer;

use serde_json::json;

use super::decision::{self, ApprovalView, menu};
use super::{Context, Exit};
use crate::config;
use crate::contract::person;
use crate::error::{Error, Result};
use crate::host::{self, Session};
use crate::plan::block::quoted;
use crate::plan::contract::PlanContract;
use crate::plan::model::Plan;
use crate::plan::rules::PlanState;
use crate::session::review::{self, AskOutcome, Key, Review};
use crate::store::{self, Place};

/// Approve or reject the plan in a menu, or ask a person to do so
///
/// In a terminal, it shows the plan (or what changed since it was approved) and a menu.
///
/// Elsewhere, it prints the plan and waits an hour for the answer of a person. Meanwhile no agent is asked to continue. In a session
/// of a host with hooks, the person's next message is the answer. A chat bridge names the chat with `--key` and passes the answer
/// on with `--reply`.
///
/// These answers approve: ok, okay, yes, y, approve, approved, lgtm, 好, 可以, 同意, 确认. Any other answer is printed as a block, to
/// put in front of the agent's next message.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  plan review --key ada::room-7\n  plan review --key ada::room-7 --reply \"split step 2\"\n  plan review \
    --reject \"not now\""
)]
pub struct Args {
    /// The person's answer.
    #[arg(long, value_name = "TEXT")]
    reply: Option<String>,
    /// Reject the proposed changes: the approved contract is restored.
    #[arg(long, value_name = "WHY", allow_hyphen_values = true, conflicts_with_all = ["reply", "key"])]
    reject: Option<String>,
    /// Who is asked; by default `PLAN_REVIEW_KEY`, else the current session.
    #[arg(long, value_name = "USER::CHAT")]
    key: Option<String>,
    /// Ask the session that sees the mark, whatever the variables say: an MCP server can be older than the session.
    #[arg(long, hide = true, conflicts_with_all = ["reply", "reject"])]
    by_mark: bool,
    /// Print text, Markdown, or the JSON body for a Lark (Feishu) bot's webhook.
    #[arg(long, value_enum, default_value = "text", conflicts_with_all = ["reply", "reject"])]
    format: ReviewFormat,
}

/// The format of the printed message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum ReviewFormat {
    Text,
    Markdown,
    Lark,
}

/// Asks for a review, shows the menu, takes an answer, or rejects a proposal.
pub fn run(context: &Context, args: &Args) -> Result<Exit> {
    let place = context.writable()?;
    if let Some(why) = &args.reject {
        person::require()?;
        decision::reject(context, &place, why)?;
        return Ok(Exit::Yes);
    }
    let named = args.key.clone().or_else(config::review_key);
    let is_here = named.is_none() && args.reply.is_none() && args.format == ReviewFormat::Text && !context.ui.is_json();
    if is_here && context.ui.can_ask() && person::is_persons() {
        return menu::run(context, &place);
    }
    let shows_mark = args.reply.is_none() && args.format != ReviewFormat::Lark && !context.ui.is_json();
    let key = key(named, shows_mark, args.by_mark)?;
    match &args.reply {
        None => ask(context, &place, &key, args.format),
        Some(text) => answer::reply(context, &place, &key, text),
    }
}

/// Returns the key of the review: as named, else that of the session that this call runs in. The shell of Gemini CLI and the MCP
/// servers of pi and opencode tell only the host; the MCP server of Claude Code starts before `--continue` or `/clear` changes the
/// session. In these cases the review belongs to the session that sees the mark.
fn key(named: Option<String>, shows_mark: bool, by_mark: bool) -> Result<Key> {
    if let Some(text) = named {
        return Key::of(&text);
    }
    match &host::running_under(&|name| std::env::var_os(name))[..] {
        [(host, Session { id: Some(id), .. })] if !by_mark => Ok(Key::of_session(host.name(), id)),
        [(host, _)] if shows_mark => Ok(Key::of_call(host.name())),
        _ => Err(Error::input("expected `--key USER::CHAT`: no session says who is asked")
            .hint("you, in your own terminal: `plan approve`")
            .hint("a bridge to a chat: `plan review --key ada::room-7`")),
    }
}

fn ask(context: &Context, place: &Place, key: &Key, format: ReviewFormat) -> Result<Exit> {
    let config = config::load()?;
    let shown = decision::shown(context, place)?;
    if !shown.is_open && shown.state != PlanState::Guide {
        context.ui.line(&menu::nothing_to_decide(&shown));
        context.ui.json(&json!({ "review": "approved", "key": key.text() }));
        return Ok(Exit::Yes);
    }
    let source = store::read(place)?;
    let plan = place.parse(&source)?;
    let text = message(&plan, &shown, format)?;
    if config.review_confirm == Some(false) {
        print(context, &text, format, None);
        return Ok(Exit::Yes);
    }
    let minutes = config.review_ttl.unwrap_or(config::REVIEW_MINUTES);
    match review::ask(place, key, &plan, &text, minutes)? {
        AskOutcome::Pending(review) => print(context, &text, format, Some(&review)),
        AskOutcome::AlreadyAnswered(before) if before.is_approved => {
            context.ui.line("this version of the plan was already approved: go on");
            context.ui.json(&json!({ "review": "approved", "key": key.text() }));
        }
        AskOutcome::AlreadyAnswered(before) => {
            let words = quoted(&before.words, 200);
            context.ui.line(&format!("this version was answered with changes: {words}"));
            context.ui.line("change the plan, then ask again: `plan review`");
            context.ui.json(&json!({ "review": "answered", "key": key.text(), "answer": before.words }));
            return Ok(Exit::No);
        }
    }
    Ok(Exit::Yes)
}

/// Returns the message for a person elsewhere: the contract, or the changes to an approved one.
fn message(plan: &Plan<'_>, shown: &ApprovalView, format: ReviewFormat) -> Result<String> {
    let is_difference = shown.is_difference && shown.state == PlanState::Proposed;
    let text = match (is_difference, format) {
        (false, ReviewFormat::Markdown) => PlanContract::of(plan)?.markdown(),
        (false, ReviewFormat::Text | ReviewFormat::Lark) => PlanContract::of(plan)?.text(),
        (true, ReviewFormat::Text | ReviewFormat::Lark) => shown.text(),
        // As a code block, in which nothing is markup: each line is indented too far for a fence.
        (true, ReviewFormat::Markdown) => shown.text().lines().map(|line| format!("    {line}\n")).collect(),
    };
    let note = shown.note.as_ref().map(|note| format!("note: {note}\n\n")).unwrap_or_default();
    Ok(format!("{note}{}", text.trim_end()))
}

fn print(context: &Context, text: &str, format: ReviewFormat, review: Option<&Review>) {
    let request = "Answer OK to go on, or say what to change.";
    let message = if review.is_some() { format!("{text}\n\n{request}") } else { text.to_owned() };
    if format == ReviewFormat::Lark && !context.ui.is_json() {
        context.ui.json_line(&json!({ "msg_type": "text", "content": { "text": message } }).to_string());
        return;
    }
    context.ui.line(&message);
    if let Some(review) = review {
        context.ui.line(&format!("\n{}", review.mark()));
    }
    let state = if review.is_some() { "pending" } else { "shown" };
    context.ui.json(&json!({ "review": state, "message": message, "pending": review }));
}
