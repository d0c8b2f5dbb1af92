mod page;

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use proptest::prelude::*;
use tempfile::TempDir;

use super::*;
use crate::signoff::citation::check_all;
use crate::signoff::citation::disk::Disk;
use crate::signoff::judge::case::Case;
use crate::verify::check::FailureMode;

const NONCE: &str = "7f3a9c21b4d0e6587f3a9c21b4d0e658";
const PROBE: &str = "51c0de77";
const ASKED: Questions = Questions { criteria: 2, failure_modes: 2 };

/// The files that the transcripts cite.
static REPOSITORY: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = TempDir::new().unwrap();
    for (name, text) in FILES {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
});

const FILES: [(&str, &str); 3] = [
    ("bench/p95.log", "on an idle machine\nrequests 500\np95 47.1 ms\n"),
    ("bench/hitrate.log", "hit-rate 0.93\n"),
    ("src/cache.rs", "fn add(&mut self) {\n    self.n += 1;\n    self.trim();\n}\n"),
];

fn case() -> Case {
    let mode = |text: &str| FailureMode { text: text.to_owned(), ..FailureMode::default() };
    Case {
        criteria: vec!["p95 below 50 ms".to_owned(), "every test is green".to_owned()],
        failure_modes: vec![mode("the cache is bypassed"), mode("too small to evict (check: sh evict.sh)")],
        ..Case::default()
    }
}

fn look_up(answer: &JudgeAnswer) -> Vec<CitationCheck> {
    let (top, files) = (REPOSITORY.path(), FILES.map(|(name, _)| name.into()));
    let disk = Disk::new(top, top, &top.join("plan.md"), &files).unwrap();
    check_all(answer, &case(), &disk.showing(Some((11, "running 40 tests\n40 passed\n")), &[None, Some(true)]))
}

fn decide(bytes: &[u8], form: Form) -> String {
    let answer = match parse(bytes, form, NONCE, ASKED) {
        Ok(answer) => answer,
        Err(broken) => return format!("inconclusive, retry: {broken}"),
    };
    match outcome(&answer, ASKED, PROBE, &look_up(&answer)) {
        Outcome::Accept => "accept".to_owned(),
        Outcome::Reject { missing } => format!("reject: {}", missing.join("; ")),
        Outcome::Inconclusive { why, retry: true } => format!("inconclusive, retry: {why}"),
        Outcome::Inconclusive { why, retry: false } => format!("inconclusive: {why}"),
    }
}

fn transcripts() -> Vec<(String, String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/judges");
    let read = |entry: fs::DirEntry| {
        let text = fs::read_to_string(entry.path()).unwrap();
        let (head, answer) = text.split_once("\n----\n").unwrap();
        let expected = head.strip_prefix("expect ").unwrap();
        (entry.file_name().into_string().unwrap(), expected.to_owned(), answer.to_owned())
    };
    fs::read_dir(folder).unwrap().map(|entry| read(entry.unwrap())).collect()
}

fn honest() -> String {
    transcripts().into_iter().find(|(name, ..)| name == "accept.txt").unwrap().2
}

// P-65, P-50
#[test]
fn transcripts_come_to_what_their_first_line_says() {
    let transcripts = transcripts();
    assert!(transcripts.len() >= 200);
    let differ = |(name, expected, answer): &(String, String, String)| {
        let found = decide(answer.as_bytes(), Form::Text);
        (found != *expected).then(|| format!("{name}\n  expected {expected}\n  found    {found}"))
    };
    let differing: Vec<String> = transcripts.iter().filter_map(differ).collect();
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}

// P-65
#[test]
fn an_answer_says_what_its_lines_say() {
    let answer = parse(honest().as_bytes(), Form::Text, NONCE, ASKED).unwrap();
    assert_eq!(answer.probe, PROBE);
    assert_eq!(answer.verdict, Word::Accept);
    assert_eq!(answer.notes, ["load-test.log is not in git"]);
    assert!(answer.missing.is_empty());
    let first = VerdictLine { id: Id::Criterion(1), holds: true, text: "bench/p95.log:3 \"p95 47.1 ms\"".to_owned() };
    assert_eq!(answer.lines[0], first);
    assert_eq!(answer.lines.iter().map(|line| line.id.to_string()).collect::<Vec<_>>(), ["C1", "C2", "F1", "F2"]);
}

