//! `plan ask`: a planner answers with words, with one command, or with steps; a person decides (`CLI.md`, History and exchange).

mod steps;

use std::time::Duration;

use serde_json::{Value, json};

use super::{Context, Exit, confirmed, happened};
use crate::agent::AgentCall;
use crate::agent::ask::{self as planner_agent, AskRequest};
use crate::agent::draft as agent;
use crate::config::{self, DRAFT_SECONDS};
use crate::contract::person;
use crate::contract::rewind::refuse_interrupted;
use crate::error::{Error, Result};
use crate::exchange::planner::{self, Reply};
use crate::host;
use crate::plan::Plan;
use crate::prompt::Prompt;
use crate::shell::{quote, strict};
use crate::signoff::judge::WriteProtection;
use crate::store::{self, Place};

/// Ask a read-only agent: it answers in words, with one command, or with steps for plan.md
///
/// The agent reads the repository and changes nothing. `plan` shows a command, and runs it without a shell only after you agree.
/// Steps become a goal after you agree; they replace the steps of the last answer that are neither complete nor skipped.
/// `plan step run N` runs one.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  plan ask how much disk space is left\n  plan ask deploy the demo app with nginx --with claude"
)]
pub struct Args {
    /// What you want; needs no quotes.
    #[arg(required = true)]
    request: Vec<String>,
    #[arg(help = format!("The agent: {}, with a model if you like, or `cmd:PROGRAM ARG…`. By default the agent of `plan draft`", host::names()))]
    #[arg(long, value_name = "HOST[:MODEL]")]
    with: Option<String>,
}

/// Asks the planner, shows its reply, and does what the person agrees to.
pub fn run(context: &Context, args: &Args) -> Result<Exit> {
    let place = context.writable()?;
    refuse_interrupted(&place)?;
    let request = args.request.join(" ").trim().to_owned();
    if request.is_empty() {
        return Err(Error::input("expected a request, found an empty text").hint("plan ask what you want"));
    }
    let source = store::read(&place)?;
    let plan = place.parse(&source)?;
    let reply = ask(context, &place, &plan, args, &request)?;
    let asked = RepliedRequest { context, place: &place, plan: &plan, request: &request, again: again(args) };
    match &reply {
        Reply::Chat(message) => {
            context.ui.line(message.trim());
            context.ui.json(&json!({ "reply": shown(&reply) }));
            Ok(Exit::Yes)
        }
        Reply::Command(command) => asked.command(command),
        Reply::Plan(planned) => steps::run(&asked, planned),
    }
}

/// Returns the planner's reply.
fn ask(context: &Context, place: &Place, plan: &Plan<'_>, args: &Args, request: &str) -> Result<Reply> {
    let config = config::load()?;
    let chosen = agent::choose(args.with.as_deref(), config.draft.as_deref(), place, &context.cwd)?;
    agent::ready(&chosen, &context.cwd)?;
    if config.require_sandbox {
        agent::require_sandbox(&chosen)?;
    }
    let template = config::prompt_override(Prompt::Ask.file_name())?;
    let notes = planner::notes(steps::goal_of(plan), &happened::history(place), &happened::masked);
    context.ui.note(&format!("asking {chosen} (sandbox {})", WriteProtection::of(&chosen).describe()));
    let (template, limit) = (template.as_deref(), Duration::from_secs(config.draft_timeout.unwrap_or(DRAFT_SECONDS)));
    let call = AgentCall { agent: &chosen, place, caller: &context.cwd, template, limit, watch: &context.ui };
    let end = planner_agent::ask(&AskRequest { call, request, notes: &notes }, &refused)?;
    let answered = end.map_err(|failure| failure.error(&chosen, "reply"))?;
    if !answered.is_compared && WriteProtection::of(&chosen) == WriteProtection::None {
        context.ui.note("note: without a sandbox and a repository nobody can tell whether the planner changed files");
    }
    Ok(answered.value)
}

/// Returns the fault of a well-formed reply: a command that needs a shell.
fn refused(reply: &Reply) -> Vec<String> {
    match reply {
        Reply::Command(command) => {
            strict::split(command).err().map(|error| format!("/command `{command}`: {error}")).into_iter().collect()
        }
        Reply::Chat(_) | Reply::Plan(_) => Vec::new(),
    }
}

/// Returns the command line by which a person makes this request themselves.
fn again(args: &Args) -> String {
    let words: Vec<_> = args.request.iter().map(|word| quote(word)).collect();
    let with = args.with.as_ref().map(|with| format!(" --with {}", quote(with))).unwrap_or_default();
    let dashes = if args.request.iter().any(|word| word.starts_with('-')) { " --" } else { "" };
    format!("plan ask{with}{dashes} {}", words.join(" "))
}

/// Returns a reply as JSON.
fn shown(reply: &Reply) -> Value {
    match reply {
        Reply::Chat(message) => json!({ "mode": "chat", "message": message }),
        Reply::Command(command) => json!({ "mode": "command", "command": command }),
        Reply::Plan(planned) => {
            let step = |step: &planner::PlannedStep| json!({ "id": step.id, "title": step.title, "command": step.command, "description": step.description });
            let steps: Vec<Value> = planned.steps.iter().map(step).collect();
            json!({ "mode": "plan", "plan": { "summary": planned.summary, "steps": steps } })
        }
    }
}

/// A request that the planner has answered.
struct RepliedRequest<'a> {
    context: &'a Context,
    place: &'a Place,
    plan: &'a Plan<'a>,
    request: &'a str,
    /// The command line of this call, as a person types it.
    again: String,
}

impl RepliedRequest<'_> {
    /// Asks a person. With `--json` it prints the reply instead and returns `None`; then nothing is done.
    fn agrees(&self, reply: &Reply, what: &str, question: &str) -> Result<Option<bool>> {
        let context = self.context;
        let is_there = person::require_for(&self.again).and_then(|()| {
            confirmed::needs_terminal(context, &format!("`plan ask` {what} only if a person agrees"), &self.again)
        });
        if context.ui.is_json() {
            // The output is one JSON document: it holds the reply.
            context.ui.note(&format!("note: {what} only if a person agrees: {}", self.again));
            context.ui.json(&json!({ "reply": shown(reply), "done": false, "person": self.again }));
            return Ok(None);
        }
        is_there?;
        context.ui.confirm_after_wait(question).map(Some)
    }

    fn command(&self, command: &str) -> Result<Exit> {
        let (context, reply) = (self.context, Reply::Command(command.to_owned()));
        let line = confirmed::line(command)?;
        confirmed::show(context, self.place, "", None, command);
        match self.agrees(&reply, "runs a command", "Run it?")? {
            None => return Ok(Exit::Code(4)),
            Some(false) => {
                context.ui.line("nothing was run");
                return Ok(Exit::No);
            }
            Some(true) => {}
        }
        let report = confirmed::run(context, self.place, self.plan, &line)?;
        happened::ran(self.place, command, !report.is_green());
        context.ui.line(&report.tail_text());
        context.ui.line(&format!("{} {}", if report.is_green() { "✓" } else { "✗" }, report.summary()));
        Ok(if report.is_green() { Exit::Yes } else { Exit::No })
    }
}
