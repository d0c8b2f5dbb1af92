//! OpenAI Codex. Seen with 0.169.0.

mod hook;
mod setup;

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{
    AnswerSource, AnswerText, ClientAnswer, ClientCommand, ClientExit, Host, JudgeCall, Session, Variable, arguments,
    home, silence, value, words,
};

pub(super) struct Codex;

/// Features that are switched off for a judge; each saves a tool, a text or a long wait. The shell stays, because the judge reads
/// with it, inside the client's own sandbox. These are settings because `--disable` refuses unknown names.
const WITHOUT: [&str; 13] = [
    "apps", "daemon_auto_start", "goals", "hooks", "image_generation", "memories", "multi_agent", "plugins",
    "remote_plugin", "skill_search", "tool_suggest", "unbounded_connection_retries", "view_image",
];

/// Settings that override the user's. The shell's environment holds no secret, so that the model cannot reveal one.
const SETTINGS: [&str; 6] = [
    "web_search=\"disabled\"",
    "notify=[]",
    "project_doc_max_bytes=0",
    "skills.include_instructions=false",
    "include_apps_instructions=false",
    "shell_environment_policy.exclude=[\"*KEY*\",\"*PASSWORD*\",\"*SECRET*\",\"*TOKEN*\"]",
];

/// One line of `--json`.
#[derive(Deserialize)]
struct CodexEvent {
    #[serde(rename = "type")]
    kind: String,
    message: Option<String>,
    error: Option<Failure>,
}

#[derive(Deserialize)]
struct Failure {
    message: Option<String>,
}

impl Host for Codex {
    fn name(&self) -> &'static str {
        "codex"
    }

    fn title(&self) -> &'static str {
        "Codex"
    }

    fn setup(&self) -> &'static dyn super::Setup {
        &setup::Codex
    }

    fn hooks(&self) -> &'static dyn super::Hooks {
        &hook::HOOKS
    }

    fn session(&self, variable: Variable<'_>) -> Option<Session> {
        let marked = ["CODEX_THREAD_ID", "CODEX_VERSION"].into_iter().any(|name| variable(name).is_some());
        let id = value(variable, "CODEX_SESSION_ID").or_else(|| value(variable, "CODEX_THREAD_ID"));
        marked.then_some(Session { id, model: None })
    }

    fn package(&self) -> &'static str {
        "codex"
    }

    fn session_variables(&self) -> &'static [&'static str] {
        &[
            "CODEX_CI", "CODEX_PERMISSION_PROFILE", "CODEX_SANDBOX*", "CODEX_SESSION_ID", "CODEX_THREAD_ID",
            "CODEX_TOOL_CALL_ID", "CODEX_VERSION",
        ]
    }

    fn redirecting_variables(&self) -> &'static [&'static str] {
        &["CODEX_HOME", "NODE_OPTIONS", "OPENAI_BASE_URL"]
    }

    fn sandboxes_itself(&self) -> bool {
        true
    }

    fn state(&self, variable: Variable<'_>) -> Vec<PathBuf> {
        home(variable, "CODEX_HOME", ".codex").into_iter().collect()
    }

    fn judge(&self, ask: &JudgeCall<'_>, variable: Variable<'_>) -> ClientCommand {
        let (schema, last) = (ask.scratch.join("schema.json"), ask.scratch.join("last.json"));
        let mut argv = vec!["codex".into(), "exec".into()];
        arguments(&mut argv, ["--json", "--ephemeral", "--ignore-rules", "--skip-git-repo-check", "-s", "read-only"]);
        // Not in the repository: there the client runs `git status`, which runs the filters of `.git/config`, and if the user
        // trusts the project it starts the servers of `.codex/config.toml` (codex 0.169.0).
        argv.extend(["-C".into(), ask.scratch.into()]);
        argv.extend(["--output-schema".into(), schema.clone().into(), "-o".into(), last.clone().into()]);
        if let Some(model) = ask.model {
            argv.push(format!("--model={model}").into());
        }
        let shell: &[&str] = if ask.reads { &[] } else { &["shell_tool", "unified_exec"] };
        let without = [&WITHOUT, shell].concat();
        arguments(&mut argv, ["-c", &format!("features={{{}=false}}", without.join("=false,"))]);
        SETTINGS.iter().for_each(|setting| arguments(&mut argv, ["-c", setting]));
        match without_servers(variable) {
            Some(None) => {}
            Some(Some(setting)) => arguments(&mut argv, ["-c", &setting]),
            None => arguments(&mut argv, ["--ignore-user-config"]),
        }
        argv.push("-".into());
        ClientCommand {
            argv,
            cwd: ask.scratch.into(),
            env: Vec::new(),
            files: vec![(schema, ask.schema.as_bytes().to_vec())],
            answer: AnswerSource::File(last),
        }
    }

    fn answer(&self, ran: &ClientExit<'_>) -> Result<ClientAnswer, String> {
        if ran.exit == Some(0) && !ran.answer.trim_ascii().is_empty() {
            return Ok(ClientAnswer { said: AnswerText::Object(ran.answer.to_vec()), model: None });
        }
        let said = failure(ran.stdout).ok_or_else(|| silence("codex", ran))?;
        Err(match missing_variable(&said) {
            Some(name) => format!(
                "`codex` needs the variable `{name}`, which is not set here. `plan install codex` passes it on to \
                 `plan mcp`: {ENV_VARS} = [\"{name}\"] below [mcp_servers.plan]"
            ),
            None => format!("`codex` returned no JSON answer: {}", words(&said, "it printed nothing")),
        })
    }

    fn work(&self, root: &Path, scratch: &Path, model: Option<&str>) -> ClientCommand {
        let last = scratch.join("last.txt");
        let mut argv = vec!["codex".into(), "exec".into(), "-o".into(), last.clone().into()];
        if let Some(model) = model {
            argv.push(format!("--model={model}").into());
        }
        // Without a network the client would wait for ever.
        arguments(&mut argv, ["-c", "features={unbounded_connection_retries=false}", "-"]);
        ClientCommand { argv, cwd: root.into(), env: Vec::new(), files: Vec::new(), answer: AnswerSource::File(last) }
    }
}

