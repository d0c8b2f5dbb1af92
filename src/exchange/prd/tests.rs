//! Tests every sample of fixtures/exchange/prd against expected.tsv.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use serde_json::{Value, json};

use super::export::export;
use super::quality::findings;
use super::{Prd, SCHEMA, Status, Story, VERSION, read, tasks};
use crate::exchange::{ImportReport, write};
use crate::plan::change::edits;
use crate::plan::edit::apply;
use crate::plan::{lint, parse};

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/exchange/prd")
}

pub(super) fn sample(name: &str) -> Vec<u8> {
    std::fs::read(samples().join(format!("{name}.json"))).unwrap()
}

/// The names of the samples in a folder.
pub(super) fn names(folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(samples().join(folder)).unwrap().map(|entry| entry.unwrap().path());
    let mut names: Vec<String> =
        entries.map(|path| format!("{folder}/{}", path.file_stem().unwrap().to_str().unwrap())).collect();
    names.sort();
    names
}

/// The expected violations of each file, from expected.tsv. A remark in brackets at the end of a line is only for its reader.
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

/// A sample that is cut anywhere, or has a NUL anywhere, is refused with a place and never read as something else.
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

/// Checks the part of JSON Schema that the file uses. It panics at any other keyword.
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

// W-11, W-12: the printed schema and the reader agree, for any value at any place
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

// W-11: a written file is read back unchanged, with its unknown keys
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
    assert_eq!(refused, ["/schema_version is 2, expected 1", "/id is blank", "/branch_name is blank"]);
}

const EMPTY: &str = "# Plan: Kiosk\n\n## Log\n";

/// Returns plan.md after an import, and the report.
fn imported(plan: &str, prd: &Prd) -> (String, ImportReport) {
    let plan = parse(plan.as_bytes()).unwrap();
    let import = write(&plan, &tasks(prd), false, "2026-06-15 14:33").unwrap();
    let after = apply(plan.source, &edits(&plan, &import.changes).unwrap()).unwrap();
    (String::from_utf8(after).unwrap(), import.report)
}

fn exported(plan: &str, old: Option<&Prd>) -> super::export::Export {
    export(&parse(plan.as_bytes()).unwrap(), old, || Ok(Some("main".to_owned()))).unwrap()
}

/// The part of a file that an import takes: no story is done, and there are no unknown keys.
fn as_brought_in(prd: &Prd) -> Prd {
    let mut prd = prd.clone();
    prd.unknown.clear();
    for story in &mut prd.user_stories {
        (story.status, story.unknown) = (Status::Pending, serde_json::Map::new());
    }
    prd
}

// W-11, W-12, W-13: the six valid files come back, except `status: done` and unknown keys; both losses are reported
#[test]
fn a_file_comes_back_as_it_was() {
    for name in names("valid") {
        let prd = read(&sample(&name)).unwrap();
        let (plan, report) = imported(EMPTY, &prd);
        assert_eq!(report.mapped.len(), prd.user_stories.len(), "{name}");
        assert!(lint::errors(&parse(plan.as_bytes()).unwrap()).is_empty(), "{name}\n{plan}");
        assert_eq!(exported(&plan, None).prd, as_brought_in(&prd), "{name}\n{plan}");
        let told = report.notes.join("\n");
        assert_eq!(
            told.contains("done in the file, an open goal here until it is signed off: US-001"),
            name.contains("02-"),
            "{told}"
        );
        assert_eq!(told.contains("left out: x_tool"), name.contains("06-"), "{told}");
        // If the export overwrites the file itself, the unknown keys stay too.
        assert_eq!(exported(&plan, Some(&prd)).prd.unknown, prd.unknown, "{name}");
        // A second import, of the file or of the export, changes no byte.
        for again in [&prd, &exported(&plan, None).prd] {
            let (after, report) = imported(&plan, again);
            assert_eq!((after.as_str(), report.changed), (plan.as_str(), Vec::new()), "{name}");
        }
    }
}

const KIOSK: &str = "# Plan: Kiosk works offline\n\n## Goal: Cache layer\n<!-- id: cache-layer-1 -->\nstatus: active\ndone_when: p95 < 50 ms\n\
    verify: sh bench.sh\nfailure_modes:\n- bypassed\n- too small\nneeds: us-007\npriority: 1\n- [ ] 1. a\n- [x] 2. b\n\n\
    ## Goal: Refunds\n<!-- id: us-007 -->\nstatus: open\n\n## Goal: Never\nstatus: cancelled\n\n## Log\n\n# Archive\n\n## Goal: Old\nstatus: done\n";

// W-11: goals with one subject are stories of their own
#[test]
fn stories_with_one_title_keep_their_ids_and_notes() {
    let plan = "# Plan: Kiosk\n\n## Goal: Cache\ndone_when: a\n\n## Goal: Cache\ndone_when: b\n\n## Goal: Other\n";
    let mut first = exported(plan, None).prd;
    for (story, notes) in first.user_stories.iter_mut().zip(["one", "two", "three"]) {
        story.notes = notes.to_owned();
    }
    let second = exported(plan, Some(&first));
    assert_eq!((second.prd, second.notes), (first, Vec::new()));
}

