//! Every sample of fixtures/exchange/prd, held against expected.tsv.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::quality::findings;
use super::{Prd, SCHEMA, read};

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/exchange/prd")
}

pub(super) fn sample(name: &str) -> Vec<u8> {
    std::fs::read(samples().join(format!("{name}.json"))).unwrap()
}

/// The samples of a folder, by name.
pub(super) fn names(folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(samples().join(folder)).unwrap().map(|entry| entry.unwrap().path());
    let mut names: Vec<String> =
        entries.map(|path| format!("{folder}/{}", path.file_stem().unwrap().to_str().unwrap())).collect();
    names.sort();
    names
}

/// What expected.tsv says of each file; a remark in brackets at the end is for its reader.
fn expected() -> BTreeMap<String, BTreeSet<String>> {
    let text = std::fs::read_to_string(samples().join("expected.tsv")).unwrap();
    let mut expected: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let (file, violation) = line.split_once('\t').unwrap();
        let violation = violation.split(" (not said by").next().unwrap();
        expected.entry(file.to_owned()).or_default().insert(violation.to_owned());
    }
    expected
}

fn violations(source: &[u8]) -> BTreeSet<String> {
    let Err(refusal) = read(source) else { return BTreeSet::new() };
    let hint = refusal.hint.map(|hint| format!("hint: {hint}"));
    refusal.violations.iter().map(ToString::to_string).chain(hint).collect()
}

// W-11, W-12, W-22: bad JSON, a missing field, a bad story, a wrong status, a wrong version, all in one run
#[test]
fn every_violation_of_an_invalid_file_is_named_at_once() {
    let expected = expected();
    for name in names("invalid") {
        assert_eq!(violations(&sample(&name)), expected[&name], "{name}");
    }
    for name in names("valid").iter().chain(&names("poor")) {
        assert_eq!(violations(&sample(name)), BTreeSet::new(), "{name}");
    }
}

// W-13, W-14, W-15, W-17
#[test]
fn the_quality_rules_find_what_is_poor_and_nothing_in_what_is_good() {
    let expected = expected();
    for name in names("poor").iter().chain(&names("valid")) {
        let prd = read(&sample(name)).unwrap();
        let told = |found: &super::quality::QualityFinding| {
            found.message(found.story.map_or("", |story| &prd.user_stories[story].id))
        };
        let found: BTreeSet<String> = findings(&prd).iter().map(told).collect();
        assert_eq!(found, expected.get(name).cloned().unwrap_or_default(), "{name}");
    }
}

/// Each sample cut anywhere, with a NUL anywhere, is refused with a place and never read as something else.
#[test]
fn a_sample_that_is_cut_or_damaged_is_refused_with_a_place() {
    for name in names("valid") {
        let source = sample(&name);
        let whole = source.trim_ascii_end().len();
        for cut in (0..whole).step_by(23) {
            let refusal = read(&source[..cut]).unwrap_err();
            let place = &refusal.violations[0].at;
            assert!(
                place.split_once(':').is_some_and(|(line, _)| line.parse::<u32>().is_ok()),
                "{name} {cut}: {place}"
            );
        }
        for at in (0..whole).step_by(7) {
            let damaged = [&source[..at], b"\0", &source[at..]].concat();
            assert!(read(&damaged).is_err(), "{name} {at}");
        }
    }
}

#[test]
fn ten_thousand_stories_are_read_and_a_bad_one_is_named() {
    let story = |number: usize| {
        json!({ "id": format!("US-{number:03}"), "title": format!("Story {number}"), "acceptance_criteria": ["a", "b"],
            "priority": 1 + number % 4, "status": "pending", "notes": "" })
    };
    let mut stories: Vec<Value> = (1..=10_000).map(story).collect();
    let document =
        |stories: &[Value]| json!({ "schema_version": 1, "id": "x", "branch_name": "x", "user_stories": stories });
    let prd = read(document(&stories).to_string().as_bytes()).unwrap();
    assert_eq!(prd.user_stories.len(), 10_000);
    stories[8_999]["status"] = json!("doing");
    let wrong = "/user_stories/8999/status is \"doing\", expected pending or done";
    assert_eq!(violations(document(&stories).to_string().as_bytes()), BTreeSet::from([wrong.to_owned()]));
}