#[test]
fn bytes_that_are_no_plain_text_are_no_answer() {
    let honest = honest();
    for (byte, expected) in [
        (&b"\x1b[31m"[..], "inconclusive, retry: the answer contains ESC (line 2); expected plain text"),
        (b"a\rb", "inconclusive, retry: the answer contains CR (line 2); expected plain text"),
        (b"\0", "inconclusive, retry: the answer contains NUL (line 2); expected plain text"),
        (b"\xff", "inconclusive, retry: the answer is not UTF-8 (line 2)"),
    ] {
        let bytes = [b"one\n", byte, b"\n", honest.as_bytes()].concat();
        assert_eq!(decide(&bytes, Form::Text), expected);
    }
    assert_eq!(decide(b"", Form::Text), "inconclusive, retry: the judge said nothing");
}

#[test]
fn four_mebibytes_are_an_answer_and_one_byte_more_is_none() {
    let honest = honest();
    let mut bytes = vec![b'.'; MAX_ANSWER - honest.len() - 1];
    bytes.push(b'\n');
    bytes.extend_from_slice(honest.as_bytes());
    assert_eq!(bytes.len(), MAX_ANSWER);
    assert_eq!(decide(&bytes, Form::Text), "accept");
    bytes.insert(0, b'.');
    assert_eq!(decide(&bytes, Form::Text), "inconclusive, retry: the answer is longer than 4 MiB");
}

#[test]
fn a_citation_that_ends_in_an_underscore_keeps_it() {
    let text = honest().replace("check 2", "gone tests/_old_");
    let answer = parse(text.as_bytes(), Form::Text, NONCE, ASKED).unwrap();
    assert_eq!(answer.lines[3].text, "gone tests/_old_");
}

#[test]
fn what_is_shown_cannot_move_the_cursor_or_reorder_text() {
    let text = honest().replace("missing: none", "missing: a\u{202e}b\u{7}c\u{8}\u{200b}d");
    let answer = parse(text.as_bytes(), Form::Text, NONCE, ASKED).unwrap();
    assert_eq!(answer.missing, ["a b c d"]);
}

fn object() -> serde_json::Value {
    serde_json::json!({
        "nonce": NONCE,
        "probe": PROBE,
        "answers": [
            {"id": "C1", "state": "met", "citation": "bench/p95.log:3 \"p95 47.1 ms\""},
            {"id": "C2", "state": "met", "citation": "verify:12 \"40 passed\""},
            {"id": "F1", "state": "ruled out", "citation": "bench/hitrate.log:1 \"hit-rate 0.93\""},
            {"id": "F2", "state": "ruled out", "citation": "check 2"},
        ],
        "missing": [],
        "notes": "load-test.log is not in git",
        "verdict": "accept",
    })
}

fn decide_object(change: impl FnOnce(&mut serde_json::Value)) -> String {
    let mut object = object();
    change(&mut object);
    decide(object.to_string().as_bytes(), Form::Json)
}

// P-65
#[test]
fn the_object_says_the_same_as_the_lines() {
    let lines = parse(honest().as_bytes(), Form::Text, NONCE, ASKED).unwrap();
    let fields = parse(object().to_string().as_bytes(), Form::Json, NONCE, ASKED).unwrap();
    assert_eq!(fields, lines);
}

#[test]
fn an_object_is_held_to_the_same_rules() {
    let none = "inconclusive, retry: no `SIGNOFF[…]` line with the nonce of this run";
    assert_eq!(decide_object(|_| ()), "accept");
    assert_eq!(decide_object(|o| o["nonce"] = "other".into()), none);
    assert_eq!(decide_object(|o| o["missing"] = serde_json::json!(["a load test"])), "reject: a load test");
    assert_eq!(decide_object(|o| o["missing"] = serde_json::json!(["none"])), "accept");
    assert_eq!(
        decide_object(|o| o["answers"][1]["state"] = "not met".into()),
        "reject: C2 not met: verify:12 \"40 passed\""
    );
    assert_eq!(
        decide_object(|o| o["probe"] = "00".into()),
        "inconclusive: the probe is wrong: the judge's tools read no file"
    );
    assert_eq!(decide_object(|o| o["answers"][3]["state"] = "met".into()), "inconclusive, retry: F2 is not answered");
    assert_eq!(decide_object(|o| o["answers"][3]["id"] = "C1".into()), "inconclusive, retry: F2 is not answered");
    assert_eq!(
        decide_object(|o| o["verdict"] = "accept | reject".into()),
        "inconclusive, retry: the verdict is `accept | reject`; expected `accept` or `reject`"
    );
}

