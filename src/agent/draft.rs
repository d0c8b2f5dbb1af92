//! The drafting agent (`CONTRACT.md` §6): a host's client or a program, read-only like a judge, that answers with a plan. It is asked
//! again with what was wrong in its answer, and nothing in the repository may differ afterwards.

mod answer;
mod containment;

use std::path::Path;
use std::time::Duration;

use super::client;
use crate::error::{Error, Kind, Result};
use crate::plan::text::is_hidden;
use crate::prompt::Prompt;
use crate::signoff::judge::{self, JudgeQuestion, Level, Reference, preview_question, question};
use crate::signoff::watch::Watch;
use crate::store::Place;
use containment::Before;
pub use containment::{Violation, ViolationKind};

/// How often the agent is asked.
pub const TRIES: usize = 3;
/// Findings of one answer that the next prompt names.
const MOST_FINDINGS: usize = 40;

/// What is to be drafted, and by whom.
pub struct DraftRequest<'a> {
    /// A host or a program.
    pub agent: &'a Reference,
    /// Where plan.md is, or will be.
    pub place: &'a Place,
    /// The folder that a program with a relative path is looked up from.
    pub caller: &'a Path,
    /// The user's own text in place of the built-in prompt.
    pub template: Option<&'a str>,
    /// The values of the prompt's gaps, but for `path`, `nonce`, `completion_signal`, `research` and `existing`.
    pub values: &'a [(&'a str, &'a str)],
    /// The file with earlier findings, and its text.
    pub research: Option<(&'a Path, &'a str)>,
    /// The plan so far.
    pub existing: &'a str,
    /// For each try.
    pub limit: Duration,
    /// Is told about each try, and about once a second how long it has taken.
    pub watch: &'a dyn Watch,
}

/// What a draft lacks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// With one of these it cannot be used.
    pub errors: Vec<String>,
    /// It can be used, and would be better without them.
    pub warnings: Vec<String>,
}

/// How the drafting ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DraftEnd {
    /// A draft without errors.
    Draft {
        /// Its text.
        text: String,
        /// How many times the agent was asked.
        tries: usize,
        /// Warnings that are left.
        warnings: Vec<String>,
        /// False without a repository: then nobody can tell whether a file changed.
        is_compared: bool,
    },
    /// No answer could be used.
    Bad {
        /// How many times the agent was asked.
        tries: usize,
        /// What was wrong with the last answer.
        errors: Vec<String>,
    },
    /// The agent gave no answer.
    Silent(String),
    /// The agent changed something.
    Changed(Vec<Violation>),
}

