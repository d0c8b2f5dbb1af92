//! Several at once: writers that hold the lock, and editors that never heard of it.

use std::collections::HashSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, sleep};
use std::time::Duration;

use plan::error::{Error, Kind};
use plan::store::{self, Class};

use super::support::{START, World, append, at_end, child};
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

/// An editor with a buffer of its own: it reads once, and every save writes over whatever stands there.
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

fn in_place(file: &Path, text: &str) {
    fs::write(file, text).unwrap();
}

/// Empties the file, then fills it in pieces with pauses.
fn in_pieces(file: &Path, text: &str) {
    let mut file = fs::File::create(file).unwrap();
    for piece in text.as_bytes().chunks(text.len() / 3 + 1) {
        sleep(Duration::from_micros(700));
        file.write_all(piece).unwrap();
    }
}

fn by_rename(file: &Path, text: &str) {
    let temp = file.with_extension("editor");
    fs::write(&temp, text).unwrap();
    fs::rename(&temp, file).unwrap();
}

/// As vim does with `backup`: the old file moves away, a new one is made in its place.
fn by_backup(file: &Path, text: &str) {
    let _ = fs::rename(file, file.with_extension("md~"));
    fs::write(file, text).unwrap();
}

/// A program that reads, adds its line and saves, over a thousand times while `plan` adds lines: each save is in plan.md or in a
/// version that is kept.
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

/// 500 saves while `plan` adds lines: each line of either is in plan.md or in a version that is kept.
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
    let lines: HashSet<&str> = versions.iter().flat_map(|version| version.lines()).collect();
    let theirs = (0..500).map(|n| format!("- editor {n};"));
    let lost: Vec<String> = ours.iter().cloned().chain(theirs).filter(|line| !lines.contains(line.as_str())).collect();
    assert!(lost.is_empty(), "lost {lost:?}; {} written, {overtaken} overtaken", ours.len());
    assert!(ours.len() >= 5, "only {} lines written, {overtaken} overtaken", ours.len());
    // Whoever saved last: theirs is in plan.md, not only in a backup.
    let now = world.text();
    assert!(now.contains("- editor 499;") && now.contains("- last;"), "{now}");
    assert!(!world.names().iter().any(|name| name.ends_with(".tmp")), "{:?}", world.names());
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

/// Saves at the one moment that matters: after `plan` read, before it exchanged.
fn save_between(save: fn(&Path, &str)) -> (World, store::Updated) {
    let world = World::new();
    let file = world.path("plan.md");
    let mut first = true;
    let done = store::update(&world.place(), |source| {
        if std::mem::take(&mut first) {
            save(&file, &format!("{START}- theirs\n"));
        }
        at_end(source, "- ours")
    });
    (world, done.unwrap())
}

#[test]
fn a_save_in_between_is_patched_and_kept() {
    for save in [in_place as fn(&Path, &str), in_pieces, by_rename, by_backup] {
        let (world, done) = save_between(save);
        assert_eq!(world.text(), format!("{START}- theirs\n- ours\n"));
        assert_eq!((done.changed, done.tries), (true, 2));
        assert_eq!(
            done.notes,
            ["a version of `plan.md` that was saved while `plan` wrote is kept: `plan undo --list`"]
        );
        let newest = &store::undo_list(&world.place()).unwrap()[0];
        assert_eq!(newest.class, Class::Saved);
        assert_eq!(fs::read_to_string(&newest.path).unwrap(), format!("{START}- theirs\n"));
        assert!(!world.names().iter().any(|name| name.ends_with(".tmp")), "{:?}", world.names());
    }
}

#[test]
fn a_change_that_no_longer_applies_leaves_theirs() {
    for save in [in_place as fn(&Path, &str), by_rename] {
        let world = World::new();
        let file = world.path("plan.md");
        let mut calls = 0;
        let error = store::update(&world.place(), |source| {
            calls += 1;
            if calls == 1 {
                save(&file, "# Plan: other\n");
                return at_end(source, "- ours");
            }
            Err(Error::input("there is no goal `x`"))
        })
        .unwrap_err();
        assert_eq!(error.kind, Kind::Changed);
        assert_eq!(
            error.message,
            "`plan.md` was saved by someone else meanwhile; their version is kept, nothing was written"
        );
        assert_eq!(error.hints, ["the change does not apply to their version: there is no goal `x`"]);
        assert_eq!(world.text(), "# Plan: other\n");
        assert!(!world.names().iter().any(|name| name.ends_with(".tmp")), "{:?}", world.names());
    }
}

