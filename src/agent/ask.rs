//! The planner of `plan ask`: a host's client or a program, read-only like a judge, that answers with one JSON object.

use std::path::Path;
use std::time::Duration;

use super::containment::Before;
use super::rounds::{AgentEnd, ParsedAnswer, rounds};
use super::shown_folder;
use crate::error::Result;
use crate::exchange::planner::{Reply, SCHEMA, reply};
use crate::prompt::Prompt;
use crate::signoff::judge::{JudgeQuestion, Reference, question};
use crate::store::Place;
use crate::verify::watch::Watch;

/// What is asked, and of whom.
pub struct AskRequest<'a> {
    /// A host or a program.
    pub agent: &'a Reference,
    /// Where plan.md is.
    pub place: &'a Place,
    /// The folder that a program with a relative path is looked up from.
    pub caller: &'a Path,
    /// The user's own text in place of the built-in prompt.
    pub template: Option<&'a str>,
    /// The person's words.
    pub request: &'a str,
    /// What happened so far.
    pub notes: &'a str,
    /// For each try.
    pub limit: Duration,
    /// Is told about each try, and about once a second how long it has taken.
    pub watch: &'a dyn Watch,
}

/// Asks. `check` says what is wrong with a reply that can be read.
///
/// # Errors
/// [`crate::error::Kind::Interrupted`]; [`crate::error::Kind::Input`] for a prompt that cannot be filled;
/// [`crate::error::Kind::Unknown`] if the repository cannot be read or no scratch folder can be made.
pub fn ask(asked: &AskRequest<'_>, check: &dyn Fn(&Reply) -> Vec<String>) -> Result<AgentEnd<Reply>> {
    let before = Before::look(asked.place, None)?;
    let root = asked.place.root.as_path();
    let path = shown_folder(root);
    let put = |found: &str| {
        let prompt = |nonce: &str| {
            let values = [
                ("request", asked.request),
                ("notes", asked.notes),
                ("found", found),
                ("path", path),
                ("nonce", nonce),
            ];
            Prompt::Ask.fill(asked.template, &values)
        };
        question(&JudgeQuestion {
            judge: asked.agent,
            role: "asking",
            top: asked.place.top.as_deref().unwrap_or(root),
            root: Some(root),
            caller: asked.caller,
            schema: SCHEMA,
            prompt: &prompt,
            limit: asked.limit,
            watch: asked.watch,
        })
    };
    rounds(&before, asked.watch, &put, &|answer| Ok(heard(answer, check)))
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
    // What is far too long is not sent back.
    let text = if text.len() > 16 << 10 { String::new() } else { text };
    ParsedAnswer { text, value, errors, warnings: Vec::new() }
}
