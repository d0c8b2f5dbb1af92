//! The event log, one JSON line each. It stays on this machine; nothing is ever sent (`CLI.md`, `plan events`).

use std::fs::{File, Metadata};
use std::io::{Read, Write};
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

/// Bytes of a file that are read at once: twice what one holds.
const LARGEST: u64 = 4 << 20;

/// The lines of the older file.
pub fn older(place: &Place) -> Vec<String> {
    open(place, OLDER).map_or_else(Vec::new, |(file, _)| whole_lines(&file).0)
}

/// All lines so far, the oldest first.
pub fn all(place: &Place) -> Vec<String> {
    let newer = open(place, FILE).map_or_else(Vec::new, |(file, _)| whole_lines(&file).0);
    [older(place), newer].concat()
}

/// Opens one of the files to read it.
pub fn open(place: &Place, name: &str) -> Option<(File, Metadata)> {
    let file = store::look_state(&store::state_file(place, name)).ok()?;
    let meta = file.metadata().ok()?;
    Some((file, meta))
}

/// The lines up to the last end of one, and how many bytes they take.
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