/// As much of JSON Schema as the file uses; another word in it is a panic.
fn allows(schema: &Value, value: &Value) -> bool {
    schema.as_object().unwrap().iter().all(|(word, rule)| match word.as_str() {
        "$schema" | "title" | "description" | "default" => true,
        "type" => match rule.as_str().unwrap() {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
            other => panic!("{other}"),
        },
        "const" => value == rule || value.as_f64().is_some() && value.as_f64() == rule.as_f64(),
        "enum" => rule.as_array().unwrap().contains(value),
        "minLength" => value.as_str().is_none_or(|text| text.chars().count() as u64 >= rule.as_u64().unwrap()),
        "pattern" => {
            assert_eq!(rule, "\\S");
            value.as_str().is_none_or(|text| !text.trim().is_empty())
        }
        "required" => {
            rule.as_array().unwrap().iter().all(|key| !value.is_object() || value.get(key.as_str().unwrap()).is_some())
        }
        "properties" => {
            rule.as_object().unwrap().iter().all(|(key, rule)| value.get(key).is_none_or(|value| allows(rule, value)))
        }
        "items" => value.as_array().is_none_or(|items| items.iter().all(|item| allows(rule, item))),
        other => panic!("{other}"),
    })
}

// W-11, W-12: the schema that is printed and the reader agree, whatever stands at whichever place
#[test]
fn the_schema_and_the_reader_agree() {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let good: Value = serde_json::from_slice(&sample("valid/01-minimal")).unwrap();
    let values = [
        json!(null),
        json!(true),
        json!(0),
        json!(1),
        json!(1.0),
        json!(1.5),
        json!(-1),
        json!(2),
        json!(""),
        json!(" "),
        json!("1"),
        json!("pending"),
        json!("done"),
        json!([]),
        json!([1]),
        json!(["a"]),
        json!({}),
        json!([{}]),
    ];
    let keys = ["id", "title", "acceptance_criteria", "priority", "status", "notes", "else"];
    let places = ["/schema_version", "/id", "/branch_name", "/user_stories", "/else"].map(str::to_owned);
    let story = keys.map(|key| format!("/user_stories/0/{key}"));
    let mut counts = [0, 0];
    for place in places.iter().chain(&story).map(String::as_str).chain([""]) {
        let (parent, key) = place.rsplit_once('/').unwrap_or(("", ""));
        for value in values.iter().map(Some).chain([None]) {
            let mut changed = good.clone();
            match (value, key) {
                (Some(value), "") => changed = value.clone(),
                (None, "") => continue,
                (Some(value), key) => changed.pointer_mut(parent).unwrap()[key] = value.clone(),
                (None, key) => drop(changed.pointer_mut(parent).unwrap().as_object_mut().unwrap().remove(key)),
            }
            let is_allowed = allows(&schema, &changed);
            assert_eq!(read(changed.to_string().as_bytes()).is_ok(), is_allowed, "{place}: {changed}");
            counts[usize::from(is_allowed)] += 1;
        }
    }
    assert!(counts[0] > 100 && counts[1] > 50, "{counts:?}");
}

// W-11: what is written is read again as it was, unknown keys included
#[test]
fn what_is_written_is_read_again() {
    for name in names("valid") {
        let (source, prd) = (sample(&name), read(&sample(&name)).unwrap());
        let written = prd.write().unwrap();
        assert_eq!(read(written.as_bytes()).unwrap(), prd, "{name}");
        let mut value: Value = serde_json::from_slice(&source).unwrap();
        for story in value["user_stories"].as_array_mut().unwrap() {
            story.as_object_mut().unwrap().entry("notes").or_insert(json!(""));
        }
        assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), value, "{name}");
    }
    let refused = Prd { schema_version: 2, ..Prd::default() }.write().unwrap_err();
    let refused: Vec<String> = refused.violations.iter().map(ToString::to_string).collect();
    assert_eq!(
        refused,
        ["/schema_version is 2, expected 1", "/id is empty, expected text", "/branch_name is empty, expected text"]
    );
}

// W-13, W-14: the template is a good file
#[test]
fn the_template_is_valid_and_good() {
    let prd = read(super::fields::template().as_bytes()).unwrap();
    assert_eq!((prd.user_stories.len(), findings(&prd)), (1, Vec::new()));
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let story = &schema["properties"]["user_stories"]["items"];
    for (fields, schema) in [(&super::fields::DOCUMENT[..], &schema), (&super::fields::STORY[..], story)] {
        let keys: BTreeSet<&str> = fields.iter().map(|field| field.key).collect();
        let known: BTreeSet<&str> = schema["properties"].as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys, known);
    }
}
