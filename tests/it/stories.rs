//! User stories: export and import of prd.json (`docs/stories.md`).

mod fields;

use std::collections::BTreeSet;

use plan::exchange::prd::quality::findings;
use plan::exchange::prd::{self, SCHEMA};
use serde_json::Value;

use crate::readme::{assert_shown, read};
use crate::support::World;
use crate::support::diff::{diff, is_update, rewriting};

// W-13, W-14, W-15: rules, keys and template exist only once, in the tables that the checks use
#[test]
fn the_page_is_written_from_the_tables() {
    let page = read("docs/stories.md");
    let (written, _) = page.split_once("-->\n\n").unwrap();
    let expected = format!("{written}-->\n\n{}", fields::documentation());
    if page != expected && is_update() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/stories.md"), &expected).unwrap();
        return;
    }
    assert!(page == expected, "docs/stories.md:\n{}\nif that is meant: {}\n", diff(&page, &expected), rewriting());
}

// W-13, W-14: the template is a good file
#[test]
fn the_template_is_valid_and_good() {
    let prd = prd::read(fields::template().as_bytes()).unwrap();
    assert_eq!((prd.user_stories.len(), findings(&prd).len()), (1, 0));
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let story = &schema["properties"]["user_stories"]["items"];
    for (fields, schema) in [(&fields::DOCUMENT[..], &schema), (&fields::STORY[..], story)] {
        let keys: BTreeSet<&str> = fields.iter().map(|field| field.key).collect();
        let known: BTreeSet<&str> = schema["properties"].as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys, known);
    }
}

// W-11
#[test]
fn the_export_is_shown_as_it_is_printed() {
    let world = World::new();
    let runs = [
        &["init", "Kiosk works offline"][..],
        &[
            "goal",
            "add",
            "Orders survive a lost network",
            "--done-when",
            "20 orders a minute are sent after the cable is back",
            "--done-when",
            "No order is sent twice in 100 drills",
            "--verify",
            "sh test/cable.sh",
            "--failure-mode",
            "orders are lost",
            "--step",
            "Write it",
        ],
    ];
    runs.iter().for_each(|run| assert_eq!(world.plan(run.iter()).code, 0, "{run:?}"));
    let mut transcript = String::new();
    for command in
        ["plan export prd prd.json", "cat prd.json", "plan lint --stories prd.json", "plan import prd prd.json"]
    {
        let output = match command.strip_prefix("plan ") {
            Some(arguments) => world.plan(arguments.split(' ')),
            None => world.call_program("cat", ["prd.json"]).run(),
        };
        assert_eq!(output.code, 0, "{command}: {output:?}");
        transcript += &format!("$ {command}\n{}{}", output.stdout, output.stderr);
    }
    assert_shown("docs/stories.md", "$ plan export prd", &transcript);
}
