//! `plan review`: asks for a person's approval, if the person is not at this terminal (`INJECTION.md` §6).

use serde_json::json;

use super::{Context, Exit};
use crate::config;
use crate::contract::person;
use crate::error::{Error, Kind, Result};
use crate::host::{self, Session};
use crate::plan::block::{self, quoted};
use crate::plan::change::Change;
use crate::plan::contract::plan_contract;
use crate::plan::log::{Approval, LogLine};
use crate::plan::model::Plan;
use crate::session::review::{self, AskOutcome, Key, Review, TakeOutcome};
use crate::store::{self, Place};

/// Ask a person to approve the plan, or pass on their answer
///
/// Prints the plan and asks for an answer. The review waits for an hour, and no agent is asked to continue meanwhile. In a
/// session of a host with hooks, the person's next message is the answer. A chat bridge names the chat with `--key` and passes
/// the answer on with `--reply`. These answers approve: ok, okay, yes, y, approve, approved, lgtm, 好, 可以, 同意, 确认. Any
/// other answer is printed as a block, to put in front of the agent's next message.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  plan review --key ada::room-7\n  plan review --key ada::room-7 --reply \"split step 2\""
)]
pub struct Args {
    /// The person's answer.
    #[arg(long, value_name = "TEXT")]
    reply: Option<String>,
    /// Who is asked; by default `PLAN_REVIEW_KEY`, else the session that this runs in.
    #[arg(long, value_name = "USER::CHAT")]
    key: Option<String>,
    /// Print text, Markdown, or the JSON body for a Lark (Feishu) bot's webhook.
    #[arg(long, value_enum, default_value = "text", conflicts_with = "reply")]
    format: Format,
}

/// How the message is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Text,
    Markdown,
    Lark,
}

/// Asks for a review, or takes an answer.
pub fn run(context: &Context, args: &Args) -> Result<Exit> {
    let place = context.writable()?;
    let key = key(args.key.as_deref())?;
    match &args.reply {
        None => ask(context, &place, &key, args.format),
        Some(text) => reply(context, &place, &key, text),
    }
}

/// The key of the review: from the call, the environment, or the session that this runs in.
fn key(named: Option<&str>) -> Result<Key> {
    if let Some(text) = named.map(str::to_owned).or_else(config::review_key) {
        return Key::of(&text);
    }
    match &host::running_under(&|name| std::env::var_os(name))[..] {
        [(host, Session { id: Some(id), .. })] => Ok(Key::of_session(host.name(), id)),
        _ => Err(Error::input("expected `--key USER::CHAT`: no session says who is asked")
            .hint("for example `plan review --key ada::room-7`; this version has no review menu for a terminal")),
    }
}

fn ask(context: &Context, place: &Place, key: &Key, format: Format) -> Result<Exit> {
    let config = config::load()?;
    let source = store::read(place)?;
    let plan = place.parse(&source)?;
    if plan.live_goals().next().is_none() {
        return Err(Error::new(Kind::No, "there is no goal to review yet").hint("add one: `plan goal add \"subject\"`"));
    }
    let text = shown(&plan, format);
    if config.review_confirm == Some(false) {
        print(context, &text, format, None);
        return Ok(Exit::Yes);
    }
    let minutes = config.review_ttl.unwrap_or(config::REVIEW_MINUTES);
    match review::ask(place, key, &plan, &text, minutes)? {
        AskOutcome::Pending(review) => print(context, &text, format, Some(&review)),
        AskOutcome::AlreadyAnswered(before) => {
            let how = if before.is_approved { "approved" } else { "answered" };
            context.ui.line(&format!("this version of the plan was already {how}: go on"));
            context.ui.json(&json!({ "review": how, "key": key.text() }));
        }
    }
    Ok(Exit::Yes)
}

