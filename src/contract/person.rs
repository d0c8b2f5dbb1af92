//! Decides whether a person started `plan` (`CONTRACT.md` §1).
//!
//! Nothing here is proof: an agent that leaves its own terminal and removes its variables looks like a person.

use std::ffi::OsString;
use std::fmt;
use std::path::Path;

use crate::config;
use crate::error::{Error, Kind, Result};
use crate::host;
use crate::process::ancestors;

/// An agent that started `plan`, and the evidence for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agent {
    /// The session of a host, found by a variable of this process or of an ancestor.
    Variable(&'static str),
    /// A host's client among the ancestors of this process.
    Process(&'static str),
    /// A turn of `plan loop run`.
    Loop,
    /// A judge.
    Judge,
}

impl Agent {
    /// The host's name; `loop` or `judge` if no host is known.
    pub const fn name(self) -> &'static str {
        match self {
            Agent::Variable(host) | Agent::Process(host) => host,
            Agent::Loop => "loop",
            Agent::Judge => "judge",
        }
    }
}

impl fmt::Display for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Agent::Variable(host) => write!(f, "{host} (variable)"),
            Agent::Process(host) => write!(f, "{host} (process)"),
            Agent::Loop => f.write_str("a turn of the loop"),
            Agent::Judge => f.write_str("a judge"),
        }
    }
}

/// True if nothing shows that an agent started `plan`.
pub fn is_persons() -> bool {
    agent().is_none()
}

/// The agent that started `plan`, if a variable or an ancestor shows one.
pub fn agent() -> Option<Agent> {
    by_variables(&|name| std::env::var_os(name)).or_else(|| ancestors().find_map(of_process))
}

/// Refuses an action that only a person may take.
///
/// # Errors
/// [`Kind::Refused`] if an agent started `plan`.
pub fn require() -> Result<()> {
    check("run it in your own terminal, or answer in the chat: `plan review`")
}

/// Like [`require`], for an action that no chat answer can take; `command` is the command that a person types.
///
/// # Errors
/// As [`require`].
pub fn require_for(command: &str) -> Result<()> {
    check(&format!("run it in your own terminal: `{command}`"))
}

fn check(hint: &str) -> Result<()> {
    match agent() {
        None => Ok(()),
        Some(agent) => {
            let message = format!("refused: only a person may do this, and `plan` was started by {agent}");
            Err(Error::new(Kind::Refused, message).hint(hint))
        }
    }
}

/// True if a hook started `plan`: its parent is `plan hook HOST`.
pub fn is_hook() -> bool {
    let parent = ancestors::ancestors().next().map(ancestors::words).unwrap_or_default();
    // The words are the system's name for the process, the program, and its arguments.
    let is_plan = |program: &String| Path::new(program).file_name().is_some_and(|name| name == "plan");
    parent.get(1).is_some_and(is_plan) && parent.iter().skip(2).any(|word| word == "hook")
}

fn ancestors() -> impl Iterator<Item = u32> {
    let outermost = config::outermost_ancestor();
    ancestors::ancestors().take_while(move |pid| Some(*pid) != outermost)
}

fn of_process(pid: u32) -> Option<Agent> {
    let environment = ancestors::environment(pid);
    let variable = |name: &str| environment.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
    let process = || host::client(&ancestors::words(pid)).map(|host| Agent::Process(host.name()));
    by_variables(&variable).or_else(process)
}

fn by_variables(variable: &dyn Fn(&str) -> Option<OsString>) -> Option<Agent> {
    let is_set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
    if is_set(config::PLAN_JUDGE_SESSION) {
        return Some(Agent::Judge);
    }
    if is_set(config::PLAN_LOOP) {
        return Some(Agent::Loop);
    }
    host::running_under(variable).first().map(|(host, _)| Agent::Variable(host.name()))
}

#[cfg(test)]
mod tests {
    use super::*;

    // CONTRACT.md §1
    #[test]
    fn variables_tell_whose_session_it_is() {
        let under = |set: &[(&str, &str)]| {
            by_variables(&|name| set.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into()))
        };
        assert_eq!(under(&[("HOME", "/u"), ("PLAN_LOOP", "")]), None);
        assert_eq!(under(&[("CLAUDECODE", "1")]), Some(Agent::Variable("claude")));
        assert_eq!(under(&[("CODEX_THREAD_ID", "x")]), Some(Agent::Variable("codex")));
        assert_eq!(under(&[("PLAN_LOOP", "1"), ("CLAUDECODE", "1")]), Some(Agent::Loop));
        assert_eq!(under(&[("PLAN_JUDGE_SESSION", "1")]), Some(Agent::Judge));
    }

    // CONTRACT.md §1
    #[test]
    fn a_client_is_known_by_its_name_its_script_or_its_package() {
        let client = |line: &str| {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            host::client(&words).map(|host| host.name())
        };
        for (line, host) in [
            ("claude claude -p", Some("claude")),
            ("2.1.329 /home/u/.local/bin/claude", Some("claude")),
            ("node node /usr/bin/codex exec", Some("codex")),
            (
                "node node --max-old-space-size=4096 /lib/node_modules/@google/gemini-cli/bundle/gemini.js",
                Some("gemini"),
            ),
            ("MainThread node /lib/pi-coding-agent/dist/bundle/cli.js", Some("pi")),
            ("opencode /opt/opencode run", Some("opencode")),
            ("sh /bin/sh /usr/local/bin/qwen -y", Some("qwen")),
            ("bash -bash", None),
            ("vim vim claude.md", None),
            ("sh sh -c claude", None),
            ("cargo cargo test --test codex", None),
            ("node node /home/u/site/server.js claude", None),
            ("", None),
        ] {
            assert_eq!(client(line), host, "{line}");
        }
    }
}