/// Someone read our version while it stood, then theirs was put back, and theirs is what the reader's save goes over.
#[test]
fn a_version_that_was_put_back_and_saved_over_is_kept() {
    for save in [in_place as fn(&Path, &str), by_rename] {
        let world = World::new();
        let file = world.path("plan.md");
        let theirs = format!("{START}- theirs\n");
        let mut read = None;
        let mut calls = 0;
        let error = store::update(&world.place(), |source| {
            calls += 1;
            if calls == 1 {
                save(&file, &theirs);
                return at_end(source, "- ours");
            }
            read = Some(world.text());
            Err(Error::input("there is no goal `x`"))
        })
        .unwrap_err();
        assert_eq!(error.kind, Kind::Changed);
        assert_eq!(world.text(), theirs);
        // Nothing was displaced by now: what stands is no version of the past.
        assert!(store::undo_list(&world.place()).unwrap().iter().all(|version| version.class != Class::Saved));
        save(&file, &format!("{}- later\n", read.unwrap()));
        assert!(world.versions().contains(&theirs), "{:#?}", world.versions());
        assert_eq!(store::undo_list(&world.place()).unwrap()[0].class, Class::Saved);
        append(&world.place(), "- more").unwrap();
        assert!(world.versions().contains(&theirs), "{:#?}", world.versions());
    }
}

/// What was put back and still stands is not kept twice.
#[test]
fn a_version_that_was_put_back_and_stands_is_kept_once() {
    let world = World::new();
    let file = world.path("plan.md");
    let theirs = format!("{START}- theirs\n");
    let mut calls = 0;
    store::update(&world.place(), |source| {
        calls += 1;
        if calls == 1 {
            by_rename(&file, &theirs);
            return at_end(source, "- ours");
        }
        Err(Error::input("no"))
    })
    .unwrap_err();
    append(&world.place(), "- more").unwrap();
    let kept = store::undo_list(&world.place()).unwrap();
    let same: Vec<_> = kept.iter().filter(|version| fs::read_to_string(&version.path).unwrap() == theirs).collect();
    assert_eq!((same.len(), same[0].class), (1, Class::Edited), "{kept:#?}");
}

/// Who saves the second time has read our version: the change is in theirs already.
#[test]
fn a_change_that_is_there_is_not_made_a_second_time() {
    for save in [in_place as fn(&Path, &str), by_rename] {
        let world = World::new();
        let file = world.path("plan.md");
        let mut calls = 0;
        let done = store::update(&world.place(), |source| {
            calls += 1;
            match calls {
                1 => save(&file, &format!("{START}- theirs\n")),
                2 => save(&file, &format!("{}- theirs again\n", world.text())),
                _ => {}
            }
            at_end(source, "- ours")
        })
        .unwrap();
        assert!(done.changed);
        assert_eq!(world.text(), format!("{START}- ours\n- theirs again\n"));
        assert!(world.versions().contains(&format!("{START}- theirs\n")), "{:#?}", world.versions());
        assert_eq!(world.names(), [".git", "plan.md"]);
    }
}

/// `complete` cannot be repeated on what it signed off: that is no reason to say that nothing was written.
#[test]
fn a_change_that_is_there_and_does_not_apply_again_is_done() {
    let world = World::new();
    let file = world.path("plan.md");
    let mut calls = 0;
    let done = store::update(&world.place(), |source| {
        calls += 1;
        if calls == 1 {
            by_rename(&file, &format!("{START}- theirs\n"));
        } else {
            by_rename(&file, &format!("{}- theirs again\n", world.text()));
        }
        if source.ends_with(b"again\n") { Err(Error::input("it is done")) } else { at_end(source, "- ours") }
    });
    assert!(done.unwrap().changed);
    assert_eq!(world.text(), format!("{START}- ours\n- theirs again\n"));
}

/// Someone read our version and kept a part of it: neither "done" nor "nothing was written" would be true.
#[test]
fn a_change_that_is_there_in_part_is_said() {
    let world = World::new();
    let file = world.path("plan.md");
    let mut calls = 0;
    let error = store::update(&world.place(), |source| {
        calls += 1;
        match calls {
            1 => by_rename(&file, &format!("{START}- theirs\n")),
            _ => by_rename(&file, &world.text().replace("- ours 2\n", "- mine\n")),
        }
        at_end(source, "- ours 1\n- ours 2")
    })
    .unwrap_err();
    assert_eq!(error.kind, Kind::Changed);
    assert_eq!(
        error.message,
        "`plan.md` was saved by someone else meanwhile; their version is kept, and part of your change is in it"
    );
    assert_eq!(error.hints, ["see the missing part with `git diff plan.md`, then add it"]);
    assert_eq!(world.text(), format!("{START}- theirs\n- ours 1\n- mine\n").replace("- theirs\n", ""));
}

#[test]
fn someone_who_saves_every_time_wins() {
    let world = World::new();
    let file = world.path("plan.md");
    let mut calls = 0;
    let error = store::update(&world.place(), |source| {
        calls += 1;
        by_rename(&file, &format!("{START}- theirs {calls}\n"));
        at_end(source, "- ours")
    })
    .unwrap_err();
    assert_eq!(error.kind, Kind::Changed);
    assert_eq!(world.text(), format!("{START}- theirs {calls}\n"));
    let versions = world.versions();
    for n in 1..=calls {
        assert!(versions.contains(&format!("{START}- theirs {n}\n")), "save {n} of {calls}");
    }
}

