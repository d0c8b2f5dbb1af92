//! `plan events`: the events around the plan, one JSON line each.

use std::fs::{File, Metadata};
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::fs::MetadataExt;
use std::time::Duration;

use serde_json::{Value, json};

use super::{Context, Exit};
use crate::error::{Error, Result};
use crate::session::events::{FILE, OLDER};
use crate::store::{self, Place};

/// Print the events so far, one JSON line each
///
/// The events are kept beside the plan and never sent anywhere. The oldest are dropped.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan events --follow")]
pub struct Args {
    /// Wait for more, until Ctrl-C.
    #[arg(long)]
    follow: bool,
}

/// Between two looks for more.
const PAUSE: Duration = Duration::from_millis(200);
/// Bytes of a file that are read at once: twice what one holds.
const LARGEST: u64 = 4 << 20;

/// Prints the lines, the older file first.
pub fn run(context: &Context, args: &Args) -> Result<Exit> {
    if args.follow && context.ui.is_json() {
        return Err(
            Error::input("`--follow` never ends, `--json` is one document").hint("the lines of `--follow` are JSON")
        );
    }
    let place = context.place()?;
    let mut tail = Tail::default();
    let mut lines = older(&place);
    lines.extend(tail.more(&place));
    if context.ui.is_json() {
        let events: Vec<Value> = lines.iter().filter_map(|line| serde_json::from_str(line).ok()).collect();
        context.ui.json(&json!({ "events": events }));
        return Ok(Exit::Yes);
    }
    lines.iter().for_each(|line| context.ui.json_line(line));
    while args.follow && !context.ui.is_closed() {
        context.ui.flush();
        std::thread::sleep(PAUSE);
        tail.more(&place).iter().for_each(|line| context.ui.json_line(line));
    }
    Ok(Exit::Yes)
}

fn older(place: &Place) -> Vec<String> {
    open(place, OLDER).map_or_else(Vec::new, |(file, _)| whole_lines(&file).0)
}

fn open(place: &Place, name: &str) -> Option<(File, Metadata)> {
    let file = store::look_state(&store::state_file(place, name)).ok()?;
    let meta = file.metadata().ok()?;
    Some((file, meta))
}

/// How far the current file was read.
#[derive(Default)]
struct Tail {
    /// The file by its number, and the bytes of it that were read.
    file: Option<(u64, u64)>,
}

impl Tail {
    /// What came since. Where the file became the older one, its rest first.
    fn more(&mut self, place: &Place) -> Vec<String> {
        let mut lines = Vec::new();
        let Some((mut file, meta)) = open(place, FILE) else { return lines };
        let mut from = 0;
        match self.file {
            Some((number, at)) if number == meta.ino() && at <= meta.len() => from = at,
            Some((number, at)) => lines = rest(place, number, at),
            None => {}
        }
        let _ = file.seek(SeekFrom::Start(from));
        let (more, bytes) = whole_lines(&file);
        self.file = Some((meta.ino(), from + bytes));
        lines.extend(more);
        lines
    }
}

fn rest(place: &Place, number: u64, at: u64) -> Vec<String> {
    let Some((mut file, meta)) = open(place, OLDER) else { return Vec::new() };
    if meta.ino() != number || file.seek(SeekFrom::Start(at)).is_err() {
        return Vec::new();
    }
    whole_lines(&file).0
}

/// The lines up to the last end of one, and how many bytes they take.
fn whole_lines(file: &File) -> (Vec<String>, u64) {
    let mut bytes = Vec::new();
    let _ = file.take(LARGEST).read_to_end(&mut bytes);
    let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let text = String::from_utf8_lossy(&bytes[..end]);
    (text.lines().map(str::to_owned).collect(), end as u64)
}
