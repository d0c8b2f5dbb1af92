//! Decides which messages reach the protocol's library, and which are answered or dropped before.

use rmcp::RoleServer;
use rmcp::model::{ClientRequest, JsonRpcMessage};
use rmcp::service::RxJsonRpcMessage;
use serde::Deserialize;
use serde_json::{Value, json};

const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;
const METHOD_NOT_FOUND: i32 = -32601;
const INVALID_PARAMS: i32 = -32602;

/// The decision about a line.
pub(super) enum Verdict {
    /// Pass it to the server.
    Pass(Box<RxJsonRpcMessage<RoleServer>>),
    /// Answer it with this.
    Answer(Vec<u8>),
    /// Drop it.
    Drop,
}

/// The id and method of a message, whatever else it holds.
#[derive(Deserialize)]
struct Envelope {
    #[serde(default)]
    id: Option<Value>,
    #[serde(default)]
    method: Option<String>,
}

/// Remembers whether the session has begun.
#[derive(Debug, Default)]
pub(super) struct Filter {
    is_open: bool,
}

impl Filter {
    pub(super) fn judge(&mut self, line: &[u8]) -> Verdict {
        if line.trim_ascii().is_empty() {
            return Verdict::Drop;
        }
        let envelope: Envelope = match serde_json::from_slice(line) {
            // Serde would read a list as the fields in order; version 2025-06-18 removed batches.
            Ok(envelope) if line.trim_ascii().starts_with(b"{") => envelope,
            Ok(_) => return refuse(None, INVALID_REQUEST, "expected one JSON-RPC message"),
            Err(error) if error.is_data() => return refuse(None, INVALID_REQUEST, "expected one JSON-RPC message"),
            Err(error) => return refuse(None, PARSE_ERROR, &format!("not JSON: {error}")),
        };
        let id = envelope.id.filter(|id| id.is_string() || id.is_number());
        let method = envelope.method.as_deref();
        // Claude Code asks this before `initialize`, and speaks the older protocol if the server does not know it (2.1.329). The
        // library would answer in the newer protocol, in which a server cannot ask a person.
        if method == Some("server/discover") && id.is_some() {
            return refuse(id, METHOD_NOT_FOUND, "method not found: `server/discover`");
        }
        let message = serde_json::from_slice::<RxJsonRpcMessage<RoleServer>>(line);
        let begins = matches!(&message, Ok(JsonRpcMessage::Request(request))
            if matches!(request.request, ClientRequest::InitializeRequest(_)));
        // The library treats an unreadable call as an unknown method.
        let is_call = matches!(&message, Ok(JsonRpcMessage::Request(request))
            if matches!(request.request, ClientRequest::CallToolRequest(_)));
        match (message, method, &id) {
            (Ok(_), Some("tools/call"), Some(_)) if !is_call => {
                refuse(id, INVALID_PARAMS, "expected the name of a tool, and its arguments as an object")
            }
            (_, Some("initialize"), Some(_)) if !begins => {
                refuse(id, INVALID_PARAMS, "expected protocolVersion, capabilities and clientInfo")
            }
            (_, Some(_), Some(_)) if begins && self.is_open => refuse(id, INVALID_REQUEST, "the session has begun"),
            (Ok(message), method, _) if self.is_open || begins || method == Some("ping") && id.is_some() => {
                self.is_open |= begins;
                Verdict::Pass(Box::new(message))
            }
            (Ok(_), Some(_), Some(_)) => refuse(id, INVALID_REQUEST, "expected `initialize` first"),
            (Err(_), Some(method), Some(_)) => refuse(id, INVALID_PARAMS, &format!("invalid params of `{method}`")),
            (Err(_), None, _) => refuse(id, INVALID_REQUEST, "expected one JSON-RPC message"),
            // Notifications get no answer.
            _ => Verdict::Drop,
        }
    }
}

/// Returns the answer to a line of more than `most` bytes, without an id because the id is unknown.
pub(super) fn too_long(most: u64) -> Verdict {
    refuse(None, PARSE_ERROR, &format!("a line has at most {most} bytes"))
}

fn refuse(id: Option<Value>, code: i32, message: &str) -> Verdict {
    let answer = json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } });
    Verdict::Answer(answer.to_string().into_bytes())
}
