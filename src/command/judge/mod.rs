//! `plan judge …`: shows, sets and tests judges.

mod trial;

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::json;

use super::{Context, Exit};
use crate::config;
use crate::contract::person;
use crate::error::{Kind, Result};
use crate::host;
use crate::process::environment::Environment;
use crate::process::resolve::resolve;
use crate::shell::quote;
use crate::signoff::judge::{self, Reference};

/// Show, set and try the judges that `complete` asks
///
/// A judge is a host, such as `claude` or `codex:MODEL`, or `checks`, `human` or `cmd:PROGRAM ARG…`. If you set several, all must
/// accept. The setting is yours, in your configuration folder; a repository never names a judge.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    verb: Option<Verb>,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Show which judge is asked now, and which others you can set
    #[command(after_help = "Example:\n  plan judge list")]
    List,
    /// Set the judges for all your plans
    #[command(after_help = "Example:\n  plan judge set claude codex")]
    Set {
        /// A host such as `claude` or `codex:MODEL`, `checks`, `human`, or `cmd:PROGRAM ARG…`; repeatable, and all must accept.
        #[arg(required = true, value_name = "REF")]
        references: Vec<String>,
    },
    /// Print a small working judge in Python, to start your own `cmd:` judge from
    #[command(
        after_help = "Example:\n  plan judge example > ~/judge.py && chmod +x ~/judge.py\n  plan judge set \"cmd:$HOME/judge.py\""
    )]
    Example,
    /// Try a judge on up to six cases whose answers are known, such as a true claim, a false claim and a planted verdict
    #[command(after_help = "Example:\n  plan judge test claude")]
    Test {
        /// The judge to try; by default the judge you set.
        #[arg(value_name = "REF")]
        reference: Option<String>,
    },
}

/// Runs the given command; `list` if none is given.
pub fn run(context: &Context, args: &Args) -> Result<Exit> {
    match &args.verb {
        None | Some(Verb::List) => list(context),
        Some(Verb::Set { references }) => set(context, references),
        Some(Verb::Example) => example(context),
        Some(Verb::Test { reference }) => trial::run(context, reference.as_deref()),
    }
}

fn list(context: &Context) -> Result<Exit> {
    let config = config::load()?;
    let own = config.judge.list();
    let place = context.find().ok().flatten();
    let by = if own.is_empty() { "the session's host" } else { "your configuration" };
    let now: Vec<String> = match judge::choose(&[], &own, &|name| std::env::var_os(name), place.as_ref()) {
        Ok(references) => references.iter().map(ToString::to_string).collect(),
        Err(error) if error.kind == Kind::Unknown => Vec::new(),
        Err(error) => return Err(error),
    };
    context.ui.line(&match now.is_empty() {
        true => "no judge: none is set, and no agent's session runs this command".to_owned(),
        false => format!("{} (chosen by {by})", now.join(", ")),
    });
    let choices = if config.judges.is_empty() { known() } else { config.judges.clone() };
    context.ui.line(&format!("you can set: {}", choices.join(", ")));
    let mut hosts = serde_json::Map::new();
    for host in host::HOSTS {
        let found = resolve(host.name().as_ref(), Path::new("/"), &Environment::inherited()).is_ok();
        context.ui.line(&format!("  {}: {}", host.name(), if found { "on PATH" } else { "not on PATH" }));
        hosts.insert(host.name().to_owned(), found.into());
    }
    let by = (!now.is_empty()).then_some(by);
    context.ui.json(&json!({ "judges": now, "chosen_by": by, "choices": choices, "on_path": hosts }));
    Ok(Exit::Yes)
}

/// The program that [`Verb::Example`] prints.
const EXAMPLE: &str = include_str!("example.py");

fn example(context: &Context) -> Result<Exit> {
    context.ui.line(EXAMPLE.trim_end());
    context.ui.json(&json!({ "program": EXAMPLE }));
    Ok(Exit::Yes)
}

/// Returns the judges that can be set if the user has no list of their own.
fn known() -> Vec<String> {
    let hosts = host::HOSTS.iter().map(|host| host.name().to_owned());
    hosts.chain(["checks", "human", "cmd:PROGRAM ARG…"].map(str::to_owned)).collect()
}

fn set(context: &Context, references: &[String]) -> Result<Exit> {
    context.refuse_inside_judge()?;
    let judges: Vec<Reference> =
        references.iter().map(|reference| Reference::parse(reference)).collect::<Result<_>>()?;
    let references: Vec<String> = judges.iter().map(ToString::to_string).collect();
    let command = format!("plan judge set {}", references.iter().map(|text| quote(text)).collect::<Vec<_>>().join(" "));
    let session = person::agent().map(|agent| agent.name());
    let old = config::load()?;
    let set_by_person = if old.judge_set_in_session.is_none() { old.judge.list() } else { Vec::new() };
    // If an agent sets the same judges again, they stay the person's setting.
    let stays = session.is_some() && set_by_person == references;
    if !stays && !set_by_person.is_empty() {
        let stands = || format!("a person set {}, and it stays set", set_by_person.join(", "));
        person::require_for(&command).map_err(|error| error.hint(stands()))?;
    }
    let mut programs = BTreeMap::new();
    let mut notes = Vec::new();
    for judge in &judges {
        match judge.program(&context.cwd) {
            Some(Ok(path)) => drop(programs.insert(judge.to_string(), path)),
            Some(Err(why)) => {
                notes.push(format!("note: {judge}: {why}; until that is fixed, `plan complete` ends with exit 3"))
            }
            None => {}
        }
    }
    let file = match stays {
        true => config::file()?,
        false => config::set_judges(&references, session, &programs)?,
    };
    context.ui.line(&format!("{} will judge; written to {}", references.join(", "), file.display()));
    if let Some(host) = session.filter(|_| !stays) {
        // A person may or may not have asked the agent to do so. So the record marks it as different from a person's own choice.
        notes.push(format!(
            "note: set inside a {host} session: sign-offs will say `named by caller` until you run `{command}` in your own terminal"
        ));
    } else if let Some((home, folder)) = config::account()?.elsewhere {
        let home = quote(&home.to_string_lossy());
        notes.push(format!(
            "note: `{}` is not your account's configuration: sign-offs will say `named by caller` until you run `env -u XDG_CONFIG_HOME HOME={home} {command}`",
            folder.display()
        ));
    }
    notes.iter().for_each(|note| context.ui.note(note));
    context.ui.json(&json!({ "judges": references, "file": file.to_string_lossy(), "session": session }));
    Ok(Exit::Yes)
}
