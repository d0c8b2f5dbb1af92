//! What a client says about the session that calls, handed on as the variables that its own shell would have set.

use rmcp::model::RequestMetaObject;

use crate::process::environment::Environment;

/// The longest name of a session that is believed.
const LONGEST: usize = 200;

/// The environment of a call: what the server was given, and the session where only the call tells it. Codex starts its
/// servers with a handful of variables and none of its own (0.169.0); the judge by default is then unknown.
pub(super) fn environment(meta: &RequestMetaObject) -> Environment {
    let environment = Environment::inherited();
    let turn = meta.0.get("x-codex-turn-metadata");
    let session = turn.and_then(|turn| turn.get("session_id")).and_then(|id| id.as_str());
    match session.filter(|id| (1..=LONGEST).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_graphic())) {
        Some(session) => environment.set("CODEX_THREAD_ID", session),
        None => environment,
    }
}
