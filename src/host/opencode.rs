//! opencode. Seen with 1.18.33.

mod hook;
mod setup;

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::json;

use super::{
    AnswerSource, AnswerText, ClientAnswer, ClientCommand, ClientExit, Host, JudgeCall, Session, Variable, arguments,
    home, or_scratch, silence, value, words,
};

pub(super) struct Opencode;

/// The plugin that opencode loads at its start, from the project or the user's folder. It calls `plan hook opencode`.
pub const EXTENSION: &str = include_str!("opencode/plan.ts");

/// One line of `--format json`.
#[derive(Deserialize)]
struct OpencodeEvent {
    #[serde(rename = "type")]
    kind: String,
    part: Option<MessagePart>,
    error: Option<serde_json::Value>,
}

#[derive(Deserialize)]
struct MessagePart {
    #[serde(rename = "messageID")]
    message: Option<String>,
    text: Option<String>,
    reason: Option<String>,
}

impl Host for Opencode {
    fn name(&self) -> &'static str {
        "opencode"
    }

    fn title(&self) -> &'static str {
        "opencode"
    }

    fn setup(&self) -> &'static dyn super::Setup {
        &setup::Opencode
    }

    fn hooks(&self) -> &'static dyn super::Hooks {
        &hook::HOOKS
    }

    fn session(&self, variable: Variable<'_>) -> Option<Session> {
        let marked = variable("OPENCODE").is_some_and(|value| value == "1");
        let id = value(variable, "OPENCODE_SESSION_ID");
        (marked || id.is_some()).then_some(Session { id, model: None })
    }

    fn package(&self) -> &'static str {
        "opencode-ai"
    }

    fn session_variables(&self) -> &'static [&'static str] {
        &[
            "AGENT", "OPENCODE", "OPENCODE_CALLER", "OPENCODE_CLIENT", "OPENCODE_PID", "OPENCODE_PROCESS_ROLE",
            "OPENCODE_RUN_ID", "OPENCODE_SERVER_*", "OPENCODE_SESSION_ID", "OPENCODE_WORKSPACE_ID",
        ]
    }

    fn redirecting_variables(&self) -> &'static [&'static str] {
        &[
            "ANTHROPIC_BASE_URL", "BUN_OPTIONS", "OPENAI_BASE_URL", "OPENCODE_AUTH_CONTENT", "OPENCODE_CONFIG",
            "OPENCODE_CONFIG_DIR", "OPENCODE_MODELS_PATH", "OPENCODE_MODELS_URL", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
        ]
    }

    fn sandboxes_itself(&self) -> bool {
        false
    }

    fn state(&self, variable: Variable<'_>) -> Vec<PathBuf> {
        FOLDERS.into_iter().filter_map(|(instead, below)| folder(variable, instead, below)).collect()
    }

    fn judge(&self, ask: &JudgeCall<'_>, variable: Variable<'_>) -> ClientCommand {
        let mut argv = vec!["opencode".into(), "run".into()];
        // With a title given, the client sends no request for one.
        arguments(&mut argv, ["--agent", AGENT, "--title", AGENT, "--format", "json"]);
        if let Some(model) = ask.model {
            argv.extend(["--model".into(), model.into()]);
        }
        // The rules also apply to any other agent: if the client does not find this one, it uses its own, which can write.
        let mut rules = match ask.reads {
            true => json!({ "*": "deny", "read": "allow", "grep": "allow", "glob": "allow", "list": "allow" }),
            false => json!({ "*": "deny" }),
        };
        let everywhere = rules.to_string();
        if let Some(rules) = rules.as_object_mut() {
            let outside = json!({ "*": "deny", format!("{}/**", ask.scratch.display()): "allow", format!("{}/**", ask.top.display()): "allow" });
            rules.insert("external_directory".to_owned(), outside);
        }
        let config = json!({
            "agent": { AGENT: { "mode": "primary", "permission": rules } },
            "share": "disabled",
            "snapshot": false,
            "autoupdate": false,
        });
        let mut env = vec![
            ("OPENCODE_CONFIG_CONTENT", config.to_string().into()),
            ("OPENCODE_PERMISSION", everywhere.into()),
            ("OPENCODE_DB", ":memory:".into()),
            ("OPENCODE_PURE", "1".into()),
            ("OPENCODE_DISABLE_PROJECT_CONFIG", "1".into()),
            ("OPENCODE_DISABLE_AUTOUPDATE", "1".into()),
            ("OPENCODE_DISABLE_CLAUDE_CODE", "1".into()),
            ("OPENCODE_DISABLE_EXTERNAL_SKILLS", "1".into()),
            ("OPENCODE_DISABLE_LSP_DOWNLOAD", "1".into()),
            ("OPENCODE_DISABLE_MODELS_FETCH", "1".into()),
            ("OPENCODE_DISABLE_SHARE", "1".into()),
        ];
        for (instead, below) in FOLDERS {
            env.extend(or_scratch(folder(variable, instead, below), instead, ask));
        }
        // The user's settings, but not the files beside them: AGENTS.md, agents, commands, plugins.
        env.push(("XDG_CONFIG_HOME", ask.scratch.join("config").into()));
        if value(variable, "OPENCODE_CONFIG").is_none() {
            env.extend(settings(variable).map(|path| ("OPENCODE_CONFIG", path.into())));
        }
        // The user's cache instead of one in the scratch folder: it holds the list of models, the providers' packages and the
        // search program, which the client would otherwise download again.
        let [(instead, below), ..] = FOLDERS;
        if !env.iter().any(|(name, _)| *name == instead) {
            env.extend(home(variable, instead, below).map(|path| (instead, path.into())));
        }
        // Not in the repository: the client runs the plugins of a project's `.opencode` despite all these switches, and notes the
        // project in `.git` (opencode 1.18.33).
        ClientCommand { argv, cwd: ask.scratch.into(), env, files: Vec::new(), answer: AnswerSource::Stdout }
    }

    fn answer(&self, ran: &ClientExit<'_>) -> Result<ClientAnswer, String> {
        let lines = ran.answer.split(|&byte| byte == b'\n');
        let events: Vec<OpencodeEvent> = lines.filter_map(|line| serde_json::from_slice(line).ok()).collect();
        if let Some(error) = events.iter().rev().find_map(|event| event.error.as_ref()) {
            return Err(no_verdict(&error_words(error)));
        }
        // The answer is the texts of the message that ends the work.
        let last = events.iter().rev().find(|event| event.kind == "step_finish").and_then(|event| event.part.as_ref());
        let Some(last) = last.filter(|part| ran.exit == Some(0) && part.reason.as_deref() == Some("stop")) else {
            return Err(silence("opencode", ran));
        };
        let texts = events.iter().filter(|event| event.kind == "text").filter_map(|event| event.part.as_ref());
        let texts = texts.filter(|part| part.message == last.message).filter_map(|part| part.text.as_deref());
        match texts.collect::<Vec<_>>().join("\n") {
            text if text.trim().is_empty() => Err(no_verdict("")),
            text => Ok(ClientAnswer { said: AnswerText::Text(text.into_bytes()), model: None }),
        }
    }

    fn work(&self, root: &Path, _: &Path, model: Option<&str>) -> ClientCommand {
        let mut argv = vec!["opencode".into(), "run".into(), "--format".into(), "json".into()];
        if let Some(model) = model {
            argv.extend(["--model".into(), model.into()]);
        }
        ClientCommand { argv, cwd: root.into(), env: Vec::new(), files: Vec::new(), answer: AnswerSource::Stdout }
    }

    fn said(&self, ran: &ClientExit<'_>) -> Result<String, String> {
        self.answer(ran).map(|answer| match answer.said {
            AnswerText::Object(bytes) | AnswerText::Text(bytes) => String::from_utf8_lossy(&bytes).trim().to_owned(),
        })
    }
}

/// The folders that the client writes to: the variable that names the parent folder, and the default below the home folder.
const FOLDERS: [(&str, &str); 2] = [("XDG_CACHE_HOME", ".cache"), ("XDG_DATA_HOME", ".local/share")];

/// Returns the user's settings file.
fn settings(variable: Variable<'_>) -> Option<PathBuf> {
    let folder = folder(variable, "XDG_CONFIG_HOME", ".config")?;
    ["opencode.jsonc", "opencode.json", "config.json"]
        .into_iter()
        .map(|name| folder.join(name))
        .find(|path| path.exists())
}

fn folder(variable: Variable<'_>, instead: &str, below: &str) -> Option<PathBuf> {
    Some(home(variable, instead, below)?.join("opencode"))
}

const AGENT: &str = "plan-judge";

fn no_verdict(said: &str) -> String {
    format!("`opencode` gave no answer: {}", words(said, "it printed nothing"))
}

fn error_words(error: &serde_json::Value) -> String {
    let said =
        [&error["data"]["message"], &error["message"], &error["name"]].into_iter().find_map(|value| value.as_str());
    said.unwrap_or_default().to_owned()
}