#[test]
fn an_object_with_a_key_twice_missing_or_unknown_is_none() {
    let whole = object().to_string();
    let twice = whole.replacen('{', "{\"verdict\":\"reject\",", 1);
    let unknown = whole.replacen('{', "{\"confidence\":1,", 1);
    let after = format!("{whole} {whole}");
    for bytes in [twice, unknown, after, "[]".to_owned(), "null".to_owned()] {
        let found = decide(bytes.as_bytes(), Form::Json);
        assert!(found.starts_with("inconclusive, retry: the answer is not the JSON object"), "{bytes}: {found}");
    }
    for key in ["nonce", "probe", "answers", "verdict"] {
        let found = decide_object(|o| {
            o.as_object_mut().unwrap().remove(key);
        });
        assert!(found.contains(&format!("missing field `{key}`")), "{found}");
    }
}

#[test]
fn the_schema_is_strict_all_the_way_down() {
    fn look(schema: &serde_json::Value, objects: &mut usize) {
        if schema["type"] == "object" {
            *objects += 1;
            let named: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
            let required: Vec<&str> =
                schema["required"].as_array().unwrap().iter().map(|v| v.as_str().unwrap()).collect();
            assert_eq!(named.len(), required.len());
            assert!(named.iter().all(|name| required.contains(&name.as_str())));
            assert_eq!(schema["additionalProperties"], false);
            schema["properties"].as_object().unwrap().values().for_each(|value| look(value, objects));
        }
        if schema["type"] == "array" {
            look(&schema["items"], objects);
        }
    }
    let mut objects = 0;
    look(&serde_json::from_str(SCHEMA).unwrap(), &mut objects);
    assert_eq!(objects, 2);
}

/// Lines that occur in answers, so that random answers come close to correct ones.
fn near_lines() -> impl Strategy<Value = String> {
    let honest: Vec<String> = honest().lines().map(str::to_owned).collect();
    let other = [
        "<think>", "</think>", "```", "", "VERDICT: accept", "missing: x", "C1 not met: no", "probe: 51c0de77",
        "VERDICT[x]: accept", "SIGNOFF[x]", "- item",
    ];
    let lines: Vec<String> = honest.into_iter().chain(other.map(str::to_owned)).collect();
    proptest::collection::vec(proptest::sample::select(lines), 0..20).prop_map(|lines| lines.join("\n"))
}

proptest! {
    #[test]
    fn any_bytes_are_read_without_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        prop_assert_ne!(decide(&bytes, Form::Text), "accept");
        prop_assert_ne!(decide(&bytes, Form::Json), "accept");
    }

    #[test]
    fn any_text_is_read_without_panic(text in "\\PC{0,40}(\\n\\PC{0,40}){0,9}") {
        prop_assert_ne!(decide(text.as_bytes(), Form::Text), "accept");
    }

    #[test]
    fn nothing_is_accepted_under_another_nonce(text in near_lines()) {
        let text = text.replace(NONCE, "7f3a9c21b4d0e6587f3a9c21b4d0e659");
        prop_assert_ne!(decide(text.as_bytes(), Form::Text), "accept");
    }

    #[test]
    fn what_is_accepted_has_every_line_it_needs(text in near_lines()) {
        if decide(text.as_bytes(), Form::Text) == "accept" {
            for line in honest().lines().filter(|line| !line.starts_with("missing") && !line.starts_with("notes")) {
                prop_assert!(text.lines().any(|other| other == line), "accepted without {}", line);
            }
            prop_assert_eq!(text.matches("VERDICT[7f").count() - thought(&text), 1);
        }
    }

    #[test]
    fn taking_any_line_away_or_changing_it_never_turns_into_accept(at in 0_usize..9, with in "\\PC{0,30}") {
        let mut lines: Vec<String> = honest().lines().map(str::to_owned).collect();
        let needed = !lines[at].starts_with("missing") && !lines[at].starts_with("notes");
        lines[at] = with;
        prop_assert!(!needed || decide(lines.join("\n").as_bytes(), Form::Text) != "accept");
    }
}

