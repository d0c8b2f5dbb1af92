//! Lists the tasks that a person still has after an install, as far as we can tell.

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use super::json::{self, Step};
use super::toml;
use crate::host::setup::{Completion, SetupRequest};
use crate::host::{Host, Variable};
use crate::process::ask::ask;
use crate::process::environment::Environment;

/// How long Codex may take to answer.
const LIMIT: Duration = Duration::from_secs(10);
/// The largest file that is read, in bytes: Claude Code's own file grows with every project.
const LARGEST: u64 = 32 << 20;

/// A task that is left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FollowUp {
    /// The task in words.
    pub say: String,
    /// True if a check showed that it is not done; false if we cannot tell.
    pub is_certain: bool,
    /// True for a lasting instruction on how to use the client, rather than a task.
    pub is_standing: bool,
}

/// Returns the tasks that are left for a client that was set up. `top`: the top of the repository, canonical.
pub fn follow_ups(host: &dyn Host, request: &SetupRequest<'_>, top: &Path, variable: Variable<'_>) -> Vec<FollowUp> {
    let todo = host.setup().follow_ups(request, top, variable).into_iter();
    todo.filter_map(|todo| {
        let done = is_done(&todo.done);
        let is_standing = todo.done == Completion::Standing;
        (done != Some(true)).then_some(FollowUp { say: todo.say, is_certain: done.is_some(), is_standing })
    })
    .collect()
}

/// Returns true if the task is done; `None` if we cannot tell.
fn is_done(done: &Completion) -> Option<bool> {
    match done {
        Completion::Unknown | Completion::Standing => None,
        Completion::Exists(path) => Some(path.exists()),
        Completion::Says { file, paths, values } => {
            let document = if file.exists() { read(file)? } else { Value::Null };
            let values: Vec<Value> = values.iter().filter_map(|value| json::value(value).ok()).collect();
            let is = |found: &Value| {
                values.contains(found) || found.as_array().is_some_and(|few| few.iter().any(|one| values.contains(one)))
            };
            let found = |path: &Vec<String>| {
                let steps: Vec<Step> = path.iter().cloned().map(Step::Key).collect();
                json::at(&document, &steps).is_some_and(is)
            };
            Some(paths.iter().any(found))
        }
        Completion::CodexTrusts(folder) => codex_trusts(folder),
    }
}

fn read(file: &Path) -> Option<Value> {
    let fits = fs::metadata(file).is_ok_and(|meta| meta.is_file() && meta.len() <= LARGEST);
    let text = fits.then(|| fs::read_to_string(file).ok()).flatten()?;
    if file.extension().is_some_and(|name| name == "toml") {
        return serde_json::to_value(toml::table(&text).ok()?).ok();
    }
    json::value(text.strip_prefix('\u{feff}').unwrap_or(&text)).ok()
}

/// Asks Codex (its app server, `hooks/list`) if it trusts our hooks in this folder. `None` if it cannot be asked.
fn codex_trusts(folder: &Path) -> Option<bool> {
    let say = |document: Value| document.to_string();
    let asked = [
        say(
            serde_json::json!({ "id": 1, "method": "initialize", "params": { "clientInfo": { "name": "plan", "version": env!("CARGO_PKG_VERSION") } } }),
        ),
        say(serde_json::json!({ "method": "initialized" })),
        say(serde_json::json!({ "id": 2, "method": "hooks/list", "params": { "cwds": [folder] } })),
    ];
    let question = asked.join("\n") + "\n";
    let parse = |line: &str| serde_json::from_str::<Value>(line).ok().filter(|line| line["id"] == 2);
    let environment = Environment::inherited();
    let line = ask(&["codex", "app-server"], folder, &environment, &question, LIMIT, &|line| parse(line).is_some())?;
    let answer = parse(&line)?;
    let mut hooks =
        answer["result"]["data"].as_array()?.iter().flat_map(|data| data["hooks"].as_array().into_iter().flatten());
    let is_ours = |hook: &&Value| hook["command"].as_str().is_some_and(|command| command.ends_with(" hook codex"));
    let ours: Vec<&Value> = hooks.by_ref().filter(is_ours).collect();
    Some(!ours.is_empty() && ours.iter().all(|hook| hook["trustStatus"] == "trusted" && hook["enabled"] != false))
}
