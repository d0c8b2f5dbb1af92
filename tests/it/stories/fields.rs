//! The keys of a prd.json: the content of each, its place in plan.md, and an example. docs/stories.md is generated from this.

use plan::exchange::prd::quality::RULES;
use serde_json::Value;

/// One key.
pub(super) struct Field {
    /// Its name.
    pub(super) key: &'static str,
    /// The allowed content.
    pub(super) holds: &'static str,
    /// Its source in plan.md.
    pub(super) plan: &'static str,
    /// A good value, as JSON.
    pub(super) example: &'static str,
}

/// The keys of the document.
pub(super) const DOCUMENT: [Field; 4] = [
    Field { key: "schema_version", holds: "the number 1", plan: "-", example: "1" },
    Field {
        key: "id",
        holds: "text, not blank",
        plan: "`item:` in the front matter, else the objective as a slug",
        example: "\"001-offline-queue\"",
    },
    Field {
        key: "branch_name",
        holds: "text, not blank",
        plan: "`branch:` in the front matter, else the current branch",
        example: "\"offline-queue\"",
    },
    Field {
        key: "user_stories",
        holds: "a list of stories",
        plan: "the goals, cancelled and archived ones left out",
        example: "[]",
    },
];

/// The keys of a story.
pub(super) const STORY: [Field; 6] = [
    Field {
        key: "id",
        holds: "text, not blank, given once",
        plan: "`US-001` is the goal id `us-001`; another goal gets the first free number and keeps it in the file",
        example: "\"US-001\"",
    },
    Field { key: "title", holds: "text, not blank", plan: "the subject", example: "\"Orders survive a lost network\"" },
    Field {
        key: "acceptance_criteria",
        holds: "a list of texts",
        plan: "`done_when`",
        example: "[\"The provider holds 20 orders a minute after the cable is back\", \"No order is sent twice: 100 drills, 0 doubles\", \
                  \"A receipt prints within 2 s with the cable out\"]",
    },
    Field { key: "priority", holds: "a whole number, 1 (core) to 4 (optional)", plan: "`priority`", example: "1" },
    Field {
        key: "status",
        holds: "`pending` or `done`",
        plan: "`done` only where the sign-off stands; never read as done",
        example: "\"pending\"",
    },
    Field {
        key: "notes",
        holds: "text; may be missing",
        plan: "the quote below `### Notes`",
        example: "\"See docs/offline.md:12\"",
    },
];

/// A good prd.json of one story.
pub(super) fn template() -> String {
    let lines = |fields: &[Field], indent: &str, last: &str| {
        let line = |field: &Field| {
            let value = if field.key == "user_stories" { last.to_owned() } else { indented(field.example, indent) };
            format!("{indent}\"{}\": {value}", field.key)
        };
        fields.iter().map(line).collect::<Vec<_>>().join(",\n")
    };
    let story = lines(&STORY, "      ", "");
    format!("{{\n{}\n}}\n", lines(&DOCUMENT, "  ", &format!("[\n    {{\n{story}\n    }}\n  ]")))
}

/// Indents an example for a document: a list has one line for each item.
fn indented(example: &str, indent: &str) -> String {
    let value: Value = serde_json::from_str(example).unwrap_or_default();
    let text = serde_json::to_string_pretty(&value).unwrap_or_default();
    text.replace('\n', &format!("\n{indent}"))
}

/// The part of docs/stories.md that is generated from these tables.
pub(super) fn documentation() -> String {
    let mut text = String::from("## The keys\n");
    for (title, fields) in [("The document", &DOCUMENT[..]), ("A story", &STORY[..])] {
        text += &format!("\n{title}:\n\n| key | holds | in plan.md |\n| --- | --- | --- |\n");
        for field in fields {
            text += &format!("| `{}` | {} | {} |\n", field.key, field.holds, field.plan);
        }
    }
    text += "\n## The quality rules\n\n| code | rule | found as |\n| --- | --- | --- |\n";
    for rule in &RULES {
        text += &format!("| `{}` ({}) | {} | {} |\n", rule.code, rule.severity.word(), rule.rule, rule.found);
    }
    text += &format!("\n## A good file\n\n```json\n{}```\n", template());
    text
}
