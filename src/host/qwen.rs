//! Qwen Code. Seen with 0.24.4.

mod hook;
mod setup;

use std::path::{Path, PathBuf};

use super::{
    AnswerSource, AnswerText, ClientAnswer, ClientCommand, ClientExit, Host, JudgeCall, Session, Variable, arguments,
    home, or_scratch, silence, value,
};

pub(super) struct Qwen;

/// Tools that are excluded for a judge, whatever else denies them. `tool_search` is among them: without it all tools are listed.
const WITHOUT: [&str; 22] = [
    "agent", "cron_create", "cron_delete", "cron_list", "edit", "enter_worktree", "exit_worktree", "get_goal",
    "list_agents", "loop_wakeup", "read_mcp_resource", "record_artifact", "report_findings", "run_shell_command",
    "send_message", "skill", "task_stop", "tool_call", "tool_search", "update_goal", "web_fetch", "write_file",
];

impl Host for Qwen {
    fn name(&self) -> &'static str {
        "qwen"
    }

    fn title(&self) -> &'static str {
        "Qwen Code"
    }

    fn setup(&self) -> &'static dyn super::Setup {
        &setup::Qwen
    }

    fn hooks(&self) -> &'static dyn super::Hooks {
        &hook::HOOKS
    }

    fn session(&self, variable: Variable<'_>) -> Option<Session> {
        let marked = variable("QWEN_CODE").is_some_and(|value| value == "1");
        let id = value(variable, "QWEN_CODE_SESSION_ID");
        (marked || id.is_some()).then(|| Session { id, model: value(variable, "QWEN_CODE_MODEL") })
    }

    fn package(&self) -> &'static str {
        "qwen-code"
    }

    fn session_variables(&self) -> &'static [&'static str] {
        &[
            "CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "QWEN_CODE", "QWEN_CODE_AGENT_ID", "QWEN_CODE_CLI",
            "QWEN_CODE_LAUNCHER_PID", "QWEN_CODE_MANAGED_*", "QWEN_CODE_MODEL", "QWEN_CODE_MODEL_IDENTITY",
            "QWEN_CODE_NO_RELAUNCH", "QWEN_CODE_PRIVATE_*", "QWEN_CODE_PROJECT_DIR", "QWEN_CODE_PROMPT_ID",
            "QWEN_CODE_SESSION_ID", "QWEN_CODE_STARTUP_VERSION", "QWEN_PROJECT_DIR",
        ]
    }

    fn redirecting_variables(&self) -> &'static [&'static str] {
        &["NODE_OPTIONS", "OPENAI_BASE_URL", "QWEN_CODE_SYSTEM_SETTINGS_PATH", "QWEN_HOME"]
    }

    fn sandboxes_itself(&self) -> bool {
        false
    }

    fn state(&self, variable: Variable<'_>) -> Vec<PathBuf> {
        folder(variable).into_iter().collect()
    }

    fn judge(&self, ask: &JudgeCall<'_>, variable: Variable<'_>) -> ClientCommand {
        let mut argv = vec!["qwen".into()];
        if let Some(model) = ask.model {
            argv.extend(["-m".into(), model.into()]);
        }
        // No hooks, extensions, skills, servers or QWEN.md; nothing is written, run or saved.
        arguments(&mut argv, ["--safe-mode", "--approval-mode", "plan", "--chat-recording=false"]);
        argv.extend(["--include-directories".into(), ask.top.into()]);
        // Besides the reading tools, the client has tools that start agents, fetch pages, or call unlisted tools.
        argv.extend(["--exclude-tools".into(), WITHOUT.join(",").into()]);
        arguments(&mut argv, ["--json-schema", ask.schema]);
        let mut env = vec![("QWEN_SANDBOX", "false".into())];
        env.extend(or_scratch(folder(variable), "QWEN_HOME", ask));
        ClientCommand { argv, cwd: ask.scratch.into(), env, files: Vec::new(), answer: AnswerSource::Stdout }
    }

    fn answer(&self, ran: &ClientExit<'_>) -> Result<ClientAnswer, String> {
        // A success is exit 0 with the object alone on standard output.
        if ran.exit == Some(0) && !ran.answer.trim_ascii().is_empty() {
            return Ok(ClientAnswer { said: AnswerText::Object(ran.answer.to_vec()), model: None });
        }
        Err(silence("qwen", ran))
    }

    fn work(&self, root: &Path, _: &Path, model: Option<&str>) -> ClientCommand {
        let mut argv = vec!["qwen".into()];
        if let Some(model) = model {
            argv.extend(["-m".into(), model.into()]);
        }
        ClientCommand { argv, cwd: root.into(), env: Vec::new(), files: Vec::new(), answer: AnswerSource::Stdout }
    }
}

/// Returns the folder with the login and the settings.
fn folder(variable: Variable<'_>) -> Option<PathBuf> {
    home(variable, "QWEN_HOME", ".qwen")
}
