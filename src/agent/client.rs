//! A host's client for one turn of `plan loop run`. It has only the rights that the user's own configuration gives it.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::config::PLAN_LOOP;
use crate::disk::Temporary;
use crate::error::{Error, Kind, Result};
use crate::host::{self, AnswerSource, ClientExit, Host};
use crate::process::environment::Environment;
use crate::process::resolve::resolve;
use crate::process::run::{End, Output, RunResult, Spec, Stdin, run_with};
use crate::signoff::judge::Reference;
use crate::store;

/// The maximum number of bytes to keep of a client's output.
const OUTPUT: usize = 16 << 20;

/// The client that the loop drives.
#[derive(Clone)]
pub struct Client {
    host: &'static dyn Host,
    model: Option<String>,
}

/// A turn that ended on its own or at the time limit.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// The client's last text, or why there is none.
    pub said: std::result::Result<String, String>,
    /// How long it took.
    pub seconds: f64,
}

impl Client {
    /// Returns the client that `with` names (`HOST[:MODEL]`), else the client of the current session, else the only installed client.
    ///
    /// # Errors
    /// [`Kind::Input`]: `with` names an unknown host or a host that is not installed; or there is neither `with` nor a session,
    /// and not exactly one client is installed.
    pub fn choose(with: Option<&str>, cwd: &Path) -> Result<Self> {
        let is_known = |with: &str| host::find(with.split(':').next().unwrap_or(with)).is_some();
        if let Some(other) = with.filter(|with| !is_known(with)) {
            return Err(Error::input(format!("`--with {other}`: expected `HOST[:MODEL]`"))
                .hint(format!("known hosts: {}", names(&host::HOSTS))));
        }
        let client = match with.map(Reference::parse).transpose()? {
            Some(Reference::Host { name, model }) => host::find(name).map(|host| Client { host, model }),
            _ => here(),
        };
        let client = client.map_or_else(|| only(cwd), Ok)?;
        match installed(client.host, cwd) {
            Ok(()) => Ok(client),
            Err(why) => {
                Err(Error::input(why).hint(format!("install `{}`, or name another with `--with`", client.name())))
            }
        }
    }

    /// The host's name.
    pub fn name(&self) -> &'static str {
        self.host.name()
    }

    pub(super) fn reference(self) -> Reference {
        Reference::Host { name: self.name(), model: self.model }
    }

    /// The model, if one is set.
    pub fn model(&self) -> Option<&str> {
        self.model.as_deref()
    }

    /// Runs one turn in `root`, for at most `limit`; `tick` is called about once a second.
    ///
    /// # Errors
    /// [`Kind::Interrupted`]: the user interrupted the turn, and so the client. [`Kind::Unknown`]: no scratch folder can be made.
    pub fn turn(&self, root: &Path, prompt: &str, limit: Duration, tick: &mut dyn FnMut(Duration)) -> Result<Turn> {
        let scratch = Temporary::make("plan-loop-").map_err(|error| {
            Error::new(Kind::Unknown, format!("no scratch folder for the client: {error}"))
                .hint("set `TMPDIR` to a folder that can be written")
        })?;
        let command = self.host.work(root, scratch.folder(), self.model());
        for (path, content) in &command.files {
            fs::write(path, content)
                .map_err(|error| Error::new(Kind::Unknown, format!("cannot write `{}`: {error}", path.display())))?;
        }
        let spec = Spec {
            env: environment().set_all(command.env),
            stdin: Stdin::Bytes(prompt.as_bytes().to_vec()),
            limit,
            output: Output::Apart { stdout_cap: OUTPUT },
            ..Spec::new(&command.argv, command.cwd)
        };
        let ran = run_with(&spec, tick);
        if ran.end == End::Interrupted {
            return Err(Error::new(Kind::Interrupted, "interrupted"));
        }
        Ok(Turn { said: self.said(&ran, &command.answer, limit), seconds: ran.seconds })
    }

    fn said(&self, ran: &RunResult, source: &AnswerSource, limit: Duration) -> std::result::Result<String, String> {
        let exit = match &ran.end {
            End::Exited(code) => Some(*code),
            End::Signalled(_) => None,
            End::TimedOut => return Err(format!("`{}` killed after {} s", self.name(), limit.as_secs_f64())),
            End::NotStarted(why) => return Err(why.clone()),
            End::Lost | End::Interrupted => return Err(format!("`{}` was lost", self.name())),
        };
        let file = match source {
            AnswerSource::Stdout => None,
            // The client wrote this file, so it is read only if it is a regular file, and only up to the limit for output.
            AnswerSource::File(path) => Some(store::read_state(path, OUTPUT as u64).unwrap_or_default()),
        };
        let answer = file.as_deref().unwrap_or(&ran.stdout);
        self.host.said(&ClientExit { exit, answer, stdout: &ran.stdout, stderr: &ran.tail.bytes })
    }
}

/// Returns the client whose session this process runs in, if there is exactly one.
fn here() -> Option<Client> {
    let mut sessions = host::running_under(&|name| std::env::var_os(name));
    let only = sessions.pop().filter(|_| sessions.is_empty());
    only.map(|(host, session)| Client { host, model: session.model })
}

pub(super) fn only(cwd: &Path) -> Result<Client> {
    let found: Vec<_> = host::HOSTS.into_iter().filter(|host| installed(*host, cwd).is_ok()).collect();
    match &found[..] {
        [host] => Ok(Client { host: *host, model: None }),
        [] => Err(Error::input(format!(
            "no client of an agent is installed: none of {} is on `PATH`",
            names(&host::HOSTS)
        ))
        .hint("install one of them")),
        several => Err(Error::input(format!("which client? {} are installed", names(several)))
            .hint("name one: `--with HOST[:MODEL]`")),
    }
}

fn names(hosts: &[&dyn Host]) -> String {
    hosts.iter().map(|host| format!("`{}`", host.name())).collect::<Vec<_>>().join(", ")
}

fn installed(host: &dyn Host, cwd: &Path) -> std::result::Result<(), String> {
    resolve(OsStr::new(host.name()), cwd, &environment()).map(drop)
}

/// Returns the environment without git's variables and without the variables of the current session.
fn environment() -> Environment {
    Environment::without_git().remove_if(host::is_session_variable).set(PLAN_LOOP, "1")
}
