//! The front matter (`FORMAT.md`, front matter).

use std::collections::HashSet;

use super::{Findings, quoted};
use crate::plan::model::{Plan, Span};

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

/// How many lines above the first goal are searched for a mode that is not read.
const HEAD: usize = 30;

/// Reports a line `mode: contract` that is not in the front matter: the user thinks that there is a contract.
fn unread_mode(plan: &Plan<'_>, found: &mut Findings) {
    let end = plan.goals.first().map_or(plan.source.len(), |goal| goal.heading.start as usize);
    let mut at = 0;
    for line in plan.source[..end].split_inclusive(|byte| *byte == b'\n').take(HEAD) {
        let start = at + (line.len() - line.trim_ascii_start().len());
        at += line.len();
        let value = line.trim_ascii().strip_prefix(b"mode:").map(<[u8]>::trim_ascii);
        let is_read = plan.front_entries.iter().any(|entry| entry.line.range().contains(&start));
        if value == Some(b"contract") && !is_read {
            let span = Span::new(start..start + line.trim_ascii().len());
            found.error(
                "mode-unread",
                span,
                "`mode: contract` is not read here, so there is no contract",
                "put it between two lines `---`, the first of which is the first line of the file, without white space in front",
            );
        }
    }
}

pub(super) fn check(plan: &Plan<'_>, found: &mut Findings) {
    unread_mode(plan, found);
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

#[cfg(test)]
mod tests {
    use crate::plan::lint::tests::codes;

    #[test]
    fn a_mode_outside_of_the_front_matter_is_named() {
        let goal = "# Plan: p\n\n## Goal: a\n<!-- id: a-1 -->\nstatus: cancelled\n";
        for (head, place) in [
            ("\n---\nmode: contract\n---\n", "3:1"),
            ("---\nmode: contract\n\n", "2:1"),
            ("---\n  mode: contract\n---\n", "2:3"),
            ("+++\nmode: contract\n+++\n", "2:1"),
            ("<!-- a -->\n---\nmode: contract\n---\n", "3:1"),
        ] {
            let found = codes(&format!("{head}{goal}"));
            assert!(found.contains(&format!("mode-unread {place}")), "{head}: {found:?}");
        }
        for head in ["---\nmode: contract\n---\n", "---\nmode: guide\n---\n", "", "The mode: contract is for teams.\n"]
        {
            let found = codes(&format!("{head}{goal}"));
            assert!(!found.iter().any(|code| code.starts_with("mode-unread")), "{head}: {found:?}");
        }
    }
}
