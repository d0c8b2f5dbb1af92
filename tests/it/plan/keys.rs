//! Every key of the table is read, agreed on, shown and described: a new one cannot be left out anywhere.

use plan::plan::contract::{Amendment, GoalContract, PlanContract, goal_contract};
use plan::plan::model::Key;
use plan::plan::parse;

use crate::support::World;

/// A goal with this field, and a value that the key takes.
fn with(key: Key) -> String {
    let value = match key {
        Key::Kind => "bugfix",
        Key::Priority => "1",
        _ => "x",
    };
    format!("{BARE}{}: {value}\n", key.word())
}

const BARE: &str = "## Goal: A\n<!-- id: a-1 -->\n";

fn contract(source: &str) -> GoalContract {
    goal_contract(parse(source.as_bytes()).unwrap().goal(0).unwrap())
}

#[test]
fn every_key_is_read_and_written() {
    for key in Key::ALL {
        let source = with(key);
        let plan = parse(source.as_bytes()).unwrap();
        assert!(plan.goal(0).unwrap().field(key).is_some(), "src/plan/parse/body.rs does not read `{}`", key.word());
    }
}

#[test]
fn the_contract_has_exactly_the_keys_that_are_agreed() {
    let bare = contract(BARE);
    for key in Key::ALL {
        let (word, with) = (key.word(), contract(&with(key)));
        assert_eq!(with.digest != bare.digest, key.is_agreed(), "src/plan/contract.rs, `{word}`");
        assert_eq!(with.has(key), key.is_agreed(), "src/plan/contract.rs, `{word}`");
        assert_eq!(GoalContract::read(&with.json).as_ref(), Some(&with), "src/plan/contract/read.rs, `{word}`");
        let amendment = Amendment::between(&bare, &with);
        let is_named = amendment.is_some_and(|amendment| !amendment.what.is_empty());
        assert_eq!(is_named, key.is_agreed(), "src/plan/contract/amendment.rs, `{word}`");
    }
}

#[test]
fn every_agreed_key_is_shown_before_it_is_approved() {
    for key in Key::ALL {
        let source = with(key);
        let text = PlanContract::of(&parse(source.as_bytes()).unwrap()).unwrap().text();
        assert_eq!(text.contains(&format!("  {}:", key.word())), key.is_agreed(), "{text}");
    }
}

#[test]
fn every_key_is_shown_and_in_the_docs() {
    let page = |name| std::fs::read_to_string(format!("{}/docs/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let (format, contract) = (page("format.md"), page("contract.md"));
    let sentence = |page: &str, begin| page.lines().find(|line| line.starts_with(begin)).unwrap_or_default().to_owned();
    let agreed = sentence(&format, "A goal's contract is ").split('.').next().unwrap().to_owned();
    let approved = sentence(&contract, "| of each goal above the archive: ").split('|').nth(1).unwrap().to_owned();
    for key in Key::ALL {
        let word = key.word();
        let world = World::new().file("plan.md", with(key));
        let json = world.plan(["show", "a-1", "--json"]).stdout;
        assert!(json.contains(&format!("\"{word}\":")), "src/plan/view/json.rs, `{word}`: {json}");
        let shown = world.plan(["show", "a-1"]).stdout;
        // Two keys are in the line of the status.
        let label = if matches!(key, Key::Priority | Key::Kind) { "  status:" } else { &format!("  {word}:") };
        assert!(shown.contains(label), "src/plan/view/show.rs, `{word}`: {shown}");
        let quoted = format!("`{word}`");
        assert!(format.contains(&format!("| {quoted} |")), "docs/format.md has no line for {quoted}");
        assert_eq!(agreed.contains(&quoted), key.is_agreed(), "docs/format.md, the keys of a contract: {quoted}");
        assert_eq!(approved.contains(&quoted), key.is_agreed(), "docs/contract.md, the keys of a contract: {quoted}");
    }
}
