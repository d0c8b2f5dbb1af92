//! The drafting agent (`CONTRACT.md` §6): a host's client or a program, read-only like a judge, that answers with a plan.

mod answer;

use std::cell::RefCell;
use std::path::Path;

use super::client;
use super::containment::Before;
use super::rounds::{AgentCall, AgentEnd, ParsedAnswer, rounds};
use crate::error::{Error, Kind, Result};
use crate::prompt::Prompt;
use crate::signoff::judge::{self, JudgeQuestion, Reference, WriteProtection, preview_question, question};
use crate::store::Place;

/// A request for a draft, and the agent to ask.
pub struct DraftRequest<'a> {
    /// The agent, and how to call it.
    pub call: AgentCall<'a>,
    /// The values of the prompt's gaps, except `path`, `nonce`, `completion_signal`, `research` and `existing`.
    pub values: &'a [(&'a str, &'a str)],
    /// The file with earlier findings, and its text.
    pub research: Option<(&'a Path, &'a str)>,
    /// The plan so far.
    pub existing: &'a str,
}

/// The faults of a draft.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Faults that make the draft unusable.
    pub errors: Vec<String>,
    /// Faults of a draft that can still be used.
    pub warnings: Vec<String>,
}

/// Returns the agent that `with` names, else the `setting`, else the agent of the current session, else the only installed client.
///
/// # Errors
/// [`Kind::Input`]: the name is not an agent's, or no client or more than one is installed.
pub fn choose(with: Option<&str>, setting: Option<&str>, place: &Place, caller: &Path) -> Result<Reference> {
    let agent = match with.or(setting) {
        Some(text) => match Reference::parse(text)? {
            Reference::Checks | Reference::Human => {
                let message = format!("`{text}` cannot answer: expected `HOST[:MODEL]` or `cmd:PROGRAM ARG…`");
                return Err(Error::input(message).hint("for example `--with claude`"));
            }
            agent => agent,
        },
        None => match judge::choose(&[], &[], &|name| std::env::var_os(name), Some(place)) {
            Ok(mut own) => own.remove(0),
            Err(_) => client::only(caller)
                .map_err(|error| error.hint("or a program that answers on stdout: `--with 'cmd:PROGRAM ARG…'`"))?
                .reference(),
        },
    };
    Ok(agent)
}

/// Refuses an agent that cannot be started.
///
/// # Errors
/// [`Kind::Input`].
pub fn ready(agent: &Reference, caller: &Path) -> Result<()> {
    match agent.program(caller) {
        Some(Err(why)) => Err(Error::input(why).hint("name another with `--with HOST[:MODEL]`")),
        _ => Ok(()),
    }
}

/// Asks the agent for a draft, at most three times. `check` returns the faults of a draft as it would be written.
///
/// # Errors
/// [`Kind::Interrupted`]; [`Kind::Input`] for a prompt that cannot be filled; [`Kind::Unknown`] if the repository cannot be read
/// or no scratch folder can be made.
pub fn draft(asked: &DraftRequest<'_>, check: &dyn Fn(&str) -> Result<Faults>) -> Result<AgentEnd<String>> {
    let before = Before::look(asked.call.place, asked.research.map(|(path, _)| path))?;
    let nonce = RefCell::new(String::new());
    let ask = |found: &str| {
        let existing = match found {
            "" => asked.existing.to_owned(),
            found => format!("{}\n\n{found}", asked.existing.trim_end()).trim_start().to_owned(),
        };
        with_question(asked, &existing, &|nonce_now| nonce_now.clone_into(&mut nonce.borrow_mut()), question)
    };
    rounds(&before, asked.call.watch, &ask, &|answer| {
        let signal = signal(asked, &nonce.borrow());
        Ok(match answer::read(answer, signal.as_deref()) {
            Ok(text) => {
                let Faults { errors, warnings } = check(&text)?;
                ParsedAnswer { value: Some(text.clone()), text, errors, warnings }
            }
            Err(why) => ParsedAnswer { text: String::new(), value: None, errors: vec![why], warnings: Vec::new() },
        })
    })
}

/// Returns the output of `--dry-run`: the prompt, with the nonce left open, and the argv.
///
/// # Errors
/// As [`draft`].
pub fn preview(asked: &DraftRequest<'_>) -> Result<(String, Vec<String>)> {
    let (prompt, argv) = with_question(asked, asked.existing, &|_| (), preview_question)?;
    Ok((prompt, argv.iter().map(|word| word.to_string_lossy().into_owned()).collect()))
}

/// Refuses an agent that would run without a sandbox.
///
/// # Errors
/// [`Kind::Unknown`].
pub fn require_sandbox(agent: &Reference) -> Result<()> {
    match WriteProtection::of(agent) {
        WriteProtection::None => Err(Error::new(Kind::Unknown, format!("`{agent}` would work without a sandbox"))
            .hint("your configuration says `require_sandbox: true`")),
        _ => Ok(()),
    }
}

/// Calls `ask` with the question, with `existing` as the plan so far. `heard` receives the nonce.
fn with_question<T>(
    asked: &DraftRequest<'_>,
    existing: &str,
    heard: &dyn Fn(&str),
    ask: impl Fn(&JudgeQuestion<'_>) -> Result<T>,
) -> Result<T> {
    let call = &asked.call;
    let prompt = |nonce: &str| {
        heard(nonce);
        let (signal, research) = (line(nonce), asked.research.map_or("", |(_, text)| text));
        let own = [
            ("path", call.shown_folder()),
            ("nonce", nonce),
            ("completion_signal", &*signal),
            ("research", research),
            ("existing", existing),
        ];
        Prompt::PlanDrafting.fill(call.template, &[asked.values, &own].concat())
    };
    ask(&call.question("drafting with", answer::SCHEMA, &prompt))
}

/// Returns the line that ends a complete answer; `None` if the user's own prompt does not ask for it.
fn signal(asked: &DraftRequest<'_>, nonce: &str) -> Option<String> {
    Prompt::PlanDrafting.uses(asked.call.template, "completion_signal").then(|| line(nonce))
}

fn line(nonce: &str) -> String {
    format!("PLAN-END[{nonce}]")
}
