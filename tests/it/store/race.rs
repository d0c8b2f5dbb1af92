//! Several processes at once: writers that hold the lock, and editors that know no lock.

use std::collections::HashSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, sleep};
use std::time::Duration;

use plan::error::Kind;
use plan::store::{self, Class};

use super::support::{START, World, append, child};
use crate::support::size;

#[test]
fn eight_writers_add_lines_at_once() {
    let lines = size(50, 200);
    let world = World::new();
    let mut writers: Vec<_> =
        (0..8).map(|n| child(&format!("append writer{n} {lines}"), world.dir.path()).spawn().unwrap()).collect();
    for writer in &mut writers {
        assert!(writer.wait().unwrap().success());
    }
    let text = world.text();
    assert!(text.starts_with(START));
    for n in 0..8 {
        for i in 0..lines {
            assert_eq!(text.matches(&format!("- writer{n} {i};\n")).count(), 1, "writer {n}, line {i}");
        }
    }
    assert_eq!(text.lines().count(), START.lines().count() + 8 * lines);
    assert_eq!(world.names(), [".git", "plan.md"]);
    let kept = store::undo_list(&world.place()).unwrap();
    assert_eq!(kept.iter().filter(|version| version.class == Class::Written).count(), 50);
    assert!(kept.iter().all(|version| matches!(version.class, Class::Written | Class::Edited)), "{kept:#?}");
}

#[test]
fn threads_of_one_process_lock_each_other_out() {
    let world = World::new();
    let place = world.place();
    thread::scope(|scope| {
        for n in 0..4 {
            let place = &place;
            scope.spawn(move || (0..25).for_each(|i| drop(append(place, &format!("- {n} {i};")).unwrap())));
        }
    });
    assert_eq!(world.text().lines().count(), START.lines().count() + 100);
}

/// An editor with its own buffer: it reads once, and every save overwrites the current file.
struct Editor<'w> {
    file: &'w Path,
    buffer: String,
    save: fn(&Path, &str),
}

impl Editor<'_> {
    fn save(&mut self, n: u32) {
        self.buffer.push_str(&format!("- editor {n};\n"));
        (self.save)(self.file, &self.buffer);
    }
}

pub(super) fn in_place(file: &Path, text: &str) {
    fs::write(file, text).unwrap();
}

/// Empties the file, then fills it in pieces with pauses.
pub(super) fn in_pieces(file: &Path, text: &str) {
    let mut file = fs::File::create(file).unwrap();
    for piece in text.as_bytes().chunks(text.len() / 3 + 1) {
        sleep(Duration::from_micros(700));
        file.write_all(piece).unwrap();
    }
}

pub(super) fn by_rename(file: &Path, text: &str) {
    let temp = file.with_extension("editor");
    fs::write(&temp, text).unwrap();
    fs::rename(&temp, file).unwrap();
}

/// Saves as vim does with `backup`: the old file is moved away, and a new one is created in its place.
pub(super) fn by_backup(file: &Path, text: &str) {
    let _ = fs::rename(file, file.with_extension("md~"));
    fs::write(file, text).unwrap();
}

