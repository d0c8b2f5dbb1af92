//! Rows about the hooks of coding agents, for the agents that are set up here.
//!
//! A project's settings came with the repository, and a repository is hostile. So a line of a settings file is run only if it is a
//! plain call of a program named `plan` with the arguments that `plan` installs, and only if that program is this one, the `plan` on
//! `PATH`, or named by the user's own settings. A program in the work tree is never run.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::context::{HookCalls, InstalledCall};
use super::file::first_line;
use super::probe::{self, ProbeAnswer};
use super::{Context, DoctorResult, Fault};
use crate::config;
use crate::host::setup::{Allow, SetupRequest, SetupScope};
use crate::host::{HOSTS, Host};
use crate::process::environment::Environment;
use crate::process::resolve::resolve;
use crate::prompt::Prompt;
use crate::settings::{self, FileOutcome, InstallPlan, program};
use crate::shell::quote;
use crate::store::Place;

/// The kind of program that a call names.
enum Program {
    /// The file does not exist.
    Gone,
    /// The program may be run.
    Ours(PathBuf),
    /// The program is not run, for this reason.
    Strange(&'static str),
}

impl InstalledCall {
    fn command(&self) -> String {
        install_command(self.host, self.scope)
    }

    /// Returns the path of the settings file, as a person would write it.
    fn file(&self, place: &Place) -> String {
        shown(&self.call.file, place)
    }

