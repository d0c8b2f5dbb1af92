//! The planner of `plan ask`: a host's client or a program, read-only like a judge, that answers with one JSON object.

use super::containment::Before;
use super::rounds::{AgentCall, AgentEnd, ParsedAnswer, rounds};
use crate::error::Result;
use crate::exchange::planner::{Reply, SCHEMA, reply};
use crate::prompt::Prompt;
use crate::signoff::judge::question;

/// A user's request, and the agent to ask.
pub struct AskRequest<'a> {
    /// The agent, and how to call it.
    pub call: AgentCall<'a>,
    /// The user's words.
    pub request: &'a str,
    /// The events so far, as `plan` describes them.
    pub notes: &'a str,
}

/// Asks the planner. `check` returns the faults of a reply that could be parsed.
///
/// # Errors
/// [`crate::error::Kind::Interrupted`]; [`crate::error::Kind::Input`] for a prompt that cannot be filled;
/// [`crate::error::Kind::Unknown`] if the repository cannot be read or no scratch folder can be made.
pub fn ask(asked: &AskRequest<'_>, check: &dyn Fn(&Reply) -> Vec<String>) -> Result<AgentEnd<Reply>> {
    let call = &asked.call;
    let before = Before::look(call.place, None)?;
    let put = |found: &str| {
        let prompt = |nonce: &str| {
            let values = [
                ("request", asked.request),
                ("notes", asked.notes),
                ("found", found),
                ("path", call.shown_folder()),
                ("nonce", nonce),
            ];
            Prompt::Ask.fill(call.template, &values)
        };
        question(&call.question("asking", SCHEMA, &prompt))
    };
    rounds(&before, call.watch, &put, &|answer| Ok(heard(answer, check)))
}

fn heard(answer: &[u8], check: &dyn Fn(&Reply) -> Vec<String>) -> ParsedAnswer<Reply> {
    let text = String::from_utf8_lossy(answer).into_owned();
    let (value, errors) = match reply(answer) {
        Ok(reply) => {
            let errors = check(&reply);
            (Some(reply), errors)
        }
        Err(violations) => (None, violations.iter().map(ToString::to_string).collect()),
    };
    // Do not send back an answer that is far too long.
    let text = if text.len() > 16 << 10 { String::new() } else { text };
    ParsedAnswer { text, value, errors, warnings: Vec::new() }
}