/// A program reads, adds its line and saves, over a thousand times while `plan` adds lines: each save is in plan.md or in a kept version.
fn no_save_of_a_reader_is_lost(save: fn(&Path, &str)) {
    let saves = size(300, 1200) as u64;
    let world = World::new();
    let file = world.path("plan.md");
    let place = world.place();
    let over = AtomicBool::new(false);
    let mut written = 0;
    thread::scope(|scope| {
        scope.spawn(|| {
            for n in 0..saves {
                let text = fs::read_to_string(&file).unwrap();
                sleep(Duration::from_micros(n * 7919 % 1500));
                save(&file, &format!("{text}- editor {n};\n"));
                sleep(Duration::from_micros(if n % 10 == 9 { 40_000 } else { n * 104_729 % 3000 }));
            }
            over.store(true, Ordering::Release);
        });
        for n in 0.. {
            written += u32::from(append(&place, &format!("- plan {n};")).is_ok());
            if over.load(Ordering::Acquire) {
                break;
            }
        }
    });
    append(&place, "- last;").unwrap();
    let versions = world.versions();
    let lines: HashSet<&str> = versions.iter().flat_map(|version| version.lines()).collect();
    let lost: Vec<u64> = (0..saves).filter(|n| !lines.contains(format!("- editor {n};").as_str())).collect();
    assert!(lost.is_empty(), "{} of {saves} saves lost: {lost:?}; {written} written", lost.len());
    for version in &versions {
        let once = version.lines().filter(|line| line.starts_with("- plan")).collect::<HashSet<_>>().len();
        assert_eq!(once, version.matches("- plan").count(), "a line was added twice:\n{version}");
    }
}

#[test]
fn a_reader_that_writes_in_place_loses_nothing() {
    no_save_of_a_reader_is_lost(in_place);
}

#[test]
fn a_reader_that_renames_loses_nothing() {
    no_save_of_a_reader_is_lost(by_rename);
}

/// 500 saves while `plan` adds lines: each line of both is in plan.md or in a kept version.
fn no_version_is_lost(save: fn(&Path, &str)) {
    let world = World::new();
    let file = world.path("plan.md");
    let place = world.place();
    let over = AtomicBool::new(false);
    let (mut ours, mut overtaken) = (Vec::new(), 0);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut editor = Editor { file: &file, buffer: START.to_owned(), save };
            for n in 0..500 {
                editor.save(n);
                let pause = if n % 10 == 9 { 40_000 } else { n * 7919 % 3000 };
                sleep(Duration::from_micros(u64::from(pause)));
            }
            over.store(true, Ordering::Release);
        });
        for n in 0.. {
            let line = format!("- plan {n};");
            match append(&place, &line) {
                Ok(_) => ours.push(line),
                Err(error) => {
                    assert_eq!(error.kind, Kind::Changed, "{error}: {:?}", error.hints);
                    overtaken += 1;
                }
            }
            if over.load(Ordering::Acquire) {
                break;
            }
        }
    });
    append(&place, "- last;").unwrap();
    let mut versions = world.versions();
    if let Ok(backup) = fs::read_to_string(world.path("plan.md~")) {
        versions.push(backup);
    }
    // A save that pauses for longer than `plan` waits is cut off within a line, and our line follows directly.
    let lines: HashSet<&str> = versions.iter().flat_map(|version| version.lines()).flat_map(entries).collect();
    let theirs = (0..500).map(|n| format!("- editor {n};"));
    let lost: Vec<String> = ours.iter().cloned().chain(theirs).filter(|line| !lines.contains(line.as_str())).collect();
    assert!(lost.is_empty(), "lost {lost:?}; {} written, {overtaken} overtaken", ours.len());
    assert!(ours.len() >= 5, "only {} lines written, {overtaken} overtaken", ours.len());
    // The last save is in plan.md, not only in a backup.
    let now = world.text();
    assert!(now.contains("- editor 499;") && now.contains("- last;"), "{now}");
    assert!(!world.names().iter().any(|name| name.ends_with(".tmp")), "{:?}", world.names());
}

/// A line, and each entry that begins within it.
fn entries(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices("- ").map(|(at, _)| &line[at..])
}

#[test]
fn an_editor_that_writes_in_place_loses_nothing() {
    no_version_is_lost(in_place);
}

#[test]
fn an_editor_that_writes_in_pieces_loses_nothing() {
    no_version_is_lost(in_pieces);
}

#[test]
fn an_editor_that_renames_loses_nothing() {
    no_version_is_lost(by_rename);
}

#[test]
fn an_editor_that_moves_the_old_file_away_loses_nothing() {
    no_version_is_lost(by_backup);
}
