//! The event log, one JSON line each. It stays on this machine; nothing is ever sent (`CLI.md`, `plan events`).

use std::fs::{File, Metadata};
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::time::{SystemTime, UNIX_EPOCH};

use rustix::fs::{FlockOperation, flock};
use serde_json::Value;

use crate::store::{self, Place};

/// The file's name in the state folder.
pub const FILE: &str = "events.jsonl";
/// The file before it.
pub const OLDER: &str = "events.1.jsonl";
/// The size in bytes at which the file becomes the older one.
const MOST: u64 = 1 << 20;

/// Adds one event. A failure is ignored, because nothing depends on the log.
pub fn append(place: &Place, event: &str, what: &Value) {
    let Ok(mut file) = store::open_state(place, FILE) else { return };
    if file.metadata().is_ok_and(|meta| meta.len() > MOST) && makes_room(place, &file) {
        let Ok(new) = store::open_state(place, FILE) else { return };
        file = new;
    }
    let at = SystemTime::now().duration_since(UNIX_EPOCH).map(|since| since.as_secs()).unwrap_or_default();
    let mut line = serde_json::json!({ "version": 1, "at": at, "event": event });
    if let (Value::Object(line), Value::Object(what)) = (&mut line, what) {
        line.extend(what.iter().map(|(key, value)| (key.clone(), value.clone())));
    }
    // One write in append mode: lines of several writers do not mix.
    let _ = rustix::fs::fcntl_setfl(&file, rustix::fs::OFlags::APPEND);
    let _ = file.write_all(format!("{line}\n").as_bytes());
}

/// Moves the full file aside. Of several writers that find it full only one does so, and only while the file still has its
/// name: a second move would replace the older file with the new one.
fn makes_room(place: &Place, file: &File) -> bool {
    let path = store::state_file(place, FILE);
    let number = |meta: std::io::Result<Metadata>| meta.map(|meta| meta.ino()).ok();
    flock(file, FlockOperation::NonBlockingLockExclusive).is_ok()
        && number(file.metadata()) == number(std::fs::symlink_metadata(&path))
        && std::fs::rename(&path, store::state_file(place, OLDER)).is_ok()
}
