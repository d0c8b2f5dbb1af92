//! pi. Seen with 1.5.2, 0.87.1 and 0.73.1.

mod hook;
pub(super) mod setup;

use std::path::{Path, PathBuf};

use super::{
    AnswerSource, AnswerText, ClientAnswer, ClientCommand, ClientExit, Host, JudgeCall, Session, Variable, arguments,
    home, or_scratch, silence, value,
};

pub(super) struct Pi;

/// The extension that pi loads at its start, from the project or the user's folder. It calls `plan hook pi`.
pub const EXTENSION: &str = include_str!("pi/plan.ts");

impl Host for Pi {
    fn name(&self) -> &'static str {
        "pi"
    }

    fn title(&self) -> &'static str {
        "pi"
    }

    fn setup(&self) -> &'static dyn super::Setup {
        &setup::Pi
    }

    fn hooks(&self) -> &'static dyn super::Hooks {
        &hook::HOOKS
    }

    fn session(&self, variable: Variable<'_>) -> Option<Session> {
        // pi sets the first two for every process that it starts, and the session's variables only for its shell tool.
        let agent = variable("AI_AGENT").is_some_and(|value| value == "pi");
        let marked = agent || variable("PI_CODING_AGENT").is_some() || variable("PI_SESSION_ID").is_some();
        let model = value(variable, "PI_PROVIDER").zip(value(variable, "PI_MODEL"));
        let model = model.map(|(provider, model)| format!("{provider}/{model}"));
        marked.then(|| Session { id: value(variable, "PI_SESSION_ID"), model })
    }

    fn package(&self) -> &'static str {
        "pi-coding-agent"
    }

    fn session_variables(&self) -> &'static [&'static str] {
        &[
            "AI_AGENT", "PI_CODING_AGENT", "PI_MODEL", "PI_PROVIDER", "PI_REASONING_LEVEL", "PI_SESSION_FILE",
            "PI_SESSION_ID", "PLAN_PI_PROCESS",
        ]
    }

    fn redirecting_variables(&self) -> &'static [&'static str] {
        &["NODE_OPTIONS", "OPENAI_BASE_URL", "PI_CODING_AGENT_DIR", "PI_PACKAGE_DIR"]
    }

    fn sandboxes_itself(&self) -> bool {
        false
    }

    fn state(&self, variable: Variable<'_>) -> Vec<PathBuf> {
        folder(variable).into_iter().collect()
    }

    fn judge(&self, ask: &JudgeCall<'_>, variable: Variable<'_>) -> ClientCommand {
        let mut argv = vec!["pi".into(), "-p".into()];
        if let Some(model) = ask.model {
            argv.extend(["--model".into(), model.into()]);
        }
        // A fixed set of tools; no extensions, servers, skills or AGENTS.md of the user or the repository; nothing is saved.
        match ask.reads {
            true => arguments(&mut argv, ["--tools", "read,grep,find,ls"]),
            false => arguments(&mut argv, ["--no-tools"]),
        }
        arguments(&mut argv, ["--no-session", "--no-extensions", "--no-mcp"]);
        arguments(&mut argv, ["--no-skills", "--no-prompt-templates", "--no-themes", "--no-context-files"]);
        arguments(&mut argv, ["--no-approve", "--offline"]);
        let mut env = vec![("PI_SKIP_VERSION_CHECK", "1".into()), ("PI_TELEMETRY", "0".into())];
        env.extend(or_scratch(folder(variable), "PI_CODING_AGENT_DIR", ask));
        ClientCommand { argv, cwd: ask.root.into(), env, files: Vec::new(), answer: AnswerSource::Stdout }
    }

    fn answer(&self, ran: &ClientExit<'_>) -> Result<ClientAnswer, String> {
        // Standard output holds only the last text, and is empty on an error.
        if ran.exit == Some(0) && !ran.answer.trim_ascii().is_empty() {
            return Ok(ClientAnswer { said: AnswerText::Text(ran.answer.to_vec()), model: None });
        }
        Err(silence("pi", ran))
    }

    fn work(&self, root: &Path, _: &Path, model: Option<&str>) -> ClientCommand {
        let mut argv = vec!["pi".into(), "-p".into()];
        if let Some(model) = model {
            argv.extend(["--model".into(), model.into()]);
        }
        ClientCommand { argv, cwd: root.into(), env: Vec::new(), files: Vec::new(), answer: AnswerSource::Stdout }
    }
}

/// Returns the folder with the login, the models and the search programs.
fn folder(variable: Variable<'_>) -> Option<PathBuf> {
    home(variable, "PI_CODING_AGENT_DIR", ".pi/agent")
}