/// The plan for a person: everything above the log, without ids and front matter.
fn shown(plan: &Plan<'_>, format: Format) -> String {
    let above = block::above_log(plan);
    let front = plan.front.map_or(0, |front| front.end as usize);
    let text = String::from_utf8_lossy(above.get(front..).unwrap_or_default());
    let lines = text.trim_start_matches('\u{feff}').lines().filter(|line| !line.starts_with("<!-- id:"));
    let lines = lines.map(|line: &str| match format {
        Format::Markdown => line,
        Format::Text | Format::Lark => line.trim_start_matches('#').trim_start(),
    });
    lines.collect::<Vec<_>>().join("\n").trim().to_owned()
}

fn print(context: &Context, text: &str, format: Format, review: Option<&Review>) {
    let request = "Answer OK to go on, or say what to change.";
    let message = if review.is_some() { format!("{text}\n\n{request}") } else { text.to_owned() };
    if format == Format::Lark && !context.ui.is_json() {
        context.ui.json_line(&json!({ "msg_type": "text", "content": { "text": message } }).to_string());
        return;
    }
    context.ui.line(&message);
    if let Some(review) = review {
        let (run_id, objective) = (&review.run_id, quoted(&review.objective, 200));
        context.ui.line(&format!(
            "\n<plan_review_pending>\nobjective: {objective}\nrun_id: {run_id}\n</plan_review_pending>"
        ));
    }
    let state = if review.is_some() { "pending" } else { "shown" };
    context.ui.json(&json!({ "review": state, "message": message, "pending": review }));
}

fn reply(context: &Context, place: &Place, key: &Key, text: &str) -> Result<Exit> {
    if text.trim().is_empty() {
        return Err(Error::input("expected the person's answer, found empty text"));
    }
    let approves = review::is_approval(text);
    if approves {
        person::require()?;
    }
    let review = match review::take(place, key)? {
        TakeOutcome::Review(review) => review,
        TakeOutcome::Expired => {
            return none(context, key, "expired", "the review under this key expired; ask again: `plan review`");
        }
        TakeOutcome::None => return none(context, key, "none", "no review is pending under this key"),
    };
    if approves { approve(context, place, key, &review) } else { changes(context, place, key, &review, text) }
}

fn none(context: &Context, key: &Key, word: &str, what: &str) -> Result<Exit> {
    context.ui.line(&format!("{what} ({})", key.text()));
    context.ui.json(&json!({ "review": word, "key": key.text() }));
    Ok(Exit::No)
}

/// Approves the version that was shown, and no other.
fn approve(context: &Context, place: &Place, key: &Key, review: &Review) -> Result<Exit> {
    let stamp = config::stamp()?;
    let mut is_same = true;
    let written = context.change(place, |plan| {
        is_same = plan_contract(plan).to_string() == review.contract;
        if !is_same {
            return Ok(Vec::new());
        }
        let steps = plan.steps.iter().filter_map(|step| step.number).max().unwrap_or_default();
        // The log line ends a name at a parenthesis.
        let (name, contract) = (key.user().replace(['(', ')'], " "), plan_contract(plan).short());
        let steps = plan.is_contract_mode().then_some(steps);
        let approval = Approval { name: &name, way: "reply", contract: &contract, steps, note: None };
        let text = LogLine::Approved(approval).to_string();
        Ok(vec![Change::AppendLog { stamp: stamp.clone(), text }])
    });
    if let Err(error) = written {
        // The write failed: keep the review for another answer.
        review::put(place, key, review)?;
        return Err(error);
    }
    if !is_same {
        return none(
            context,
            key,
            "changed",
            "nothing was approved, because the plan changed since it was shown; ask again: `plan review`",
        );
    }
    review::record_answer(place, key, review, true)?;
    context.ui.line(&format!("plan approved by {}", key.user()));
    context.ui.json(&json!({ "review": "approved", "key": key.text(), "contract": review.contract }));
    Ok(Exit::Yes)
}

fn changes(context: &Context, place: &Place, key: &Key, review: &Review, text: &str) -> Result<Exit> {
    review::record_answer(place, key, review, false)?;
    let block = review::feedback(place, review, text).unwrap_or_default();
    context.ui.line(block.trim_end());
    context.ui.json(&json!({ "review": "changes", "key": key.text(), "feedback": block }));
    Ok(Exit::Yes)
}
