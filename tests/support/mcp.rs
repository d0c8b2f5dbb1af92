//! A small MCP client over pipes, for tests that talk to `plan mcp` as a host does.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use super::World;

/// How long an answer may take.
const LIMIT: Duration = Duration::from_secs(60);

/// A server and what it said so far.
pub struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: mpsc::Receiver<String>,
    next: u64,
    /// Everything that came and was no answer to what was waited for.
    pub aside: Vec<Value>,
}

/// The result of a tool.
#[derive(Debug)]
pub struct Answer {
    /// The text content.
    pub text: String,
    /// The structured content.
    pub structured: Value,
    /// `isError`.
    pub is_error: bool,
}

impl Answer {
    /// The exit status that the structured content tells; 0 without one, as for a success.
    pub fn exit(&self) -> i64 {
        self.structured["exit"].as_i64().unwrap_or(0)
    }
}

impl Client {
    /// A server in the world that has not been spoken to.
    pub fn start(world: &World) -> Client {
        Client::of(world.interruptible(["mcp"]))
    }

    /// A server that has been shaken hands with.
    pub fn open(world: &World) -> Client {
        Client::start(world).greeted(json!({}))
    }

    /// Any command that serves.
    pub fn of(mut command: Command) -> Client {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take().unwrap());
        let (say, lines) = mpsc::channel();
        std::thread::spawn(move || {
            BufReader::new(stdout).lines().map_while(Result::ok).try_for_each(|line| say.send(line))
        });
        Client { child, stdin, lines, next: 100, aside: Vec::new() }
    }

    /// Shakes hands, with these capabilities.
    pub fn greeted(mut self, capabilities: Value) -> Client {
        let answer = self.ask(
            "initialize",
            json!({ "protocolVersion": "2025-11-25", "capabilities": capabilities,
                    "clientInfo": { "name": "test", "version": "1" } }),
        );
        assert_eq!(answer["result"]["protocolVersion"], "2025-11-25", "{answer}");
        self.tell("notifications/initialized", json!({}));
        self
    }

    /// A line as it is.
    pub fn line(&mut self, line: impl AsRef<[u8]>) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(line.as_ref()).and_then(|()| stdin.write_all(b"\n")).unwrap();
    }

    /// A message.
    pub fn send(&mut self, message: Value) {
        self.line(message.to_string());
    }

    /// A notification.
    pub fn tell(&mut self, method: &str, params: Value) {
        self.send(json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// A request; its id.
    pub fn request(&mut self, method: &str, params: Value) -> u64 {
        self.next += 1;
        self.send(json!({ "jsonrpc": "2.0", "id": self.next, "method": method, "params": params }));
        self.next
    }

    /// The next message.
    #[track_caller]
    pub fn receive(&mut self) -> Value {
        let line = self.lines.recv_timeout(LIMIT).expect("an answer within a minute");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    /// The answer to the request `id`; what comes before it is put aside.
    #[track_caller]
    pub fn answer(&mut self, id: u64) -> Value {
        if let Some(at) = self.aside.iter().position(|message| message["id"] == id && message.get("method").is_none()) {
            return self.aside.remove(at);
        }
        loop {
            let message = self.receive();
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
            self.aside.push(message);
        }
    }

    /// The next message with this method.
    #[track_caller]
    pub fn heard(&mut self, method: &str) -> Value {
        if let Some(at) = self.aside.iter().position(|message| message["method"] == method) {
            return self.aside.remove(at);
        }
        loop {
            let message = self.receive();
            if message["method"] == method {
                return message;
            }
            self.aside.push(message);
        }
    }

    /// A request and its answer.
    #[track_caller]
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params);
        self.answer(id)
    }

    /// A tool's call that asks for progress; its id.
    pub fn begin(&mut self, tool: &str, arguments: Value) -> u64 {
        self.request("tools/call", json!({ "name": tool, "arguments": arguments, "_meta": { "progressToken": tool } }))
    }

    /// Returns the result of a tool call.
    #[track_caller]
    pub fn result(&mut self, id: u64) -> Answer {
        let answer = self.answer(id);
        let result = &answer["result"];
        assert_eq!(result["content"].as_array().map(Vec::len), Some(1), "{answer}");
        Answer {
            text: result["content"][0]["text"].as_str().unwrap().to_owned(),
            structured: result["structuredContent"].clone(),
            is_error: result["isError"] == true,
        }
    }

    /// Calls a tool.
    #[track_caller]
    pub fn call(&mut self, tool: &str, arguments: Value) -> Answer {
        let id = self.begin(tool, arguments);
        self.result(id)
    }

    /// Calls a tool that does what it is asked for.
    #[track_caller]
    pub fn done(&mut self, tool: &str, arguments: Value) -> Answer {
        let answer = self.call(tool, arguments);
        assert!(!answer.is_error && answer.exit() == 0, "{answer:?}");
        answer
    }

    /// Sends the server a signal.
    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Stops reading what it says.
    pub fn deafen(&mut self) {
        let (_, nothing) = mpsc::channel();
        self.lines = nothing;
    }

    /// Closes its input and waits for it.
    #[track_caller]
    pub fn close(mut self) -> ExitStatus {
        self.stdin = None;
        self.wait()
    }

    /// Waits until it ends by itself.
    #[track_caller]
    pub fn wait(mut self) -> ExitStatus {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(start.elapsed() < Duration::from_secs(20), "it does not end");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.stdin = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
