//! Tests every sample of fixtures/exchange/planner against expected.tsv.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::{History, PlannedStep, PlannedSteps, READER, Reply, export, read, reply};
use crate::exchange::{ReadOptions, SourceFile, write};
use crate::plan::change::edits;
use crate::plan::edit::apply;
use crate::plan::{lint, parse};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/exchange/planner")
}

fn files(name: &str) -> BTreeMap<String, String> {
    let entries = std::fs::read_dir(folder().join(name)).unwrap().map(|entry| entry.unwrap().path());
    let named = |path: PathBuf| {
        (format!("{name}/{}", path.file_name().unwrap().to_str().unwrap()), std::fs::read_to_string(path).unwrap())
    };
    entries.map(named).collect()
}

#[test]
fn every_violation_of_an_invalid_reply_is_named_at_once() {
    let mut expected: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in std::fs::read_to_string(folder().join("expected.tsv")).unwrap().lines().skip(1) {
        let (file, violation) = line.split_once('\t').unwrap();
        expected.entry(file.to_owned()).or_default().insert(violation.to_owned());
    }
    for (name, text) in files("invalid") {
        for found in [read(text.as_bytes()), reply(text.as_bytes())] {
            let found: BTreeSet<String> = found.unwrap_err().iter().map(ToString::to_string).collect();
            assert_eq!(found, expected[&name], "{name}");
        }
    }
}

/// The plan of the seed.
fn seed() -> Reply {
    read(files("valid")["valid/03-plan-of-the-seed.json"].as_bytes()).unwrap()
}

fn step(id: &str, title: Option<&str>, command: &str) -> PlannedStep {
    let title = title.map(str::to_owned);
    PlannedStep { id: id.to_owned(), title, command: Some(command.to_owned()), ..PlannedStep::default() }
}

fn plan(summary: Option<&str>, steps: Vec<PlannedStep>) -> Reply {
    Reply::Plan(PlannedSteps { summary: summary.map(str::to_owned), steps })
}

// S-1, S-2
#[test]
fn every_tolerated_reply_is_understood() {
    let command = |text: &str| Reply::Command(text.to_owned());
    let expected = [
        seed(),
        seed(),
        command("uptime"),
        Reply::Chat("Which terminal?".to_owned()),
        command("printf '{\"a\":1}'"),
        plan(Some("Write } and {"), vec![step("1", Some("Print a brace"), "printf '%s' '}'")]),
        plan(None, vec![step("1", None, "df -h"), step("2", None, "uptime")]),
    ];
    let files = files("tolerated");
    assert_eq!(files.len(), expected.len());
    for ((name, text), expected) in files.iter().zip(expected) {
        assert_eq!(reply(text.as_bytes()), Ok(expected), "{name}");
    }
}

// S-1: a reply may contain all that a file may contain
#[test]
fn a_valid_reply_is_read_alike_alone_and_in_every_wrapping() {
    for (name, text) in files("valid") {
        let strict = read(text.as_bytes()).unwrap();
        let quoted = serde_json::Value::String(text.clone()).to_string();
        for wrapped in [
            text.clone(),
            format!("```json\n{text}```\n"),
            format!("Here is {{}} my {{\"a\": [1]}} plan:\n{text}\nShall I go on? ```"),
            format!("<think>{{\"mode\": \"chat\" </think>\n<think>no {{</think>{text}"),
            format!("{text}\n{text}"),
            format!("{{\"reply\": {quoted}}}"),
            format!("{{\"reply\": {text}}}"),
            format!("```\n{{\"result\": {{\"reply\": {quoted}}}}}\n```"),
            format!("\u{feff}{}", text.replace('\n', "\r\n")),
        ] {
            assert_eq!(reply(wrapped.as_bytes()).as_ref(), Ok(&strict), "{name}: {wrapped}");
        }
    }
}

#[track_caller]
fn refused(text: &str, part: &str) {
    let found: Vec<String> = reply(text.as_bytes()).unwrap_err().iter().map(ToString::to_string).collect();
    assert!(found.iter().any(|violation| violation.contains(part)), "`{part}`: {found:?}");
}

