//! Sends a real event to a hook's program, in a throwaway folder with a plan of its own, and looks for that plan in the answer.

use std::path::Path;
use std::time::Duration;

use crate::disk::Temporary;
use crate::error::{Error, Kind, Result};
use crate::host::Host;
use crate::process::capture::capture_within;
use crate::process::environment::Environment;
use crate::{config, host};

/// The answer of a hook.
pub(super) enum ProbeAnswer {
    /// The hook printed the plan.
    Plan,
    /// The hook printed nothing, because the user switched all hooks off.
    Disabled,
    /// The hook printed no plan; the text tells how it ended.
    Nothing(String),
}

/// The text that the answer must contain.
const SUBJECT: &str = "Answer the doctor";
const PLAN: &str = "# Plan: Doctor\n\n## Goal: Answer the doctor\n<!-- id: answer-1 -->\nstatus: active\n\
    done_when: the answer holds this goal\nverify: true\n\n## Log\n";
/// The time limit. The clients wait for 5 to 20 seconds.
const LIMIT: Duration = Duration::from_secs(5);

/// Runs `program hook HOST`, without a shell.
///
/// # Errors
/// [`Kind::Unknown`] if the folder cannot be made; [`Kind::Interrupted`].
pub(super) fn answer(host: &dyn Host, program: &Path) -> Result<ProbeAnswer> {
    let made = |error: std::io::Error| Error::new(Kind::Unknown, format!("cannot make a folder for a hook: {error}"));
    let temporary = Temporary::make("plan-doctor-").map_err(made)?;
    let folder = temporary.folder().join("work");
    std::fs::create_dir(&folder).and_then(|()| std::fs::write(folder.join("plan.md"), PLAN)).map_err(made)?;
    let mut payload = host.hooks().sample();
    payload["session_id"] = "doctor".into();
    payload["cwd"] = folder.to_string_lossy().into_owned().into();
    payload["transcript_path"] = folder.join("transcript.jsonl").to_string_lossy().into_owned().into();
    let unset = [config::PLAN_FILE, config::PLAN_LOOP, "QWEN_PROJECT_DIR", "QWEN_CODE_AGENT_ID"];
    let environment =
        unset.into_iter().fold(Environment::without_git().remove_if(host::is_session_variable), Environment::remove);
    let environment = environment.set("XDG_STATE_HOME", temporary.folder().join("state"));
    let words = ["hook", host.name()];
    let ran = match capture_within(Some(LIMIT), program, words, &folder, &environment, payload.to_string().as_bytes()) {
        Ok(ran) => ran,
        Err(error) if error.kind == Kind::Interrupted => return Err(error),
        Err(error) => return Ok(ProbeAnswer::Nothing(format!("did not answer: {}", error.message))),
    };
    Ok(if String::from_utf8_lossy(&ran.stdout).contains(SUBJECT) {
        ProbeAnswer::Plan
    } else if config::is_disabled() {
        ProbeAnswer::Disabled
    } else if ran.status.success() && ran.stdout.trim_ascii().is_empty() {
        ProbeAnswer::Nothing("prints no answer to a real event".to_owned())
    } else {
        let said = String::from_utf8_lossy(&ran.stderr);
        let said = said.lines().next().map(|line| format!(", {line}")).unwrap_or_default();
        ProbeAnswer::Nothing(format!("answers without the plan ({}{said})", ran.status))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Moment;

    /// Each host reads the sample event as a moment at which it gets the plan.
    #[test]
    fn each_host_reads_its_event() {
        for host in host::HOSTS {
            let mut payload = host.hooks().sample();
            payload["session_id"] = "doctor".into();
            let event = host.hooks().event(payload.to_string().as_bytes(), &|_| None).unwrap();
            assert!(matches!(event.moment, Moment::Start(_) | Moment::Prompt(_) | Moment::Request), "{}", host.name());
        }
    }
}
