//! The front matter (`FORMAT.md`, front matter).

use std::collections::HashSet;

use super::{Findings, quoted};
use crate::plan::model::Plan;

/// The values that a key accepts.
enum Value {
    Words(&'static [&'static str]),
    /// A number, and the built-in cap that it can only lower.
    Number(Option<u32>),
    /// Any text: a name that `plan export prd` writes.
    Text,
}

const KEYS: [(&str, Value); 10] = [
    ("mode", Value::Words(&["guide", "contract"])),
    ("complexity", Value::Words(&["simple", "complex"])),
    ("remind_every", Value::Number(None)),
    ("budget", Value::Number(None)),
    ("nudges", Value::Number(Some(5))),
    ("verify_timeout", Value::Number(Some(600))),
    ("judge_timeout", Value::Number(Some(600))),
    ("checkpoints", Value::Words(&["true", "false"])),
    ("item", Value::Text),
    ("branch", Value::Text),
];

pub(super) fn check(plan: &Plan<'_>, found: &mut Findings) {
    let mut seen = HashSet::new();
    for entry in &plan.front_entries {
        let (key, value) = (plan.text(entry.key), plan.text(entry.value));
        let Some((_, expected)) = KEYS.iter().find(|(known, _)| *known == key) else {
            let known: Vec<String> = KEYS.iter().map(|(key, _)| format!("`{key}`")).collect();
            found.warning(
                "unknown-front-key",
                entry.key,
                format!("the front matter key {} means nothing to `plan`", quoted(key)),
                format!("keys are {}; others are kept as they are", known.join(", ")),
            );
            continue;
        };
        if !seen.insert(key) {
            found.error(
                "repeated-front-key",
                entry.key,
                format!("`{key}` appears twice; the first one counts"),
                "remove one of them",
            );
        }
        let span = if entry.value.is_empty() { entry.key } else { entry.value };
        match expected {
            Value::Words(words) if !words.contains(&value) => found.error(
                "front-value",
                span,
                format!("`{key}` takes {}, found {}", words.join(" or "), quoted(value)),
                format!("until then it reads as `{}`", words[usize::from(key == "checkpoints")]),
            ),
            Value::Number(cap) => match (value.parse::<u32>(), cap) {
                (Err(_), _) => found.error(
                    "front-value",
                    span,
                    format!("`{key}` takes a whole number, found {}", quoted(value)),
                    "until then the built-in value holds",
                ),
                (Ok(number), Some(cap)) if number > *cap => found.note(
                    "front-cap",
                    span,
                    format!("`{key}` can only lower the built-in {cap}, found {number}"),
                    "nothing raises this limit: write a smaller number, or remove the line",
                ),
                (Ok(_), _) => {}
            },
            Value::Words(_) | Value::Text => {}
        }
    }
}
