//! Gemini CLI. Seen with 0.61.0.

mod hook;
pub(super) mod setup;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::json;

use super::{
    AnswerSource, AnswerText, ClientAnswer, ClientCommand, ClientExit, Host, JudgeCall, Session, Variable, arguments,
    home, or_scratch, silence, value, words,
};

pub(super) struct Gemini;

/// The policy that denies all tools except those that read. Without it a model can leave plan mode by itself, and then do
/// anything.
const POLICY: &str = r#"[[rule]]
toolName = "*"
decision = "deny"
priority = 900
"#;

/// The tools that the policy allows.
const READS: &str = r#"
[[rule]]
toolName = ["read_file", "read_many_files", "list_directory", "glob", "grep_search"]
decision = "allow"
priority = 950
"#;

/// The output of `-o json`, on standard output after a success.
#[derive(Deserialize)]
struct Closing {
    response: Option<String>,
    #[serde(default)]
    stats: Stats,
}

#[derive(Default, Deserialize)]
struct Stats {
    #[serde(default)]
    models: BTreeMap<String, Model>,
}

#[derive(Deserialize)]
struct Model {
    #[serde(default)]
    roles: serde_json::Map<String, serde_json::Value>,
}

impl Stats {
    /// Returns the model that answered; another model may have selected it.
    fn main(self) -> Option<String> {
        self.models.into_iter().find(|(_, model)| model.roles.contains_key("main")).map(|(name, _)| name)
    }
}

/// The last object on standard error after a failure.
#[derive(Deserialize)]
struct Failure {
    error: Message,
}

#[derive(Deserialize)]
struct Message {
    message: String,
}

impl Host for Gemini {
    fn name(&self) -> &'static str {
        "gemini"
    }

    fn title(&self) -> &'static str {
        "Gemini CLI"
    }

    fn setup(&self) -> &'static dyn super::Setup {
        &setup::Gemini
    }

    fn hooks(&self) -> &'static dyn super::Hooks {
        &hook::HOOKS
    }

    fn session(&self, variable: Variable<'_>) -> Option<Session> {
        // Not `GEMINI_PROJECT_DIR`: Qwen Code sets it as well.
        let marked = variable("GEMINI_CLI").is_some_and(|value| value == "1");
        let id = value(variable, "GEMINI_SESSION_ID");
        (marked || id.is_some()).then_some(Session { id, model: None })
    }

    fn package(&self) -> &'static str {
        "gemini-cli"
    }

    fn session_variables(&self) -> &'static [&'static str] {
        &["GEMINI_CLI", "GEMINI_CWD", "GEMINI_PLANS_DIR", "GEMINI_PROJECT_DIR", "GEMINI_SESSION_ID"]
    }

    fn redirecting_variables(&self) -> &'static [&'static str] {
        &[
            "CODE_ASSIST_ENDPOINT", "GEMINI_CLI_HOME", "GEMINI_CLI_SYSTEM_DEFAULTS_PATH",
            "GEMINI_CLI_SYSTEM_SETTINGS_PATH", "GEMINI_SYSTEM_MD", "GOOGLE_GEMINI_BASE_URL", "GOOGLE_VERTEX_BASE_URL",
            "NODE_OPTIONS",
        ]
    }

    fn sandboxes_itself(&self) -> bool {
        false
    }

    fn state(&self, variable: Variable<'_>) -> Vec<PathBuf> {
        folder(variable).into_iter().collect()
    }

    fn judge(&self, ask: &JudgeCall<'_>, variable: Variable<'_>) -> ClientCommand {
        let policy = ask.scratch.join("policy.toml");
        let trusted = ask.scratch.join("trusted.json");
        let mut argv = vec!["gemini".into(), "-o".into(), "json".into()];
        if let Some(model) = ask.model {
            argv.extend(["-m".into(), model.into()]);
        }
        // The policy is both the user's and the administrator's: otherwise the user's own rules would count as well.
        argv.extend(["--policy".into(), policy.clone().into(), "--admin-policy".into(), policy.clone().into()]);
        arguments(&mut argv, ["-e", "none", "--allowed-mcp-server-names", "none"]);
        argv.extend(["--include-directories".into(), ask.top.into()]);
        let mut env = vec![
            ("GEMINI_CLI_TRUSTED_FOLDERS_PATH", trusted.clone().into()),
            ("GEMINI_CLI_NO_RELAUNCH", "true".into()),
            ("GEMINI_SANDBOX", "false".into()),
        ];
        env.extend(or_scratch(folder(variable), "GEMINI_CLI_HOME", ask));
        // Not in the repository: the client takes settings, hooks, servers and `.env` from the folder that it starts in. The
        // scratch folder is trusted, so that the settings there override the user's.
        let project = ask.scratch.join(".gemini");
        let trust = json!({ ask.scratch.to_string_lossy(): "TRUST_FOLDER" });
        let files = vec![
            (policy, [POLICY, if ask.reads { READS } else { "" }].concat().into_bytes()),
            (trusted, trust.to_string().into_bytes()),
            (project.join("settings.json"), settings().into_bytes()),
            (project.join(".env"), own_environment(variable)),
        ];
        ClientCommand { argv, cwd: ask.scratch.into(), env, files, answer: AnswerSource::Stdout }
    }

    fn answer(&self, ran: &ClientExit<'_>) -> Result<ClientAnswer, String> {
        let closing: Option<Closing> = serde_json::from_slice(ran.answer).ok();
        let Some(closing) = closing.filter(|_| ran.exit == Some(0)) else {
            return Err(failure(ran.stderr).map_or_else(|| silence("gemini", ran), |said| no_verdict(&said)));
        };
        match closing.response.filter(|text| !text.trim().is_empty()) {
            Some(text) => Ok(ClientAnswer { said: AnswerText::Text(text.into_bytes()), model: closing.stats.main() }),
            None => Err(no_verdict("")),
        }
    }

    fn work(&self, root: &Path, _: &Path, model: Option<&str>) -> ClientCommand {
        let mut argv = vec!["gemini".into()];
        if let Some(model) = model {
            argv.extend(["-m".into(), model.into()]);
        }
        ClientCommand { argv, cwd: root.into(), env: Vec::new(), files: Vec::new(), answer: AnswerSource::Stdout }
    }
}

