//! The event log: one line of JSON per event. It stays on this machine and is never sent anywhere (`CLI.md`, `plan events`).

use std::fs::{File, Metadata};
use std::io::{Read, Write};
use std::os::unix::fs::MetadataExt;
use std::time::{SystemTime, UNIX_EPOCH};

use rustix::fs::{FlockOperation, flock};
use serde_json::Value;

use crate::store::{self, Place};

/// The name of the current file in the state folder.
pub const FILE: &str = "events.jsonl";
/// The name of the older file, which holds the events before the current file.
pub const OLDER: &str = "events.1.jsonl";
/// The size in bytes above which the current file becomes the older file.
const MOST: u64 = 1 << 20;

/// The maximum number of bytes that are read from a file at once: four times the size at which it becomes the older file.
const LARGEST: u64 = 4 << 20;

/// Returns the lines of the older file.
pub fn older(place: &Place) -> Vec<String> {
    open(place, OLDER).map_or_else(Vec::new, |(file, _)| whole_lines(&file).0)
}

/// Returns all lines of both files, oldest first.
pub fn all(place: &Place) -> Vec<String> {
    let newer = open(place, FILE).map_or_else(Vec::new, |(file, _)| whole_lines(&file).0);
    [older(place), newer].concat()
}

/// Opens one of the two files for reading.
pub fn open(place: &Place, name: &str) -> Option<(File, Metadata)> {
    let file = store::look_state(&store::state_file(place, name)).ok()?;
    let meta = file.metadata().ok()?;
    Some((file, meta))
}

/// Returns the complete lines of the file, and their total size in bytes.
pub fn whole_lines(file: &File) -> (Vec<String>, u64) {
    let mut bytes = Vec::new();
    let _ = file.take(LARGEST).read_to_end(&mut bytes);
    let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let text = String::from_utf8_lossy(&bytes[..end]);
    (text.lines().map(str::to_owned).collect(), end as u64)
}

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
    // A single write in append mode, so that the lines of several writers do not mix.
    let _ = rustix::fs::fcntl_setfl(&file, rustix::fs::OFlags::APPEND);
    let _ = file.write_all(format!("{line}\n").as_bytes());
}

/// Renames the full file to the older name. If several writers find it full, only one renames it, and only while the path still
/// leads to that file: a second rename would replace the older file with the new one.
fn makes_room(place: &Place, file: &File) -> bool {
    let path = store::state_file(place, FILE);
    let number = |meta: std::io::Result<Metadata>| meta.map(|meta| meta.ino()).ok();
    flock(file, FlockOperation::NonBlockingLockExclusive).is_ok()
        && number(file.metadata()) == number(std::fs::symlink_metadata(&path))
        && std::fs::rename(&path, store::state_file(place, OLDER)).is_ok()
}
