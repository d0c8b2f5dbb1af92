//! Passes the session of a call on to the command, as the variables that the client's own shell would have set.

use rmcp::model::RequestMetaObject;

use crate::process::environment::Environment;

/// The maximum length of a session name.
const LONGEST: usize = 200;

/// Returns the environment of a call: the server's own, and the session if only the call names it. Codex (0.169.0)
/// starts its servers with few variables and none of its own; without the session there would be no default judge.
pub(super) fn environment(meta: &RequestMetaObject) -> Environment {
    let environment = Environment::inherited();
    let turn = meta.0.get("x-codex-turn-metadata");
    let session = turn.and_then(|turn| turn.get("session_id")).and_then(|id| id.as_str());
    match session.filter(|id| (1..=LONGEST).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_graphic())) {
        Some(session) => environment.set("CODEX_THREAD_ID", session),
        None => environment,
    }
}