/// The setting for the variables that an MCP server gets.
const ENV_VARS: &str = "env_vars";

/// Returns the variables with the keys of the providers in the user's configuration: `env_key` of the selected provider, and of
/// the providers that its profiles select.
fn provider_keys(variable: Variable<'_>) -> Vec<String> {
    let path = home(variable, "CODEX_HOME", ".codex").map(|folder| folder.join("config.toml"));
    let text = path.and_then(|path| std::fs::read_to_string(path).ok()).unwrap_or_default();
    let Ok(config) = text.parse::<toml::Table>() else { return Vec::new() };
    let profiles = config.get("profiles").and_then(toml::Value::as_table);
    let settings = std::iter::once(&config)
        .chain(profiles.into_iter().flat_map(toml::Table::values).filter_map(toml::Value::as_table));
    let names = settings.filter_map(|table| table.get("model_provider")?.as_str());
    let key = |name: &str| config.get("model_providers")?.get(name)?.get("env_key")?.as_str().map(str::to_owned);
    let mut keys: Vec<String> = names.filter_map(key).collect();
    keys.sort();
    keys.dedup();
    keys
}

/// Returns the setting that switches off the user's MCP servers, whose tools run outside the sandbox. It names each server: an empty
/// table would be merged with the user's and clear nothing. `Some(None)` if there are no servers; `None` if the file cannot be read.
fn without_servers(variable: Variable<'_>) -> Option<Option<String>> {
    let path = home(variable, "CODEX_HOME", ".codex")?.join("config.toml");
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Some(None),
        Err(_) => return None,
    };
    let table: toml::Table = text.parse().ok()?;
    let Some(servers) = table.get("mcp_servers") else { return Some(None) };
    // A JSON string is a TOML string, except for one escape that is longer in TOML.
    let names = servers.as_table()?.keys().map(|name| serde_json::Value::from(name.as_str()).to_string());
    let off: Vec<_> = names.map(|name| format!("{name}={{enabled=false}}")).collect();
    Some((!off.is_empty()).then(|| format!("mcp_servers={{{}}}", off.join(","))))
}

/// Returns the variable of the provider's `env_key`, if the client reports that it is not set.
fn missing_variable(said: &str) -> Option<&str> {
    let (name, _) = said.strip_prefix("Missing environment variable: `")?.split_once('`')?;
    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_').then_some(name)
}

/// Returns the last failure in the events. Warnings (`item.completed` with an item of type `error`) are not failures.
fn failure(stdout: &[u8]) -> Option<String> {
    let events = stdout.split(|&byte| byte == b'\n').rev();
    events.filter_map(|line| serde_json::from_slice::<CodexEvent>(line).ok()).find_map(|event| {
        match event.kind.as_str() {
            "turn.failed" => event.error?.message,
            "error" => event.message,
            _ => None,
        }
    })
}