    fn program(&self, place: &Place) -> Program {
        let Some(argv) = &self.call.argv else {
            return Program::Strange("the line is more than a plain call of `plan`, and doctor runs no other line");
        };
        let (name, top) = (OsStr::new(&argv[0]), top(place));
        let environment = Environment::inherited();
        let Ok(file) = resolve(name, top, &environment) else { return Program::Gone };
        let Ok(real) = file.canonicalize() else { return Program::Gone };
        if real.starts_with(top) {
            return Program::Strange("the program is inside the repository, and doctor runs nothing from there");
        }
        let same = |other: Option<PathBuf>| other.and_then(|other| other.canonicalize().ok()).as_ref() == Some(&real);
        let on_path = resolve(OsStr::new("plan"), top, &environment).ok();
        if self.scope == SetupScope::User || same(std::env::current_exe().ok()) || same(on_path) {
            return Program::Ours(file);
        }
        Program::Strange(
            "the program is neither this one nor the `plan` on `PATH`, and the settings came with the repository",
        )
    }
}

fn top(place: &Place) -> &Path {
    place.top.as_deref().unwrap_or(&place.root)
}

fn shown(file: &Path, place: &Place) -> String {
    file.strip_prefix(top(place)).unwrap_or(file).to_string_lossy().into_owned()
}

fn install_command(host: &dyn Host, scope: SetupScope) -> String {
    let option = if scope == SetupScope::User { " --scope user" } else { "" };
    format!("plan install {}{option}", host.name())
}

fn request<'r>(scope: SetupScope, program: &'r str, shell: &'r str) -> SetupRequest<'r> {
    SetupRequest { scope, program, shell, guide: "", allow: Allow::Either, remove_comments: false }
}

/// Returns every call in the settings of every host, which are read once for all rows.
fn calls<'c>(context: &'c Context<'_>, place: &Place) -> &'c HookCalls {
    context.hook_calls.get_or_init(|| read_calls(context, place))
}

fn read_calls(context: &Context<'_>, place: &Place) -> HookCalls {
    let (mut calls, mut blind) = (Vec::new(), Vec::new());
    for host in HOSTS {
        for scope in [SetupScope::Project, SetupScope::User] {
            // Without a home there are no user settings.
            if host.setup().folder(scope, context.variable).is_none() {
                continue;
            }
            match settings::hook_calls(host, &request(scope, "plan", "plan"), place, context.variable) {
                Ok(found) => calls.extend(found.into_iter().map(|call| InstalledCall { host, scope, call })),
                Err(error) => blind.push(Fault::blind(first_line(&error), install_command(host, scope))),
            }
        }
    }
    HookCalls { calls, blind }
}

/// Returns the first call of each line in each file, because the same line at six events counts once.
fn lines(calls: &[InstalledCall]) -> impl Iterator<Item = &InstalledCall> {
    let is_first = |at: usize, one: &InstalledCall| {
        calls[..at].iter().all(|other| (&other.call.file, &other.call.line) != (&one.call.file, &one.call.line))
    };
    calls.iter().enumerate().filter(move |(at, one)| is_first(*at, one)).map(|(_, one)| one)
}

/// Runs the look of a row. Returns [`DoctorResult::Absent`] if no host is set up.
fn looked(context: &Context<'_>, look: impl FnOnce(&Place, &HookCalls) -> Vec<Fault>) -> DoctorResult {
    let Some(place) = context.any_place() else { return DoctorResult::Absent };
    let found = calls(context, place);
    if found.calls.is_empty() && found.blind.is_empty() {
        DoctorResult::Absent
    } else {
        DoctorResult::Seen(look(place, found))
    }
}

pub(super) fn dead(context: &Context<'_>) -> DoctorResult {
    looked(context, |place, found| {
        let mut faults = found.blind.clone();
        for one in lines(&found.calls).filter(|one| matches!(one.program(place), Program::Gone)) {
            let program = one.call.argv.as_ref().map_or("plan", |argv| &argv[0]);
            let what = match program.contains('/') {
                true => format!("{} calls `{program}`, which is gone", one.file(place)),
                false => format!("{} calls `{program}`, which is not on `PATH`", one.file(place)),
            };
            let is_fixable = correction(context, place, one.host, one.scope).is_some();
            faults.push(Fault::new(what, one.command()).fixable(is_fixable));
        }
        faults
    })
}

/// Returns the change that names this program in the settings of one scope; `None` if it would change nothing.
fn correction(context: &Context<'_>, place: &Place, host: &dyn Host, scope: SetupScope) -> Option<InstallPlan> {
    let program = program::name(top(place)).ok()?;
    let shell = quote(&program);
    let own = config::prompt_override(Prompt::AgentGuide.file_name()).ok()?;
    let guide = Prompt::AgentGuide.fill(own.as_deref(), &[]).ok()?;
    let request = SetupRequest { guide: &guide, ..request(scope, &program, &shell) };
    let plan = settings::redirect(host, &request, place, context.variable).ok()?;
    plan.files.iter().any(|file| file.outcome == FileOutcome::Changed).then_some(plan)
}

/// Makes settings that call a missing program call this one. Returns a line for each host and scope that changed.
pub(super) fn correct(context: &Context<'_>) -> Vec<crate::error::Result<String>> {
    let Some(place) = context.any_place() else { return Vec::new() };
    let mut scopes: Vec<(&'static dyn Host, SetupScope)> = Vec::new();
    for one in calls(context, place).calls.iter().filter(|one| matches!(one.program(place), Program::Gone)) {
        if scopes.iter().all(|(host, scope)| (host.name(), *scope) != (one.host.name(), one.scope)) {
            scopes.push((one.host, one.scope));
        }
    }
    let mut done = Vec::new();
    for plan in scopes.into_iter().filter_map(|(host, scope)| correction(context, place, host, scope)) {
        let changed = plan.files.iter().filter(|file| file.outcome == FileOutcome::Changed);
        let files: Vec<String> = changed.map(|file| shown(&file.path, place)).collect();
        done.push(plan.install().map(|_| format!("{} calls this program again", files.join(", "))));
    }
    done
}

pub(super) fn twice(context: &Context<'_>) -> DoctorResult {
    looked(context, |place, found| {
        let mut faults = Vec::new();
        for host in HOSTS {
            let own: Vec<&InstalledCall> = found.calls.iter().filter(|one| one.host.name() == host.name()).collect();
            let mut events: BTreeMap<&str, Vec<&InstalledCall>> = BTreeMap::new();
            own.iter().for_each(|one| events.entry(&one.call.event).or_default().push(one));
            // If the client runs the same line of both scopes only once, the line does not count as twice.
            let counts = |one: &&InstalledCall, other: &InstalledCall| {
                host.setup().runs_twice() || one.call.line != other.call.line
            };
            let twice = events.values().find_map(|few| {
                let (first, rest) = few.split_first()?;
                let second = rest.iter().find(|one| one.scope == first.scope || counts(one, first))?;
                Some((*first, *second))
            });
            let Some((first, second)) = twice else { continue };
            let (what, command) = match first.scope == second.scope {
                true => (
                    format!("{} calls `plan` twice at one event", first.file(place)),
                    format!("plan uninstall {0} && plan install {0}", host.name()),
                ),
                false => (
                    format!("the hooks of {} are in {} and in {}", host.name(), first.file(place), second.file(place)),
                    format!("plan uninstall {} --scope user", host.name()),
                ),
            };
            faults.push(Fault::new(what, command));
        }
        faults
    })
}

pub(super) fn silent(context: &Context<'_>) -> DoctorResult {
    looked(context, |place, found| {
        let mut faults = Vec::new();
        for one in lines(&found.calls) {
            let line = &one.call.line;
            match one.program(place) {
                Program::Gone => {}
                Program::Strange(why) => {
                    faults
                        .push(Fault::blind(format!("{}: `{line}` was not run: {why}", one.file(place)), one.command()));
                }
                Program::Ours(program) => match probe::answer(one.host, &program) {
                    Ok(ProbeAnswer::Plan) => {}
                    Ok(ProbeAnswer::Disabled) => {
                        faults.push(Fault::new(
                            "`PLAN_DISABLED=1` is set, so every hook is silent",
                            "unset PLAN_DISABLED",
                        ));
                        return faults;
                    }
                    Ok(ProbeAnswer::Nothing(why)) => {
                        faults.push(Fault::new(format!("{}: `{line}` {why}", one.file(place)), one.command()));
                    }
                    Err(error) => faults.push(Fault::blind(first_line(&error), one.command())),
                },
            }
        }
        faults
    })
}
