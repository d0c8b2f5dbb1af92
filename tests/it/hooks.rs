//! `plan hook`: the answers to a host at each event of a session, tested with Claude Code's hooks.

mod at_work;
mod codex;
mod contract;
mod guard;
mod handed_back;
mod held;
mod let_go;
mod loop_driver;
mod model;
mod reviewed;
mod shown;
mod trouble;

use serde_json::{Value, json};

use crate::support::World;
use crate::support::plans::TO_DO as PLAN;

/// A session of Claude Code on the plan of a world.
struct Session<'w> {
    world: &'w World,
    id: String,
}

impl<'w> Session<'w> {
    fn new(world: &'w World, id: &str) -> Self {
        Session { world, id: id.to_owned() }
    }

    /// The hook's answer to an event; `Null` if there is none.
    fn event(&self, name: &str, more: Value) -> Value {
        let mut payload = json!({ "hook_event_name": name, "session_id": self.id, "cwd": self.world.root() });
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.raw(payload.to_string())
    }

    fn raw(&self, payload: impl AsRef<[u8]>) -> Value {
        let output = self.world.call(["hook", "claude"]).stdin(payload).run();
        assert_eq!((output.code, &*output.stderr), (0, ""), "{}", output.stdout);
        if output.stdout.is_empty() { Value::Null } else { serde_json::from_str(&output.stdout).unwrap() }
    }

    /// The text for the model in the answer; empty if there is none.
    fn text(&self, name: &str, more: Value) -> String {
        let answer = self.event(name, more);
        if answer.is_null() {
            return String::new();
        }
        assert_eq!(answer["hookSpecificOutput"]["hookEventName"], name, "{answer}");
        answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap().to_owned()
    }

    fn start(&self, source: &str) -> String {
        self.text("SessionStart", json!({ "source": source }))
    }

    fn prompt(&self, text: &str) -> String {
        self.text("UserPromptSubmit", json!({ "prompt": text }))
    }

    fn tools(&self, tools: &[(&str, Value)]) -> String {
        let calls: Vec<Value> =
            tools.iter().map(|(name, input)| json!({ "tool_name": name, "tool_input": input })).collect();
        self.text("PostToolBatch", json!({ "tool_calls": calls }))
    }

    /// A file of the work is edited.
    fn edits(&self) -> String {
        self.tools(&[("Edit", json!({ "file_path": "src/cache.py" }))])
    }

    /// A shell command is run, by the world too.
    fn runs(&self, args: &[&str]) -> String {
        let output = self.world.plan(args);
        assert_eq!(output.code, 0, "{output:?}");
        let words: Vec<String> = args.iter().map(|arg| format!("\"{arg}\"")).collect();
        self.tools(&[(
            "Bash",
            json!({ "command": format!("plan {}", words.join(" ").replace('"', "'").replacen('\'', "", 2)) }),
        )])
    }

    fn stop(&self, reply: &str) -> Value {
        self.event("Stop", json!({ "last_assistant_message": reply, "stop_hook_active": false }))
    }

    /// True if the turn goes on.
    fn is_pushed(&self, reply: &str) -> bool {
        let answer = self.stop(reply);
        answer["hookSpecificOutput"]["additionalContext"].is_string()
    }

    /// A session that was told to work on the plan, and changed a file.
    fn at_work_on(world: &'w World, id: &str) -> Self {
        let session = Session::new(world, id);
        session.start("startup");
        session.prompt("work on the plan");
        session.edits();
        session
    }

    /// A session that works on the plan: it ticked a step since the last message.
    fn at_work(world: &'w World, id: &str) -> Self {
        let session = Session::new(world, id);
        session.start("startup");
        session.prompt("do it");
        session.runs(&["step", "done", "1", "wired"]);
        session
    }
}

fn world() -> World {
    World::new().file("plan.md", PLAN)
}