/// Returns `.gemini` in the home folder, which has the login.
fn folder(variable: Variable<'_>) -> Option<PathBuf> {
    let home = home(variable, "GEMINI_CLI_HOME", "")?;
    Some(home.join(".gemini"))
}

/// Returns project settings that override the user's: no hooks, no second try. The login stays the user's. The client still reads
/// GEMINI.md of the user and the repository: a setting for another name adds a file and does not replace GEMINI.md.
fn settings() -> String {
    json!({
        "hooksConfig": { "enabled": false },
        "general": { "maxAttempts": 1, "enableAutoUpdate": false, "enableAutoUpdateNotification": false },
        "context": {
            "loadMemoryFromIncludeDirectories": false,
            // The repository's list of files that should not be read.
            "fileFiltering": { "respectGeminiIgnore": false },
        },
        "advanced": { "ignoreLocalEnv": true },
        "skills": { "enabled": false },
        "tools": { "sandbox": false },
    })
    .to_string()
}

/// Returns a copy of the user's own `.env` for the client, which reads the first `.env` from the working folder upward.
fn own_environment(variable: Variable<'_>) -> Vec<u8> {
    let home = || home(variable, "GEMINI_CLI_HOME", "");
    let own = |below: &Path| std::fs::read(home()?.join(below)).ok();
    own(Path::new(".gemini/.env")).or_else(|| own(Path::new(".env"))).unwrap_or_default()
}

fn no_verdict(said: &str) -> String {
    format!("`gemini` gave no answer: {}", words(said, "it printed nothing"))
}

/// Returns the client's own words, from the last object on standard error.
fn failure(stderr: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(stderr);
    let start = text.rfind("\n{").map_or(0, |at| at + 1);
    serde_json::from_str::<Failure>(&text[start..]).ok().map(|failure| failure.error.message)
}
