//! The time of a session's hook events as whole processes, compared with common hooks of other authors; and the bytes that a long session
//! gets, compared with ways that add something on every turn.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::timing::{self, Make};
use crate::{Options, plan_file, ratio, repository, show};

/// Common hooks that put plan.md into the conversation.
const OTHERS: [(&str, &[&str]); 3] = [
    (
        "bash and jq",
        &[
            "bash",
            "-c",
            r#"jq -r .cwd >/dev/null; jq -n --rawfile p plan.md '{hookSpecificOutput:{hookEventName:"UserPromptSubmit",additionalContext:$p}}'"#,
        ],
    ),
    (
        "python3",
        &[
            "python3",
            "-c",
            "import json,sys; e=json.load(sys.stdin); print(json.dumps({'hookSpecificOutput':{'hookEventName':e['hook_event_name'],'additionalContext':open('plan.md').read()}}))",
        ],
    ),
    (
        "node",
        &[
            "node",
            "-e",
            "const fs=require('fs');const e=JSON.parse(fs.readFileSync(0));console.log(JSON.stringify({hookSpecificOutput:{hookEventName:e.hook_event_name,additionalContext:fs.readFileSync('plan.md','utf8')}}))",
        ],
    ),
];

/// Prints one row for each event, then one row for each of the other hooks on a prompt.
pub fn events(options: &Options, folder: &Path) {
    let work = repository(folder, "hooks", 10);
    let edit = json!([{ "tool_name": "Edit", "tool_input": { "file_path": "a.py" } }]);
    let events = [
        ("session start", json!({ "hook_event_name": "SessionStart", "source": "startup" })),
        ("prompt", json!({ "hook_event_name": "UserPromptSubmit", "prompt": "go on" })),
        ("tools", json!({ "hook_event_name": "PostToolBatch", "tool_calls": edit })),
        ("stop", json!({ "hook_event_name": "Stop", "last_assistant_message": "done" })),
    ];
    let file = |name: &str, event: &Value| {
        let path = folder.join(format!("{}.json", name.replace(' ', "-")));
        std::fs::write(&path, with_session(event, &work).to_string()).expect("our own folder");
        path
    };
    let fed = |argv: &[&str], payload: &Path| {
        let mut command = Command::new("sh");
        command
            .args(["-c", r#"payload=$1; shift; exec "$@" <"$payload""#, "sh"])
            .arg(payload)
            .args(argv)
            .current_dir(&work);
        command
    };
    let program = options.plan.to_str().expect("a path of text");
    let payloads: Vec<_> = events.iter().map(|(name, event)| (*name, file(name, event))).collect();
    let nothing: Make<'_> = Box::new(|_| fed(&["/bin/true"], &payloads[0].1));
    let mut names = vec!["/bin/true"];
    let mut contenders = vec![nothing];
    for (name, payload) in &payloads {
        names.push(name);
        contenders.push(Box::new(|_| fed(&[program, "hook", "claude"], payload)));
    }
    for (name, argv) in &OTHERS {
        if fed(argv, &payloads[1].1).output().is_ok_and(|output| output.status.success()) {
            names.push(name);
            contenders.push(Box::new(|_| fed(argv, &payloads[1].1)));
        }
    }
    let times = timing::medians(&contenders, options.budget * 4, 100);
    println!("\n| a hook of 10 goals, below a shell that feeds it | time | ratio |\n| --- | ---: | ---: |");
    for (name, time) in names.iter().zip(&times) {
        println!("| {name} | {} | {:.2} |", show(*time), ratio(*time, times[0]));
    }
}

/// Simulates 100 turns of tools, a prompt before every tenth, a step done in every eighth, two compactions, three active goals.
pub fn bytes(options: &Options, folder: &Path) {
    let work = repository(folder, "session", 24);
    let hook = |event: Value| {
        let mut child = Command::new(&options.plan)
            .args(["hook", "claude"])
            .current_dir(&work)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        child.stdin.take().expect("piped").write_all(with_session(&event, &work).to_string().as_bytes()).expect("read");
        let output = child.wait_with_output().expect("ended");
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        answer["hookSpecificOutput"]["additionalContext"].as_str().map_or(0, str::len)
    };
    let plan = |args: &[&str]| {
        Command::new(&options.plan).args(args).current_dir(&work).output().expect("it runs").stdout.len()
    };
    let start = |source: &str| hook(json!({ "hook_event_name": "SessionStart", "source": source }));
    let (mut ours, mut block, mut whole) = (start("startup"), 0, 0);
    for turn in 0..100 {
        if turn % 10 == 0 {
            ours += hook(json!({ "hook_event_name": "UserPromptSubmit", "prompt": "go on" }));
        }
        let mut command = "make".to_owned();
        if turn % 8 == 7 {
            let step = plan_file::open_step(turn / 8).to_string();
            plan(&["step", "done", &step]);
            command = format!("plan step done {step}");
        }
        let tools = json!([{ "tool_name": "Bash", "tool_input": { "command": command } }]);
        ours += hook(json!({ "hook_event_name": "PostToolBatch", "tool_calls": tools }));
        if turn == 40 || turn == 80 {
            ours += start("compact");
        }
        block += plan(&["inject"]);
        whole += plan(&["inject", "--full", "--max-bytes", "1000000"]);
    }
    println!("\n| put into a session of 100 turns, 3 active goals of 24, 2 compactions | bytes |\n| --- | ---: |");
    println!(
        "| the hooks, reminders too | {ours} |\n| the block on each turn | {block} |\n| the whole plan on each turn | {whole} |"
    );
}

fn with_session(event: &Value, work: &Path) -> Value {
    let mut event = event.clone();
    event["session_id"] = json!("bench");
    event["cwd"] = json!(work);
    event
}
