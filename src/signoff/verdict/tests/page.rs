//! Checks every transcript against `docs/judges.md`, which has the form of the answer as a grammar and as a schema.

mod grammar;

use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};

use self::grammar::{Grammar, Node};
use super::*;
use crate::signoff::citation::{Citation, read};

const DOC: &str = include_str!("../../../../docs/judges.md");

/// Returns a fenced block of the page.
fn block(language: &str) -> &'static str {
    let start = format!("```{language}\n");
    DOC.split_once(&start).and_then(|(_, rest)| rest.split_once("\n```")).unwrap().0
}

/// Whether a value conforms to the schema, for the keywords that the schema uses.
fn conforms(value: &Value, schema: &Value) -> bool {
    let is_one = schema["enum"].as_array().is_none_or(|all| all.contains(value));
    is_one
        && match schema["type"].as_str().unwrap() {
            "string" => value.is_string(),
            "array" => value.as_array().is_some_and(|all| all.iter().all(|one| conforms(one, &schema["items"]))),
            "object" => value.as_object().is_some_and(|object| {
                let known = schema["properties"].as_object().unwrap();
                let required = schema["required"].as_array().unwrap();
                object.iter().all(|(name, value)| known.get(name).is_some_and(|schema| conforms(value, schema)))
                    && required.iter().all(|name| object.contains_key(name.as_str().unwrap()))
            }),
            other => panic!("{other}"),
        }
}

fn state(id: Id, holds: bool) -> String {
    let word = if matches!(id, Id::Criterion(_)) { "met" } else { "ruled out" };
    if holds { word.to_owned() } else { format!("not {word}") }
}

/// Writes an answer as the block, criteria first.
fn lines(answer: &JudgeAnswer) -> String {
    let mut text = format!("SIGNOFF[{NONCE}]\nprobe: {}\n", answer.probe);
    let mut all: Vec<_> = answer.lines.iter().collect();
    all.sort_by_key(|line| line.id);
    for line in all {
        text += &format!("{} {}: {}\n", line.id, state(line.id, line.holds), plain(&line.text));
    }
    let none = vec!["none".to_owned()];
    let missing = if answer.missing.is_empty() { &none } else { &answer.missing };
    missing.iter().for_each(|one| text += &format!("missing: {one}\n"));
    answer.notes.iter().for_each(|note| text += &format!("notes: {note}\n"));
    let word = if answer.verdict == Word::Accept { "accept" } else { "reject" };
    text + &format!("VERDICT[{NONCE}]: {word}\n")
}

/// Writes citations in their plain form.
fn plain(text: &str) -> String {
    let plain = |citation: &Citation| match citation {
        Citation::File { path, line, quote } => format!("{path}:{line} \"{quote}\""),
        Citation::Verify { line, quote } => format!("verify:{line} \"{quote}\""),
        Citation::Absent { glob, text } => format!("absent {glob} \"{text}\""),
        Citation::Gone { path } => format!("gone {path}"),
        Citation::Check { number } => format!("check {number}"),
    };
    read::citations(text).unwrap().iter().map(plain).collect::<Vec<_>>().join("; ")
}

/// Writes the same answer as the object.
fn object(answer: &JudgeAnswer) -> Value {
    let of = |line: &VerdictLine| json!({ "id": line.id.to_string(), "state": state(line.id, line.holds), "citation": line.text });
    let verdict = if answer.verdict == Word::Accept { "accept" } else { "reject" };
    json!({
        "nonce": NONCE, "probe": answer.probe, "answers": answer.lines.iter().map(of).collect::<Vec<_>>(),
        "missing": answer.missing, "notes": answer.notes.join(" "), "verdict": verdict,
    })
}