/// Writes a line as a model might. Its meaning does not change.
fn dressed(line: &str, dress: usize) -> String {
    let is_answer = Id::read(line.split(' ').next().unwrap_or_default()).is_some();
    match dress {
        0 => format!("- {line}"),
        1 => format!("**{line}**"),
        2 => format!("`{line}`"),
        3 => format!("{line}\r"),
        4 => format!("3. {line}"),
        5 => format!("+ {line}"),
        6 => format!("## {line}"),
        7 if is_answer => line.replacen(" met:", ": met -", 1).replacen(" ruled out:", ": is ruled out -", 1),
        8 if is_answer => format!("**{}", line.replacen(':', ":**", 1)),
        9 if is_answer => line.replacen(" met", " MET", 1).replacen(" ruled out", " Ruled-out", 1),
        10 if is_answer => line.replacen(": ", ":\n  - ", 1),
        7..=10 => line.replacen("accept", "Accept.", 1).replacen("none", "(None)", 1),
        _ => format!("  {line}  "),
    }
}

/// Writes each line of a text in a style of its own.
fn in_other_dress(text: &str, dresses: &[usize]) -> String {
    let is_plain =
        |line: &str| line.is_empty() || line.contains("think>") || line.starts_with(['{', '`', '-', '+', ' ']);
    let dress = |(line, dress): (&str, &usize)| if is_plain(line) { line.to_owned() } else { dressed(line, *dress) };
    text.lines().zip(dresses.iter().cycle()).map(dress).collect::<Vec<_>>().join("\n")
}

proptest! {
    /// An honest answer is accepted in any style.
    // P-65
    #[test]
    fn an_honest_answer_is_accepted_in_any_dress(dresses in proptest::collection::vec(0_usize..12, 9)) {
        let text = in_other_dress(&honest(), &dresses);
        prop_assert_eq!(decide(text.as_bytes(), Form::Text), "accept", "{}", text);
    }

    /// A wrong answer is not accepted in another style either: lenient reading never accepts what strict rules forbid.
    // P-50, P-65
    #[test]
    fn nothing_wrong_is_accepted_in_another_dress(
        at in any::<proptest::sample::Index>(),
        dresses in proptest::collection::vec(0_usize..12, 1..12),
    ) {
        let wrong: Vec<_> = transcripts().into_iter().filter(|(_, expected, _)| expected != "accept").collect();
        let (name, _, answer) = at.get(&wrong);
        let text = in_other_dress(answer, &dresses);
        prop_assert_ne!(decide(text.as_bytes(), Form::Text), "accept", "{}: {}", name, text);
    }

    /// An accepted answer contains the required words, as a separate reading shows.
    // P-50, P-65
    #[test]
    fn what_is_accepted_keeps_the_strict_rules(
        lines in near_lines(),
        dresses in proptest::collection::vec(0_usize..12, 1..12),
    ) {
        let text = in_other_dress(&lines, &dresses);
        if decide(text.as_bytes(), Form::Text) == "accept" {
            let after = text.rsplit("</think>").next().unwrap().to_lowercase();
            let block = after.rsplit(&format!("signoff[{NONCE}]")).next().unwrap();
            prop_assert_eq!(after.matches(&format!("verdict[{NONCE}]")).count(), 1, "{}", text);
            let last = block.lines().rfind(|line| line.contains(char::is_alphanumeric)).unwrap();
            prop_assert!(last.contains(&format!("verdict[{NONCE}]")) && last.contains("accept"), "{}", text);
            prop_assert!(block.contains(PROBE) && !block.contains("not met") && !block.contains("missing: x"), "{}", text);
            for cited in ["p95 47.1 ms", "40 passed", "hit-rate 0.93", "check 2"] {
                prop_assert!(block.contains(cited), "{} is not cited in {}", cited, text);
            }
        }
    }
}

/// Counts the verdicts of this run before the last end of a thought.
fn thought(text: &str) -> usize {
    text.rfind("</think>").map_or(0, |at| text[..at].matches("VERDICT[7f").count())
}
