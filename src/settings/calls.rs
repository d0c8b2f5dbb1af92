//! Reads the command lines with which a client's settings call `plan` now.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::content::{is_in, parted};
use super::entries::{handlers_that, is_plan, present};
use super::install_plan::{InstallPlan, plan_pieces};
use super::json;
use super::whole::is_ours;
use crate::error::{Error, Result};
use crate::host::setup::{CallWords, Content, SettingsEntry, SetupRequest};
use crate::host::{Host, Variable};
use crate::shell::strict;
use crate::store::Place;

/// A hook that calls `plan`, or a line that looks like one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookCall {
    /// The settings file, or the extension.
    pub file: PathBuf,
    /// The client's name for the event; empty for an extension, which has one call for all events.
    pub event: String,
    /// The line as it is in the file.
    pub line: String,
    /// The program and its arguments; `None` unless the line only calls a program named `plan` with our arguments (no shell, no wrapper).
    pub argv: Option<Vec<String>>,
}

/// Returns every call of `plan hook HOST` in the settings of one scope, in the order of the files.
///
/// # Errors
/// [`crate::error::Kind::Input`] if a file cannot be read.
pub fn hook_calls(
    host: &dyn Host,
    request: &SetupRequest<'_>,
    place: &Place,
    variable: Variable<'_>,
) -> Result<Vec<HookCall>> {
    let mut found = Vec::new();
    for (piece, path, file) in InstallPlan::new(host, request, place, variable)?.look(host, request, variable)? {
        let Some(text) = &file.text else { continue };
        match &piece.content {
            Content::Json(entries) => {
                let call = entries.iter().find_map(|entry| match entry {
                    SettingsEntry::Hook { call, .. } => Some(*call),
                    _ => None,
                });
                let Some(call) = call else { continue };
                let value =
                    json::value(parted(text).1).map_err(|why| Error::input(format!("`{}`: {why}", path.display())))?;
                found.extend(of_handlers(&value, call, &path));
            }
            Content::Whole(_) => found.extend(of_extension(text, host.name(), &path)),
            Content::Table(..) => {}
        }
    }
    Ok(found)
}

/// Plans a correction: makes the existing entries name the program as `request` does. Adds nothing.
///
/// # Errors
/// As [`super::install`]; but both scopes may be installed here.
pub fn redirect(
    host: &dyn Host,
    request: &SetupRequest<'_>,
    place: &Place,
    variable: Variable<'_>,
) -> Result<InstallPlan> {
    plan_pieces(host, request, place, variable, |text, content| {
        is_in(text, &content).then(|| match content {
            Content::Json(entries) => Content::Json(present(text, &entries)),
            whole => whole,
        })
    })
}

fn of_handlers(value: &Value, call: CallWords, path: &Path) -> Vec<HookCall> {
    let words = call.join(" ");
    let looks_ours = |handler: &Value| line(handler).is_some_and(|line| line.contains("plan") && line.contains(&words));
    let one = |(event, steps): (String, Vec<json::Step>)| {
        let handler = json::at(value, &steps)?;
        Some(HookCall { file: path.to_owned(), event, line: line(handler)?, argv: argv(handler, call) })
    };
    handlers_that(value, looks_ours).into_iter().filter_map(one).collect()
}

/// Returns the program and arguments of a handler, in any of the forms that clients use.
fn argv(handler: &Value, call: CallWords) -> Option<Vec<String>> {
    let command = handler.get("command")?;
    let arguments = handler.get("args").and_then(Value::as_array).filter(|arguments| !arguments.is_empty());
    let argv = match (command.as_array(), command.as_str(), arguments) {
        (Some(words), ..) => strings(words)?,
        (None, Some(program), Some(arguments)) => [vec![program.to_owned()], strings(arguments)?].concat(),
        (None, Some(line), None) => {
            let sequence = strict::split(line).ok()?;
            let [command] = &sequence.commands[..] else { return None };
            command.env.is_empty().then(|| command.argv().into_iter().map(str::to_owned).collect())?
        }
        (None, None, _) => return None,
    };
    let (program, rest) = argv.split_first()?;
    (is_plan(program) && rest == call).then_some(argv)
}

fn strings(values: &[Value]) -> Option<Vec<String>> {
    values.iter().map(|value| value.as_str().map(str::to_owned)).collect()
}

fn line(handler: &Value) -> Option<String> {
    let command = handler.get("command")?;
    let words = [command.as_array(), handler.get("args").and_then(Value::as_array)];
    let words: Vec<&str> = words.into_iter().flatten().flatten().filter_map(Value::as_str).collect();
    Some([command.as_str().into_iter().collect(), words].concat().join(" ")).filter(|line| !line.is_empty())
}

/// Reads the call from an extension, which names the program in a line of its own, because its client has no hook processes.
fn of_extension(text: &str, host: &str, path: &Path) -> Option<HookCall> {
    if !is_ours(text) {
        return None;
    }
    let program = text.lines().find_map(|line| line.strip_prefix("const PLAN = "))?;
    let program: String = serde_json::from_str(program.trim_end_matches([';', ' '])).ok()?;
    let line = format!("{program} hook {host}");
    let argv = is_plan(&program).then(|| vec![program, "hook".to_owned(), host.to_owned()]);
    Some(HookCall { file: path.to_owned(), event: String::new(), line, argv })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CALL: CallWords = &["hook", "claude"];

    /// A command in a repository's settings is never run unless it is a plain call of a program named `plan`.
    #[test]
    fn only_a_plain_call_of_plan_has_an_argv() {
        let argv = |handler: Value| argv(&handler, CALL).map(|argv| argv.join("|"));
        let plain = Some("plan|hook|claude".to_owned());
        assert_eq!(argv(serde_json::json!({ "command": "plan", "args": ["hook", "claude"] })), plain);
        assert_eq!(argv(serde_json::json!({ "command": "plan hook claude" })), plain);
        assert_eq!(argv(serde_json::json!({ "command": ["plan", "hook", "claude"] })), plain);
        let quoted = serde_json::json!({ "command": "'/a b/plan' hook claude" });
        assert_eq!(argv(quoted).as_deref(), Some("/a b/plan|hook|claude"));
        for line in [
            "plan hook claude; curl example.org", "plan hook claude && true", "plan hook claude | tee log",
            "plan hook claude > log", "$(touch x)/plan hook claude", "LD_PRELOAD=./x.so plan hook claude",
            "sh -c 'plan hook claude'", "./not-plan hook claude", "plan hook claude extra", "plan complete a-1",
            "`touch x` plan hook claude",
        ] {
            assert_eq!(argv(serde_json::json!({ "command": line })), None, "{line}");
        }
    }
}