// P-65
#[test]
fn every_accepted_transcript_says_what_the_grammar_and_the_schema_can_say() {
    let (grammar, schema) = (Grammar::read(block("gbnf")), serde_json::from_str(block("json")).unwrap());
    let mut as_it_is = 0;
    for (name, _, text) in transcripts().iter().filter(|(_, expected, _)| expected == "accept") {
        as_it_is += usize::from(grammar.matches(text));
        let answer = parse(text.as_bytes(), Form::Text, NONCE, ASKED).unwrap();
        let plain = lines(&answer);
        assert!(grammar.matches(&plain), "{name}:\n{plain}");
        let again = parse(plain.as_bytes(), Form::Text, NONCE, ASKED).unwrap();
        assert_eq!(
            (again.probe, again.verdict, again.missing),
            (answer.probe.clone(), answer.verdict, answer.missing.clone())
        );
        let object = object(&answer);
        assert!(conforms(&object, &schema), "{name}: {object:#}");
        let same = parse(object.to_string().as_bytes(), Form::Json, NONCE, ASKED).unwrap();
        assert_eq!((same.lines, same.probe, same.verdict), (answer.lines, answer.probe, answer.verdict), "{name}");
    }
    assert!(as_it_is >= 5, "only {as_it_is} are in the plain form");
}

// P-65
#[test]
fn what_has_no_whole_form_is_not_in_the_grammar() {
    let grammar = Grammar::read(block("gbnf"));
    // A grammar cannot check that the nonce is the same at both ends.
    let open = ["no `probe", "text after", "the verdict is `", "the judge said", "the answer"];
    let is_open = |expected: &str| {
        expected.strip_prefix("inconclusive, retry: ").is_some_and(|why| open.iter().any(|open| why.starts_with(open)))
    };
    let broken: Vec<_> = transcripts().into_iter().filter(|(_, expected, _)| is_open(expected)).collect();
    assert!(broken.len() > 15, "{}", broken.len());
    for (name, expected, text) in broken {
        assert!(!grammar.matches(&text), "{name}: {expected}");
    }
}

#[test]
fn the_schema_of_the_page_is_the_one_that_hosts_are_given() {
    let page: Value = serde_json::from_str(block("json")).unwrap();
    assert_eq!(page, serde_json::from_str::<Value>(SCHEMA).unwrap());
    let wrong = |change: &dyn Fn(&mut Value)| {
        let text = "SIGNOFF[N]\nprobe: 51\nC1 met: check 1\nVERDICT[N]: accept\n".replace("[N]", &format!("[{NONCE}]"));
        let answer = parse(text.as_bytes(), Form::Text, NONCE, ASKED).unwrap();
        let mut object = object(&answer);
        assert!(conforms(&object, &page));
        change(&mut object);
        !conforms(&object, &page)
    };
    assert!(wrong(&|object| object["verdict"] = "perhaps".into()));
    assert!(wrong(&|object| object["more"] = "x".into()));
    assert!(wrong(&|object| drop(object.as_object_mut().unwrap().remove("probe"))));
    assert!(wrong(&|object| object["answers"][0]["state"] = "half met".into()));
}

proptest! {
    /// A model that follows the grammar answers in the form, whatever it says.
    // P-65
    #[test]
    fn all_that_the_grammar_writes_is_read(choices in proptest::collection::vec(any::<Index>(), 64)) {
        let grammar = Grammar::read(block("gbnf"));
        let mut text = String::new();
        grammar.write(&Node::Rule("root".to_owned()), &mut choices.into_iter().cycle(), &mut text);
        prop_assert!(grammar.matches(&text), "{}", text);
        let nonce = text["SIGNOFF[".len()..][..32].to_owned();
        // A grammar cannot keep the nonce the same at both ends, nor answer each question only once.
        let text = text.lines().map(|line| match line.split_once("VERDICT[") {
            Some(("", rest)) => format!("VERDICT[{nonce}{}\n", &rest[32..]),
            _ => format!("{line}\n"),
        }).collect::<String>();
        let asked = Questions { criteria: 0, failure_modes: 0 };
        let read = parse(text.as_bytes(), Form::Text, &nonce, asked);
        prop_assert!(read.is_ok(), "{:?}\n{}", read, text);
    }
}
