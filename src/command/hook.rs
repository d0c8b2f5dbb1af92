//! `plan hook HOST`: the command that a host's hooks call. It never fails, and prints nothing on an error of its own, so that the
//! turn always continues.

use std::ffi::{OsStr, OsString};
use std::io::{IsTerminal, Read};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use super::{Context, Exit};
use crate::error::Result;
use crate::host::setup::SetupScope;
use crate::host::{self, Host};
use crate::process::own;
use crate::repo::Repo;
use crate::session::review::{AGREE_VERB, Key};
use crate::session::{self, SessionEvent};
use crate::store::{self, Place};
use crate::{agent, config};

/// Answer a host's hook: event as JSON on stdin, answer as JSON on stdout
///
/// `plan install HOST` sets the host up to call it. It always exits with 0, and prints nothing if there is no plan, if
/// `PLAN_DISABLED=1` is set, inside a judge, or if anything of its own fails.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  echo '{\"hook_event_name\":\"SessionStart\",\"source\":\"startup\",\"session_id\":\"1\"}' | plan hook claude"
)]
pub struct Args {
    #[arg(help = host::names())]
    host: String,
}

impl Args {
    /// The arguments of a call for `host`.
    pub fn of(host: &str) -> Self {
        Args { host: host.to_owned() }
    }
}

/// The maximum size of a payload, in bytes. Long payloads hold the output of a tool; a longer one gets no answer.
const LARGEST: u64 = 32 << 20;

/// The time after which a silent approval is ended. The clients wait for 5 to 20 seconds.
const AGREE_LIMIT: Duration = Duration::from_secs(15);

/// Prints the answer to the event, if there is one.
pub fn run(context: &Context, args: &Args) -> Result<Exit> {
    if let Some(text) = answer(context, &args.host) {
        context.ui.raw(&text);
        context.ui.raw("\n");
    }
    // A host would read an error of `plan`, or a message about it, as an answer.
    context.ui.give_up();
    Ok(Exit::Yes)
}

fn answer(context: &Context, name: &str) -> Option<String> {
    // Read to the end even without an answer, because a host may take a closed pipe for a failure.
    let mut payload = payload()?;
    if config::is_disabled() || config::inside_judge() {
        return None;
    }
    let host = host::find(name)?;
    let hooks = host.hooks();
    host::mend(&mut payload);
    let event = hooks.event(&payload, &|name| std::env::var_os(name))?;
    let place = place(context, &event)?;
    let judge = |question: &session::loop_driver::Question| agent::judge(question, &place);
    let last_change = || last_change(&place, host);
    let agree = |key: &Key| agree(&place, key);
    let is_run = config::inside_loop_run();
    let driver = session::Driver { is_run, judge: &judge, last_change: &last_change, agree: &agree };
    let answer = session::turn(&place, host.name(), &event, hooks.injection_mode(), driver);
    hooks.reply(&payload, &event, &answer).map(|reply| reply.stdout)
}

/// Approves in a `plan` process of its own, as a person said in the chat: that takes git, which no other event waits for. Returns its output.
fn agree(place: &Place, key: &Key) -> Option<String> {
    let arguments = [OsStr::new(AGREE_VERB), place.file.as_os_str(), OsStr::new(key.text())];
    own::said(&arguments, &place.root, AGREE_LIMIT)
}

/// Returns the time of the last change to a file that may be the session's work: not the plan, nor settings that the host writes.
fn last_change(place: &Place, host: &dyn Host) -> Option<SystemTime> {
    let (top, git_dir) = (place.top.as_deref()?, place.git_dir.as_deref()?);
    let repo = Repo::open(top, git_dir).ok()??;
    let own = host.setup().folder(SetupScope::Project, &|_| None);
    let except = [Some(place.file.clone()), own.map(|own| top.join(own))];
    repo.last_change(&except.iter().flatten().map(PathBuf::as_path).collect::<Vec<_>>()).ok()?
}

fn payload() -> Option<Vec<u8>> {
    let (mut payload, mut stdin) = (Vec::new(), std::io::stdin().lock());
    stdin.by_ref().take(LARGEST).read_to_end(&mut payload).ok()?;
    let rest = std::io::copy(&mut stdin, &mut std::io::sink()).ok()?;
    (rest == 0).then_some(payload)
}

/// Returns true if a host made this call but clap cannot read it, because another version installed the settings. Then
/// the payload is read and nothing is printed: an exit status of 2 would tell the host that the turn must not end.
pub fn is_passed_over(arguments: &[OsString]) -> bool {
    let is_ours = verb(arguments).is_some_and(|word| word == "hook") && !std::io::stdin().is_terminal();
    is_ours && {
        let _ = payload();
        true
    }
}

/// Returns the first word that is neither an option nor an option's value.
fn verb(arguments: &[OsString]) -> Option<&OsString> {
    let mut words = arguments.iter().skip(1);
    loop {
        let word = words.next()?;
        match word.to_str() {
            Some("--file" | "-C" | "--color") => drop(words.next()),
            Some(option) if option.starts_with('-') => {}
            _ => return Some(word),
        }
    }
}

/// Finds the plan of a session: from the folder it was started in, else from its current folder, else from the caller's.
fn place(context: &Context, event: &SessionEvent) -> Option<Place> {
    let file = context.named_file();
    let folders = [event.project.as_deref(), event.cwd.as_deref(), Some(&*context.cwd)];
    folders.into_iter().flatten().find_map(|folder| store::look(folder, file).ok().flatten())
}