#[test]
fn what_nobody_can_tell_is_refused() {
    let other = r#"{"mode":"command","command":"id"}"#;
    refused(
        &format!("{{\"mode\":\"command\",\"command\":\"ls\"}} or {other}"),
        "contains 2 JSON objects that could be the answer",
    );
    refused(r#"{"mode":"command","command":"ls","command":"rm -rf x"}"#, "1:34 `command` twice in one object");
    refused(r#"{"reply":{"mode":"chat","message":"a","message":"b"}}"#, "`message` twice");
    refused("{}", "/mode is missing");
    refused(r#"{"reply":"I would rather not."}"#, "no JSON object");
    refused(r#"{"mode":"plan","plan":{"steps":[{"id":"1","command":"ls"}],}}"#, "1:60 trailing comma");
    refused(
        "```json\n{\"mode\":\"plan\",\"plan\":{\"steps\":[{\"id\":\"1\",\"command\":\"ls\"},\n```",
        "3:1 expected value",
    );
    refused("<think>{\"command\":\"ls\"}", "no JSON object");
    refused(&format!("{{\"mode\":\"chat\",\"message\":\"{}\"}}", "x".repeat(5 << 20)), "longer than 512 KiB");
    refused(&"{\"a\":".repeat(1000), "recursion limit");
    assert_eq!(reply(b"{\"command\":\"\xff\"}").unwrap_err()[0].to_string(), "the reply is not UTF-8");
}

#[test]
fn what_a_person_could_not_see_is_refused() {
    for (command, part) in [
        ("ls\\n rm -rf x", "U+000A at column 3"),
        ("echo \\u202e", "U+202E at column 6"),
        ("printf \\u001b[2J", "U+001B at column 8"),
        ("l\\u200bs", "U+200B at column 2"),
        (&"x".repeat(1001), "has 1001 characters, expected at most 1000"),
    ] {
        refused(
            &format!("{{\"command\":\"{command}\"}}"),
            &format!(
                "/command has {}",
                part.trim_start_matches("has ").replace("U+", "a character that is not shown, U+")
            ),
        );
        let planned =
            format!("{{\"plan\":{{\"steps\":[{{\"id\":\"1\",\"title\":\"x\",\"command\":\"{command}\"}}]}}}}");
        refused(&planned, part);
    }
    let steps: Vec<String> = (0..10_000).map(|at| format!("{{\"id\":{at},\"title\":\"t\"}}")).collect();
    let many = format!("{{\"mode\":\"plan\",\"plan\":{{\"steps\":[{}]}}}}", steps.join(","));
    refused(&many, "/plan/steps has 10000 steps, expected at most 100");
    assert!(
        read(many.replace("\"id\":", "\"id\":\"").replace(",\"title", "\",\"title").as_bytes()).is_ok(),
        "a file may have them"
    );
}

#[test]
fn many_objects_and_tags_take_no_time() {
    let begun = std::time::Instant::now();
    let odd = [
        "{}".repeat(200_000),
        "{".repeat(500_000),
        "<think>".repeat(70_000),
        format!("{}<think>", "{}".repeat(200_000)),
        format!("{}x", "{\"a\":[".repeat(80_000)),
        format!("{}{}", "{\"a\":".repeat(120), "[1,".repeat(150_000)),
    ];
    for text in odd {
        assert!(reply(text.as_bytes()).is_err());
    }
    assert!(begun.elapsed().as_secs() < 10, "{:?}", begun.elapsed());
}

proptest::proptest! {
    /// A cut reply is never read as another reply, whatever surrounds it.
    #[test]
    fn no_cut_of_a_reply_is_a_reply(which in 0_usize..13, at in 0.0_f64..1.0, wrapped in 0_usize..4) {
        let all: Vec<String> = files("valid").into_values().chain(files("tolerated").into_values()).collect();
        let text = &all[which];
        let whole = reply(text.as_bytes()).unwrap();
        let end = text.rfind('}').unwrap();
        let cut: String = text.chars().take((text[..end].chars().count() as f64 * at) as usize).collect();
        let cut = match wrapped {
            0 => cut,
            1 => format!("```json\n{cut}\n```\n"),
            2 => format!("Here:\n{cut}\nShall I go on?"),
            _ => format!("{{\"reply\": {}}}", serde_json::Value::String(cut)),
        };
        if let Ok(other) = reply(cut.as_bytes()) {
            proptest::prop_assert_eq!(other, whole, "{}", cut);
        }
    }

    #[test]
    fn nothing_makes_it_panic(text in "(\\{|\\}|\\[|\\]|\"|:|,|\\\\|<think>|</think>|```|mode|command|plan|steps|id|1|null| |\n|é){0,60}") {
        let _ = reply(text.as_bytes());
    }

    /// Braces, quotes and tags inside a text are only text.
    #[test]
    fn a_text_is_given_back_as_it_was(text in "(\\{|\\}|\"|\\\\|<think>|</think>|```|\n|x| ){1,30}x") {
        let answer = serde_json::json!({ "mode": "chat", "message": text }).to_string();
        let expected = Reply::Chat(text.clone());
        proptest::prop_assert_eq!(reply(answer.as_bytes()), Ok(expected.clone()));
        let nested = serde_json::json!({ "reply": answer }).to_string();
        proptest::prop_assert_eq!(reply(format!("```\n{nested}\n```").as_bytes()), Ok(expected));
    }
}

#[test]
fn a_plan_becomes_one_goal_with_its_steps() {
    for (name, text) in files("valid") {
        let reply = read(text.as_bytes()).unwrap();
        let list = (READER.read)(&[SourceFile::new(name.clone(), text)], &ReadOptions::default());
        let Reply::Plan(planned) = reply else {
            assert!(list.unwrap_err().message.ends_with("and no plan"), "{name}");
            continue;
        };
        let list = list.unwrap();
        let source = b"# Plan: x\n\n## Log\n";
        let plan = parse(source).unwrap();
        let import = write(&plan, &list, false, "2026-06-15 14:33").unwrap();
        let after = apply(source, &edits(&plan, &import.changes).unwrap()).unwrap();
        let plan = parse(&after).unwrap();
        assert!(lint::errors(&plan).is_empty(), "{name}");
        let steps: Vec<_> = (0..plan.steps.len()).filter_map(|at| plan.step(at)).collect();
        assert_eq!((plan.goals.len(), steps.len()), (1, planned.steps.len()), "{name}");
        for (step, planned) in steps.iter().zip(&planned.steps) {
            assert_eq!((step.text(), step.run()), (planned.label(), planned.command.as_deref()), "{name}");
        }
        assert_eq!(write(&plan, &list, false, "2026-06-15 14:33").unwrap().changes, [], "{name}");
        // Export it again: the text and the status of each step come back.
        let (state, skipped) = export(plan.goal(0).unwrap(), &History::default()).unwrap();
        let Ok(Reply::Plan(again)) = read(state.to_string().as_bytes()) else { panic!("{name}: {state}") };
        let of = |plan: &super::PlannedSteps| -> Vec<_> {
            plan.steps
                .iter()
                .map(|step| {
                    (
                        step.id.clone(),
                        step.label().to_owned(),
                        step.command.clone(),
                        step.description.clone(),
                        step.status,
                    )
                })
                .collect()
        };
        assert_eq!((of(&again), skipped), (of(&planned), 0), "{name}");
    }
}
