//! CommonMark's examples as plans (P-39): alone, and inside a goal.

use super::support::{every_edit_is_small, forms};

#[derive(serde::Deserialize)]
pub(crate) struct Example {
    pub(crate) example: u32,
    pub(crate) markdown: String,
}

pub(crate) fn examples() -> Vec<Example> {
    serde_json::from_str(include_str!("../../../fixtures/commonmark/examples.json")).unwrap()
}

#[test]
fn each_example_keeps_its_bytes() {
    let examples = examples();
    assert_eq!(examples.len(), 652);
    let mut edits = 0;
    for Example { example, markdown } in &examples {
        let goal = format!(
            "# Plan: x\n\n## Goal: A\n<!-- id: a-1 -->\nstatus: open\n- [ ] 1. one\n\n{markdown}\n## Log\n- 2026-06-15 14:02  x\n"
        );
        for text in [markdown, &goal] {
            for form in forms(text.as_bytes()) {
                edits += every_edit_is_small(&form, &format!("example {example}"));
            }
        }
    }
    eprintln!("652 examples, alone and in a goal, in 4 forms, {edits} edits");
}
