//! The loop judge (`INJECTION.md` §5): a small model call about the end of a reply. It answers with one JSON object only.

use std::time::Duration;

use serde::Deserialize;

use crate::config::{self, Config, LOOP_JUDGE_SECONDS};
use crate::error::{Error, Kind, Result};
use crate::host;
use crate::prompt::Prompt;
use crate::session::loop_driver::{Asker, JudgeOutcome, Question};
use crate::signoff::judge::{JudgeQuestion, Reference, WriteProtection, of_session, question};
use crate::store::Place;
use crate::verify::watch::NoProgress;

/// Asks the judge of the user's configuration, else the session's own host and model. Every failure is an outcome, never an
/// error: the loop continues without an answer.
pub fn judge(asked: &Question, place: &Place) -> JudgeOutcome {
    ask(asked, place).unwrap_or_else(|error| match error.kind {
        Kind::Interrupted => JudgeOutcome::Interrupted,
        _ => JudgeOutcome::Failed(error.message),
    })
}

fn ask(asked: &Question, place: &Place) -> Result<JudgeOutcome> {
    let config = config::load()?;
    let Some(judge) = reference(&config, asked, place)? else { return Ok(JudgeOutcome::NotAsked) };
    if config.require_sandbox && WriteProtection::of(&judge) == WriteProtection::None {
        return Err(Error::new(Kind::Unknown, format!("the loop judge `{judge}` would run without a sandbox")));
    }
    let other = config::prompt_override(Prompt::LoopJudge.file_name())?;
    let prompt = |nonce: &str| {
        let values = [("nonce", nonce), ("goals", &asked.goals), ("reply", &asked.reply)];
        Prompt::LoopJudge.fill(other.as_deref(), &values)
    };
    let seconds = config.judge_timeout.map_or(LOOP_JUDGE_SECONDS, |limit| limit.min(LOOP_JUDGE_SECONDS));
    let reply = question(&JudgeQuestion {
        judge: &judge,
        role: "judge",
        root: None,
        top: place.top.as_deref().unwrap_or(&place.root),
        caller: &place.root,
        schema: SCHEMA,
        prompt: &prompt,
        limit: Duration::from_secs(seconds),
        watch: &NoProgress,
    })?;
    Ok(reply.said.map_or_else(JudgeOutcome::Failed, |bytes| read(&bytes)))
}

/// Returns the judge to ask; `None` if it is switched off.
fn reference(config: &Config, asked: &Question, place: &Place) -> Result<Option<Reference>> {
    match config.loop_config.judge.as_deref() {
        Some("off") => Ok(None),
        Some(text) => match Reference::parse(text)? {
            Reference::Checks | Reference::Human => Err(Error::input(format!(
                "`loop.judge` is `{text}`; expected `HOST[:MODEL]`, `cmd:PROGRAM ARG…` or `off`"
            ))),
            judge => Ok(Some(judge)),
        },
        None => {
            let host = host::find(&asked.host)
                .ok_or_else(|| Error::new(Kind::Unknown, format!("`{}` cannot judge", asked.host)))?;
            Ok(Some(match &asked.asker {
                Asker::Session(session) => of_session(host, place, session),
                Asker::Run(model) => Reference::Host { name: host.name(), model: model.clone() },
            }))
        }
    }
}

/// The maximum size of an answer, in bytes.
const LARGEST: usize = 64 << 10;

/// The schema that hosts make their model follow. A strict mode wants every property required and no others allowed.
const SCHEMA: &str = r#"{
  "type": "object",
  "properties": {
    "done": {"type": "boolean", "description": "the reply says plainly that nothing is left"},
    "blocked": {"type": "boolean", "description": "the reply says that it cannot go on without a person"},
    "reason": {"type": "string", "description": "one short sentence"}
  },
  "required": ["done", "blocked", "reason"],
  "additionalProperties": false
}
"#;

#[derive(Deserialize)]
struct LoopAnswer {
    done: bool,
    blocked: bool,
    reason: String,
}

/// Reads the answer. A fence around the object is fine; text around it is not, because it may contain another object.
fn read(answer: &[u8]) -> JudgeOutcome {
    if answer.len() > LARGEST {
        return JudgeOutcome::Unreadable(format!("more than {LARGEST} bytes"));
    }
    let text = String::from_utf8_lossy(answer);
    match serde_json::from_str::<LoopAnswer>(unfenced(text.trim())) {
        Ok(LoopAnswer { done, blocked, reason }) => JudgeOutcome::Answer { done, blocked, reason },
        Err(error) => JudgeOutcome::Unreadable(format!("not the expected JSON object: {error}")),
    }
}

fn unfenced(text: &str) -> &str {
    let inner = text.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    inner.map_or(text, |inner| inner.strip_prefix("json").unwrap_or(inner).trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(done: bool, blocked: bool, reason: &str) -> JudgeOutcome {
        JudgeOutcome::Answer { done, blocked, reason: reason.to_owned() }
    }

    // P-63
    #[test]
    fn the_object_alone_or_in_a_fence() {
        let object = r#"{"done": false, "blocked": true, "reason": "no key"}"#;
        for text in [
            object.to_owned(),
            format!("\n{object}\n"),
            format!("```json\n{object}\n```"),
            format!("```\n{object}```\n"),
        ] {
            assert_eq!(read(text.as_bytes()), said(false, true, "no key"), "{text}");
        }
        assert_eq!(read(br#"{"reason":"","blocked":false,"done":true,"sure":1}"#), said(true, false, ""));
    }

    // P-63
    #[test]
    fn anything_else_cannot_be_read() {
        let object = r#"{"done": true, "blocked": false, "reason": ""}"#;
        let texts = [
            "",
            "done",
            "null",
            "[]",
            "{}",
            r#"{"done": "true", "blocked": false, "reason": ""}"#,
            r#"{"done": 1, "blocked": 0, "reason": ""}"#,
            r#"{"done": true, "reason": ""}"#,
            r#"{"done": true, "done": false, "blocked": false, "reason": ""}"#,
            &format!("I say: {object}"),
            &format!("{object}\nIn short: done."),
            &format!("{object}{object}"),
            "```json\n```",
            "``",
        ];
        for text in texts {
            assert!(matches!(read(text.as_bytes()), JudgeOutcome::Unreadable(_)), "{text}");
        }
        assert!(matches!(read(&vec![b'['; LARGEST]), JudgeOutcome::Unreadable(_)));
        assert!(matches!(read(&vec![b' '; LARGEST + 1]), JudgeOutcome::Unreadable(_)));
        assert!(matches!(read(b"\xff\xfe"), JudgeOutcome::Unreadable(_)));
    }

    #[test]
    fn the_schema_is_json() {
        let schema: serde_json::Value = serde_json::from_str(SCHEMA).unwrap();
        assert_eq!(schema["required"].as_array().unwrap().len(), schema["properties"].as_object().unwrap().len());
    }
}