/// The agent that `with` names, else the `setting`, else that of the session that this runs in, else the only client installed.
///
/// # Errors
/// [`Kind::Input`]: it is no agent, or no client or several are installed.
pub fn choose(with: Option<&str>, setting: Option<&str>, place: &Place, caller: &Path) -> Result<Reference> {
    let agent = match with.or(setting) {
        Some(text) => match Reference::parse(text)? {
            Reference::Checks | Reference::Human => {
                let message = format!("`{text}` cannot draft: expected `HOST[:MODEL]` or `cmd:PROGRAM ARG…`");
                return Err(Error::input(message).hint("for example `--with claude`"));
            }
            agent => agent,
        },
        None => match judge::choose(&[], &[], &|name| std::env::var_os(name), Some(place)) {
            Ok(mut own) => own.remove(0),
            Err(_) => client::only(caller)?.reference(),
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

/// Asks the agent, at most [`TRIES`] times. `check` says what is wrong with a draft, as it would be written.
///
/// # Errors
/// [`Kind::Interrupted`]; [`Kind::Input`] for a prompt that cannot be filled; [`Kind::Unknown`] if the repository cannot be read
/// or no scratch folder can be made.
pub fn draft(asked: &DraftRequest<'_>, check: &dyn Fn(&str) -> Result<Faults>) -> Result<DraftEnd> {
    let before = Before::look(asked.place, asked.research.map(|(path, _)| path))?;
    let mut existing = asked.existing.to_owned();
    let mut usable: Option<(String, Vec<String>)> = None;
    let mut errors = Vec::new();
    let mut tries = 0;
    while tries < TRIES {
        tries += 1;
        let nonce = std::cell::RefCell::new(String::new());
        let reply = with_question(asked, &existing, &|nonce_now| nonce.replace(nonce_now.to_owned()), question)?;
        let changed = before.changed()?;
        if !changed.is_empty() {
            return Ok(DraftEnd::Changed(changed));
        }
        let signal = signal(asked, &nonce.into_inner());
        let said = match reply.said {
            Err(why) if !reply.may_retry || tries == TRIES => match usable {
                Some(_) => break,
                None => return Ok(DraftEnd::Silent(why)),
            },
            Err(why) => {
                asked.watch.note(&format!("try {tries} of {TRIES}: {why}; asking once more"));
                continue;
            }
            Ok(bytes) => answer::read(&bytes, signal.as_deref()),
        };
        let (text, faults) = match said {
            Ok(text) => {
                let faults = check(&text)?;
                (text, faults)
            }
            Err(why) => (String::new(), Faults { errors: vec![why], ..Faults::default() }),
        };
        let found = [faults.errors.as_slice(), faults.warnings.as_slice()].concat();
        errors = faults.errors;
        if errors.is_empty() {
            usable = Some((text.clone(), faults.warnings));
        }
        if found.is_empty() {
            break;
        }
        if tries < TRIES {
            asked.watch.note(&format!("try {tries} of {TRIES}: {}; asking once more", summary(&found)));
            existing = again(asked.existing, &text, &found);
        }
    }
    Ok(match usable {
        Some((text, warnings)) => DraftEnd::Draft { text, tries, warnings, is_compared: before.is_compared() },
        None => DraftEnd::Bad { tries, errors },
    })
}

/// What `--dry-run` shows: the prompt with the nonce left open, and the argv.
///
/// # Errors
/// As [`draft`].
pub fn preview(asked: &DraftRequest<'_>) -> Result<(String, Vec<String>)> {
    let (prompt, argv) = with_question(asked, asked.existing, &|_| String::new(), preview_question)?;
    Ok((prompt, argv.iter().map(|word| word.to_string_lossy().into_owned()).collect()))
}

/// Refuses an agent that no sandbox encloses.
///
/// # Errors
/// [`Kind::Unknown`].
pub fn require_sandbox(agent: &Reference) -> Result<()> {
    match Level::of(agent) {
        Level::None => Err(Error::new(Kind::Unknown, format!("`{agent}` would draft without a sandbox"))
            .hint("your configuration says `require_sandbox: true`")),
        _ => Ok(()),
    }
}

/// `1 finding: …`, with the first one.
pub fn summary(findings: &[String]) -> String {
    let first = findings.first().map_or("", String::as_str).trim_end_matches([';', ' ']);
    match findings.len() {
        1 => first.to_owned(),
        count => format!("{count} findings, the first: {first}"),
    }
}

/// Hands on the question with `existing` as the plan so far; `heard` gets the nonce.
fn with_question<T>(
    asked: &DraftRequest<'_>,
    existing: &str,
    heard: &dyn Fn(&str) -> String,
    ask: impl Fn(&JudgeQuestion<'_>) -> Result<T>,
) -> Result<T> {
    let root = asked.place.root.as_path();
    // Not every client works there. A name that could end the line or its own quotes is not told.
    let is_odd = |c: char| c.is_control() || is_hidden(c) || c == '`';
    let path = root.to_str().filter(|path| !path.contains(is_odd)).unwrap_or(".");
    let prompt = |nonce: &str| {
        heard(nonce);
        let (signal, research) = (line(nonce), asked.research.map_or("", |(_, text)| text));
        let own = [
            ("path", path),
            ("nonce", nonce),
            ("completion_signal", &*signal),
            ("research", research),
            ("existing", existing),
        ];
        Prompt::PlanDrafting.fill(asked.template, &[asked.values, &own].concat())
    };
    ask(&JudgeQuestion {
        judge: asked.agent,
        role: "drafting with",
        top: asked.place.top.as_deref().unwrap_or(root),
        root: Some(root),
        caller: asked.caller,
        schema: answer::SCHEMA,
        prompt: &prompt,
        limit: asked.limit,
        watch: asked.watch,
    })
}

/// The line that ends a whole answer. A user's own prompt need not ask for it.
fn signal(asked: &DraftRequest<'_>, nonce: &str) -> Option<String> {
    Prompt::PlanDrafting.uses(asked.template, "completion_signal").then(|| line(nonce))
}

fn line(nonce: &str) -> String {
    format!("PLAN-END[{nonce}]")
}

/// The plan so far as the next prompt shows it: with the answer, and what is wrong with it.
fn again(existing: &str, answer: &str, found: &[String]) -> String {
    let mut text = format!("{}\n\n", existing.trim_end());
    if !answer.is_empty() {
        text += &format!("Your answer:\n\n{}\n\n", answer.trim_end());
    }
    text += "Found in your answer:\n";
    for finding in found.iter().take(MOST_FINDINGS) {
        text += &format!("- {finding}\n");
    }
    text.trim_start().to_owned()
}
