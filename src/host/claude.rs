//! Claude Code. Seen with 2.1.329 and 2.1.197.

mod hook;
mod setup;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{
    AnswerSource, AnswerText, ClientAnswer, ClientCommand, ClientExit, Host, JudgeCall, Session, Variable, arguments,
    home, silence, value, words,
};

pub(super) struct Claude;

/// The closing object of `--output-format json`. `subtype` says `success` on API errors too, so it is not read.
#[derive(Deserialize)]
struct Closing {
    is_error: Option<bool>,
    result: Option<String>,
    #[serde(default)]
    errors: Vec<String>,
    structured_output: Option<serde_json::Map<String, serde_json::Value>>,
    #[serde(default, rename = "modelUsage")]
    models: serde_json::Map<String, serde_json::Value>,
}

impl Host for Claude {
    fn name(&self) -> &'static str {
        "claude"
    }

    fn title(&self) -> &'static str {
        "Claude Code"
    }

    fn setup(&self) -> &'static dyn super::Setup {
        &setup::Claude
    }

    fn hooks(&self) -> &'static dyn super::Hooks {
        &hook::HOOKS
    }

    fn session(&self, variable: Variable<'_>) -> Option<Session> {
        let agent = variable("AI_AGENT").is_some_and(|value| value.to_string_lossy().starts_with("claude-code"));
        let marked = agent || variable("CLAUDECODE").is_some_and(|value| value == "1");
        marked.then(|| Session { id: value(variable, "CLAUDE_CODE_SESSION_ID"), model: None })
    }

    fn model_in(&self, conversation: &[u8]) -> Option<String> {
        #[derive(Deserialize)]
        struct Line {
            message: Message,
        }
        #[derive(Deserialize)]
        struct Message {
            model: String,
        }
        // A reply that the client made up itself (an API error) names `<synthetic>`.
        let lines = conversation.split(|byte| *byte == b'\n').rev();
        let mut models =
            lines.filter_map(|line| serde_json::from_slice::<Line>(line).ok()).map(|line| line.message.model);
        models.find(|model| !model.starts_with('<'))
    }

    fn package(&self) -> &'static str {
        "claude-code"
    }

    fn session_variables(&self) -> &'static [&'static str] {
        &[
            "AI_AGENT", "CLAUDECODE", "CLAUDE_CODE_CHILD_*", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_EXECPATH",
            "CLAUDE_CODE_MESSAGING_*", "CLAUDE_CODE_SESSION_*", "CLAUDE_EFFORT", "CLAUDE_ENV_FILE", "CLAUDE_PID",
            "CLAUDE_PROJECT_DIR",
        ]
    }

    fn redirecting_variables(&self) -> &'static [&'static str] {
        &[
            "ANTHROPIC_BASE_URL", "ANTHROPIC_BEDROCK_BASE_URL", "ANTHROPIC_CUSTOM_HEADERS",
            "ANTHROPIC_FOUNDRY_BASE_URL", "ANTHROPIC_MODEL", "ANTHROPIC_UNIX_SOCKET", "ANTHROPIC_VERTEX_BASE_URL",
            "CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_FOUNDRY", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CONFIG_DIR",
            "NODE_OPTIONS",
        ]
    }

    fn sandboxes_itself(&self) -> bool {
        false
    }

    fn state(&self, variable: Variable<'_>) -> Vec<PathBuf> {
        // The login is in that folder. `~/.claude.json` (counters, known projects) stays read-only: its lock and its replacement
        // would need write access to the home folder. With write access to the file alone, the client writes it in place and
        // without a lock, while the user's own sessions use it (2.1.329). The client also works without it.
        home(variable, "CLAUDE_CONFIG_DIR", ".claude").into_iter().collect()
    }

    fn judge(&self, ask: &JudgeCall<'_>, _: Variable<'_>) -> ClientCommand {
        let mut argv = vec!["claude".into(), "-p".into()];
        if let Some(model) = ask.model {
            argv.push(format!("--model={model}").into());
        }
        // A fixed set of tools and no questions; no settings, hooks, servers, skills or CLAUDE.md of user or repository;
        // nothing saved.
        arguments(
            &mut argv,
            [
                "--tools",
                if ask.reads { "Read,Grep,Glob" } else { "" },
                "--permission-mode",
                "dontAsk",
                "--setting-sources",
                "",
            ],
        );
        arguments(&mut argv, ["--strict-mcp-config", "--disable-slash-commands", "--no-session-persistence"]);
        arguments(&mut argv, ["--output-format", "json", "--json-schema", ask.schema]);
        // Reads outside the working folder are denied, except for these.
        argv.extend(["--add-dir".into(), ask.scratch.into()]);
        if ask.top != ask.root {
            argv.push(ask.top.into());
        }
        ClientCommand {
            argv,
            cwd: ask.root.into(),
            env: environment(ask.scratch),
            files: Vec::new(),
            answer: AnswerSource::Stdout,
        }
    }

    fn answer(&self, ran: &ClientExit<'_>) -> Result<ClientAnswer, String> {
        let Some(closing) = closing(ran.answer) else { return Err(silence("claude", ran)) };
        match closing.structured_output {
            // Exit 0 without the object happens: the model answered in prose (`--json-schema`, claude 2.1.329).
            Some(object) if ran.exit == Some(0) && closing.is_error == Some(false) => Ok(ClientAnswer {
                said: AnswerText::Object(serde_json::Value::Object(object).to_string().into_bytes()),
                model: only_key(closing.models),
            }),
            _ => {
                let said = closing.result.or_else(|| closing.errors.into_iter().next()).unwrap_or_default();
                Err(format!("`claude` returned no JSON answer: {}", words(&said, "it printed nothing")))
            }
        }
    }

    fn work(&self, root: &Path, _: &Path, model: Option<&str>) -> ClientCommand {
        let mut argv = vec!["claude".into(), "-p".into()];
        if let Some(model) = model {
            argv.push(format!("--model={model}").into());
        }
        ClientCommand { argv, cwd: root.into(), env: Vec::new(), files: Vec::new(), answer: AnswerSource::Stdout }
    }
}

/// Settings without a flag, tested with 2.1.329 and 2.1.197.
fn environment(scratch: &Path) -> Vec<(&'static str, OsString)> {
    vec![
        ("CLAUDE_CODE_MAX_RETRIES", "1".into()),
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1".into()),
        // Without this, `@path` in the prompt inserts that file, even from outside the repository.
        ("CLAUDE_CODE_DISABLE_ATTACHMENTS", "1".into()),
        // Leaves out the client's notes for this folder: the party being judged wrote them.
        ("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1".into()),
        // Leaves out branch, status and commit subjects, which would be beside the prompt and outside its fences.
        ("CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS", "1".into()),
        // Hides the repository from the client's own git calls: 2.1.197 runs the filters and the monitor of `.git/config`.
        ("GIT_DIR", scratch.join("no-repository").into()),
        ("CLAUDE_CODE_TMPDIR", scratch.into()),
    ]
}

/// Reads the closing object: all of standard output, or its last element if the user's `verbose` makes it a list.
fn closing(stdout: &[u8]) -> Option<Closing> {
    let value = match serde_json::from_slice(stdout).ok()? {
        serde_json::Value::Array(mut events) => events.pop()?,
        value => value,
    };
    serde_json::from_value(value).ok()
}

/// Returns the model, if only one was used. The client may use a smaller model for side work, and then does not say which answered.
fn only_key(models: serde_json::Map<String, serde_json::Value>) -> Option<String> {
    let mut names = models.into_iter().map(|(name, _)| name);
    names.next().filter(|_| names.next().is_none())
}
