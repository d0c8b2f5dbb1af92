//! A reference to a judge: a REF as users write it (`CLI.md`, judge; `SIGNOFF.md` §6).

use std::fmt;
use std::path::{Path, PathBuf};

use super::model;
use crate::error::{Error, Kind, Result};
use crate::host::{self, Host, Variable};
use crate::process::environment::Environment;
use crate::process::resolve::resolve;
use crate::shell::strict::{self, StrictCommand};
use crate::store::Place;

/// A reference to a judge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reference {
    /// `HOST[:MODEL]`
    Host {
        /// One of [`host::HOSTS`].
        name: &'static str,
        /// The model, by the host's own name for it.
        model: Option<String>,
    },
    /// `checks`
    Checks,
    /// `human`
    Human,
    /// `cmd:PROGRAM ARG…`
    Program {
        /// The text after `cmd:`, as written.
        line: String,
        /// The command, with the assignments in front of the program.
        command: StrictCommand,
    },
}

impl Reference {
    /// Reads a REF.
    ///
    /// # Errors
    /// [`Kind::Input`]: an unknown host, an empty model, a line that is not one command.
    pub fn parse(text: &str) -> Result<Self> {
        match text.trim() {
            "checks" => Ok(Reference::Checks),
            "human" => Ok(Reference::Human),
            text => match text.strip_prefix("cmd:") {
                Some(line) => program(text, line.trim()),
                None => host(text),
            },
        }
    }

    /// True for `cmd:`, which can be any program.
    pub fn is_program(&self) -> bool {
        matches!(self, Reference::Program { .. })
    }

    /// Returns the file of the program that it starts, looked up from the `caller`'s folder, or why it cannot be started.
    /// Returns `None` for `checks` and `human`, which start no program.
    pub fn program(&self, caller: &Path) -> Option<std::result::Result<PathBuf, String>> {
        let environment = Environment::without_git().own_path();
        match self {
            Reference::Host { name, .. } => Some(resolve(name.as_ref(), caller, &environment)),
            Reference::Program { command, .. } => {
                let environment = environment.set_all(command.env.clone());
                Some(resolve(command.words.first()?.text.as_ref(), caller, &environment))
            }
            Reference::Checks | Reference::Human => None,
        }
    }

    /// Returns the host of a model judge.
    pub fn host(&self) -> Option<&'static dyn Host> {
        match self {
            Reference::Host { name, .. } => host::find(name),
            _ => None,
        }
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reference::Host { name, model: None } => f.write_str(name),
            Reference::Host { name, model: Some(model) } => write!(f, "{name}:{model}"),
            Reference::Checks => f.write_str("checks"),
            Reference::Human => f.write_str("human"),
            Reference::Program { line, .. } => write!(f, "cmd:{line}"),
        }
    }
}

/// Returns the judges of a run: those of `--judge`, or else the user's setting, or else the one host that this process runs
/// under, with the model of the session on `place` (`REQUIREMENTS.md` P-16).
///
/// # Errors
/// [`Kind::Input`] for a text that is not a REF; [`Kind::Unknown`] if nothing names a judge.
pub fn choose(
    flags: &[String],
    setting: &[String],
    environment: Variable<'_>,
    place: Option<&Place>,
) -> Result<Vec<Reference>> {
    let named = if flags.is_empty() { setting } else { flags };
    if !named.is_empty() {
        return named.iter().map(|text| Reference::parse(text)).collect();
    }
    let mut sessions = host::running_under(environment);
    match (sessions.pop(), sessions.len()) {
        (Some((host, session)), 0) => {
            let told = || model::of_session(host, place?, session.id.as_deref());
            let model = session.model.clone().or_else(told).filter(|model| strange_in(model).is_none());
            Ok(vec![Reference::Host { name: host.name(), model: model.filter(|model| !model.is_empty()) }])
        }
        (Some(_), _) => Err(no_judge("no judge: more than one host started another here")),
        (None, _) => Err(no_judge("no judge")),
    }
}

/// Refuses judges that cannot be started, before anything else is run: after a long verify, the message would come too late.
///
/// # Errors
/// [`Kind::Unknown`] that names the first of them.
pub fn ready(judges: &[Reference], caller: &Path) -> Result<()> {
    let missing = judges.iter().find_map(|judge| Some((judge, judge.program(caller)?.err()?)));
    missing.map_or(Ok(()), |(judge, why)| {
        Err(Error::new(Kind::Unknown, format!("judge {judge}: {why}"))
            .hint("nothing was run; `plan judge set checks` needs no program"))
    })
}

/// Returns the judge of a session: its host and, if known, its model.
pub fn of_session(host: &dyn Host, place: &Place, session: &str) -> Reference {
    let model = model::of_session(host, place, Some(session));
    let model = model.filter(|model| !model.is_empty() && !model.starts_with('-') && strange_in(model).is_none());
    Reference::Host { name: host.name(), model }
}

fn no_judge(message: &str) -> Error {
    Error::new(Kind::Unknown, message)
        .hint("`plan judge set checks` needs no account; `plan judge list` shows who else could be set")
}

fn host(text: &str) -> Result<Reference> {
    let (name, model) = text.split_once(':').map_or((text, None), |(name, model)| (name, Some(model.trim())));
    let Some(host) = host::find(name) else {
        let known: Vec<&str> = host::HOSTS.iter().map(|host| host.name()).collect();
        return Err(Error::input(format!("`{text}` is not a judge"))
            .hint(format!("known: `HOST[:MODEL]` with {}; `checks`; `human`; `cmd:PROGRAM ARG…`", known.join(", "))));
    };
    if model == Some("") {
        return Err(
            Error::input(format!("`{text}` names no model")).hint(format!("`{name}` alone leaves it to the host"))
        );
    }
    if let Some(c) = model.and_then(strange_in) {
        return Err(Error::input(format!("`{text}` names no model: it contains `{}`", c.escape_default())));
    }
    Ok(Reference::Host { name: host.name(), model: model.map(str::to_owned) })
}

/// Finds a character that is not allowed in a model name. The name is part of the log line, between fields that other readers
/// parse.
fn strange_in(model: &str) -> Option<char> {
    model.chars().find(|c| c.is_whitespace() || c.is_control() || ",()".contains(*c))
}

fn program(text: &str, line: &str) -> Result<Reference> {
    let refused = |why: String| Error::input(format!("judge `{text}`: {why}"));
    let sequence = strict::split(line).map_err(|error| refused(error.to_string()))?;
    match <[StrictCommand; 1]>::try_from(sequence.commands) {
        Ok([command]) => Ok(Reference::Program { line: line.to_owned(), command }),
        Err(_) => Err(refused("a judge is one program, not a sequence with `&&`".to_owned())),
    }
}
