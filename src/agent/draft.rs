//! The drafting agent (`CONTRACT.md` §6): a host's client or a program, read-only like a judge, that answers with a plan.

mod answer;

use std::cell::RefCell;
use std::path::Path;

use super::client;
use super::containment::Before;
use super::rounds::{AgentCall, AgentEnd, ParsedAnswer, rounds};
use crate::error::{Error, Kind, Result};
use crate::prompt::Prompt;
use crate::signoff::judge::{self, JudgeQuestion, Level, Reference, preview_question, question};
use crate::store::Place;

/// What is to be drafted, and by whom.
pub struct DraftRequest<'a> {
    /// Who is asked, and where.
    pub call: AgentCall<'a>,
    /// The values of the prompt's gaps, but for `path`, `nonce`, `completion_signal`, `research` and `existing`.
    pub values: &'a [(&'a str, &'a str)],
    /// The file with earlier findings, and its text.
    pub research: Option<(&'a Path, &'a str)>,
    /// The plan so far.
    pub existing: &'a str,
}

/// What a draft lacks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// With one of these it cannot be used.
    pub errors: Vec<String>,
    /// It can be used, and would be better without them.
    pub warnings: Vec<String>,
}

/// The agent that `with` names, else the `setting`, else that of the session that this runs in, else the only client installed.
///
/// # Errors
/// [`Kind::Input`]: it is no agent, or no client or several are installed.
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

/// Asks the agent, at most three times. `check` says what is wrong with a draft, as it would be written.
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

/// What `--dry-run` shows: the prompt with the nonce left open, and the argv.
///
/// # Errors
/// As [`draft`].
pub fn preview(asked: &DraftRequest<'_>) -> Result<(String, Vec<String>)> {
    let (prompt, argv) = with_question(asked, asked.existing, &|_| (), preview_question)?;
    Ok((prompt, argv.iter().map(|word| word.to_string_lossy().into_owned()).collect()))
}

/// Refuses an agent that no sandbox encloses.
///
/// # Errors
/// [`Kind::Unknown`].
pub fn require_sandbox(agent: &Reference) -> Result<()> {
    match Level::of(agent) {
        Level::None => Err(Error::new(Kind::Unknown, format!("`{agent}` would work without a sandbox"))
            .hint("your configuration says `require_sandbox: true`")),
        _ => Ok(()),
    }
}

/// Hands on the question with `existing` as the plan so far; `heard` gets the nonce.
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

/// The line that ends a whole answer. A user's own prompt need not ask for it.
fn signal(asked: &DraftRequest<'_>, nonce: &str) -> Option<String> {
    Prompt::PlanDrafting.uses(asked.call.template, "completion_signal").then(|| line(nonce))
}

fn line(nonce: &str) -> String {
    format!("PLAN-END[{nonce}]")
}
