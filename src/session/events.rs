//! What happened, one JSON line each, for whoever wants to look: local only, nothing is ever sent (`CLI.md`, `plan events`).

use std::io::Write;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::Value;

use crate::store::{self, Place};

/// The file's name in the state folder.
pub const FILE: &str = "events.jsonl";
/// The one before it.
pub const OLDER: &str = "events.1.jsonl";
/// Bytes of the file; then it becomes the older one.
const MOST: u64 = 1 << 20;

/// Adds one event. What cannot be written is not: nothing depends on it.
pub fn append(place: &Place, event: &str, what: &Value) {
    let Ok(mut file) = store::open_state(place, FILE) else { return };
    if file.metadata().is_ok_and(|meta| meta.len() > MOST) {
        let path = |name| store::state_file(place, name);
        let _ = std::fs::rename(path(FILE), path(OLDER));
        let Ok(new) = store::open_state(place, FILE) else { return };
        file = new;
    }
    let at = SystemTime::now().duration_since(UNIX_EPOCH).map(|since| since.as_secs()).unwrap_or_default();
    let mut line = serde_json::json!({ "version": 1, "at": at, "event": event });
    if let (Value::Object(line), Value::Object(what)) = (&mut line, what) {
        line.extend(what.iter().map(|(key, value)| (key.clone(), value.clone())));
    }
    // One write at the end: lines of several writers do not mix.
    let _ = rustix::fs::fcntl_setfl(&file, rustix::fs::OFlags::APPEND);
    let _ = file.write_all(format!("{line}\n").as_bytes());
}
