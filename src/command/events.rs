//! `plan events`: prints the events around the plan, one JSON line each.

use std::io::{Seek, SeekFrom};
use std::os::unix::fs::MetadataExt;
use std::time::Duration;

use serde_json::{Value, json};

use super::{Context, Exit};
use crate::error::{Error, Result};
use crate::session::events::{self, FILE, OLDER, open, whole_lines};
use crate::store::Place;

/// Print the events so far, one JSON line each
///
/// The events stay in this clone, and `plan` sends them nowhere. It drops the oldest.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  plan events --follow")]
pub struct Args {
    /// Wait for more, until Ctrl-C.
    #[arg(long)]
    follow: bool,
}

/// The pause between two looks for more lines.
const PAUSE: Duration = Duration::from_millis(200);

/// Prints the lines, the older file first.
pub fn run(context: &Context, args: &Args) -> Result<Exit> {
    if args.follow && context.ui.is_json() {
        return Err(
            Error::input("`--follow` never ends, `--json` is one document").hint("the lines of `--follow` are JSON")
        );
    }
    let place = context.place()?;
    let mut tail = Tail::default();
    let mut lines = events::older(&place);
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

/// The position up to which the current file was read.
#[derive(Default)]
struct Tail {
    /// The file's inode number, and how many of its bytes were read.
    file: Option<(u64, u64)>,
}

impl Tail {
    /// Returns the lines since the last call. If the file became the older one, its rest comes first.
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