// W-11, W-12: ids are given once and kept, unsupported parts are named, and an import of the export adds nothing
#[test]
fn goals_become_stories_that_keep_their_ids() {
    let first = exported(KIOSK, None);
    let ids = |export: &super::export::Export| -> Vec<String> {
        export.prd.user_stories.iter().map(|story| format!("{} {}", story.id, story.title)).collect()
    };
    assert_eq!(ids(&first), ["US-001 Cache layer", "US-007 Refunds"]);
    assert_eq!((&*first.prd.id, &*first.prd.branch_name), ("kiosk-works-offline", "main"));
    let counts = [
        ("verify", 1),
        ("failure_modes", 2),
        ("needs", 1),
        ("steps", 2),
        ("cancelled goals", 1),
        ("archived goals", 1),
    ];
    assert_eq!(first.left_out, counts);
    assert_eq!(imported(KIOSK, &first.prd).0, KIOSK);
    // With another goal in front, every story keeps its id. The content that only the file has stays too.
    let mut old = first.prd.clone();
    old.user_stories[0].notes = "see bench".to_owned();
    old.user_stories[0].status = Status::Done;
    old.user_stories.push(Story { id: "US-002".into(), title: "Gone".into(), ..Story::default() });
    (old.id, old.branch_name) = ("007-kiosk".into(), "kiosk".into());
    let more = KIOSK.replace("## Goal: Cache", "## Goal: First\nstatus: open\n\n## Goal: Cache");
    let second = exported(&more, Some(&old));
    assert_eq!(ids(&second), ["US-003 First", "US-001 Cache layer", "US-007 Refunds"]);
    assert_eq!((&*second.prd.id, &*second.prd.branch_name), ("007-kiosk", "kiosk"));
    assert_eq!(second.prd.user_stories[1].notes, "see bench");
    assert_eq!(second.prd.user_stories[1].status, Status::Pending);
    assert!(
        second.notes[0].ends_with("pending: US-001") && second.notes[1].ends_with("removed: US-002"),
        "{:?}",
        second.notes
    );
    // The id belongs to the goal of plan.md that has it. The file's story gets another id, and that is reported.
    let taken = more.replace("us-007", "us-001");
    let third = exported(&taken, Some(&old));
    assert_eq!(ids(&third), ["US-003 First", "US-004 Cache layer", "US-001 Refunds"]);
    assert_eq!((&*third.prd.user_stories[1].notes, &*third.prd.user_stories[2].notes), ("see bench", ""));
    assert!(third.notes[2].ends_with("this one: US-001, US-007"), "{:?}", third.notes);
    // The front matter takes precedence over the file.
    let named = format!("---\nitem: 059-x\nbranch: \"a # b\"\n---\n{KIOSK}");
    let prd = exported(&named, Some(&old)).prd;
    assert_eq!((&*prd.id, &*prd.branch_name), ("059-x", "a # b"));
    assert!(export(&parse(b"## Goal: a\n").unwrap(), None, || Ok(None)).is_err());
    assert!(
        export(&parse(KIOSK.as_bytes()).unwrap(), None, || Ok(None)).unwrap_err().hints[0].starts_with("git switch")
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    // W-11: any text of a file comes back, and none of it becomes structure
    #[test]
    fn any_words_come_back(stories in prop::collection::vec((words(), prop::collection::vec(words(), 0..4), 1..5i64, notes()), 0..4)) {
        let story = |(index, (title, criteria, priority, notes)): (usize, (String, Vec<String>, i64, String))| Story {
            id: ["US-001", "STORY — 1", "# x", "US-9-1"][index].to_owned(),
            title, acceptance_criteria: criteria, priority, notes, ..Story::default()
        };
        let prd = Prd {
            schema_version: VERSION, id: "x".into(), branch_name: "a/b".into(),
            user_stories: stories.into_iter().enumerate().map(story).collect(), ..Prd::default()
        };
        let (plan, _) = imported(EMPTY, &prd);
        let parsed = parse(plan.as_bytes()).unwrap();
        prop_assert!(lint::errors(&parsed).is_empty(), "{}", plan);
        prop_assert_eq!(parsed.steps.len(), 0);
        if !prd.user_stories.is_empty() {
            prop_assert_eq!(&exported(&plan, None).prd, &prd, "{}", plan);
            prop_assert_eq!(&imported(&plan, &prd).0, &plan);
        }
    }
}

fn cases() -> u32 {
    if std::env::var_os("PLAN_FULL").is_some() { 1000 } else { 48 }
}

/// Texts that are not blank, with everything that plan.md reads as structure.
fn words() -> impl Strategy<Value = String> {
    let pieces = [
        "a", " ", "b — c", "a - c", "# ", "## Goal: ", "- [x] ", "<!-- id: a -->", "-->", "\\", "\"", "\n",
        "status: done", "> ", "```", "(check: rm)", "(run: rm)", "##", "\u{200b}", "é", "\0", "\r", "  ", "1. ",
        "<<<<<<< ",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 1..6)
        .prop_map(|pieces| pieces.concat())
        .prop_filter("it shows something", |text| !crate::plan::text::one_line(text).is_empty())
}

fn notes() -> impl Strategy<Value = String> {
    prop_oneof![Just(String::new()), words().prop_map(|text| text.replace('\0', ""))]
}
