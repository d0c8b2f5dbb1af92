//! `docs/judges.md` and `plan judge example`: the judges in them work.

use std::io::{Read, Write};
use std::net::TcpListener;

use plan::signoff::verdict::{Form, Questions, SCHEMA, Word, parse};
use serde_json::{Value, json};

use crate::support::World;

const DOC: &str = include_str!("../../docs/judges.md");
const NONCE: &str = "7f3a9c21b4d0e6587f3a9c21b4d0e658";

/// A fenced block of the page.
fn block(language: &str) -> &'static str {
    let start = format!("```{language}\n");
    DOC.split_once(&start).and_then(|(_, rest)| rest.split_once("\n```")).unwrap().0
}

/// The judge that `plan judge example` prints, in a world's `bin`.
fn example() -> World {
    let world = World::without_git();
    let program = world.plan(["judge", "example"]);
    assert_eq!((program.code, &*program.stderr), (0, ""));
    world.program("judge.py", &program.stdout)
}

// P-5, P-65
#[test]
fn the_example_is_a_judge_that_passes_its_test() {
    let world = example();
    let test = world.plan(["judge", "test", "cmd:judge.py"]);
    assert_eq!(test.code, 0, "{test:?}");
    assert_eq!(test.stdout.matches('✓').count(), 6, "{test:?}");
    let json = World::without_git().plan(["judge", "example", "--json"]).json(0);
    assert!(json["program"].as_str().unwrap().starts_with("#!/usr/bin/env python3\n"));
}

/// The page's program for a local model, against a server that answers like one.
// P-65
#[test]
fn a_model_behind_a_server_judges_by_the_schema() {
    let world = example();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (head, tail) = world
        .read("../bin/judge.py")
        .split_once("if __name__")
        .map(|(a, b)| (a.to_owned(), format!("if __name__{b}")))
        .unwrap();
    let python = block("python").replace("127.0.0.1:8080", &format!("127.0.0.1:{port}"));
    let world = world.program("local.py", &format!("{head}{python}\n\n{tail}")).file("note.txt", "Hello, Ada\n");
    std::fs::write(world.base().join("bin/answer.schema.json"), block("json")).unwrap();
    std::fs::write(world.base().join("tmp/probe"), "51c0de77\n").unwrap();
    let served = std::thread::spawn(move || serve(&listener));
    let probe = world.base().join("tmp/probe");
    let data = json!({ "criteria": [], "failure_modes": [], "evidence": { "files": ["note.txt"] } });
    let prompt = format!("DATA[{NONCE}] begin\n{data}\nDATA[{NONCE}] end\nThe probe file is `{}`.\n", probe.display());
    // Not with the world's own call, whose output hides long numbers.
    world.write("prompt", prompt);
    let input = std::fs::File::open(world.path("prompt")).unwrap();
    let said = world.command(world.path("../bin/local.py"), [""; 0]).stdin(input).output().unwrap();
    assert!(said.status.success(), "{said:?}");
    let asked: Value = serde_json::from_str(&served.join().unwrap()).unwrap();
    assert_eq!(asked["response_format"]["json_schema"]["schema"], serde_json::from_str::<Value>(SCHEMA).unwrap());
    let question = asked["messages"][0]["content"].as_str().unwrap();
    assert!(question.contains("Hello, Ada") && question.contains("holds 51c0de77"), "{question}");
    let answer = parse(&said.stdout, Form::Text, NONCE, Questions { criteria: 1, failure_modes: 0 }).unwrap();
    assert_eq!((answer.verdict, answer.lines.len()), (Word::Accept, 1));
    std::fs::remove_file(probe).unwrap();
}

/// Takes one request and answers like a model that is held to the schema. Returns the body of the request.
fn serve(listener: &TcpListener) -> String {
    let (mut stream, _) = listener.accept().unwrap();
    let mut bytes = Vec::new();
    let body = loop {
        let mut chunk = [0; 4096];
        let count = stream.read(&mut chunk).unwrap();
        bytes.extend_from_slice(&chunk[..count]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length =
            head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse::<usize>().ok());
        if body.len() >= length.unwrap() {
            break body.to_owned();
        }
    };
    let answer = json!({
        "nonce": NONCE, "probe": "51c0de77", "answers": [{ "id": "C1", "state": "met", "citation": "note.txt:1 \"Hello, Ada\"" }],
        "missing": [], "notes": "", "verdict": "accept",
    });
    let reply = json!({ "choices": [{ "message": { "content": answer.to_string() } }] }).to_string();
    write!(
        stream,
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{reply}",
        reply.len()
    )
    .unwrap();
    body
}