/// An editor that opened the file before the exchange and saves long after it: its save is in a backup, and the next
/// write says so.
#[test]
fn a_late_save_into_the_displaced_file_is_kept() {
    let world = World::new();
    let mut open = fs::File::options().write(true).open(world.path("plan.md")).unwrap();
    append(&world.place(), "- ours").unwrap();
    sleep(Duration::from_millis(20));
    open.write_all(b"# Plan: late").unwrap();
    drop(open);
    let done = append(&world.place(), "- more").unwrap();
    assert_eq!(done.notes.len(), 1, "{done:?}");
    for n in 0..60 {
        append(&world.place(), &format!("- {n}")).unwrap();
    }
    let kept = store::undo_list(&world.place()).unwrap();
    let late: Vec<_> = kept.iter().filter(|version| version.class == Class::Saved).collect();
    assert_eq!(late.len(), 1);
    assert!(fs::read_to_string(&late[0].path).unwrap().starts_with("# Plan: late"));
}

/// A program that holds plan.md open for append writes into a version that is long replaced: each time it is said, and
/// all its lines are in one version that is kept.
#[test]
fn lines_of_a_writer_that_holds_the_file_open_are_kept_and_said() {
    let world = World::new();
    let mut open = fs::File::options().append(true).open(world.path("plan.md")).unwrap();
    append(&world.place(), "- ours").unwrap();
    let mut expected = START.to_owned();
    for round in 0..3 {
        for n in 0..4 {
            assert_eq!(append(&world.place(), &format!("- ours {round}.{n}")).unwrap().notes, [""; 0]);
        }
        let line = format!("- theirs {round}\n");
        open.write_all(line.as_bytes()).unwrap();
        expected += &line;
        assert_eq!(
            append(&world.place(), "- more").unwrap().notes,
            [
                "a program that has an older version of `plan.md` open wrote into that; its lines are not in `plan.md` but \
              kept: `plan undo --list`"
            ]
        );
    }
    let kept = store::undo_list(&world.place()).unwrap();
    let saved: Vec<_> = kept.iter().filter(|version| version.class == Class::Saved).collect();
    assert_eq!(saved.len(), 1, "{kept:#?}");
    assert_eq!(fs::read_to_string(&saved[0].path).unwrap(), expected);
}

/// `cp -r` gives every file another inode and another time: nobody saved.
#[test]
fn in_a_copied_repository_nobody_is_said_to_have_saved() {
    let world = World::new();
    for n in 0..4 {
        append(&world.place(), &format!("- {n}")).unwrap();
    }
    let copy = tempfile::tempdir().unwrap();
    let to = copy.path().join("copy");
    assert!(Command::new("cp").arg("-r").arg(world.dir.path()).arg(&to).status().unwrap().success());
    let place = store::find(&to, None).unwrap();
    for n in 0..60 {
        assert_eq!(append(&place, &format!("- copy {n}")).unwrap().notes, [""; 0]);
    }
    let kept = store::undo_list(&place).unwrap();
    assert!(kept.iter().all(|version| matches!(version.class, Class::Written | Class::Edited)), "{kept:#?}");
}

/// The file is emptied after `plan` read it, and filled only when `plan` has given up: the editor's file is back in its
/// place by then.
#[test]
fn a_save_that_takes_longer_than_patience_ends_in_place() {
    let world = World::new();
    let file = world.path("plan.md");
    let mut open = None;
    let error = store::update(&world.place(), |source| {
        open.get_or_insert_with(|| fs::File::create(&file).unwrap());
        at_end(source, "- ours")
    })
    .unwrap_err();
    assert_eq!(error.kind, Kind::Changed);
    open.unwrap().write_all(b"# Plan: slow\n").unwrap();
    assert_eq!(world.text(), "# Plan: slow\n");
    assert!(!world.names().iter().any(|name| name.ends_with(".tmp")), "{:?}", world.names());
}

#[test]
fn a_file_that_is_removed_meanwhile_stays_removed() {
    let world = World::new();
    let file: PathBuf = world.path("plan.md");
    let error = store::update(&world.place(), |source| {
        let _ = fs::remove_file(&file);
        at_end(source, "- ours")
    })
    .unwrap_err();
    assert_eq!(error.kind, Kind::Changed);
    assert_eq!(error.message, "`plan.md` was removed or moved meanwhile; nothing was written");
    assert_eq!(world.names(), [".git"]);
}

#[test]
fn something_else_in_the_files_place_is_put_back() {
    let world = World::new();
    let file: PathBuf = world.path("plan.md");
    let error = store::update(&world.place(), |source| {
        let _ = fs::remove_file(&file);
        let _ = std::os::unix::fs::symlink("elsewhere", &file);
        at_end(source, "- ours")
    })
    .unwrap_err();
    assert_eq!(error.kind, Kind::Changed);
    assert_eq!(fs::read_link(&file).unwrap(), Path::new("elsewhere"));
    assert_eq!(world.names(), [".git", "plan.md"]);
}
