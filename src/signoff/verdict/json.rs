//! Reads the answer as one JSON object, for hosts that can make their model follow a schema.

use serde::Deserialize;

use super::form::{self, says_none};
use super::{Id, JudgeAnswer, NO_BLOCK, NO_PROBE, Questions, VerdictLine, add, not_a_word};
use crate::signoff::sanitize::one_line;

/// The schema of the object, for Claude Code's `--json-schema` and for Codex's `--output-schema`, whose strict mode wants every
/// property required and no others allowed.
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
struct VerdictObject {
    nonce: String,
    probe: String,
    answers: Vec<Entry>,
    #[serde(default)]
    missing: Missing,
    #[serde(default)]
    notes: Option<String>,
    verdict: String,
}

/// A list, or one text; empty if it is left out.
#[derive(Deserialize)]
#[serde(untagged)]
enum Missing {
    All(Vec<String>),
    One(Option<String>),
}

impl Default for Missing {
    fn default() -> Self {
        Missing::One(None)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    id: String,
    state: String,
    citation: String,
}

/// Reads the object. A client may not have validated it, so everything is checked again.
pub(super) fn parse(text: &str, nonce: &str, asked: Questions) -> Result<JudgeAnswer, String> {
    let object: VerdictObject = serde_json::from_str(text).map_err(|error| {
        format!("the answer is not the JSON object that was asked for: {}", one_line(&error.to_string()))
    })?;
    if object.nonce != nonce {
        return Err(NO_BLOCK.to_owned());
    }
    let verdict = form::word(&object.verdict).ok_or_else(|| not_a_word(&object.verdict))?;
    let probe = form::value(&object.probe).to_owned();
    if probe.is_empty() {
        return Err(NO_PROBE.to_owned());
    }
    let mut lines = Vec::new();
    for entry in object.answers {
        let Some(id) = Id::read(form::value(&entry.id)) else { continue };
        let Some(holds) = form::state(id, &entry.state) else { continue };
        add(&mut lines, asked, VerdictLine { id, holds, text: one_line(&entry.citation) })?;
    }
    let missing = match object.missing {
        Missing::All(all) => all,
        Missing::One(one) => one.into_iter().collect(),
    };
    let missing = missing.iter().map(|entry| one_line(entry)).filter(|entry| !says_none(entry)).collect();
    let notes = object.notes.map(|notes| one_line(&notes)).filter(|notes| !notes.is_empty()).into_iter().collect();
    Ok(JudgeAnswer { probe, lines, missing, notes, verdict })
}
