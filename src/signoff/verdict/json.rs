//! The answer as one JSON object, for hosts that can hold their model to a schema.

use serde::Deserialize;

use super::{Answer, Asked, Broken, Id, Line, Word, add, says_none};
use crate::signoff::plain::one_line;

/// The schema of the object, for Claude Code's `--json-schema` and for Codex's `--output-schema`, whose strict mode
/// wants every property required and no other allowed.
pub const SCHEMA: &str = r#"{
  "type": "object",
  "properties": {
    "nonce": {"type": "string", "description": "the nonce of this run, as given in the prompt"},
    "probe": {"type": "string", "description": "the content of the probe file, read with your own tool"},
    "answers": {
      "type": "array",
      "description": "one entry for each criterion (C1, C2, ...) and each failure mode (F1, F2, ...)",
      "items": {
        "type": "object",
        "properties": {
          "id": {"type": "string", "description": "C1, F1, ..."},
          "state": {"type": "string", "enum": ["met", "not met", "ruled out", "not ruled out"], "description": "met or not met for a criterion, ruled out or not ruled out for a failure mode"},
          "citation": {"type": "string", "description": "for met and ruled out the citation, in one of the forms of the prompt; else what is missing"}
        },
        "required": ["id", "state", "citation"],
        "additionalProperties": false
      }
    },
    "missing": {"type": "array", "items": {"type": "string"}, "description": "what would have to be there for an accept; empty when nothing is missing"},
    "notes": {"type": "string", "description": "remarks; they decide nothing"},
    "verdict": {"type": "string", "enum": ["accept", "reject"]}
  },
  "required": ["nonce", "probe", "answers", "missing", "notes", "verdict"],
  "additionalProperties": false
}
"#;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Object {
    nonce: String,
    probe: String,
    answers: Vec<Entry>,
    missing: Vec<String>,
    notes: String,
    verdict: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    id: String,
    state: String,
    citation: String,
}

/// Reads the object. No client validates it for certain, so everything is looked at again.
pub(super) fn parse(text: &str, nonce: &str, asked: Asked) -> Result<Answer, Broken> {
    let object: Object =
        serde_json::from_str(text).map_err(|error| Broken::NotTheObject { why: one_line(&error.to_string()) })?;
    if object.nonce != nonce {
        return Err(Broken::NoBlock);
    }
    let verdict = match object.verdict.as_str() {
        "accept" => Word::Accept,
        "reject" => Word::Reject,
        other => return Err(Broken::NotAWord { found: one_line(other).chars().take(60).collect() }),
    };
    let probe = object.probe.trim().to_owned();
    if probe.is_empty() {
        return Err(Broken::NoProbe);
    }
    let mut lines = Vec::new();
    for entry in object.answers {
        let Some(id) = Id::read(entry.id.trim()) else { continue };
        let Some(holds) = id.holds(&entry.state) else { continue };
        add(&mut lines, asked, Line { id, holds, text: one_line(&entry.citation) })?;
    }
    let missing = object.missing.iter().map(|entry| one_line(entry)).filter(|entry| !says_none(entry)).collect();
    let notes = Some(one_line(&object.notes)).filter(|notes| !notes.is_empty()).into_iter().collect();
    Ok(Answer { probe, lines, missing, notes, verdict })
}
