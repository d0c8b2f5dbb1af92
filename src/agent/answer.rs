//! The loop judge's answer: one JSON object and nothing else.

use serde::Deserialize;

use crate::session::loop_driver::JudgeOutcome;

/// The most bytes of an answer.
const LARGEST: usize = 64 << 10;

/// The schema that hosts hold their model to. A strict mode needs every property required and no other allowed.
pub(super) const SCHEMA: &str = r#"{
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
struct Object {
    done: bool,
    blocked: bool,
    reason: String,
}

/// Reads the answer. A fence around the object is fine; text around it is not, because it may hold another object.
pub(super) fn read(answer: &[u8]) -> JudgeOutcome {
    if answer.len() > LARGEST {
        return JudgeOutcome::Unreadable(format!("more than {LARGEST} bytes"));
    }
    let text = String::from_utf8_lossy(answer);
    match serde_json::from_str::<Object>(unfenced(text.trim())) {
        Ok(Object { done, blocked, reason }) => JudgeOutcome::Answer { done, blocked, reason },
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
